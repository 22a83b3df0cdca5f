#include "cuprum/core/program.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "compile_cache.hpp"
#include "context.hpp"
#include "cuprum/bindings/driver.hpp"
#include "cuprum/bindings/nvrtc.hpp"
#include "cuprum/bindings/of_this_thread.hpp"
#include "cuprum/core/device.hpp"
#include "cuprum/core/error.hpp"
#include "cuprum/pathfinder/pathfinder.hpp"
#include "kernel_parameters.hpp"
#include "missing_header.hpp"
#include "nvrtc_compile.hpp"
#include "nvrtc_options.hpp"
#include "program_parts.hpp"
#include "ptx_kernels.hpp"
#include "ptx_link.hpp"

namespace cuprum::core {

namespace {

// What a compile is made for: the architecture, and the kind of code.
struct Target {
    std::string arch;
    CodeType type;
};

// The architecture of device 0; where NVRTC does not know one that new, the newest that it knows.
struct DeviceArch {
    int number;
    bool known;  // NVRTC compiles for the device itself, not only for an older one
};

DeviceArch arch_of_device_0() {
    const ComputeCapability capability = Device(0).compute_capability();
    const int number = capability.major * 10 + capability.minor;
    const std::vector<int>& archs = nvrtc_supported_archs();
    if (archs.empty() || std::find(archs.begin(), archs.end(), number) != archs.end()) return {number, true};
    const auto above = std::upper_bound(archs.begin(), archs.end(), number);
    // Older than all: NVRTC itself is to say so, with the list of what it takes.
    if (above == archs.begin()) return {number, true};
    return {*std::prev(above), false};
}

// With another prefix: "compute_90" for "sm_90".
std::string with_prefix(const std::string& arch, const char* prefix) {
    const size_t underscore = arch.find('_');
    return prefix + (underscore == std::string::npos ? arch : arch.substr(underscore + 1));
}

// PTX and LTO-IR are made for a virtual architecture, a cubin for a real one.
std::string arch_for(const std::string& arch, CodeType type) {
    return with_prefix(arch, type == CodeType::cubin ? "sm_" : "compute_");
}

CodeType type_for_driver() {
    return Device(0).is_simulator() ? CodeType::ptx : CodeType::cubin;
}

}  // namespace

// The simulator loads any PTX, unless it is to be a driver of one CUDA version.
bool loads_ptx_of_its_version_only() {
    const char* const options = std::getenv("CUPRUM_SIM");
    return !Device(0).is_simulator() || (options != nullptr && std::strstr(options, "cuda=") != nullptr);
}

namespace {

Target choose_target(const ProgramOptions& options, CodeType requested) {
    CodeType type = requested == CodeType::native ? type_for_driver() : requested;
    if (!options.arch.empty()) return {arch_for(options.arch, type), type};
    DeviceArch device{75, true};  // the oldest that every CUDA 13 toolkit compiles for
    if (requested == CodeType::native) {
        device = arch_of_device_0();
        // What is older than the device runs on it only as PTX, which its driver compiles; a driver that is older than
        // the compiler refuses the compiler's PTX.
        if (!device.known) {
            type = CodeType::ptx;
        } else if (loads_ptx_of_its_version_only() && bindings::nvrtc::version() > bindings::driver::version()) {
            type = CodeType::cubin;
        }
    } else {
        try {
            device = arch_of_device_0();
        } catch (const Error&) {
            // No driver, or no NVRTC, of which the compile itself will speak.
        }
    }
    return {arch_for(std::to_string(device.number), type), type};
}

// Whether nvJitLink makes of NVRTC's LTO-IR the machine code that NVRTC itself would have made: it is there, of the
// same version, and can be given the same options. (Of NVRTC's PTX it makes other code, since it assembles PTX for a
// linker.)
bool is_linked_alike(const ProgramOptions& options) {
    const bool has_more_to_say = options.debug.value_or(false) || options.device_code_optimize || options.ftz ||
                                 options.prec_sqrt || options.prec_div || options.fma ||
                                 options.use_fast_math.value_or(false) ||
                                 options.extra_device_vectorization.value_or(false) || !options.extra_options.empty();
    if (has_more_to_say || bindings::driver::simulator_is_chosen()) return false;
    try {
        const pathfinder::Version& nvrtc = pathfinder::locate_nvidia_dynamic_lib("nvrtc").version;
        return nvrtc.known() && nvrtc == pathfinder::locate_nvidia_dynamic_lib("nvJitLink").version;
    } catch (const NotFound&) {
        return false;
    }
}

struct ToolkitHeaders {
    std::vector<std::string> folders;
    std::optional<NotFound> missing;  // why there are none
};

ToolkitHeaders find_toolkit_headers() {
    ToolkitHeaders headers;
    try {
        headers.folders = pathfinder::find_cuda_include_dirs();
    } catch (const NotFound& error) {
        headers.missing = error;
    }
    return headers;
}

// Most kernels include nothing, so that absent headers are a failure only for those that do.
[[noreturn]] void throw_headers_missing(const NotFound& missing, const ProgramOptions& options,
                                        const CompileError& error) {
    ErrorInfo info = missing.info();
    info.operation = compiling;
    info.object = describe_program(options);
    info.detail = error.log() + (error.log().empty() || error.log().back() == '\n' ? "" : "\n") + missing.detail();
    throw NotFound(std::move(info), missing.candidates());
}

// As an option that NVRTC takes as text; none where the option is another one or no number.
std::optional<int64_t> register_count_of(std::string_view option) {
    for (const std::string_view name : {"--maxrregcount=", "-maxrregcount="}) {
        if (!option.starts_with(name)) continue;
        option.remove_prefix(name.size());
        int64_t count = 0;
        const auto [end, error] = std::from_chars(option.data(), option.data() + option.size(), count);
        if (error == std::errc() && end == option.data() + option.size()) return count;
    }
    return std::nullopt;
}

// NVRTC takes -1 and 0 in silence, and then makes what it likes.
void require_register_count(const ProgramOptions& options) {
    const auto require = [&](std::optional<int64_t> count) {
        if (count.value_or(1) >= 1) return;
        throw InvalidArgument("making a program", describe_program(options),
                              "the maximum register count is " + std::to_string(*count),
                              "give at least 1, or leave it out");
    };
    require(options.max_register_count);
    for (const std::string& option : options.extra_options)
        require(register_count_of(option));
}

// What only NVVM IR can have.
void require_no_modules(const ProgramOptions& options) {
    if (options.extra_sources.empty() && !options.use_libdevice.value_or(false)) return;
    throw InvalidArgument(
        "making a program", describe_program(options),
        options.extra_sources.empty() ? "use_libdevice is for NVVM IR alone" : "extra_sources are for NVVM IR alone",
        "leave it out, or make a program of the source type nvvm");
}

}  // namespace

std::string describe_program(const ProgramOptions& options) {
    return "program '" + options.name + "'";
}

LastCompile& last_compile_of_this_thread() {
    return bindings::of_this_thread<LastCompile>();
}

ObjectCode unsupported_target(const ProgramOptions& options, const char* detail) {
    throw InvalidArgument(compiling, describe_program(options), detail);
}

std::string arch_of_device_for_ptx() {
    DeviceArch device{75, true};
    try {
        device = arch_of_device_0();
    } catch (const Error&) {
        // No driver, or no NVRTC to say which are known.
    }
    return arch_for(std::to_string(device.number), CodeType::ptx);
}

std::string arch_for_code(const std::string& arch, CodeType type) {
    return arch_for(arch, type);
}

std::shared_ptr<const Program::State> Program::counted(std::string code, SourceType type, ProgramOptions options) {
    auto state = std::make_shared<State>(State{std::move(code), type, std::move(options), {}});
    state->live.count();
    return state;
}

Program::Program(std::string code, SourceType type, ProgramOptions options) {
    if (type == SourceType::nvvm) {
        require_nvvm_program(code, options);  // bitcode may have any byte
        state_ = counted(std::move(code), type, std::move(options));
        return;
    }
    if (type != SourceType::cxx && type != SourceType::ptx) {
        throw InvalidArgument(
            "making a program", describe_program(options),
            "the source type " + std::to_string(static_cast<int>(type)) + " is neither cxx nor ptx nor nvvm");
    }
    require_no_modules(options);
    require_register_count(options);
    if (type == SourceType::ptx) {
        while (!code.empty() && code.back() == '\0')
            code.pop_back();
    }
    if (code.find('\0') != std::string::npos) {
        throw InvalidArgument("making a program", describe_program(options),
                              "the source has a NUL character at offset " + std::to_string(code.find('\0')));
    }
    state_ = counted(std::move(code), type, std::move(options));
}

const Program::State& Program::opened(const char* operation) const {
    if (state_ == nullptr) [[unlikely]]
        throw InvalidState(operation, "program", "the program was moved from", "make a new one");
    return *state_;
}

ObjectCode Program::compile(CodeType target, std::span<const std::string> name_expressions) const {
    const State& state = opened(compiling);
    if (target != CodeType::native && target != CodeType::ptx && target != CodeType::cubin &&
        target != CodeType::ltoir) {
        return unsupported_target(state.options, "a program is compiled to native code, PTX, a cubin or LTO-IR");
    }
    switch (state.type) {
        case SourceType::ptx:
            return compile_ptx(state, target, name_expressions);
        case SourceType::nvvm:
            return compile_nvvm(state, target, name_expressions);
        default:
            return compile_cxx(state, target, name_expressions, {}).front();
    }
}

std::vector<ObjectCode> Program::compile_apart(CodeType target, std::span<const std::string> kernels,
                                               std::span<const std::string> more_expressions) const {
    const State& state = opened(compiling);
    if (state.type != SourceType::cxx || (target != CodeType::cubin && target != CodeType::ptx)) {
        unsupported_target(state.options, "kernels of C++ alone are compiled apart, to cubins or PTX");
    }
    std::vector<std::string> names(kernels.begin(), kernels.end());
    names.insert(names.end(), more_expressions.begin(), more_expressions.end());
    return compile_cxx(state, target, names, kernels);
}

ObjectCode Program::compile_ptx(const State& state, CodeType target, std::span<const std::string> name_expressions) {
    if (!name_expressions.empty()) {
        return unsupported_target(state.options,
                                  "PTX has no name expressions: its kernels are found by their own names");
    }
    if (target == CodeType::ltoir) return unsupported_target(state.options, "PTX cannot be made into LTO-IR");
    if (target == CodeType::native) target = type_for_driver();
    last_compile_of_this_thread() = {};
    if (target == CodeType::ptx) return ObjectCode::make(CodeType::ptx, state.code, state.options.name, {});
    return ObjectCode::make(CodeType::cubin, link_ptx_to_cubin(state.code, state.options), state.options.name, {},
                            CodeOrigin{nullptr, kernels_in_ptx(state.code)});
}

std::vector<ObjectCode> Program::compile_cxx(const State& state, CodeType target,
                                             std::span<const std::string> name_expressions,
                                             std::span<const std::string> kernels_apart) {
    const Target chosen = choose_target(state.options, target);
    const ToolkitHeaders headers = find_toolkit_headers();
    std::vector<std::string> folders = state.options.include_path;
    folders.insert(folders.end(), headers.folders.begin(), headers.folders.end());
    // `link`: for a cubin that nvJitLink makes.
    const auto compile = [&](bool drops_variables, const LinkerOptions* link) -> std::vector<ObjectCode> {
        const bool makes_lto_ir = chosen.type == CodeType::ltoir || link != nullptr;
        std::vector<std::string> options = nvrtc_options(
            state.options, makes_lto_ir ? arch_for(chosen.arch, CodeType::ltoir) : chosen.arch, headers.folders);
        if (makes_lto_ir && !state.options.link_time_optimization.value_or(false)) {
            options.emplace_back("--dlink-time-opt");
        }
        try {
            auto [output, from_cache] = cached_nvrtc_compile(
                {state.code, state.options.name, options, name_expressions, folders, headers.folders, chosen.type,
                 state.options.headers, state.options.shared_directives, drops_variables, link,
                 link != nullptr ? kernels_apart : std::span<const std::string>()});
            last_compile_of_this_thread() = {std::move(output.log), from_cache};
            if (output.codes_apart.empty()) output.codes_apart.push_back(std::move(output.code));
            const CodeOrigin origin{std::make_shared<CodeSource>(state.code), std::move(output.ptx_kernels)};
            std::vector<ObjectCode> codes;
            codes.reserve(output.codes_apart.size());
            for (std::string& code : output.codes_apart) {
                codes.push_back(
                    ObjectCode::make(chosen.type, std::move(code), state.options.name, output.lowered_names, origin));
            }
            return codes;
        } catch (const CompileError& error) {
            if (headers.missing && is_toolkit_header(missing_header(error.log())))
                throw_headers_missing(*headers.missing, state.options, error);
            throw;
        }
    };
    // Other code may use the variables of what can be linked.
    const bool drops_variables = state.options.drop_unused_variables && chosen.type != CodeType::ltoir &&
                                 !state.options.relocatable_device_code.value_or(false);
    if (!drops_variables || chosen.type == CodeType::ptx) return compile(drops_variables, nullptr);
    if (is_linked_alike(state.options)) {
        LinkerOptions link{.name = state.options.name, .arch = chosen.arch};
        link.max_register_count = state.options.max_register_count;
        link.lineinfo = state.options.lineinfo;
        link.no_cache = state.options.no_cache;
        link.optimize_unused_variables = true;
        try {
            return compile(true, &link);
        } catch (const NvJitLinkError&) {
            // What is wrong with the code, NVRTC is to say.
        } catch (const InvalidArgument&) {
            // The same of names; or this nvJitLink does not know an option.
        }
    }
    return compile(false, nullptr);
}

const std::string& Program::last_log() {
    return last_compile_of_this_thread().log;
}

bool Program::last_from_cache() {
    return last_compile_of_this_thread().from_cache;
}

}  // namespace cuprum::core
