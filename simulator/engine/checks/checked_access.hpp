// The instructions check_access and check_races, which the decoder puts before an access: what they know of it.
#pragma once

#include <array>
#include <cstdint>

#include "engine/execution/execution.hpp"

namespace cuprum::simulator {

// Instruction::aux, beside memory_aux's space and narrow address: operand[4] the address. Instruction::cache: the bytes
// of an element.
//
// check_access: a store's operand[k] is the row that says who has written the register of element k, where `tracked`
// << k is set. check_races: a store's operand[k] is the row of element k itself, of row_bytes(aux) a lane.
namespace check_aux {
inline constexpr unsigned bytes_shift = 16;  // 8 bits
inline constexpr uint32_t reads = 1u << 24, writes = 1u << 25;
inline constexpr uint32_t strong = 1u << 26;  // atomic, volatile or ordered
inline constexpr uint32_t tracked = 1u << 27;
inline constexpr unsigned row_shift = 4;        // 3 bits: log2 of the bytes of a lane's element in a row
inline constexpr uint32_t releases = 1u << 27;  // what the thread did before is told to the whole device
inline constexpr uint32_t uncached = 1u << 28;  // it passes by the caches that blocks do not share
}  // namespace check_aux

// By lane, the generic addresses of the access that `at` checks.
using Addresses = std::array<uint64_t, lanes_per_warp>;
void find_addresses(const Warp& warp, const Instruction* at, Addresses& addresses);

}  // namespace cuprum::simulator
