// The C ABI's way to give types, values and host memory to the parallel algorithms.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../call.hpp"
#include "../struct_size.hpp"
#include "cuprum/parallel/execution.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/value.hpp"
#include "objects.hpp"

namespace cuprum::capi {

inline parallel::Type read_type(const Call& call, const char* parameter, const char* text) {
    call.require(text, parameter);
    return parallel::Type::parse(text);
}

inline std::optional<parallel::Type> read_optional_type(const char* text) {
    if (text == nullptr || *text == '\0') return std::nullopt;
    return parallel::Type::parse(text);
}

inline parallel::Value read_value(const Call& call, const char* parameter, const parallel::Type& type, const void* data,
                                  uint64_t size) {
    call.require(data, parameter);
    if (size != type.size()) {
        call.refuse(parameter,
                    "has " + std::to_string(size) + " bytes; a " + type.name() + " has " + std::to_string(type.size()));
    }
    return parallel::Value(type, data);
}

// None where there is no size.
inline std::optional<parallel::Value> read_optional_value(const Call& call, const char* parameter,
                                                          const parallel::Type& type, const void* data, uint64_t size) {
    if (size == 0) return std::nullopt;
    return read_value(call, parameter, type, data, size);
}

// How many elements of the type `size` bytes are.
inline uint64_t element_count(const Call& call, const char* parameter, const parallel::Type& type, const void* data,
                              uint64_t size) {
    if (size > 0) call.require(data, parameter);
    if (size % type.size() != 0) {
        call.refuse(parameter, "has " + std::to_string(size) + " bytes, which is not a multiple of the " +
                                   std::to_string(type.size()) + " of a " + type.name());
    }
    return size / type.size();
}

// The elements of an array of uint64.
inline std::vector<uint64_t> read_numbers(const Call& call, const char* parameter, const void* data, uint64_t size) {
    const uint64_t count = element_count(call, parameter, parallel::Type(parallel::TypeKind::uint64), data, size);
    const auto* const numbers = static_cast<const uint64_t*>(data);
    return {numbers, numbers + count};
}

inline parallel::HostInput host_input(const Call& call, const char* parameter, const parallel::Type& type,
                                      const void* data, uint64_t size) {
    return {type, data, element_count(call, parameter, type, data, size)};
}
inline parallel::HostOutput host_output(const Call& call, const char* parameter, const parallel::Type& type, void* data,
                                        uint64_t size) {
    return {type, data, element_count(call, parameter, type, data, size)};
}

// None where there is no type.
inline std::optional<parallel::HostOutput> optional_host_output(const Call& call, const char* parameter,
                                                                const std::optional<parallel::Type>& type, void* data,
                                                                uint64_t size) {
    if (!type) return std::nullopt;
    return host_output(call, parameter, *type, data, size);
}

// One of a list of numbers that begins with 0.
template <class Enum>
Enum read_choice(const Call& call, const char* parameter, int32_t value, int32_t count, const char* names) {
    if (value < 0 || value >= count) {
        call.refuse(parameter, "is " + std::to_string(value) + "; expected one of " + names);
    }
    return static_cast<Enum>(value);
}

/// What stands between commas.
inline std::vector<std::string> split_list(std::string_view list) {
    std::vector<std::string> parts;
    while (!list.empty()) {
        const size_t comma = list.find(',');
        parts.emplace_back(list.substr(0, comma));
        list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    }
    return parts;
}

/// Where to run, or what to build for, whatever is required of the results.
inline parallel::Execution read_place(const Call& call, const cuprum_execution& execution) {
    const std::string_view architectures = execution.architectures == nullptr ? "" : execution.architectures;
    if (execution.kind != CUPRUM_EXECUTION_AHEAD_OF_TIME && !architectures.empty()) {
        call.refuse("execution", "names the architectures \"" + std::string(architectures) +
                                     "\", which only CUPRUM_EXECUTION_AHEAD_OF_TIME takes");
    }
    switch (execution.kind) {
        case CUPRUM_EXECUTION_DEVICE:
            return parallel::Execution::on_device(execution.device);
        case CUPRUM_EXECUTION_HOST:
            return parallel::Execution::host();
        case CUPRUM_EXECUTION_AHEAD_OF_TIME:
            if (architectures.empty()) {
                call.refuse("execution", "is CUPRUM_EXECUTION_AHEAD_OF_TIME and names no architecture",
                            "set architectures to \"sm_90\" or the like");
            }
            return parallel::Execution::ahead_of_time(split_list(architectures));
        default:
            call.refuse("execution", "has the kind " + std::to_string(execution.kind) +
                                         "; expected one of CUPRUM_EXECUTION_* (0 to 2)");
    }
}

/// Device 0 where it is NULL.
inline parallel::Execution read_execution(const Call& call, const cuprum_execution* given) {
    if (given == nullptr) return {};
    // Without what later versions have added.
    const cuprum_execution execution = read_struct(call, "execution", given, offsetof(cuprum_execution, determinism));
    constexpr int32_t levels = 3;
    return read_place(call, execution)
        .require(read_choice<parallel::Determinism>(call, "execution->determinism", execution.determinism, levels,
                                                    "CUPRUM_DETERMINISM_*"));
}

}  // namespace cuprum::capi
