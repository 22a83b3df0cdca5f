// 16-bit floating point formats. Every function is inline and forced so, because this header is part of sources that
// are compiled for several instruction sets.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace cuprum::simulator {

inline __attribute__((always_inline)) uint32_t float_bits(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    return bits;
}
inline __attribute__((always_inline)) float bits_float(uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
}
inline __attribute__((always_inline)) uint64_t double_bits(double value) {
    uint64_t bits;
    std::memcpy(&bits, &value, 8);
    return bits;
}
inline __attribute__((always_inline)) double bits_double(uint64_t bits) {
    double value;
    std::memcpy(&value, &bits, 8);
    return value;
}

inline __attribute__((always_inline)) float half_to_float(uint16_t half) {
    const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
    const uint32_t exponent = half >> 10 & 0x1f;
    const uint32_t fraction = half & 0x3ff;
    if (exponent == 0) {
        const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
        return bits_float(float_bits(magnitude) | sign);
    }
    if (exponent == 31) return bits_float(sign | 0x7f800000u | fraction << 13);
    return bits_float(sign | (exponent + 112) << 23 | fraction << 13);
}
inline __attribute__((always_inline)) float bfloat_to_float(uint16_t value) {
    return bits_float(static_cast<uint32_t>(value) << 16);
}

enum class Rounding : uint8_t { nearest, zero, down, up };

// Rounds a double to a 16-bit format with `fraction_bits` stored bits of significand, whose smallest normal number has
// the exponent `least`. Exact for every input and mode.
inline __attribute__((always_inline)) uint16_t round_to_16(double value, int fraction_bits, int least,
                                                           Rounding rounding, bool saturate_finite) {
    const int exponent_bits = 15 - fraction_bits;
    const uint16_t sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
    const uint16_t infinity = static_cast<uint16_t>(((1 << exponent_bits) - 1) << fraction_bits);
    const uint16_t largest = static_cast<uint16_t>(infinity - 1);
    if (value != value) return 0x7fff;
    const uint64_t bits = double_bits(value) & 0x7fffffffffffffffu;
    if (bits == 0) return sign;
    const bool negative = sign != 0;
    const bool away = rounding == Rounding::up ? !negative : rounding == Rounding::down ? negative : false;
    if (bits == 0x7ff0000000000000u) return static_cast<uint16_t>(sign | (saturate_finite ? largest : infinity));
    int exponent = static_cast<int>(bits >> 52) - 1023;
    uint64_t significand = bits & 0xfffffffffffffu;
    if (exponent == -1023) {
        exponent = -1022;
    } else {
        significand |= uint64_t{1} << 52;
    }
    // Bits below the result's last place are cut: 52 - fraction_bits for a normal result, more for a subnormal one.
    int cut = 52 - fraction_bits;
    if (exponent < least) cut += least - exponent;
    uint64_t kept = 0, rest = 0, half_way = 0;
    if (cut <= 54) {
        kept = significand >> cut;
        rest = significand & ((uint64_t{1} << cut) - 1);
        half_way = uint64_t{1} << (cut - 1);
    } else {
        rest = 1;  // far below half of the smallest subnormal
        half_way = 2;
    }
    if (rounding == Rounding::nearest) {
        if (rest > half_way || (rest == half_way && (kept & 1) != 0)) ++kept;
    } else if (away && rest != 0) {
        ++kept;
    }
    uint64_t encoded = 0;
    if (exponent < least) {
        encoded = kept;  // a carry into the smallest normal number encodes itself
    } else {
        encoded = (static_cast<uint64_t>(exponent - least) << fraction_bits) + kept;
    }
    if (encoded >= infinity) {
        const bool to_infinity = rounding == Rounding::nearest || away;
        encoded = to_infinity && !saturate_finite ? infinity : largest;
    }
    return static_cast<uint16_t>(sign | encoded);
}
inline __attribute__((always_inline)) uint16_t double_to_half(double value, Rounding rounding = Rounding::nearest,
                                                              bool satfinite = false) {
    return round_to_16(value, 10, -14, rounding, satfinite);
}
inline __attribute__((always_inline)) uint16_t double_to_bfloat(double value, Rounding rounding = Rounding::nearest,
                                                                bool satfinite = false) {
    return round_to_16(value, 7, -126, rounding, satfinite);
}

}  // namespace cuprum::simulator
