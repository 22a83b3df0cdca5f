// Operands and results as bits, and how they are written in the files of cases.
//
// An integer type takes decimal numbers (-5) and bits (0xfffb); a floating-point type takes bits, decimal or
// hexadecimal numbers that it holds exactly (1.5, -0.0, 0x1.8p-3), inf, -inf, and nan: the one NaN that instructions
// give (ISA 9.7.3), of f64 any. A pair takes bits, or `upper:lower`.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace cuprum::ptx_test {

enum class Type : uint8_t { pred, b8, b16, b32, b64, b128, f16, bf16, f16x2, bf16x2, f32x2, f32, f64 };

std::optional<Type> type_named(std::string_view name);
const char* register_type(Type type);  // that a register of it is declared with: "b32"
unsigned bytes_of(Type type);          // in a register; a predicate's value is 0 or 1 in four

struct Bits {
    uint64_t low = 0, high = 0;  // high: of b128 alone
    bool operator==(const Bits&) const = default;
};

// Throws std::runtime_error saying what is wrong with the text.
Bits parse_value(Type type, std::string_view text);
std::string format_value(Type type, Bits bits);

// A value to try: an edge case of the type as often as any other.
Bits random_value(Type type, std::mt19937_64& random);

// How far two results may lie apart; any one of the bounds that are set suffices. All zero: equal bits.
struct Tolerance {
    uint64_t ulps = 0;  // units in the last place of the expected value's type
    double absolute = 0, relative = 0;
    bool exact() const { return ulps == 0 && absolute == 0 && relative == 0; }
};
bool agrees(Type type, Bits found, Bits expected, const Tolerance& tolerance);
// Of f32, f64, f16 and bf16; infinite if one of the two is NaN or they differ in infinity.
uint64_t distance_in_ulps(Type type, Bits a, Bits b);

}  // namespace cuprum::ptx_test
