#include "engine/instructions/images/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/instructions/half/half.hpp"
#include "engine/instructions/images/cube.hpp"
#include "engine/instructions/images/filter_weights.hpp"
#include "engine/instructions/images/texels.hpp"

namespace cuprum::simulator::images {
namespace {

// Positions are kept within a range where they are exact; images are far smaller.
double bounded(double position) {
    return std::isnan(position) ? 0.0 : std::clamp(position, -0x1p30, 0x1p30);
}

// The texel that an index stands for, or nothing: the border.
std::optional<uint32_t> addressed(int64_t index, uint32_t size, AddressMode mode) {
    const auto count = static_cast<int64_t>(size);
    switch (mode) {
        case AddressMode::wrap:
            return static_cast<uint32_t>((index % count + count) % count);
        case AddressMode::mirror: {
            const int64_t within = (index % (2 * count) + 2 * count) % (2 * count);
            return static_cast<uint32_t>(within < count ? within : 2 * count - 1 - within);
        }
        case AddressMode::clamp:
            return static_cast<uint32_t>(std::clamp<int64_t>(index, 0, count - 1));
        case AddressMode::border:
            break;
    }
    if (index < 0 || index >= count) return std::nullopt;
    return static_cast<uint32_t>(index);
}

// The two texels beside a position along one axis, and how near the second one is, in 256ths.
struct Footprint {
    int64_t first = 0;
    int32_t fraction = 0;
};
Footprint footprint(double position) {
    const double shifted = position - 0.5, below = std::floor(shifted);
    return {static_cast<int64_t>(below), static_cast<int32_t>(std::floor((shifted - below) * 256 + 0.5))};
}

// Where both are the same texel, at an edge, the second one has no part.
int32_t fraction_inside(const Footprint& foot, uint32_t size, AddressMode mode) {
    const bool same = mode == AddressMode::clamp && (foot.first < 0 || foot.first >= static_cast<int64_t>(size) - 1);
    return same ? 0 : foot.fraction;
}

using Sums = std::array<double, 4>;

// What texels with weights of 256 in all add up to, of one channel.
float sum_of_texels(double sum, const Texture& texture, uint32_t channel) {
    if (is_srgb(texture, channel)) return half_to_float(double_to_half(sum / whole_weight));
    return float_of_sum(sum, texture.image.format.channel);
}

// Reads one level.
class LevelReader {
public:
    LevelReader(const Texture& texture, const Sample& sample, size_t level, const std::byte* bytes)
        : texture_(texture), sample_(sample), level_(texture.image.levels[level]), bytes_(bytes) {
        place();
    }

    Words nearest() const {
        if (sample_.texel) return is_inside(*sample_.texel) ? texel(*sample_.texel) : Words{};
        std::array<int32_t, 3> index{};
        for (uint32_t axis = 0; axis < axes_; ++axis)
            index[axis] = static_cast<int32_t>(std::floor(position_[axis]));
        return texel(index);
    }

    // Adds the texels around the place, with weights that add up to `total`.
    void add_filtered(int32_t total, Sums& sums) const {
        const std::array<uint32_t, 3> sizes{level_.width, level_.height, level_.slices};
        std::array<Footprint, 3> feet{};
        std::array<int32_t, 3> fractions{};
        for (uint32_t axis = 0; axis < axes_; ++axis) {
            feet[axis] = footprint(position_[axis]);
            fractions[axis] = is_cube(sample_.geometry)
                                  ? feet[axis].fraction
                                  : fraction_inside(feet[axis], sizes[axis], texture_.address[axis]);
        }
        // A line is the only row of a plane, and lies on its edge: half of what is filtered comes from beyond it.
        const bool on_edge = sample_.geometry == Geometry::line && texture_.address[1] == AddressMode::border;
        if (on_edge) fractions[1] = whole_weight / 2;
        const uint32_t axes = on_edge ? 2 : axes_;
        const FilterWeights weights = filter_weights(total, axes, fractions);
        for (uint32_t corner = 0; corner < 1u << axes; ++corner) {
            if (weights[corner] == 0) continue;
            if (on_edge && (corner & 2) == 0) {
                add(border(), weights[corner], sums);
                continue;
            }
            std::array<int32_t, 3> index{};
            for (uint32_t axis = 0; axis < axes_; ++axis)
                index[axis] = static_cast<int32_t>(feet[axis].first) + static_cast<int32_t>(corner >> axis & 1);
            add(texel(index), weights[corner], sums);
        }
    }

