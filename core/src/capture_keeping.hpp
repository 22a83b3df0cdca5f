// What graphs keep of the work that is captured into them.
#pragma once

#include <memory>

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

// For a stream whose context is current.
void keep_in_current_context(const StreamRef& stream, GraphOwners&& owners, const char* operation);

}  // namespace cuprum::core
