// Instruction::aux of mapa and getctarank: operand[0] the result, [1] the address, [2] the rank (mapa).
#pragma once

#include <cstdint>

namespace cuprum::simulator::cluster_address_aux {

inline constexpr uint32_t narrow = 1;   // the address and mapa's result have 32 bits
inline constexpr uint32_t generic = 2;  // the address is generic, else an offset in shared memory

}  // namespace cuprum::simulator::cluster_address_aux
