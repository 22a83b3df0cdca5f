#include "describe.hpp"

#include <array>
#include <charconv>

#include "driver_api.hpp"

namespace cuprum::core {

std::string hexadecimal(uint64_t value) {
    std::array<char, 16> digits;
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16);
    static_cast<void>(error);  // 16 digits hold every 64-bit number
    return std::string("0x").append(digits.data(), end);
}

std::string describe_device(int32_t device_id) {
    return "device " + std::to_string(device_id);
}

std::string describe(const StreamRef& stream) {
    if (!stream.is_valid()) return "an invalid stream";
    const std::string where = " on " + describe_device(stream.device_id());
    if (stream.handle() == nullptr || stream.handle() == CU_STREAM_LEGACY) return "the default stream" + where;
    if (stream.handle() == CU_STREAM_PER_THREAD) return "the per-thread default stream" + where;
    return "stream " + hexadecimal(reinterpret_cast<uintptr_t>(stream.handle())) + where;
}

std::string describe(const EventRef& event) {
    if (!event.is_valid()) return "an invalid event";
    return "event " + hexadecimal(reinterpret_cast<uintptr_t>(event.handle())) + " on " +
           describe_device(event.device_id());
}

std::string describe(const BufferRef& buffer) {
    if (!buffer.is_valid()) return "an invalid buffer";
    return "Buffer " + hexadecimal(buffer.handle()) + " (" + std::to_string(buffer.size()) + " bytes) on " +
           describe_device(buffer.device_id());
}

std::string describe(const Dimensions& dimensions) {
    std::string text = "(";
    text += std::to_string(dimensions.x) + ", " + std::to_string(dimensions.y) + ", ";
    text += std::to_string(dimensions.z) + ")";
    return text;
}

std::string describe_kernel(std::string_view name, int32_t device_id) {
    return "kernel '" + std::string(name) + "' on " + describe_device(device_id);
}

}  // namespace cuprum::core
