#include "cuprum/core/graph_builder.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "capture_keeping.hpp"
#include "cuprum/core/device.hpp"
#include "driver_error.hpp"
#include "driver_log.hpp"
#include "graph_keeping.hpp"
#include "graph_node_parameters.hpp"
#include "graph_state.hpp"
#include "left_to_destroy.hpp"
#include "require.hpp"
#include "stream_state.hpp"

namespace cuprum::core {

namespace {

using Record = GraphPosition::Record;
using NodeRecord = GraphPosition::NodeRecord;

constexpr const char* graph_builder = "graph builder";

// What a failed capture makes calls of its stream return.
bool is_capture_failure(CUresult result) {
    return result >= CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED && result <= CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
}

}  // namespace

struct GraphBuilder::State {
    // What was split off builds as long as what it was split from; the others begin and end by themselves.
    enum class Kind : uint8_t { primary, body, split_off };
    enum class Phase : uint8_t { ready, building, ended };
    struct SplitOff {
        StreamRef stream;
        std::shared_ptr<const void> owner;
        std::vector<CUgraphNode> begin;  // what its first work comes after

        // Whether anything was captured in it; also where the driver does not say.
        bool has_work() const noexcept;
    };
    using SplitOffs = std::vector<SplitOff>;

    detail::Alive<ObjectKind::graph_builder> alive;
    Kind kind = Kind::primary;
    Phase phase = Phase::ready;  // not of what was split off
    StreamRef stream;
    // Of a primary builder from the beginning of its building on. Goes after the stream that was captured into it.
    std::optional<GraphDefinition> definition;
    std::shared_ptr<const void> stream_owner;  // null: it is borrowed
    // What was split off in the capture and not joined yet: shared by all its builders, under the hierarchy's mutex.
    // Their streams live until the capture ends, even where their builders are closed, and it is joined with them then:
    // an H200's driver has crashed where a graph and the streams of it went after CUDA_ERROR_STREAM_CAPTURE_UNJOINED.
    std::shared_ptr<SplitOffs> unjoined;
    std::optional<CaptureInProgress> capture;  // while it builds; not of what was split off

    const std::shared_ptr<Record>& record() const { return GraphAccess::record(*definition); }
    GraphPosition::Hierarchy& hierarchy() const { return *GraphAccess::hierarchy(*definition); }

    bool is_building() const {
        if (kind != Kind::split_off) return phase == Phase::building;
        const std::lock_guard lock(hierarchy().mutex);
        return record()->is_captured_into;
    }

    // The capture is over, whatever it came to.
    void end() noexcept {
        phase = Phase::ended;
        capture.reset();
        const std::lock_guard lock(hierarchy().mutex);
        record()->is_captured_into = false;
    }

