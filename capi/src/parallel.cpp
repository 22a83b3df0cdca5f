// Calling algorithms.
#include "cuprum/capi/parallel.h"

#include <string>
#include <string_view>

#include "parallel_values.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;
namespace parallel = cuprum::parallel;

namespace {

// The algorithm, if it is of that kind.
template <class Algorithm>
const Algorithm& expect(const Call& call, const Pin<AlgorithmObject>& object, const char* kind) {
    const auto* const algorithm = std::get_if<Algorithm>(&object->algorithm);
    if (algorithm == nullptr) call.refuse("algorithm", std::string("was built as another kind; expected ") + kind);
    return *algorithm;
}

// The stream of one call, kept in use; none for what runs on the host.
class StreamOfCall {
public:
    StreamOfCall(const Call& call, const AlgorithmObject& algorithm, cuprum_stream stream)
        : on_host_(algorithm.on_host) {
        if (stream != nullptr || !on_host_) pin_.emplace(call.use(stream, "stream"));
    }
    const core::StreamRef& get() const { return pin_ ? (*pin_)->stream : none_; }
    bool on_host() const { return on_host_; }

private:
    std::optional<Pin<StreamObject>> pin_;
    core::StreamRef none_;
    bool on_host_;
};

// The options of one call; `op` is kept in use for as long as they are.
class Options {
public:
    Options(const Call& call, const StreamOfCall& stream, cuprum_parallel_operator op, uint64_t storage,
            uint64_t storage_size) {
        if (op != nullptr) {
            pin_.emplace(call.use(op, "op"));
            options_.op = &(*pin_)->op;
        }
        if (storage != 0 && stream.on_host()) {
            call.refuse(
                "storage",
                "is given, and the algorithm was built for the host's cores (CUPRUM_EXECUTION_HOST), which need none");
        } else if (storage != 0) {
            options_.temp_storage = core::BufferRef::from_handle(storage, storage_size, stream.get().device_id());
        } else if (storage_size != 0) {
            call.refuse("storage", "is 0 and storage_size is " + std::to_string(storage_size));
        }
    }
    const parallel::CallOptions& get() const { return options_; }

private:
    std::optional<Pin<OperatorObject>> pin_;
    parallel::CallOptions options_;
};

}  // namespace

cuprum_status cuprum_parallel_temp_storage_bytes(uint64_t* bytes_out, cuprum_parallel_algorithm algorithm,
                                                 uint64_t count) {
    return run("cuprum_parallel_temp_storage_bytes", [&](const Call& call) {
        call.require(bytes_out, "bytes_out");
        const auto built = call.use(algorithm, "algorithm");
        *bytes_out = std::visit(
            [&](const auto& object) -> uint64_t {
                if constexpr (requires { object.temp_storage_bytes(count); }) {
                    return object.temp_storage_bytes(count);
                } else {
                    return 0;
                }
            },
            built->algorithm);
    });
}

cuprum_status cuprum_parallel_reduce(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                     cuprum_parallel_iterator input, uint64_t output, uint64_t count, const void* init,
                                     uint64_t init_size, cuprum_parallel_operator op, uint64_t storage,
                                     uint64_t storage_size) {
    return run("cuprum_parallel_reduce", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const auto& reduce = expect<parallel::Reduce>(call, built, "a reduction");
        const StreamOfCall in_stream(call, *built, stream);
        const auto elements = call.use(input, "input");
        const Options options(call, in_stream, op, storage, storage_size);
        reduce(in_stream.get(), elements->iterator, output, count,
               read_value(call, "init", reduce.accumulator(), init, init_size), options.get());
    });
}

cuprum_status cuprum_parallel_scan(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                   cuprum_parallel_iterator input, uint64_t output, uint64_t count, const void* init,
                                   uint64_t init_size, cuprum_parallel_operator op, uint64_t storage,
                                   uint64_t storage_size) {
    return run("cuprum_parallel_scan", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const auto& scan = expect<parallel::Scan>(call, built, "a scan");
        const StreamOfCall in_stream(call, *built, stream);
        const auto elements = call.use(input, "input");
        const Options options(call, in_stream, op, storage, storage_size);
        if (scan.kind() == parallel::ScanKind::inclusive) {
            if (init_size != 0) call.refuse("init", "is given, and the scan was built as CUPRUM_SCAN_INCLUSIVE");
            scan(in_stream.get(), elements->iterator, output, count, options.get());
        } else {
            scan(in_stream.get(), elements->iterator, output, count,
                 read_value(call, "init", scan.accumulator(), init, init_size), options.get());
        }
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
        if (const auto* const merge = std::get_if<parallel::MergeSort>(&built->algorithm)) {
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
        if (begin_bit != 0 || end_bit != 0) bits.end = end_bit;
        if (radix.value_type()) {
            radix(in_stream.get(), keys_in, keys_target, values_in, values_target, count, bits, options.get());
        } else {
            radix(in_stream.get(), keys_in, keys_target, count, bits, options.get());
        }
    });
}

