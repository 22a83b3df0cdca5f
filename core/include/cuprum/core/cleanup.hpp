// What happens when something fails where no exception can be thrown: in a destructor, or in a host function.
#pragma once

#include "cuprum/core/error.hpp"

namespace cuprum::core {

// Called, from any thread, with the error of a clean-up that failed, or what a host function has thrown. Must not
// throw, nor use CUDA. The default does nothing.
using CleanupErrorHandler = void (*)(const Error& error) noexcept;

// Returns the former handler; nullptr restores the default. Thread-safe.
CleanupErrorHandler set_cleanup_error_handler(CleanupErrorHandler handler) noexcept;

}  // namespace cuprum::core
