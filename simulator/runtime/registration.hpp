// What nvcc's host code registers before main: fat binaries, and the kernels and variables in them by the addresses
// that stand for them on the host. Loaded by the driver at the first use of each binary.
#pragma once

#include "runtime/driver.hpp"

namespace cuprum::simulator::runtime {

// The kernel that a host function's address stands for; cudaErrorInvalidDeviceFunction if it stands for none.
cudaError_t registered_kernel(const void* host_function, CUkernel* kernel);

// What a launch takes: that of a registered kernel, or the handle itself (cudaKernel_t, cudaFunction_t).
cudaError_t launchable(const void* function, CUfunction* handle);

// The function in the current context, whose attributes can be asked for.
cudaError_t function_in_context(const void* function, CUfunction* handle);

// The host function that stands for it, or the handle itself where none does.
void* host_function_of(CUfunction function);

// The variable that a host variable's address stands for, in the current context.
cudaError_t symbol_in_context(const void* symbol, void** address, size_t* bytes);

}  // namespace cuprum::simulator::runtime
