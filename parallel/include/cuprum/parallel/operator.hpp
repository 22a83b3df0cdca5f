// What an algorithm does to its elements.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cuprum/core/object_code.hpp"
#include "cuprum/parallel/shared.hpp"
#include "cuprum/parallel/value.hpp"

namespace cuprum::parallel {

/// The operators that CUB knows and has tuned its algorithms for. The numbers are the C ABI's.
enum class OpKind : int32_t {
    plus = 0,
    minus = 1,
    multiplies = 2,
    divides = 3,
    modulus = 4,
    minimum = 5,
    maximum = 6,
    bit_and = 7,
    bit_or = 8,
    bit_xor = 9,
    logical_and = 10,
    logical_or = 11,
    equal_to = 12,
    not_equal_to = 13,
    less = 14,
    less_equal = 15,
    greater = 16,
    greater_equal = 17,
    // Of one operand.
    identity = 18,
    negate = 19,
    logical_not = 20,
    bit_not = 21,
};

/// "plus" for OpKind::plus.
std::string_view to_string(OpKind kind);

/// How a device function that was compiled elsewhere takes its operands, of types A and B, and gives its result, an R.
enum class Passing : int32_t {
    pointers = 0,  ///< void f(void* a, void* b, void* result); with a state void f(void* state, void* a, ...)
    values = 1,    ///< R f(A a, B b); has no state
};

/// A device function that was compiled elsewhere.
struct CompiledFunction {
    std::string name;                     // as in the code
    std::vector<core::ObjectCode> codes;  // its own, and what that calls
    Passing passing = Passing::pointers;
};

/// What compares structs by some of their numbers: Operator::by_fields.
struct FieldComparison {
    Type type;
    std::string fields;  // as they were given
};

/// An operator: a well-known one, or CUDA C++ text that sees its operands as `a` and `b` (in transformations of more
/// inputs also as `c` to `h`).
///
/// Text is an expression, "a * b + 1", or a function's body, "if (a < b) return a; return b;". It may use CUDA's device
/// functions and, by their names, the structs that the algorithm works on. An operator may have a state, a struct whose
/// fields the text sees by their names ("a * scale"); its bytes are passed at every call and are not compiled in.
///
/// Reductions need an operator that is associative and commutative; scans, and reductions by key, an associative one;
/// sorts a strict weak ordering. None of it is checked. minimum and maximum compare with `<`: with NaNs among the
/// elements the result is an unspecified one of the elements.
/// Copies are cheap. Thread-safe.
class Operator {
public:
    /// `a` to `h`.
    static constexpr size_t max_operands = 8;

    Operator(OpKind kind);
    Operator(const char* text) : Operator(std::string(text)) {}
    /// Throws InvalidArgument for an empty text. "plus" and the other names of OpKind are such texts too; "a + b" and
    /// the like are recognised as well-known, and are expressions all the same where there are more operands.
    Operator(std::string text);
    /// With a state, of a described struct type.
    template <class State>
        requires detail::Described<State>
    Operator(std::string text, const State& state) : Operator(std::move(text), Value(state)) {}
    /// Throws InvalidArgument for a state that is not a struct.
    Operator(std::string text, Value state);

    /// A device function that was compiled elsewhere, extern "C" or under the name that the code has for it: PTX,
    /// LTO-IR (which is optimised together with the algorithm) or what else a Linker takes, of relocatable device code.
    /// It is linked into each algorithm that is built with it, by nvJitLink; what does not fit is an NvJitLinkError
    /// there, with the log. Its operands and its result have the types that a text would have; whether it was compiled
    /// for them cannot be checked. Throws InvalidArgument for a name that no function in CUDA C++ has, for code that is
    /// damaged or of another kind than it says, and for a state that is not a struct or goes with Passing::values.
    static Operator compiled(const std::string& name, const core::ObjectCode& code, Passing passing = Passing::pointers,
                             std::optional<Value> state = std::nullopt);
    /// The same with more code, which the function calls. Throws InvalidArgument for code as above, and for an operator
    /// that was not compiled elsewhere.
    Operator with_code(const core::ObjectCode& more) const;

    /// A comparison of structs of that type by some of their numbers: whether `a` comes before `b`. `fields` has their
    /// names, that of the number that counts most first: "age, -weight"; behind a "-" the largest comes first, and
    /// "place.x" is a field of a field. A field that is a struct stands for its numbers, in their order. Each number
    /// has the order that RadixSort gives it. On the host's cores MergeSort takes it. Throws InvalidArgument for a type
    /// that is no struct, and for fields that it lacks, that are named twice, or that are complex numbers.
    static Operator by_fields(const Type& type, std::string_view fields);

    /// The same operator with another state, for one call. Throws InvalidArgument for a state of another type.
    Operator with_state(Value state) const;

    /// None for text.
    std::optional<OpKind> kind() const;
    /// Null for others than those that were compiled elsewhere.
    const CompiledFunction* compiled_function() const;
    /// Null for others than those that were made by by_fields().
    const FieldComparison* field_comparison() const;
    /// The name of the well-known operator or of the function, or the text.
    const std::string& text() const;
    /// The text as it was given, also where it is that of a well-known operator, "a + b"; empty for one by its name or
    /// its OpKind.
    const std::string& expression() const;
    /// None if there is no state.
    const std::optional<Value>& state() const { return state_; }
    /// Two operators with one code differ at most in the bytes of their state.
    bool has_code_of(const Operator& other) const;

private:
    struct Code;
    detail::Shared<Code> code_;
    std::optional<Value> state_;
};

}  // namespace cuprum::parallel
