// When kernels and graphs ran, for the trace: by an event before and one after each launch. Not installed.
#pragma once

#include <cuda.h>

#include <chrono>
#include <cstdint>

#include "cuprum/bindings/table.hpp"

namespace cuprum::bindings::detail {

/// One launch that is timed; nothing where the call is no launch, or cannot be timed.
struct TimedLaunch {
    CUevent begin = nullptr;
    CUevent end = nullptr;
    CUcontext context = nullptr;
    CUstream stream = nullptr;
    CUfunction function = nullptr;  // null of a graph
    std::uint32_t grid[3] = {}, block[3] = {};

    explicit operator bool() const noexcept { return begin != nullptr; }
};

/// Whether launches of the trace that runs are timed.
bool kernels_are_timed() noexcept;
void time_kernels(bool enabled) noexcept;

/// Before the call is made, and after it has returned.
TimedLaunch begin_timing(const Library& library, const Function& function, const void* const* arguments) noexcept;
void end_timing(TimedLaunch& launch, bool launched) noexcept;
/// Before every other call: a context that it ends takes what is measured in it along.
void before_other_call(const Library& library, const Function& function) noexcept;
/// After every other call: writes what has been measured meanwhile, if it has waited for work.
void write_kernel_times(const Library& library, const Function& function) noexcept;
/// What is measured by now; a trace ends.
void write_last_kernel_times() noexcept;
/// In a forked child, which times nothing: what the parent measures is the parent's.
void forget_kernel_times() noexcept;

}  // namespace cuprum::bindings::detail
