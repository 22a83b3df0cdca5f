#include "cuprum/capi/out_of_core.h"

#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "out_of_core_objects.hpp"
#include "values.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;
namespace parallel = cuprum::parallel;
namespace out_of_core = cuprum::parallel::out_of_core;

namespace {

using OutOfCoreObject = OutOfCoreAlgorithmObject;

template <class Built>
cuprum_out_of_core_algorithm give_out_of_core(const Call& call, Built built) {
    return call.give<cuprum_out_of_core_algorithm>(OutOfCoreObject{std::move(built)});
}

// The algorithm, if it is of that kind.
template <class Built>
const Built& out_of_core_as(const Call& call, const Pin<OutOfCoreObject>& object, const char* kind) {
    const auto* const built = std::get_if<Built>(&object->built);
    if (built == nullptr) call.refuse("algorithm", std::string("was built as another kind; expected ") + kind);
    return *built;
}

// The structs need not be aligned: not all languages have them as structs.
std::vector<out_of_core::DeviceMemory> read_device_memory(const Call& call, const void* memory, uint64_t size) {
    if (size % sizeof(cuprum_device_memory) != 0) {
        call.refuse("memory", "has " + std::to_string(size) + " bytes, expected " +
                                  std::to_string(sizeof(cuprum_device_memory)) + " for each device");
    }
    if (size > 0) call.require(memory, "memory");
    std::vector<out_of_core::DeviceMemory> devices;
    for (uint64_t at = 0; at < size; at += sizeof(cuprum_device_memory)) {
        cuprum_device_memory given;
        std::memcpy(&given, static_cast<const std::byte*>(memory) + at, sizeof(given));
        devices.push_back({core::Device(given.device), given.limit});
        if (given.resource == nullptr) continue;
        devices.back().resource =
            call.use(given.resource, "memory", static_cast<int32_t>(devices.size() - 1))->resource;
    }
    return devices;
}

// A reduction or a scan.
template <class Algorithm>
void fold(const Call& call, cuprum_out_of_core_algorithm algorithm, const char* kind, const void* elements,
          uint64_t elements_size, const char* output, void* results, uint64_t results_size, const void* init,
          uint64_t init_size) {
    const auto object = call.use(algorithm, "algorithm");
    const auto& built = out_of_core_as<OutOfCoreObject::Fold<Algorithm>>(call, object, kind);
    const parallel::HostInput from = host_input(call, "elements", built.input, elements, elements_size);
    const parallel::HostOutput to = host_output(call, output, built.accumulator, results, results_size);
    if (init_size == 0) {
        built.algorithm(from, to);
    } else {
        built.algorithm(from, to, read_value(call, "init", built.accumulator, init, init_size));
    }
}

// None where there are no bytes.
std::optional<parallel::HostOutput> read_scratch(const Call& call, const char* parameter, const parallel::Type& type,
                                                 void* data, uint64_t size) {
    if (size == 0) return std::nullopt;
    return host_output(call, parameter, type, data, size);
}

}  // namespace

cuprum_status cuprum_out_of_core_reduce_build(cuprum_out_of_core_algorithm* algorithm_out, const void* memory,
                                              uint64_t memory_size, const char* input, cuprum_parallel_operator op,
                                              const char* accumulator) {
    return run("cuprum_out_of_core_reduce_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const auto devices = read_device_memory(call, memory, memory_size);
        const parallel::Type elements = read_type(call, "input", input);
        const auto combine = call.use(op, "op");
        const parallel::Type sum = read_type(call, "accumulator", accumulator);
        *algorithm_out = give_out_of_core(
            call, OutOfCoreObject::Fold<out_of_core::Reduce>{{devices, elements, combine->op, sum}, elements, sum});
    });
}

cuprum_status cuprum_out_of_core_scan_build(cuprum_out_of_core_algorithm* algorithm_out, const void* memory,
                                            uint64_t memory_size, int32_t kind, const char* input,
                                            cuprum_parallel_operator op, const char* accumulator) {
    return run("cuprum_out_of_core_scan_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const auto devices = read_device_memory(call, memory, memory_size);
        const auto chosen = read_choice<parallel::ScanKind>(call, "kind", kind, 3, "CUPRUM_SCAN_* (0 to 2)");
        const parallel::Type elements = read_type(call, "input", input);
        const auto combine = call.use(op, "op");
        const parallel::Type sum = read_type(call, "accumulator", accumulator);
        *algorithm_out = give_out_of_core(call, OutOfCoreObject::Fold<out_of_core::Scan>{
                                                    {chosen, devices, elements, combine->op, sum}, elements, sum});
    });
}

cuprum_status cuprum_out_of_core_radix_sort_build(cuprum_out_of_core_algorithm* algorithm_out, const void* memory,
                                                  uint64_t memory_size, int32_t order, const char* keys,
                                                  const char* values) {
    return run("cuprum_out_of_core_radix_sort_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const auto devices = read_device_memory(call, memory, memory_size);
        const auto chosen = read_choice<parallel::SortOrder>(call, "order", order, 2, "CUPRUM_SORT_* (0, 1)");
        const parallel::Type of_keys = read_type(call, "keys", keys);
        const std::optional<parallel::Type> of_values = read_optional_type(values);
        *algorithm_out =
            give_out_of_core(call, OutOfCoreObject::Sort{{chosen, devices, of_keys, of_values}, of_keys, of_values});
    });
}

