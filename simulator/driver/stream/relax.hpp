// Looking again for a short while before sleeping: to wake a thread costs 5 to 50 us, the more the longer its core has
// been idle, and programs that launch small kernels one after the other would pay it for each.
#pragma once

#include <sched.h>

#include <chrono>

namespace cuprum::simulator::libcuda {

// Tells the CPU that the thread is only looking, so that the core's other thread runs.
inline void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

// Looks until `done()`, for 50 us at most; returns whether it is.
template <typename Done>
bool look_for_a_while(const Done& done) {
    constexpr std::chrono::microseconds longest{50};
    constexpr unsigned turns_between_yields = 64;  // about a microsecond
    const auto end = std::chrono::steady_clock::now() + longest;
    for (unsigned turn = 1; !done(); ++turn) {
        relax();
        if (turn % turns_between_yields != 0) continue;
        if (std::chrono::steady_clock::now() >= end) return done();
        // What is waited for may need this very core.
        ::sched_yield();
    }
    return true;
}

}  // namespace cuprum::simulator::libcuda
