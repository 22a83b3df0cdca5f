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

namespace cuprum::simulator::libcuda {

// As many threads as there are tasks: streams with work, branches of running graphs. One that waits, for an event or in
// a host function, never keeps another from running. Threads are kept for the next task; they are detached, and nothing
// waits for them when the process exits.
class Executor {
public:
    // Runs the task on some thread.
    void start(std::function<void()> task);

    // What is drawn for: the work's place in a stream, the step's in a launch of a graph. The same place has the same
    // lot in every run of a program with the same seed, whatever its threads do meanwhile.
    struct Place {
        enum class Kind : uint8_t { stream, graph } kind;
        uint64_t number;    // of the stream, of the launch
        uint64_t position;  // in it
    };

    // From now on work is put off by pseudo-random times, often not at all, so that streams overtake one another and
    // the host overtakes them, in ways that a program must allow for. To be called before there is any work.
    void set_seed(uint64_t seed) { seed_ = seed; }
    // How long to put off a piece of work. `held`: perhaps for so long that only somebody who waits for the work should
    // end it.
    std::chrono::microseconds draw_pause(const Place& place, bool* held) const;
    // Puts off a piece of work, but not for so long.
    void delay(const Place& place) const;
    // A number below `count` > 0: from the seed where there is one, else 0.
    size_t choose(const Place& place, size_t count) const;

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
    std::optional<uint64_t> seed_;
};

Executor& executor();

}  // namespace cuprum::simulator::libcuda
