// Elements of images as numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/memory/image.hpp"

namespace cuprum::simulator::images {

// An element's channels; those that it has not are 0. By their bits: floats where `as_float`, else 32-bit integers.
std::array<uint32_t, 4> read_texel(const std::byte* element, ImageFormat format, bool as_float, bool srgb);

// Stores a channel of what a formatted store gives: floats for floats, integers for integers, the nearest that fits.
void write_channel(std::byte* place, ImageChannel channel, uint32_t bits);

}  // namespace cuprum::simulator::images
