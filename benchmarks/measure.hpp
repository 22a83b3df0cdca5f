// Timing for the benchmarks: warm up, repeat, take the median.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace cuprum::benchmarks {

inline double now_microseconds() {
    using namespace std::chrono;
    return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// Microseconds per call of `call`, of `batches` batches of `calls` calls, with `between` after each batch (outside the
// measured time).
template <class Call, class Between>
std::vector<double> batches_of(int batches, int calls, Call call, Between between) {
    for (int i = 0; i < calls; ++i)
        call();
    between();
    std::vector<double> times;
    for (int batch = 0; batch < batches; ++batch) {
        const double begin = now_microseconds();
        for (int i = 0; i < calls; ++i)
            call();
        times.push_back((now_microseconds() - begin) / calls);
        between();
    }
    return times;
}

// The median of the batches.
template <class Call, class Between>
double microseconds_per_call(int batches, int calls, Call call, Between between) {
    return median(batches_of(batches, calls, call, between));
}

// Two calls side by side: their batches alternate, so that a clock that drifts changes both.
struct SideBySide {
    double first, second;  // microseconds per call, medians
    double ratio;          // the second one's time over the first one's, median of the batches
};
template <class First, class Second, class Between>
SideBySide side_by_side(int batches, int calls, First first, Second second, Between between) {
    const auto batch_of = [&](auto& call) {
        const double begin = now_microseconds();
        for (int i = 0; i < calls; ++i)
            call();
        const double time = (now_microseconds() - begin) / calls;
        between();
        return time;
    };
    batch_of(first);
    batch_of(second);
    std::vector<double> firsts, seconds, ratios;
    for (int batch = 0; batch < batches; ++batch) {
        firsts.push_back(batch_of(first));
        seconds.push_back(batch_of(second));
        ratios.push_back(seconds.back() / firsts.back());
    }
    return {median(std::move(firsts)), median(std::move(seconds)), median(std::move(ratios))};
}

// One row of the result table: tab-separated, so that it can be kept as it is.
inline void row(const char* name, double value, const char* unit, double ratio = 0, const char* against = "") {
    if (ratio > 0)
        std::printf("%s\t%.3f\t%s\t%.3f x %s\n", name, value, unit, ratio, against);
    else
        std::printf("%s\t%.3f\t%s\n", name, value, unit);
}

}  // namespace cuprum::benchmarks
