// The command line of `cuprum`.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cuprum/pathfinder/part.hpp"

namespace cuprum::cli {

struct Arguments {
    enum class Command { help, version, find, info, doctor };
    Command command = Command::help;
    std::string name;                          ///< of `find`
    std::optional<pathfinder::PartKind> kind;  ///< --kind
    std::string toolkit;                       ///< --toolkit, a condition on its version
    bool json = false;
    bool verbose = false;
};

/// Without the program's name. Throws InvalidArgument that says what was expected.
Arguments parse_arguments(std::span<const char* const> arguments);

/// What `cuprum --help` prints.
extern const char* const usage;

}  // namespace cuprum::cli
