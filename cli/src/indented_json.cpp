#include "indented_json.hpp"

#include <algorithm>

namespace cuprum::cli {

namespace {

// The end of the text that begins at `begin` with its quote: one past its last quote.
std::size_t end_of_text(std::string_view json, std::size_t begin) {
    std::size_t end = begin + 1;
    while (end < json.size() && json[end] != '"') {
        end += json[end] == '\\' ? 2 : 1;
    }
    return std::min(end + 1, json.size());
}

// One past the bracket that closes the one at `begin`, if there is no other object or array in between; else 0.
std::size_t end_if_flat(std::string_view json, std::size_t begin) {
    for (std::size_t at = begin + 1; at < json.size();) {
        switch (json[at]) {
            case '"':
                at = end_of_text(json, at);
                break;
            case '{':
            case '[':
                return 0;
            case '}':
            case ']':
                return at + 1;
            default:
                ++at;
        }
    }
    return 0;
}

}  // namespace

std::string indented_json(std::string_view json) {
    std::string text;
    std::size_t depth = 0;
    std::size_t end_of_line = 0;  // of a flat array, which stays on one line
    const auto begin_line = [&] { text += '\n' + std::string(2 * depth, ' '); };
    for (std::size_t at = 0; at < json.size();) {
        const char c = json[at];
        const bool is_inline = at < end_of_line;
        if (c == '"') {
            const std::size_t end = end_of_text(json, at);
            text += json.substr(at, end - at);
            at = end;
            continue;
        }
        ++at;
        if (c == '[' || c == '{') {
            const std::size_t end = end_if_flat(json, at - 1);
            text += c;
            if (end != 0 && (c == '[' || end == at + 1)) {
                end_of_line = end;
            } else {
                ++depth;
                begin_line();
            }
        } else if ((c == ']' || c == '}') && !is_inline) {
            --depth;
            begin_line();
            text += c;
        } else if (c == ',') {
            text += c;
            if (is_inline) {
                text += ' ';
            } else {
                begin_line();
            }
        } else {
            text += c;
            text += c == ':' ? " " : "";
        }
    }
    return text + '\n';
}

}  // namespace cuprum::cli
