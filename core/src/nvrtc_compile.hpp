// One run of NVRTC.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cacheable_options.hpp"
#include "cuprum/core/linker.hpp"
#include "cuprum/core/object_code.hpp"
#include "header_dependencies.hpp"

namespace cuprum::core {

struct NvrtcInput {
    const std::string& source;
    const std::string& name;  // shown in the log
    const std::vector<std::string>& options;
    std::span<const std::string> name_expressions;
    const std::vector<std::string>& header_folders;                     // for the report
    std::span<const std::string> toolkit_folders;                       // those of them that are the toolkit's
    CodeType target;                                                    // ptx, cubin or ltoir
    std::span<const std::pair<std::string, std::string>> headers = {};  // that are no files: name and text
    const std::string& directives = no_directives;                      // ProgramOptions::shared_directives
    bool drops_unused_variables = false;                                // of PTX
    // For a cubin that nvJitLink makes of LTO-IR, for which NVRTC's options are; else null.
    const LinkerOptions* link = nullptr;
    // Those of the name expressions that get a cubin each, by such a link.
    std::span<const std::string> kernels_apart = {};

    static inline const std::string no_directives{};
};

struct NvrtcOutput {
    std::string code;
    std::string log;
    std::map<std::string, std::string> lowered_names;
    std::string ptx_kernels{};  // kernels_in_ptx() of the PTX that a cubin was made from; empty for other code
    std::vector<std::string> codes_apart{};  // of `kernels_apart`, in place of `code`
};

// For the files that `source` includes, where it is compiled as `input` is. `inputs`: those of its options. Views of
// both.
HeaderSearch search_for_headers(const NvrtcInput& input, const std::string& source, const CompileInputs& inputs);

// Throws CompileError when the source is at fault, InvalidArgument when an option is, NotFound without NVRTC.
NvrtcOutput nvrtc_compile(const NvrtcInput& input);

// The numbers after "sm_" that the NVRTC in use compiles for, in ascending order: 75, 80, ...
const std::vector<int>& nvrtc_supported_archs();

}  // namespace cuprum::core
