#include "cuprum/parallel/histogram_range.hpp"

#include "cuprum/pathfinder/error.hpp"
#include "over_arrays.hpp"

namespace cuprum::parallel {

HistogramRange::HistogramRange(const Iterator& samples, const Type& levels, const Type& counters,
                               const Execution& execution, const BuildOptions& options)
    : histogram_(samples, 1, 1, levels, counters, execution, options) {}

void HistogramRange::operator()(core::StreamRef stream, const Input& samples, const Input& levels,
                                const Output& histogram, uint64_t bins, uint64_t count,
                                const CallOptions& options) const {
    histogram_(stream, samples, levels, histogram, {&bins, 1}, count, options);
}

const Type& HistogramRange::level_type() const {
    return histogram_.level_type();
}

const Type& HistogramRange::counter_type() const {
    return histogram_.counter_type();
}

std::string HistogramRange::save() const {
    return histogram_.save();
}

void histogram_range(const HostInput& samples, const HostInput& levels, const HostOutput& histogram,
                     const Execution& execution) {
    constexpr const char* operation = "making a histogram of ranges";
    const Execution target = runnable(operation, execution);
    if (levels.count != histogram.count + 1) {
        throw InvalidArgument(operation, "levels",
                              "there are " + std::to_string(levels.count) + " for " + std::to_string(histogram.count) +
                                  " bins, expected one more than bins");
    }
    const HistogramRange built = kept_or_built(
        CallKey("histogram_range", target).add(samples.type).add(levels.type).add(histogram.type),
        [&] { return HistogramRange(Iterator::pointer(samples.type), levels.type, histogram.type, target); });
    run_over_arrays(operation, {.read = {samples, levels}, .written = {histogram}}, 0, nullptr, target,
                    [&](const core::StreamRef& stream, const std::vector<Input>& in, const std::vector<Output>& out,
                        const CallOptions& options) {
                        built(stream, in[0], in[1], out[0], histogram.count, samples.count, options);
                    });
}

}  // namespace cuprum::parallel
