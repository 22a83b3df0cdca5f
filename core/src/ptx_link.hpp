#pragma once

#include <string>

#include "cuprum/core/program.hpp"

namespace cuprum::core {

// Assembles PTX to a cubin with the driver's own linker, for options.arch or else device 0. Throws CompileError with
// the linker's log when the PTX is at fault.
std::string link_ptx_to_cubin(const std::string& ptx, const ProgramOptions& options);

}  // namespace cuprum::core
