#include "source.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "arithmetic.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "layout.hpp"
#include "table_by_kind.hpp"

namespace cuprum::parallel {

namespace {

// What every program includes. CUB hides the two macros from NVRTC, and its tunings need them (CCCL 3.0). The functions
// of griddepcontrol are in cuda_device_runtime_api.h: CUB uses them from sm_90 on and does not include it. Half a
// second of NVRTC's goes into what libcu++ does where nothing is said: it unrolls its lists of types 16 times, and
// includes types of 8, 6 and 4 bits, which no element has.
constexpr std::string_view preamble = R"(#define CUB_RUNTIME_FUNCTION __device__
#define CUB_DEFINE_SUB_POLICY_GETTER(name)
#define _CCCL_META_UNROLL_LIMIT 4
#define CCCL_DISABLE_NVFP8_SUPPORT
#define CCCL_DISABLE_NVFP6_SUPPORT
#define CCCL_DISABLE_NVFP4_SUPPORT
#include <cuda_device_runtime_api.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda/functional>
#include <cuda/std/functional>
#include <cuda/std/iterator>
#include <cub/util_device.cuh>
)";

// What every program has before its own types. An iterator is a reader and a position; readers are made of each other.
constexpr std::string_view prelude = R"(
template <long long... Values> __global__ void cuprum_constants() {}

// From CCCL 3.3 on a tuning is a value that a selector gives for an architecture, before that it is a type.
#if CCCL_VERSION >= 3004000
#define CUPRUM_THREADS threads_per_block
template <class Selector> constexpr auto cuprum_policy = cub::detail::current_policy<Selector>();
#elif CCCL_VERSION >= 3003000
#define CUPRUM_THREADS block_threads
template <class Selector> constexpr auto cuprum_policy = Selector{}(::cuda::arch_id{CUB_PTX_ARCH / 10});
#endif

namespace cuprum_iterators {
template <class T> struct pointer {
    using value_type = T;
    const T* elements;
    __device__ __forceinline__ T operator()(long long i) const { return elements[i]; }
};
template <class T> struct constant {
    using value_type = T;
    T value;
    __device__ __forceinline__ T operator()(long long) const { return value; }
};
template <class T> struct counting {
    using value_type = T;
    T start;
    __device__ __forceinline__ T operator()(long long i) const { return static_cast<T>(start + static_cast<T>(i)); }
};
template <class Base, class Op, class T> struct transform {
    using value_type = T;
    Base base;
    Op op;
    __device__ __forceinline__ T operator()(long long i) const { return static_cast<T>(op(base(i))); }
};
template <class Base, class T> struct indexed {
    using value_type = T;
    Base base;
    __device__ __forceinline__ T operator()(long long i) const { return T{i, base(i)}; }
};
template <class Reader> struct at {
    using value_type = typename Reader::value_type;
    using difference_type = long long;
    using pointer = const value_type*;
    using reference = value_type;
    using iterator_category = ::cuda::std::random_access_iterator_tag;
    Reader reader;
    long long position;
    __device__ __forceinline__ value_type operator*() const { return reader(position); }
    __device__ __forceinline__ value_type operator[](long long i) const { return reader(position + i); }
    __device__ __forceinline__ at& operator+=(long long i) { position += i; return *this; }
    __device__ __forceinline__ at& operator-=(long long i) { position -= i; return *this; }
    __device__ __forceinline__ at& operator++() { ++position; return *this; }
    __device__ __forceinline__ at operator++(int) { at old = *this; ++position; return old; }
    friend __device__ __forceinline__ at operator+(at it, long long i) { return it += i; }
    friend __device__ __forceinline__ at operator-(at it, long long i) { return it -= i; }
    friend __device__ __forceinline__ long long operator-(const at& a, const at& b) { return a.position - b.position; }
    friend __device__ __forceinline__ bool operator==(const at& a, const at& b) { return a.position == b.position; }
    friend __device__ __forceinline__ bool operator!=(const at& a, const at& b) { return a.position != b.position; }
};
}
)";

