// How many numbers are in each of many ranges.
#pragma once

#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/multi_histogram_range.hpp"

namespace cuprum::parallel {

/// How many samples are in each of many bins, of which bin i has the numbers from level i up to, but not including,
/// level i + 1. What lies outside is not counted, nor are NaNs. Built for one kind of samples, and the types of the
/// levels and of the counts. Samples and levels are compared as HistogramEven compares them.
class HistogramRange {
public:
    /// `levels`: a number. `counters`: int32, uint32, int64 or uint64. Throws what Reduce throws.
    HistogramRange(const Iterator& samples, const Type& levels, const Type& counters = Type(TypeKind::int32),
                   const Execution& execution = {}, const BuildOptions& options = {});

    /// Writes `bins` counts, of 1 to 2^31 - 2. `levels`: `bins` + 1 of them, in ascending order, which is not checked.
    /// `histogram` may not overlap what is read. Needs no temporary storage.
    void operator()(core::StreamRef stream, const Input& samples, const Input& levels, const Output& histogram,
                    uint64_t bins, uint64_t count, const CallOptions& options = {}) const;

    const Type& level_type() const;
    const Type& counter_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    MultiHistogramRange histogram_;
};

// Over host memory, in one call: see host_memory.hpp.

/// Counts the samples in each of as many bins as `histogram` has elements: int32, uint32, int64 or uint64. There is one
/// level more.
void histogram_range(const HostInput& samples, const HostInput& levels, const HostOutput& histogram,
                     const Execution& execution = {});

template <core::HostRange Samples, core::HostRange Levels, core::WritableHostRange Counters>
void histogram_range(const Samples& samples, const Levels& levels, Counters&& histogram,
                     const Execution& execution = {}) {
    histogram_range(host_input(samples), host_input(levels), host_output(histogram), execution);
}

}  // namespace cuprum::parallel
