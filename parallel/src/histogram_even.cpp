#include "cuprum/parallel/histogram_even.hpp"

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

}  // namespace cuprum::parallel
