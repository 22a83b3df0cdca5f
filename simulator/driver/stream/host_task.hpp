// How the thread that runs host functions waits for the next one: CU_HOST_TASK_* of CUDA 13.1, which the headers of
// this build need not have. The simulator's threads look for work for a short while and then sleep, whatever is asked
// for.
#pragma once

#include "driver/error/driver_error.hpp"

namespace cuprum::simulator::libcuda {

inline constexpr unsigned int host_task_blocking = 0, host_task_spinwait = 1;

// Throws DriverError(CUDA_ERROR_INVALID_VALUE).
inline void require_sync_mode(unsigned int mode) {
    if (mode != host_task_blocking && mode != host_task_spinwait) {
        throw DriverError(
            CUDA_ERROR_INVALID_VALUE,
            format("syncMode is %u; it must be CU_HOST_TASK_BLOCKING (0) or CU_HOST_TASK_SPINWAIT (1)", mode));
    }
}

}  // namespace cuprum::simulator::libcuda
