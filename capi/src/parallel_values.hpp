// The C ABI's way to give types, values and host memory to the parallel algorithms.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "call.hpp"
#include "cuprum/parallel/parallel.hpp"
#include "parallel_objects.hpp"

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

// How many elements of the type `size` bytes are.
inline uint64_t element_count(const Call& call, const char* parameter, const parallel::Type& type, const void* data,
                              uint64_t size) {
    if (size > 0) call.require(data, parameter);
    if (size % type.size() != 0) {
        call.refuse(parameter, "has " + std::to_string(size) + " bytes, which is no multiple of the " +
                                   std::to_string(type.size()) + " of a " + type.name());
    }
    return size / type.size();
}

inline parallel::HostInput host_input(const Call& call, const char* parameter, const parallel::Type& type,
                                      const void* data, uint64_t size) {
    return {type, data, element_count(call, parameter, type, data, size)};
}
inline parallel::HostOutput host_output(const Call& call, const char* parameter, const parallel::Type& type, void* data,
                                        uint64_t size) {
    return {type, data, element_count(call, parameter, type, data, size)};
}

// One of a list of numbers that begins with 0.
template <class Enum>
Enum read_choice(const Call& call, const char* parameter, int32_t value, int32_t count, const char* names) {
    if (value < 0 || value >= count) {
        call.refuse(parameter, "is " + std::to_string(value) + "; expected one of " + names);
    }
    return static_cast<Enum>(value);
}

// A device, or the host.
inline parallel::Where read_place(int32_t device) {
    return device == CUPRUM_DEVICE_HOST ? parallel::Where(parallel::Execution::host) : parallel::Where(device);
}

inline parallel::BuildOptions build_options(int32_t device, const char* architectures) {
    const parallel::Where where = read_place(device);
    parallel::BuildOptions options;
    options.execution = where.execution;
    options.device_id = where.device_id;
    std::string_view list = architectures == nullptr ? "" : architectures;
    while (!list.empty()) {
        const size_t comma = list.find(',');
        options.architectures.emplace_back(list.substr(0, comma));
        list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    }
    return options;
}

}  // namespace cuprum::capi
