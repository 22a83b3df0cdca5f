// What a call does while it is traced or may be made to fail. Not installed.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "cuprum/bindings/table.hpp"
#include "kernel_times.hpp"

namespace cuprum::bindings::detail {

/// Whether calls must look for a trace or a fault. True until the first one has looked at the environment.
extern constinit std::atomic<bool> observed;

/// Starts the trace and arms the faults that the environment asks for, once. Throws InvalidArgument, each time, for
/// what it cannot do.
void observe_as_environment_says();

/// Sets `observed` again after a trace or a fault has begun or ended.
void update_observed() noexcept;

/// One call, from before it is made until it has returned. `arguments` points to the arguments' addresses and must live
/// as long; `result` of finish points to what the function has returned.
class Observation {
public:
    Observation(const Library& library, const Function& function, const void* const* arguments) noexcept;

    /// The code that the call is to return without being made.
    std::optional<std::int32_t> injected() const noexcept { return injected_; }
    void finish(const void* result) noexcept;

private:
    const Library& library_;
    const Function& function_;
    const void* const* arguments_;
    std::optional<std::int32_t> injected_;
    bool traced_ = false;
    TimedLaunch launch_;
    std::chrono::steady_clock::time_point start_;
};

// The parts of an observation; each in the file of its name.

/// Whether a trace runs.
bool trace_is_running() noexcept;
/// Whether a fault is armed.
bool faults_are_armed() noexcept;
/// Counts the call for every armed fault; gives the code of the one that makes it fail.
std::optional<std::int32_t> count_for_faults(const Library& library, const Function& function) noexcept;
/// Arms the faults of a list in CUPRUM_FAULT's syntax for the life of the process. Throws InvalidArgument.
void arm_faults(std::string_view list);

struct FinishedCall {
    const Library& library;
    const Function& function;
    const void* const* arguments;
    const void* result;
    bool injected;
    std::chrono::steady_clock::time_point start;
    std::chrono::steady_clock::time_point end;
};
void write_to_trace(const FinishedCall& call) noexcept;

struct FinishedKernel {
    std::string name;
    bool is_graph;
    const std::uint32_t* grid;
    const std::uint32_t* block;
    const void* stream;
    std::chrono::steady_clock::time_point start;
    std::chrono::steady_clock::time_point end;
};
void write_kernel_to_trace(const FinishedKernel& kernel) noexcept;
void write_range_to_trace(const std::string& name, std::chrono::steady_clock::time_point start,
                          std::chrono::steady_clock::time_point end) noexcept;
void write_mark_to_trace(const std::string& name, std::chrono::steady_clock::time_point time) noexcept;
/// Starts the trace that the environment asks for, if nobody has looked yet; one that cannot be is reported by calls.
void begin_trace_of_environment() noexcept;

}  // namespace cuprum::bindings::detail
