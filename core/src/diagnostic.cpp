#include "cuprum/core/diagnostic.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace cuprum::core {

namespace {

using Severity = Diagnostic::Severity;

struct SeverityWord {
    std::string_view word;
    Severity severity;
};

// The longer of two that begin alike first.
constexpr std::array severity_words{
    SeverityWord{"catastrophic error", Severity::error},
    SeverityWord{"internal error", Severity::error},
    SeverityWord{"command-line error", Severity::error},
    SeverityWord{"error", Severity::error},
    SeverityWord{"fatal", Severity::error},
    SeverityWord{"DataLayoutError", Severity::error},
    SeverityWord{"warning", Severity::warning},
    SeverityWord{"remark", Severity::note},
    SeverityWord{"note", Severity::note},
    SeverityWord{"info", Severity::note},
};

std::string_view trimmed(std::string_view text) {
    const size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::optional<int32_t> whole_number(std::string_view text) {
    int32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
    return number;
}

// "warning #177-D: variable ...", "error   : Unknown symbol": what follows the place.
std::optional<Diagnostic> read_message(std::string_view text) {
    for (const SeverityWord& each : severity_words) {
        if (!text.starts_with(each.word)) continue;
        std::string_view rest = text.substr(each.word.size());
        Diagnostic diagnostic;
        diagnostic.severity = each.severity;
        if (rest.starts_with(" #")) {
            const size_t end = rest.find(':');
            if (end == std::string_view::npos) return std::nullopt;
            diagnostic.code = trimmed(rest.substr(2, end - 2));
            rest.remove_prefix(end);
        }
        const size_t colon = rest.find_first_not_of(' ');
        if (colon == std::string_view::npos || rest[colon] != ':') return std::nullopt;
        diagnostic.text = trimmed(rest.substr(colon + 1));
        return diagnostic;
    }
    return std::nullopt;
}

// NVRTC: "saxpy.cu(3): error: ...". A name may have parentheses and colons of its own.
std::optional<Diagnostic> read_compiler_line(std::string_view line) {
    constexpr size_t longest_number = 11;
    for (size_t end = line.find("): "); end != std::string_view::npos; end = line.find("): ", end + 1)) {
        // Not farther back than a number's digits reach: a long line is read once.
        const size_t from = end - std::min(end, longest_number);
        const size_t place = line.substr(from, end - from).rfind('(');
        if (place == std::string_view::npos || from + place == 0) continue;
        const size_t begin = from + place;
        const std::optional<int32_t> number = whole_number(line.substr(begin + 1, end - begin - 1));
        if (!number) continue;
        std::optional<Diagnostic> diagnostic = read_message(line.substr(end + 3));
        if (!diagnostic) continue;
        diagnostic->file = line.substr(0, begin);
        diagnostic->line = *number;
        return diagnostic;
    }
    return std::nullopt;
}

// "ptxas a.ptx, line 12; error   : ...", "ptxas fatal   : ...", "nvlink error   : ... in 'k.cu'".
std::optional<Diagnostic> read_tool_line(std::string_view line) {
    for (const std::string_view tool : {"ptxas", "nvlink", "nvvm", "nvJitLink"}) {
        if (!line.starts_with(tool) || line.size() == tool.size() || line[tool.size()] != ' ') continue;
        std::string_view rest = trimmed(line.substr(tool.size()));
        if (auto diagnostic = read_message(rest)) return diagnostic;
        const size_t comma = rest.find(", line ");
        const size_t semicolon = rest.find(';', comma == std::string_view::npos ? 0 : comma);
        if (comma == std::string_view::npos || semicolon == std::string_view::npos) return std::nullopt;
        const std::optional<int32_t> number = whole_number(rest.substr(comma + 7, semicolon - comma - 7));
        std::optional<Diagnostic> diagnostic = read_message(trimmed(rest.substr(semicolon + 1)));
        if (!number || !diagnostic) return std::nullopt;
        diagnostic->file = rest.substr(0, comma);
        diagnostic->line = *number;
        return diagnostic;
    }
    return std::nullopt;
}

// libNVVM: "saxpy.ll (25, 6): parse expected type", "saxpy.bc: parse ...", "saxpy.ll: error: ...", "b.ll: link error:
// error: ...", "libnvvm : error: ...".
std::optional<Diagnostic> read_nvvm_line(std::string_view line) {
    Diagnostic diagnostic;
    diagnostic.severity = Severity::error;
    if (const size_t end = line.find("): parse "); end != std::string_view::npos) {
        const size_t open = line.substr(0, end).rfind(" (");
        if (open == std::string_view::npos || open == 0) return std::nullopt;
        const std::string_view place = line.substr(open + 2, end - open - 2);
        const size_t comma = std::min(place.find(", "), place.size());
        const std::optional<int32_t> number = whole_number(place.substr(0, comma));
        const std::optional<int32_t> column = whole_number(place.substr(std::min(comma + 2, place.size())));
        if (!number || !column) return std::nullopt;
        diagnostic.file = line.substr(0, open);
        diagnostic.line = *number;
        diagnostic.column = *column;
        diagnostic.text = trimmed(line.substr(end + 3));
        return diagnostic;
    }
    if (const size_t end = line.find(": parse "); end != std::string_view::npos && end != 0 && line[0] != ' ') {
        diagnostic.file = line.substr(0, end);
        diagnostic.text = trimmed(line.substr(end + 2));
        return diagnostic;
    }
    const size_t end = line.find(": error: ");
    if (line.starts_with(' ') || end == std::string_view::npos || end == 0) return std::nullopt;
    // NVRTC's, and no place in it.
    if (line[end - 1] == ')' || line.starts_with("At end of source")) return std::nullopt;
    std::string_view file = trimmed(line.substr(0, end));
    std::string_view text = line.substr(end + 9);
    constexpr std::string_view linking = ": link error";
    if (file.ends_with(linking)) {
        file.remove_suffix(linking.size());
        text = line.substr(file.size() + 2);
    }
    if (file != "libnvvm") diagnostic.file = file;
    diagnostic.text = trimmed(text);
    return diagnostic;
}

std::optional<Diagnostic> read_first_line(std::string_view line) {
    if (auto diagnostic = read_compiler_line(line)) return diagnostic;
    if (auto diagnostic = read_tool_line(line)) return diagnostic;
    if (auto diagnostic = read_message(line)) return diagnostic;
    return read_nvvm_line(line);
}

// The line below the source's, with a caret under the column.
std::optional<size_t> caret_in(std::string_view line) {
    const size_t caret = line.find_first_not_of(" \t");
    if (caret == std::string_view::npos || line[caret] != '^') return std::nullopt;
    return trimmed(line.substr(caret)) == "^" ? std::optional(caret) : std::nullopt;
}

std::string_view next_line(std::string_view& log) {
    const size_t end = log.find('\n');
    const std::string_view line = log.substr(0, end);
    log.remove_prefix(end == std::string_view::npos ? log.size() : end + 1);
    return line;
}

void add_line(Diagnostic& diagnostic, std::string_view line) {
    diagnostic.text.append("\n").append(trimmed(line));
}

}  // namespace

std::vector<Diagnostic> parse_diagnostics(std::string_view log) {
    constexpr size_t indentation = 2;  // of the source and of what is said of it
    std::vector<Diagnostic> diagnostics;
    std::optional<std::string_view> pending;  // the source, or more of the text: the next line tells
    bool is_inside = false;
    const auto settle = [&] {
        if (pending) add_line(diagnostics.back(), *pending);
        pending.reset();
    };
    while (!log.empty()) {
        const std::string_view line = next_line(log);
        if (std::optional<Diagnostic> first = read_first_line(line)) {
            if (is_inside) settle();
            diagnostics.push_back(std::move(*first));
            is_inside = true;
        } else if (!is_inside) {
            continue;
        } else if (!line.starts_with("  ")) {
            // An empty line, or a summary.
            settle();
            is_inside = false;
        } else if (const std::optional<size_t> caret = caret_in(line); caret && pending) {
            pending.reset();
            if (*caret >= indentation) {
                diagnostics.back().column = static_cast<int32_t>(*caret - indentation + 1);
            }
        } else {
            settle();
            pending = line;
        }
    }
    if (is_inside) settle();
    return diagnostics;
}

}  // namespace cuprum::core
