// The simulator's own object: what its companions answer with where a program asks for machine code.
//
// An ELF file for NVIDIA's machine type, so that programs that look at the first bytes of a cubin are content, with an
// ABI byte that no GPU's driver takes. A note says what it is, its version, the architecture that was asked for, and a
// checksum; the section ".cuprum.ptx" holds the PTX.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cuprum::simulator::image {

struct SimulatorObject {
    uint32_t architecture = 0;  // 80 for sm_80
    std::string_view ptx;       // within the object, without its final NUL
};

std::string make_simulator_object(uint32_t architecture, std::string_view ptx);

// Whether it begins like one. `size` is given where the end of the memory is known.
bool is_simulator_object(const void* bytes, std::optional<size_t> size);

// The object, or why it cannot be read. `bytes` begins like one.
struct ReadObject {
    std::optional<SimulatorObject> object;
    std::string error;
};
ReadObject read_simulator_object(const void* bytes, std::optional<size_t> size);

}  // namespace cuprum::simulator::image
