// mma.m8n8k4 of f16: four products at once, each by a quad pair: the lanes 4 p to 4 p + 3 and 16 behind them. Source:
// PTX ISA 9.0, 9.7.14.5.1.
//
// The four are handled as one product of matrices that are stacked: rows 8 p of A, C and D and rows 4 p of B are those
// of the quad pair p, and a row of A is multiplied with its own quad pair's rows of B.
#pragma once

#include <array>

#include "engine/instructions/matrix/matrix.hpp"

namespace cuprum::simulator::matrix {

inline constexpr uint32_t quad_pair_count = 4, quad_pair_depth = 4, quad_pair_rows = 8;

// The sizes of all four matrices, stacked: what k stands for differs between A and B.
constexpr Shape stacked(Shape shape, Matrix which) {
    shape.m = quad_pair_count * quad_pair_rows;
    shape.n = 8;
    shape.k = which == a ? quad_pair_depth : quad_pair_count * quad_pair_depth;
    return shape;
}
constexpr uint32_t stacked_row_of_b(uint32_t row, uint32_t column) {
    return row / quad_pair_rows * quad_pair_depth + column;
}

// Where the element `index` of a lane's fragment lies in its quad pair's matrix. A fragment of A or B is four elements
// of a line: a row, or with `by_columns` a column. Accumulators lie by their type.
constexpr Place quad_pair_place(Matrix which, Element element, bool by_columns, uint32_t lane, uint32_t index) {
    const uint32_t thread = lane % 4, upper = lane < 16 ? 0 : 4;
    if (which == a) return by_columns ? Place{index + upper, thread} : Place{thread + upper, index};
    if (which == b) return by_columns ? Place{index, thread + upper} : Place{thread, index + upper};
    if (element == Element::f16) return {thread + upper, index};
    return {(lane & 1) + (index & 2) + upper, (index & 4) + (lane & 2) + (index & 1)};
}

// As Layout, of a matrix as it is stacked.
template <Matrix Which, Element E, bool ByColumns>
constexpr auto stacked_layout = [] {
    constexpr Shape sizes = stacked({}, Which);
    constexpr uint32_t count = sizes.rows(Which) * sizes.columns(Which);
    std::array<uint16_t, count> layout{};
    for (uint32_t element = 0; element < count; ++element) {
        const uint32_t lane = element % lanes_per_warp, pair = lane % 16 / 4;
        const Place place = quad_pair_place(Which, E, ByColumns, lane, element / lanes_per_warp);
        const uint32_t first = pair * (Which == b ? quad_pair_depth : quad_pair_rows);
        layout[element] = static_cast<uint16_t>((first + place.row) * sizes.columns(Which) + place.column);
    }
    return layout;
}();

}  // namespace cuprum::simulator::matrix
