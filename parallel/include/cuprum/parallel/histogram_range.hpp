// How many numbers are in each of many ranges.
#pragma once

#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
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

}  // namespace cuprum::parallel
