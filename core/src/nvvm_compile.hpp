// One run of libNVVM.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cuprum/core/object_code.hpp"
#include "nvrtc_compile.hpp"

namespace cuprum::core {

// NVVM IR as text or bitcode, under the name that the log has for it.
struct NvvmModule {
    const std::string& name;
    const std::string& code;
};

struct NvvmInput {
    std::span<const NvvmModule> modules;  // the program's own first
    const std::string& libdevice;         // its bitcode; empty where it is not linked
    const std::vector<std::string>& options;
    CodeType target;  // ptx or ltoir
};

// Throws CompileError when the IR is at fault, InvalidArgument when an option is, NotFound without libNVVM.
NvrtcOutput nvvm_compile(const NvvmInput& input);

}  // namespace cuprum::core
