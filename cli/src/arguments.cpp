#include "arguments.hpp"

#include <string_view>
#include <utility>

#include "cuprum/pathfinder/error.hpp"
#include "cuprum/pathfinder/nearest_names.hpp"

namespace cuprum::cli {

const char* const usage = R"(usage: cuprum COMMAND [OPTION...]

  find NAME   prints where a part of the CUDA toolkit is: cuprum find nvrtc
  info        driver, devices, toolkit, and every part with its version and how it was found
  doctor      what is wrong with this machine's CUDA, and the command that mends it

  --json              prints JSON
  --toolkit VERSION   of a toolkit that fits, such as '>=12.4,<14' or 13
  --kind KIND         with find: library, headers, bitcode, static or tool; by default the first that has the name
  -v, --verbose       with find: also how it was found and what was refused before; with info: what was not found
  --version, --help

Exit codes: 0 all is well; 1 not found, or doctor found an error; 2 the command line makes no sense; 3 anything else.
Which driver: CUPRUM_DRIVER=gpu (the default), sim or auto. Colour only on a terminal, and not if NO_COLOR is set.
)";

namespace {

using pathfinder::PartKind;

constexpr std::pair<std::string_view, PartKind> kinds[] = {
    {"library", PartKind::dynamic_library}, {"headers", PartKind::headers},     {"bitcode", PartKind::bitcode_library},
    {"static", PartKind::static_library},   {"tool", PartKind::binary_utility},
};

[[noreturn]] void refuse(std::string argument, std::string detail) {
    throw InvalidArgument("reading the command line", std::move(argument), std::move(detail),
                          "cuprum --help lists commands and options");
}

PartKind parse_kind(std::string_view text) {
    for (const auto& [name, kind] : kinds) {
        if (text == name) {
            return kind;
        }
    }
    refuse("--kind " + std::string(text), "there is no such kind: library, headers, bitcode, static or tool");
}

Arguments::Command parse_command(std::string_view text) {
    if (text == "find") {
        return Arguments::Command::find;
    }
    if (text == "info") {
        return Arguments::Command::info;
    }
    if (text == "doctor") {
        return Arguments::Command::doctor;
    }
    std::string detail = "there is no such command";
    for (const std::string& near : pathfinder::nearest_names(text, {"find", "info", "doctor"})) {
        detail += "; did you mean " + near + "?";
    }
    refuse(std::string(text), detail);
}

}  // namespace

Arguments parse_arguments(std::span<const char* const> arguments) {
    Arguments result;
    bool has_command = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view argument = arguments[i];
        const std::size_t equals = argument.starts_with("--") ? argument.find('=') : std::string_view::npos;
        const std::string_view option = argument.substr(0, equals);
        const auto value = [&]() -> std::string_view {
            if (equals != std::string_view::npos) {
                return argument.substr(equals + 1);
            }
            if (i + 1 == arguments.size()) {
                refuse(std::string(option), "it needs a value");
            }
            return arguments[++i];
        };
        if (option == "--json") {
            result.json = true;
        } else if (option == "-v" || option == "--verbose") {
            result.verbose = true;
        } else if (option == "--kind") {
            result.kind = parse_kind(value());
        } else if (option == "--toolkit") {
            result.toolkit = value();
        } else if (option == "--version") {
            return {Arguments::Command::version, {}, {}, {}, false, false};
        } else if (option == "-h" || option == "--help" || (option == "help" && !has_command)) {
            return {};
        } else if (option.starts_with('-')) {
            refuse(std::string(argument), "there is no such option");
        } else if (!has_command) {
            result.command = parse_command(argument);
            has_command = true;
        } else if (result.command == Arguments::Command::find && result.name.empty()) {
            result.name = argument;
        } else {
            refuse(std::string(argument), "it is one word too many");
        }
    }
    if (!has_command) {
        refuse("", "there is no command: find, info or doctor");
    }
    if (result.command == Arguments::Command::find && result.name.empty()) {
        refuse("find", "it needs the name of a part, such as nvrtc");
    }
    if (result.kind && result.command != Arguments::Command::find) {
        refuse("--kind", "only find takes it");
    }
    return result;
}

}  // namespace cuprum::cli
