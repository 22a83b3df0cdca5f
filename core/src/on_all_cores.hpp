// Work on several things that have nothing to do with each other.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace cuprum::core {

// Calls work(index) for each index below `count`, at once on as many threads as there are cores, this one among them.
// `work` must not throw.
template <class Work>
void on_all_cores(size_t count, const Work& work) {
    std::atomic<size_t> next{0};
    const auto take_turns = [&] {
        for (size_t index = next++; index < count; index = next++)
            work(index);
    };
    const size_t cores = std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::jthread> others;
    try {
        while (others.size() + 1 < std::min(cores, count))
            others.emplace_back(take_turns);
    } catch (const std::system_error&) {
        // No more threads to be had: those that there are do it all.
    }
    take_turns();
}

}  // namespace cuprum::core
