// Operators, iterators, and what all algorithms have.
#include "cuprum/capi/parallel.h"

#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/coordinates.hpp"
#include "values.hpp"

using namespace cuprum::capi;
namespace parallel = cuprum::parallel;

static_assert(CUPRUM_CACHE_STREAM == static_cast<int32_t>(parallel::Iterator::CacheModifier::stream));
static_assert(CUPRUM_CACHE_GLOBAL == static_cast<int32_t>(parallel::Iterator::CacheModifier::global));
static_assert(CUPRUM_CACHE_VOLATILE == static_cast<int32_t>(parallel::Iterator::CacheModifier::is_volatile));
static_assert(CUPRUM_DETERMINISM_NOT_GUARANTEED == static_cast<int32_t>(parallel::Determinism::not_guaranteed));
static_assert(CUPRUM_DETERMINISM_RUN_TO_RUN == static_cast<int32_t>(parallel::Determinism::run_to_run));
static_assert(CUPRUM_DETERMINISM_GPU_TO_GPU == static_cast<int32_t>(parallel::Determinism::gpu_to_gpu));
static_assert(CUPRUM_EXECUTION_DEVICE == static_cast<int32_t>(parallel::Execution::Kind::device));
static_assert(CUPRUM_EXECUTION_HOST == static_cast<int32_t>(parallel::Execution::Kind::host));
static_assert(CUPRUM_EXECUTION_AHEAD_OF_TIME == static_cast<int32_t>(parallel::Execution::Kind::ahead_of_time));

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

cuprum_status cuprum_parallel_operator_create_compiled(cuprum_parallel_operator* operator_out, const char* name,
                                                       cuprum_object_code object_code, int32_t passing,
                                                       const char* state_type, const void* state, uint64_t state_size) {
    return run("cuprum_parallel_operator_create_compiled", [&](const Call& call) {
        call.require(operator_out, "operator_out");
        call.require(name, "name");
        const auto code = call.use(object_code, "object_code");
        const auto taken = read_choice<parallel::Passing>(call, "passing", passing, 2, "CUPRUM_PASSING_* (0, 1)");
        std::optional<parallel::Value> value;
        if (const std::optional<parallel::Type> type = read_optional_type(state_type)) {
            value = read_value(call, "state", *type, state, state_size);
        }
        *operator_out = call.give<cuprum_parallel_operator>(
            OperatorObject{parallel::Operator::compiled(name, code->code, taken, std::move(value))});
    });
}

cuprum_status cuprum_parallel_operator_by_fields(cuprum_parallel_operator* operator_out, const char* type,
                                                 const char* fields) {
    return run("cuprum_parallel_operator_by_fields", [&](const Call& call) {
        call.require(operator_out, "operator_out");
        call.require(fields, "fields");
        *operator_out = call.give<cuprum_parallel_operator>(
            OperatorObject{parallel::Operator::by_fields(read_type(call, "type", type), fields)});
    });
}

cuprum_status cuprum_parallel_operator_with_code(cuprum_parallel_operator* operator_out, cuprum_parallel_operator op,
                                                 cuprum_object_code object_code) {
    return run("cuprum_parallel_operator_with_code", [&](const Call& call) {
        call.require(operator_out, "operator_out");
        const auto used = call.use(op, "op");
        const auto code = call.use(object_code, "object_code");
        *operator_out = call.give<cuprum_parallel_operator>(OperatorObject{used->op.with_code(code->code)});
    });
}

