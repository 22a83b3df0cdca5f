// What a texture object reads at a place: addressing, filtering, levels of detail. Source: CUDA C++ Programming Guide,
// "Texture Fetching" and "Cubemap Textures"; PTX ISA 9.0, 9.7.10.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/instructions/images/images.hpp"
#include "engine/memory/image.hpp"

namespace cuprum::simulator::images {

// The four channels as a texture instruction gives them: floats or integers, by their bits.
using Words = std::array<uint32_t, 4>;

// One lane's read.
struct Sample {
    Geometry geometry = Geometry::line;
    std::array<float, 3> at{};  // coordinates or, of a cube, a direction
    // Instead: texels by their numbers.
    std::optional<std::array<int32_t, 3>> texel;
    uint32_t layer = 0;
    std::array<int32_t, 3> offsets{};
    std::optional<float> detail;  // the level of detail
    // Instead: how the coordinates change from pixel to pixel.
    std::optional<std::array<std::array<float, 3>, 2>> gradient;
    std::optional<uint32_t> gathered;  // this channel of the four texels that filtering would use
};

// The bytes of each level that is needed are asked for by number.
class LevelBytes {
public:
    virtual const std::byte* of(size_t level) = 0;

protected:
    ~LevelBytes() = default;
};

Words read_texture(const Texture& texture, const Sample& sample, LevelBytes& bytes);

}  // namespace cuprum::simulator::images
