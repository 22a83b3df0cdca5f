// The time of traced calls is the steady clock's, whatever it is read from.
#include "trace_time.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace cuprum::bindings::detail {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// Read between two readings of the steady clock, unless something interrupted this thread there.
void expect_steady_clocks_time(CounterClock& clock) {
    const Clock::time_point before = Clock::now();
    const Clock::time_point time = clock.now();
    const Clock::time_point after = Clock::now();
    if (after - before > 20us) return;
    EXPECT_GT(time, before - 2us);
    EXPECT_LT(time, after + 2us);
}

TEST(CounterClock, TellsTheSteadyClocksTimeFromTheFirstReadingOn) {
    CounterClock clock;
    for (const Clock::time_point end = Clock::now() + 100ms; Clock::now() < end;)
        expect_steady_clocks_time(clock);
}

TEST(CounterClock, TellsItAfterAPause) {
    CounterClock clock;
    for (const Clock::time_point end = Clock::now() + 25ms; Clock::now() < end;)
        clock.now();
    std::this_thread::sleep_for(50ms);
    for (int i = 0; i < 1000; ++i)
        expect_steady_clocks_time(clock);
}

TEST(CounterClock, DoesNotGoBack) {
    CounterClock clock;
    Clock::time_point last = clock.now();
    for (const Clock::time_point end = last + 50ms; last < end;) {
        const Clock::time_point time = clock.now();
        EXPECT_GE(time, last);
        last = time;
    }
}

TEST(TraceTime, IsOfEachThreadsOwnClock) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([] {
            for (const Clock::time_point end = Clock::now() + 30ms; Clock::now() < end;) {
                const Clock::time_point before = Clock::now();
                const Clock::time_point time = trace_time();
                const Clock::time_point after = Clock::now();
                if (after - before > 20us) continue;
                EXPECT_GT(time, before - 2us);
                EXPECT_LT(time, after + 2us);
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
}

}  // namespace
}  // namespace cuprum::bindings::detail