struct ScalarName {
    TypeKind kind;
    const char* name;
};
constexpr std::array<ScalarName, 17> scalar_names{{
    {TypeKind::boolean, "bool"},
    {TypeKind::int8, "signed char"},
    {TypeKind::int16, "short"},
    {TypeKind::int32, "int"},
    {TypeKind::int64, "long long"},
    {TypeKind::uint8, "unsigned char"},
    {TypeKind::uint16, "unsigned short"},
    {TypeKind::uint32, "unsigned int"},
    {TypeKind::uint64, "unsigned long long"},
    {TypeKind::float16, "__half"},
    {TypeKind::bfloat16, "__nv_bfloat16"},
    {TypeKind::float32, "float"},
    {TypeKind::float64, "double"},
    {TypeKind::complex64, "::cuda::std::complex<float>"},
    {TypeKind::complex128, "::cuda::std::complex<double>"},
    {TypeKind::int128, "__int128"},
    {TypeKind::uint128, "unsigned __int128"},
}};
static_assert(has_a_row_for_each(scalar_names, TypeKind::uint128));

struct Functor {
    OpKind kind;
    const char* name;
};
constexpr std::array<Functor, 22> known_functors{{
    {OpKind::plus, "::cuda::std::plus<>"},
    {OpKind::minus, "::cuda::std::minus<>"},
    {OpKind::multiplies, "::cuda::std::multiplies<>"},
    {OpKind::divides, "::cuda::std::divides<>"},
    {OpKind::modulus, "::cuda::std::modulus<>"},
    {OpKind::minimum, "::cuda::minimum<>"},
    {OpKind::maximum, "::cuda::maximum<>"},
    {OpKind::bit_and, "::cuda::std::bit_and<>"},
    {OpKind::bit_or, "::cuda::std::bit_or<>"},
    {OpKind::bit_xor, "::cuda::std::bit_xor<>"},
    {OpKind::logical_and, "::cuda::std::logical_and<>"},
    {OpKind::logical_or, "::cuda::std::logical_or<>"},
    {OpKind::equal_to, "::cuda::std::equal_to<>"},
    {OpKind::not_equal_to, "::cuda::std::not_equal_to<>"},
    {OpKind::less, "::cuda::std::less<>"},
    {OpKind::less_equal, "::cuda::std::less_equal<>"},
    {OpKind::greater, "::cuda::std::greater<>"},
    {OpKind::greater_equal, "::cuda::std::greater_equal<>"},
    {OpKind::identity, "::cuda::std::identity"},
    {OpKind::negate, "::cuda::std::negate<>"},
    {OpKind::logical_not, "::cuda::std::logical_not<>"},
    {OpKind::bit_not, "::cuda::std::bit_not<>"},
}};
static_assert(has_a_row_for_each(known_functors, OpKind::bit_not));
constexpr auto first_unary = static_cast<size_t>(OpKind::identity);

constexpr std::array<const char*, Operator::max_operands> operand_names{"a", "b", "c", "d", "e", "f", "g", "h"};

size_t operand_count(OpKind kind) {
    return static_cast<size_t>(kind) < first_unary ? 2 : 1;
}

// "a + b" of three operands is an expression that does not use the third.
bool is_expression(const Operator& op, size_t operands) {
    return !op.kind() || (operand_count(*op.kind()) < operands && !op.expression().empty());
}

std::string known_functor(const Operator& op, const std::vector<Type>& operands, std::string_view role) {
    const auto index = static_cast<size_t>(*op.kind());
    const std::string object = std::string(role) + " '" + op.text() + "'";
    const size_t arity = operand_count(*op.kind());
    if (arity != operands.size()) {
        throw InvalidArgument("building an algorithm", object,
                              "it takes " + std::to_string(arity) + " operand(s), expected an operator of " +
                                  std::to_string(operands.size()));
    }
    for (const Type& operand : operands) {
        if (operand.is_structure() && *op.kind() != OpKind::identity) {
            throw InvalidArgument(
                "building an algorithm", object, "it is not defined for the struct '" + operand.name() + "'",
                "give it as text over the fields, such as \"" + operand.name() + "{a." + operand.fields().front().name +
                    " + b." + operand.fields().front().name + ", ...}\"");
        }
    }
    return known_functors[index].name;
}

