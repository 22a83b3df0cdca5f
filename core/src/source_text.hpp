// What the readers of source text, PTX and mangled names have in common. Not installed.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace cuprum::core {

inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

template <std::size_t count>
bool is_one_of(std::string_view word, const std::array<std::string_view, count>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// The first line, which is removed from `text`.
inline std::string_view take_line(std::string_view& text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    return line;
}

}  // namespace cuprum::core
