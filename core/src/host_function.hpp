// Functions of the program's that the driver calls.
#pragma once

#include <functional>

namespace cuprum::core {

// On a thread of the driver's, unless the process ends. What it throws goes to the handler of cleanup errors.
void call_host_function(const std::function<void()>& function);

}  // namespace cuprum::core
