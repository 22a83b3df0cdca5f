#include "ptx_names.hpp"

#include <algorithm>
#include <unordered_set>

namespace cuprum::core {

namespace {

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// What a PTX identifier is made of (PTX ISA, "Identifiers").
bool is_identifier(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           c == '%';
}

// A copy in which comments are blanks.
std::string without_comments(std::string_view ptx) {
    std::string text(ptx);
    for (size_t i = 0; i + 1 < text.size(); ++i) {
        if (text[i] != '/') continue;
        size_t end = i;
        if (text[i + 1] == '/') {
            end = text.find('\n', i);
        } else if (text[i + 1] == '*') {
            end = text.find("*/", i + 2);
            if (end != std::string::npos) end += 2;
        } else {
            continue;
        }
        if (end == std::string::npos) end = text.size();
        std::fill(text.begin() + static_cast<std::ptrdiff_t>(i), text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
        i = end == 0 ? 0 : end - 1;
    }
    return text;
}

}  // namespace

std::vector<std::string> kernel_names_in_ptx(std::string_view ptx) {
    static constexpr std::string_view directive = ".entry";
    const std::string text = without_comments(ptx);
    std::vector<std::string> names;
    std::unordered_set<std::string> seen;
    for (size_t at = text.find(directive); at != std::string::npos; at = text.find(directive, at)) {
        at += directive.size();
        size_t begin = at;
        while (begin < text.size() && is_space(text[begin]))
            ++begin;
        size_t end = begin;
        while (end < text.size() && is_identifier(text[end]))
            ++end;
        const bool is_directive = begin > at && end > begin;
        if (!is_directive) continue;
        std::string name = text.substr(begin, end - begin);
        if (seen.insert(name).second) names.push_back(std::move(name));
    }
    return names;
}

}  // namespace cuprum::core
