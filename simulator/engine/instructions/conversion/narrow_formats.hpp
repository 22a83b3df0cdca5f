// Floating-point formats of 4 to 8 bits, and roundings to them. Part of the sources that are compiled once per
// instruction set; written without branches, so that loops over lanes become vector code. Source: PTX ISA 9.2, 5.2.3
// and 9.7.9.22; the OCP's specifications of 8-bit floating point and of microscaling formats.
#pragma once

#include <algorithm>

#include "engine/instructions/half/half.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {

// `largest` and `nan` are bits without the sign. Of the formats that have no NaN it is the largest number, as
// .satfinite asks. A number takes `slot` bits of a register, of which those above `width` are 0.
struct E4m3 {
    static constexpr int fraction_bits = 3, bias = 7, width = 8, slot = 8;
    static constexpr uint32_t largest = 0x7e, nan = 0x7f;
    static constexpr bool has_nan = true;
};
struct E5m2 {  // the upper half of an f16
    static constexpr int fraction_bits = 2, bias = 15, width = 8, slot = 8;
    static constexpr uint32_t largest = 0x7b, nan = 0x7f;
    static constexpr bool has_nan = true;
};
struct E2m3 {
    static constexpr int fraction_bits = 3, bias = 1, width = 6, slot = 8;
    static constexpr uint32_t largest = 0x1f, nan = largest;
    static constexpr bool has_nan = false;
};
struct E3m2 {
    static constexpr int fraction_bits = 2, bias = 3, width = 6, slot = 8;
    static constexpr uint32_t largest = 0x1f, nan = largest;
    static constexpr bool has_nan = false;
};
struct E2m1 {
    static constexpr int fraction_bits = 1, bias = 1, width = 4, slot = 4;
    static constexpr uint32_t largest = 0x7, nan = largest;
    static constexpr bool has_nan = false;
};

template <class F>
inline constexpr int dropped_bits = 23 - F::fraction_bits;  // of a float's significand, where the result is normal

template <class F>
constexpr float smallest_subnormal() {
    float step = 1;
    for (int k = 0; k < F::bias - 1 + F::fraction_bits; ++k)
        step /= 2;
    return step;
}

// The bits of a magnitude with the sign, NaN and .relu of the float that it comes from.
template <class F>
inline __attribute__((always_inline)) uint32_t with_sign(uint32_t encoded, uint32_t bits, bool relu) {
    const uint32_t magnitude = std::min(encoded, F::largest);
    const uint32_t negative = bits >> 31;
    const uint32_t number = relu && negative != 0 ? 0 : magnitude | negative << (F::width - 1);
    return (bits & 0x7fffffff) > 0x7f800000 ? F::nan : number;
}

// To nearest, ties to even. What is larger than the largest number becomes that (.satfinite).
template <class F>
inline __attribute__((always_inline)) uint32_t to_narrow(float value, bool relu) {
    constexpr int dropped = dropped_bits<F>;
    const uint32_t bits = float_bits(value), magnitude = bits & 0x7fffffff;
    const uint32_t rounded = (magnitude + (1u << (dropped - 1)) - 1 + (magnitude >> dropped & 1)) >> dropped;
    const uint32_t normal = rounded - (static_cast<uint32_t>(127 - F::bias) << F::fraction_bits);
    // A subnormal result is a multiple of the smallest: added to a float whose last place that is, it is rounded so.
    constexpr float anchor = smallest_subnormal<F>() * 0x1p23f;
    const uint32_t subnormal = float_bits(bits_float(magnitude) + anchor) - float_bits(anchor);
    constexpr uint32_t first_normal = static_cast<uint32_t>(128 - F::bias) << 23;
    return with_sign<F>(magnitude < first_normal ? subnormal : normal, bits, relu);
}

// .rs: `random`, of so many bits, is added to as many of the discarded bits, the uppermost; a carry rounds away from
// zero. The result has no sign and is not bounded.
template <int FractionBits, int Bias, int RandomBits>
inline __attribute__((always_inline)) uint32_t to_stochastic(uint32_t magnitude, uint32_t random) {
    const auto held = static_cast<int32_t>(magnitude >> 23);
    const int32_t exponent = std::max(held, 1);
    const uint32_t significand = (magnitude & 0x7fffff) | (held != 0 ? 0x800000u : 0u);
    constexpr int32_t first_normal = 128 - Bias;
    const int32_t above = std::max(exponent - first_normal, 0), below = std::max(first_normal - exponent, 0);
    const int32_t unused =
        std::min(23 - FractionBits - RandomBits + below, 31);  // discarded bits under the random ones
    const uint32_t kept = ((significand >> unused) + random) >> RandomBits;
    return (static_cast<uint32_t>(above) << FractionBits) + kept;
}
template <class F>
inline __attribute__((always_inline)) uint32_t to_narrow_stochastic(float value, uint32_t random, bool relu) {
    const uint32_t bits = float_bits(value);
    return with_sign<F>(to_stochastic<F::fraction_bits, F::bias, 16>(bits & 0x7fffffff, random), bits, relu);
}

template <class F>
inline __attribute__((always_inline)) bool is_narrow_nan(uint32_t magnitude) {
    if constexpr (F::bias == 15) return magnitude > 0x7c;
    return F::has_nan && magnitude == F::nan;
}

// Exact; a NaN is left to the caller, and so is the infinity of e5m2.
template <class F>
inline __attribute__((always_inline)) float from_narrow(uint32_t bits) {
    const uint32_t magnitude = bits & ((1u << (F::width - 1)) - 1);
    const float normal = bits_float((magnitude << dropped_bits<F>)+(static_cast<uint32_t>(127 - F::bias) << 23));
    const float subnormal = static_cast<float>(static_cast<int32_t>(magnitude)) * smallest_subnormal<F>();
    const float value = magnitude < (1u << F::fraction_bits) ? subnormal : normal;
    return bits_float(float_bits(value) | (bits >> (F::width - 1) & 1) << 31);
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
