// The threads that run streams.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <random>

namespace cuprum::simulator::libcuda {

class Stream;

// As many threads as there are streams with work: one that waits, for an event or in a host function, never keeps
// another stream from running. Threads are kept for the next stream; they are detached, and nothing waits for them when
// the process exits.
class Executor {
public:
    // Runs stream->drain() on some thread.
    void start(std::shared_ptr<Stream> stream);

    // From now on each piece of work is delayed by a pseudo-random time, often none, so that streams overtake one
    // another in ways that a program must allow for.
    void set_seed(uint64_t seed);
    void delay();

private:
    void serve();

    std::mutex mutex_;
    std::condition_variable wanted_;
    std::deque<std::shared_ptr<Stream>> waiting_;
    uint32_t idle_ = 0;
    std::mutex random_mutex_;
    std::optional<std::mt19937_64> random_;
    bool delays_ = false;
};

Executor& executor();

}  // namespace cuprum::simulator::libcuda
