// How the driver's objects report failure to the entry points.
#pragma once

#include <cstdarg>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

// Thrown by objects, caught by entry() (entry.hpp), which logs the message and returns the code. Never leaves the
// library.
class DriverError : public std::runtime_error {
public:
    DriverError(CUresult code, const std::string& message) : std::runtime_error(message), code_(code) {}
    CUresult code() const { return code_; }

private:
    CUresult code_;
};

// "0x7f12..." of an address or handle.
std::string hexadecimal(uint64_t value);
inline std::string hexadecimal(const void* value) {
    return hexadecimal(reinterpret_cast<uint64_t>(value));
}

// printf into a std::string.
std::string format(const char* text, ...) __attribute__((format(printf, 1, 2)));

// For an out-parameter or input that must not be null.
inline void require_pointer(const void* pointer, const char* parameter) {
    if (pointer == nullptr) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, std::string(parameter) + " is null");
    }
}

inline void require_no_flags(unsigned long long flags) {
    if (flags != 0) throw DriverError(CUDA_ERROR_INVALID_VALUE, format("flags is 0x%llx; it must be 0", flags));
}

// For flag words: throws when `flags` has bits outside `allowed`.
inline void require_flags(unsigned int flags, unsigned int allowed, const char* parameter) {
    if ((flags & ~allowed) != 0) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("%s has unknown bits 0x%x (known: 0x%x)", parameter, flags & ~allowed, allowed));
    }
}

}  // namespace cuprum::simulator::libcuda
