#include "style.hpp"

#include <unistd.h>

#include <cstdlib>

namespace cuprum::cli {

Style::Style(std::FILE* stream) {
    const char* no_color = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    const bool is_unwanted =
        (no_color != nullptr && *no_color != '\0') || (terminal != nullptr && std::string_view(terminal) == "dumb");
    is_coloured_ = !is_unwanted && isatty(fileno(stream)) != 0;
}

std::string Style::paint(const char* code, std::string_view text) const {
    if (!is_coloured_) {
        return std::string(text);
    }
    return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

}  // namespace cuprum::cli
