// Colour on a terminal, plain text everywhere else.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace cuprum::cli {

class Style {
public:
    /// Coloured if `stream` is a terminal, unless NO_COLOR is set or TERM is "dumb".
    explicit Style(std::FILE* stream);

    /// Of headings and labels.
    std::string heading(std::string_view text) const { return paint("1;36", text); }
    std::string bold(std::string_view text) const { return paint("1", text); }
    std::string dim(std::string_view text) const { return paint("2", text); }
    std::string red(std::string_view text) const { return paint("1;31", text); }
    std::string yellow(std::string_view text) const { return paint("1;33", text); }
    std::string green(std::string_view text) const { return paint("1;32", text); }

private:
    std::string paint(const char* code, std::string_view text) const;

    bool is_coloured_;
};

}  // namespace cuprum::cli
