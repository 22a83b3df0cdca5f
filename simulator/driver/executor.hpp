// The threads that run streams.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <random>

namespace cuprum::simulator::libcuda {

// As many threads as there are tasks: streams with work, branches of running graphs. One that waits, for an event or in
// a host function, never keeps another from running. Threads are kept for the next task; they are detached, and nothing
// waits for them when the process exits.
class Executor {
public:
    // Runs the task on some thread.
    void start(std::function<void()> task);

    // From now on work is put off by pseudo-random times, often not at all, so that streams overtake one another and
    // the host overtakes them, in ways that a program must allow for.
    void set_seed(uint64_t seed);
    // How long to put off the next piece of work. `held`: perhaps for so long that only somebody who waits for the work
    // should end it.
    std::chrono::microseconds draw_pause(bool* held);
    // Puts off the next piece of work, but not for so long.
    void delay();
    // A number below `count` > 0: from the seed where there is one, else 0.
    size_t choose(size_t count);

private:
    void serve();
    // For a thread that has just become idle, `lock` held: looks for a task for a short while before it goes to sleep.
    // One thread does so at a time.
    void look_for_work(std::unique_lock<std::mutex>& lock);

    std::mutex mutex_;
    std::condition_variable wanted_;
    std::deque<std::function<void()>> waiting_;
    uint32_t idle_ = 0;
    bool looking_ = false;
    std::atomic<bool> arrived_{false};
    std::mutex random_mutex_;
    std::optional<std::mt19937_64> random_;
    bool delays_ = false;
};

Executor& executor();

}  // namespace cuprum::simulator::libcuda
