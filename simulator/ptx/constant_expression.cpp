#include "ptx/constant_expression.hpp"

#include <bit>
#include <charconv>
#include <limits>
#include <string>

namespace cuprum::simulator::ptx {
namespace {

using Type = ConstantValue::Type;

constexpr int kMaximumDepth = 64;  // of nested parentheses, unary operators and conditionals

uint64_t hexadecimal_bits(const Token& token, size_t digits, const char* kind) {
    uint64_t bits = 0;
    const char* const begin = token.text.data() + 2;
    const char* const end = token.text.data() + token.text.size();
    const auto [stop, error] = std::from_chars(begin, end, bits, 16);
    if (static_cast<size_t>(end - begin) != digits || error != std::errc() || stop != end) {
        TokenStream::fail(token.location(), "the " + std::string(kind) + " literal " + describe(token) +
                                                " needs exactly " + std::to_string(digits) + " hexadecimal digits");
    }
    return bits;
}

ConstantValue integer_literal(const Token& token) {
    std::string_view digits = token.text;
    bool is_unsigned = false;
    if (digits.back() == 'U' || digits.back() == 'u') {
        is_unsigned = true;
        digits.remove_suffix(1);
    }
    int base = 10;
    if (digits.size() > 1 && digits[0] == '0') {
        const char second = digits[1];
        if (second == 'x' || second == 'X') {
            base = 16;
            digits.remove_prefix(2);
        } else if (second == 'b' || second == 'B') {
            base = 2;
            digits.remove_prefix(2);
        } else {
            base = 8;
            digits.remove_prefix(1);
        }
    }
    uint64_t bits = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, bits, base);
    if (error == std::errc::result_out_of_range) {
        TokenStream::fail(token.location(), "the integer " + describe(token) + " does not fit in 64 bits");
    }
    if (error != std::errc() || stop != end) {
        TokenStream::fail(token.location(), describe(token) + " is not an integer of base " + std::to_string(base));
    }
    is_unsigned = is_unsigned || bits > static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
    return {is_unsigned ? Type::u64 : Type::s64, bits};
}

ConstantValue decimal_literal(const Token& token) {
    double value = 0;
    const char* const end = token.text.data() + token.text.size();
    const auto [stop, error] = std::from_chars(token.text.data(), end, value);
    if (error == std::errc::result_out_of_range) {
        TokenStream::fail(token.location(), "the number " + describe(token) + " does not fit in a double");
    }
    if (error != std::errc() || stop != end) {
        TokenStream::fail(token.location(), describe(token) + " is not a number");
    }
    return ConstantValue::from_double(value);
}

// Precedence climbing. Binding strengths follow C, as the ISA says; larger binds tighter.
int binding_strength(const Token& token) {
    if (token.kind != Token::Kind::punctuation) {
        return 0;
    }
    switch (token.symbol) {
        case symbol_code('*'):
        case symbol_code('/'):
        case symbol_code('%'):
            return 10;
        case symbol_code('+'):
        case symbol_code('-'):
            return 9;
        case symbol_code('<', '<'):
        case symbol_code('>', '>'):
            return 8;
        case symbol_code('<'):
        case symbol_code('>'):
        case symbol_code('<', '='):
        case symbol_code('>', '='):
            return 7;
        case symbol_code('=', '='):
        case symbol_code('!', '='):
            return 6;
        case symbol_code('&'):
            return 5;
        case symbol_code('^'):
            return 4;
        case symbol_code('|'):
            return 3;
        case symbol_code('&', '&'):
            return 2;
        case symbol_code('|', '|'):
            return 1;
        default:
            return 0;
    }
}

ConstantValue truth(bool value) {
    return {Type::s64, value ? uint64_t{1} : uint64_t{0}};
}

class Evaluator {
public:
    explicit Evaluator(TokenStream& tokens) : tokens_(tokens) {}

    ConstantValue conditional() {
        const Nesting nesting(*this);
        const ConstantValue condition = binary(1);
        if (!tokens_.at('?')) {
            return condition;
        }
        const SourceLocation location = tokens_.current().location();
        tokens_.advance();
        const ConstantValue if_true = conditional();
        tokens_.expect(':', "between the alternatives of '?'");
        const ConstantValue if_false = conditional();
        if (!condition.is_integer() || if_true.type == Type::f32 || if_false.type == Type::f32 ||
            if_true.is_integer() != if_false.is_integer()) {
            TokenStream::fail(location, "'?' takes an integer condition and two alternatives of the same kind");
        }
        ConstantValue result = condition.bits != 0 ? if_true : if_false;
        if (if_true.type == Type::u64 || if_false.type == Type::u64) {
            result.type = Type::u64;
        }
        return result;
    }

private:
    class Nesting {
    public:
        explicit Nesting(Evaluator& evaluator) : evaluator_(evaluator) {
            if (++evaluator_.depth_ > kMaximumDepth) {
                TokenStream::fail(
                    evaluator_.tokens_.current().location(),
                    "the constant expression is nested more than " + std::to_string(kMaximumDepth) + " levels deep");
            }
        }
        ~Nesting() { --evaluator_.depth_; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;

    private:
        Evaluator& evaluator_;
    };

