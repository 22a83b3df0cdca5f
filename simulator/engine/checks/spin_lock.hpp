// A lock of one byte, for what is held for some nanoseconds and of which there are many.
#pragma once

#include <atomic>
#include <thread>

namespace cuprum::simulator {

class SpinLock {
public:
    void lock() {
        while (locked_.exchange(true, std::memory_order_acquire)) {
            while (locked_.load(std::memory_order_relaxed))
                std::this_thread::yield();
        }
    }
    void unlock() { locked_.store(false, std::memory_order_release); }

private:
    std::atomic<bool> locked_{false};
};

}  // namespace cuprum::simulator
