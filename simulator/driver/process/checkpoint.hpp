// Checkpoints of this process (cuCheckpointProcess*): its calls to the driver are held up, its work is done, and its
// memory, which is the host's here, stays where it is for whatever saves the process.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

// Thread-safe.
class Checkpoint {
public:
    CUprocessState state() const;
    // Holds calls up, then waits for work that has been submitted. False, and nothing changed, if that takes longer.
    bool lock(std::optional<std::chrono::milliseconds> limit);
    // From one state to the next. Throws DriverError(CUDA_ERROR_ILLEGAL_STATE) in another state.
    void advance(CUprocessState from, CUprocessState to);
    // Returns when calls may be made.
    void wait_until_running() const;

private:
    void set(CUprocessState state);

    mutable std::mutex mutex_;
    mutable std::condition_variable running_;
    CUprocessState state_ = CU_PROCESS_STATE_RUNNING;
};

Checkpoint& checkpoint();

}  // namespace cuprum::simulator::libcuda
