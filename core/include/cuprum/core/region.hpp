// Rows of bytes at a distance from each other: a part of a matrix or of a volume.
#pragma once

#include <cstdint>

namespace cuprum::core {

// `depth` slices of `height` rows of `width` bytes each, within a buffer or host memory. A region has at least one
// byte, its rows do not overlap, and neither do its slices. All numbers but `height` and `depth` are bytes.
struct Region {
    uint64_t width = 0;        // bytes in a row
    uint64_t height = 1;       // rows in a slice
    uint64_t depth = 1;        // slices
    uint64_t offset = 0;       // where the first row starts, from the start of the memory
    uint64_t row_pitch = 0;    // from the start of a row to the start of the next; 0: width
    uint64_t slice_pitch = 0;  // from the start of a slice to the start of the next; 0: height * row pitch

    // A region of the same shape at the start of its memory, without gaps.
    Region packed() const { return {.width = width, .height = height, .depth = depth}; }

    friend bool operator==(const Region&, const Region&) = default;
};

}  // namespace cuprum::core
