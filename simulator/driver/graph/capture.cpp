#include "driver/graph/capture.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "driver/context/context.hpp"
#include "driver/error/driver_error.hpp"
#include "driver/event/event.hpp"
#include "driver/graph/graph_edges.hpp"

namespace cuprum::simulator::libcuda {

namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

// How many captures there are: what keeps their cost from programs that have none.
std::atomic<uint32_t> active_count{0};
uint64_t next_sequence_identifier = 1;
thread_local CUstreamCaptureMode thread_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;

std::vector<std::shared_ptr<CaptureSequence>>& active() {
    static auto* const sequences = new std::vector<std::shared_ptr<CaptureSequence>>;
    return *sequences;
}

bool none() {
    return active_count.load(std::memory_order_acquire) == 0;
}

void finish(const std::shared_ptr<CaptureSequence>& sequence) {
    for (const std::weak_ptr<Stream>& member : sequence->streams) {
        const std::shared_ptr<Stream> stream = member.lock();
        if (stream && stream->capture && stream->capture->sequence == sequence) stream->capture = nullptr;
    }
    sequence->graph->capturing = false;
    std::erase(active(), sequence);
    active_count.store(static_cast<uint32_t>(active().size()), std::memory_order_release);
}

// A capture in the legacy default stream's context that it would have to wait for; null if there is none.
std::shared_ptr<CaptureSequence> conflicting_with_legacy(const Stream& legacy) {
    for (const std::shared_ptr<CaptureSequence>& sequence : active()) {
        for (const std::weak_ptr<Stream>& member : sequence->streams) {
            const std::shared_ptr<Stream> stream = member.lock();
            if (stream && stream->capture && stream->context() == legacy.context() &&
                stream->follows_legacy_default()) {
                return sequence;
            }
        }
    }
    return nullptr;
}

constexpr const char* implicit_wait =
    "a blocking stream of the context is capturing, and the legacy default stream would depend on it: "
    "capture in a stream made with CU_STREAM_NON_BLOCKING, or use another stream here";

void add_edges(std::vector<GraphEdge>& edges, const std::vector<GraphEdge>& added) {
    for (const GraphEdge& edge : added) {
        const auto same = [&](const GraphEdge& old) { return old.node == edge.node; };
        if (std::none_of(edges.begin(), edges.end(), same)) edges.push_back(edge);
    }
}

// Whether everything that is captured in `part` comes before the next node of `whole`.
bool joined(const std::vector<GraphEdge>& part, const std::vector<GraphEdge>& whole) {
    std::set<const GraphNode*> reached;
    std::vector<const GraphNode*> open;
    open.reserve(whole.size());
    for (const GraphEdge& edge : whole) {
        open.push_back(edge.node);
    }
    while (!open.empty()) {
        const GraphNode* node = open.back();
        open.pop_back();
        if (!reached.insert(node).second) continue;
        for (const GraphEdge& edge : node->dependencies) {
            open.push_back(edge.node);
        }
    }
    return std::all_of(part.begin(), part.end(), [&](const GraphEdge& edge) { return reached.contains(edge.node); });
}

// What invalidates a capture first is what cuStreamEndCapture says; calls before it follow that one's line in the log.
[[noreturn]] void invalidate(CaptureSequence& sequence, CUresult code, const std::string& why) {
    if (!sequence.invalidated) sequence.invalidated_by = why;
    sequence.invalidated = true;
    throw DriverError(code, why);
}

}  // namespace

bool captures(const std::shared_ptr<Stream>& stream) {
    if (none()) return false;
    const Lock lock(graph_mutex());
    if (stream->kind() == Stream::Kind::legacy_default) {
        if (const std::shared_ptr<CaptureSequence> sequence = conflicting_with_legacy(*stream)) {
            invalidate(*sequence, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, implicit_wait);
        }
        return false;
    }
    if (!stream->capture) return false;
    if (stream->capture->sequence->invalidated) {
        throw DriverError(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
                          "the stream's capture was invalidated by an earlier call; cuStreamEndCapture ends it");
    }
    return true;
}

GraphNode& add_captured(const std::shared_ptr<Stream>& stream, Operation operation) {
    const Lock lock(graph_mutex());
    StreamCapture& capture = *stream->capture;
    GraphNode& node = capture.sequence->graph->add(std::move(operation), capture.dependencies);
    capture.dependencies = {{&node, {}}};
    return node;
}

void refuse_captured(const std::shared_ptr<Stream>& stream, const char* what) {
    if (!captures(stream)) return;
    const Lock lock(graph_mutex());
    const std::string why = std::string(what) + " while the stream is capturing";
    if (!stream->capture) throw DriverError(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, why);
    invalidate(*stream->capture->sequence, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, why);
}

void refuse_captured(const Context& context, const char* what) {
    if (none()) return;
    for (const std::shared_ptr<Stream>& stream : context.streams()) {
        if (stream->kind() != Stream::Kind::legacy_default) refuse_captured(stream, what);
    }
}

