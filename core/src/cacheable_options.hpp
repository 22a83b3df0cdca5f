// What the options of a compile say about the files that it reads, and whether its result may be kept at all.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cuprum::core {

struct CompileInputs {
    std::vector<std::string> folders;       // -I, in order
    std::vector<std::string> pre_includes;  // -include
    std::vector<std::string> definitions;   // -D, "NAME=TEXT"
    std::string std;                        // "c++17"; empty where NVRTC chooses
    bool looks_in_own_folder = true;        // false with --no-source-include
    bool names_files = false;               // debug information holds paths
};

// None where an option is not known here: it may read a file, write one, or change what another means.
std::optional<CompileInputs> inputs_of(const std::vector<std::string>& options);

// Whether each of libNVVM's options is known to change the result and nothing else, by its value alone.
bool are_known_to_nvvm_cache(const std::vector<std::string>& options);

// Whether the environment changes what NVRTC and libNVVM do (NVRTC_APPEND_FLAGS and the like).
bool environment_changes_compiles();

}  // namespace cuprum::core
