// Memory that was freed in the order of one stream, while work in another one may still use it: the program's mistake,
// which must not end its process.
#pragma once

#include <cstdint>

namespace cuprum::simulator::libcuda {

// Takes over `span` bytes at `begin`, whole pages of a mapping: the system gets their contents back at once. Until
// enough others have come after them they can be read, as zeros, and written, which nobody sees; then they are
// unmapped. Thread-safe, and never throws.
void rest(uint64_t begin, uint64_t span) noexcept;

}  // namespace cuprum::simulator::libcuda
