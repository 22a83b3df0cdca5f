// The channels of a histogram: pixels are samples one after another, of which the first ones are counted.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "call.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "host_execution.hpp"

namespace cuprum::parallel {

inline void check_channels(const char* algorithm, int32_t channels, int32_t active, int32_t most) {
    if (channels >= 1 && channels <= most && active >= 1 && active <= channels) return;
    throw InvalidArgument(std::string("building ") + algorithm, "channels",
                          "there are " + std::to_string(channels) + ", of which " + std::to_string(active) +
                              " are counted; expected 1 to " + std::to_string(most) + ", and at most as many counted");
}

// That there is one for each channel that is counted.
inline void check_for_each_channel(const char* operation, const char* what, size_t given, int32_t active) {
    if (given == static_cast<size_t>(active)) return;
    throw InvalidArgument(operation, what,
                          std::to_string(given) + " given, and the algorithm was built for " + std::to_string(active) +
                              " channels that are counted");
}

// The samples of one channel, of what an algorithm was built for or is called with.
inline Iterator channel_of(const Iterator& samples, int32_t channels, int32_t channel) {
    return Iterator::strided(samples, channels, channel);
}
inline Iterator channel_of(const Iterator& built, const Input& given, int32_t channels, int32_t channel) {
    return channel_of(
        given.iterator() != nullptr ? *given.iterator() : Iterator::pointer(built.value_type(), given.address()),
        channels, channel);
}

}  // namespace cuprum::parallel