cuprum_status cuprum_out_of_core_histogram_even_build(cuprum_out_of_core_algorithm* algorithm_out, const void* memory,
                                                      uint64_t memory_size, const char* samples, const char* levels,
                                                      const char* counters) {
    return run("cuprum_out_of_core_histogram_even_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const auto devices = read_device_memory(call, memory, memory_size);
        const parallel::Type counted = read_type(call, "samples", samples);
        const parallel::Type bounds = read_type(call, "levels", levels);
        const parallel::Type counts = read_type(call, "counters", counters);
        *algorithm_out = give_out_of_core(
            call, OutOfCoreObject::Histogram{{devices, counted, bounds, counts}, counted, bounds, counts});
    });
}

cuprum_status cuprum_out_of_core_reduce_by_key_build(cuprum_out_of_core_algorithm* algorithm_out, const void* memory,
                                                     uint64_t memory_size, const char* keys, const char* values,
                                                     cuprum_parallel_operator op, const char* accumulator) {
    return run("cuprum_out_of_core_reduce_by_key_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const auto devices = read_device_memory(call, memory, memory_size);
        const parallel::Type of_keys = read_type(call, "keys", keys);
        const parallel::Type of_values = read_type(call, "values", values);
        const auto combine = call.use(op, "op");
        const parallel::Type sum = read_type(call, "accumulator", accumulator);
        *algorithm_out = give_out_of_core(
            call,
            OutOfCoreObject::ReductionByKey{{devices, of_keys, of_values, combine->op, sum}, of_keys, of_values, sum});
    });
}

cuprum_status cuprum_out_of_core_algorithm_destroy(cuprum_out_of_core_algorithm algorithm) {
    return run("cuprum_out_of_core_algorithm_destroy", [&](const Call& call) { call.destroy(algorithm, "algorithm"); });
}

cuprum_status cuprum_out_of_core_reduce(cuprum_out_of_core_algorithm algorithm, const void* elements,
                                        uint64_t elements_size, void* result, uint64_t result_size, const void* init,
                                        uint64_t init_size) {
    return run("cuprum_out_of_core_reduce", [&](const Call& call) {
        fold<out_of_core::Reduce>(call, algorithm, "a reduction", elements, elements_size, "result", result,
                                  result_size, init, init_size);
    });
}

cuprum_status cuprum_out_of_core_scan(cuprum_out_of_core_algorithm algorithm, const void* elements,
                                      uint64_t elements_size, void* results, uint64_t results_size, const void* init,
                                      uint64_t init_size) {
    return run("cuprum_out_of_core_scan", [&](const Call& call) {
        fold<out_of_core::Scan>(call, algorithm, "a scan", elements, elements_size, "results", results, results_size,
                                init, init_size);
    });
}

cuprum_status cuprum_out_of_core_radix_sort(cuprum_out_of_core_algorithm algorithm, const void* keys,
                                            uint64_t keys_size, void* keys_target, uint64_t keys_target_size,
                                            void* keys_scratch, uint64_t keys_scratch_size, const void* values,
                                            uint64_t values_size, void* values_target, uint64_t values_target_size,
                                            void* values_scratch, uint64_t values_scratch_size) {
    return run("cuprum_out_of_core_radix_sort", [&](const Call& call) {
        const auto object = call.use(algorithm, "algorithm");
        const auto& built = out_of_core_as<OutOfCoreObject::Sort>(call, object, "a radix sort");
        const parallel::HostInput from = host_input(call, "keys", built.keys, keys, keys_size);
        const parallel::HostOutput to = host_output(call, "keys_target", built.keys, keys_target, keys_target_size);
        const auto scratch = read_scratch(call, "keys_scratch", built.keys, keys_scratch, keys_scratch_size);
        if (!built.values) {
            if (values_size > 0 || values_target_size > 0 || values_scratch_size > 0) {
                call.refuse("values", "are given, but this sort was built without values");
            }
            built.algorithm(from, to, scratch);
            return;
        }
        built.algorithm(from, to, host_input(call, "values", *built.values, values, values_size),
                        host_output(call, "values_target", *built.values, values_target, values_target_size), scratch,
                        read_scratch(call, "values_scratch", *built.values, values_scratch, values_scratch_size));
    });
}

cuprum_status cuprum_out_of_core_histogram_even(cuprum_out_of_core_algorithm algorithm, const void* samples,
                                                uint64_t samples_size, void* histogram, uint64_t histogram_size,
                                                uint64_t bins, const void* lower, uint64_t lower_size,
                                                const void* upper, uint64_t upper_size) {
    return run("cuprum_out_of_core_histogram_even", [&](const Call& call) {
        const auto object = call.use(algorithm, "algorithm");
        const auto& built = out_of_core_as<OutOfCoreObject::Histogram>(call, object, "a histogram");
        built.algorithm(host_input(call, "samples", built.samples, samples, samples_size),
                        host_output(call, "histogram", built.counters, histogram, histogram_size), bins,
                        read_value(call, "lower", built.levels, lower, lower_size),
                        read_value(call, "upper", built.levels, upper, upper_size));
    });
}

cuprum_status cuprum_out_of_core_reduce_by_key(uint64_t* count_out, cuprum_out_of_core_algorithm algorithm,
                                               const void* keys, uint64_t keys_size, const void* values,
                                               uint64_t values_size, void* keys_target, uint64_t keys_target_size,
                                               void* values_target, uint64_t values_target_size) {
    return run("cuprum_out_of_core_reduce_by_key", [&](const Call& call) {
        call.require(count_out, "count_out");
        const auto object = call.use(algorithm, "algorithm");
        const auto& built = out_of_core_as<OutOfCoreObject::ReductionByKey>(call, object, "a reduction by key");
        *count_out =
            built.algorithm(host_input(call, "keys", built.keys, keys, keys_size),
                            host_input(call, "values", built.values, values, values_size),
                            host_output(call, "keys_target", built.keys, keys_target, keys_target_size),
                            host_output(call, "values_target", built.accumulator, values_target, values_target_size));
    });
}
