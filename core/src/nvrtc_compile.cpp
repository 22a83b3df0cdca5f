#include "nvrtc_compile.hpp"

#include <array>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "compiler_stack.hpp"
#include "compiler_use.hpp"
#include "cuprum/bindings/nvrtc.hpp"
#include "cuprum/core/error.hpp"
#include "cuprum/core/program.hpp"
#include "link_apart.hpp"
#include "missing_header.hpp"
#include "precompiled_headers.hpp"
#include "ptx_kernels.hpp"
#include "unresolved.hpp"
#include "unused_variables.hpp"

namespace cuprum::core {

namespace nvrtc = cuprum::bindings::nvrtc;

namespace {

const char* result_name(nvrtcResult result) {
    return nvrtc::nvrtcGetErrorString(result);
}

std::string advice_for_result(nvrtcResult result) {
    switch (result) {
        case NVRTC_ERROR_BUILTIN_OPERATION_FAILURE:
            return "NVRTC's second library, libnvrtc-builtins, is missing or of another version: install both from one "
                   "toolkit";
        case NVRTC_ERROR_OUT_OF_MEMORY:
            return "this machine has too little memory for the compile";
        default:
            return {};
    }
}

ErrorInfo error_info(nvrtcResult result, const std::string& operation, const std::string& object) {
    ErrorInfo info;
    info.status = Status::nvrtc_error;
    info.domain = ErrorDomain::nvrtc;
    info.code = static_cast<int32_t>(result);
    info.name = result_name(result);
    info.operation = operation;
    info.object = object;
    info.advice = advice_for_result(result);
    return info;
}

void check_nvrtc(nvrtcResult result, const char* function, const char* operation, const std::string& object) {
    if (result == NVRTC_SUCCESS) return;
    if (result == NVRTC_ERROR_INTERNAL_ERROR) throw_if_unresolved(function, operation);
    ErrorInfo info = error_info(result, operation, object);
    info.detail = function;
    throw NvrtcError(std::move(info));
}

struct DestroyProgram {
    void operator()(nvrtcProgram program) const { nvrtc::nvrtcDestroyProgram(&program); }
};
using ProgramOwner = std::unique_ptr<std::remove_pointer_t<nvrtcProgram>, DestroyProgram>;

// The text of one of NVRTC's pairs of "how long is it" and "give it to me".
std::string read_text(nvrtcProgram program, nvrtcResult (*get_size)(nvrtcProgram, size_t*), const char* size_function,
                      nvrtcResult (*get)(nvrtcProgram, char*), const char* function, const std::string& object) {
    size_t size = 0;
    check_nvrtc(get_size(program, &size), size_function, "reading the compiler's result", object);
    std::string text(size, '\0');
    if (size > 0) check_nvrtc(get(program, text.data()), function, "reading the compiler's result", object);
    return text;
}

void strip_terminator(std::string& text) {
    while (!text.empty() && text.back() == '\0')
        text.pop_back();
}

std::string read_log(nvrtcProgram program, const std::string& object) {
    std::string log = read_text(program, &nvrtc::nvrtcGetProgramLogSize, "nvrtcGetProgramLogSize",
                                &nvrtc::nvrtcGetProgramLog, "nvrtcGetProgramLog", object);
    strip_terminator(log);
    return log;
}

std::string read_code(nvrtcProgram program, CodeType target, const std::string& object) {
    switch (target) {
        case CodeType::cubin:
            return read_text(program, &nvrtc::nvrtcGetCUBINSize, "nvrtcGetCUBINSize", &nvrtc::nvrtcGetCUBIN,
                             "nvrtcGetCUBIN", object);
        case CodeType::ltoir:
            return read_text(program, &nvrtc::nvrtcGetLTOIRSize, "nvrtcGetLTOIRSize", &nvrtc::nvrtcGetLTOIR,
                             "nvrtcGetLTOIR", object);
        default: {
            std::string ptx = read_text(program, &nvrtc::nvrtcGetPTXSize, "nvrtcGetPTXSize", &nvrtc::nvrtcGetPTX,
                                        "nvrtcGetPTX", object);
            strip_terminator(ptx);
            return ptx;
        }
    }
}

// For a compile to a cubin: a cubin has only the sizes of its kernels' parameters, and NVRTC keeps the PTX too.
std::string read_ptx_kernels(nvrtcProgram program) {
    size_t size = 0;
    if (nvrtc::nvrtcGetPTXSize(program, &size) != NVRTC_SUCCESS) return {};
    std::string ptx(size, '\0');
    if (nvrtc::nvrtcGetPTX(program, ptx.data()) != NVRTC_SUCCESS) return {};
    return kernels_in_ptx(ptx);
}

std::string supported_archs_text() {
    std::string text;
    try {
        for (const int arch : nvrtc_supported_archs())
            text += (text.empty() ? "sm_" : ", sm_") + std::to_string(arch);
    } catch (const Error&) {
        text.clear();  // only a help for the reader
    }
    return text;
}

nvrtcResult run(nvrtcProgram program, const std::vector<const char*>& options) {
    nvrtcResult result = NVRTC_ERROR_INTERNAL_ERROR;
    with_compiler_stack(nvrtc::library(), "nvrtcCompileProgram", [&] {
        result = nvrtc::nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data());
    });
    return result;
}

// Whether it was among them.
bool remove(std::vector<const char*>& options, std::string_view option) {
    return std::erase_if(options, [option](const char* other) { return other == option; }) > 0;
}

struct Compiled {
    ProgramOwner program;
    nvrtcResult result;
};

// `source` and `more_options` are the input's own and what precompiled headers add.
Compiled compile(const NvrtcInput& input, const std::string& source, std::span<const std::string> more_options,
                 const std::string& object) {
    std::vector<const char*> header_names;
    std::vector<const char*> header_texts;
    for (const auto& [name, text] : input.headers) {
        header_names.push_back(name.c_str());
        header_texts.push_back(text.c_str());
    }
    nvrtcProgram created = nullptr;
    check_nvrtc(
        nvrtc::nvrtcCreateProgram(&created, source.c_str(), input.name.c_str(), static_cast<int>(input.headers.size()),
                                  header_texts.data(), header_names.data()),
        "nvrtcCreateProgram", "creating a program", object);
    ProgramOwner program(created);
    for (const std::string& expression : input.name_expressions) {
        check_nvrtc(nvrtc::nvrtcAddNameExpression(program.get(), expression.c_str()), "nvrtcAddNameExpression",
                    "adding a name expression", object + ", '" + expression + "'");
    }
    std::vector<const char*> options;
    options.reserve(input.options.size() + more_options.size());
    for (const std::string& option : input.options)
        options.push_back(option.c_str());
    for (const std::string& option : more_options)
        options.push_back(option.c_str());
    nvrtcResult result = run(program.get(), options);
    // An NVRTC that does not know this option (12.4) has no cache that it could leave alone.
    if (result == NVRTC_ERROR_INVALID_OPTION && remove(options, "--no-cache")) result = run(program.get(), options);
    return {std::move(program), result};
}

// With what is precompiled, if there is something. What fails so is compiled once more without: its log is to be that
// of the program alone, and the fault may be the precompiled headers'.
Compiled compile(const NvrtcInput& input, const std::string& object) {
    PrecompiledHeaders precompiled(input);
    if (!precompiled.option().empty()) {
        const std::array<std::string, 2> options{precompiled.option(), "--pch-messages=false"};
        Compiled compiled =
            compile(input, input.directives + "#pragma nv_hdrstop\n#line 1\n" + input.source, options, object);
        if (compiled.result == NVRTC_SUCCESS) {
            precompiled.keep();
            return compiled;
        }
    }
    return compile(input, input.source, {}, object);
}

[[noreturn]] void throw_compile_failure(nvrtcResult result, const NvrtcInput& input, const std::string& object,
                                        std::string log) {
    if (result == NVRTC_ERROR_INTERNAL_ERROR) throw_if_unresolved("nvrtcCompileProgram", "compiling");
    ErrorInfo info = error_info(result, "compiling", object);
    if (result == NVRTC_ERROR_COMPILATION) {
        if (const std::string header = missing_header(log); !header.empty()) {
            info.advice = advice_for_missing_header(header, input.header_folders);
        }
        throw CompileError(std::move(info), {std::move(log), input.options, input.header_folders});
    }
    info.detail = std::move(log);
    if (!info.detail.empty() && info.detail.back() != '\n') info.detail += '\n';
    info.detail += "options:";
    for (const std::string& option : input.options)
        info.detail += ' ' + option;
    if (result == NVRTC_ERROR_INVALID_OPTION) {
        info.status = Status::invalid_argument;
        const bool is_architecture = info.detail.find("gpu-architecture (") != std::string::npos;
        const std::string archs = is_architecture ? supported_archs_text() : std::string();
        if (!archs.empty()) info.advice = "this NVRTC compiles for " + archs;
        throw InvalidArgument(std::move(info));
    }
    throw NvrtcError(std::move(info));
}

// Machine code, of the LTO-IR that is the output so far.
void link(const NvrtcInput& input, NvrtcOutput& output) {
    const ObjectCode lto_ir = ObjectCode::from_ltoir(std::move(output.code), input.name);
    output.code.clear();
    if (input.kernels_apart.empty()) {
        output.code = Linker({lto_ir}, *input.link).link().code();
        return;
    }
    std::vector<std::string> symbols;
    for (const std::string& kernel : input.kernels_apart)
        symbols.push_back(output.lowered_names.at(kernel));
    output.codes_apart = link_apart(lto_ir, *input.link, symbols);
}

}  // namespace

