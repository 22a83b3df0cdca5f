// The list behind cuGetProcAddress.
#pragma once

#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

// A function that takes a stream, or uses the default one, exists twice: `any` is the form with the legacy default
// stream (or the only form), `per_thread` the one with the per-thread default stream.
enum class DefaultStreamVariant { any, per_thread };

struct ProcAddress {
    const char* name;  // as programs ask for it: "cuMemAlloc"
    int version;       // the first CUDA version with this form, as in CUDA_VERSION: 3020
    DefaultStreamVariant variant;
    void* function;
};

// Sorted by name, then variant, then version; written by generate.py.
extern const ProcAddress proc_address_table[];
extern const unsigned int proc_address_count;

struct FoundProcAddress {
    void* function = nullptr;
    CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
};
// The newest form that is not newer than `version`. Functions without a default stream have one variant for both flags.
FoundProcAddress find_proc_address(const char* name, int version, DefaultStreamVariant variant);

}  // namespace cuprum::simulator::libcuda
