// Checkpoints of processes that use CUDA: one is locked, checkpointed (its GPU memory goes to the host's, and it holds
// no GPU any more), restored and unlocked. Linux alone, with a driver of CUDA 12.8 or newer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cuprum::core::checkpoint {

// What has become of a process; the numbers are the driver's.
enum class ProcessState : int32_t { running = 0, locked = 1, checkpointed = 2, failed = 3 };

// A GPU that a process had, and the one that it is given in its place. Their UUIDs, as Device::uuid() gives them.
struct GpuPair {
    std::string old_uuid;
    std::string new_uuid;
};

// A process by its number: another one that the user may trace or, as far as the driver does that, this one. A GPU's
// driver leaves a process to another one; the simulator has only the calling process. May be used from any thread, and
// owns nothing: the process is asked for at each call.
//
// Every call of CUDA in a locked process waits until it is unlocked, but for those of this class. All of them start the
// driver in the calling process, and throw Unsupported where it has no checkpoints of that process, NotFound where the
// driver is older than CUDA 12.8, and DriverError where there is no such process or it is in another state.
class Process {
public:
    // Throws InvalidArgument where `pid` is not positive.
    explicit Process(int32_t pid);

    int32_t pid() const noexcept { return pid_; }
    ProcessState state() const;
    // The thread of the process that has to call `restore`, where it restores itself.
    int32_t restore_thread_id() const;

    // Lets no further work of it begin, and waits for what is under way: `timeout_ms` milliseconds at most, then
    // DriverError (CUDA_ERROR_NOT_READY); with 0 as long as it takes.
    void lock(uint32_t timeout_ms = 0) const;
    // Takes its GPU memory to the host's, and lets go of the GPUs. It must be locked.
    void checkpoint() const;
    // Gives it its GPUs back, or others in the place of those it had. It must be checkpointed, and is locked then.
    void restore(const std::vector<GpuPair>& gpus = {}) const;
    // Lets it go on.
    void unlock() const;

private:
    int32_t pid_;
};

}  // namespace cuprum::core::checkpoint
