// What functions of the driver API answer that the simulator does not have.
#pragma once

#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

// Writes one log line the first time that `function` is called, and returns CUDA_ERROR_NOT_SUPPORTED.
CUresult unsupported(const char* function);

}  // namespace cuprum::simulator::libcuda
