// Graphs: work that is described once and launched often, with one call for all of it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cuprum/core/graph_node.hpp"
#include "cuprum/core/handles.hpp"
#include "cuprum/core/live_objects.hpp"
#include "cuprum/core/stream.hpp"

namespace cuprum::core {

class Device;
class Graph;

struct GraphCompleteOptions {
    // A launch frees what the launch before has allocated and not freed.
    bool auto_free_on_launch = false;
    // Uploaded in this stream at once, so that the first launch is as fast as the others.
    StreamRef upload_stream = {};
    // Kernels can launch it. Not together with auto_free_on_launch.
    bool device_launch = false;
    // Nodes run with priorities of their own, not with the stream's.
    bool use_node_priority = false;
};

// What a DOT file of a graph has beside its nodes and edges. The driver's bits (CU_GRAPH_DEBUG_DOT_FLAGS_*).
enum class GraphDebugPrint : uint32_t {
    topology = 0,
    verbose = 1 << 0,  // everything
    runtime_types = 1 << 1,
    kernel_node_params = 1 << 2,
    memcpy_node_params = 1 << 3,
    memset_node_params = 1 << 4,
    host_node_params = 1 << 5,
    event_node_params = 1 << 6,
    ext_semas_signal_node_params = 1 << 7,
    ext_semas_wait_node_params = 1 << 8,
    kernel_node_attributes = 1 << 9,
    handles = 1 << 10,
    mem_alloc_node_params = 1 << 11,
    mem_free_node_params = 1 << 12,
    batch_mem_op_node_params = 1 << 13,
    extra_topo_info = 1 << 14,
    conditional_node_params = 1 << 15,
};
constexpr GraphDebugPrint operator|(GraphDebugPrint left, GraphDebugPrint right) {
    return static_cast<GraphDebugPrint>(static_cast<uint32_t>(left) | static_cast<uint32_t>(right));
}

// What a graph does: nodes, and which of them come before which. Copies are cheap and stand for the same graph, which
// goes with the last of them and of its nodes; a Graph that was instantiated from it does not need it. The bodies of
// conditional nodes and the graphs of child graph nodes are definitions as well, parts of the one that has the node.
//
// Thread-safe.
class GraphDefinition : public GraphPosition {
public:
    // An empty graph, whose work runs on the device; without one on that of the context that is current on the calling
    // thread.
    GraphDefinition();
    explicit GraphDefinition(const Device& device);

    // False for one that was moved from, and for a part of a graph once its node was destroyed.
    bool is_valid() const;
    CUgraph handle() const;
    int32_t device_id() const;

    std::vector<GraphNode> nodes() const;
    std::vector<std::pair<GraphNode, GraphNode>> edges() const;  // each from the first to the second
    // `to` runs after `from`. Throws InvalidArgument where both are the same or there is a way back, nothing where
    // there is such an edge already.
    void add_dependency(const GraphNode& from, const GraphNode& to) const;
    // Nothing happens where there is no such edge.
    void remove_dependency(const GraphNode& from, const GraphNode& to) const;
    bool has_node(uint64_t id) const;
    GraphNode node(uint64_t id) const;  // throws InvalidArgument where the graph has no node with that id

    // Without a value the condition keeps the one of the last launch; the first finds 0.
    GraphCondition create_condition(std::optional<uint32_t> default_value = {}) const;
    // The graph and what is instantiated from it keep the owner.
    void keep(std::shared_ptr<const void> owner) const;

    // Throws InvalidState for a part of a graph. What is wrong with which node the error says.
    Graph instantiate(const GraphCompleteOptions& options = {}) const;
    // Writes the graph to a file in DOT, the language of Graphviz.
    void debug_dot_print(const std::string& path, GraphDebugPrint options = GraphDebugPrint::topology) const;

