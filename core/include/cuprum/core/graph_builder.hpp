// Graphs of what is put into a stream.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cuprum/core/graph.hpp"
#include "cuprum/core/stream.hpp"

namespace cuprum::core {

// Which calls are refused while a graph is built, because what they do could not be captured. The driver's numbers.
enum class GraphBuildMode : int32_t {
    global = 0,       // in all threads
    this_thread = 1,  // in this thread
    relaxed = 2,      // none: the program sees to it
};

// Captures what is put into its stream, from begin_building() to end_building(), into a graph: launches, copies, fills,
// events, all that Cuprum and other code puts there. None of it runs. What cannot be in a graph, as waiting for the
// stream, fails and makes the whole capture invalid: end_building() says so.
//
// A graph keeps the kernels that it launches, what callback() and keep() are given, and the memory of buffers that its
// work uses: they may be closed once that is captured, and the last graph that uses the memory frees it. Of one thread
// at a time.
class GraphBuilder {
public:
    GraphBuilder() noexcept;  // invalid
    // Captures in the stream, which it keeps; in one that it makes; in a borrowed one. Throws InvalidArgument for the
    // legacy default stream, which cannot be captured.
    explicit GraphBuilder(const Stream& stream);
    explicit GraphBuilder(const Device& device);
    explicit GraphBuilder(StreamRef stream);
    GraphBuilder(GraphBuilder&& other) noexcept;
    GraphBuilder& operator=(GraphBuilder&& other) noexcept;
    GraphBuilder(const GraphBuilder&) = delete;
    GraphBuilder& operator=(const GraphBuilder&) = delete;
    ~GraphBuilder();

    bool is_valid() const { return state_ != nullptr; }
    StreamRef stream() const;
    operator StreamRef() const { return stream(); }
    // Keeps the stream for as long as it lives.
    std::shared_ptr<const void> stream_owner() const;
    bool is_building() const;
    // It was split off, and must be joined before building ends.
    bool is_join_required() const;

    // Once. The builders that split() makes are building already.
    void begin_building(GraphBuildMode mode = GraphBuildMode::relaxed) const;
    // Throws InvalidState where a builder that was split off was not joined, or the capture is invalid; then the graph
    // is lost.
    void end_building() const;
    // What was built; of the body of a conditional node also before building begins. Throws InvalidState while it
    // builds, and for one that was split off.
    GraphDefinition graph_definition() const;
    Graph complete(const GraphCompleteOptions& options = {}) const;
    void debug_dot_print(const std::string& path, GraphDebugPrint options = GraphDebugPrint::topology) const;

    // Another builder of the same graph, with a stream of its own: its work comes after all of this one's so far, and
    // beside what follows.
    GraphBuilder split() const;
    std::vector<GraphBuilder> split(uint32_t count) const;  // as many
    // What follows comes after the work of those, too. They are closed.
    void join(GraphBuilder& other) const;
    void join(std::span<GraphBuilder> others) const;

    // A conditional node, after all work so far. Its bodies are built as graphs are, begin_building() to
    // end_building(), or through their graph_definition(); in whatever order, before complete().
    GraphCondition create_condition(std::optional<uint32_t> default_value = {}) const;
    GraphBuilder if_then(const GraphCondition& condition) const;
    std::vector<GraphBuilder> if_else(const GraphCondition& condition) const;
    GraphBuilder while_loop(const GraphCondition& condition) const;
    std::vector<GraphBuilder> switch_case(const GraphCondition& condition, uint32_t count) const;
    std::vector<GraphBuilder> conditional(const GraphCondition& condition, GraphConditionalType type,
                                          uint32_t count) const;
    // A copy of another graph as one node, after all work so far.
    void embed(const GraphDefinition& child) const;
    // A function that runs in every launch, after all work so far, under the rules of StreamRef::launch_host_function.
    void callback(std::function<void()> function, GraphOwners owners = {}) const;
    // The graph and what is instantiated from it keep the owner.
    void keep(std::shared_ptr<const void> owner) const;

    // A capture that is under way ends, and what it has captured is lost. Definitions and graphs stay.
    void close() noexcept;  // idempotent

    struct State;

private:
    explicit GraphBuilder(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

namespace detail {
extern std::atomic<int32_t> graphs_being_built;
}  // namespace detail

// Whether a GraphBuilder of this process is capturing. As cheap as a load: what only captures need may be left out.
inline bool is_any_graph_being_built() noexcept {
    return detail::graphs_being_built.load(std::memory_order_relaxed) != 0;
}

// Where the stream's work is being captured by a GraphBuilder, in its own stream or in another one that takes part in
// the capture, the graph and what is instantiated from it keep the owners; else nothing happens. To be called before
// the work that uses them is put into the stream. Thread-safe.
void keep_for_capture(StreamRef stream, GraphOwners owners);

}  // namespace cuprum::core
