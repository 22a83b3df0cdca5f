// Core dumps of kernels that fault: a text file with the fault's report and its warp (cuCoredump*).
//
// Source: cuda.h, "Coredump Attributes Control API"; CUDA-GDB, "GPU core dump support" (the environment variables).
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

class Context;

struct CoreDumpSettings {
    bool on_exception = false;
    bool triggers_host = true;
    bool lightweight = false;
    std::string file;  // with %h (host), %p (process) and %t (time)
    std::string pipe;
    unsigned int flags = CU_COREDUMP_DEFAULT_FLAGS;

    bool aborts() const { return triggers_host && (flags & CU_COREDUMP_SKIP_ABORT) == 0; }
};

// All of the process, and of each context that has been given some of its own. Thread-safe.
class CoreDumps {
public:
    // Reads the environment, whose settings no call changes.
    void begin();
    // `value` null: only *size is set, to the bytes that a value takes. Throw DriverError.
    void get(const Context* context, CUcoredumpSettings attribute, void* value, size_t* size) const;
    void set(const Context* context, CUcoredumpSettings attribute, const void* value, size_t* size);
    // A context's first settings, by its flags.
    void begin_context(const Context& context);
    void end_context(const Context& context);

    CoreDumpSettings of(const Context& context) const;

private:
    void apply(CoreDumpSettings& settings, CUcoredumpSettings attribute, const void* value) const;

    mutable std::mutex mutex_;
    CoreDumpSettings global_;
    std::map<uint64_t, CoreDumpSettings> by_context_;  // by its identifier
    std::map<CUcoredumpSettings, bool> fixed_;         // by the environment
};

CoreDumps& core_dumps();

// Writes the file and ends the process, as far as the context's settings ask for it.
void dump_core(const Context& context, CUresult code, const std::string& report, const std::string& inspection);

}  // namespace cuprum::simulator::libcuda
