// The tracer: every call that goes through the bindings, from whichever language, with its arguments by name, its
// result, its time and its thread.
//
// CUPRUM_TRACE=FILE starts it with the process's first call; the functions below start and stop it by hand. A file
// named
// *.json is a Chrome trace (chrome://tracing, Perfetto), any other is text, a line for each call. "%p" in the name is
// replaced by the process's id, for programs that start others. Each call is written as it ends, and a Chrome trace is
// complete after each of them, so that the file can be read even if the process dies. While the trace runs, white space
// follows: the file is written in memory, a part at a time. A former file of the name is removed, unless it is a link.
// Children that are forked are not traced: they begin with no trace, and may start one.
//
// Ranges and marks of nvtx.hpp are in the trace too.
//
// While no trace runs and no fault is armed, calls pay one predictable branch for both. Addresses that programs get
// from address_of or cuGetProcAddress lead past the bindings.
#pragma once

#include <cstdint>
#include <string>

namespace cuprum::bindings {

struct TraceOptions {
    /// Also when each kernel and graph ran on its device, by an event before and one after each launch
    /// (CUPRUM_TRACE_KERNELS=1). What is captured is not timed by itself. The events are work of their own in the
    /// stream: kernels that could have overlapped with what comes before and after them in the stream do not.
    bool kernels = false;
};

/// Starts tracing into a file, which it replaces, and ends the trace that is running, if any. Throws
/// InvalidArgument if the file cannot be written. Thread-safe.
void start_trace(const std::string& path, const TraceOptions& options = {});

/// Stops the trace, if one is running. A failed write loses what was to be written, and stops the trace. Thread-safe.
void stop_trace() noexcept;

/// Marks a query that may fail without an error having been made: while it lives, a call of this thread that returns
/// `code` is in the trace as a probe, "= 1  [probe]", and not under the name of the error.
class Probe {
public:
    explicit Probe(std::int32_t code) noexcept;
    Probe(const Probe&) = delete;
    Probe& operator=(const Probe&) = delete;
    ~Probe();

private:
    std::int32_t outer_;
};

}  // namespace cuprum::bindings
