// What graphs keep of the work that is captured into them.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>

#include "circumstances.hpp"
#include "cuprum/core/graph_builder.hpp"
#include "driver_api.hpp"

namespace cuprum::core {

struct CaptureKeeper;

// A capture by a GraphBuilder, from when it begins until it has ended, whatever came of it: the graph keeps what
// keep_for_capture() is given meanwhile. Thread-safe.
class CaptureInProgress {
public:
    // `captured` is what the stream's work goes into, a part of the graph `root`.
    CaptureInProgress(CUgraph captured, CUgraph root, const char* operation);
    ~CaptureInProgress();
    CaptureInProgress(const CaptureInProgress&) = delete;
    CaptureInProgress& operator=(const CaptureInProgress&) = delete;

private:
    CUgraph captured_;
};

// Before work is put into a stream, whose context is current: what that uses, and the addresses of the memory.
void keep_in_current_context(const StreamRef& stream, GraphOwners&& owners, std::span<const DevicePointer> memory,
                             const char* operation);

// Memory alone.
inline void keep_memory_in_current_context(const StreamRef& stream, std::initializer_list<DevicePointer> memory,
                                           const char* operation) {
    if (is_any_graph_being_built()) [[unlikely]]
        keep_in_current_context(stream, {}, std::span(memory.begin(), memory.size()), operation);
}

// After an allocation in a stream, whose context is current: where that is captured, the memory is the graph's own.
void note_own_memory(const StreamRef& stream, DevicePointer address, uint64_t size, const char* operation);
inline void note_memory_of_capture(const StreamRef& stream, DevicePointer address, uint64_t size,
                                   const char* operation) {
    if (holds(Circumstance::graph_being_built)) [[unlikely]]
        note_own_memory(stream, address, size, operation);
}

}  // namespace cuprum::core
