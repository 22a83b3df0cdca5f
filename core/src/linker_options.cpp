#include "linker_options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "cuprum/pathfinder/error.hpp"

namespace cuprum::core {

namespace {

constexpr const char* making = "making a linker";

// nvJitLink documentation, "Supported Link Options".
struct BooleanLinkOption {
    std::optional<bool> LinkerOptions::*field;
    const char* name;
};
constexpr std::array flag_link_options{
    BooleanLinkOption{&LinkerOptions::time, "-time"},
    BooleanLinkOption{&LinkerOptions::verbose, "-verbose"},
    BooleanLinkOption{&LinkerOptions::link_time_optimization, "-lto"},
    BooleanLinkOption{&LinkerOptions::ptx, "-ptx"},
    BooleanLinkOption{&LinkerOptions::debug, "-g"},
    BooleanLinkOption{&LinkerOptions::lineinfo, "-lineinfo"},
    BooleanLinkOption{&LinkerOptions::optimize_unused_variables, "-optimize-unused-variables"},
    BooleanLinkOption{&LinkerOptions::no_cache, "-no-cache"},
};
// Their values are 0 and 1.
constexpr std::array valued_link_options{
    BooleanLinkOption{&LinkerOptions::ftz, "-ftz="},
    BooleanLinkOption{&LinkerOptions::prec_div, "-prec-div="},
    BooleanLinkOption{&LinkerOptions::prec_sqrt, "-prec-sqrt="},
    BooleanLinkOption{&LinkerOptions::fma, "-fma="},
};

struct NumberOption {
    std::optional<int32_t> LinkerOptions::*field;
    const char* name;
};
constexpr std::array number_options{
    NumberOption{&LinkerOptions::optimization_level, "-O"},
    NumberOption{&LinkerOptions::max_register_count, "-maxrregcount="},
    NumberOption{&LinkerOptions::split_compile, "-split-compile="},
    NumberOption{&LinkerOptions::split_compile_extended, "-split-compile-extended="},
};

struct ListOption {
    std::vector<std::string> LinkerOptions::*field;
    const char* name;
};
constexpr std::string_view kernels_used = "-kernels-used=", variables_used = "-variables-used=";
constexpr std::array list_options{
    ListOption{&LinkerOptions::kernels_used, kernels_used.data()},
    ListOption{&LinkerOptions::variables_used, variables_used.data()},
    ListOption{&LinkerOptions::ptxas_options, "-Xptxas="},
    ListOption{&LinkerOptions::extra_options, ""},
};

std::vector<std::string> texts_of(const LinkerOptions& options) {
    std::vector<std::string> texts;
    for (const BooleanLinkOption& option : flag_link_options) {
        if ((options.*option.field).value_or(false)) texts.emplace_back(option.name);
    }
    for (const NumberOption& option : number_options) {
        if (const auto& value = options.*option.field) texts.push_back(option.name + std::to_string(*value));
    }
    for (const BooleanLinkOption& option : valued_link_options) {
        if (const auto& value = options.*option.field) texts.push_back(std::string(option.name) + (*value ? '1' : '0'));
    }
    for (const ListOption& option : list_options) {
        for (const std::string& value : options.*option.field)
            texts.push_back(option.name + value);
    }
    return texts;
}

// The smallest number that each of these takes. nvJitLink ignores a smaller one, or does not say what is wrong with it.
struct Smallest {
    std::string_view option;
    int32_t value;
};
constexpr std::array smallest_numbers{
    Smallest{"-maxrregcount=", 1},
    Smallest{"-split-compile=", 0},
    Smallest{"-split-compile-extended=", 0},
};

void check_number(const std::string& text, const std::string& object) {
    for (const Smallest& smallest : smallest_numbers) {
        if (!text.starts_with(smallest.option)) continue;
        int32_t number = -1;
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data() + smallest.option.size(), end, number);
        if (error == std::errc() && stop == end && number >= smallest.value) return;
        throw InvalidArgument(making, object, "the option '" + text + "' needs a whole number",
                              smallest.value == 0 ? "give 0 or a number above 0" : "give a number above 0");
    }
}

// "sm_90", "compute_100f"
bool is_arch(std::string_view arch) {
    const size_t underscore = arch.find('_');
    if (underscore == std::string_view::npos) return false;
    const std::string_view prefix = arch.substr(0, underscore);
    std::string_view number = arch.substr(underscore + 1);
    if (!number.empty() && number.back() >= 'a' && number.back() <= 'z') number.remove_suffix(1);
    return (prefix == "sm" || prefix == "compute") && !number.empty() &&
           number.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string lowered(const std::string& text, std::string_view option, const SymbolMapping& symbol_mapping) {
    const auto found = symbol_mapping.find(text.substr(option.size()));
    return found == symbol_mapping.end() ? text : std::string(option) + found->second;
}

}  // namespace

LinkOptions link_options(const LinkerOptions& options, const std::string& object) {
    constexpr std::string_view arch = "-arch=";
    LinkOptions result;
    result.arch = options.arch;
    for (std::string& text : texts_of(options)) {
        if (text.empty() || text.find('\0') != std::string::npos) {
            throw InvalidArgument(making, object, "one of the options is empty or has a NUL character in it");
        }
        check_number(text, object);
        if (text.starts_with(arch)) {
            result.arch = text.substr(arch.size());
        } else if (text == "-lto") {
            result.link_time_optimization = true;
        } else if (text == "-ptx") {
            result.ptx = true;
        } else {
            result.others.push_back(std::move(text));
        }
    }
    if (!result.arch.empty() && !is_arch(result.arch)) {
        throw InvalidArgument(making, object, "'" + result.arch + "' is not an architecture",
                              "expected \"sm_\" and a number, as in \"sm_90\"");
    }
    return result;
}

std::vector<std::string> nvjitlink_options(const LinkOptions& options, const std::string& arch, bool to_ptx,
                                           bool link_time_optimization, const SymbolMapping& symbol_mapping) {
    std::vector<std::string> result{(to_ptx ? "-arch=compute_" : "-arch=sm_") + arch.substr(arch.find('_') + 1)};
    if (link_time_optimization) result.emplace_back("-lto");
    if (to_ptx) result.emplace_back("-ptx");
    for (const std::string& text : options.others) {
        if (text.starts_with(kernels_used)) {
            result.push_back(lowered(text, kernels_used, symbol_mapping));
        } else if (text.starts_with(variables_used)) {
            result.push_back(lowered(text, variables_used, symbol_mapping));
        } else {
            result.push_back(text);
        }
    }
    return result;
}

}  // namespace cuprum::core