void check_compared(const Operator& op, const std::vector<Type>& operands) {
    const FieldComparison* const comparison = op.field_comparison();
    if (comparison == nullptr) return;
    for (const Type& operand : operands) {
        if (operand == comparison->type) continue;
        throw InvalidArgument("building an algorithm", "comparison by the fields " + comparison->fields,
                              "it is of " + comparison->type.text() + ", and the elements are " + operand.text());
    }
}

// CCCL 3.2 has renamed its kernels' headers.
std::string include_lines(std::string_view header) {
    constexpr std::string_view kernels = "cub/device/dispatch/kernels/";
    std::string line = "#include <" + std::string(header) + ">\n";
    if (!header.starts_with(kernels)) return line;
    return "#if CCCL_VERSION >= 3002000\n#include <" + std::string(kernels) + "kernel_" +
           std::string(header.substr(kernels.size())) + ">\n#else\n" + line + "#endif\n";
}

bool is_body(const std::string& text) {
    // A `return` as a word of its own.
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    constexpr std::string_view word = "return";
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const bool begins = at == 0 || !is_word(text[at - 1]);
        const bool ends = at + word.size() == text.size() || !is_word(text[at + word.size()]);
        if (begins && ends) return true;
    }
    return false;
}

}  // namespace

std::string common_includes() {
    std::string text(preamble);
    // More of CUB's headers would make a precompiled header that takes as long to load as they take to read.
    for (const std::string_view header : {"cub/block/block_load.cuh", "cub/block/block_reduce.cuh",
                                          "cub/block/block_scan.cuh", "cub/block/block_store.cuh"})
        text += include_lines(header);
    return text;
}

SourceBuilder::SourceBuilder(std::initializer_list<std::string_view> headers) {
    for (const std::string_view header : headers)
        include(header);
    text_ += prelude;
}

std::string SourceBuilder::text() const {
    // Some 30 ms of NVRTC's, which only those who use it have.
    const bool has_complex = text_.find("std::complex") != std::string::npos;
    return std::string(preamble) + (has_complex ? "#include <cuda/std/complex>\n" : "") + text_;
}

void SourceBuilder::include(std::string_view header) {
    text_ += include_lines(header);
}

std::string SourceBuilder::type(const Type& type) {
    if (!type.is_structure()) return scalar_names[static_cast<size_t>(type.kind())].name;
    declare_structure(type);
    return type.name();
}

void SourceBuilder::declare_structure(const Type& type) {
    for (const Type& known : declared_) {
        if (known == type) return;
        if (known.name() == type.name()) {
            throw InvalidArgument(
                "building an algorithm", "struct '" + type.name() + "'",
                "there are two different structs of that name: " + known.text() + " and " + type.text());
        }
    }
    const std::string members = this->members(type);
    declared_.push_back(type);
    text_ += "struct alignas(" + std::to_string(type.alignment()) + ") " + type.name() + " {\n" + members + "};\n";
    text_ += "static_assert(sizeof(" + type.name() + ") == " + std::to_string(type.size()) + ", \"the size of '" +
             type.name() + "' is another on the device\");\n";
}

// The fields at their offsets. Unnamed bit-fields fill the gaps that alignment does not make: they are no members, so
// that Name{first, second} initialises the fields.
std::string SourceBuilder::members(const Type& structure) {
    std::string text;
    uint64_t end = 0;
    const auto fill_up_to = [&](uint64_t offset) {
        for (; end < offset; ++end)
            text += "    unsigned char : 8;\n";
    };
    for (const Type::Field& field : structure.fields()) {
        if (align_up(end, field.type.alignment()) != field.offset) fill_up_to(field.offset);
        text += "    " + type(field.type) + ' ' + field.name + ";\n";
        end = field.offset + field.type.size();
    }
    if (align_up(end, structure.alignment()) != structure.size()) fill_up_to(structure.size());
    return text;
}

