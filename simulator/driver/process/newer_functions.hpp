// The driver's functions that came after the CUDA version of the simulator's own headers
// (generated/newer_functions.cpp). Nothing here includes cuda.h, which may be of the version that declares them, or of
// one that does not.
#pragma once

namespace cuprum::simulator::libcuda {

// As `unsupported`, with the status as the number that C has for it.
int unsupported_status(const char* function);

struct NewerFunction {
    const char* name;  // as cuGetProcAddress is asked for it
    int version;       // the first CUDA version with this form, as in CUDA_VERSION: 13020
    bool per_thread;   // the form with the per-thread default stream
    int (*function)();
};

// Sorted by name, then variant, then version.
extern const NewerFunction newer_functions[];
extern const unsigned int newer_function_count;

}  // namespace cuprum::simulator::libcuda