    friend bool operator==(const GraphDefinition& left, const GraphDefinition& right) {
        return left.record_ == right.record_;
    }

private:
    friend struct GraphAccess;
    using GraphPosition::GraphPosition;
};

// A graph that can be launched, as often as one likes. It keeps what its work uses until it is closed and what was
// launched has ended.
//
// One launch of it runs at a time, in the order of the calls, whatever streams they are in. Launches, updates and
// uploads of one graph must not be under way in several threads at once: the driver does not order them.
class Graph {
public:
    Graph() = default;  // invalid
    Graph(Graph&& other) noexcept;
    Graph& operator=(Graph&& other) noexcept;
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    ~Graph();

    bool is_valid() const { return handle_ != nullptr; }
    CUgraphExec handle() const { return handle_; }
    int32_t device_id() const { return device_id_; }
    // How it was instantiated, as far as the driver says it.
    GraphCompleteOptions options() const;

    // Asynchronous. No allocation, no lock, and one call of the driver. Throws InvalidState while the stream's work is
    // captured: embed the definition instead.
    void launch(StreamRef stream) const;
    // Takes it to the device ahead of its first launch.
    void upload(StreamRef stream) const;

    // Takes the parameters of all nodes from another graph with the same nodes and edges, for later launches. Throws
    // DriverError, which says what differs and in which node; then the graph is as it was.
    void update(const GraphDefinition& source);

    // Give one node other parameters, for later launches; what it is called in the definition that the graph was
    // instantiated from. Owners are kept until the graph is updated whole or closed.
    template <class... Arguments>
    void update_kernel(const GraphNode& node, const LaunchConfig& config, const Kernel& kernel,
                       const Arguments&... arguments) const;
    void update_kernel_arguments(const GraphNode& node, const LaunchConfig& config, const Kernel& kernel,
                                 std::span<const void* const> addresses, std::span<const ArgumentType> types,
                                 GraphOwners owners = {}) const;
    void update_kernel_checked(const GraphNode& node, const LaunchConfig& config, const Kernel& kernel,
                               std::span<const void* const> addresses, GraphOwners owners = {}) const;
    void update_memcpy(const GraphNode& node, const MemcpyNodeParameters& parameters, GraphOwners owners = {}) const;
    void update_memset(const GraphNode& node, const MemsetNodeParameters& parameters, GraphOwners owners = {}) const;
    void update_callback(const GraphNode& node, std::function<void()> function, GraphOwners owners = {}) const;
    void update_event(const GraphNode& node, EventRef event, GraphOwners owners = {}) const;
    // As many waits and writes of words of the same sizes, in the same order.
    void update_memory_operations(const GraphNode& node, std::span<const MemoryOperationParameters> operations,
                                  GraphOwners owners = {}) const;
    void update_child_graph(const GraphNode& node, const GraphDefinition& child) const;
    // Whether a kernel, memcpy or memset node runs; the others always do.
    bool is_enabled(const GraphNode& node) const;
    void set_enabled(const GraphNode& node, bool enabled) const;

    [[nodiscard]] CUgraphExec release();  // to the caller, who destroys it
    void close() noexcept;                // idempotent; what was launched goes on

    struct Keeper;  // what updates of single nodes have it keep

private:
    friend struct GraphAccess;
    CUgraphExec handle_ = nullptr;
    int32_t device_id_ = 0;
    std::shared_ptr<Keeper> keeper_;
    detail::LiveCount<ObjectKind::graph> live_;
};

template <class... Arguments>
void Graph::update_kernel(const GraphNode& node, const LaunchConfig& config, const Kernel& kernel,
                          const Arguments&... arguments) const {
    static constexpr std::array<ArgumentType, sizeof...(Arguments)> types{detail::argument_type<Arguments>()...};
    const std::array<const void*, sizeof...(Arguments)> addresses{detail::argument_address(arguments)...};
    update_kernel_arguments(node, config, kernel, addresses, types);
}

}  // namespace cuprum::core
