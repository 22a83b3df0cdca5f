#include "driver/error/driver_error.hpp"

#include <cstdio>
#include <vector>

namespace cuprum::simulator::libcuda {

std::string hexadecimal(uint64_t value) {
    return format("0x%llx", static_cast<unsigned long long>(value));
}

std::string format(const char* text, ...) {
    va_list arguments;
    va_start(arguments, text);
    va_list measured;
    va_copy(measured, arguments);
    const int length = std::vsnprintf(nullptr, 0, text, measured);
    va_end(measured);
    std::string result;
    if (length > 0) {
        result.resize(static_cast<size_t>(length));
        std::vsnprintf(result.data(), result.size() + 1, text, arguments);
    }
    va_end(arguments);
    return result;
}

}  // namespace cuprum::simulator::libcuda
