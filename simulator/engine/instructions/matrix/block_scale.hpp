// Scales of matrices (mma with .block_scale): each row of A and each column of B is cut into chunks along k, and the
// elements of a chunk are multiplied by its scale. Source: PTX ISA 9.0, 9.7.14.3, which draws where the scales lie.
#pragma once

#include "engine/instructions/matrix/matrix.hpp"

namespace cuprum::simulator::matrix {

// The operands for A, then those for B, one row of the stage each: a word with four bytes of scales, the first byte
// that counts, and the thread of four that has the scales.
inline constexpr uint32_t scale_rows = metadata_row + 1, scale_operands = 3;
constexpr uint32_t scale_row(Matrix which) {
    return scale_rows + which * scale_operands;
}

// Which numbers the selectors may be: a thread's word has the scales of a whole row or column, from a byte on that is
// a multiple of their number. Of A, whose rows g and g + 8 share four threads, a pair of those has them.
constexpr uint32_t byte_selectors(uint32_t chunks) {
    return 4 & ~(chunks - 1);
}
constexpr uint32_t thread_selectors(Matrix which) {
    return which == a ? 2 : 4;
}

// The lane that has the scales of a row of A or of a column of B.
constexpr uint32_t scale_lane(Matrix which, uint32_t line, uint32_t thread) {
    return which == a ? line % 8 * 4 + thread * 2 + line / 8 : line * 4 + thread;
}

}  // namespace cuprum::simulator::matrix
