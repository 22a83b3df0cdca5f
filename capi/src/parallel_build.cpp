// Operators, iterators, and building algorithms.
#include <string>
#include <utility>

#include "cuprum/capi/parallel.h"
#include "parallel_values.hpp"

using namespace cuprum::capi;
namespace parallel = cuprum::parallel;

namespace {

static_assert(CUPRUM_SCAN_EXCLUSIVE == static_cast<int32_t>(parallel::ScanKind::exclusive));
static_assert(CUPRUM_SCAN_INCLUSIVE == static_cast<int32_t>(parallel::ScanKind::inclusive));
static_assert(CUPRUM_SCAN_INCLUSIVE_WITH_INIT == static_cast<int32_t>(parallel::ScanKind::inclusive_with_init));
static_assert(CUPRUM_SORT_ASCENDING == static_cast<int32_t>(parallel::SortOrder::ascending));
static_assert(CUPRUM_SORT_DESCENDING == static_cast<int32_t>(parallel::SortOrder::descending));
static_assert(CUPRUM_ARG_MINIMUM == static_cast<int32_t>(parallel::ArgKind::minimum));
static_assert(CUPRUM_EXECUTION_DEVICE == static_cast<int32_t>(parallel::Execution::Kind::device));
static_assert(CUPRUM_EXECUTION_HOST == static_cast<int32_t>(parallel::Execution::Kind::host));
static_assert(CUPRUM_EXECUTION_AHEAD_OF_TIME == static_cast<int32_t>(parallel::Execution::Kind::ahead_of_time));
static_assert(CUPRUM_ARG_MAXIMUM == static_cast<int32_t>(parallel::ArgKind::maximum));

template <class Algorithm>
cuprum_parallel_algorithm give_algorithm(const Call& call, const parallel::Execution& target, Algorithm algorithm) {
    return call.give<cuprum_parallel_algorithm>(AlgorithmObject{std::move(algorithm), target.is_host()});
}

}  // namespace

cuprum_status cuprum_parallel_operator_create(cuprum_parallel_operator* operator_out, const char* text,
                                              const char* state_type, const void* state, uint64_t state_size) {
    return run("cuprum_parallel_operator_create", [&](const Call& call) {
        call.require(operator_out, "operator_out");
        call.require(text, "text");
        const std::optional<parallel::Type> type = read_optional_type(state_type);
        *operator_out = call.give<cuprum_parallel_operator>(OperatorObject{
            type ? parallel::Operator(std::string(text), read_value(call, "state", *type, state, state_size))
                 : parallel::Operator(std::string(text))});
    });
}

cuprum_status cuprum_parallel_operator_destroy(cuprum_parallel_operator op) {
    return run("cuprum_parallel_operator_destroy", [&](const Call& call) { call.destroy(op, "op"); });
}

cuprum_status cuprum_parallel_iterator_pointer(cuprum_parallel_iterator* iterator_out, const char* type,
                                               uint64_t address) {
    return run("cuprum_parallel_iterator_pointer", [&](const Call& call) {
        call.require(iterator_out, "iterator_out");
        *iterator_out = call.give<cuprum_parallel_iterator>(
            IteratorObject{parallel::Iterator::pointer(read_type(call, "type", type), address)});
    });
}

cuprum_status cuprum_parallel_iterator_constant(cuprum_parallel_iterator* iterator_out, const char* type,
                                                const void* value, uint64_t value_size) {
    return run("cuprum_parallel_iterator_constant", [&](const Call& call) {
        call.require(iterator_out, "iterator_out");
        *iterator_out = call.give<cuprum_parallel_iterator>(IteratorObject{
            parallel::Iterator::constant(read_value(call, "value", read_type(call, "type", type), value, value_size))});
    });
}

cuprum_status cuprum_parallel_iterator_counting(cuprum_parallel_iterator* iterator_out, const char* type,
                                                const void* start, uint64_t start_size) {
    return run("cuprum_parallel_iterator_counting", [&](const Call& call) {
        call.require(iterator_out, "iterator_out");
        *iterator_out = call.give<cuprum_parallel_iterator>(IteratorObject{
            parallel::Iterator::counting(read_value(call, "start", read_type(call, "type", type), start, start_size))});
    });
}

cuprum_status cuprum_parallel_iterator_transform(cuprum_parallel_iterator* iterator_out, cuprum_parallel_iterator base,
                                                 cuprum_parallel_operator op, const char* result_type) {
    return run("cuprum_parallel_iterator_transform", [&](const Call& call) {
        call.require(iterator_out, "iterator_out");
        const auto elements = call.use(base, "base");
        const auto function = call.use(op, "op");
        *iterator_out = call.give<cuprum_parallel_iterator>(IteratorObject{parallel::Iterator::transform(
            elements->iterator, function->op, read_type(call, "result_type", result_type))});
    });
}

cuprum_status cuprum_parallel_iterator_destroy(cuprum_parallel_iterator iterator) {
    return run("cuprum_parallel_iterator_destroy", [&](const Call& call) { call.destroy(iterator, "iterator"); });
}

cuprum_status cuprum_parallel_reduce_build(cuprum_parallel_algorithm* algorithm_out, const cuprum_execution* execution,
                                           cuprum_parallel_iterator input, cuprum_parallel_operator op,
                                           const char* accumulator) {
    return run("cuprum_parallel_reduce_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const parallel::Execution target = read_execution(call, execution);
        const auto elements = call.use(input, "input");
        const auto combine = call.use(op, "op");
        *algorithm_out = give_algorithm(
            call, target,
            parallel::Reduce(elements->iterator, combine->op, read_type(call, "accumulator", accumulator), target));
    });
}

