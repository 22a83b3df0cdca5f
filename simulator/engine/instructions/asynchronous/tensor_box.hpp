// Which bytes of a tensor a copy moves, and where in shared memory they lie. Source: PTX ISA 9.0, 5.5; CUDA driver API,
// "Tensor Map Object Management".
#pragma once

#include <array>
#include <cstdint>

#include "engine/memory/tensor_map.hpp"

namespace cuprum::simulator {

// What an instruction asks of a map.
struct TensorPosition {
    std::array<int32_t, TensorMap::max_rank> coordinates{};  // the innermost dimension's first
    std::array<int32_t, 3> offsets{};                        // im2col: of W, H and D
};

// How a box lies in shared memory: lines of the innermost dimension, one after the other.
struct BoxShape {
    uint32_t lines = 1;
    uint32_t line_bytes = 0;
    // From line to line. With a swizzle every line has the whole span.
    uint32_t pitch = 0;

    uint32_t moved_bytes() const { return lines * line_bytes; }
    uint32_t shared_bytes() const { return lines * pitch; }
};
BoxShape shape_of(const TensorMap& map);

// The first bytes of a line that lie outside the tensor, those inside and those behind them. Sum: BoxShape::line_bytes.
struct BoxLine {
    uint32_t before = 0, inside = 0, behind = 0;
    uint64_t address = 0;  // of those inside
};

// Line after line.
class BoxWalk {
public:
    BoxWalk(const TensorMap& map, const TensorPosition& position);
    BoxLine line() const;
    void advance();

private:
    void advance_tile();
    void advance_pixel();
    bool is_tile() const { return map_.mode == TensorMapMode::tiled; }

    const TensorMap& map_;
    TensorPosition position_;
    std::array<uint32_t, TensorMap::max_rank> step_{};  // tile: how many elements of each dimension are behind
    std::array<int64_t, TensorMap::max_rank> where_{};  // the line's indices, but for an im2col's offsets
};

// Where a byte of the box lies, from where it would lie without a swizzle. Both are offsets in shared memory: the
// pattern is one of addresses.
constexpr uint64_t swizzled(uint64_t offset, TensorSwizzle swizzle) {
    switch (swizzle) {
        case TensorSwizzle::bytes_32:
            return offset ^ (offset >> 3 & 0x10);
        case TensorSwizzle::bytes_64:
            return offset ^ (offset >> 3 & 0x30);
        case TensorSwizzle::bytes_128:
            return offset ^ (offset >> 3 & 0x70);
        default:
            return offset;
    }
}

}  // namespace cuprum::simulator