cuprum_status cuprum_parallel_transform(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                        cuprum_parallel_iterator first, cuprum_parallel_iterator second,
                                        uint64_t output, uint64_t count, cuprum_parallel_operator op) {
    return run("cuprum_parallel_transform", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const auto& transform = expect<parallel::Transform>(call, built, "a transformation");
        const StreamOfCall in_stream(call, *built, stream);
        const auto left = call.use(first, "first");
        const Options options(call, in_stream, op, 0, 0);
        if (second == nullptr) {
            transform(in_stream.get(), left->iterator, output, count, options.get());
        } else {
            const auto right = call.use(second, "second");
            transform(in_stream.get(), left->iterator, right->iterator, output, count, options.get());
        }
    });
}

cuprum_status cuprum_parallel_segmented_reduce(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                               cuprum_parallel_iterator input, uint64_t output, uint64_t segments,
                                               uint64_t begins, uint64_t ends, const void* init, uint64_t init_size,
                                               cuprum_parallel_operator op) {
    return run("cuprum_parallel_segmented_reduce", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const auto& reduce = expect<parallel::SegmentedReduce>(call, built, "a segmented reduction");
        const StreamOfCall in_stream(call, *built, stream);
        const auto elements = call.use(input, "input");
        const Options options(call, in_stream, op, 0, 0);
        reduce(in_stream.get(), elements->iterator, output, segments, begins, ends,
               read_value(call, "init", reduce.accumulator(), init, init_size), options.get());
    });
}

cuprum_status cuprum_parallel_arg_reduce(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                         cuprum_parallel_iterator input, uint64_t output, uint64_t count,
                                         uint64_t storage, uint64_t storage_size) {
    return run("cuprum_parallel_arg_reduce", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const auto& find = expect<parallel::ArgReduce>(call, built, "an arg-min or arg-max");
        const StreamOfCall in_stream(call, *built, stream);
        const auto elements = call.use(input, "input");
        const Options options(call, in_stream, nullptr, storage, storage_size);
        find(in_stream.get(), elements->iterator, output, count, options.get());
    });
}

cuprum_status cuprum_parallel_select(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                     cuprum_parallel_iterator input, uint64_t output, uint64_t selected_count,
                                     uint64_t count, cuprum_parallel_operator op, uint64_t storage,
                                     uint64_t storage_size) {
    return run("cuprum_parallel_select", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const auto& select = expect<parallel::Select>(call, built, "a selection");
        const StreamOfCall in_stream(call, *built, stream);
        const auto elements = call.use(input, "input");
        const Options options(call, in_stream, op, storage, storage_size);
        select(in_stream.get(), elements->iterator, output, selected_count, count, options.get());
    });
}

cuprum_status cuprum_parallel_unique_by_key(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                            cuprum_parallel_iterator keys, cuprum_parallel_iterator values,
                                            uint64_t keys_target, uint64_t values_target, uint64_t selected_count,
                                            uint64_t count, cuprum_parallel_operator op, uint64_t storage,
                                            uint64_t storage_size) {
    return run("cuprum_parallel_unique_by_key", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const auto& unique = expect<parallel::UniqueByKey>(call, built, "unique by key");
        const StreamOfCall in_stream(call, *built, stream);
        const auto key_elements = call.use(keys, "keys");
        const auto value_elements = call.use(values, "values");
        const Options options(call, in_stream, op, storage, storage_size);
        unique(in_stream.get(), key_elements->iterator, value_elements->iterator, keys_target, values_target,
               selected_count, count, options.get());
    });
}

