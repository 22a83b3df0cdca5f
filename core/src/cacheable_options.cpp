#include "cacheable_options.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace cuprum::core {

namespace {

// Whose effect is in the result and nowhere else, and depends on nothing but their value (NVRTC 13.0, "Supported
// Compile Options"). Not among them: --pch and its kin, --time, --fdevice-time-trace, --no-cache, -Xcudafe and other
// ways to reach a part of the compiler directly. Each between blanks.
constexpr std::string_view known_options =
    " --gpu-architecture -arch --device-c -dc "
    "--device-w -dw --relocatable-device-code -rdc "
    "--extensible-whole-program -ewp --device-debug -G "
    "--generate-line-info -lineinfo --dopt -dopt "
    "--Ofast-compile -Ofc --maxrregcount -maxrregcount "
    "--ftz -ftz --prec-sqrt -prec-sqrt "
    "--prec-div -prec-div --fmad -fmad "
    "--use_fast_math -use_fast_math --extra-device-vectorization -extra-device-vectorization "
    "--modify-stack-limit -modify-stack-limit --dlink-time-opt -dlto "
    "--gen-opt-lto -gen-opt-lto --optix-ir -optix-ir "
    "--jump-table-density -jtd --device-stack-protector -device-stack-protector "
    "--frandom-seed -frandom-seed --undefine-macro --builtin-move-forward "
    "-builtin-move-forward --builtin-initializer-list -builtin-initializer-list --disable-warnings "
    "-w --restrict -restrict --device-as-default-execution-space "
    "-default-device --device-int128 -device-int128 --device-float128 "
    "-device-float128 --optimization-info -opt-info --display-error-number "
    "-err-no --no-display-error-number -no-err-no --diag-error "
    "-diag-error --diag-suppress -diag-suppress --diag-warn "
    "-diag-warn --brief-diagnostics -brief-diag --minimal "
    "--version-ident --warning-as-error -Werror --split-compile -split-compile ";

// Of ptxas, which has options to read and write files too.
constexpr std::string_view known_ptxas_options = " -v --verbose -O0 -O1 -O2 -O3 -dlcm=ca -dlcm=cg -dlcm=cs -dlcm=cv ";

bool is_in_list(std::string_view word, std::string_view words) {
    return word.find(' ') == std::string_view::npos &&
           words.find(' ' + std::string(word) + ' ') != std::string_view::npos;
}

struct Option {
    std::string_view name;
    std::string_view value;
};

// "--name=value", "-n=value", or a letter with its value behind it: "-Ifolder".
Option split(std::string_view option) {
    for (const std::string_view letter : {"-I", "-D", "-U"}) {
        if (!option.starts_with(letter)) continue;
        option.remove_prefix(letter.size());
        if (option.starts_with('=')) option.remove_prefix(1);
        return {letter, option};
    }
    const size_t equals = std::min(option.find('='), option.size());
    return {option.substr(0, equals), option.substr(std::min(equals + 1, option.size()))};
}

// NVRTC takes blanks before a value away.
bool is_plain(std::string_view value) {
    return !value.empty() && value.front() != ' ' && value.front() != '\t' && value.front() != '=';
}

// Whether the option is known; then it is in `inputs` where it says something about files.
bool take(const std::string& option, CompileInputs& inputs) {
    const auto [name, value] = split(option);
    const auto append = [text = value](std::vector<std::string>& list) {
        list.emplace_back(text);
        return is_plain(text);
    };
    if (name == "-I" || name == "--include-path") return append(inputs.folders);
    if (name == "-include" || name == "--pre-include") return append(inputs.pre_includes);
    if (name == "-D" || name == "--define-macro") return append(inputs.definitions);
    if (name == "-U") return is_plain(value);
    if (name == "-std" || name == "--std") {
        if (!inputs.std.empty()) return false;
        inputs.std = value;
        return is_plain(value);
    }
    if (name == "-Xptxas" || name == "--ptxas-options") return is_in_list(value, known_ptxas_options);
    if (option == "-no-source-include" || option == "--no-source-include") {
        inputs.looks_in_own_folder = false;
        return true;
    }
    for (const std::string_view debug : {"--device-debug", "-G", "--generate-line-info", "-lineinfo"})
        inputs.names_files = inputs.names_files || name == debug;
    return is_in_list(name, known_options);
}

}  // namespace

std::optional<CompileInputs> inputs_of(const std::vector<std::string>& options) {
    CompileInputs inputs;
    for (const std::string& option : options) {
        if (!take(option, inputs)) return std::nullopt;
    }
    return inputs;
}

bool are_known_to_nvvm_cache(const std::vector<std::string>& options) {
    // libNVVM API, nvvmCompileProgram.
    constexpr std::string_view known =
        " -g -arch -opt -ftz -prec-sqrt -prec-div -fma -jump-table-density -gen-lto -ptx-version-target -nvvm-latest ";
    return std::all_of(options.begin(), options.end(),
                       [&](const std::string& option) { return is_in_list(split(option).name, known); });
}

bool environment_changes_compiles() {
    // What NVRTC asks for, less what only changes how it works (NVRTC_DISABLE_CONCURRENT_NVVM and others).
    constexpr std::array<const char*, 6> names{
        "NVRTC_APPEND_FLAGS", "NVRTCWIZ", "EDG_BASE", "EDG_MODULES_PATH", "LLVM_OVERRIDE_PRODUCER", "NV_NVVM_VERSION"};
    return std::any_of(names.begin(), names.end(), [](const char* name) { return std::getenv(name) != nullptr; });
}

}  // namespace cuprum::core
