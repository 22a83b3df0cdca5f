// A sparse A (mma.sp): of each chunk of a row only half the elements are stored, and four bits of metadata say where
// they belong. Source: PTX ISA 9.0, 9.7.14.6.
#pragma once

#include "engine/instructions/matrix/matrix.hpp"

namespace cuprum::simulator::matrix {

// A as it is stored, with half its columns; its registers are those of a dense matrix of this size.
constexpr Shape stored(Shape shape) {
    shape.k /= 2;
    return shape;
}

// Of a chunk, of which as many are left out.
constexpr uint32_t stored_in_chunk(Element element) {
    return bits_of(element) == 32 ? 1 : bits_of(element) == 4 ? 4 : 2;
}

// Four lanes hold the metadata of two rows, g and g + 8: some of the four, as many as it fills, and the sparsity
// selector says which of them.
inline constexpr uint32_t group_lanes = 4, chunk_bits = 4;
constexpr uint32_t metadata_lanes(const Shape& shape) {
    return 2 * chunk_bits * (stored(shape).k / stored_in_chunk(shape.elements[a])) / 32;
}

// Where the metadata of a chunk lies.
struct MetadataPlace {
    uint32_t lane, shift;
};
constexpr MetadataPlace metadata_place(const Shape& shape, uint32_t selector, uint32_t row, uint32_t chunk) {
    const uint32_t group = row % 8, lower = row / 8, bit = chunk * chunk_bits;
    const uint32_t first = group * group_lanes + selector * metadata_lanes(shape);
    // Of elements of 16 bits and more a lane has half a word of each row, of smaller ones a word of one row.
    if (bits_of(shape.elements[a]) >= 16) return {first + bit / 16, lower * 16 + bit % 16};
    return {first + bit / 32 * 2 + lower, bit % 32};
}

// The column of the element `index` of those stored in a row, from its chunk's metadata: two indices of two bits each.
// They count elements, of 4 bits pairs of elements, of 32 bits halves of elements: of those the upper index counts,
// since 0b0100 is the first element of two and 0b1110 the second. What else the ISA leaves undefined is taken as it
// stands.
constexpr uint32_t column_of(Element element, uint32_t index, uint32_t metadata) {
    const uint32_t together = stored_in_chunk(element), chunk = index / together, within = index % together;
    if (together == 1) return chunk * 2 + (metadata >> 3 & 1);
    const uint32_t pair = together / 2;  // elements that an index stands for
    return chunk * 2 * together + (metadata >> within / pair * 2 & 3) * pair + within % pair;
}

}  // namespace cuprum::simulator::matrix
