// What all video instructions compute with. Source: PTX ISA 9.0, 9.7.17.
#pragma once

#include <cstdint>

#include "engine/instructions/video/video_aux.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {

// `width` bits of a value from bit `begin` on, extended by its sign or by zeros.
inline int64_t part(uint64_t value, unsigned begin, unsigned width, bool is_signed) {
    const uint64_t bits = value >> begin << (64 - width);
    return is_signed ? static_cast<int64_t>(bits) >> (64 - width) : static_cast<int64_t>(bits >> (64 - width));
}

struct RegisterPart {
    unsigned begin, width;
};
inline RegisterPart register_part(unsigned selector) {
    if (selector == 0) return {0, 32};
    if (selector <= 4) return {8 * (selector - 1), 8};
    return {16 * (selector - 5), 16};
}

inline int64_t clamp(int64_t value, unsigned width, bool is_signed) {
    const int64_t least = is_signed ? -(int64_t{1} << (width - 1)) : 0;
    const int64_t most = is_signed ? (int64_t{1} << (width - 1)) - 1 : (int64_t{1} << width) - 1;
    return value < least ? least : value > most ? most : value;
}

inline int64_t operate(const VideoControl& control, int64_t a, int64_t b) {
    switch (control.operation) {
        case VideoOperation::add:
            return a + b;
        case VideoOperation::subtract:
            return a - b;
        case VideoOperation::difference:
            return a > b ? a - b : b - a;
        case VideoOperation::minimum:
            return a < b ? a : b;
        case VideoOperation::maximum:
            return a > b ? a : b;
        case VideoOperation::average: {
            const int64_t sum = a + b;  // halves go away from zero
            return sum >= 0 ? (sum + 1) >> 1 : sum >> 1;
        }
        case VideoOperation::left:
        case VideoOperation::right: {
            const auto given = static_cast<uint32_t>(b);
            const uint32_t amount = control.has(video_flags::clamps) ? (given > 32 ? 32 : given) : (given & 31);
            return control.operation == VideoOperation::left ? static_cast<int64_t>(static_cast<uint64_t>(a) << amount)
                                                             : a >> amount;
        }
        case VideoOperation::compare: {
            const unsigned relation = a < b ? 1 : a == b ? 2 : 4;
            return (control.comparison & relation) != 0 ? 1 : 0;
        }
        default:
            return 0;
    }
}

// How far a product is shifted to the right.
inline unsigned product_shift(const VideoControl& control) {
    if (control.has(video_flags::product_by_7)) return 7;
    return control.has(video_flags::product_by_15) ? 15 : 0;
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
