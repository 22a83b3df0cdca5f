// Instruction::aux of memory instructions.
#pragma once

#include <cstdint>

namespace cuprum::simulator::memory_aux {

inline constexpr uint32_t space_mask = 7;         // AddressSpace
inline constexpr uint32_t narrow_address = 8;     // the address register has 32 bits
inline constexpr unsigned vector_shift = 4;       // 4 bits: elements
inline constexpr uint32_t fence_before = 1 << 8;  // release
inline constexpr uint32_t fence_after = 1 << 9;   // acquire
inline constexpr unsigned alignment_shift =
    10;  // 3 bits: log2 of what the address of an atomic vector is a multiple of
inline constexpr uint32_t alignment_mask = 7;

}  // namespace cuprum::simulator::memory_aux
