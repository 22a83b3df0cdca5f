// What definitions and nodes of one graph share, and how they reach the driver's.
//
// The driver takes any address for a graph or a node. So every one of them has a record here, which knows whether it is
// still there; whatever destroys one says so to its records.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "context.hpp"
#include "cuprum/core/graph.hpp"
#include "driver_api.hpp"

namespace cuprum::core {

// A graph, or a part of one: a body of a conditional node, the graph of a child graph node.
struct GraphPosition::Record {
    CUgraph handle = nullptr;
    bool is_root = false;
    bool is_valid = true;           // with the hierarchy's mutex, as everything in records
    bool is_captured_into = false;  // a stream's work is: nobody else may touch the graph
};

struct GraphPosition::NodeRecord {
    CUgraphNode handle = nullptr;  // null once it is destroyed
    uint64_t id = 0;
    GraphNodeType type = GraphNodeType::empty;
    std::shared_ptr<Record> graph;  // that it is in
    // The graphs in it, of child graph and conditional nodes.
    std::vector<std::shared_ptr<Record>> parts;
    GraphCondition condition;
    GraphConditionalType conditional_type = GraphConditionalType::if_node;
    Kernel kernel;                        // of a kernel node that was made here
    AllocationNodeParameters allocation;  // of an allocation node that was
    CUuserObject kept = nullptr;          // what the root graph keeps for it
    // Among that, the owners of the operands of a copy or a fill, in their order.
    std::vector<std::weak_ptr<const void>> owners;
};

struct GraphPosition::Hierarchy {
    detail::Alive<ObjectKind::graph_definition> alive;
    int32_t device_id = 0;
    CUgraph root = nullptr;
    std::recursive_mutex mutex;
    std::unordered_map<CUgraphNode, std::shared_ptr<NodeRecord>> nodes;
    std::unordered_map<uint64_t, std::shared_ptr<NodeRecord>> nodes_by_id;

    void add(const std::shared_ptr<NodeRecord>& node) {
        nodes.emplace(node->handle, node);
        nodes_by_id.emplace(node->id, node);
    }
    void remove(const NodeRecord& node) {
        nodes.erase(node.handle);
        nodes_by_id.erase(node.id);
    }

    Hierarchy() = default;
    Hierarchy(const Hierarchy&) = delete;
    Hierarchy& operator=(const Hierarchy&) = delete;
    ~Hierarchy();
};

// The way to what the public classes keep to themselves.
struct GraphAccess {
    using Hierarchy = GraphPosition::Hierarchy;
    using Record = GraphPosition::Record;
    using NodeRecord = GraphPosition::NodeRecord;

    static const std::shared_ptr<Hierarchy>& hierarchy(const GraphPosition& position) { return position.hierarchy_; }
    static const std::shared_ptr<Record>& record(const GraphPosition& position) { return position.record_; }
    static const std::shared_ptr<NodeRecord>& node(const GraphPosition& position) { return position.node_; }
    static GraphDefinition definition(std::shared_ptr<Hierarchy> hierarchy, std::shared_ptr<Record> record) {
        return {std::move(hierarchy), std::move(record), nullptr};
    }
    static GraphNode node(std::shared_ptr<Hierarchy> hierarchy, std::shared_ptr<NodeRecord> node) {
        std::shared_ptr<Record> record = node->graph;
        return {std::move(hierarchy), std::move(record), std::move(node)};
    }
    // Makes a graph of it that can be launched, of `device_id`.
    static void take(Graph& graph, CUgraphExec handle, int32_t device_id, std::shared_ptr<Graph::Keeper> keeper) {
        graph.handle_ = handle;
        graph.device_id_ = device_id;
        graph.keeper_ = std::move(keeper);
        graph.live_.count();
    }
    static const std::shared_ptr<Graph::Keeper>& keeper(const Graph& graph) { return graph.keeper_; }
    static void set_keeper(Graph& graph, std::shared_ptr<Graph::Keeper> keeper) { graph.keeper_ = std::move(keeper); }
};

// A definition or a node in use: checked to be there, and nobody else changes its graph meanwhile. Its device's context
// is current, which the driver wants for much of what it does with graphs.
class OpenGraph {
public:
    // Throws InvalidArgument when it was moved from, InvalidState when the graph is gone or is being captured into.
    OpenGraph(const GraphPosition& position, const char* operation);

    GraphPosition::Hierarchy& hierarchy() const { return *hierarchy_; }
    CUgraph graph() const { return record_->handle; }
    CUgraph root() const { return hierarchy_->root; }
    int32_t device_id() const { return hierarchy_->device_id; }
    CUcontext context() const { return primary_context(hierarchy_->device_id); }
    // Of a node; null of a definition.
    GraphPosition::NodeRecord* node() const { return node_.get(); }
    const char* operation() const { return operation_; }
    std::string name() const;  // for errors

    // The record of a node that the driver has named, made where it is new.
    std::shared_ptr<GraphPosition::NodeRecord> known(CUgraphNode node,
                                                     const std::shared_ptr<GraphPosition::Record>& graph) const;
    std::shared_ptr<GraphPosition::NodeRecord> known(CUgraphNode node) const { return known(node, record_); }
    const std::shared_ptr<GraphPosition::Hierarchy>& shared_hierarchy() const { return hierarchy_; }
    const std::shared_ptr<GraphPosition::Record>& record() const { return record_; }

private:
    std::shared_ptr<GraphPosition::Hierarchy> hierarchy_;
    std::shared_ptr<GraphPosition::Record> record_;
    std::shared_ptr<GraphPosition::NodeRecord> node_;
    const char* operation_;
    std::unique_lock<std::recursive_mutex> lock_;
    ContextScope scope_;
};

uint64_t next_node_id();

// Held around what opens two graphs, so that two threads do not wait for each other's.
inline std::mutex& two_graphs_mutex() {
    static auto* const mutex = new std::mutex;
    return *mutex;
}

// The parameters of a conditional node. Throws InvalidArgument for an invalid condition, and for no bodies.
CUgraphNodeParams conditional_node(const GraphCondition& condition, GraphConditionalType type, uint32_t count,
                                   CUcontext context, const char* operation);
// What the driver has made of them.
void take_bodies(GraphPosition::NodeRecord& record, const CUgraphNodeParams& values, const GraphCondition& condition,
                 GraphConditionalType type);

// What is in a node goes with it: its parts and their nodes are invalid from then on.
void forget_parts(GraphPosition::Hierarchy& hierarchy, GraphPosition::NodeRecord& node);

// An empty graph of the device.
std::shared_ptr<GraphPosition::Hierarchy> make_hierarchy(int32_t device_id);
GraphDefinition root_of(const std::shared_ptr<GraphPosition::Hierarchy>& hierarchy);

// "kernel node", for errors.
std::string describe(GraphNodeType type);

// The node is in use and of that type. Throws InvalidState otherwise.
void require_type(const OpenGraph& node, GraphNodeType type);

}  // namespace cuprum::core
