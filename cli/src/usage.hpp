// What the commands are called, which options they take, and what `--help` says of them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "command_line.hpp"
#include "style.hpp"

namespace cuprum::cli {

struct Command {
    std::string_view name;
    std::string_view arguments;  ///< behind the name, "FILE [OPTION...]"
    std::string_view summary;    ///< one line
    std::string_view details;    ///< what `cuprum NAME --help` prints below; whole lines
    std::span<const Option> options;
    int (*run)(const CommandLine& line);
};

std::span<const Command> commands();

/// Throws UsageError that offers the nearest names.
const Command& find_command(std::string_view name);

/// What `cuprum --help` prints.
std::string general_help(const Style& style);
/// What `cuprum NAME --help` prints.
std::string help_of(const Command& command, const Style& style);

}  // namespace cuprum::cli