    ConstantValue binary(int weakest) {
        ConstantValue left = unary();
        for (;;) {
            const Token operation = tokens_.current();
            const int strength = binding_strength(operation);
            if (strength == 0 || strength < weakest) {
                return left;
            }
            tokens_.advance();
            left = apply(operation, left, binary(strength + 1));
        }
    }

    ConstantValue unary() {
        const Nesting nesting(*this);
        const Token token = tokens_.current();
        if (token.kind == Token::Kind::punctuation) {
            switch (token.symbol) {
                case symbol_code('+'):
                case symbol_code('-'):
                case symbol_code('~'):
                case symbol_code('!'):
                    tokens_.advance();
                    return apply_unary(token, unary());
                case symbol_code('('):
                    return parenthesised();
                default:
                    tokens_.fail_expected("a constant");
            }
        }
        if (token.kind == Token::Kind::identifier && token.text == "WARP_SZ") {
            tokens_.advance();
            return {Type::s64, 32};
        }
        const ConstantValue value = literal_value(token);
        tokens_.advance();
        return value;
    }

    // `( expression )`, or a cast: `(.s64) operand`, `(.u64) operand`.
    ConstantValue parenthesised() {
        tokens_.expect('(', "to open an expression");
        if (tokens_.current().kind == Token::Kind::dot_word) {
            const Token type = tokens_.take();
            if (type.text != ".s64" && type.text != ".u64") {
                TokenStream::fail(type.location(), "a constant can be cast to .s64 or .u64, not to " + describe(type));
            }
            tokens_.expect(')', "after the type of a cast");
            ConstantValue value = unary();
            if (!value.is_integer()) {
                TokenStream::fail(type.location(), "a cast takes an integer");
            }
            value.type = type.text == ".u64" ? Type::u64 : Type::s64;
            return value;
        }
        const ConstantValue value = conditional();
        tokens_.expect(')', "to close the expression");
        return value;
    }

    ConstantValue apply_unary(const Token& operation, ConstantValue value) {
        const bool floating = value.type == Type::f64;
        if (value.type == Type::f32 || (floating && operation.is(symbol_code('~')))) {
            TokenStream::fail(operation.location(), "the operator " + describe(operation) + " does not take a " +
                                                        (floating ? "floating-point" : "0f") + " literal");
        }
        switch (operation.symbol) {
            case symbol_code('-'):
                return floating ? ConstantValue::from_double(-value.to_double())
                                : ConstantValue{value.type, uint64_t{0} - value.bits};
            case symbol_code('~'):
                return {value.type, ~value.bits};
            case symbol_code('!'):
                return truth(floating ? value.to_double() == 0.0 : value.bits == 0);
            default:
                return value;
        }
    }

    static ConstantValue apply(const Token& operation, const ConstantValue& left, const ConstantValue& right) {
        if (left.type == Type::f64 && right.type == Type::f64) {
            return apply_floating(operation, left.to_double(), right.to_double());
        }
        if (!left.is_integer() || !right.is_integer()) {
            TokenStream::fail(operation.location(), "the operator " + describe(operation) +
                                                        " takes two integers or two decimal floating-point constants");
        }
        return apply_integer(operation, left, right);
    }

    static ConstantValue apply_integer(const Token& operation, const ConstantValue& left, const ConstantValue& right) {
        // A shift has the type of its left operand; everything else is unsigned if either operand is.
        const bool is_unsigned = left.type == Type::u64 || right.type == Type::u64;
        const Type type = is_unsigned ? Type::u64 : Type::s64;
        const uint64_t a = left.bits;
        const uint64_t b = right.bits;
        const auto signed_a = static_cast<int64_t>(a);
        const auto signed_b = static_cast<int64_t>(b);
        switch (operation.symbol) {
            case symbol_code('+'):
                return {type, a + b};
            case symbol_code('-'):
                return {type, a - b};
            case symbol_code('*'):
                return {type, a * b};
            case symbol_code('/'):
            case symbol_code('%'): {
                if (b == 0) {
                    TokenStream::fail(operation.location(), "division by zero in a constant expression");
                }
                const bool remainder = operation.is(symbol_code('%'));
                if (is_unsigned) {
                    return {type, remainder ? a % b : a / b};
                }
                if (signed_b == -1) {  // the one quotient that can overflow
                    return {type, remainder ? uint64_t{0} : uint64_t{0} - a};
                }
                return {type, static_cast<uint64_t>(remainder ? signed_a % signed_b : signed_a / signed_b)};
            }
            case symbol_code('<', '<'):
                return {left.type, b < 64 ? a << b : 0};
            case symbol_code('>', '>'):
                if (left.type == Type::s64) {
                    return {left.type, static_cast<uint64_t>(signed_a >> (b < 64 ? b : 63))};
                }
                return {left.type, b < 64 ? a >> b : 0};
            case symbol_code('<'):
                return truth(is_unsigned ? a < b : signed_a < signed_b);
            case symbol_code('>'):
                return truth(is_unsigned ? a > b : signed_a > signed_b);
            case symbol_code('<', '='):
                return truth(is_unsigned ? a <= b : signed_a <= signed_b);
            case symbol_code('>', '='):
                return truth(is_unsigned ? a >= b : signed_a >= signed_b);
            case symbol_code('=', '='):
                return truth(a == b);
            case symbol_code('!', '='):
                return truth(a != b);
            case symbol_code('&'):
                return {type, a & b};
            case symbol_code('^'):
                return {type, a ^ b};
            case symbol_code('|'):
                return {type, a | b};
            case symbol_code('&', '&'):
                return truth(a != 0 && b != 0);
            default:
                return truth(a != 0 || b != 0);
        }
    }