void refuse_unsafe_call(const char* what) {
    if (none() || thread_mode == CU_STREAM_CAPTURE_MODE_RELAXED) return;
    const Lock lock(graph_mutex());
    const std::string why = std::string(what) +
                            " while a stream is capturing, which the capture would not know of "
                            "(cuThreadExchangeStreamCaptureMode permits it)";
    bool refused = false;
    for (const std::shared_ptr<CaptureSequence>& sequence : active()) {
        const bool own = sequence->thread == std::this_thread::get_id();
        const bool concerned =
            own ? sequence->mode != CU_STREAM_CAPTURE_MODE_RELAXED
                : thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL && sequence->mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
        if (!concerned) continue;
        if (!sequence->invalidated) sequence->invalidated_by = why;
        sequence->invalidated = true;
        refused = true;
    }
    if (refused) throw DriverError(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, why);
}

bool capture_wait(const std::shared_ptr<Stream>& stream, CUevent handle, const std::shared_ptr<Event>& event,
                  bool external) {
    const bool capturing = captures(stream);
    const Lock lock(graph_mutex());
    if (!event->captured) {
        if (!capturing) return false;
        if (external) {
            add_captured(stream, EventWaitOperation{handle, event});
            return true;
        }
        if (!event->last()) return true;  // never recorded: it has happened
        invalidate(*stream->capture->sequence, CUDA_ERROR_STREAM_CAPTURE_ISOLATION,
                   "a capturing stream cannot wait for an event that was recorded outside of its capture (but "
                   "with CU_EVENT_WAIT_EXTERNAL)");
    }
    const std::shared_ptr<CaptureSequence>& sequence = event->captured->sequence;
    if (std::find(active().begin(), active().end(), sequence) == active().end()) {
        throw DriverError(CUDA_ERROR_CAPTURED_EVENT, "the event was last recorded in a capture that has ended");
    }
    if (capturing) {
        if (stream->capture->sequence != sequence) {
            const char* const why = "stream and event belong to two captures, which cannot become one";
            if (!sequence->invalidated) sequence->invalidated_by = why;
            sequence->invalidated = true;
            invalidate(*stream->capture->sequence, CUDA_ERROR_STREAM_CAPTURE_MERGE, why);
        }
        add_edges(stream->capture->dependencies, event->captured->dependencies);
        return true;
    }
    if (sequence->invalidated) {
        throw DriverError(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
                          "the event's capture was invalidated (" + sequence->invalidated_by + ")");
    }
    if (stream->kind() == Stream::Kind::legacy_default) {
        invalidate(*sequence, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
                   "the legacy default stream cannot take part in a capture");
    }
    // The stream takes part from here on.
    stream->capture = std::make_shared<StreamCapture>();
    stream->capture->sequence = sequence;
    stream->capture->dependencies = event->captured->dependencies;
    sequence->streams.push_back(stream);
    return true;
}

bool capture_record(const std::shared_ptr<Stream>& stream, CUevent handle, const std::shared_ptr<Event>& event,
                    bool external) {
    const bool capturing = captures(stream);
    if (!capturing) {
        if (!none() || event->captured) {
            const Lock lock(graph_mutex());
            event->captured = nullptr;
        }
        return false;
    }
    const Lock lock(graph_mutex());
    if (external) {
        add_captured(stream, EventRecordOperation{handle, event});
        return true;
    }
    event->captured = std::make_shared<StreamCapture>();
    event->captured->sequence = stream->capture->sequence;
    event->captured->dependencies = stream->capture->dependencies;
    return true;
}

void refuse_captured_event(const Event& event, bool invalidates) {
    const Lock lock(graph_mutex());
    if (!event.captured) return;
    const char* const why = "the event was last recorded in a stream that was capturing";
    if (!invalidates) throw DriverError(CUDA_ERROR_CAPTURED_EVENT, why);
    invalidate(*event.captured->sequence, CUDA_ERROR_CAPTURED_EVENT, why);
}

void begin_capture(const std::shared_ptr<Stream>& stream, CUstreamCaptureMode mode, std::shared_ptr<Graph> graph,
                   std::vector<GraphEdge> dependencies) {
    if (mode < CU_STREAM_CAPTURE_MODE_GLOBAL || mode > CU_STREAM_CAPTURE_MODE_RELAXED) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown capture mode %d", mode));
    }
    if (stream->kind() == Stream::Kind::legacy_default) {
        throw DriverError(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "the legacy default stream cannot capture");
    }
    const Lock lock(graph_mutex());
    if (stream->capture) throw DriverError(CUDA_ERROR_ILLEGAL_STATE, "the stream is capturing already");
    if (graph && graph->capturing) {
        throw DriverError(CUDA_ERROR_ILLEGAL_STATE, "another stream is capturing into the graph");
    }
    auto sequence = std::make_shared<CaptureSequence>();
    sequence->identifier = next_sequence_identifier++;
    sequence->into_existing_graph = graph != nullptr;
    sequence->graph = graph ? std::move(graph) : std::make_shared<Graph>();
    sequence->graph->capturing = true;
    sequence->origin = stream;
    sequence->mode = mode;
    sequence->thread = std::this_thread::get_id();
    sequence->streams.push_back(stream);
    stream->capture = std::make_shared<StreamCapture>();
    stream->capture->sequence = sequence;
    stream->capture->dependencies = std::move(dependencies);
    active().push_back(std::move(sequence));
    active_count.store(static_cast<uint32_t>(active().size()), std::memory_order_release);
}

