// A number for a text: FNV-1a, 64 bits. Against accidents, not against malice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cuprum::parallel {

// `hash`: of the bytes before these.
constexpr uint64_t text_hash(std::string_view bytes, uint64_t hash = 0xcbf29ce484222325) {
    for (const char byte : bytes)
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
    return hash;
}

// 16 digits.
inline std::string hexadecimal(uint64_t number) {
    std::string text(16, '0');
    for (size_t i = text.size(); i-- > 0; number /= 16)
        text[i] = "0123456789abcdef"[number % 16];
    return text;
}

}  // namespace cuprum::parallel