    static ConstantValue apply_floating(const Token& operation, double a, double b) {
        switch (operation.symbol) {
            case symbol_code('+'):
                return ConstantValue::from_double(a + b);
            case symbol_code('-'):
                return ConstantValue::from_double(a - b);
            case symbol_code('*'):
                return ConstantValue::from_double(a * b);
            case symbol_code('/'):
                return ConstantValue::from_double(a / b);
            case symbol_code('<'):
                return truth(a < b);
            case symbol_code('>'):
                return truth(a > b);
            case symbol_code('<', '='):
                return truth(a <= b);
            case symbol_code('>', '='):
                return truth(a >= b);
            case symbol_code('=', '='):
                return truth(a == b);
            case symbol_code('!', '='):
                return truth(a != b);
            default:
                TokenStream::fail(operation.location(),
                                  "the operator " + describe(operation) + " does not take floating-point constants");
        }
    }

    TokenStream& tokens_;
    int depth_ = 0;
};

}  // namespace

ConstantValue ConstantValue::from_double(double value) {
    return {Type::f64, std::bit_cast<uint64_t>(value)};
}

double ConstantValue::to_double() const {
    return type == Type::f32 ? std::bit_cast<float>(static_cast<uint32_t>(bits)) : std::bit_cast<double>(bits);
}

bool begins_constant(const Token& token) {
    switch (token.kind) {
        case Token::Kind::integer:
        case Token::Kind::float32:
        case Token::Kind::float64:
            return true;
        case Token::Kind::identifier:
            return token.text == "WARP_SZ";
        case Token::Kind::punctuation:
            return token.symbol == symbol_code('-') || token.symbol == symbol_code('+') ||
                   token.symbol == symbol_code('~') || token.symbol == symbol_code('!') ||
                   token.symbol == symbol_code('(');
        default:
            return false;
    }
}

ConstantValue literal_value(const Token& token) {
    switch (token.kind) {
        case Token::Kind::integer:
            return integer_literal(token);
        case Token::Kind::float32:
            return {Type::f32, hexadecimal_bits(token, 8, "0f")};
        case Token::Kind::float64:
            if (token.text.size() > 1 && token.text[0] == '0' && (token.text[1] == 'd' || token.text[1] == 'D')) {
                return {Type::f64, hexadecimal_bits(token, 16, "0d")};
            }
            return decimal_literal(token);
        default:
            TokenStream::fail(token.location(), "expected a constant, found " + describe(token));
    }
}

ConstantValue parse_constant_expression(TokenStream& tokens) {
    return Evaluator(tokens).conditional();
}

ConstantValue parse_integer_expression(TokenStream& tokens, std::string_view what) {
    const Token first = tokens.current();
    if (!begins_constant(first)) {
        tokens.fail_expected(what);
    }
    const ConstantValue value = parse_constant_expression(tokens);
    if (!value.is_integer()) {
        TokenStream::fail(first.location(),
                          "expected " + std::string(what) + ", an integer, found a floating-point constant");
    }
    return value;
}

uint64_t parse_count(TokenStream& tokens, std::string_view what, uint64_t maximum) {
    const SourceLocation location = tokens.current().location();
    const ConstantValue value = parse_integer_expression(tokens, what);
    const bool negative = value.type == Type::s64 && static_cast<int64_t>(value.bits) < 0;
    if (negative || value.bits > maximum) {
        const std::string found =
            negative ? std::to_string(static_cast<int64_t>(value.bits)) : std::to_string(value.bits);
        TokenStream::fail(location,
                          std::string(what) + " must be from 0 to " + std::to_string(maximum) + ", found " + found);
    }
    return value.bits;
}

}  // namespace cuprum::simulator::ptx
