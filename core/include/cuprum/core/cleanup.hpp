// What happens when something fails where nobody can be told: in a destructor.
#pragma once

#include "cuprum/core/error.hpp"

namespace cuprum::core {

// Called, from any thread, with the error of a clean-up that failed. Must not throw. The default does nothing.
using CleanupErrorHandler = void (*)(const Error& error) noexcept;

// Returns the former handler; nullptr restores the default. Thread-safe.
CleanupErrorHandler set_cleanup_error_handler(CleanupErrorHandler handler) noexcept;

}  // namespace cuprum::core
