#pragma once

#include <cstdint>

#include "context.hpp"

namespace cuprum::core {

// Read at the first call for the device, then kept for the life of the process. Later calls take no lock.
const DeviceProperties& device_properties(DeviceState& state, int32_t device_id);

}  // namespace cuprum::core
