#include "nvvm_options.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace cuprum::core {

namespace {

struct NamedOption {
    std::optional<bool> ProgramOptions::*field;
    std::string_view name;
};

// With the value 1 or 0 (libNVVM API, nvvmCompileProgram).
constexpr std::array nvvm_switches{
    NamedOption{&ProgramOptions::ftz, "-ftz="},
    NamedOption{&ProgramOptions::prec_sqrt, "-prec-sqrt="},
    NamedOption{&ProgramOptions::prec_div, "-prec-div="},
    NamedOption{&ProgramOptions::fma, "-fma="},
};

// Those of C++ and of the linker, which would change nothing without a word.
constexpr std::array options_of_others{
    NamedOption{&ProgramOptions::relocatable_device_code, "relocatable_device_code"},
    NamedOption{&ProgramOptions::lineinfo, "lineinfo"},
    NamedOption{&ProgramOptions::use_fast_math, "use_fast_math"},
    NamedOption{&ProgramOptions::extra_device_vectorization, "extra_device_vectorization"},
    NamedOption{&ProgramOptions::disable_warnings, "disable_warnings"},
    NamedOption{&ProgramOptions::restrict, "restrict"},
    NamedOption{&ProgramOptions::device_as_default_execution_space, "device_as_default_execution_space"},
    NamedOption{&ProgramOptions::device_int128, "device_int128"},
};

}  // namespace

std::vector<std::string> nvvm_options(const ProgramOptions& options, const std::string& arch, CodeType target) {
    const auto is_arch = [](const std::string& option) { return option.starts_with("-arch="); };
    std::vector<std::string> result;
    if (std::none_of(options.extra_options.begin(), options.extra_options.end(), is_arch)) {
        result.push_back("-arch=" + arch);
    }
    if (options.debug.value_or(false)) result.emplace_back("-g");
    // libNVVM has full debug information only where it does not optimise, and does not turn that off by itself.
    if (options.device_code_optimize) {
        result.emplace_back(*options.device_code_optimize ? "-opt=3" : "-opt=0");
    } else if (options.debug.value_or(false)) {
        result.emplace_back("-opt=0");
    }
    for (const NamedOption& option : nvvm_switches) {
        if (const std::optional<bool>& value = options.*option.field) {
            result.push_back(std::string(option.name) + (*value ? "1" : "0"));
        }
    }
    if (target == CodeType::ltoir) result.emplace_back("-gen-lto");
    result.insert(result.end(), options.extra_options.begin(), options.extra_options.end());
    return result;
}

std::string options_unknown_to_nvvm(const ProgramOptions& options) {
    std::string names;
    const auto add = [&](std::string_view name) { names.append(names.empty() ? "" : ", ").append(name); };
    for (const NamedOption& option : options_of_others) {
        if ((options.*option.field).value_or(false)) add(option.name);
    }
    if (options.max_register_count) add("max_register_count");
    if (!options.define_macro.empty()) add("define_macro");
    if (!options.undefine_macro.empty()) add("undefine_macro");
    if (!options.include_path.empty()) add("include_path");
    if (!options.headers.empty()) add("headers");
    if (!options.shared_directives.empty()) add("shared_directives");
    if (options.drop_unused_variables) add("drop_unused_variables");
    if (!options.pre_include.empty()) add("pre_include");
    if (!options.diag_error.empty()) add("diag_error");
    if (!options.diag_suppress.empty()) add("diag_suppress");
    if (!options.diag_warn.empty()) add("diag_warn");
    // libNVVM's own begin with one dash: these are NVRTC's.
    for (const std::string& option : options.extra_options) {
        if (option.starts_with("--")) add(option);
    }
    return names;
}

}  // namespace cuprum::core
