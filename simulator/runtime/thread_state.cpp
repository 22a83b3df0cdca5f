#include "runtime/thread_state.hpp"

#include <array>
#include <atomic>
#include <mutex>

namespace cuprum::simulator::runtime {
namespace {

constexpr int max_devices = 64;

struct ThreadState {
    int device = -1;  // none was chosen
    cudaError_t last_error = cudaSuccess;
};
thread_local constinit ThreadState state;

std::atomic<int> default_device = 0;

struct PrimaryContexts {
    std::mutex mutex;
    std::array<std::atomic<CUcontext>, max_devices> contexts{};
};
PrimaryContexts& primary_contexts() {
    static auto* const all = new PrimaryContexts;
    return *all;
}

// Those after which every later call in the context fails.
bool is_sticky(cudaError_t error) {
    switch (error) {
        case cudaErrorIllegalAddress:
        case cudaErrorLaunchTimeout:
        case cudaErrorAssert:
        case cudaErrorHardwareStackError:
        case cudaErrorIllegalInstruction:
        case cudaErrorMisalignedAddress:
        case cudaErrorInvalidAddressSpace:
        case cudaErrorInvalidPc:
        case cudaErrorLaunchFailure:
            return true;
        default:
            return false;
    }
}

int chosen_device() {
    return state.device >= 0 ? state.device : default_device.load(std::memory_order_relaxed);
}

}  // namespace

cudaError_t recorded(cudaError_t result) {
    if (result != cudaSuccess) state.last_error = result;
    return result;
}

cudaError_t last_error() {
    return state.last_error;
}

cudaError_t take_last_error() {
    const cudaError_t error = state.last_error;
    if (!is_sticky(error)) state.last_error = cudaSuccess;
    return error;
}

void forget_last_error() {
    state.last_error = cudaSuccess;
}

cudaError_t primary_context(int device, CUcontext* context) {
    if (device < 0 || device >= max_devices) return cudaErrorInvalidDevice;
    PrimaryContexts& all = primary_contexts();
    *context = all.contexts[device].load(std::memory_order_acquire);
    if (*context != nullptr) return cudaSuccess;
    const std::lock_guard lock(all.mutex);
    *context = all.contexts[device].load(std::memory_order_relaxed);
    if (*context != nullptr) return cudaSuccess;
    const cudaError_t result = call_without_context<cuDevicePrimaryCtxRetain>(context, device);
    if (result == cudaSuccess) all.contexts[device].store(*context, std::memory_order_release);
    return result;
}

cudaError_t ensure_context() {
    const auto ready = static_cast<cudaError_t>(driver::initialize());
    if (ready != cudaSuccess) return ready;
    CUcontext context = nullptr;
    cudaError_t result = driver::call<cuCtxGetCurrent>(&context);
    if (result != cudaSuccess || context != nullptr) return result;
    result = primary_context(chosen_device(), &context);
    return result == cudaSuccess ? driver::call<cuCtxSetCurrent>(context) : result;
}

cudaError_t current_device(int* device) {
    if (device == nullptr) return cudaErrorInvalidValue;
    const auto ready = static_cast<cudaError_t>(driver::initialize());
    if (ready != cudaSuccess) return ready;
    CUcontext context = nullptr;
    const cudaError_t result = driver::call<cuCtxGetCurrent>(&context);
    if (result != cudaSuccess) return result;
    if (context != nullptr) return driver::call<cuCtxGetDevice>(device);
    *device = chosen_device();
    return cudaSuccess;
}

cudaError_t use_device(int device) {
    CUcontext context = nullptr;
    const cudaError_t result = primary_context(device, &context);
    if (result != cudaSuccess) return result;
    state.device = device;
    return driver::call<cuCtxSetCurrent>(context);
}

cudaError_t use_one_of(const int* devices, int count) {
    int available = 0;
    const cudaError_t result = call_without_context<cuDeviceGetCount>(&available);
    if (result != cudaSuccess) return result;
    if (count < 0 || (devices == nullptr && count != 0)) return cudaErrorInvalidValue;
    for (int index = 0; index < count; ++index) {
        if (devices[index] < 0 || devices[index] >= available) return cudaErrorInvalidDevice;
    }
    default_device = count == 0 ? 0 : devices[0];
    return cudaSuccess;
}

}  // namespace cuprum::simulator::runtime
