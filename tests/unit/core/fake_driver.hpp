// A CUDA driver of a few lines, put into the bindings' table: it keeps account of what is created and destroyed, of the
// context that is current at each call, and fails where a test says so.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "cuprum/bindings/driver.hpp"

namespace cuprum::test {

struct Call {
    std::string function;
    CUcontext current = nullptr;
};

// One instance at a time. Every instance has the same two devices with the same contexts, because core keeps these for
// the life of the process.
class FakeDriver {
public:
    static constexpr int device_count = 2;
    static constexpr uint64_t free_bytes = 1000;
    static constexpr uint64_t total_bytes = 4000;

    FakeDriver();
    ~FakeDriver();
    FakeDriver(const FakeDriver&) = delete;
    FakeDriver& operator=(const FakeDriver&) = delete;

    static CUcontext primary_context(int device);
    static CUcontext foreign_context();

    // The next call of `function` (after `skip` that pass) returns `result`; `log_line` appears in the driver's log.
    void fail(const std::string& function, CUresult result, const std::string& log_line = {}, int skip = 0);
    // All calls of `function` return `result` from now on.
    void fail_always(const std::string& function, CUresult result);

    std::vector<Call> calls() const;
    int count(const std::string& function) const;
    void forget_calls();
    // Position of the first call of that function, -1 if there was none.
    int position_of(const std::string& function) const;

    size_t live_streams() const { return live_.at("stream").size(); }
    size_t live_events() const { return live_.at("event").size(); }
    size_t live_allocations() const { return live_.at("memory").size(); }
    size_t live_libraries() const { return live_.at("library").size(); }
    size_t live() const { return live_streams() + live_events() + live_allocations() + live_libraries(); }

    // What the next launches were given.
    std::vector<void*> last_parameters;
    const void* last_parameter_array = nullptr;  // where those were
    CUstream last_stream = nullptr;
    bool last_was_function = false;  // a CUfunction was launched, not a CUkernel
    // The kernels of every library that is loaded, and the sizes of their parameters.
    std::map<std::string, std::vector<size_t>> kernels{{"saxpy", {4, 8, 8, 4}}};
    // What cuLibraryLoadData writes into its error log when it fails.
    std::string jit_log;
    // Runs inside cuLibraryLoadData.
    std::function<void()> while_loading;

    // For the functions of the table.
    static FakeDriver& instance();
    CUresult enter(const char* function);
    uint64_t create(const std::string& kind);
    CUresult destroy(const std::string& kind, uint64_t handle);
    std::string take_log();
    mutable std::mutex mutex;

private:
    struct Failure {
        CUresult result;
        std::string log_line;
        int skip;
        bool always;
    };
    std::vector<Call> calls_;
    std::map<std::string, Failure> failures_;
    std::map<std::string, std::set<uint64_t>> live_{{"stream", {}}, {"event", {}}, {"memory", {}}, {"library", {}}};
    uint64_t next_handle_ = 0x10000;
    std::string log_;
    std::vector<bindings::TableOverride> overrides_;
};

// The calling thread's context as the driver sees it.
CUcontext current_context();
void make_current(CUcontext context);  // replaces the whole stack; null leaves none

}  // namespace cuprum::test
