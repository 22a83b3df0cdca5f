#pragma once

#include <string>
#include <vector>

#include "cuprum/core/program.hpp"

namespace cuprum::core {

// The NVRTC options for one compile, in order: the architecture (unless the caller's own options give one), what
// `options` says, the caller's include folders, then `toolkit_headers`, then the caller's own options.
// `arch` is "sm_90" or "compute_90".
std::vector<std::string> nvrtc_options(const ProgramOptions& options, const std::string& arch,
                                       const std::vector<std::string>& toolkit_headers);

// Whether the caller's own options already choose an architecture.
bool chooses_architecture(const std::vector<std::string>& extra_options);

}  // namespace cuprum::core