std::shared_ptr<Graph> end_capture(const std::shared_ptr<Stream>& stream) {
    const Lock lock(graph_mutex());
    if (!stream->capture) throw DriverError(CUDA_ERROR_ILLEGAL_STATE, "the stream is not capturing");
    const std::shared_ptr<CaptureSequence> sequence = stream->capture->sequence;
    if (sequence->origin.lock() != stream) {
        invalidate(*sequence, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED,
                   "the capture was begun in another stream, which must end it");
    }
    if (sequence->mode != CU_STREAM_CAPTURE_MODE_RELAXED && sequence->thread != std::this_thread::get_id()) {
        // A GPU's driver (580) ends the capture all the same.
        finish(sequence);
        if (!sequence->into_existing_graph) sequence->graph->drop_handles();
        throw DriverError(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD,
                          "the capture was begun by another thread, and not in CU_STREAM_CAPTURE_MODE_RELAXED");
    }
    const std::vector<GraphEdge> end = stream->capture->dependencies;
    bool all_joined = joined(sequence->departed, end);
    for (const std::weak_ptr<Stream>& member : sequence->streams) {
        const std::shared_ptr<Stream> other = member.lock();
        if (!other || other == stream || !other->capture || other->capture->sequence != sequence) continue;
        all_joined = all_joined && joined(other->capture->dependencies, end);
    }
    finish(sequence);
    if (!sequence->invalidated && all_joined) return sequence->graph;
    if (!sequence->into_existing_graph) sequence->graph->drop_handles();
    if (sequence->invalidated) {
        throw DriverError(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
                          "the capture was invalidated by an earlier call (" + sequence->invalidated_by + ")");
    }
    throw DriverError(CUDA_ERROR_STREAM_CAPTURE_UNJOINED,
                      "another stream has captured work that the capture's own stream does not wait for "
                      "(cuEventRecord there, cuStreamWaitEvent here)");
}

std::shared_ptr<StreamCapture> capture_of(const std::shared_ptr<Stream>& stream) {
    if (none()) return nullptr;
    const Lock lock(graph_mutex());
    if (stream->kind() == Stream::Kind::legacy_default && conflicting_with_legacy(*stream)) {
        throw DriverError(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, implicit_wait);
    }
    return stream->capture;
}

void abandon_capture(const std::shared_ptr<Stream>& stream) {
    if (none()) return;
    const Lock lock(graph_mutex());
    if (!stream->capture) return;
    const std::shared_ptr<CaptureSequence> sequence = stream->capture->sequence;
    add_edges(sequence->departed, stream->capture->dependencies);
    stream->capture = nullptr;
    if (sequence->origin.lock() != stream) return;
    // Nobody can end it any more.
    sequence->invalidated = true;
    finish(sequence);
}

CUstreamCaptureMode exchange_capture_mode(CUstreamCaptureMode mode) {
    return std::exchange(thread_mode, mode);
}

void report_capture(const std::shared_ptr<Stream>& stream, const CaptureInfo& info) {
    const std::lock_guard lock(graph_mutex());
    const std::shared_ptr<StreamCapture> capture = capture_of(stream);
    if (!capture) {
        *info.status = CU_STREAM_CAPTURE_STATUS_NONE;
        return;
    }
    if (capture->sequence->invalidated) {
        *info.status = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
        return;
    }
    Graph& graph = *capture->sequence->graph;
    capture->reported_nodes.clear();
    capture->reported_edges.clear();
    for (const GraphEdge& edge : capture->dependencies) {
        if (info.dependencies != nullptr && info.edges == nullptr && has_edge_data(edge.data)) {
            throw DriverError(CUDA_ERROR_LOSSY_QUERY, "a dependency has edge data, and there is no place for it");
        }
        capture->reported_nodes.push_back(graph.handle_of(*edge.node));
        capture->reported_edges.push_back(edge.data);
    }
    *info.status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
    if (info.identifier != nullptr) *info.identifier = capture->sequence->identifier;
    if (info.graph != nullptr) *info.graph = graph.handle();
    if (info.dependencies != nullptr) *info.dependencies = capture->reported_nodes.data();
    if (info.edges != nullptr) *info.edges = capture->reported_edges.data();
    if (info.count != nullptr) *info.count = capture->reported_nodes.size();
}

}  // namespace cuprum::simulator::libcuda