HeaderSearch search_for_headers(const NvrtcInput& input, const std::string& source, const CompileInputs& inputs) {
    return {source,
            input.name,
            inputs.pre_includes,
            inputs.folders,
            input.toolkit_folders,
            inputs.definitions,
            input.name_expressions,
            inputs.looks_in_own_folder,
            inputs.std,
            input.headers};
}

NvrtcOutput nvrtc_compile(const NvrtcInput& input) {
    const std::string object = "program '" + input.name + "'";
    const CompilerUse use(Compiler::nvrtc, "compiling", object);
    const auto [program, result] = compile(input, object);
    std::string log = read_log(program.get(), object);
    if (result != NVRTC_SUCCESS) throw_compile_failure(result, input, object, std::move(log));

    NvrtcOutput output;
    output.log = std::move(log);
    for (const std::string& expression : input.name_expressions) {
        const char* lowered = nullptr;
        check_nvrtc(nvrtc::nvrtcGetLoweredName(program.get(), expression.c_str(), &lowered), "nvrtcGetLoweredName",
                    "asking for a lowered name", object + ", '" + expression + "'");
        // Seen with a source that begins like UTF-16: NVRTC takes it for empty, and says that all is well.
        if (lowered == nullptr) {
            throw InvalidArgument("asking for a lowered name", object + ", '" + expression + "'",
                                  "NVRTC has compiled the source and found nothing of that name in it",
                                  "the source must be UTF-8 text that declares it");
        }
        output.lowered_names.emplace(expression, lowered);
    }
    output.code = read_code(program.get(), input.link != nullptr ? CodeType::ltoir : input.target, object);
    if (input.link != nullptr) {
        link(input, output);
    } else if (input.drops_unused_variables) {
        output.code = without_unused_variables(output.code);
    } else if (input.target == CodeType::cubin) {
        output.ptx_kernels = read_ptx_kernels(program.get());
    }
    return output;
}

namespace {

std::vector<int> ask_for_archs() {
    int count = 0;
    constexpr const char* operation = "asking for the architectures that NVRTC knows";
    check_nvrtc(nvrtc::nvrtcGetNumSupportedArchs(&count), "nvrtcGetNumSupportedArchs", operation, "");
    std::vector<int> archs(static_cast<size_t>(count));
    if (count > 0) check_nvrtc(nvrtc::nvrtcGetSupportedArchs(archs.data()), "nvrtcGetSupportedArchs", operation, "");
    return archs;
}

}  // namespace

const std::vector<int>& nvrtc_supported_archs() {
    // Once, and never freed: NVRTC has them in memory that its own exit frees, and programs compile until then.
    static const auto* const archs = new std::vector<int>(ask_for_archs());
    return *archs;
}

std::pair<int32_t, int32_t> nvrtc_version() {
    int major = 0;
    int minor = 0;
    check_nvrtc(nvrtc::nvrtcVersion(&major, &minor), "nvrtcVersion", "asking for NVRTC's version", "");
    return {major, minor};
}

}  // namespace cuprum::core
