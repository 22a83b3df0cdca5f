// Functions of the program's that the driver calls between a stream's work.
#pragma once

#include <atomic>
#include <functional>

namespace cuprum::core {

// One that was launched, until it has been called and destroyed.
struct HostFunction {
    std::function<void()> function;
    HostFunction* next = nullptr;  // in called_host_functions
};

// Those that the driver has called. It must not be used on the thread that called them, and what they hold may use it
// when it is destroyed (a Buffer does): that is left to a thread of the program's.
inline std::atomic<HostFunction*> called_host_functions = nullptr;

// Destroys those in `called_host_functions`.
void destroy_host_functions() noexcept;

// After a wait.
inline void destroy_called_host_functions() noexcept {
    if (called_host_functions.load(std::memory_order_relaxed) != nullptr) [[unlikely]]
        destroy_host_functions();
}

}  // namespace cuprum::core