    // Of what begins and ends by itself: makes what was split off and not joined come before the capture's end.
    // Afterwards `left` has that, to be kept until the capture has ended. Whether there was work in it. A failure is
    // the driver's to report when the capture ends.
    bool join_what_is_left(SplitOffs& left) const noexcept {
        {
            const std::lock_guard lock(hierarchy().mutex);
            left.swap(*unjoined);
        }
        bool was_work = false;
        for (const SplitOff& each : left) {
            was_work = was_work || each.has_work();
            try {
                stream.wait(each.stream);
            } catch (const std::exception&) {
                continue;  // the driver says so where it matters
            }
        }
        return was_work;
    }
};

bool GraphBuilder::State::SplitOff::has_work() const noexcept {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    const CUgraphNode* nodes = nullptr;
    const CUgraphEdgeData* edges = nullptr;
    size_t count = 0;
    const CUresult result =
        driver::cuStreamGetCaptureInfo_v3(stream.handle(), &status, nullptr, nullptr, &nodes, &edges, &count);
    if (result != CUDA_SUCCESS) discard_driver_log();
    return result != CUDA_SUCCESS || status != CU_STREAM_CAPTURE_STATUS_ACTIVE ||
           !std::is_permutation(begin.begin(), begin.end(), nodes, nodes + count);
}

namespace {

using State = GraphBuilder::State;

// The end of building a body, whose stream is captured, leaves that and its graph as they are.
void require_capturable(const StreamRef& stream, const char* operation) {
    require_valid(stream, operation);
    if (stream.handle() == nullptr || stream.handle() == CU_STREAM_LEGACY) {
        throw InvalidArgument(operation, describe(stream), "the legacy default stream cannot be captured",
                              "use a stream of the device's create_stream(), or make the builder of the device");
    }
}

// A builder with a stream of its own.
std::unique_ptr<State> with_own_stream(const GraphBuilder::State& of, State::Kind kind, StreamRef stream,
                                       std::shared_ptr<const void> owner) {
    auto made = std::make_unique<State>();
    made->kind = kind;
    made->stream = stream;
    made->stream_owner = std::move(owner);
    made->definition = of.definition;
    made->unjoined = of.unjoined;
    return made;
}

// Where in the graph a capture is.
struct Captured {
    CUgraph graph = nullptr;
    const CUgraphNode* nodes = nullptr;  // that what follows depends on
    const CUgraphEdgeData* edges = nullptr;
    size_t count = 0;
};

[[noreturn]] void throw_invalid_capture(const State& builder, const char* operation) {
    throw InvalidState(operation, graph_builder + (" in " + describe(builder.stream)),
                       "the capture has become invalid, because of a call that cannot be captured and has failed",
                       "end building or close the builder, and build again without that call");
}

Captured capture_of(const State& builder, const char* operation) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    Captured at;
    check(driver::cuStreamGetCaptureInfo_v3(builder.stream.handle(), &status, nullptr, &at.graph, &at.nodes, &at.edges,
                                            &at.count),
          "cuStreamGetCaptureInfo", operation, builder.stream);
    if (status != CU_STREAM_CAPTURE_STATUS_ACTIVE) throw_invalid_capture(builder, operation);
    return at;
}

// Adds a node after what was captured so far, for what follows to come after it.
CUgraphNode add_to_capture(const State& builder, CUgraphNodeParams& parameters, const char* operation) {
    const Captured at = capture_of(builder, operation);
    CUgraphNode node = nullptr;
    check(driver::cuGraphAddNode_v2(&node, at.graph, at.nodes, at.edges, at.count, &parameters), "cuGraphAddNode",
          operation, builder.stream);
    const auto move_on = [&] {
        return driver::cuStreamUpdateCaptureDependencies_v2(builder.stream.handle(), &node, nullptr, 1,
                                                            CU_STREAM_SET_CAPTURE_DEPENDENCIES);
    };
    CUresult result = move_on();
    if (result != CUDA_SUCCESS) {
        // The node is there, and a graph that is captured into loses none: so this is tried once more.
        report_cleanup(result, "cuStreamUpdateCaptureDependencies", operation, builder.stream);
        result = move_on();
    }
    check(result, "cuStreamUpdateCaptureDependencies", operation, builder.stream);
    return node;
}

void require_building(const State& builder, const char* operation) {
    if (builder.is_building()) return;
    const bool is_ready = builder.kind != State::Kind::split_off && builder.phase == State::Phase::ready;
    throw InvalidState(operation, graph_builder, is_ready ? "building has not begun" : "building has ended",
                       is_ready ? "begin building first" : "make another graph builder");
}

const State& require_builder(const std::unique_ptr<State>& state, const char* operation) {
    if (state == nullptr) [[unlikely]] {
        throw InvalidState(operation, graph_builder, "the graph builder is closed, moved-from or default-constructed",
                           "make a new one");
    }
    return *state;
}

// A builder in use, which adds to its graph, that nobody else changes meanwhile.
struct Building {
    Building(const std::unique_ptr<State>& state, const char* operation)
        : builder(require_builder(state, operation)), scope(builder.stream) {
        require_building(builder, operation);
        lock = std::unique_lock(builder.hierarchy().mutex);
    }
    const State& builder;
    ContextScope scope;
    std::unique_lock<std::recursive_mutex> lock;
};

}  // namespace

GraphBuilder::GraphBuilder(std::unique_ptr<State> state) : state_(std::move(state)) {}

