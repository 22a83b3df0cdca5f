#pragma once

#include <bit>
#include <cstdint>

namespace cuprum::capi {

/// IEEE 754 binary16, rounded once, to the nearest, ties to even: what goes beyond 65504 by half a unit or more becomes
/// an infinity, what is too small for a subnormal becomes a zero. NaN stays (quiet) NaN.
constexpr uint16_t to_float16(double value) {
    const auto bits = std::bit_cast<uint64_t>(value);
    const auto sign = static_cast<uint16_t>(bits >> 48 & 0x8000);
    const auto exponent = static_cast<int32_t>(bits >> 52 & 0x7FF) - 1023;
    const uint64_t fraction = bits & 0xF'FFFF'FFFF'FFFF;
    if (exponent == 1024) {
        return static_cast<uint16_t>(sign | (fraction == 0 ? 0x7C00 : 0x7E00));
    }
    if (exponent > 15) {
        return sign | 0x7C00;
    }
    if (exponent < -25) {
        return sign;
    }
    // 53 significant bits to 11, or to fewer where the result is subnormal (exponents below -14).
    const uint64_t significand = fraction | uint64_t{1} << 52;
    const int32_t shift = exponent >= -14 ? 42 : 42 + (-14 - exponent);
    const uint64_t kept = significand >> shift;
    const uint64_t dropped = significand & ((uint64_t{1} << shift) - 1);
    const uint64_t half = uint64_t{1} << (shift - 1);
    const uint64_t rounded = kept + (dropped > half || (dropped == half && (kept & 1) != 0) ? 1 : 0);
    // Of a normal number `rounded` holds the implicit bit, which adds 1 to the exponent field; so does a carry.
    const uint64_t exponent_field = exponent >= -14 ? static_cast<uint64_t>(exponent + 14) << 10 : 0;
    return static_cast<uint16_t>(sign | (exponent_field + rounded));
}

}  // namespace cuprum::capi
