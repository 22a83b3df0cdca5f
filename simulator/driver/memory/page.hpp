#pragma once

#include <cstdint>

namespace cuprum::simulator::libcuda {

// A page of the host's memory, which what the simulated device maps and protects is made of.
inline constexpr uint64_t page = 4096;  // bytes

}  // namespace cuprum::simulator::libcuda
