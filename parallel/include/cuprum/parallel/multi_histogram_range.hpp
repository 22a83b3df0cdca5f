// How many samples of each of several channels are in each of many ranges.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// Histograms of pixels, of which each is some samples one after another, one for each channel: of the first channels,
/// all in one sweep. Each has bins as HistogramRange has them. Built for one kind of samples, how many of them a pixel
/// has and how many are counted, and the types of the levels and of the counts.
class MultiHistogramRange {
public:
    static constexpr int32_t max_channels = 4;  ///< CUB's

    /// The first `active_channels` of 1 to 4 `channels` are counted. Throws InvalidArgument for other numbers, and what
    /// HistogramRange throws.
    MultiHistogramRange(const Iterator& samples, int32_t channels, int32_t active_channels, const Type& levels,
                        const Type& counters = Type(TypeKind::int32), const Execution& execution = {},
                        const BuildOptions& options = {});

    /// Of `count` pixels. There are as many numbers of bins as channels that are counted. `levels` has those of the
    /// first channel, one more than it has bins, and behind them those of the others; `histogram` gets the counts of
    /// the first channel's bins, and behind them those of the others. Needs no temporary storage. Throws what
    /// HistogramRange throws.
    void operator()(core::StreamRef stream, const Input& samples, const Input& levels, const Output& histogram,
                    std::span<const uint64_t> bins, uint64_t count, const CallOptions& options = {}) const;

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

/// Counts the samples of the first `bins.size()` of `channels` channels, each in so many bins: `levels` has the bounds
/// of the first channel's, one more than it has bins, in ascending order, which is not checked, and behind them those
/// of the others. `histogram`, int32, uint32, int64 or uint64, has as many elements as there are bins in all, in that
/// order.
void multi_histogram_range(const HostInput& samples, int32_t channels, std::span<const uint64_t> bins,
                           const HostInput& levels, const HostOutput& histogram, const Execution& execution = {});

template <core::HostRange Samples, core::HostRange Levels, core::WritableHostRange Counters>
void multi_histogram_range(const Samples& samples, int32_t channels, Counters&& histogram,
                           std::span<const uint64_t> bins, const Levels& levels, const Execution& execution = {}) {
    multi_histogram_range(host_input(samples), channels, bins, host_input(levels), host_output(histogram), execution);
}

}  // namespace cuprum::parallel
