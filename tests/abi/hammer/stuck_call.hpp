// Says in which call a thread is stuck. A test that runs out of its time would not tell.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include <pthread.h>

namespace hammer {

// What one thread is doing.
class Step {
public:
    // By that thread. `what` lives as long as the process; null: it has ended.
    void begin(const char* what) {
        thread_ = pthread_self();
        begun_ = std::chrono::steady_clock::now().time_since_epoch().count();
        what_.store(what, std::memory_order_release);
    }
    const char* what() const { return what_.load(std::memory_order_acquire); }
    pthread_t thread() const { return thread_; }
    std::chrono::steady_clock::duration lasts() const {
        return std::chrono::steady_clock::now().time_since_epoch() - std::chrono::steady_clock::duration(begun_);
    }

private:
    std::atomic<const char*> what_{nullptr};
    std::atomic<pthread_t> thread_{};
    std::atomic<std::chrono::steady_clock::rep> begun_{0};
};
using Steps = std::vector<Step>;

// From now on, also while the process exits: once a step has lasted `limit`, prints what each thread does, its stack,
// and what the process's other threads are waiting for, and ends the process with 1. `steps` lives as long as it does.
void watch_for_stuck_calls(const Steps& steps, std::chrono::seconds limit);

}  // namespace hammer
