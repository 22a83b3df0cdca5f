// What differs between the compute capabilities that a simulated device can have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cuprum::simulator::libcuda {

// Bytes and numbers are those of one multiprocessor.
struct Capability {
    uint32_t major;
    uint32_t minor;
    uint32_t threads;
    uint32_t blocks;
    uint32_t shared_bytes;
    uint32_t reserved_shared_bytes;  // of each block, for the system

    uint32_t most_shared_bytes_of_a_block() const { return shared_bytes - reserved_shared_bytes; }
};

// "8.0"; nothing for a capability that is not in the table.
std::optional<Capability> find_capability(std::string_view text);
// Of a device: it is in the table.
const Capability& capability_of(uint32_t major, uint32_t minor);
// "7.5, 8.0, 8.6": all of the table, for messages.
std::string known_capabilities();

}  // namespace cuprum::simulator::libcuda