GraphBuilder::GraphBuilder(const Stream& stream) : GraphBuilder(StreamRef(stream)) {
    state_->stream_owner = stream.state_;
}

GraphBuilder::GraphBuilder(const Device& device) : GraphBuilder(device.create_stream()) {}

GraphBuilder::GraphBuilder(StreamRef stream) {
    require_capturable(stream, "making a graph builder");
    auto state = std::make_unique<State>();
    state->stream = stream;
    state_ = std::move(state);
}

GraphBuilder::GraphBuilder() noexcept = default;

GraphBuilder::GraphBuilder(GraphBuilder&& other) noexcept = default;

GraphBuilder& GraphBuilder::operator=(GraphBuilder&& other) noexcept {
    if (this != &other) {
        close();
        state_ = std::move(other.state_);
    }
    return *this;
}

GraphBuilder::~GraphBuilder() {
    close();
}

void GraphBuilder::close() noexcept {
    const std::unique_ptr<State> closing = std::move(state_);
    if (closing == nullptr || closing->phase != State::Phase::building || must_leak()) return;
    // Without a graph to put it into, what was captured is lost; a body keeps it.
    CUgraph graph = nullptr;
    State::SplitOffs left;  // goes after the capture
    clean_up_unless_reset(closing->stream.device_id(), [&] {
        closing->join_what_is_left(left);
        const CUresult result = driver::cuStreamEndCapture(closing->stream.handle(), &graph);
        if (is_capture_failure(result)) return discard_driver_log();
        report_cleanup(result, "cuStreamEndCapture", "closing a graph builder", closing->stream);
    });
    closing->end();
    if (closing->kind == State::Kind::primary) closing->record()->is_valid = false;
}

StreamRef GraphBuilder::stream() const {
    return require_builder(state_, "asking for a graph builder's stream").stream;
}

std::shared_ptr<const void> GraphBuilder::stream_owner() const {
    return require_builder(state_, "asking for a graph builder's stream").stream_owner;
}

bool GraphBuilder::is_building() const {
    return require_builder(state_, "asking whether a graph is being built").is_building();
}

bool GraphBuilder::is_join_required() const {
    return require_builder(state_, "asking whether a graph builder must be joined").kind == State::Kind::split_off;
}

void GraphBuilder::begin_building(GraphBuildMode mode) const {
    constexpr const char* operation = "beginning to build a graph";
    require_builder(state_, operation);
    State& builder = *state_;
    if (builder.kind == State::Kind::split_off || builder.phase != State::Phase::ready) {
        throw InvalidState(operation, graph_builder,
                           builder.is_building() ? "it is building already" : "building has ended",
                           "make another graph builder");
    }
    const ContextScope scope(builder.stream);
    const GraphDefinition definition =
        builder.definition ? *builder.definition : root_of(make_hierarchy(builder.stream.device_id()));
    const OpenGraph open(definition, operation);
    builder.unjoined = std::make_shared<State::SplitOffs>();
    builder.capture.emplace(open.graph(), open.root(), operation);
    const CUresult result = driver::cuStreamBeginCaptureToGraph(builder.stream.handle(), open.graph(), nullptr, nullptr,
                                                                0, static_cast<CUstreamCaptureMode>(mode));
    if (result != CUDA_SUCCESS) builder.capture.reset();
    check(result, "cuStreamBeginCaptureToGraph", operation, builder.stream);
    open.record()->is_captured_into = true;
    builder.definition = definition;
    builder.phase = State::Phase::building;
}

