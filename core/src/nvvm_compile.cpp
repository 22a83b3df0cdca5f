#include "nvvm_compile.hpp"

#include <memory>
#include <type_traits>
#include <utility>

#include "compiler_stack.hpp"
#include "compiler_use.hpp"
#include "cuprum/bindings/nvvm.hpp"
#include "cuprum/core/error.hpp"
#include "unresolved.hpp"

namespace cuprum::core {

namespace nvvm = cuprum::bindings::nvvm;

namespace {

ErrorInfo nvvm_error_info(nvvmResult result, const char* operation, const std::string& object) {
    ErrorInfo info;
    info.status = Status::nvvm_error;
    info.domain = ErrorDomain::nvvm;
    info.code = static_cast<int32_t>(result);
    info.name = nvvm::nvvmGetErrorString(result);
    info.operation = operation;
    info.object = object;
    if (result == NVVM_ERROR_OUT_OF_MEMORY) info.advice = "this machine has too little memory for the compile";
    return info;
}

void check_nvvm(nvvmResult result, const char* function, const char* operation, const std::string& object) {
    if (result == NVVM_SUCCESS) return;
    if (result == NVVM_ERROR_PROGRAM_CREATION_FAILURE) throw_if_unresolved(function, operation, object);
    ErrorInfo info = nvvm_error_info(result, operation, object);
    info.detail = function;
    throw NvvmError(std::move(info));
}

struct DestroyNvvmProgram {
    void operator()(nvvmProgram program) const { nvvm::nvvmDestroyProgram(&program); }
};
using NvvmProgramOwner = std::unique_ptr<std::remove_pointer_t<nvvmProgram>, DestroyNvvmProgram>;

std::string read_nvvm(nvvmProgram program, nvvmResult (*get_size)(nvvmProgram, size_t*), const char* size_function,
                      nvvmResult (*get)(nvvmProgram, char*), const char* function, const std::string& object) {
    constexpr const char* reading = "reading the compiler's result";
    size_t size = 0;
    check_nvvm(get_size(program, &size), size_function, reading, object);
    std::string text(size, '\0');
    if (size > 0) check_nvvm(get(program, text.data()), function, reading, object);
    return text;
}

std::string read_nvvm_log(nvvmProgram program, const std::string& object) {
    std::string log = read_nvvm(program, &nvvm::nvvmGetProgramLogSize, "nvvmGetProgramLogSize",
                                &nvvm::nvvmGetProgramLog, "nvvmGetProgramLog", object);
    while (!log.empty() && log.back() == '\0')
        log.pop_back();
    return log;
}

bool is_fault_of_the_ir(nvvmResult result) {
    return result == NVVM_ERROR_COMPILATION || result == NVVM_ERROR_INVALID_IR || result == NVVM_ERROR_INVALID_INPUT ||
           result == NVVM_ERROR_IR_VERSION_MISMATCH;
}

std::string advice_on_the_ir_version() {
    int ir_major = 0;
    int ir_minor = 0;
    int debug_major = 0;
    int debug_minor = 0;
    if (nvvm::nvvmIRVersion(&ir_major, &ir_minor, &debug_major, &debug_minor) != NVVM_SUCCESS) return {};
    const auto text = [](int major, int minor) { return std::to_string(major) + "." + std::to_string(minor); };
    return "this libNVVM reads NVVM IR " + text(ir_major, ir_minor) + " and its debug metadata " +
           text(debug_major, debug_minor) + ": name them in the module's !nvvmir.version";
}

[[noreturn]] void throw_nvvm_failure(nvvmResult result, const char* function, const NvvmInput& input,
                                     const std::string& object, std::string log) {
    constexpr const char* compiling_ir = "compiling";
    if (result == NVVM_ERROR_PROGRAM_CREATION_FAILURE) throw_if_unresolved(function, compiling_ir, object);
    ErrorInfo info = nvvm_error_info(result, compiling_ir, object);
    if (is_fault_of_the_ir(result)) {
        if (result == NVVM_ERROR_IR_VERSION_MISMATCH) info.advice = advice_on_the_ir_version();
        throw CompileError(std::move(info), {std::move(log), input.options, {}});
    }
    info.detail = std::move(log);
    if (!info.detail.empty() && info.detail.back() != '\n') info.detail += '\n';
    info.detail += "options:";
    for (const std::string& option : input.options)
        info.detail += ' ' + option;
    if (result == NVVM_ERROR_INVALID_OPTION) {
        info.status = Status::invalid_argument;
        throw InvalidArgument(std::move(info));
    }
    throw NvvmError(std::move(info));
}

}  // namespace

NvrtcOutput nvvm_compile(const NvvmInput& input) {
    const std::string object = "program '" + input.modules.front().name + "'";
    const CompilerUse use(Compiler::nvvm, "compiling", object);
    nvvmProgram created = nullptr;
    check_nvvm(nvvm::nvvmCreateProgram(&created), "nvvmCreateProgram", "compiling", object);
    const NvvmProgramOwner program(created);
    for (const NvvmModule& module : input.modules) {
        const nvvmResult result =
            nvvm::nvvmAddModuleToProgram(program.get(), module.code.data(), module.code.size(), module.name.c_str());
        if (result != NVVM_SUCCESS) {
            throw_nvvm_failure(result, "nvvmAddModuleToProgram", input, object + ", module '" + module.name + "'",
                               read_nvvm_log(program.get(), object));
        }
    }
    if (!input.libdevice.empty()) {
        // Of its functions those that are used, not all.
        check_nvvm(nvvm::nvvmLazyAddModuleToProgram(program.get(), input.libdevice.data(), input.libdevice.size(),
                                                    "libdevice"),
                   "nvvmLazyAddModuleToProgram", "adding libdevice", object);
    }
    std::vector<const char*> options;
    options.reserve(input.options.size());
    for (const std::string& option : input.options)
        options.push_back(option.c_str());
    nvvmResult result = NVVM_ERROR_COMPILATION;
    with_compiler_stack(nvvm::library(), "nvvmCompileProgram", [&] {
        result = nvvm::nvvmCompileProgram(program.get(), static_cast<int>(options.size()), options.data());
    });
    std::string log = read_nvvm_log(program.get(), object);
    if (result != NVVM_SUCCESS) throw_nvvm_failure(result, "nvvmCompileProgram", input, object, std::move(log));

    NvrtcOutput output;
    output.log = std::move(log);
    output.code = read_nvvm(program.get(), &nvvm::nvvmGetCompiledResultSize, "nvvmGetCompiledResultSize",
                            &nvvm::nvvmGetCompiledResult, "nvvmGetCompiledResult", object);
    if (input.target == CodeType::ptx) {
        while (!output.code.empty() && output.code.back() == '\0')
            output.code.pop_back();
    }
    return output;
}

}  // namespace cuprum::core
