// How objects are called in error texts. Only used once something has failed.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "cuprum/core/buffer.hpp"
#include "cuprum/core/event.hpp"
#include "cuprum/core/launch.hpp"
#include "cuprum/core/stream.hpp"

namespace cuprum::core {

std::string hexadecimal(uint64_t value);                                // "0x7f00"
std::string describe_device(int32_t device_id);                         // "device 0"
std::string describe(const StreamRef& stream);                          // "stream 0x55d0 on device 0"
std::string describe(const EventRef& event);                            // "event 0x55d0 on device 0"
std::string describe(const BufferRef& buffer);                          // "Buffer 0x7f00 (4096 bytes) on device 0"
std::string describe(const Dimensions& dimensions);                     // "(256, 1, 1)"
std::string describe_kernel(std::string_view name, int32_t device_id);  // "kernel 'saxpy' on device 0"

inline std::string describe(const char* text) {
    return text;
}
inline std::string describe(const std::string& text) {
    return text;
}

// Text that is made only when it is needed.
template <std::invocable Make>
std::string describe(const Make& make) {
    return make();
}

}  // namespace cuprum::core
