#include <vector>

#include "algorithm_call.hpp"
#include "cuprum/parallel/multi_histogram_even.hpp"
#include "cuprum/parallel/multi_histogram_range.hpp"
#include "values.hpp"

using namespace cuprum::capi;
namespace parallel = cuprum::parallel;

namespace {

// An array with a value for each channel. C++ says how many there have to be.
std::vector<parallel::Value> read_values(const Call& call, const char* parameter, const parallel::Type& type,
                                         const void* data, uint64_t size) {
    const uint64_t count = element_count(call, parameter, type, data, size);
    std::vector<parallel::Value> values;
    values.reserve(count);
    for (uint64_t i = 0; i < count; ++i)
        values.emplace_back(type, static_cast<const std::byte*>(data) + i * type.size());
    return values;
}

template <class Histogram>
void build(const Call& call, cuprum_parallel_algorithm* algorithm_out, const cuprum_execution* execution,
           cuprum_parallel_iterator samples, int32_t channels, int32_t active_channels, const char* levels,
           const char* counters) {
    call.require(algorithm_out, "algorithm_out");
    const parallel::Execution target = read_execution(call, execution);
    const auto elements = call.use(samples, "samples");
    *algorithm_out =
        give_algorithm(call, target,
                       Histogram(elements->iterator, channels, active_channels, read_type(call, "levels", levels),
                                 read_type(call, "counters", counters), target));
}

}  // namespace

cuprum_status cuprum_parallel_multi_histogram_even_build(cuprum_parallel_algorithm* algorithm_out,
                                                         const cuprum_execution* execution,
                                                         cuprum_parallel_iterator samples, int32_t channels,
                                                         int32_t active_channels, const char* levels,
                                                         const char* counters) {
    return run("cuprum_parallel_multi_histogram_even_build", [&](const Call& call) {
        build<parallel::MultiHistogramEven>(call, algorithm_out, execution, samples, channels, active_channels, levels,
                                            counters);
    });
}

cuprum_status cuprum_parallel_multi_histogram_even(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                   cuprum_parallel_iterator samples, uint64_t histogram,
                                                   const void* bins, uint64_t bins_size, const void* lower,
                                                   uint64_t lower_size, const void* upper, uint64_t upper_size,
                                                   uint64_t count) {
    return run("cuprum_parallel_multi_histogram_even", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const auto& histograms = expect<parallel::MultiHistogramEven>(call, built, "a histogram of several channels");
        const StreamOfCall in_stream(call, *built, stream);
        const auto elements = call.use(samples, "samples");
        const Options options(call, in_stream, nullptr, 0, 0);
        const parallel::Type& level = histograms.level_type();
        histograms(in_stream.get(), elements->iterator, histogram, read_numbers(call, "bins", bins, bins_size),
                   read_values(call, "lower", level, lower, lower_size),
                   read_values(call, "upper", level, upper, upper_size), count, options.get());
    });
}

cuprum_status cuprum_parallel_multi_histogram_range_build(cuprum_parallel_algorithm* algorithm_out,
                                                          const cuprum_execution* execution,
                                                          cuprum_parallel_iterator samples, int32_t channels,
                                                          int32_t active_channels, const char* levels,
                                                          const char* counters) {
    return run("cuprum_parallel_multi_histogram_range_build", [&](const Call& call) {
        build<parallel::MultiHistogramRange>(call, algorithm_out, execution, samples, channels, active_channels, levels,
                                             counters);
    });
}

cuprum_status cuprum_parallel_multi_histogram_range(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                    cuprum_parallel_iterator samples, uint64_t levels_in,
                                                    uint64_t histogram, const void* bins, uint64_t bins_size,
                                                    uint64_t count) {
    return run("cuprum_parallel_multi_histogram_range", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const auto& histograms =
            expect<parallel::MultiHistogramRange>(call, built, "a histogram of ranges of several channels");
        const StreamOfCall in_stream(call, *built, stream);
        const auto elements = call.use(samples, "samples");
        const Options options(call, in_stream, nullptr, 0, 0);
        histograms(in_stream.get(), elements->iterator, levels_in, histogram,
                   read_numbers(call, "bins", bins, bins_size), count, options.get());
    });
}
