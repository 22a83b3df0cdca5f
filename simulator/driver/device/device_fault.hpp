// A device that has had a fault serves the process no more: its contexts can be put away, and no new one can be made
// (an H200 gives the fault's code to cuCtxCreate after cuCtxDestroy, and to cuDevicePrimaryCtxRetain after a reset).
#pragma once

#include <cstdint>

#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

// The first fault of a device counts. Thread-safe.
void note_device_fault(uint32_t device, CUresult code);
// That fault's code; CUDA_SUCCESS if there was none.
CUresult device_fault(uint32_t device);
// Throws the fault's code if there was one.
void require_working_device(uint32_t device);

}  // namespace cuprum::simulator::libcuda
