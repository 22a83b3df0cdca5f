// The values of matrices' elements. Part of the sources that are compiled once per instruction set.
#pragma once

#include "engine/execution/lanes.hpp"
#include "engine/instructions/conversion/narrow_formats.hpp"
#include "engine/instructions/floating_point/floating.hpp"
#include "engine/instructions/matrix/matrix.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {

const Instruction* warpgroup_product(Warp& warp, const Instruction* at);  // operations_warpgroup.cpp

namespace elements {

using matrix::Element;

// 8-bit floats. e4m3 has no infinities, and one NaN of each sign.
template <int FractionBits, int Bias, bool HasInfinity>
inline float eight_to_float(uint32_t bits) {
    const uint32_t exponent = (bits & 0x7f) >> FractionBits, fraction = bits & ((1u << FractionBits) - 1);
    constexpr uint32_t top = (1u << (7 - FractionBits)) - 1;
    const uint32_t sign = (bits & 0x80) << 24;
    if (exponent == top && (HasInfinity || fraction == (1u << FractionBits) - 1))
        return bits_float(sign | 0x7f800000u | (HasInfinity && fraction == 0 ? 0u : 0x400000u));
    const float magnitude = exponent == 0
                                ? static_cast<float>(fraction) * bits_float((127u - Bias + 1 - FractionBits) << 23)
                                : bits_float((exponent + 127 - Bias) << 23 | fraction << (23 - FractionBits));
    return bits_float(float_bits(magnitude) | sign);
}

// The value of an element, from its bits.
template <Element E>
inline auto value_of(uint64_t bits) {
    const auto word = static_cast<uint32_t>(bits);
    if constexpr (E == Element::f16)
        return half_to_float(static_cast<uint16_t>(word));
    else if constexpr (E == Element::bf16)
        return bfloat_to_float(static_cast<uint16_t>(word));
    else if constexpr (E == Element::tf32)
        return bits_float(word & 0xffffe000u);  // 19 bits count
    else if constexpr (E == Element::f32)
        return bits_float(word);
    else if constexpr (E == Element::f64)
        return bits_double(bits);
    else if constexpr (E == Element::e4m3)
        return eight_to_float<3, 7, false>(word);
    else if constexpr (E == Element::e5m2)
        return eight_to_float<2, 15, true>(word);
    else if constexpr (E == Element::e2m3)
        return from_narrow<E2m3>(word);
    else if constexpr (E == Element::e3m2)
        return from_narrow<E3m2>(word);
    else if constexpr (E == Element::e2m1)
        return from_narrow<E2m1>(word >> 2);
    else if constexpr (E == Element::packed_e2m1)
        return from_narrow<E2m1>(word);
    else if constexpr (E == Element::s8)
        return static_cast<int32_t>(static_cast<int8_t>(word));
    else if constexpr (E == Element::s4)
        return static_cast<int32_t>(word << 28) >> 28;
    else
        return static_cast<int32_t>(word);  // u8, u4, s32
}

}  // namespace elements
}  // namespace cuprum::simulator::CUPRUM_BACKEND
