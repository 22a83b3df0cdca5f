// Instruction::aux of tensormap: operand[0] the map, [1] of a copy its source, [3] the new value; `immediate`: which
// dimension. The addresses' kinds are as those of copies (copy_aux).
#pragma once

#include <cstdint>

namespace cuprum::simulator::tensor_map_aux {

inline constexpr uint32_t copies = 1;        // .cp_fenceproxy, else .replace
inline constexpr unsigned field_shift = 16;  // 4 bits
enum Field : uint32_t {
    global_address,
    rank,
    box_dim,
    global_dim,
    global_stride,
    element_stride,
    elemtype,
    interleave_layout,
    swizzle_mode,
    fill_mode,
};

}  // namespace cuprum::simulator::tensor_map_aux
