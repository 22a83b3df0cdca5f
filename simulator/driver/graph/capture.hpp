// Stream capture: streams that put what they are given into a graph instead of running it.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "driver/graph/graph.hpp"
#include "driver/process/cuda_api.hpp"
#include "driver/stream/stream.hpp"

namespace cuprum::simulator::libcuda {

// From cuStreamBeginCapture to cuStreamEndCapture: one graph, and all the streams that take part.
struct CaptureSequence {
    uint64_t identifier = 0;
    std::shared_ptr<Graph> graph;
    bool into_existing_graph = false;
    std::weak_ptr<Stream> origin;
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
    std::thread::id thread;
    bool invalidated = false;
    std::string invalidated_by;                  // why, for cuStreamEndCapture
    std::vector<std::weak_ptr<Stream>> streams;  // the origin included
    std::vector<GraphEdge> departed;             // what streams had captured last that were destroyed since
};

// What one stream, or an event recorded in it, has to do with a capture.
struct StreamCapture {
    std::shared_ptr<CaptureSequence> sequence;
    std::vector<GraphEdge> dependencies;  // of the next node
    // What cuStreamGetCaptureInfo has handed out pointers to.
    std::vector<CUgraphNode> reported_nodes;
    std::vector<CUgraphEdgeData> reported_edges;
};

// All of these may be called without graph_mutex().

// Whether operations in the stream are captured. Throws DriverError for a capture that has been invalidated, and for
// the legacy default stream while a stream captures that it would have to wait for, which invalidates that capture.
bool captures(const std::shared_ptr<Stream>& stream);
// The node's dependencies are those of the stream, which then depends on the node alone.
GraphNode& add_captured(const std::shared_ptr<Stream>& stream, Operation operation);
// For what cannot be captured, such as waiting for the stream: throws CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, and
// invalidates the capture, if the stream captures.
void refuse_captured(const std::shared_ptr<Stream>& stream, const char* what);
// The same for what concerns all streams of a context.
void refuse_captured(const Context& context, const char* what);
// For calls that would bypass a capture, such as allocating memory: throws CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, and
// invalidates the captures concerned, if the thread's mode and theirs say so.
void refuse_unsafe_call(const char* what);

// CUDA_ERROR_STREAM_CAPTURE_* are thrown as cuStreamWaitEvent documents them. False: neither the stream nor the event
// is captured, and the wait is an ordinary one.
bool capture_wait(const std::shared_ptr<Stream>& stream, CUevent handle, const std::shared_ptr<Event>& event,
                  bool external);
// Likewise for cuEventRecord.
bool capture_record(const std::shared_ptr<Stream>& stream, CUevent handle, const std::shared_ptr<Event>& event,
                    bool external);
// Throws CUDA_ERROR_CAPTURED_EVENT if the event's last recording was captured.
void refuse_captured_event(const Event& event, bool invalidates = true);

void begin_capture(const std::shared_ptr<Stream>& stream, CUstreamCaptureMode mode, std::shared_ptr<Graph> graph,
                   std::vector<GraphEdge> dependencies);
// The captured graph; throws why there is none. The capture is over in either case, but for calls that are not allowed
// to end it.
std::shared_ptr<Graph> end_capture(const std::shared_ptr<Stream>& stream);
// Null if the stream takes part in none. Throws for the legacy default stream as captures() does, but invalidates
// nothing. graph_mutex() must be held while the result is used.
std::shared_ptr<StreamCapture> capture_of(const std::shared_ptr<Stream>& stream);
// The stream is being destroyed. What another stream than the capture's own has captured stays, and must be joined.
void abandon_capture(const std::shared_ptr<Stream>& stream);

// Sets the calling thread's mode and returns the one before.
CUstreamCaptureMode exchange_capture_mode(CUstreamCaptureMode mode);

// Where cuStreamGetCaptureInfo puts what it says.
struct CaptureInfo {
    CUstreamCaptureStatus* status;
    cuuint64_t* identifier = nullptr;
    CUgraph* graph = nullptr;
    const CUgraphNode** dependencies = nullptr;
    const CUgraphEdgeData** edges = nullptr;
    size_t* count = nullptr;
};
// Throws CUDA_ERROR_LOSSY_QUERY where edge data would be lost.
void report_capture(const std::shared_ptr<Stream>& stream, const CaptureInfo& info);

}  // namespace cuprum::simulator::libcuda
