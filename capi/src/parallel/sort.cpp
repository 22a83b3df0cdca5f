#include "cuprum/parallel/merge_sort.hpp"
#include "cuprum/parallel/radix_sort.hpp"

#include <optional>

#include "algorithm_call.hpp"
#include "values.hpp"

using namespace cuprum::capi;
namespace parallel = cuprum::parallel;

static_assert(CUPRUM_SORT_ASCENDING == static_cast<int32_t>(parallel::SortOrder::ascending));
static_assert(CUPRUM_SORT_DESCENDING == static_cast<int32_t>(parallel::SortOrder::descending));

cuprum_status cuprum_parallel_radix_sort_build(cuprum_parallel_algorithm* algorithm_out,
                                               const cuprum_execution* execution, int32_t order, const char* keys,
                                               const char* values) {
    return run("cuprum_parallel_radix_sort_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const parallel::Execution target = read_execution(call, execution);
        const auto sort_order = read_choice<parallel::SortOrder>(call, "order", order, 2, "CUPRUM_SORT_* (0, 1)");
        *algorithm_out = give_algorithm(
            call, target,
            parallel::RadixSort(sort_order, read_type(call, "keys", keys), read_optional_type(values), target));
    });
}

cuprum_status cuprum_parallel_radix_sort_build_by_fields(cuprum_parallel_algorithm* algorithm_out,
                                                         const cuprum_execution* execution, const char* fields,
                                                         const char* keys, const char* values) {
    return run("cuprum_parallel_radix_sort_build_by_fields", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        call.require(fields, "fields");
        const parallel::Execution target = read_execution(call, execution);
        *algorithm_out = give_algorithm(
            call, target,
            parallel::RadixSort(fields, read_type(call, "keys", keys), read_optional_type(values), target));
    });
}

cuprum_status cuprum_parallel_merge_sort_build(cuprum_parallel_algorithm* algorithm_out,
                                               const cuprum_execution* execution, cuprum_parallel_operator compare,
                                               const char* keys, const char* values) {
    return run("cuprum_parallel_merge_sort_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const parallel::Execution target = read_execution(call, execution);
        const auto comes_before = call.use(compare, "compare");
        *algorithm_out = give_algorithm(
            call, target,
            parallel::MergeSort(comes_before->op, read_type(call, "keys", keys), read_optional_type(values), target));
    });
}

cuprum_status cuprum_parallel_sort(cuprum_parallel_algorithm algorithm, cuprum_stream stream, uint64_t keys_in,
                                   uint64_t keys_target, uint64_t values_in, uint64_t values_target, uint64_t count,
                                   int32_t begin_bit, int32_t end_bit, cuprum_parallel_operator op, uint64_t storage,
                                   uint64_t storage_size) {
    return run("cuprum_parallel_sort", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const StreamOfCall in_stream(call, *built, stream);
        const Options options(call, in_stream, op, storage, storage_size);
        if (const auto* const merge = built->get_if<parallel::MergeSort>()) {
            if (begin_bit != 0 || end_bit != 0) call.refuse("begin_bit", "and end_bit are for a radix sort");
            if (merge->value_type()) {
                (*merge)(in_stream.get(), keys_in, keys_target, values_in, values_target, count, options.get());
            } else {
                (*merge)(in_stream.get(), keys_in, keys_target, count, options.get());
            }
            return;
        }
        const auto& radix = expect<parallel::RadixSort>(call, built, "a radix or merge sort");
        parallel::BitRange bits{begin_bit};
        if (end_bit != 0) bits.end = end_bit;
        if (radix.value_type()) {
            radix(in_stream.get(), keys_in, keys_target, values_in, values_target, count, bits, options.get());
        } else {
            radix(in_stream.get(), keys_in, keys_target, count, bits, options.get());
        }
    });
}

