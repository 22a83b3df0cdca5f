// Allocations that failed.
#pragma once

#include <cstdint>

#include "cuprum/core/device.hpp"
#include "driver_api.hpp"

namespace cuprum::core {

// Throws unless the call succeeded: OutOfMemory with how much there would have been.
void check_allocation(CUresult result, const char* driver_function, const Device& device, uint64_t size);

}  // namespace cuprum::core
