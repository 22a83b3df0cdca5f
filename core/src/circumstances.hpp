// What is out of the ordinary in this process, in one word: common paths read it once, and find nothing.
#pragma once

#include <atomic>
#include <cstdint>

namespace cuprum::core {

enum class Circumstance : uint32_t {
    exiting = 1,               // the process is
    forked = 2,                // this is a fork of the process that initialised the driver
    user_resource_chosen = 4,  // some device had a resource of the program's as its own at some time
    graph_being_built = 8,     // a GraphBuilder captures
    graphs_keep_memory = 16,   // closing a buffer may hand it over to one
};

inline constinit std::atomic<uint32_t> circumstances = 0;

// Whether one of them holds.
template <class... Each>
bool holds(Each... each) noexcept {
    return (circumstances.load(std::memory_order_relaxed) & (static_cast<uint32_t>(each) | ...)) != 0;
}

inline void set(Circumstance which, bool value) noexcept {
    if (value) {
        circumstances.fetch_or(static_cast<uint32_t>(which));
    } else {
        circumstances.fetch_and(~static_cast<uint32_t>(which));
    }
}

}  // namespace cuprum::core
