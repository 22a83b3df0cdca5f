// Stream capture.
#include "driver/graph/capture.hpp"
#include "driver/graph/entry_graph.hpp"
#include "driver/graph/graph_edges.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

CUresult capture_info(CUstream handle, const CaptureInfo& info) {
    return entry("cuStreamGetCaptureInfo", [&] {
        require_pointer(info.status, "captureStatus_out");
        if (info.edges != nullptr) require_pointer(info.dependencies, "dependencies_out");
        report_capture(find_stream(handle), info);
    });
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuStreamBeginCapture_v2(CUstream handle, CUstreamCaptureMode mode) {
    return entry("cuStreamBeginCapture", [&] { begin_capture(find_stream(handle), mode, nullptr, {}); });
}

CUresult CUDAAPI cuStreamBeginCapture(CUstream handle) {
    return cuStreamBeginCapture_v2(handle, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult CUDAAPI cuStreamBeginCaptureToGraph(CUstream handle, CUgraph graph_handle, const CUgraphNode* dependencies,
                                             const CUgraphEdgeData* edges, size_t count, CUstreamCaptureMode mode) {
    return entry_graph("cuStreamBeginCaptureToGraph", [&] {
        const std::shared_ptr<Stream> stream = find_stream(handle);
        const std::shared_ptr<Graph> graph = find_graph(graph_handle);
        std::vector<GraphEdge> list = find_edges(*graph, dependencies, edges, count);
        begin_capture(stream, mode, graph, std::move(list));
    });
}

CUresult CUDAAPI cuStreamEndCapture(CUstream handle, CUgraph* graph) {
    return entry_graph("cuStreamEndCapture", [&] {
        require_pointer(graph, "phGraph");
        const std::shared_ptr<Stream> stream = find_stream(handle);
        *graph = nullptr;
        *graph = end_capture(stream)->handle();
    });
}

CUresult CUDAAPI cuStreamIsCapturing(CUstream handle, CUstreamCaptureStatus* status) {
    return entry("cuStreamIsCapturing", [&] {
        require_pointer(status, "captureStatus");
        const std::shared_ptr<Stream> stream = find_stream(handle);
        const std::lock_guard lock(graph_mutex());
        const std::shared_ptr<StreamCapture> capture = capture_of(stream);
        *status = !capture                         ? CU_STREAM_CAPTURE_STATUS_NONE
                  : capture->sequence->invalidated ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                                   : CU_STREAM_CAPTURE_STATUS_ACTIVE;
    });
}

CUresult CUDAAPI cuStreamGetCaptureInfo(CUstream handle, CUstreamCaptureStatus* status, cuuint64_t* identifier) {
    return capture_info(handle, {status, identifier});
}

CUresult CUDAAPI cuStreamGetCaptureInfo_v2(CUstream handle, CUstreamCaptureStatus* status, cuuint64_t* identifier,
                                           CUgraph* graph, const CUgraphNode** dependencies, size_t* count) {
    return capture_info(handle, {status, identifier, graph, dependencies, nullptr, count});
}

CUresult CUDAAPI cuStreamGetCaptureInfo_v3(CUstream handle, CUstreamCaptureStatus* status, cuuint64_t* identifier,
                                           CUgraph* graph, const CUgraphNode** dependencies,
                                           const CUgraphEdgeData** edges, size_t* count) {
    return capture_info(handle, {status, identifier, graph, dependencies, edges, count});
}

CUresult CUDAAPI cuStreamUpdateCaptureDependencies_v2(CUstream handle, CUgraphNode* dependencies,
                                                      const CUgraphEdgeData* edges, size_t count, unsigned int flags) {
    return entry_graph("cuStreamUpdateCaptureDependencies", [&] {
        require_flags(flags, CU_STREAM_SET_CAPTURE_DEPENDENCIES, "flags");
        const std::shared_ptr<Stream> stream = find_stream(handle);
        if (!captures(stream)) throw DriverError(CUDA_ERROR_ILLEGAL_STATE, "the stream is not capturing");
        const std::vector<GraphEdge> added = find_edges(*stream->capture->sequence->graph, dependencies, edges, count);
        if (flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES) stream->capture->dependencies.clear();
        for (const GraphEdge& edge : added) {
            std::erase_if(stream->capture->dependencies, [&](const GraphEdge& old) { return old.node == edge.node; });
            stream->capture->dependencies.push_back(edge);
        }
    });
}

CUresult CUDAAPI cuStreamUpdateCaptureDependencies(CUstream handle, CUgraphNode* dependencies, size_t count,
                                                   unsigned int flags) {
    return cuStreamUpdateCaptureDependencies_v2(handle, dependencies, nullptr, count, flags);
}

CUresult CUDAAPI cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
    return entry("cuThreadExchangeStreamCaptureMode", [&] {
        require_pointer(mode, "mode");
        if (*mode < CU_STREAM_CAPTURE_MODE_GLOBAL || *mode > CU_STREAM_CAPTURE_MODE_RELAXED) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown capture mode %d", *mode));
        }
        *mode = exchange_capture_mode(*mode);
    });
}

}  // extern "C"
