// Programs of NVVM IR.
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "compile_cache.hpp"
#include "cuprum/bindings/driver.hpp"
#include "cuprum/bindings/nvvm.hpp"
#include "cuprum/core/error.hpp"
#include "cuprum/core/linker.hpp"
#include "cuprum/core/program.hpp"
#include "cuprum/pathfinder/pathfinder.hpp"
#include "kernel_parameters.hpp"
#include "nvvm_compile.hpp"
#include "nvvm_options.hpp"
#include "program_parts.hpp"
#include "ptx_kernels.hpp"

namespace cuprum::core {

namespace {

// Of the toolkit in use, as libNVVM is.
std::string read_libdevice(const ProgramOptions& options) {
    std::string path;
    try {
        path = pathfinder::find_bitcode_lib("device");
    } catch (const NotFound& missing) {
        ErrorInfo info = missing.info();
        info.operation = compiling;
        info.object = describe_program(options) + ", which uses libdevice";
        throw NotFound(std::move(info), missing.candidates());
    }
    std::ifstream file(path, std::ios::binary);
    std::string code{std::istreambuf_iterator<char>(file), {}};
    if (!file || code.empty()) {
        throw InvalidArgument(compiling, describe_program(options), "libdevice, " + path + ", cannot be read",
                              "install the toolkit anew");
    }
    return code;
}

// A driver that is older than the compiler refuses the compiler's PTX, but not the machine code that is made of it.
CodeType nvvm_type_for_driver() {
    return loads_ptx_of_its_version_only() && bindings::nvvm::version() > bindings::driver::version() ? CodeType::cubin
                                                                                                      : CodeType::ptx;
}

}  // namespace

void require_nvvm_program(const std::string& code, const ProgramOptions& options) {
    constexpr const char* making = "making a program";
    if (const std::string unknown = options_unknown_to_nvvm(options); !unknown.empty()) {
        throw InvalidArgument(making, describe_program(options), "libNVVM has no such options: " + unknown,
                              "leave them out: NVVM IR is compiled with arch, debug, device_code_optimize, ftz, "
                              "prec_sqrt, prec_div and fma, and libNVVM's own options");
    }
    if (code.empty()) throw InvalidArgument(making, describe_program(options), "its NVVM IR is empty");
    for (const auto& [name, module] : options.extra_sources) {
        if (!module.empty()) continue;
        throw InvalidArgument(making, describe_program(options), "the NVVM IR of its module '" + name + "' is empty");
    }
}

ObjectCode Program::compile_nvvm(const State& state, CodeType target, std::span<const std::string> name_expressions) {
    if (!name_expressions.empty()) {
        return unsupported_target(state.options,
                                  "NVVM IR has no name expressions: its kernels are found by their own names");
    }
    if (target == CodeType::native) target = nvvm_type_for_driver();
    const std::string arch =
        state.options.arch.empty() ? arch_of_device_for_ptx() : arch_for_code(state.options.arch, CodeType::ptx);
    const CodeType made = target == CodeType::cubin ? CodeType::ptx : target;
    const std::vector<std::string> options = nvvm_options(state.options, arch, made);
    const std::string libdevice =
        state.options.use_libdevice.value_or(false) ? read_libdevice(state.options) : std::string();
    std::vector<NvvmModule> modules{{state.options.name, state.code}};
    for (const auto& [name, module] : state.options.extra_sources)
        modules.push_back({name, module});
    auto [output, from_cache] =
        cached_nvvm_compile({modules, libdevice, options, made}, !state.options.no_cache.value_or(false));
    last_compile_of_this_thread() = {std::move(output.log), from_cache};
    ObjectCode code = ObjectCode::make(made, std::move(output.code), state.options.name, {});
    if (target != CodeType::cubin) return code;
    std::string kernels = kernels_in_ptx(code.code());
    LinkerOptions link_options;
    link_options.name = state.options.name;
    link_options.arch = arch_for_code(arch, CodeType::cubin);
    link_options.debug = state.options.debug;
    const ObjectCode cubin = Linker({code}, std::move(link_options)).link(CodeType::cubin);
    return ObjectCode::make(CodeType::cubin, std::string(cubin.code()), state.options.name, {},
                            CodeOrigin{nullptr, std::move(kernels)});
}

}  // namespace cuprum::core
