// What the runtime keeps for each thread: its device, its last error; and the devices' primary contexts.
#pragma once

#include "runtime/driver.hpp"

namespace cuprum::simulator::runtime {

// Remembers an error as the thread's last one, and returns it.
cudaError_t recorded(cudaError_t result);
cudaError_t last_error();
// Gives it and forgets it, but for an error that has put the device out of service.
cudaError_t take_last_error();
void forget_last_error();

// The calling thread has a current context afterwards: the one that it had, or the primary one of its device, which is
// retained once and never released.
cudaError_t ensure_context();

// The primary context of a device, retained.
cudaError_t primary_context(int device, CUcontext* context);

// The device of the current context, or the one that the thread will use.
cudaError_t current_device(int* device);
cudaError_t use_device(int device);
// Where the devices that a thread takes by default are chosen from.
cudaError_t use_one_of(const int* devices, int count);

// Calls that function of the driver with a context current.
template <auto* Function, typename... Arguments>
cudaError_t call(Arguments... arguments) {
    const cudaError_t ready = ensure_context();
    return ready == cudaSuccess ? driver::call<Function>(arguments...) : ready;
}

template <typename... Arguments>
cudaError_t call_by_name(const char* name, Arguments... arguments) {
    const cudaError_t ready = ensure_context();
    return ready == cudaSuccess ? driver::call_by_name(name, arguments...) : ready;
}

// For functions that need the driver, but no context.
template <auto* Function, typename... Arguments>
cudaError_t call_without_context(Arguments... arguments) {
    const auto ready = static_cast<cudaError_t>(driver::initialize());
    return ready == cudaSuccess ? driver::call<Function>(arguments...) : ready;
}

}  // namespace cuprum::simulator::runtime