cuprum_status cuprum_parallel_radix_sort_between(int32_t* is_alternate_out, cuprum_parallel_algorithm algorithm,
                                                 cuprum_stream stream, uint64_t keys_current, uint64_t keys_alternate,
                                                 uint64_t values_current, uint64_t values_alternate, uint64_t count,
                                                 int32_t begin_bit, int32_t end_bit, uint64_t storage,
                                                 uint64_t storage_size) {
    return run("cuprum_parallel_radix_sort_between", [&](const Call& call) {
        call.require(is_alternate_out, "is_alternate_out");
        const auto built = call.use(algorithm, "algorithm");
        const auto& radix = expect<parallel::RadixSort>(call, built, "a radix sort");
        const StreamOfCall in_stream(call, *built, stream);
        const Options options(call, in_stream, nullptr, storage, storage_size);
        parallel::BitRange bits{begin_bit};
        if (end_bit != 0) bits.end = end_bit;
        parallel::DoubleBuffer keys(keys_current, keys_alternate), values(values_current, values_alternate);
        if (radix.value_type()) {
            radix(in_stream.get(), keys, values, count, bits, options.get());
        } else {
            radix(in_stream.get(), keys, count, bits, options.get());
        }
        *is_alternate_out = keys.selector();
    });
}

cuprum_status cuprum_parallel_radix_sort_between_storage_bytes(uint64_t* bytes_out, cuprum_parallel_algorithm algorithm,
                                                               uint64_t count) {
    return run("cuprum_parallel_radix_sort_between_storage_bytes", [&](const Call& call) {
        call.require(bytes_out, "bytes_out");
        const auto built = call.use(algorithm, "algorithm");
        *bytes_out = expect<parallel::RadixSort>(call, built, "a radix sort").double_buffer_storage_bytes(count);
    });
}

cuprum_status cuprum_parallel_sort_array(const cuprum_execution* execution, const char* keys_type, void* keys,
                                         uint64_t keys_size, const char* values_type, void* values,
                                         uint64_t values_size, int32_t order, cuprum_parallel_operator compare) {
    return run("cuprum_parallel_sort_array", [&](const Call& call) {
        const auto sort_order = read_choice<parallel::SortOrder>(call, "order", order, 2, "CUPRUM_SORT_* (0, 1)");
        const parallel::HostOutput sorted =
            host_output(call, "keys", read_type(call, "keys_type", keys_type), keys, keys_size);
        std::optional<parallel::HostOutput> moved;
        if (const std::optional<parallel::Type> type = read_optional_type(values_type)) {
            moved = host_output(call, "values", *type, values, values_size);
        }
        if (compare == nullptr) {
            parallel::sort(sorted, moved, sort_order, read_execution(call, execution));
        } else {
            const auto comes_before = call.use(compare, "compare");
            parallel::sort(sorted, moved, comes_before->op, read_execution(call, execution));
        }
    });
}

cuprum_status cuprum_parallel_sort_array_to(void* keys_target, uint64_t keys_target_size, void* values_target,
                                            uint64_t values_target_size, const cuprum_execution* execution,
                                            const char* keys_type, const void* keys, uint64_t keys_size,
                                            const char* values_type, const void* values, uint64_t values_size,
                                            int32_t order, cuprum_parallel_operator compare) {
    return run("cuprum_parallel_sort_array_to", [&](const Call& call) {
        const auto sort_order = read_choice<parallel::SortOrder>(call, "order", order, 2, "CUPRUM_SORT_* (0, 1)");
        const parallel::Type type = read_type(call, "keys_type", keys_type);
        const parallel::HostInput unsorted = host_input(call, "keys", type, keys, keys_size);
        const parallel::HostOutput sorted = host_output(call, "keys_target", type, keys_target, keys_target_size);
        std::optional<parallel::HostInput> still;
        std::optional<parallel::HostOutput> moved;
        if (const std::optional<parallel::Type> of_values = read_optional_type(values_type)) {
            still = host_input(call, "values", *of_values, values, values_size);
            moved = host_output(call, "values_target", *of_values, values_target, values_target_size);
        }
        if (compare == nullptr) {
            parallel::sort(unsorted, sorted, still, moved, sort_order, read_execution(call, execution));
        } else {
            const auto comes_before = call.use(compare, "compare");
            parallel::sort(unsorted, sorted, still, moved, comes_before->op, read_execution(call, execution));
        }
    });
}
