#include "cuprum/parallel/histogram_even.hpp"

#include "over_arrays.hpp"

namespace cuprum::parallel {

HistogramEven::HistogramEven(const Iterator& samples, const Type& levels, const Type& counters,
                             const Execution& execution, const BuildOptions& options)
    : histogram_(samples, 1, 1, levels, counters, execution, options) {}

void HistogramEven::operator()(core::StreamRef stream, const Input& samples, const Output& histogram, uint64_t bins,
                               const Value& lower, const Value& upper, uint64_t count,
                               const CallOptions& options) const {
    histogram_(stream, samples, histogram, {&bins, 1}, {&lower, 1}, {&upper, 1}, count, options);
}

const Type& HistogramEven::sample_type() const {
    return histogram_.sample_type();
}
const Type& HistogramEven::level_type() const {
    return histogram_.level_type();
}
const Type& HistogramEven::counter_type() const {
    return histogram_.counter_type();
}

std::string HistogramEven::save() const {
    return histogram_.save();
}

void histogram_even(const HostInput& samples, const Value& lower, const Value& upper, const HostOutput& histogram,
                    const Execution& execution) {
    constexpr const char* operation = "making a histogram";
    const Execution target = runnable(operation, execution);
    require_same_type(operation, "upper bound", upper.type(), lower.type());
    const HistogramEven built = kept_or_built(
        CallKey("histogram_even", target).add(samples.type).add(lower.type()).add(histogram.type),
        [&] { return HistogramEven(Iterator::pointer(samples.type), lower.type(), histogram.type, target); });
    run_over_arrays(operation, {.read = {samples}, .written = {histogram}}, 0, nullptr, target,
                    [&](const core::StreamRef& stream, const std::vector<Input>& in, const std::vector<Output>& out,
                        const CallOptions& options) {
                        built(stream, in[0], out[0], histogram.count, lower, upper, samples.count, options);
                    });
}

}  // namespace cuprum::parallel