cuprum_status cuprum_parallel_operator_with_state(cuprum_parallel_operator* operator_out, cuprum_parallel_operator op,
                                                  const char* state_type, const void* state, uint64_t state_size) {
    return run("cuprum_parallel_operator_with_state", [&](const Call& call) {
        call.require(operator_out, "operator_out");
        const auto used = call.use(op, "op");
        const parallel::Type type = read_type(call, "state_type", state_type);
        *operator_out = call.give<cuprum_parallel_operator>(
            OperatorObject{used->op.with_state(read_value(call, "state", type, state, state_size))});
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

cuprum_status cuprum_parallel_iterator_discard(cuprum_parallel_iterator* iterator_out, const char* type) {
    return run("cuprum_parallel_iterator_discard", [&](const Call& call) {
        call.require(iterator_out, "iterator_out");
        *iterator_out = call.give<cuprum_parallel_iterator>(
            IteratorObject{parallel::Iterator::discard(read_type(call, "type", type))});
    });
}

cuprum_status cuprum_parallel_iterator_reverse(cuprum_parallel_iterator* iterator_out, cuprum_parallel_iterator base,
                                               int64_t last) {
    return run("cuprum_parallel_iterator_reverse", [&](const Call& call) {
        call.require(iterator_out, "iterator_out");
        const auto elements = call.use(base, "base");
        *iterator_out =
            call.give<cuprum_parallel_iterator>(IteratorObject{parallel::Iterator::reverse(elements->iterator, last)});
    });
}

cuprum_status cuprum_parallel_iterator_strided(cuprum_parallel_iterator* iterator_out, cuprum_parallel_iterator base,
                                               int64_t step, int64_t start) {
    return run("cuprum_parallel_iterator_strided", [&](const Call& call) {
        call.require(iterator_out, "iterator_out");
        const auto elements = call.use(base, "base");
        *iterator_out = call.give<cuprum_parallel_iterator>(
            IteratorObject{parallel::Iterator::strided(elements->iterator, step, start)});
    });
}

cuprum_status cuprum_parallel_iterator_permutation(cuprum_parallel_iterator* iterator_out,
                                                   cuprum_parallel_iterator values, cuprum_parallel_iterator indices) {
    return run("cuprum_parallel_iterator_permutation", [&](const Call& call) {
        call.require(iterator_out, "iterator_out");
        const auto elements = call.use(values, "values");
        const auto positions = call.use(indices, "indices");
        *iterator_out = call.give<cuprum_parallel_iterator>(
            IteratorObject{parallel::Iterator::permutation(elements->iterator, positions->iterator)});
    });
}

cuprum_status cuprum_parallel_iterator_zip(cuprum_parallel_iterator* iterator_out, cuprum_parallel_iterator parts,
                                           cuprum_parallel_iterator part, const char* type) {
    return run("cuprum_parallel_iterator_zip", [&](const Call& call) {
        call.require(iterator_out, "iterator_out");
        std::vector<parallel::Iterator> zipped;
        if (parts != nullptr) {
            const auto former = call.use(parts, "parts");
            if (former->iterator.kind() != parallel::Iterator::Kind::zip) {
                call.refuse("parts", "is " + former->iterator.shape_text() + "; expected a zip iterator");
            }
            for (size_t i = 0; i < former->iterator.part_count(); ++i)
                zipped.push_back(former->iterator.part(i));
        }
        zipped.push_back(call.use(part, "part")->iterator);
        const std::optional<parallel::Type> value = read_optional_type(type);
        *iterator_out = call.give<cuprum_parallel_iterator>(
            IteratorObject{value ? parallel::Iterator::zip(zipped, *value) : parallel::Iterator::zip(zipped)});
    });
}

cuprum_status cuprum_parallel_iterator_transform_output(cuprum_parallel_iterator* iterator_out,
                                                        cuprum_parallel_iterator base, cuprum_parallel_operator op,
                                                        const char* type) {
    return run("cuprum_parallel_iterator_transform_output", [&](const Call& call) {
        call.require(iterator_out, "iterator_out");
        const auto target = call.use(base, "base");
        const auto function = call.use(op, "op");
        *iterator_out = call.give<cuprum_parallel_iterator>(IteratorObject{
            parallel::Iterator::transform_output(target->iterator, function->op, read_type(call, "type", type))});
    });
}

cuprum_status cuprum_parallel_iterator_cache_modified(cuprum_parallel_iterator* iterator_out, const char* type,
                                                      uint64_t address, int32_t modifier) {
    return run("cuprum_parallel_iterator_cache_modified", [&](const Call& call) {
        call.require(iterator_out, "iterator_out");
        const auto loads =
            read_choice<parallel::Iterator::CacheModifier>(call, "modifier", modifier, 3, "CUPRUM_CACHE_* (0 to 2)");
        *iterator_out = call.give<cuprum_parallel_iterator>(
            IteratorObject{parallel::Iterator::cache_modified(read_type(call, "type", type), loads, address)});
    });
}

cuprum_status cuprum_parallel_iterator_shuffle(cuprum_parallel_iterator* iterator_out, uint64_t n, uint64_t seed) {
    return run("cuprum_parallel_iterator_shuffle", [&](const Call& call) {
        call.require(iterator_out, "iterator_out");
        *iterator_out = call.give<cuprum_parallel_iterator>(IteratorObject{parallel::Iterator::shuffle(n, seed)});
    });
}

cuprum_status cuprum_parallel_iterator_coordinates(cuprum_parallel_iterator* iterator_out, const char* extents,
                                                   const char* type) {
    return run("cuprum_parallel_iterator_coordinates", [&](const Call& call) {
        call.require(iterator_out, "iterator_out");
        call.require(extents, "extents");
        std::vector<uint64_t> numbers;
        for (const std::string& text : split_list(extents)) {
            uint64_t number = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
            if (error != std::errc() || end != text.data() + text.size()) {
                call.refuse("extents",
                            "is \"" + std::string(extents) + "\"; expected numbers with commas, \"480,640\"");
            }
            numbers.push_back(number);
        }
        *iterator_out = call.give<cuprum_parallel_iterator>(
            IteratorObject{parallel::coordinates(numbers, read_optional_type(type))});
    });
}

cuprum_status cuprum_parallel_iterator_destroy(cuprum_parallel_iterator iterator) {
    return run("cuprum_parallel_iterator_destroy", [&](const Call& call) { call.destroy(iterator, "iterator"); });
}

cuprum_status cuprum_parallel_algorithm_destroy(cuprum_parallel_algorithm algorithm) {
    return run("cuprum_parallel_algorithm_destroy", [&](const Call& call) { call.destroy(algorithm, "algorithm"); });
}

cuprum_status cuprum_parallel_temp_storage_bytes(uint64_t* bytes_out, cuprum_parallel_algorithm algorithm,
                                                 uint64_t count) {
    return run("cuprum_parallel_temp_storage_bytes", [&](const Call& call) {
        call.require(bytes_out, "bytes_out");
        *bytes_out = call.use(algorithm, "algorithm")->temp_storage_bytes(count);
    });
}

cuprum_status cuprum_parallel_save(const void** data_out, uint64_t* size_out, cuprum_parallel_algorithm algorithm) {
    return run("cuprum_parallel_save", [&](const Call& call) {
        call.require(data_out, "data_out");
        call.require(size_out, "size_out");
        std::string saved = call.use(algorithm, "algorithm")->save();
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
