#include "engine/instructions/asynchronous/tensor_box.hpp"

#include <algorithm>

namespace cuprum::simulator {
namespace {

uint32_t element_bytes(const TensorMap& map) {
    return bits_of(map.element) / 8;
}

// How many elements of a dimension a tile has: every element_stride-th of the box.
uint32_t count_in_tile(const TensorMap& map, uint32_t dimension) {
    const uint32_t stride = map.element_stride[dimension];
    return (map.box[dimension] + stride - 1) / stride;
}

uint32_t spatial_dimensions(const TensorMap& map) {
    return map.rank - 2u;
}

}  // namespace

BoxShape shape_of(const TensorMap& map) {
    BoxShape shape;
    if (map.mode == TensorMapMode::tiled) {
        shape.line_bytes = map.box[0] * element_bytes(map);
        for (uint32_t dimension = 1; dimension < map.rank; ++dimension)
            shape.lines *= count_in_tile(map, dimension);
    } else {
        shape.line_bytes = map.channels * element_bytes(map);
        shape.lines = map.pixels;
    }
    shape.pitch = std::max(shape.line_bytes, span_of(map.swizzle));
    return shape;
}

BoxWalk::BoxWalk(const TensorMap& map, const TensorPosition& position) : map_(map), position_(position) {
    std::ranges::copy(position.coordinates, where_.begin());
}

BoxLine BoxWalk::line() const {
    const uint32_t bytes = element_bytes(map_);
    const int64_t wanted = is_tile() ? map_.box[0] : map_.channels;
    const int64_t size = static_cast<int64_t>(map_.size[0]), first = where_[0];
    const BoxLine outside{static_cast<uint32_t>(wanted) * bytes, 0, 0, 0};
    uint64_t address = map_.address;
    for (uint32_t dimension = 1; dimension < map_.rank; ++dimension) {
        const bool moves = !is_tile() && dimension <= spatial_dimensions(map_);
        const int64_t index = where_[dimension] + (moves ? position_.offsets[dimension - 1] : 0);
        if (index < 0 || index >= static_cast<int64_t>(map_.size[dimension])) return outside;
        address += static_cast<uint64_t>(index) * map_.stride[dimension - 1];
    }
    const int64_t begin = std::clamp<int64_t>(first, 0, size), end = std::clamp<int64_t>(first + wanted, 0, size);
    if (begin >= end) return outside;
    BoxLine line;
    line.before = static_cast<uint32_t>(begin - first) * bytes;
    line.inside = static_cast<uint32_t>(end - begin) * bytes;
    line.behind = static_cast<uint32_t>(first + wanted - end) * bytes;
    line.address = address + static_cast<uint64_t>(begin) * bytes;
    return line;
}

void BoxWalk::advance() {
    is_tile() ? advance_tile() : advance_pixel();
}

void BoxWalk::advance_tile() {
    for (uint32_t dimension = 1; dimension < map_.rank; ++dimension) {
        where_[dimension] += map_.element_stride[dimension];
        if (++step_[dimension] < count_in_tile(map_, dimension)) return;
        step_[dimension] = 0;
        where_[dimension] = position_.coordinates[dimension];
    }
}

// Pixel after pixel of the box between the corners, then the next image.
void BoxWalk::advance_pixel() {
    for (uint32_t dimension = 1; dimension <= spatial_dimensions(map_); ++dimension) {
        where_[dimension] += map_.element_stride[dimension];
        const int64_t last = static_cast<int64_t>(map_.size[dimension]) - 1 + map_.upper_corner[dimension - 1];
        if (where_[dimension] <= last) return;
        where_[dimension] = map_.lower_corner[dimension - 1];
    }
    ++where_[map_.rank - 1u];
}

}  // namespace cuprum::simulator
