// One run of NVRTC.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cuprum/core/object_code.hpp"

namespace cuprum::core {

struct NvrtcInput {
    const std::string& source;
    const std::string& name;  // shown in the log
    const std::vector<std::string>& options;
    std::span<const std::string> name_expressions;
    const std::vector<std::string>& header_folders;                     // for the report
    CodeType target;                                                    // ptx, cubin or ltoir
    std::span<const std::pair<std::string, std::string>> headers = {};  // that are no files: name and text
};

struct NvrtcOutput {
    std::string code;
    std::string log;
    std::map<std::string, std::string> lowered_names;
    std::string ptx_kernels{};  // kernels_in_ptx() of the PTX that a cubin was made from; empty for other code
};

// Throws CompileError when the source is at fault, InvalidArgument when an option is, NotFound without NVRTC.
NvrtcOutput nvrtc_compile(const NvrtcInput& input);

// The numbers after "sm_" that the NVRTC in use compiles for, in ascending order: 75, 80, ...
const std::vector<int>& nvrtc_supported_archs();

}  // namespace cuprum::core
