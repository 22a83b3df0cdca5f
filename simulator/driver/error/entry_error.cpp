// cuInit, the driver's version, error texts, the error log.
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "driver/error/error_table.hpp"
#include "driver/error/log.hpp"
#include "driver/process/cuda_version.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

extern "C" {

CUresult CUDAAPI cuInit(unsigned int Flags) {
    if (driver().forked()) return CUDA_ERROR_NOT_INITIALIZED;
    return entry_unchecked("cuInit", [&]() -> CUresult {
        require_flags(Flags, 0, "Flags");
        driver().initialise();
        if (driver().device_count() == 0) {
            throw DriverError(CUDA_ERROR_NO_DEVICE,
                              "the simulator is configured with no device (CUPRUM_SIM=devices=0)");
        }
        return CUDA_SUCCESS;
    });
}

CUresult CUDAAPI cuDriverGetVersion(int* version) {
    if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *version = cuda_version();
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGetErrorName(CUresult error, const char** text) {
    if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const ErrorText* found = find_error(error);
    *text = found ? found->name : nullptr;
    return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI cuGetErrorString(CUresult error, const char** text) {
    if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const ErrorText* found = find_error(error);
    *text = found ? found->description : nullptr;
    return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// The log must be readable when nothing else works: none of these needs cuInit.

CUresult CUDAAPI cuLogsRegisterCallback(CUlogsCallback callback, void* user_data, CUlogsCallbackHandle* handle) {
    if (callback == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return entry_unchecked("cuLogsRegisterCallback", [&] {
        const CUlogsCallbackHandle added = log().add_callback(callback, user_data);
        if (handle != nullptr) *handle = added;
    });
}

CUresult CUDAAPI cuLogsUnregisterCallback(CUlogsCallbackHandle handle) {
    return log().remove_callback(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI cuLogsCurrent(CUlogIterator* iterator, unsigned int flags) {
    if (iterator == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    *iterator = log().current();
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLogsDumpToFile(CUlogIterator* iterator, const char* path, unsigned int flags) {
    if (path == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    return entry_unchecked("cuLogsDumpToFile", [&] {
        CUlogIterator next = 0;
        const std::string text = log().lines_from(iterator ? *iterator : 0, &next);
        std::FILE* file = std::fopen(path, "w");
        const bool written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
        if ((file && std::fclose(file) != 0) || !written) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              std::string(path) + " cannot be written: " + std::strerror(errno));
        }
        if (iterator != nullptr) *iterator = next;
    });
}

CUresult CUDAAPI cuLogsDumpToMemory(CUlogIterator* iterator, char* buffer, size_t* size, unsigned int flags) {
    if (buffer == nullptr || size == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    return entry_unchecked("cuLogsDumpToMemory", [&]() -> CUresult {
        CUlogIterator next = 0;
        const CUlogIterator first = iterator ? *iterator : 0;
        const size_t room = std::min(*size, Log::dump_limit);
        const std::string text = room == 0 ? std::string() : log().recent_lines(first, room - 1, &next);
        if (room > 0) {
            std::memcpy(buffer, text.c_str(), text.size() + 1);
        }
        *size = text.size();
        if (text.empty() && first < log().current()) return CUDA_ERROR_INVALID_VALUE;
        if (iterator != nullptr) *iterator = next;
        return CUDA_SUCCESS;
    });
}

}  // extern "C"