cuprum_status cuprum_parallel_scan_build(cuprum_parallel_algorithm* algorithm_out, const cuprum_execution* execution,
                                         int32_t kind, cuprum_parallel_iterator input, cuprum_parallel_operator op,
                                         const char* accumulator) {
    return run("cuprum_parallel_scan_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const parallel::Execution target = read_execution(call, execution);
        const auto scan_kind = read_choice<parallel::ScanKind>(call, "kind", kind, 3, "CUPRUM_SCAN_* (0 to 2)");
        const auto elements = call.use(input, "input");
        const auto combine = call.use(op, "op");
        *algorithm_out = give_algorithm(call, target,
                                        parallel::Scan(scan_kind, elements->iterator, combine->op,
                                                       read_type(call, "accumulator", accumulator), target));
    });
}

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

cuprum_status cuprum_parallel_transform_build(cuprum_parallel_algorithm* algorithm_out,
                                              const cuprum_execution* execution, cuprum_parallel_iterator first,
                                              cuprum_parallel_iterator second, cuprum_parallel_operator op,
                                              const char* output) {
    return run("cuprum_parallel_transform_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const parallel::Execution target = read_execution(call, execution);
        const auto left = call.use(first, "first");
        const auto function = call.use(op, "op");
        const parallel::Type type = read_type(call, "output", output);
        *algorithm_out =
            give_algorithm(call, target,
                           second == nullptr ? parallel::Transform(left->iterator, function->op, type, target)
                                             : parallel::Transform(left->iterator, call.use(second, "second")->iterator,
                                                                   function->op, type, target));
    });
}

cuprum_status cuprum_parallel_segmented_reduce_build(cuprum_parallel_algorithm* algorithm_out,
                                                     const cuprum_execution* execution, cuprum_parallel_iterator input,
                                                     cuprum_parallel_operator op, const char* accumulator,
                                                     const char* offsets) {
    return run("cuprum_parallel_segmented_reduce_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const parallel::Execution target = read_execution(call, execution);
        const auto elements = call.use(input, "input");
        const auto combine = call.use(op, "op");
        *algorithm_out = give_algorithm(
            call, target,
            parallel::SegmentedReduce(elements->iterator, combine->op, read_type(call, "accumulator", accumulator),
                                      read_type(call, "offsets", offsets), target));
    });
}

cuprum_status cuprum_parallel_arg_reduce_build(cuprum_parallel_algorithm* algorithm_out,
                                               const cuprum_execution* execution, int32_t kind,
                                               cuprum_parallel_iterator input) {
    return run("cuprum_parallel_arg_reduce_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const parallel::Execution target = read_execution(call, execution);
        const auto arg_kind = read_choice<parallel::ArgKind>(call, "kind", kind, 2, "CUPRUM_ARG_* (0, 1)");
        const auto elements = call.use(input, "input");
        *algorithm_out = give_algorithm(call, target, parallel::ArgReduce(arg_kind, elements->iterator, target));
    });
}

cuprum_status cuprum_parallel_select_build(cuprum_parallel_algorithm* algorithm_out, const cuprum_execution* execution,
                                           cuprum_parallel_iterator input, cuprum_parallel_operator condition) {
    return run("cuprum_parallel_select_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const parallel::Execution target = read_execution(call, execution);
        const auto elements = call.use(input, "input");
        const auto is_selected = call.use(condition, "condition");
        *algorithm_out = give_algorithm(call, target, parallel::Select(elements->iterator, is_selected->op, target));
    });
}

cuprum_status cuprum_parallel_unique_by_key_build(cuprum_parallel_algorithm* algorithm_out,
                                                  const cuprum_execution* execution, cuprum_parallel_iterator keys,
                                                  cuprum_parallel_iterator values, cuprum_parallel_operator op) {
    return run("cuprum_parallel_unique_by_key_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const parallel::Execution target = read_execution(call, execution);
        const auto key_elements = call.use(keys, "keys");
        const auto value_elements = call.use(values, "values");
        const auto equal = call.use(op, "op");
        *algorithm_out = give_algorithm(
            call, target, parallel::UniqueByKey(key_elements->iterator, value_elements->iterator, equal->op, target));
    });
}

cuprum_status cuprum_parallel_algorithm_destroy(cuprum_parallel_algorithm algorithm) {
    return run("cuprum_parallel_algorithm_destroy", [&](const Call& call) { call.destroy(algorithm, "algorithm"); });
}

cuprum_status cuprum_parallel_save(const void** data_out, uint64_t* size_out, cuprum_parallel_algorithm algorithm) {
    return run("cuprum_parallel_save", [&](const Call& call) {
        call.require(data_out, "data_out");
        call.require(size_out, "size_out");
        const auto built = call.use(algorithm, "algorithm");
        std::string saved = std::visit([](const auto& object) { return object.save(); }, built->algorithm);
        // A pointer, because GCC 13 takes a reference here for one to the argument.
        const std::string* const bytes = &lend_bytes(std::move(saved));
        *data_out = bytes->data();
        *size_out = bytes->size();
    });
}

cuprum_status cuprum_parallel_load_builds(int32_t device, const void* saved, uint64_t saved_size) {
    return run("cuprum_parallel_load_builds", [&](const Call& call) {
        if (saved_size > 0) call.require(saved, "saved");
        parallel::load_builds({static_cast<const char*>(saved), saved_size}, cuprum::core::Device(device));
    });
}
