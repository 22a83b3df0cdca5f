// What the driver is asked for, where virtual memory is allocated.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cuprum/core/virtual_memory.hpp"
#include "driver_api.hpp"

namespace cuprum::core {

// As newer headers call them; those before CUDA 12.2 have no names for them.
inline constexpr auto location_type_host = static_cast<CUmemLocationType>(2);
inline constexpr auto location_type_host_numa = static_cast<CUmemLocationType>(3);

// The options of a VirtualMemoryResource as the driver takes them. Immutable.
class VirtualMemoryConfiguration {
public:
    // Throws what the constructor of VirtualMemoryResource throws.
    VirtualMemoryConfiguration(const Device& device, const VirtualMemoryResourceOptions& options);

    const CUmemAllocationProp& properties() const { return properties_; }
    // Whom the memory is made accessible to, and how.
    const std::vector<CUmemAccessDesc>& accesses() const { return accesses_; }
    uint64_t granularity() const { return granularity_; }
    uint64_t address_alignment() const { return address_alignment_; }
    DevicePointer address_hint() const { return address_hint_; }
    bool lies_on_host() const { return properties_.location.type != CU_MEM_LOCATION_TYPE_DEVICE; }
    bool lies_where(const VirtualMemoryConfiguration& other) const {
        return properties_.location.type == other.properties_.location.type &&
               properties_.location.id == other.properties_.location.id;
    }

private:
    CUmemAllocationProp properties_{};
    std::vector<CUmemAccessDesc> accesses_;
    uint64_t granularity_ = 0;
    uint64_t address_alignment_;
    DevicePointer address_hint_;
};

// "device 0", "host memory", "host memory of NUMA node 1".
std::string describe_location(const CUmemLocation& location);

}  // namespace cuprum::core
