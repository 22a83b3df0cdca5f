// How many samples of each of several channels are in each of many bins.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// Histograms of pixels, of which each is some samples one after another, one for each channel (red, green, blue and
/// alpha): of the first channels, all in one sweep. Each has bins of one width, as HistogramEven has them. Built for
/// one kind of samples, how many of them a pixel has and how many are counted, the type of the bounds, and that of the
/// counters.
class MultiHistogramEven {
public:
    static constexpr int32_t max_channels = 4;  ///< CUB's

    /// The first `active_channels` of 1 to 4 `channels` are counted. Throws InvalidArgument for other numbers, and what
    /// HistogramEven throws.
    MultiHistogramEven(const Iterator& samples, int32_t channels, int32_t active_channels, const Type& levels,
                       const Type& counters = Type(TypeKind::uint32), const Execution& execution = {},
                       const BuildOptions& options = {});

    /// Of `count` pixels. There are as many numbers of bins, and lower and upper bounds, as channels that are counted;
    /// `histogram` gets the counts of the first channel's bins, and behind them those of the others. Needs no temporary
    /// storage. Throws what HistogramEven throws.
    void operator()(core::StreamRef stream, const Input& samples, const Output& histogram,
                    std::span<const uint64_t> bins, std::span<const Value> lower, std::span<const Value> upper,
                    uint64_t count, const CallOptions& options = {}) const;

    const Type& sample_type() const;
    const Type& level_type() const;
    const Type& counter_type() const;
    int32_t active_channels() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// Counts the samples of the first `bins.size()` of `channels` channels, each in so many bins, which divide the numbers
/// from its lower up to, but not including, its upper bound. `histogram`, int32, uint32, int64 or uint64, has as many
/// elements as there are bins in all: those of the first channel, and behind them those of the others.
void multi_histogram_even(const HostInput& samples, int32_t channels, std::span<const uint64_t> bins,
                          const HostInput& lower, const HostInput& upper, const HostOutput& histogram,
                          const Execution& execution = {});

template <core::HostRange Samples, core::HostRange Levels, core::WritableHostRange Counters>
void multi_histogram_even(const Samples& samples, int32_t channels, Counters&& histogram,
                          std::span<const uint64_t> bins, const Levels& lower, const Levels& upper,
                          const Execution& execution = {}) {
    multi_histogram_even(host_input(samples), channels, bins, host_input(lower), host_input(upper),
                         host_output(histogram), execution);
}

}  // namespace cuprum::parallel
