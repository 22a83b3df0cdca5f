// Calls of NVML, which is started once in a process and never stopped: its devices' handles stay valid.
#pragma once

#include <cstddef>
#include <string>

#include "cuprum/bindings/nvml.hpp"
#include "cuprum/core/error.hpp"
#include "describe.hpp"

namespace cuprum::core {

namespace nvml = cuprum::bindings::nvml;

constexpr size_t nvml_text_size = 256;  // NVML's texts are shorter

// Finds NVML, opens and starts it, if no call has yet. Throws NotFound, or DriverError where it does not start.
void start_nvml(const char* operation);

[[noreturn]] void throw_nvml_error(nvmlReturn_t result, const char* function, std::string operation,
                                   std::string object);

// Throws unless the call succeeded. `object` is a text or makes one.
template <class Object>
void check_nvml(nvmlReturn_t result, const char* function, const char* operation, const Object& object) {
    if (result != NVML_SUCCESS) [[unlikely]] {
        throw_nvml_error(result, function, operation, describe(object));
    }
}

// What a function without inputs but the device gives.
template <class Value, class Device, class Object>
Value ask_nvml(nvmlReturn_t (*function)(Device, Value*), const char* name, const char* operation, Device device,
               const Object& object) {
    Value value{};
    check_nvml(function(device, &value), name, operation, object);
    return value;
}

}  // namespace cuprum::core
