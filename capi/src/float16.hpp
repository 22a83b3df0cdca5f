#pragma once

#include <bit>
#include <cstdint>

namespace cuprum::capi {

/// A binary floating-point format of 16 bits, rounded once, to the nearest, ties to even: what goes beyond the largest
/// number by half a unit or more becomes an infinity, what is too small for a subnormal becomes a zero. NaN stays
/// (quiet) NaN.
template <int32_t exponent_bits>
constexpr uint16_t to_16_bits(double value) {
    constexpr int32_t fraction_bits = 15 - exponent_bits;
    constexpr int32_t bias = (1 << (exponent_bits - 1)) - 1;
    constexpr int32_t smallest = 1 - bias;  // the exponent of the smallest normal number
    constexpr auto infinity = static_cast<uint16_t>(((1 << exponent_bits) - 1) << fraction_bits);
    constexpr auto quiet = static_cast<uint16_t>(1 << (fraction_bits - 1));

    const auto bits = std::bit_cast<uint64_t>(value);
    const auto sign = static_cast<uint16_t>(bits >> 48 & 0x8000);
    const auto exponent = static_cast<int32_t>(bits >> 52 & 0x7FF) - 1023;
    const uint64_t fraction = bits & 0xF'FFFF'FFFF'FFFF;
    if (exponent == 1024) {
        return static_cast<uint16_t>(sign | infinity | (fraction == 0 ? 0 : quiet));
    }
    if (exponent > bias) {
        return sign | infinity;
    }
    if (exponent < smallest - fraction_bits - 1) {
        return sign;
    }
    // 53 significant bits to one more than the fraction's, or to fewer where the result is subnormal.
    const uint64_t significand = fraction | uint64_t{1} << 52;
    const int32_t shift = 52 - fraction_bits + (exponent >= smallest ? 0 : smallest - exponent);
    const uint64_t kept = significand >> shift;
    const uint64_t dropped = significand & ((uint64_t{1} << shift) - 1);
    const uint64_t half = uint64_t{1} << (shift - 1);
    const uint64_t rounded = kept + (dropped > half || (dropped == half && (kept & 1) != 0) ? 1 : 0);
    // Of a normal number `rounded` holds the implicit bit, which adds 1 to the exponent field; so does a carry.
    const uint64_t exponent_field =
        exponent >= smallest ? static_cast<uint64_t>(exponent - smallest) << fraction_bits : 0;
    return static_cast<uint16_t>(sign | (exponent_field + rounded));
}

/// IEEE 754 binary16.
constexpr uint16_t to_float16(double value) {
    return to_16_bits<5>(value);
}

/// The upper half of an IEEE 754 binary32.
constexpr uint16_t to_bfloat16(double value) {
    return to_16_bits<8>(value);
}

}  // namespace cuprum::capi
