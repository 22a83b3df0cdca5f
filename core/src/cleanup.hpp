// Failures in destructors.
#pragma once

#include "cuprum/core/cleanup.hpp"
#include "describe.hpp"
#include "driver_api.hpp"

namespace cuprum::core {

// Hands the error to the handler. Never throws.
void report_cleanup_error(const Error& error) noexcept;
// For a catch clause, not one of abi::__forced_unwind: the exception that a function of the program's has thrown.
void report_thrown(const char* operation, const char* object) noexcept;
void report_driver_cleanup_failure(CUresult result, const char* driver_function, std::string operation,
                                   std::string object);

// Like check(), for destructors: a failure goes to the clean-up handler. A driver that is already shutting down has
// freed everything itself, which is no failure.
template <class Operation, class Object>
void report_cleanup(CUresult result, const char* driver_function, const Operation& operation,
                    const Object& object) noexcept {
    if (result == CUDA_SUCCESS || result == CUDA_ERROR_DEINITIALIZED) return;
    try {
        report_driver_cleanup_failure(result, driver_function, describe(operation), describe(object));
    } catch (...) {
        // No memory for the text: there is nothing left to tell anybody.
    }
}

}  // namespace cuprum::core
