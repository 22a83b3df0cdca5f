// The driver's own error log (CUDA 12.9 and newer; nothing where the driver has none).
#pragma once

#include <string>

namespace cuprum::core {

// From here on, driver_log_lines() returns what is new. Called once the driver is initialised.
void start_driver_log() noexcept;

// The driver could not be initialised: driver_log_lines() returns all that it has logged.
void read_driver_log_from_beginning() noexcept;

// The lines that the driver has logged since the last call, of any thread; the oldest are left out when they are many.
std::string driver_log_lines();

// Forgets lines that belong to a failure which was expected, so that they are not shown with a later one.
void discard_driver_log() noexcept;

}  // namespace cuprum::core
