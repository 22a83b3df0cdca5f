// Elements of images as numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/memory/image.hpp"

namespace cuprum::simulator::images {

// An element's channels; those that it has not are 0. By their bits: floats where `as_float`, else 32-bit integers.
std::array<uint32_t, 4> read_texel(const std::byte* element, ImageFormat format, bool as_float, bool srgb);

// Whether a channel is one of a colour that becomes linear.
inline bool is_srgb(const Texture& texture, uint32_t channel) {
    return texture.srgb && texture.image.format.channel == ImageChannel::u8 && channel < 3;
}

// Channels of 8 and 16 bits that are given as floats are filtered as whole numbers, which an H200 gives with 16 bits. A
// channel's value as such a number; of other channels as it is.
double filtered_number(float value, ImageChannel channel);
// Of those the float that a sum stands for, whose weights were 256 in all.
float float_of_sum(double sum, ImageChannel channel);

// Stores a channel of what a formatted store gives: floats for floats, integers for integers, the nearest that fits.
void write_channel(std::byte* place, ImageChannel channel, uint32_t bits);

}  // namespace cuprum::simulator::images
