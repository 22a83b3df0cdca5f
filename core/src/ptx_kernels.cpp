#include "ptx_kernels.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "source_text.hpp"

namespace cuprum::core {

namespace {

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// What a PTX identifier is made of (PTX ISA, "Identifiers").
bool is_ptx_identifier_character(char c) {
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

void skip_spaces(std::string_view& text) {
    while (!text.empty() && is_space(text.front()))
        text.remove_prefix(1);
}

std::string_view take_identifier(std::string_view& text) {
    const auto end =
        static_cast<size_t>(std::find_if_not(text.begin(), text.end(), is_ptx_identifier_character) - text.begin());
    const std::string_view identifier = text.substr(0, end);
    text.remove_prefix(end);
    return identifier;
}

// One parameter's declaration, ".param .u64 .ptr .global .align 4 name": its type.
std::string type_in(std::string_view declaration) {
    constexpr std::array<std::string_view, 17> types{"u8",  "u16", "u32", "u64", "s8",  "s16", "s32",   "s64", "f16",
                                                     "f32", "f64", "b8",  "b16", "b32", "b64", "f16x2", "b128"};
    std::string type;
    bool is_pointer = false;
    for (size_t dot = declaration.find('.'); dot != std::string_view::npos; dot = declaration.find('.', dot + 1)) {
        std::string_view rest = declaration.substr(dot + 1);
        const std::string_view word = take_identifier(rest);
        is_pointer = is_pointer || word == "ptr";
        if (type.empty() && std::find(types.begin(), types.end(), word) != types.end()) type = "." + std::string(word);
    }
    if (declaration.find('[') != std::string_view::npos) return type + "[]";
    return is_pointer ? type + ".ptr" : type;
}

// What stands between the parentheses behind a kernel's name, if there are any.
std::string parameters_in(std::string_view after_name) {
    skip_spaces(after_name);
    if (after_name.empty() || after_name.front() != '(') return {};
    // Whatever cannot be in a list ends it, so that no text is read twice.
    std::string_view list = after_name.substr(1, after_name.find_first_of("(){};", 1) - 1);
    skip_spaces(list);
    std::string types;
    while (!list.empty()) {
        const size_t comma = std::min(list.find(','), list.size());
        types += " " + type_in(list.substr(0, comma));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return types;
}

ParameterType type_of(std::string_view text) {
    constexpr auto type = [](ArgumentKind kind, uint64_t size, const char* name = "") {
        return ParameterType{kind, size, name};
    };
    if (text.ends_with(".ptr")) return type(ArgumentKind::pointer, 8);
    if (text == ".f16") return type(ArgumentKind::floating_point, 2);
    if (text == ".f32") return type(ArgumentKind::floating_point, 4, "float");
    if (text == ".f64") return type(ArgumentKind::floating_point, 8, "double");
    if (text == ".u8" || text == ".s8") return type(ArgumentKind::integer, 1);
    if (text == ".u16" || text == ".s16") return type(ArgumentKind::integer, 2);
    if (text == ".u32" || text == ".s32") return type(ArgumentKind::integer, 4);
    if (text == ".u64" || text == ".s64") return type(ArgumentKind::integer_or_pointer, 8);
    return {};
}

}  // namespace

std::string kernels_in_ptx(std::string_view ptx) {
    static constexpr std::string_view directive = ".entry";
    const std::string without = without_comments(ptx);
    const std::string_view text = without;
    std::string kernels;
    for (size_t at = text.find(directive); at != std::string_view::npos; at = text.find(directive, at)) {
        at += directive.size();
        std::string_view rest = text.substr(at);
        skip_spaces(rest);
        const bool is_directive = rest.size() < text.size() - at;
        const std::string_view name = take_identifier(rest);
        if (is_directive && !name.empty()) kernels.append(name).append(parameters_in(rest)).append("\n");
    }
    return kernels;
}

std::vector<std::string> kernel_names(std::string_view kernels) {
    std::vector<std::string> names;
    std::unordered_set<std::string_view> seen;
    while (!kernels.empty()) {
        std::string_view line = take_line(kernels);
        const std::string_view name = take_identifier(line);
        if (seen.insert(name).second) names.emplace_back(name);
    }
    return names;
}

std::optional<std::vector<ParameterType>> kernel_parameters(std::string_view kernels, std::string_view name) {
    while (!kernels.empty()) {
        std::string_view line = take_line(kernels);
        if (take_identifier(line) != name) continue;
        std::vector<ParameterType> types;
        while (!line.empty()) {
            line.remove_prefix(1);
            const size_t end = std::min(line.find(' '), line.size());
            types.push_back(type_of(line.substr(0, end)));
            line.remove_prefix(end);
        }
        return types;
    }
    return std::nullopt;
}

}  // namespace cuprum::core
