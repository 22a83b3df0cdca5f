#include "trace_time.hpp"

#include <algorithm>
#include <cmath>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace cuprum::bindings::detail {

namespace {

using namespace std::chrono_literals;
using Nanoseconds = std::chrono::duration<double, std::nano>;

constexpr auto between_readings = 10ms;

#if defined(__x86_64__)
std::uint64_t ticks_now() noexcept {
    return __builtin_ia32_rdtsc();
}

// "TscInvariant": at one rate in all of the processor's states (AMD64 Architecture Programmer's Manual, volume 3, CPUID
// Fn8000_0007_EDX bit 8; Intel's manual, volume 3, "Invariant TSC").
bool counts_at_one_rate() noexcept {
    unsigned int eax = 0;
    unsigned int ebx = 0;
    unsigned int ecx = 0;
    unsigned int edx = 0;
    return __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) != 0 && (edx & (1U << 8)) != 0;
}
#else
std::uint64_t ticks_now() noexcept {
    return 0;
}

bool counts_at_one_rate() noexcept {
    return false;
}
#endif

struct Reading {
    std::uint64_t ticks = 0;
    std::chrono::steady_clock::time_point time;
};

// Of both at once: of three the one that took least, since this thread may be interrupted in between.
Reading read_both() noexcept {
    Reading best;
    std::uint64_t least = UINT64_MAX;
    for (int i = 0; i < 3; ++i) {
        const std::uint64_t before = ticks_now();
        const std::chrono::steady_clock::time_point time = std::chrono::steady_clock::now();
        const std::uint64_t took = ticks_now() - before;
        if (took >= least) continue;
        least = took;
        best = {before + took / 2, time};
    }
    return best;
}

constinit thread_local CounterClock clock_of_thread;

}  // namespace

CounterClock::Clock::time_point CounterClock::now() noexcept {
    const std::uint64_t ticks = ticks_now();
    if (ticks - ticks_ < valid_for_) [[likely]]
        return time_at(ticks);
    return read_clock();
}

CounterClock::Clock::time_point CounterClock::time_at(std::uint64_t ticks) const noexcept {
    const double passed = static_cast<double>(ticks - ticks_) * nanoseconds_per_tick_;
    return time_ + std::chrono::nanoseconds(static_cast<std::int64_t>(passed));
}

CounterClock::Clock::time_point CounterClock::read_clock() noexcept {
    static const bool has_counter = counts_at_one_rate();
    if (!has_counter) return Clock::now();
    const auto [ticks, time] = read_both();
    // Where the rate has not held, as when the machine was suspended or moved, it is measured anew.
    const Clock::time_point told = time_at(ticks);
    const auto has_held = [&] {
        constexpr double tolerance = 1e-4;
        constexpr double reading = 1000;  // nanoseconds: this thread may have been interrupted all the same
        return std::abs(Nanoseconds(told - time).count()) <= tolerance * Nanoseconds(time - time_).count() + reading;
    };
    if (first_ticks_ == 0 || (valid_for_ != 0 && !has_held())) {
        *this = {};
        first_ticks_ = ticks;
        first_time_ = time;
        return time;
    }
    if (time - first_time_ < between_readings) return time;
    nanoseconds_per_tick_ = Nanoseconds(time - first_time_).count() / static_cast<double>(ticks - first_ticks_);
    // Never earlier than a time that it has already given.
    time_ = valid_for_ == 0 ? time : std::max(time, told);
    ticks_ = ticks;
    valid_for_ = static_cast<std::uint64_t>(Nanoseconds(between_readings).count() / nanoseconds_per_tick_);
    return time_;
}

std::chrono::steady_clock::time_point trace_time() noexcept {
    return clock_of_thread.now();
}

}  // namespace cuprum::bindings::detail
