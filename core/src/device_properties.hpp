#pragma once

#include <cstdint>

#include "context.hpp"

namespace cuprum::core {

// Read at the first call for the device, then kept for the life of the process. Later calls take no lock.
const DeviceProperties& read_device_properties(DeviceState& state, int32_t device_id);
inline const DeviceProperties& device_properties(DeviceState& state, int32_t device_id) {
    if (const DeviceProperties* const known = state.properties.load(std::memory_order_acquire)) [[likely]]
        return *known;
    return read_device_properties(state, device_id);
}

}  // namespace cuprum::core
