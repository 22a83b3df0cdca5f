#include "cuprum/parallel/segmented_sort.hpp"

#include "algorithm_call.hpp"
#include "values.hpp"

using namespace cuprum::capi;
namespace parallel = cuprum::parallel;

cuprum_status cuprum_parallel_segmented_sort_build(cuprum_parallel_algorithm* algorithm_out,
                                                   const cuprum_execution* execution, int32_t order, const char* keys,
                                                   const char* values, const char* offsets) {
    return run("cuprum_parallel_segmented_sort_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const parallel::Execution target = read_execution(call, execution);
        const auto sort_order = read_choice<parallel::SortOrder>(call, "order", order, 2, "CUPRUM_SORT_* (0, 1)");
        *algorithm_out = give_algorithm(
            call, target,
            parallel::SegmentedSort(sort_order, read_type(call, "keys", keys), read_optional_type(values),
                                    read_type(call, "offsets", offsets), target));
    });
}

cuprum_status cuprum_parallel_segmented_sort(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                             uint64_t keys_in, uint64_t keys_target, uint64_t values_in,
                                             uint64_t values_target, uint64_t count, uint64_t segments, uint64_t begins,
                                             uint64_t ends, uint64_t storage, uint64_t storage_size) {
    return run("cuprum_parallel_segmented_sort", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const auto& sort = expect<parallel::SegmentedSort>(call, built, "segmented sort");
        const StreamOfCall in_stream(call, *built, stream);
        const Options options(call, in_stream, nullptr, storage, storage_size);
        if (sort.value_type()) {
            sort(in_stream.get(), keys_in, keys_target, values_in, values_target, count, segments, begins, ends,
                 options.get());
        } else {
            sort(in_stream.get(), keys_in, keys_target, count, segments, begins, ends, options.get());
        }
    });
}
