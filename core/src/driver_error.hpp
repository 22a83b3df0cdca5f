// From a driver call's status to an exception that says what was being done, to which object, and what to do next.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cuprum/core/error.hpp"
#include "describe.hpp"
#include "driver_api.hpp"

namespace cuprum::core {

// The record of a failed driver call: name and description from the driver, the driver's own new log lines, advice.
// `driver_function` is the name of the call, "cuMemAlloc"; `note` is put between the description and the log lines.
ErrorInfo driver_error_info(CUresult result, const char* driver_function, std::string operation, std::string object,
                            const std::string& note = {});

// Throws the class that belongs to `result`: DeviceFault for what loses the context, OutOfMemory, Unsupported,
// NotFound when the driver or the symbol is missing, else DriverError.
[[noreturn]] void throw_driver_error(CUresult result, const char* driver_function, std::string operation,
                                     std::string object, const std::string& note = {});

// What the bindings say when the call failed because the driver, or this function of it, is missing. Forgets it.
std::optional<bindings::ResolutionFailure> take_unresolved(CUresult result, std::string_view driver_function);

// Kernel faults and the like, after which every call on the context fails with the same code.
bool is_sticky(CUresult result) noexcept;

// Throws unless the call succeeded. `operation` and `object` are texts, objects or functions that make a text: they are
// looked at only after a failure.
template <class Operation, class Object>
void check(CUresult result, const char* driver_function, const Operation& operation, const Object& object) {
    if (result != CUDA_SUCCESS) [[unlikely]] {
        throw_driver_error(result, driver_function, describe(operation), describe(object));
    }
}

}  // namespace cuprum::core
