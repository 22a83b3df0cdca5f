#include "utf8.hpp"

#include <cstddef>
#include <cstdint>

namespace cuprum::capi {

namespace {

uint8_t byte_at(std::string_view text, size_t index) {
    return static_cast<uint8_t>(text[index]);
}

// The length of the well-formed sequence that `text` begins with; 0 if there is none (Unicode 15, table 3-7).
size_t sequence_length(std::string_view text) noexcept {
    const uint8_t lead = byte_at(text, 0);
    if (lead < 0x80) {
        return 1;
    }
    size_t length = 0;
    uint8_t low = 0x80;  // bounds of the second byte: they shut out overlong forms, surrogates and > U+10FFFF
    uint8_t high = 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF) {
        length = 2;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        length = 3;
        low = lead == 0xE0 ? 0xA0 : 0x80;
        high = lead == 0xED ? 0x9F : 0xBF;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        length = 4;
        low = lead == 0xF0 ? 0x90 : 0x80;
        high = lead == 0xF4 ? 0x8F : 0xBF;
    } else {
        return 0;
    }
    if (text.size() < length || byte_at(text, 1) < low || byte_at(text, 1) > high) {
        return 0;
    }
    for (size_t index = 2; index < length; ++index) {
        if ((byte_at(text, index) & 0xC0) != 0x80) {
            return 0;
        }
    }
    return length;
}

}  // namespace

bool is_utf8(std::string_view text) noexcept {
    while (!text.empty()) {
        const size_t length = sequence_length(text);
        if (length == 0) {
            return false;
        }
        text.remove_prefix(length);
    }
    return true;
}

std::string to_utf8(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const size_t length = sequence_length(text);
        if (length == 0) {
            result += "\xEF\xBF\xBD";
            text.remove_prefix(1);
        } else {
            result += text.substr(0, length);
            text.remove_prefix(length);
        }
    }
    return result;
}

}  // namespace cuprum::capi
