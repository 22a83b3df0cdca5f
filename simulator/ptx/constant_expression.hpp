// Literals and constant expressions.
//
// Source: PTX ISA 9.0, sections 4.5 (constants) and 4.5.4-4.5.6 (integer and floating-point constant expressions).
#pragma once

#include <cstdint>

#include "ptx/token_stream.hpp"

namespace cuprum::simulator::ptx {

struct ConstantValue {
    enum class Type : uint8_t {
        s64,
        u64,
        f32,  // a 0f literal, which cannot be part of an expression
        f64,
    };
    Type type = Type::s64;
    uint64_t bits = 0;

    bool is_integer() const { return type == Type::s64 || type == Type::u64; }
    static ConstantValue from_double(double value);
    double to_double() const;  // of f32 and f64
};

// Whether the token can begin a constant expression. (A parenthesis can, but begins other things as well.)
bool begins_constant(const Token& token);

// The value of the literal; throws SyntaxError if the token is none, or its value does not fit.
ConstantValue literal_value(const Token& token);

// Parses and evaluates. Integers wrap around at 64 bits as the ISA says. Throws SyntaxError on a division by zero, on
// mixed operands no operator takes, and on expressions nested too deeply.
ConstantValue parse_constant_expression(TokenStream& tokens);

// The same for a place that needs an integer; `what` names it in the message.
ConstantValue parse_integer_expression(TokenStream& tokens, std::string_view what);

// An integer in [0, maximum]; `what` names it in the message.
uint64_t parse_count(TokenStream& tokens, std::string_view what, uint64_t maximum);

}  // namespace cuprum::simulator::ptx