    void add_nearest(int32_t total, Sums& sums) const { add(nearest(), total, sums); }

    // Counter-clockwise from the texel below on the left (PTX ISA, tld4).
    Words gathered(uint32_t channel) const {
        const auto x = static_cast<int32_t>(footprint(position_[0]).first);
        const auto y = static_cast<int32_t>(footprint(position_[1]).first);
        return {texel({x, y + 1, 0})[channel], texel({x + 1, y + 1, 0})[channel], texel({x + 1, y, 0})[channel],
                texel({x, y, 0})[channel]};
    }

private:
    // By the texel's number there is nothing outside, whatever the address mode (580, on an H200).
    bool is_inside(const std::array<int32_t, 3>& index) const {
        const std::array<uint32_t, 3> sizes{level_.width, level_.height, level_.slices};
        for (uint32_t axis = 0; axis < axes_; ++axis) {
            const int64_t at = int64_t{index[axis]} + sample_.offsets[axis];
            if (at < 0 || at >= int64_t{sizes[axis]}) return false;
        }
        return true;
    }

    void add(const Words& words, int32_t weight, Sums& sums) const {
        for (uint32_t channel = 0; channel < 4; ++channel) {
            const float value = bits_float(words[channel]);
            const bool fixed = !is_srgb(texture_, channel);
            sums[channel] += weight * (fixed ? filtered_number(value, texture_.image.format.channel) : double{value});
        }
    }

    // Where the sample lies, in texels.
    void place() {
        axes_ = is_cube(sample_.geometry) ? 2 : dimensions_of(sample_.geometry);
        const std::array<uint32_t, 3> size{level_.width, level_.height, level_.slices};
        const uint32_t most = std::max(1u, level_.slices / (texture_.image.cube ? 6 : 1)) - 1;
        if (texture_.image.layered) slice_ = std::min(sample_.layer, most);
        std::array<double, 3> at{};
        if (is_cube(sample_.geometry)) {
            face_ = face_of(sample_.at);
            slice_ = slice_ * 6 + face_.face;
            at = {face_.s, face_.t, 0};
        } else {
            for (uint32_t axis = 0; axis < axes_; ++axis)
                at[axis] = static_cast<double>(sample_.at[axis]);
        }
        // A cube's coordinates on a face go from 0 to 1 in any case.
        const bool scaled = texture_.normalised || is_cube(sample_.geometry);
        for (uint32_t axis = 0; axis < axes_; ++axis)
            position_[axis] = bounded(scaled ? at[axis] * size[axis] : at[axis]);
    }

    Words texel(std::array<int32_t, 3> index) const {
        for (uint32_t axis = 0; axis < axes_; ++axis)
            index[axis] += sample_.offsets[axis];
        if (is_cube(sample_.geometry)) return texel_of_cube(index[0], index[1]);
        const auto x = addressed(index[0], level_.width, texture_.address[0]);
        const auto y = axes_ > 1 ? addressed(index[1], level_.height, texture_.address[1]) : 0u;
        const auto z = axes_ > 2 ? addressed(index[2], level_.slices, texture_.address[2]) : slice_;
        if (!x || !y || !z) return border();
        return element(*x, *y, *z);
    }

    Words texel_of_cube(int32_t x, int32_t y) const {
        const auto size = static_cast<int32_t>(level_.width);
        const auto inside = [&](int32_t index) { return index >= 0 && index < size; };
        const auto clamped = [&](int32_t index) { return static_cast<uint32_t>(std::clamp(index, 0, size - 1)); };
        if ((inside(x) && inside(y)) || !texture_.seamless) return element(clamped(x), clamped(y), slice_);
        if (!inside(x) && !inside(y)) return corner_of_cube(x, y);
        const FaceTexel beside = texel_beside_face(face_.face, x, y, size);
        return element(beside.x, beside.y, slice_ - face_.face + beside.face);
    }

