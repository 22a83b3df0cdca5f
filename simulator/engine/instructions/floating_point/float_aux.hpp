// Instruction::aux of floating-point instructions.
#pragma once

#include <cstdint>

namespace cuprum::simulator::float_aux {

inline constexpr uint32_t zero = 1, down = 2, up = 3, rounding_mask = 3;  // 0: to nearest even
inline constexpr uint32_t to_nearest_integer = 4, to_integer_towards_zero = 8, to_integer_below = 16,
                          to_integer_above = 32, integer_mask = 60;
inline constexpr uint32_t flush = 64;
inline constexpr uint32_t saturate = 128;
inline constexpr uint32_t relu = 256;
inline constexpr uint32_t finite = 512;

}  // namespace cuprum::simulator::float_aux
