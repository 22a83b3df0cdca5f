// Ranges and marks of the program's own: NVTX's, for tools that inject a library by NVTX's protocol (Nsight Systems
// sets NVTX_INJECTION64_PATH), and for Cuprum's own trace.
//
// The library that NVTX_INJECTION64_PATH names is opened at the first call; its InitializeInjectionNvtx2 gets the
// tables of the modules CORE and CORE2 and fills in what it wants to be called. NVTX's own header is not needed. While
// there is neither a tool nor a trace, a call reads two atomics and returns. All functions may be called from any
// thread; ranges that are pushed nest within a thread. Texts are UTF-8.
#pragma once

#include <cstdint>

namespace cuprum::bindings::nvtx {

/// Marks this moment.
void mark(const char* message) noexcept;

/// Begins a range within the thread's innermost one. Gives how many there were before, counted from 0.
int range_push(const char* message) noexcept;
/// Ends the thread's innermost range. Gives how many are left, counted from 0; -1 where there was none.
int range_pop() noexcept;

/// Begins a range that may end in any thread, and overlap others. Gives its number, which is never 0.
std::uint64_t range_start(const char* message) noexcept;
/// Ends that range; one that does not exist, or has ended, is ignored.
void range_end(std::uint64_t range) noexcept;

/// Whether a tool takes ranges: its library was found and wanted them. Opens it.
bool tool_is_attached() noexcept;

}  // namespace cuprum::bindings::nvtx
