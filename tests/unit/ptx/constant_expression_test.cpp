#include "ptx/constant_expression.hpp"

#include <gtest/gtest.h>

#include <string>

namespace cuprum::simulator::ptx {
namespace {

ConstantValue value_of(std::string_view text) {
    TokenStream tokens(text);
    const ConstantValue value = parse_constant_expression(tokens);
    EXPECT_TRUE(tokens.at_end()) << text;
    return value;
}

int64_t integer(std::string_view text) {
    const ConstantValue value = value_of(text);
    EXPECT_TRUE(value.is_integer()) << text;
    return static_cast<int64_t>(value.bits);
}

std::string error_of(const std::string& text) {
    try {
        TokenStream tokens(text);
        parse_constant_expression(tokens);
    } catch (const SyntaxError& error) {
        return error.message;
    }
    return "";
}

TEST(ConstantExpression, ReadsIntegersOfEveryBase) {
    EXPECT_EQ(integer("42"), 42);
    EXPECT_EQ(integer("0x2a"), 42);
    EXPECT_EQ(integer("0X2AU"), 42);
    EXPECT_EQ(integer("052"), 42);
    EXPECT_EQ(integer("0b101010"), 42);
    EXPECT_EQ(integer("0"), 0);
    EXPECT_EQ(integer("WARP_SZ"), 32);
}

TEST(ConstantExpression, MakesAnIntegerUnsignedThatHasASuffixOrFitsNoSignedOne) {
    EXPECT_EQ(value_of("1").type, ConstantValue::Type::s64);
    EXPECT_EQ(value_of("1U").type, ConstantValue::Type::u64);
    EXPECT_EQ(value_of("9223372036854775807").type, ConstantValue::Type::s64);
    EXPECT_EQ(value_of("9223372036854775808").type, ConstantValue::Type::u64);
    EXPECT_EQ(value_of("0xffffffffffffffff").bits, ~uint64_t{0});
}

TEST(ConstantExpression, RejectsIntegersThatDoNotFitOrHaveWrongDigits) {
    EXPECT_EQ(error_of("18446744073709551616"), "the integer '18446744073709551616' does not fit in 64 bits");
    EXPECT_EQ(error_of("08"), "'08' is not an integer of base 8");
    EXPECT_EQ(error_of("0x"), "'0x' is not an integer of base 16");
    EXPECT_EQ(error_of("12ab"), "'12ab' is not an integer of base 10");
}

TEST(ConstantExpression, BindsOperatorsAsInC) {
    EXPECT_EQ(integer("1 + 2 * 3"), 7);
    EXPECT_EQ(integer("(1 + 2) * 3"), 9);
    EXPECT_EQ(integer("10 - 3 - 2"), 5);
    EXPECT_EQ(integer("1 << 2 + 1"), 8);
    EXPECT_EQ(integer("1 | 6 & 4 ^ 1"), 5);
    EXPECT_EQ(integer("1 + 1 == 2 && 3 > 4 || 7 != 8"), 1);
    EXPECT_EQ(integer("-2 * -3"), 6);
    EXPECT_EQ(integer("~0 & 0xff"), 255);
    EXPECT_EQ(integer("!5 + !0"), 1);
    EXPECT_EQ(integer("7 / 2 + 7 % 4"), 6);
    EXPECT_EQ(integer("1 ? 2 : 0 ? 3 : 4"), 2);
    EXPECT_EQ(integer("0 ? 2 : 0 ? 3 : 4"), 4);
}

TEST(ConstantExpression, IsUnsignedIfAnOperandIs) {
    EXPECT_EQ(integer("-1 < 0"), 1);
    EXPECT_EQ(integer("-1 < 0U"), 0);
    EXPECT_EQ(integer("-8 / 2"), -4);
    EXPECT_EQ(integer("(.u64)-8 / 2"), 0x7ffffffffffffffc);
    EXPECT_EQ(integer("(.s64)0xffffffffffffffff < 0"), 1);
    EXPECT_EQ(integer("-8 >> 1"), -4);
    EXPECT_EQ(integer("(.u64)-8 >> 1"), 0x7ffffffffffffffc);
}

TEST(ConstantExpression, WrapsAroundInsteadOfOverflowing) {
    EXPECT_EQ(integer("0x7fffffffffffffff + 1"), INT64_MIN);
    EXPECT_EQ(integer("(.s64)0x8000000000000000 / -1"), INT64_MIN);
    EXPECT_EQ(integer("(.s64)0x8000000000000000 % -1"), 0);
    EXPECT_EQ(integer("1 << 64"), 0);
    EXPECT_EQ(integer("1 << 100000"), 0);
    EXPECT_EQ(integer("-1 >> 100"), -1);
}

TEST(ConstantExpression, RejectsADivisionByZero) {
    EXPECT_EQ(error_of("1 / 0"), "division by zero in a constant expression");
    EXPECT_EQ(error_of("1 % (2 - 2)"), "division by zero in a constant expression");
}

TEST(ConstantExpression, ReadsFloatingPointBitsExactly) {
    EXPECT_EQ(value_of("0f3F800000").type, ConstantValue::Type::f32);
    EXPECT_EQ(value_of("0f3F800000").bits, 0x3f800000u);
    EXPECT_EQ(value_of("0dBFF0000000000000").type, ConstantValue::Type::f64);
    EXPECT_EQ(value_of("0dBFF0000000000000").to_double(), -1.0);
    EXPECT_EQ(value_of("0.1").to_double(), 0.1);
    EXPECT_EQ(value_of(".5").to_double(), 0.5);
    EXPECT_EQ(value_of("-1.5e3 * 2.0 + 1.0").to_double(), -2999.0);
    EXPECT_EQ(integer("1.5 > 1.0"), 1);
}

TEST(ConstantExpression, RejectsMalformedAndMixedFloatingPointConstants) {
    EXPECT_EQ(error_of("0f3F80"), "the 0f literal '0f3F80' needs exactly 8 hexadecimal digits");
    EXPECT_EQ(error_of("0d3F800000"), "the 0d literal '0d3F800000' needs exactly 16 hexadecimal digits");
    EXPECT_EQ(error_of("0f3F80000G"), "the 0f literal '0f3F80000G' needs exactly 8 hexadecimal digits");
    EXPECT_EQ(error_of("-0f3F800000"), "the operator '-' does not take a 0f literal");
    EXPECT_EQ(error_of("1 + 1.0"), "the operator '+' takes two integers or two decimal floating-point constants");
    EXPECT_EQ(error_of("1.0 % 2.0"), "the operator '%' does not take floating-point constants");
    EXPECT_EQ(error_of("1e999"), "the number '1e999' does not fit in a double");
}

TEST(ConstantExpression, LimitsHowDeepItNests) {
    EXPECT_EQ(integer(std::string(20, '(') + "7" + std::string(20, ')')), 7);
    for (const char* repeated : {"(", "-", "1?"}) {
        std::string text;
        for (int i = 0; i < 100000; ++i) {
            text += repeated;
        }
        EXPECT_EQ(error_of(text), "the constant expression is nested more than 64 levels deep") << repeated;
    }
}

}  // namespace
}  // namespace cuprum::simulator::ptx
