// What each language measures of calls of built algorithms: host time, asynchronous, over so few elements that the
// device's time hides behind it; the fastest of many batches, which is what a call costs when nothing disturbs it and
// the languages that compile at run time have done so. built_calls.py has the table.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "../measure.hpp"

namespace cuprum::benchmarks {

constexpr uint64_t element_count = 1024;

template <class Call, class Between>
void print_built_call(const char* name, Call call, Between between) {
    constexpr int batches = 81;
    constexpr int calls = 200;
    const std::vector<double> times = batches_of(batches, calls, call, between);
    std::printf("%s\t%.3f\n", name, *std::min_element(times.begin(), times.end()));
}

}  // namespace cuprum::benchmarks
