// A function of the CUDA driver, for the code of cuprum.compat.pycuda that is C++.
#pragma once

#include <Python.h>

#include <array>
#include <concepts>
#include <cstdint>

#include "callbacks.hpp"
#include "one_call.hpp"
#include "tables.hpp"

namespace cuprum::python::pycuda {

/// Called as cuprum.bindings calls it: traced, and with the interpreter let go where it may wait.
class DriverFunction {
public:
    explicit constexpr DriverFunction(const char* name) noexcept : name_(name) {}

    const char* name() const noexcept { return name_; }

    /// Returns the CUresult. Results go to the addresses that are given; see slot().
    template <std::convertible_to<std::uint64_t>... Arguments>
    std::uint64_t operator()(Arguments... arguments) {
        const std::array<std::uint64_t, sizeof...(Arguments)> slots{static_cast<std::uint64_t>(arguments)...};
        std::uint64_t status = not_found;
        if (invoke_ == nullptr && !find()) {
            return status;
        }
        if (function_->blocking || callbacks_are_pending()) {
            PyThreadState* const state = PyEval_SaveThread();
            invoke_(slots.data(), &status);
            PyEval_RestoreThread(state);
        } else {
            invoke_(slots.data(), &status);
        }
        return status;
    }

private:
    static constexpr std::uint64_t not_found = 500;  // CUDA_ERROR_NOT_FOUND

    // The tables have each function that is named here.
    bool find() {
        function_ = find_function(driver_library, name_);
        invoke_ = function_ == nullptr ? nullptr : invoke_of(*function_);
        if (invoke_ == nullptr) {
            PyErr_Clear();
        }
        return invoke_ != nullptr;
    }

    const char* name_;
    Function* function_ = nullptr;
    cuprum_bindings_invoke invoke_ = nullptr;
};

/// An address as an argument.
inline std::uint64_t slot(const void* address) {
    return reinterpret_cast<std::uintptr_t>(address);
}

}  // namespace cuprum::python::pycuda
