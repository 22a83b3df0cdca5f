#include "nvml_call.hpp"

#include <atomic>
#include <mutex>
#include <utility>

#include "unresolved.hpp"

namespace cuprum::core {

namespace {

Status status_of(nvmlReturn_t result) {
    switch (result) {
        case NVML_ERROR_NOT_SUPPORTED:
            return Status::unsupported;
        case NVML_ERROR_INVALID_ARGUMENT:
        case NVML_ERROR_NOT_FOUND:
            return Status::invalid_argument;
        case NVML_ERROR_LIBRARY_NOT_FOUND:
            return Status::library_not_found;
        case NVML_ERROR_FUNCTION_NOT_FOUND:
            return Status::symbol_not_found;
        default:
            return Status::driver_error;
    }
}

std::string advice_on(nvmlReturn_t result) {
    switch (result) {
        case NVML_ERROR_NOT_SUPPORTED:
            return "this device does not have it; others may";
        case NVML_ERROR_NO_PERMISSION:
            return "only root may do this, or who the administrator lets (nvidia-smi)";
        case NVML_ERROR_DRIVER_NOT_LOADED:
            return nvml::library().loaded() && nvml::library().load().is_simulator
                       ? "the simulator does not start: see CUPRUM_SIM and CUPRUM_SIM_NVML, which it reads"
                       : "load NVIDIA's kernel module: nvidia-smi says why it is not";
        case NVML_ERROR_GPU_IS_LOST:
        case NVML_ERROR_RESET_REQUIRED:
            return "the GPU has to be reset, or the machine restarted";
        default:
            return {};
    }
}

// The code's own name, as far as a user meets it.
const char* nvml_error_name(nvmlReturn_t result) {
    switch (result) {
        case NVML_ERROR_UNINITIALIZED:
            return "NVML_ERROR_UNINITIALIZED";
        case NVML_ERROR_INVALID_ARGUMENT:
            return "NVML_ERROR_INVALID_ARGUMENT";
        case NVML_ERROR_NOT_SUPPORTED:
            return "NVML_ERROR_NOT_SUPPORTED";
        case NVML_ERROR_NO_PERMISSION:
            return "NVML_ERROR_NO_PERMISSION";
        case NVML_ERROR_NOT_FOUND:
            return "NVML_ERROR_NOT_FOUND";
        case NVML_ERROR_INSUFFICIENT_SIZE:
            return "NVML_ERROR_INSUFFICIENT_SIZE";
        case NVML_ERROR_DRIVER_NOT_LOADED:
            return "NVML_ERROR_DRIVER_NOT_LOADED";
        case NVML_ERROR_TIMEOUT:
            return "NVML_ERROR_TIMEOUT";
        case NVML_ERROR_LIBRARY_NOT_FOUND:
            return "NVML_ERROR_LIBRARY_NOT_FOUND";
        case NVML_ERROR_FUNCTION_NOT_FOUND:
            return "NVML_ERROR_FUNCTION_NOT_FOUND";
        case NVML_ERROR_GPU_IS_LOST:
            return "NVML_ERROR_GPU_IS_LOST";
        case NVML_ERROR_MEMORY:
            return "NVML_ERROR_MEMORY";
        case NVML_ERROR_UNKNOWN:
            return "NVML_ERROR_UNKNOWN";
        default:
            return "NVML_ERROR";
    }
}

}  // namespace

void start_nvml(const char* operation) {
    static std::atomic<bool> started{false};
    static std::mutex mutex;
    if (started.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(mutex);
    if (started.load(std::memory_order_relaxed)) return;
    check_nvml(nvml::nvmlInit_v2(), "nvmlInit", operation, "NVML");
    started.store(true, std::memory_order_release);
}

void throw_nvml_error(nvmlReturn_t result, const char* function, std::string operation, std::string object) {
    if (result == NVML_ERROR_LIBRARY_NOT_FOUND || result == NVML_ERROR_FUNCTION_NOT_FOUND) {
        throw_if_unresolved(function, operation, object);
    }
    ErrorInfo info;
    info.status = status_of(result);
    info.domain = ErrorDomain::nvml;
    info.code = static_cast<int32_t>(result);
    info.name = nvml_error_name(result);
    info.operation = std::move(operation);
    info.object = std::move(object);
    info.advice = advice_on(result);
    const char* const text = nvml::nvmlErrorString(result);
    info.detail = std::string(function) + ": " + (text == nullptr ? info.name : text);
    throw_error(std::move(info));
}

}  // namespace cuprum::core
