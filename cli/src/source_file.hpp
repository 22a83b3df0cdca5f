// The file that `cuprum compile` and `cuprum run` are given.
#pragma once

#include <string>
#include <vector>

#include "command_line.hpp"
#include "cuprum/core/object_code.hpp"
#include "cuprum/core/program.hpp"

namespace cuprum::cli {

/// "-" is standard input. Throws UsageError if it cannot be read.
std::string read_source(const std::string& path);

/// By its suffix: CUDA C++, or PTX.
core::SourceType source_type_of(const std::string& path);

/// What the options of the command line (and NVRTC's own, behind "--") say of a compile of `path`.
core::ProgramOptions program_options(const std::string& path, const CommandLine& line);

/// Compiles, and says on a terminal that it does so when it takes longer than a second. What NVRTC warns of goes to
/// standard error.
core::ObjectCode compile_source(const std::string& path, const CommandLine& line, core::CodeType target,
                                const std::vector<std::string>& name_expressions);

}  // namespace cuprum::cli