cuprum_status cuprum_parallel_reduce_array(void* result, uint64_t result_size, const cuprum_execution* execution,
                                           const char* type, const void* data, uint64_t data_size,
                                           const char* accumulator, const void* init, uint64_t init_size,
                                           cuprum_parallel_operator op) {
    return run("cuprum_parallel_reduce_array", [&](const Call& call) {
        call.require(result, "result");
        const parallel::Type sum = read_type(call, "accumulator", accumulator);
        if (result_size != sum.size()) {
            call.refuse("result", "has room for " + std::to_string(result_size) + " bytes; a " + sum.name() + " has " +
                                      std::to_string(sum.size()));
        }
        const auto combine = call.use(op, "op");
        parallel::reduce(host_input(call, "data", read_type(call, "type", type), data, data_size),
                         read_value(call, "init", sum, init, init_size), combine->op, result,
                         read_execution(call, execution));
    });
}

cuprum_status cuprum_parallel_scan_array(void* result, uint64_t result_size, const cuprum_execution* execution,
                                         int32_t kind, const char* type, const void* data, uint64_t data_size,
                                         const char* accumulator, const void* init, uint64_t init_size,
                                         cuprum_parallel_operator op) {
    return run("cuprum_parallel_scan_array", [&](const Call& call) {
        const auto scan_kind = read_choice<parallel::ScanKind>(call, "kind", kind, 3, "CUPRUM_SCAN_* (0 to 2)");
        const parallel::Type sum = read_type(call, "accumulator", accumulator);
        std::optional<parallel::Value> first;
        if (scan_kind != parallel::ScanKind::inclusive) first = read_value(call, "init", sum, init, init_size);
        const auto combine = call.use(op, "op");
        parallel::scan(scan_kind, host_input(call, "data", read_type(call, "type", type), data, data_size), first,
                       combine->op, host_output(call, "result", sum, result, result_size),
                       read_execution(call, execution));
    });
}

cuprum_status cuprum_parallel_transform_array(void* result, uint64_t result_size, const cuprum_execution* execution,
                                              const char* result_type, const char* type, const void* data,
                                              uint64_t data_size, const char* second_type, const void* second,
                                              uint64_t second_size, cuprum_parallel_operator op) {
    return run("cuprum_parallel_transform_array", [&](const Call& call) {
        const auto function = call.use(op, "op");
        const parallel::HostInput first = host_input(call, "data", read_type(call, "type", type), data, data_size);
        const parallel::HostOutput output =
            host_output(call, "result", read_type(call, "result_type", result_type), result, result_size);
        if (const std::optional<parallel::Type> other = read_optional_type(second_type)) {
            parallel::transform(first, host_input(call, "second", *other, second, second_size), function->op, output,
                                read_execution(call, execution));
        } else {
            parallel::transform(first, function->op, output, read_execution(call, execution));
        }
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

cuprum_status cuprum_parallel_select_array(uint64_t* selected_out, void* result, uint64_t result_size,
                                           const cuprum_execution* execution, const char* type, const void* data,
                                           uint64_t data_size, cuprum_parallel_operator condition) {
    return run("cuprum_parallel_select_array", [&](const Call& call) {
        call.require(selected_out, "selected_out");
        const parallel::Type elements = read_type(call, "type", type);
        const auto is_selected = call.use(condition, "condition");
        *selected_out = parallel::select(host_input(call, "data", elements, data, data_size), is_selected->op,
                                         host_output(call, "result", elements, result, result_size),
                                         read_execution(call, execution));
    });
}

cuprum_status cuprum_parallel_arg_reduce_array(int64_t* index_out, const cuprum_execution* execution, int32_t kind,
                                               const char* type, const void* data, uint64_t data_size) {
    return run("cuprum_parallel_arg_reduce_array", [&](const Call& call) {
        call.require(index_out, "index_out");
        const auto arg_kind = read_choice<parallel::ArgKind>(call, "kind", kind, 2, "CUPRUM_ARG_* (0, 1)");
        *index_out =
            parallel::arg_reduce(arg_kind, host_input(call, "data", read_type(call, "type", type), data, data_size),
                                 read_execution(call, execution));
    });
}

cuprum_status cuprum_parallel_unique_by_key_array(uint64_t* selected_out, const cuprum_execution* execution,
                                                  const char* keys_type, void* keys, uint64_t keys_size,
                                                  const char* values_type, void* values, uint64_t values_size,
                                                  cuprum_parallel_operator op) {
    return run("cuprum_parallel_unique_by_key_array", [&](const Call& call) {
        call.require(selected_out, "selected_out");
        const auto equal = call.use(op, "op");
        *selected_out = parallel::unique_by_key(
            host_output(call, "keys", read_type(call, "keys_type", keys_type), keys, keys_size),
            host_output(call, "values", read_type(call, "values_type", values_type), values, values_size), equal->op,
            read_execution(call, execution));
    });
}
