// Workqueue resources of CUDA 13.1, which the headers of this build need not have.
#pragma once

#include <compare>
#include <cstdint>
#include <cstring>

#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

class Device;

// CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG, as a number: older headers' enumeration has no room for it.
inline constexpr uint32_t workqueue_config_type = 1000;
// The number of a type, whatever it is.
inline uint32_t number_of(const CUdevResourceType& type) {
    uint32_t number = 0;
    static_assert(sizeof number == sizeof type);
    std::memcpy(&number, &type, sizeof number);
    return number;
}

// CUdevWorkqueueConfigResource: in a CUdevResource in place of `sm`.
struct WorkqueueConfig {
    int32_t device;
    uint32_t concurrency_limit;
    uint32_t sharing_scope;  // CU_WORKQUEUE_SCOPE_*
    auto operator<=>(const WorkqueueConfig&) const = default;
};

// Whether the driver is that of a CUDA that has them.
bool has_workqueues();
// That of a device, and of its primary context.
WorkqueueConfig whole_workqueue(const Device& device);
CUdevResource make_resource(const WorkqueueConfig& config);
// Of any program's making: nothing in it is the driver's secret. Throws DriverError for values that there are not.
WorkqueueConfig read_workqueue(const CUdevResource& resource);

}  // namespace cuprum::simulator::libcuda
