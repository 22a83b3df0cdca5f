#include "program_options.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>
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
        } else if (options[index] == "--use-libdevice") {
            result.use_libdevice = true;
        } else if (auto joined = joined_include_folder(options[index])) {
            result.include_path.push_back(*joined);
        } else {
            result.extra_options.push_back(options[index]);
        }
    }
    return result;
}

core::ProgramOptions parse_nvvm_options(std::span<const std::string> options) {
    using Flag = std::optional<bool> core::ProgramOptions::*;
    struct Named {
        std::string_view text;
        Flag field;
        bool value;
    };
    static constexpr Named all[] = {
        {"--device-debug", &core::ProgramOptions::debug, true},
        {"-G", &core::ProgramOptions::debug, true},
        {"--dopt=on", &core::ProgramOptions::device_code_optimize, true},
        {"--dopt=off", &core::ProgramOptions::device_code_optimize, false},
        {"--ftz=true", &core::ProgramOptions::ftz, true},
        {"--ftz=false", &core::ProgramOptions::ftz, false},
        {"--prec-sqrt=true", &core::ProgramOptions::prec_sqrt, true},
        {"--prec-sqrt=false", &core::ProgramOptions::prec_sqrt, false},
        {"--prec-div=true", &core::ProgramOptions::prec_div, true},
        {"--prec-div=false", &core::ProgramOptions::prec_div, false},
        {"--fmad=true", &core::ProgramOptions::fma, true},
        {"--fmad=false", &core::ProgramOptions::fma, false},
        {"--no-cache", &core::ProgramOptions::no_cache, true},
        {"--use-libdevice", &core::ProgramOptions::use_libdevice, true},
    };
    core::ProgramOptions result;
    for (size_t index = 0; index < options.size(); ++index) {
        if (auto arch = option_value(options, index, {"--gpu-architecture", "-arch"}, true)) {
            result.arch = *arch;
            continue;
        }
        const auto* const named = std::ranges::find(all, std::string_view(options[index]), &Named::text);
        if (named != std::end(all)) {
            result.*named->field = named->value;
        } else {
            result.extra_options.push_back(options[index]);
        }
    }
    return result;
}

}  // namespace cuprum::capi
