#include "engine/instructions/images/texels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "engine/instructions/half/half.hpp"

namespace cuprum::simulator::images {
namespace {

template <class T>
T channel_at(const std::byte* element, uint32_t channel) {
    T value;
    std::memcpy(&value, element + channel * sizeof(T), sizeof(T));
    return value;
}

template <class T>
uint32_t integer_at(const std::byte* element, uint32_t channel) {
    return static_cast<uint32_t>(static_cast<int64_t>(channel_at<T>(element, channel)));
}

// From -1 or 0 to 1; the lowest of a signed type is -1 as well.
template <class T, int32_t Largest>
float normalised_at(const std::byte* element, uint32_t channel) {
    return std::max(static_cast<float>(channel_at<T>(element, channel)) / static_cast<float>(Largest), -1.0f);
}

// sRGB's curve to 8 significant bits and not below 1/16384, as an H200 gives it (driver 580): but for some values,
// which it rounds to a neighbour.
float linear_of_srgb(uint8_t value) {
    static const std::array<float, 256> table = [] {
        std::array<float, 256> values{};
        for (size_t k = 0; k < values.size(); ++k) {
            const double c = static_cast<double>(k) / 255;
            const double linear = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
            const double unit = std::exp2(std::max(std::floor(std::log2(std::max(linear, 1e-9))), -7.0) - 7);
            values[k] = static_cast<float>(std::floor(linear / unit + 0.5) * unit);
        }
        constexpr std::array<std::pair<uint8_t, uint16_t>, 14> other_16384ths{{{32, 236},
                                                                               {33, 250},
                                                                               {65, 864},
                                                                               {66, 896},
                                                                               {68, 944},
                                                                               {70, 1000},
                                                                               {97, 1952},
                                                                               {184, 7872},
                                                                               {186, 8064},
                                                                               {249, 15488},
                                                                               {250, 15616},
                                                                               {251, 15744},
                                                                               {252, 16000},
                                                                               {253, 16128}}};
        for (const auto& [k, numerator] : other_16384ths)
            values[k] = static_cast<float>(numerator) / 16384;
        return values;
    }();
    return table[value];
}

float float_at(const std::byte* element, ImageChannel channel, uint32_t index, bool srgb) {
    switch (channel) {
        case ImageChannel::u8:
            if (srgb && index < 3) return linear_of_srgb(channel_at<uint8_t>(element, index));
            return normalised_at<uint8_t, 255>(element, index);
        case ImageChannel::s8:
            return normalised_at<int8_t, 127>(element, index);
        case ImageChannel::u16:
            return normalised_at<uint16_t, 65535>(element, index);
        case ImageChannel::s16:
            return normalised_at<int16_t, 32767>(element, index);
        case ImageChannel::f16:
            return half_to_float(channel_at<uint16_t>(element, index));
        default:
            return channel_at<float>(element, index);
    }
}

uint32_t word_at(const std::byte* element, ImageChannel channel, uint32_t index) {
    switch (channel) {
        case ImageChannel::u8:
            return integer_at<uint8_t>(element, index);
        case ImageChannel::s8:
            return integer_at<int8_t>(element, index);
        case ImageChannel::u16:
        case ImageChannel::f16:
            return integer_at<uint16_t>(element, index);
        case ImageChannel::s16:
            return integer_at<int16_t>(element, index);
        default:
            return channel_at<uint32_t>(element, index);
    }
}

template <class T>
void store(std::byte* place, T value) {
    std::memcpy(place, &value, sizeof(T));
}

template <class T>
T nearest_signed(uint32_t bits) {
    constexpr int32_t least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
    return static_cast<T>(std::clamp(static_cast<int32_t>(bits), least, most));
}

template <class T>
T nearest_unsigned(uint32_t bits) {
    return static_cast<T>(std::min<uint32_t>(bits, std::numeric_limits<T>::max()));
}

}  // namespace

std::array<uint32_t, 4> read_texel(const std::byte* element, ImageFormat format, bool as_float, bool srgb) {
    std::array<uint32_t, 4> words{};
    for (uint32_t index = 0; index < format.channels; ++index) {
        words[index] = as_float ? float_bits(float_at(element, format.channel, index, srgb))
                                : word_at(element, format.channel, index);
    }
    return words;
}

double filtered_number(float value, ImageChannel channel) {
    const auto whole = [&](double largest) { return std::floor(double{value} * largest + 0.5); };
    switch (channel) {
        case ImageChannel::u8:
        case ImageChannel::u16:
            return whole(65535);
        case ImageChannel::s16:
            return whole(32767);
        case ImageChannel::s8:
            return whole(127);
        default:
            return double{value};
    }
}

float float_of_sum(double sum, ImageChannel channel) {
    switch (channel) {
        case ImageChannel::u8:
        case ImageChannel::u16:
            return static_cast<float>(std::floor(sum / 256 + 0.5) / 65535);
        case ImageChannel::s16:
            return static_cast<float>(std::floor(sum / 256 + 0.5) / 32767);
        case ImageChannel::s8: {
            // 7 bits with 8 bits of weight become 15: 32767 / (127 * 256) of it, of which the upper 12 bits make the
            // last ones.
            const auto whole = static_cast<int32_t>(sum);
            return static_cast<float>(whole + (((whole >> 4) * 257 + 1024) >> 11)) / 32767.0f;
        }
        default:
            return static_cast<float>(sum / 256);
    }
}

void write_channel(std::byte* place, ImageChannel channel, uint32_t bits) {
    switch (channel) {
        case ImageChannel::u8:
            return store(place, nearest_unsigned<uint8_t>(bits));
        case ImageChannel::s8:
            return store(place, nearest_signed<int8_t>(bits));
        case ImageChannel::u16:
            return store(place, nearest_unsigned<uint16_t>(bits));
        case ImageChannel::s16:
            return store(place, nearest_signed<int16_t>(bits));
        case ImageChannel::f16:
            return store(place, double_to_half(static_cast<double>(bits_float(bits))));
        default:
            return store(place, bits);
    }
}

}  // namespace cuprum::simulator::images
