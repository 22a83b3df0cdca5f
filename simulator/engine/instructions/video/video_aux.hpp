// Instruction::immediate of video instructions, packed by the decoder.
#pragma once

#include <cstdint>

namespace cuprum::simulator {

enum class VideoOperation : uint8_t {
    add,
    subtract,
    difference,
    minimum,
    maximum,
    average,
    left,
    right,
    multiply,
    compare
};
enum class VideoSecond : uint8_t { none, add, minimum, maximum };

namespace video_flags {
inline constexpr uint16_t signed_result = 1, signed_a = 2, signed_b = 4, saturate = 8;
inline constexpr uint16_t clamps = 16;  // shift amounts, else they wrap
inline constexpr uint16_t plus_one = 32, negate_product = 64, negate_c = 128;
inline constexpr uint16_t product_by_7 = 256, product_by_15 = 512;  // is shifted to the right
inline constexpr uint16_t emulated = 1024;  // of a scalar instruction: a GPU's results, not the ISA's (emulation.hpp)
}  // namespace video_flags

// Of SIMD instructions there is more: aux is the number of lanes, 2 or 4, and from bit 8 on which of them are written;
// operand[4] and operand[5] say which parts of [b, a] each lane takes, three bits each.
struct VideoControl {
    VideoOperation operation = VideoOperation::add;
    uint8_t comparison = 0;  // bit 0 less, bit 1 equal, bit 2 greater
    uint16_t flags = 0;
    VideoSecond second = VideoSecond::none;
    // Which part of a register. 0 all of it, 1 to 4 a byte, 5 and 6 a half.
    uint8_t select_a = 0, select_b = 0, select_result = 0;
    bool has(uint16_t flag) const { return (flags & flag) != 0; }
};
static_assert(sizeof(VideoControl) == 8);

}  // namespace cuprum::simulator
