// How long a device has been busy: what its utilization follows from.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>

namespace cuprum::simulator::libcuda {

// The time in which at least one kernel ran. Thread-safe.
class KernelClock {
public:
    // One kernel, while it runs.
    class Running {
    public:
        explicit Running(KernelClock& clock) : clock_(clock) { clock_.begin(); }
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;
        ~Running() { clock_.end(); }

    private:
        KernelClock& clock_;
    };

    std::chrono::nanoseconds busy() const {
        const std::lock_guard lock(mutex_);
        return running_ == 0 ? busy_ : busy_ + (std::chrono::steady_clock::now() - since_);
    }

private:
    void begin() {
        const std::lock_guard lock(mutex_);
        if (running_++ == 0) since_ = std::chrono::steady_clock::now();
    }
    void end() {
        const std::lock_guard lock(mutex_);
        if (--running_ == 0) busy_ += std::chrono::steady_clock::now() - since_;
    }

    mutable std::mutex mutex_;
    uint32_t running_ = 0;
    std::chrono::nanoseconds busy_{0};
    std::chrono::steady_clock::time_point since_;
};

}  // namespace cuprum::simulator::libcuda
