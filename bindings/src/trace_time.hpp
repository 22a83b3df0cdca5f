// The time of what a trace shows. Not installed.
#pragma once

#include <chrono>
#include <cstdint>

namespace cuprum::bindings::detail {

/// std::chrono::steady_clock, told by the processor's counter where that counts at one rate: a trace reads the time
/// twice for each call, and the counter takes half as long. For the first 10 ms it is the clock itself that is read;
/// after that it is again once in 10 ms, so the two differ by well under a microsecond. Not thread-safe: one for each
/// thread.
class CounterClock {
public:
    using Clock = std::chrono::steady_clock;

    Clock::time_point now() noexcept;

private:
    Clock::time_point read_clock() noexcept;
    Clock::time_point time_at(std::uint64_t ticks) const noexcept;

    // When both were read, first and last, and the rate in between.
    std::uint64_t first_ticks_ = 0;
    Clock::time_point first_time_;
    std::uint64_t ticks_ = 0;
    Clock::time_point time_;
    double nanoseconds_per_tick_ = 0;
    std::uint64_t valid_for_ = 0;  // ticks from the last time on; 0: the rate is not known
};

/// By this thread's.
std::chrono::steady_clock::time_point trace_time() noexcept;

}  // namespace cuprum::bindings::detail
