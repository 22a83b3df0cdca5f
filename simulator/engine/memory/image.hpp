// Images as the engine sees them: what texture and surface objects stand for.
//
// The driver describes each object when it is created; a launch holds the descriptions for as long as it runs. Source:
// CUDA C++ Programming Guide, "Texture Fetching"; PTX ISA 9.0, 5.3 and 9.7.10, 9.7.11.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace cuprum::simulator {

// What one channel of an element is.
enum class ImageChannel : uint8_t { u8, s8, u16, s16, u32, s32, f16, f32 };

constexpr uint32_t bytes_of(ImageChannel channel) {
    switch (channel) {
        case ImageChannel::u8:
        case ImageChannel::s8:
            return 1;
        case ImageChannel::u16:
        case ImageChannel::s16:
        case ImageChannel::f16:
            return 2;
        default:
            return 4;
    }
}

struct ImageFormat {
    ImageChannel channel = ImageChannel::u8;
    uint32_t channels = 1;  // 1, 2 or 4

    constexpr uint32_t element_bytes() const { return bytes_of(channel) * channels; }
};

// One level of an image, or all of one that has no mipmaps.
struct ImageLevel {
    std::byte* bytes = nullptr;  // of an array; null: the image is device memory, at `address`
    uint64_t address = 0;
    // In elements. Missing dimensions are 1. `slices`: the depth, or the layers (six to a cube).
    uint32_t width = 1, height = 1, slices = 1;
    uint64_t row_bytes = 0;    // from row to row
    uint64_t slice_bytes = 0;  // from slice to slice

    uint64_t size(uint32_t element_bytes) const {
        return (slices - 1) * slice_bytes + (height - 1) * row_bytes + uint64_t{width} * element_bytes;
    }
};

struct Image {
    ImageFormat format;
    uint32_t dimensions = 1;  // without layers
    bool layered = false;
    bool cube = false;
    std::vector<ImageLevel> levels;
    std::string description;  // for reports: "an array of 64 x 64 elements"
    std::string gone;         // why it must no longer be used, as the end of a sentence; empty: it may be
};

enum class AddressMode : uint8_t { wrap, clamp, mirror, border };

// How a texture object reads its image.
struct Texture {
    Image image;
    std::array<AddressMode, 3> address{};  // wrap and mirror only with normalised coordinates
    bool linear = false;                   // filtering within a level, and
    bool linear_mipmaps = false;           // between levels
    bool mipmapped = false;
    bool linear_memory = false;             // outside it there are zeros, whatever the address mode
    bool normalised = false;                // coordinates
    bool as_float = false;                  // elements are given as floats; else as integers of 32 bits
    bool srgb = false;                      // the first three channels
    bool seamless = false;                  // cubes: filtering goes on on the neighbouring face
    std::array<float, 4> border{};          // colour
    float bias = 0;                         // of the level of detail
    float least_level = 0, most_level = 0;  // of the level of detail
};

// The objects that exist on a device when a kernel starts, by handle.
struct ImageSnapshot {
    std::unordered_map<uint64_t, std::shared_ptr<const Texture>> textures;
    std::unordered_map<uint64_t, std::shared_ptr<const Image>> surfaces;
};
using SharedImages = std::shared_ptr<const ImageSnapshot>;

}  // namespace cuprum::simulator
