#include "cuprum/parallel/operator.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "arithmetic.hpp"
#include "cuprum/core/linker.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "key_bits.hpp"
#include "key_fields.hpp"
#include "table_by_kind.hpp"

namespace cuprum::parallel {

struct Operator::Code {
    std::optional<OpKind> kind;
    std::string text;
    std::optional<CompiledFunction> function;
    std::optional<FieldComparison> comparison{};
    std::string expression{};  // as which a well-known operator was given
};

namespace {

struct Known {
    OpKind kind;
    std::string_view name;
    std::string_view expression;  // without blanks; empty for none
    std::string_view mirrored;    // the same with the operands exchanged, where that is the same operator
};

constexpr std::array<Known, 22> known_operators{{
    {OpKind::plus, "plus", "a+b", "b+a"},
    {OpKind::minus, "minus", "a-b", ""},
    {OpKind::multiplies, "multiplies", "a*b", "b*a"},
    {OpKind::divides, "divides", "a/b", ""},
    {OpKind::modulus, "modulus", "a%b", ""},
    {OpKind::minimum, "minimum", "", ""},
    {OpKind::maximum, "maximum", "", ""},
    {OpKind::bit_and, "bit_and", "a&b", "b&a"},
    {OpKind::bit_or, "bit_or", "a|b", "b|a"},
    {OpKind::bit_xor, "bit_xor", "a^b", "b^a"},
    {OpKind::logical_and, "logical_and", "a&&b", "b&&a"},
    {OpKind::logical_or, "logical_or", "a||b", "b||a"},
    {OpKind::equal_to, "equal_to", "a==b", "b==a"},
    {OpKind::not_equal_to, "not_equal_to", "a!=b", "b!=a"},
    {OpKind::less, "less", "a<b", "b>a"},
    {OpKind::less_equal, "less_equal", "a<=b", "b>=a"},
    {OpKind::greater, "greater", "a>b", "b<a"},
    {OpKind::greater_equal, "greater_equal", "a>=b", "b<=a"},
    {OpKind::identity, "identity", "a", ""},
    {OpKind::negate, "negate", "-a", ""},
    {OpKind::logical_not, "logical_not", "!a", ""},
    {OpKind::bit_not, "bit_not", "~a", ""},
}};
static_assert(has_a_row_for_each(known_operators, OpKind::bit_not));

// The text without blanks and without the parentheses around all of it.
std::string squeezed(std::string_view text) {
    std::string result;
    std::copy_if(text.begin(), text.end(), std::back_inserter(result),
                 [](char c) { return std::isspace(static_cast<unsigned char>(c)) == 0; });
    while (result.size() > 2 && result.front() == '(' && result.find(')') == result.size() - 1)
        result = result.substr(1, result.size() - 2);
    return result;
}

std::optional<OpKind> recognise(std::string_view text) {
    const std::string plain = squeezed(text);
    for (const Known& known : known_operators) {
        if (plain == known.name || (!known.expression.empty() && plain == known.expression) ||
            (!known.mirrored.empty() && plain == known.mirrored)) {
            return known.kind;
        }
    }
    return std::nullopt;
}

constexpr const char* operation = "making an operator";

void require_state_is_structure(const std::string& text, const Value& state) {
    if (state.type().is_structure()) return;
    throw InvalidArgument(
        operation, "operator '" + text + "'",
        "its state is of type " + state.type().name() + ", expected a struct: the text sees its fields by their names");
}

bool is_identifier(std::string_view name) {
    const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    const auto is_part = [&](char c) { return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; };
    return !name.empty() && is_letter(name.front()) && std::all_of(name.begin(), name.end(), is_part);
}

// A linker looks at what it is given, without linking; the architecture says nothing then.
void check_code(const std::string& name, const core::ObjectCode& code) {
    try {
        core::Linker({code}, {.name = name, .arch = "sm_80"});
    } catch (const InvalidArgument& error) {
        ErrorInfo info = error.info();
        info.operation = operation;
        info.object = "operator '" + name + "'";
        throw InvalidArgument(std::move(info));
    }
}

bool is_same(const std::optional<CompiledFunction>& left, const std::optional<CompiledFunction>& right) {
    if (!left || !right) return left.has_value() == right.has_value();
    return left->passing == right->passing &&
           std::equal(left->codes.begin(), left->codes.end(), right->codes.begin(), right->codes.end(),
                      [](const core::ObjectCode& a, const core::ObjectCode& b) {
                          return a.code_type() == b.code_type() && a.code() == b.code();
                      });
}

// A number of the operand as one whose order `<` has, which is that of a radix sort.
std::string in_order(const KeyField& field, const char* operand) {
    std::string number = operand + field.path;
    if (!is_float_kind(field.type.kind())) return number;
    return std::string(arithmetic_namespace) + "ordered<" + bits_of(field.type.size()) + ">(" + number + ')';
}

}  // namespace

std::string_view to_string(OpKind kind) {
    const auto index = static_cast<size_t>(kind);
    return index < known_operators.size() ? known_operators[index].name : "unknown";
}

Operator::Operator(OpKind kind) {
    if (static_cast<size_t>(kind) >= known_operators.size()) {
        throw InvalidArgument(operation, "operator " + std::to_string(static_cast<int>(kind)),
                              "no well-known operator has that number");
    }
    static const auto codes = [] {
        std::array<std::shared_ptr<const Code>, known_operators.size()> all;
        for (size_t i = 0; i < all.size(); ++i) {
            all[i] = std::make_shared<const Code>(
                Code{known_operators[i].kind, std::string(known_operators[i].name), std::nullopt});
        }
        return all;
    }();
    code_ = codes[static_cast<size_t>(kind)];
}

Operator::Operator(std::string text) {
    if (const std::optional<OpKind> kind = recognise(text)) {
        *this = Operator(*kind);
        if (squeezed(text) == code_->text) return;
        code_ = std::make_shared<const Code>(Code{kind, code_->text, std::nullopt, std::nullopt, std::move(text)});
        return;
    }
    if (squeezed(text).empty()) {
        throw InvalidArgument(operation, "operator", "its text is empty",
                              "give an expression of a and b, such as \"a + b\"");
    }
    if (text.find('\0') != std::string::npos) {
        throw InvalidArgument(operation, "operator", "its text has a NUL character");
    }
    code_ = std::make_shared<const Code>(Code{std::nullopt, std::move(text), std::nullopt});
}

Operator::Operator(std::string text, Value state) : Operator(std::move(text)) {
    require_state_is_structure(code_->text, state);
    state_ = std::move(state);
}

Operator Operator::compiled(const std::string& name, const core::ObjectCode& code, Passing passing,
                            std::optional<Value> state) {
    if (!is_identifier(name)) {
        throw InvalidArgument(operation, "operator '" + name + "'", "no device function can have that name",
                              "give the name that the function has in its code: declare it extern \"C\"");
    }
    if (state) {
        require_state_is_structure(name, *state);
        if (passing == Passing::values) {
            throw InvalidArgument(operation, "operator '" + name + "'",
                                  "it has a state, and takes its operands by value", "take pointers to them");
        }
    }
    check_code(name, code);
    Operator made(OpKind::plus);
    made.code_ = std::make_shared<const Code>(Code{std::nullopt, name, CompiledFunction{name, {code}, passing}});
    made.state_ = std::move(state);
    return made;
}

Operator Operator::by_fields(const Type& type, std::string_view fields) {
    std::string text;
    int number = 0;
    for (const KeyField& field : chosen_fields("making a comparison by fields", type, fields)) {
        const std::string a = "first_" + std::to_string(number), b = "second_" + std::to_string(number);
        ++number;
        text += "const auto " + a + " = " + in_order(field, "a") + ", " + b + " = " + in_order(field, "b") + ";\n";
        text += "if (" + a + " != " + b + ") return " + a + (field.order == SortOrder::ascending ? " < " : " > ") + b +
                ";\n";
    }
    Operator made(OpKind::less);
    made.code_ = std::make_shared<const Code>(
        Code{std::nullopt, text + "return false;", std::nullopt, FieldComparison{type, std::string(fields)}});
    return made;
}

const FieldComparison* Operator::field_comparison() const {
    return code_->comparison ? &*code_->comparison : nullptr;
}

Operator Operator::with_code(const core::ObjectCode& more) const {
    if (!code_->function) {
        throw InvalidArgument(operation, "operator '" + code_->text + "'",
                              "it was not compiled elsewhere: no code is linked to it");
    }
    check_code(code_->text, more);
    Code code = *code_;
    code.function->codes.push_back(more);
    Operator made = *this;
    made.code_ = std::make_shared<const Code>(std::move(code));
    return made;
}

const CompiledFunction* Operator::compiled_function() const {
    return code_->function ? &*code_->function : nullptr;
}

Operator Operator::with_state(Value state) const {
    if (!state_ || state_->type() != state.type()) {
        throw InvalidArgument("binding an operator's state", "operator '" + code_->text + "'",
                              "the given state is of type " + state.type().text() + ", the operator has " +
                                  (state_ ? "one of type " + state_->type().text() : "none"));
    }
    Operator bound = *this;
    bound.state_ = std::move(state);
    return bound;
}

std::optional<OpKind> Operator::kind() const {
    return code_->kind;
}
const std::string& Operator::text() const {
    return code_->text;
}
const std::string& Operator::expression() const {
    return code_->kind ? code_->expression : code_->text;
}

bool Operator::has_code_of(const Operator& other) const {
    if (state_.has_value() != other.state_.has_value()) return false;
    if (state_ && state_->type() != other.state_->type()) return false;
    return code_ == other.code_ || (code_->kind == other.code_->kind && code_->text == other.code_->text &&
                                    is_same(code_->function, other.code_->function));
}

}  // namespace cuprum::parallel
