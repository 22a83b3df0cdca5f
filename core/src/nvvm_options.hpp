#pragma once

#include <string>
#include <vector>

#include "cuprum/core/program.hpp"

namespace cuprum::core {

// libNVVM's options for one compile, in order: the architecture ("compute_90", unless the caller's own options give
// one), what `options` says, whether to make LTO-IR, then the caller's own.
std::vector<std::string> nvvm_options(const ProgramOptions& options, const std::string& arch, CodeType target);

// The names of the options that are set and that libNVVM does not have: "max_register_count, restrict"; empty if none.
std::string options_unknown_to_nvvm(const ProgramOptions& options);

}  // namespace cuprum::core
