#include "driver_error.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "context.hpp"
#include "driver_log.hpp"
#include "source_text.hpp"
#include "unresolved.hpp"

namespace cuprum::core {

namespace {

// Whether the simulator is in use; false where no driver is loaded.
bool uses_simulator() {
    try {
        return driver::library().loaded() && driver::is_simulator();
    } catch (const Error&) {
        return false;
    }
}

// What the reader can do about it; empty where the code speaks for itself.
std::string advice_for(CUresult result) {
    if (is_sticky(result)) {
        return "the context is lost: every later call on this device fails in the same way until the process ends; "
               "start the program again";
    }
    switch (result) {
        case CUDA_ERROR_INVALID_PTX:
            if (uses_simulator()) {
                return "what is wrong with the PTX is said above; what the simulator cannot run, a GPU can "
                       "(CUPRUM_DRIVER=gpu)";
            }
            return "the PTX is malformed or was written for another architecture: compile it for this device (leave "
                   "the architecture out of the program's options)";
        case CUDA_ERROR_NOT_SUPPORTED:
            if (uses_simulator()) {
                return "what the simulator does not have is said above; a GPU may have it (CUPRUM_DRIVER=gpu)";
            }
            return {};
        case CUDA_ERROR_NO_BINARY_FOR_GPU:
            return "the code was compiled for another architecture: leave the architecture out of the program's "
                   "options, or name this device's";
        case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
            return "the PTX comes from a toolkit newer than this driver: compile without naming the type of code, "
                   "which gives what this driver loads, use an older NVRTC, or update the driver";
        case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
            return "the driver's PTX compiler is missing: compile to a cubin, or install the whole driver package";
        case CUDA_ERROR_INVALID_IMAGE:
            return "check that the code is complete, and of the type that it was given as";
        case CUDA_ERROR_NO_DEVICE:
            return "there is a driver but no GPU (see CUDA_VISIBLE_DEVICES); CUPRUM_DRIVER=sim runs on the simulator";
        case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
            return "the kernel module and libcuda come from different driver versions: restart the machine after a "
                   "driver update";
        case CUDA_ERROR_NOT_INITIALIZED:
            return "CUDA does not survive a fork: use it only in the child, or start the child anew";
        case CUDA_ERROR_OUT_OF_MEMORY:
            return "free device memory, or ask for less";
        case CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED:
            return "use the buffer that this memory is registered with, or close it first";
        case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
            return "launch fewer threads per block, or set a maximum register count in the program's options";
        case CUDA_ERROR_CONTEXT_IS_DESTROYED:
        case CUDA_ERROR_INVALID_CONTEXT:
            return "other code in this process has reset or destroyed the device's primary context";
        default:
            return {};
    }
}

Status status_for(CUresult result) {
    if (is_sticky(result)) return Status::device_fault;
    switch (result) {
        case CUDA_ERROR_OUT_OF_MEMORY:
            return Status::out_of_memory;
        case CUDA_ERROR_NOT_SUPPORTED:
            return Status::unsupported;
        default:
            return Status::driver_error;
    }
}

void skip(std::string_view& text, std::string_view prefix) {
    if (text.starts_with(prefix) && text.substr(prefix.size()).starts_with(": ")) text.remove_prefix(prefix.size() + 2);
}

// Whether the text has that line, as a part of one or with a preface left out ("... since an earlier error: <line>").
bool is_said(std::string_view text, std::string_view line) {
    constexpr size_t shortest_fact = 24;  // characters; what is shorter may be part of anything
    while (!text.empty()) {
        const std::string_view said = take_line(text);
        if (said == line) return true;
        if (line.size() >= shortest_fact && said.find(line) != std::string_view::npos) return true;
        if (said.size() >= shortest_fact && line.ends_with(said)) return true;
    }
    return false;
}

// Adds what `lines` say that the detail does not say yet. A driver may log the same of the work that failed and of the
// call that found out, and put it into the caller's log buffer too. Which call it was, and the code, are known.
void append_news(ErrorInfo& info, const char* driver_function, std::string_view lines) {
    while (!lines.empty()) {
        std::string_view line = take_line(lines);
        skip(line, driver_function);
        skip(line, info.name);
        if (line.empty() || is_said(info.detail, line)) continue;
        info.detail += '\n';
        info.detail += line;
    }
}

}  // namespace

bool is_sticky(CUresult result) noexcept {
    switch (result) {
        case CUDA_ERROR_ECC_UNCORRECTABLE:
        case CUDA_ERROR_NVLINK_UNCORRECTABLE:
        case CUDA_ERROR_CONTAINED:
        case CUDA_ERROR_ILLEGAL_ADDRESS:
        case CUDA_ERROR_LAUNCH_TIMEOUT:
        case CUDA_ERROR_ASSERT:
        case CUDA_ERROR_HARDWARE_STACK_ERROR:
        case CUDA_ERROR_ILLEGAL_INSTRUCTION:
        case CUDA_ERROR_MISALIGNED_ADDRESS:
        case CUDA_ERROR_INVALID_ADDRESS_SPACE:
        case CUDA_ERROR_INVALID_PC:
        case CUDA_ERROR_LAUNCH_FAILED:
        case CUDA_ERROR_TENSOR_MEMORY_LEAK:
        case CUDA_ERROR_EXTERNAL_DEVICE:
            return true;
        default:
            return false;
    }
}

ErrorInfo driver_error_info(CUresult result, const char* driver_function, std::string operation, std::string object,
                            const std::string& note) {
    ErrorInfo info;
    info.status = status_for(result);
    info.domain = ErrorDomain::driver;
    info.code = static_cast<int32_t>(result);
    info.operation = std::move(operation);
    info.object = std::move(object);
    const char* text = nullptr;
    if (driver::cuGetErrorName(result, &text) == CUDA_SUCCESS && text != nullptr) {
        info.name = text;
    } else {
        info.name = "CUresult " + std::to_string(info.code);
    }
    text = nullptr;
    info.detail = driver_function;
    if (driver::cuGetErrorString(result, &text) == CUDA_SUCCESS && text != nullptr) {
        info.detail += ": ";
        info.detail += text;
    }
    const std::string log = driver_log_lines();
    if (log.find(note) == std::string::npos) append_news(info, driver_function, note);
    append_news(info, driver_function, log);
    info.advice = advice_for(result);
    return info;
}

std::optional<bindings::ResolutionFailure> take_unresolved(CUresult result, std::string_view driver_function) {
    if (result != CUDA_ERROR_SHARED_OBJECT_INIT_FAILED && result != CUDA_ERROR_NOT_FOUND) return std::nullopt;
    return take_unresolved(driver_function);
}

void throw_driver_error(CUresult result, const char* driver_function, std::string operation, std::string object,
                        const std::string& note) {
    // The driver or the function is not there: the bindings know more than the code says.
    if (std::optional<bindings::ResolutionFailure> failure = take_unresolved(result, driver_function)) {
        failure->info.operation = std::move(operation);
        if (!object.empty()) failure->info.operation += " (" + object + ")";
        throw failure->to_error();
    }
    // All that a driver says in a forked child.
    if (result == CUDA_ERROR_NOT_INITIALIZED && is_forked()) {
        throw_forked_child(std::move(operation), std::move(object));
    }
    throw_error(driver_error_info(result, driver_function, std::move(operation), std::move(object), note));
}

}  // namespace cuprum::core
