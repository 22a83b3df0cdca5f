#include "runtime/functions.hpp"
#include "runtime/thread_state.hpp"

namespace cuprum::simulator::runtime {

cudaError_t device_count(int* count) {
    if (count == nullptr) return cudaErrorInvalidValue;
    *count = 0;
    const cudaError_t result = call_without_context<cuDeviceGetCount>(count);
    if (result != cudaSuccess) return result;
    return *count == 0 ? cudaErrorNoDevice : cudaSuccess;
}

cudaError_t reset_device() {
    int device = 0;
    cudaError_t result = current_device(&device);
    if (result == cudaSuccess) result = driver::call<cuDevicePrimaryCtxReset>(device);
    forget_last_error();
    return result;
}

cudaError_t device_flags(unsigned int* flags) {
    if (flags == nullptr) return cudaErrorInvalidValue;
    int device = 0;
    int active = 0;
    const cudaError_t result = current_device(&device);
    return result == cudaSuccess ? driver::call<cuDevicePrimaryCtxGetState>(device, flags, &active) : result;
}

cudaError_t set_device_flags(unsigned int flags) {
    int device = 0;
    const cudaError_t result = current_device(&device);
    return result == cudaSuccess ? driver::call<cuDevicePrimaryCtxSetFlags>(device, flags) : result;
}

cudaError_t initialize_device(int device, unsigned int device_flags, unsigned int flags) {
    if ((flags & ~1U) != 0) return cudaErrorInvalidValue;  // cudaInitDeviceFlagsAreValid
    CUcontext context = nullptr;
    const cudaError_t result = primary_context(device, &context);
    if (result != cudaSuccess || flags == 0) return result;
    return driver::call<cuDevicePrimaryCtxSetFlags>(device, device_flags);
}

cudaError_t enable_peer_access(int peer, unsigned int flags) {
    CUcontext context = nullptr;
    const cudaError_t result = primary_context(peer, &context);
    return result == cudaSuccess ? call<cuCtxEnablePeerAccess>(context, flags) : result;
}

cudaError_t disable_peer_access(int peer) {
    CUcontext context = nullptr;
    const cudaError_t result = primary_context(peer, &context);
    return result == cudaSuccess ? call<cuCtxDisablePeerAccess>(context) : result;
}

cudaError_t driver_version(int* version) {
    if (version == nullptr) return cudaErrorInvalidValue;
    *version = 0;  // without a driver
    return driver::symbol("cuDriverGetVersion") == nullptr ? cudaSuccess : driver::call<cuDriverGetVersion>(version);
}

cudaError_t runtime_version(int* version, int of_this_library) {
    if (version == nullptr) return cudaErrorInvalidValue;
    *version = of_this_library;
    return cudaSuccess;
}

cudaError_t driver_entry_point(const char* name, void** address, int version, unsigned long long flags,
                               cudaDriverEntryPointQueryResult* status, cudaStream_t null_stream) {
    if (flags == cudaEnableDefault && null_stream != nullptr) flags = cudaEnablePerThreadDefaultStream;
    CUdriverProcAddressQueryResult found{};
    const cudaError_t result = call_without_context<cuGetProcAddress>(name, address, version, flags, &found);
    if (status != nullptr) *status = static_cast<cudaDriverEntryPointQueryResult>(found);
    return result;
}

}  // namespace cuprum::simulator::runtime
