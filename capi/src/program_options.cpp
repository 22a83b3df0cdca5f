#include "program_options.hpp"

#include <initializer_list>
#include <optional>
#include <string_view>

namespace cuprum::capi {

namespace {

// The value of the option at `index` if it is one of `names`: joined with '=', or the next text, which is then skipped.
std::optional<std::string> option_value(std::span<const std::string> options, size_t& index,
                                        std::initializer_list<std::string_view> names, bool may_be_separate) {
    const std::string_view option = options[index];
    for (const std::string_view name : names) {
        if (option == name && may_be_separate && index + 1 < options.size()) {
            ++index;
            return options[index];
        }
        if (option.size() > name.size() && option.starts_with(name) && option[name.size()] == '=') {
            return std::string(option.substr(name.size() + 1));
        }
    }
    return std::nullopt;
}

// "-Ifolder", "-I folder"
std::optional<std::string> joined_include_folder(std::string_view option) {
    if (option.size() <= 2 || !option.starts_with("-I")) {
        return std::nullopt;
    }
    option.remove_prefix(2);
    while (!option.empty() && option.front() == ' ') {
        option.remove_prefix(1);
    }
    return std::string(option);
}

}  // namespace

core::ProgramOptions parse_options(std::span<const std::string> options) {
    core::ProgramOptions result;
    for (size_t index = 0; index < options.size(); ++index) {
        if (auto arch = option_value(options, index, {"--gpu-architecture", "-arch"}, true)) {
            result.arch = *arch;
        } else if (auto standard = option_value(options, index, {"--std", "-std"}, false)) {
            result.std = *standard;
        } else if (auto folder = option_value(options, index, {"--include-path", "-I"}, true)) {
            result.include_path.push_back(*folder);
        } else if (auto joined = joined_include_folder(options[index])) {
            result.include_path.push_back(*joined);
        } else {
            result.extra_options.push_back(options[index]);
        }
    }
    return result;
}

}  // namespace cuprum::capi
