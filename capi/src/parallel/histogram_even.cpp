#include "cuprum/parallel/histogram_even.hpp"

#include "algorithm_call.hpp"
#include "values.hpp"

using namespace cuprum::capi;
namespace parallel = cuprum::parallel;

cuprum_status cuprum_parallel_histogram_even_build(cuprum_parallel_algorithm* algorithm_out,
                                                   const cuprum_execution* execution, cuprum_parallel_iterator samples,
                                                   const char* levels, const char* counters) {
    return run("cuprum_parallel_histogram_even_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const parallel::Execution target = read_execution(call, execution);
        const auto elements = call.use(samples, "samples");
        *algorithm_out = give_algorithm(call, target,
                                        parallel::HistogramEven(elements->iterator, read_type(call, "levels", levels),
                                                                read_type(call, "counters", counters), target));
    });
}

cuprum_status cuprum_parallel_histogram_even(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                             cuprum_parallel_iterator samples, uint64_t histogram, uint64_t bins,
                                             const void* lower, uint64_t lower_size, const void* upper,
                                             uint64_t upper_size, uint64_t count) {
    return run("cuprum_parallel_histogram_even", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const auto& histogram_even = expect<parallel::HistogramEven>(call, built, "histogram");
        const StreamOfCall in_stream(call, *built, stream);
        const auto elements = call.use(samples, "samples");
        const Options options(call, in_stream, nullptr, 0, 0);
        const parallel::Type& level = histogram_even.level_type();
        histogram_even(in_stream.get(), elements->iterator, histogram, bins,
                       read_value(call, "lower", level, lower, lower_size),
                       read_value(call, "upper", level, upper, upper_size), count, options.get());
    });
}
