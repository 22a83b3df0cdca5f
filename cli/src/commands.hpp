// The commands of `cuprum`. Each returns the exit code, and throws UsageError for a wrong command line
// and Cuprum's own errors for everything else.
#pragma once

#include "command_line.hpp"

namespace cuprum::cli {

// Documented in usage.cpp.
enum ExitCode { success = 0, not_found = 1, bad_usage = 2, failure = 3 };

int find_part(const CommandLine& line);
int show_information(const CommandLine& line);
int list_devices(const CommandLine& line);
int show_version(const CommandLine& line);
int run_doctor(const CommandLine& line);
int compile_file(const CommandLine& line);
int manage_cache(const CommandLine& line);
int run_kernel(const CommandLine& line);
int trace_command(const CommandLine& line);
int show_top(const CommandLine& line);

}  // namespace cuprum::cli
