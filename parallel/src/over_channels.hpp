// The calls over host memory of histograms of several channels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cuprum/pathfinder/error.hpp"
#include "over_arrays.hpp"

namespace cuprum::parallel {

// The histogram of the first channels, as many as there are numbers of bins: built, or kept by the call `name`.
template <class Histogram>
Histogram histogram_of_channels(const char* name, const HostInput& samples, int32_t channels,
                                std::span<const uint64_t> bins, const Type& levels, const Type& counters,
                                const Execution& target) {
    const auto active = static_cast<int32_t>(std::min<size_t>(bins.size(), INT32_MAX));
    return kept_or_built(
        CallKey(name, target).add(samples.type).add(channels).add(active).add(levels).add(counters),
        [&] { return Histogram(Iterator::pointer(samples.type), channels, active, levels, counters, target); });
}

// How many pixels so many samples are, of at least one channel. Throws InvalidArgument for samples left over.
inline uint64_t require_pixels(const char* operation, uint64_t samples, int32_t channels) {
    const auto each = static_cast<uint64_t>(channels);
    if (samples % each == 0) return samples / each;
    throw InvalidArgument(operation, "samples",
                          "there are " + std::to_string(samples) + ", expected a multiple of the " +
                              std::to_string(channels) + " that a pixel has");
}

// Throws InvalidArgument unless there is a counter for each bin of all channels.
inline void require_counters(const char* operation, std::span<const uint64_t> bins, uint64_t counters) {
    uint64_t left = counters;
    const bool has_room = std::ranges::all_of(bins, [&](uint64_t each) {
        if (each > left) return false;
        left -= each;
        return true;
    });
    if (has_room && left == 0) return;
    throw InvalidArgument(
        operation, "histogram",
        "it has " + std::to_string(counters) + " elements, expected one for each bin of the channels");
}

// The bounds, one for each channel.
inline std::vector<Value> values_of(const char* operation, const HostInput& bounds) {
    require_memory(operation, bounds);
    std::vector<Value> values;
    values.reserve(bounds.count);
    for (uint64_t i = 0; i < bounds.count; ++i)
        values.emplace_back(bounds.type, static_cast<const std::byte*>(bounds.data) + i * bounds.type.size());
    return values;
}

}  // namespace cuprum::parallel