    // Three faces meet in a corner, where a fourth texel is missing: the mean of those that there are.
    Words corner_of_cube(int32_t x, int32_t y) const {
        const auto size = static_cast<int32_t>(level_.width);
        const int32_t inner_x = std::clamp(x, 0, size - 1), inner_y = std::clamp(y, 0, size - 1);
        const std::array<Words, 3> around{texel_of_cube(inner_x, inner_y), texel_of_cube(x, inner_y),
                                          texel_of_cube(inner_x, y)};
        if (!texture_.as_float) return around[0];
        Words mean{};
        for (size_t channel = 0; channel < 4; ++channel) {
            double sum = 0;
            for (const Words& words : around)
                sum += static_cast<double>(bits_float(words[channel]));
            mean[channel] = float_bits(static_cast<float>(sum / 3));
        }
        return mean;
    }

    Words element(uint32_t x, uint32_t y, uint32_t z) const {
        const std::byte* const place = bytes_ + z * level_.slice_bytes + y * level_.row_bytes +
                                       uint64_t{x} * texture_.image.format.element_bytes();
        return read_texel(place, texture_.image.format, texture_.as_float, texture_.srgb);
    }

    Words border() const {
        Words words{};
        for (uint32_t channel = 0; channel < texture_.image.format.channels; ++channel) {
            const float value = texture_.border[channel];
            words[channel] =
                texture_.as_float ? float_bits(value) : static_cast<uint32_t>(static_cast<int64_t>(bounded(value)));
        }
        return words;
    }

    const Texture& texture_;
    const Sample& sample_;
    const ImageLevel& level_;
    const std::byte* bytes_;
    uint32_t axes_ = 1;
    uint32_t slice_ = 0;
    FacePlace face_;
    std::array<double, 3> position_{};
};

// From how fast the coordinates change from pixel to pixel: the larger of two lengths, in texels of the first level.
double detail_of_gradient(const Texture& texture, const Sample& sample) {
    const ImageLevel& base = texture.image.levels.front();
    const std::array<uint32_t, 3> size{base.width, base.height, base.slices};
    double longest = 0;
    for (const std::array<float, 3>& step : *sample.gradient) {
        double squares = 0;
        if (is_cube(sample.geometry)) {
            const auto [s, t] = step_on_face(sample.at, step);
            squares = (s * s + t * t) * size[0] * size[0];
        } else {
            for (uint32_t axis = 0; axis < dimensions_of(sample.geometry); ++axis) {
                const double length = static_cast<double>(step[axis]) * (texture.normalised ? size[axis] : 1);
                squares += length * length;
            }
        }
        longest = std::max(longest, std::sqrt(squares));
    }
    return std::log2(longest);
}

double level_of_detail(const Texture& texture, const Sample& sample) {
    double detail = 0;  // nothing changes from pixel to pixel: kernels have none
    if (sample.detail) detail = static_cast<double>(*sample.detail);
    if (sample.gradient) detail = detail_of_gradient(texture, sample);
    detail += static_cast<double>(texture.bias);
    detail = std::isnan(detail) ? 0 : detail;
    detail = std::clamp(detail, static_cast<double>(texture.least_level),
                        std::max(static_cast<double>(texture.least_level), static_cast<double>(texture.most_level)));
    return std::clamp(detail, 0.0, static_cast<double>(texture.image.levels.size() - 1));
}

}  // namespace

Words read_texture(const Texture& texture, const Sample& sample, LevelBytes& bytes) {
    const auto reader = [&](size_t level) { return LevelReader(texture, sample, level, bytes.of(level)); };
    const double detail = texture.mipmapped ? level_of_detail(texture, sample) : 0;
    if (sample.gathered) return reader(0).gathered(*sample.gathered);
    const auto below = static_cast<size_t>(std::floor(detail));
    const auto weight = static_cast<int32_t>((detail - std::floor(detail)) * whole_weight);
    const bool between = texture.linear_mipmaps && texture.as_float && weight > 0;
    const size_t nearest = static_cast<size_t>(std::floor(detail + 0.5));
    if ((!texture.linear || sample.texel) && !between)
        return reader(texture.linear_mipmaps ? below : nearest).nearest();
    Sums sums{};
    const auto add = [&](size_t level, int32_t total) {
        if (texture.linear && !sample.texel)
            reader(level).add_filtered(total, sums);
        else
            reader(level).add_nearest(total, sums);
    };
    add(texture.linear_mipmaps ? below : nearest, between ? whole_weight - weight : whole_weight);
    if (between) add(below + 1, weight);
    Words words{};
    for (uint32_t channel = 0; channel < 4; ++channel)
        words[channel] = float_bits(sum_of_texels(sums[channel], texture, channel));
    return words;
}

}  // namespace cuprum::simulator::images
