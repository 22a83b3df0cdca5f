// A value that goes from each thread to the next, in the order of their pieces.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace cuprum::parallel::host {

template <class Value>
class Chain {
public:
    // Calls function(value) once piece `index` - 1 has passed the value on. That piece must have been taken by a thread
    // that is at work.
    template <class Function>
    void pass(uint64_t index, const Function& function) {
        for (int polls = 0; next_.load(std::memory_order_acquire) != index; ++polls) {
            // Where there are more threads than cores, the one that is waited for needs this core.
            if (polls > 1000) std::this_thread::yield();
        }
        function(value_);
        next_.store(index + 1, std::memory_order_release);
    }
    // Before the first piece and after the last.
    Value& value() { return value_; }

private:
    Value value_{};
    alignas(64) std::atomic<uint64_t> next_{0};
};

}  // namespace cuprum::parallel::host
