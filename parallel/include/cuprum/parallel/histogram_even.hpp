// How many samples are in each of many bins.
#pragma once

#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/multi_histogram_even.hpp"
#include "cuprum/parallel/value.hpp"

namespace cuprum::parallel {

/// A histogram over bins of one width: those that divide [lower, upper) evenly. What lies outside is not counted, nor
/// are NaNs. Samples are numbers. Built for one kind of samples, the type of the bounds, and that of the counters.
class HistogramEven {
public:
    /// `levels`: the type of the bounds, a number. Sample and bounds are compared in the type that C++ has for both,
    /// and 16-bit floating-point numbers as float32. `counters`: int32, uint32, int64 or uint64. Throws InvalidArgument
    /// for samples or bounds that are structs, complex or bool, and what Reduce throws.
    HistogramEven(const Iterator& samples, const Type& levels, const Type& counters = Type(TypeKind::uint32),
                  const Execution& execution = {}, const BuildOptions& options = {});

    /// Writes a count for each of `bins` bins, of which bin i is [lower + i * width, lower + (i + 1) * width) with
    /// width = (upper - lower) / bins; the quotient is rounded where the type is. Needs no temporary storage. Throws
    /// InvalidArgument unless 1 <= bins < 2^31 and lower < upper, and for integers of 64 bits where
    /// bins * (upper - lower) exceeds 2^64.
    void operator()(core::StreamRef stream, const Input& samples, const Output& histogram, uint64_t bins,
                    const Value& lower, const Value& upper, uint64_t count, const CallOptions& options = {}) const;

    const Type& sample_type() const;
    const Type& level_type() const;
    const Type& counter_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    MultiHistogramEven histogram_;
};

// Over host memory, in one call: see host_memory.hpp.

/// Counts the samples in each of as many bins as `histogram` has elements: int32, uint32, int64 or uint64.
void histogram_even(const HostInput& samples, const Value& lower, const Value& upper, const HostOutput& histogram,
                    const Execution& execution = {});

template <core::HostRange Samples, core::WritableHostRange Counters, class Level>
void histogram_even(const Samples& samples, Counters&& histogram, const Level& lower, const Level& upper,
                    const Execution& execution = {}) {
    histogram_even(host_input(samples), Value(lower), Value(upper), host_output(histogram), execution);
}

}  // namespace cuprum::parallel