void GraphBuilder::end_building() const {
    constexpr const char* operation = "ending to build a graph";
    require_builder(state_, operation);
    State& builder = *state_;
    if (builder.kind == State::Kind::split_off) {
        throw InvalidState(operation, graph_builder, "it was split off another one",
                           "join it, and end building with the builder that it was split off");
    }
    require_building(builder, operation);
    const ContextScope scope(builder.stream);
    State::SplitOffs left;
    const bool is_unjoined = builder.join_what_is_left(left);
    CUgraph graph = nullptr;
    const CUresult result = driver::cuStreamEndCapture(builder.stream.handle(), &graph);
    if (result == CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD) {
        discard_driver_log();
        throw InvalidState(operation, builder.stream.is_valid() ? describe(builder.stream) : graph_builder,
                           "another thread has begun building", "end it in that thread, or build in relaxed mode");
    }
    if (result != CUDA_SUCCESS && !is_capture_failure(result)) {
        check(result, "cuStreamEndCapture", operation, builder.stream);
    }
    builder.end();
    if (result == CUDA_SUCCESS && !is_unjoined) return;
    if (builder.kind == State::Kind::primary) {
        const std::lock_guard lock(builder.hierarchy().mutex);
        builder.record()->is_valid = false;
    }
    if (result == CUDA_ERROR_STREAM_CAPTURE_UNJOINED || result == CUDA_SUCCESS) {
        if (result != CUDA_SUCCESS) discard_driver_log();
        throw InvalidState(
            operation, describe(builder.stream),
            "another stream takes part in the capture, as one that was split off does, and was not joined",
            "join all builders that were split off before building ends; this graph is lost");
    }
    if (result == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED) {
        discard_driver_log();
        throw_invalid_capture(builder, operation);
    }
    check(result, "cuStreamEndCapture", operation, builder.stream);
}

GraphDefinition GraphBuilder::graph_definition() const {
    constexpr const char* operation = "asking for the definition of a built graph";
    const State& builder = require_builder(state_, operation);
    if (builder.kind == State::Kind::split_off) {
        throw InvalidState(operation, graph_builder, "it was split off another one",
                           "ask the builder that it was split off");
    }
    if (builder.phase == State::Phase::building) {
        throw InvalidState(operation, graph_builder, "the graph is being built", "end building first");
    }
    if (!builder.definition) {
        throw InvalidState(operation, graph_builder, "building has not begun", "build the graph first");
    }
    return *builder.definition;
}

Graph GraphBuilder::complete(const GraphCompleteOptions& options) const {
    return graph_definition().instantiate(options);
}

void GraphBuilder::debug_dot_print(const std::string& path, GraphDebugPrint options) const {
    graph_definition().debug_dot_print(path, options);
}

GraphBuilder GraphBuilder::split() const {
    constexpr const char* operation = "splitting a graph builder";
    const Building in(state_, operation);
    const Captured at = capture_of(in.builder, operation);
    std::vector<CUgraphNode> begin(at.nodes, at.nodes + at.count);
    const Stream stream(Device(in.builder.stream.device_id()));
    std::unique_ptr<State> made =
        with_own_stream(in.builder, State::Kind::split_off, stream, GraphBuilder(stream).stream_owner());
    State::SplitOffs& unjoined = *made->unjoined;
    unjoined.push_back({made->stream, made->stream_owner, std::move(begin)});
    try {
        stream.wait(in.builder.stream);
    } catch (...) {
        unjoined.pop_back();  // takes no part
        throw;
    }
    return GraphBuilder(std::move(made));
}

std::vector<GraphBuilder> GraphBuilder::split(uint32_t count) const {
    std::vector<GraphBuilder> made;
    made.reserve(count);
    for (uint32_t i = 0; i < count; ++i)
        made.push_back(split());
    return made;
}

void GraphBuilder::join(GraphBuilder& other) const {
    constexpr const char* operation = "joining graph builders";
    const Building in(state_, operation);
    const State& joined = require_builder(other.state_, operation);
    if (joined.kind != State::Kind::split_off || joined.record() != in.builder.record()) {
        throw InvalidArgument(operation, graph_builder, "the other builder was not split off one of the same graph",
                              "join builders that split() has made");
    }
    if (&joined == &in.builder) {
        throw InvalidArgument(operation, graph_builder, "it is the same builder", "join another one");
    }
    capture_of(in.builder, operation);
    in.builder.stream.wait(joined.stream);
    std::erase_if(*in.builder.unjoined,
                  [&](const State::SplitOff& each) { return each.stream.handle() == joined.stream.handle(); });
    other.close();
}

void GraphBuilder::join(std::span<GraphBuilder> others) const {
    for (GraphBuilder& each : others)
        join(each);
}

