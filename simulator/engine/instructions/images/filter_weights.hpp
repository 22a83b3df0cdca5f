// With which weights the texels around a place are added up. The guide says only that the fractions have 8 bits; the
// rest is what an H200 does (driver 580), read off images of one texel that is 1: weights are whole 256ths, which are
// split axis by axis and always add up.
#pragma once

#include <array>
#include <cstdint>

namespace cuprum::simulator::images {

constexpr int32_t whole_weight = 256;

// A fraction of a weight, both in 256ths, to the nearest; a half is rounded up, or down.
constexpr int32_t part_of(int32_t weight, int32_t fraction) {
    return (weight * fraction + 128) >> 8;
}
constexpr int32_t part_of_down(int32_t weight, int32_t fraction) {
    return (weight * fraction + 127) >> 8;
}

// Of the texels beside a place along each axis: of texel k the bits say whether it is the second one along x, y and z.
using FilterWeights = std::array<int32_t, 8>;

// `weight`: 256, or a level's part of it. `fractions`: how near the second texel is along each axis, in 256ths.
constexpr FilterWeights filter_weights(int32_t weight, uint32_t axes, const std::array<int32_t, 3>& fractions) {
    FilterWeights weights{};
    const auto split_plane = [&](int32_t plane, size_t corner) {
        const int32_t second = part_of(plane, fractions[0]);
        const int32_t both = axes > 1 ? part_of(second, fractions[1]) : 0;
        const int32_t above = axes > 1 ? part_of_down(plane - second, fractions[1]) : 0;
        weights[corner] = plane - second - above;
        weights[corner + 1] = second - both;
        weights[corner + 2] = above;
        weights[corner + 3] = both;
    };
    const int32_t behind = axes > 2 ? part_of(weight, fractions[2]) : 0;
    split_plane(weight - behind, 0);
    if (axes > 2) split_plane(behind, 4);
    return weights;
}

}  // namespace cuprum::simulator::images
