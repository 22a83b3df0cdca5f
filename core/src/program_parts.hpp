// What the compiles of a Program from C++, PTX and NVVM IR have in common.
#pragma once

#include <string>

#include "cuprum/core/program.hpp"

namespace cuprum::core {

inline constexpr const char* compiling = "compiling";

// "program 'saxpy.cu'"
std::string describe_program(const ProgramOptions& options);

// What the last successful compile reported.
struct LastCompile {
    std::string log;
    bool from_cache = false;
};
LastCompile& last_compile_of_this_thread();

// Throws InvalidArgument.
[[noreturn]] ObjectCode unsupported_target(const ProgramOptions& options, const char* detail);

// Whether the driver takes PTX of its own CUDA version and older alone. Throws where there is no driver.
bool loads_ptx_of_its_version_only();

// "compute_90": of device 0, or the newest one before it that the toolkit knows; compute_75 where there is no driver.
std::string arch_of_device_for_ptx();
// "compute_90" or, for a cubin, "sm_90".
std::string arch_for_code(const std::string& arch, CodeType type);

// What is wrong with a program of NVVM IR before it is compiled: InvalidArgument.
void require_nvvm_program(const std::string& code, const ProgramOptions& options);

}  // namespace cuprum::core
