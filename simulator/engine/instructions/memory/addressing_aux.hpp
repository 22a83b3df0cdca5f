// Instruction::aux of memory instructions.
#pragma once

#include <cstdint>

#include "engine/execution/execution.hpp"

namespace cuprum::simulator::memory_aux {

inline constexpr uint32_t space_mask = 7;         // AddressSpace
inline constexpr uint32_t narrow_address = 8;     // the address register has 32 bits
inline constexpr unsigned vector_shift = 4;       // 4 bits: elements
inline constexpr uint32_t fence_before = 1 << 8;  // release
inline constexpr uint32_t fence_after = 1 << 9;   // acquire
inline constexpr unsigned alignment_shift =
    10;  // 3 bits: log2 of what the address of an atomic vector is a multiple of
inline constexpr uint32_t alignment_mask = 7;
// multimem: the address is one of a multicast object, which those of other instructions are not. No other instruction
// has this bit in its aux, whatever it keeps there.
inline constexpr uint32_t multicast = 1u << 31;

// Whether a narrow address and its offset add up to one of 32 bits: in shared and local memory, whose addresses have no
// more. Compilers count on it.
inline bool wraps(uint32_t aux) {
    const auto space = static_cast<AddressSpace>(aux & space_mask);
    return space == AddressSpace::shared || space == AddressSpace::local;
}

}  // namespace cuprum::simulator::memory_aux
