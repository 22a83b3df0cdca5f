#include "cuprum/parallel/histogram_range.hpp"

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

}  // namespace cuprum::parallel
