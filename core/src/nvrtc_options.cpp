#include "nvrtc_options.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace cuprum::core {

namespace {

struct BooleanOption {
    std::optional<bool> ProgramOptions::*field;
    const char* name;
};

// Options with the value true or false (NVRTC, "Supported Compile Options").
constexpr std::array valued_options{
    BooleanOption{&ProgramOptions::relocatable_device_code, "--relocatable-device-code"},
    BooleanOption{&ProgramOptions::ftz, "--ftz"},
    BooleanOption{&ProgramOptions::prec_sqrt, "--prec-sqrt"},
    BooleanOption{&ProgramOptions::prec_div, "--prec-div"},
    BooleanOption{&ProgramOptions::fma, "--fmad"},
};

// Options that are given or left out.
constexpr std::array flag_options{
    BooleanOption{&ProgramOptions::debug, "--device-debug"},
    BooleanOption{&ProgramOptions::lineinfo, "--generate-line-info"},
    BooleanOption{&ProgramOptions::use_fast_math, "--use_fast_math"},
    BooleanOption{&ProgramOptions::extra_device_vectorization, "--extra-device-vectorization"},
    BooleanOption{&ProgramOptions::link_time_optimization, "--dlink-time-opt"},
    BooleanOption{&ProgramOptions::disable_warnings, "--disable-warnings"},
    BooleanOption{&ProgramOptions::restrict, "--restrict"},
    BooleanOption{&ProgramOptions::device_as_default_execution_space, "--device-as-default-execution-space"},
    BooleanOption{&ProgramOptions::device_int128, "--device-int128"},
    BooleanOption{&ProgramOptions::no_cache, "--no-cache"},
};

bool starts_with(std::string_view text, std::string_view prefix) {
    return text.substr(0, prefix.size()) == prefix;
}

}  // namespace

bool chooses_architecture(const std::vector<std::string>& extra_options) {
    return std::any_of(extra_options.begin(), extra_options.end(), [](const std::string& option) {
        return starts_with(option, "--gpu-architecture") || starts_with(option, "-arch");
    });
}

std::vector<std::string> nvrtc_options(const ProgramOptions& options, const std::string& arch,
                                       const std::vector<std::string>& toolkit_headers) {
    std::vector<std::string> result;
    if (!chooses_architecture(options.extra_options)) result.push_back("--gpu-architecture=" + arch);
    if (!options.std.empty()) result.push_back("--std=" + options.std);
    for (const BooleanOption& option : valued_options) {
        if (const std::optional<bool>& value = options.*option.field) {
            result.push_back(std::string(option.name) + (*value ? "=true" : "=false"));
        }
    }
    for (const BooleanOption& option : flag_options) {
        if ((options.*option.field).value_or(false)) result.emplace_back(option.name);
    }
    if (options.device_code_optimize) {
        result.emplace_back(*options.device_code_optimize ? "--dopt=on" : "--dopt=off");
    }
    if (options.max_register_count) {
        result.push_back("--maxrregcount=" + std::to_string(*options.max_register_count));
    }
    for (const auto& [name, value] : options.define_macro) {
        result.push_back("--define-macro=" + name + (value.empty() ? "" : "=" + value));
    }
    for (const std::string& name : options.undefine_macro)
        result.push_back("--undefine-macro=" + name);
    for (const std::string& header : options.pre_include)
        result.push_back("--pre-include=" + header);
    for (const int32_t number : options.diag_error)
        result.push_back("--diag-error=" + std::to_string(number));
    for (const int32_t number : options.diag_suppress)
        result.push_back("--diag-suppress=" + std::to_string(number));
    for (const int32_t number : options.diag_warn)
        result.push_back("--diag-warn=" + std::to_string(number));
    for (const std::string& folder : options.include_path)
        result.push_back("--include-path=" + folder);
    for (const std::string& folder : toolkit_headers)
        result.push_back("--include-path=" + folder);
    result.insert(result.end(), options.extra_options.begin(), options.extra_options.end());
    return result;
}

}  // namespace cuprum::core
