// Where memory lies, or is to lie.
#pragma once

#include <cstdint>

#include "cuprum/core/device.hpp"

namespace cuprum::core {

// A device, or host memory, all of it or one NUMA node's. A Device is one: buffer.prefetch(device, stream).
class MemoryLocation {
public:
    // The driver's numbers (CUmemLocationType).
    enum class Kind : int32_t { device = 1, host = 2, host_numa = 3, host_numa_current = 4 };

    MemoryLocation(const Device& device) : kind_(Kind::device), id_(device.device_id()) {}
    static MemoryLocation host() { return {Kind::host, 0}; }
    // Throws InvalidArgument for a negative node.
    static MemoryLocation host_numa(int32_t node);
    // The NUMA node of the thread that calls the driver.
    static MemoryLocation host_numa_current() { return {Kind::host_numa_current, 0}; }
    // That with these numbers. Throws InvalidArgument where there is none.
    static MemoryLocation of(int32_t kind, int32_t id);

    Kind kind() const { return kind_; }
    int32_t id() const { return id_; }  // the device's ordinal or the NUMA node, else 0

    friend bool operator==(const MemoryLocation&, const MemoryLocation&) = default;

private:
    MemoryLocation(Kind kind, int32_t id) : kind_(kind), id_(id) {}

    Kind kind_;
    int32_t id_;
};

}  // namespace cuprum::core