std::string SourceBuilder::op(const Operator& op, const std::vector<Type>& operands, const Type& result,
                              std::string_view role) {
    if (!is_expression(op, operands.size())) return known_functor(op, operands, role);
    if (op.compiled_function() != nullptr) return compiled_functor(op, operands, result);
    check_compared(op, operands);
    const std::string& text = op.expression();
    if (!has_arithmetic_ && text.find(arithmetic_namespace) != std::string::npos) {
        text_ += arithmetic_text();
        has_arithmetic_ = true;
    }
    std::string parameters;
    for (size_t i = 0; i < operands.size(); ++i) {
        parameters += (i == 0 ? "const " : ", const ") + type(operands[i]) + "& " + operand_names[i];
    }
    const std::string result_name = type(result);
    std::string members;
    std::string alignment;
    if (op.state()) {
        const Type& state = op.state()->type();
        alignment = "alignas(" + std::to_string(state.alignment()) + ") ";
        members = this->members(state);
    }
    const std::string name = "cuprum_operator_" + std::to_string(operators_++);
    const std::string call_site = "#line 1 \"" + std::string(role) + "\"\n" + text + "\n#line 1 \"generated\"\n";
    text_ += "struct " + alignment + name + " {\n" + members + "    __device__ __forceinline__ " + result_name +
             " operator()(" + parameters + ") const {\n";
    text_ += is_body(text) ? call_site : "    return static_cast<" + result_name + ">(\n" + call_site + "    );\n";
    text_ += "    }\n};\n";
    if (op.state()) {
        text_ += "static_assert(sizeof(" + name + ") == " + std::to_string(op.state()->type().size()) +
                 ", \"the operator's state has another size on the device\");\n";
    }
    return name;
}

// Calls the function with copies, which it may change.
std::string SourceBuilder::compiled_functor(const Operator& op, const std::vector<Type>& operands, const Type& result) {
    const CompiledFunction& function = *op.compiled_function();
    const bool by_pointer = function.passing == Passing::pointers;
    const std::string result_name = type(result);
    std::string parameters, taken, copies, given;
    const auto add = [](std::string& list, const std::string& item) { list += (list.empty() ? "" : ", ") + item; };
    std::string members, alignment;
    const std::string name = "cuprum_operator_" + std::to_string(operators_++);
    if (op.state()) {
        alignment = "alignas(" + std::to_string(op.state()->type().alignment()) + ") ";
        members = this->members(op.state()->type());
        add(taken, "void*");
        copies += "        " + name + " state = *this;\n";
        add(given, "&state");
    }
    for (size_t i = 0; i < operands.size(); ++i) {
        const std::string operand = type(operands[i]);
        add(parameters, operand + " " + operand_names[i]);
        add(taken, by_pointer ? "void*" : operand);
        add(given, std::string(by_pointer ? "&" : "") + operand_names[i]);
    }
    std::string call = "        return " + function.name + "(" + given + ");\n";
    if (by_pointer) {
        add(taken, "void*");
        call = "        " + result_name + " result;\n        " + function.name + "(" + given +
               ", &result);\n        return result;\n";
    }
    text_ +=
        "extern \"C\" __device__ " + (by_pointer ? "void" : result_name) + " " + function.name + "(" + taken + ");\n";
    text_ += "struct " + alignment + name + " {\n" + members + "    __device__ __forceinline__ " + result_name +
             " operator()(" + parameters + ") const {\n" + copies + call + "    }\n};\n";
    linked_.push_back(function);
    return name;
}

void SourceBuilder::alias_for(std::string_view name, std::string_view iterator, const Operator& op) {
    if (op.kind()) {
        alias(name, iterator);
        return;
    }
    if (!fills_) line(filling_iterators);
    fills_ = true;
    alias(name, "cuprum_iterators::filling_of<" + std::string(iterator) + ">::type");
}

void SourceBuilder::alias(std::string_view name, std::string_view value) {
    text_.append("using ").append(name).append(" = ").append(value).append(";\n");
}

void SourceBuilder::line(std::string_view text) {
    text_.append(text).append("\n");
}

std::string tuning_operator(const Operator& op, const Type& accumulator, const std::string& functor) {
    const bool is_number = !accumulator.is_structure() && !accumulator.is_complex();
    return !op.kind() && is_number ? "::cuda::std::plus<>" : functor;
}

}  // namespace cuprum::parallel
