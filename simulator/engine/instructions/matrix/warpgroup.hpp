// What the decoder tells wgmma.mma_async.
#pragma once

#include <cstdint>

#include "engine/instructions/matrix/matrix.hpp"

namespace cuprum::simulator::matrix {

// Instruction::immediate: the columns of B and D. operand[0]: A's descriptor, [1]: B's, [2]: the predicate: whether D
// is added to. Instruction::aux:
namespace warpgroup_aux {
inline constexpr uint32_t a_in_registers = 1;  // on the stage, else operand[0]
inline constexpr uint32_t negates_a = 2;
inline constexpr uint32_t negates_b = 4;
inline constexpr uint32_t transposes_a = 8;  // it lies with its rows' neighbours, not with k's, side by side
inline constexpr uint32_t transposes_b = 16;
inline constexpr uint32_t saturates = 32;
inline constexpr uint32_t negates_predicate = 64;
inline constexpr unsigned a_shift = 8, b_shift = 12, d_shift = 16;  // 4 bits each: Element
}  // namespace warpgroup_aux

inline constexpr uint32_t warpgroup_warps = 4;
inline constexpr uint32_t warp_rows = 16;    // of the 64 of A and D, what a warp has
inline constexpr uint32_t depth_bytes = 32;  // of a row of A, or a column of B: what one instruction multiplies
inline constexpr uint32_t most_columns = 256;

// The sizes of A for a warp, whose registers are as mma's.
constexpr Shape warp_shape(Element element) {
    return {warp_rows, 8, depth_bytes * 8 / bits_of(element), {element, element, element, element}};
}

// Where an operand lies in shared memory. Source: PTX ISA 9.0, 9.7.15.5.1.2.
struct Descriptor {
    uint32_t start = 0;  // all in bytes
    uint32_t leading = 0, stride = 0;
    uint32_t base_offset = 0;
    uint32_t span = 0;  // of the swizzle, 0 without

    static constexpr Descriptor unpack(uint64_t bits) {
        constexpr uint32_t spans[] = {0, 128, 64, 32};
        Descriptor descriptor;
        descriptor.start = static_cast<uint32_t>(bits & 0x3fff) << 4;
        descriptor.leading = static_cast<uint32_t>(bits >> 16 & 0x3fff) << 4;
        descriptor.stride = static_cast<uint32_t>(bits >> 32 & 0x3fff) << 4;
        descriptor.base_offset = bits >> 49 & 7;
        descriptor.span = spans[bits >> 62];
        return descriptor;
    }
    // Chunks of 16 bytes change places by the address.
    constexpr uint32_t swizzled(uint32_t address) const {
        return span == 0 ? address : address ^ (address >> 3 & (span - 16));
    }
    // Of 16 bytes along k; `line`: the row of A, the column of B. Eight lines lie together.
    constexpr uint32_t along_depth(uint32_t line, uint32_t chunk) const {
        const uint32_t pitch = span == 0 ? 16 : span, next = span == 0 ? leading : 16;
        return swizzled(start + line % 8 * pitch + line / 8 * stride + chunk * next);
    }
    // Of 16 bytes along the lines, at one k: those of an operand that is transposed.
    constexpr uint32_t along_lines(uint32_t chunk, uint32_t depth) const {
        if (span == 0) return start + chunk * stride + depth % 8 * 16 + depth / 8 * leading;
        const uint32_t together = span / 16;
        return swizzled(start + chunk % together * 16 + chunk / together * leading + depth % 8 * span +
                        depth / 8 * stride);
    }
};

}  // namespace cuprum::simulator::matrix
