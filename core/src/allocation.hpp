// Allocations that failed.
#pragma once

#include <cstdint>

#include "cuprum/core/device.hpp"
#include "driver_api.hpp"

namespace cuprum::core {

// Throws unless the call succeeded: OutOfMemory with how much there would have been.
[[noreturn]] void throw_allocation_error(CUresult result, const char* driver_function, const Device& device,
                                         uint64_t size);
inline void check_allocation(CUresult result, const char* driver_function, const Device& device, uint64_t size) {
    if (result != CUDA_SUCCESS) [[unlikely]]
        throw_allocation_error(result, driver_function, device, size);
}

}  // namespace cuprum::core