GraphCondition GraphBuilder::create_condition(std::optional<uint32_t> default_value) const {
    constexpr const char* operation = "making a condition of a graph";
    const Building in(state_, operation);
    const ContextScope of_device(in.builder.stream.device_id());
    CUgraphConditionalHandle handle = 0;
    check(driver::cuGraphConditionalHandleCreate(
              &handle, capture_of(in.builder, operation).graph, primary_context(in.builder.stream.device_id()),
              default_value.value_or(0), default_value ? CU_GRAPH_COND_ASSIGN_DEFAULT : 0),
          "cuGraphConditionalHandleCreate", operation, in.builder.stream);
    return GraphCondition::from_handle(handle);
}

std::vector<GraphBuilder> GraphBuilder::conditional(const GraphCondition& condition, GraphConditionalType type,
                                                    uint32_t count) const {
    constexpr const char* operation = "adding a conditional node to a graph that is being built";
    const Building in(state_, operation);
    const int32_t device_id = in.builder.stream.device_id();
    const ContextScope of_device(device_id);
    CUgraphNodeParams parameters = conditional_node(condition, type, count, primary_context(device_id), operation);
    // Before the node is there, which nothing takes away again.
    std::vector<GraphBuilder> bodies;
    bodies.reserve(count);
    for (uint32_t i = 0; i < count; ++i)
        bodies.push_back(GraphBuilder(Device(device_id)));
    auto record = std::make_shared<NodeRecord>();
    record->id = next_node_id();
    record->type = GraphNodeType::conditional;
    record->graph = in.builder.record();
    record->handle = add_to_capture(in.builder, parameters, operation);
    take_bodies(*record, parameters, condition, type);
    in.builder.hierarchy().add(record);
    for (uint32_t i = 0; i < count; ++i) {
        bodies[i].state_->kind = State::Kind::body;
        bodies[i].state_->definition =
            GraphAccess::definition(GraphAccess::hierarchy(*in.builder.definition), record->parts[i]);
    }
    return bodies;
}

GraphBuilder GraphBuilder::if_then(const GraphCondition& condition) const {
    return std::move(conditional(condition, GraphConditionalType::if_node, 1).front());
}

std::vector<GraphBuilder> GraphBuilder::if_else(const GraphCondition& condition) const {
    return conditional(condition, GraphConditionalType::if_node, 2);
}

GraphBuilder GraphBuilder::while_loop(const GraphCondition& condition) const {
    return std::move(conditional(condition, GraphConditionalType::while_node, 1).front());
}

std::vector<GraphBuilder> GraphBuilder::switch_case(const GraphCondition& condition, uint32_t count) const {
    return conditional(condition, GraphConditionalType::switch_node, count);
}

void GraphBuilder::embed(const GraphDefinition& child) const {
    constexpr const char* operation = "embedding a graph";
    const std::lock_guard two_graphs(two_graphs_mutex());
    const Building in(state_, operation);
    const OpenGraph embedded(child, operation);
    if (&embedded.hierarchy() == &in.builder.hierarchy()) {
        throw InvalidArgument(operation, embedded.name(), "a graph cannot be embedded in itself or in a part of itself",
                              "build another graph");
    }
    CUgraphNodeParams parameters = child_graph_node(embedded.graph()).values;
    add_to_capture(in.builder, parameters, operation);
}

void GraphBuilder::callback(std::function<void()> function, GraphOwners owners) const {
    constexpr const char* operation = "adding a callback to a graph that is being built";
    const Building in(state_, operation);
    const NodeParameters made = host_node(std::move(function), std::move(owners), operation);
    capture_of(in.builder, operation);
    Keeping keeping(in.builder.hierarchy().root, made.owners, operation);
    check(driver::cuLaunchHostFunc(in.builder.stream.handle(), made.values.host.fn, made.values.host.userData),
          "cuLaunchHostFunc", operation, in.builder.stream);
    keeping.done();
}

void GraphBuilder::keep(std::shared_ptr<const void> owner) const {
    constexpr const char* operation = "giving a graph something to keep";
    const Building in(state_, operation);
    Keeping(in.builder.hierarchy().root, {std::move(owner)}, operation).done();
}

}  // namespace cuprum::core
