#include "unused_variables.hpp"

#include <algorithm>
#include <unordered_map>

namespace cuprum::core {

namespace {

// PTX ISA, "Identifiers".
bool is_in_identifier(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           c == '%';
}

// The next identifier of a text, or number, which is then taken away from it; empty at the end.
std::string_view take_word(std::string_view& text) {
    const auto* const begin = std::find_if(text.begin(), text.end(), is_in_identifier);
    const auto* const end = std::find_if_not(begin, text.end(), is_in_identifier);
    const std::string_view word(begin, static_cast<size_t>(end - begin));
    text.remove_prefix(static_cast<size_t>(end - text.begin()));
    return word;
}

// With its end.
std::string_view take_whole_line(std::string_view& text) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end == std::string_view::npos ? end : end + 1);
    text.remove_prefix(line.size());
    return line;
}

// The name in ".weak .global .align 4 .u32 name[2] = {1, 2};"; empty where the line is something else.
std::string_view declared_variable(std::string_view line) {
    if (!line.starts_with('.')) return {};
    std::string_view declaration = line.substr(0, line.find_first_of("=[;{("));
    while (!declaration.empty() && declaration.back() == ' ')
        declaration.remove_suffix(1);
    const bool is_variable =
        declaration.find(".global ") != std::string_view::npos || declaration.find(".const ") != std::string_view::npos;
    if (!is_variable || line.find_last_not_of(" \r\n") != line.rfind(';')) return {};
    const auto first =
        std::find_if_not(declaration.rbegin(), declaration.rend(), is_in_identifier).base() - declaration.begin();
    return declaration.substr(static_cast<size_t>(first));
}

}  // namespace

std::string without_unused_variables(std::string_view ptx) {
    std::unordered_map<std::string_view, int> mentions;
    for (std::string_view rest = ptx; !rest.empty();) {
        if (const std::string_view name = declared_variable(take_whole_line(rest)); !name.empty())
            mentions.emplace(name, 0);
    }
    for (std::string_view rest = ptx; !mentions.empty() && !rest.empty();) {
        if (const auto found = mentions.find(take_word(rest)); found != mentions.end()) ++found->second;
    }
    std::string kept;
    kept.reserve(ptx.size());
    while (!ptx.empty()) {
        const std::string_view line = take_whole_line(ptx);
        const std::string_view name = declared_variable(line);
        if (name.empty() || mentions.at(name) > 1) kept += line;
    }
    return kept;
}

}  // namespace cuprum::core
