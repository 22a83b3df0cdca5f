// Scalar video instructions as current GPUs have them (CUPRUM_SIM=video=gpu). Those GPUs have no such instructions:
// ptxas makes ordinary ones of them, whose results are the ISA's only while nothing leaves 32 bits and signs agree.
// Source: the code that ptxas 13.0 makes for sm_80, sm_90 and sm_100, which is the same; docs/simulator.md says
// what is known.
#pragma once

#include <cstdint>

#include "engine/instructions/video/arithmetic.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {

inline bool shifts(VideoOperation operation) {
    return operation == VideoOperation::left || operation == VideoOperation::right;
}

inline int64_t emulated_saturation(const VideoControl& control, int64_t value, unsigned width) {
    const bool is_signed = control.has(video_flags::signed_result);
    if (width < 32 && !shifts(control.operation)) {
        // A byte or half: the upper bound alone, compared without a sign, so that negative values become it too.
        const uint64_t most = (uint64_t{1} << (is_signed ? width - 1 : width)) - 1;
        return static_cast<int64_t>(static_cast<uint64_t>(value) > most ? most : static_cast<uint64_t>(value));
    }
    // Shifts are saturated to 32 bits, whatever is written of them; those to the left have 34 bits.
    if (control.operation == VideoOperation::left)
        return clamp(part(static_cast<uint64_t>(value), 0, 34, true), 32, is_signed);
    if (is_signed) return clamp(value, 32, true);
    return value < 0 ? 0 : value;  // no upper bound
}

inline uint32_t emulated_scalar(const VideoControl& control, uint32_t a, uint32_t b, uint32_t c) {
    const RegisterPart from_a = register_part(control.select_a), from_b = register_part(control.select_b);
    const RegisterPart to = register_part(control.select_result);
    const bool is_signed = control.has(video_flags::signed_result);
    const bool saturates = control.has(video_flags::saturate);
    int64_t result = operate(control, part(a, from_a.begin, from_a.width, control.has(video_flags::signed_a)),
                             part(b, from_b.begin, from_b.width, control.has(video_flags::signed_b)));
    if (saturates) result = emulated_saturation(control, result, to.width);
    // Sums, differences and saturated shifts reach the second operation as 32 bits with a sign, unsigned ones too; all
    // else as 64 bits.
    if (control.operation == VideoOperation::add || control.operation == VideoOperation::subtract ||
        (shifts(control.operation) && saturates)) {
        result = static_cast<int32_t>(result);
    }
    const int64_t other = is_signed ? static_cast<int32_t>(c) : static_cast<int64_t>(c);
    const bool less = is_signed ? result < other : static_cast<uint64_t>(result) < static_cast<uint64_t>(other);
    switch (control.second) {
        case VideoSecond::add:
            return static_cast<uint32_t>(result) + c;
        case VideoSecond::minimum:
            return static_cast<uint32_t>(less ? result : other);
        case VideoSecond::maximum:
            return static_cast<uint32_t>(less ? other : result);
        case VideoSecond::none:
            break;
    }
    if (control.select_result == 0) return static_cast<uint32_t>(result);
    const uint32_t ones = ((1u << to.width) - 1) << to.begin;
    // The upper half becomes the result's upper half; all other parts the result's lowest bits.
    const bool upper_half = to.width == 16 && to.begin == 16;
    const auto bits = static_cast<uint32_t>(result);
    return (c & ~ones) | ((upper_half ? bits : bits << to.begin) & ones);
}

// Both factors and the addend are taken as signed numbers of 32 bits, unsigned ones too.
inline uint32_t emulated_multiply_add(const VideoControl& control, uint32_t a, uint32_t b, uint32_t c) {
    const RegisterPart from_a = register_part(control.select_a), from_b = register_part(control.select_b);
    const int64_t left = static_cast<int32_t>(part(a, from_a.begin, from_a.width, control.has(video_flags::signed_a)));
    const int64_t right = static_cast<int32_t>(part(b, from_b.begin, from_b.width, control.has(video_flags::signed_b)));
    const int64_t addend = static_cast<int32_t>(c);
    const bool is_signed = control.has(video_flags::signed_a | video_flags::signed_b | video_flags::negate_product |
                                       video_flags::negate_c);
    int64_t sum = control.has(video_flags::negate_product) ? -(left * right) : left * right;  // at most 2^62
    sum += control.has(video_flags::negate_c) ? -addend : addend;
    sum += control.has(video_flags::plus_one) ? 1 : 0;
    const unsigned shift = product_shift(control);
    const int64_t result = is_signed ? sum >> shift : static_cast<int64_t>(static_cast<uint64_t>(sum) >> shift);
    return static_cast<uint32_t>(control.has(video_flags::saturate) ? clamp(result, 32, is_signed) : result);
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
