// Graphs: work with the order that its edges say, as the program describes or captures it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "driver/graph/graph_operation.hpp"
#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

class Graph;
class UserObject;
class GraphCondition;
struct GraphNode;

struct GraphEdge {
    GraphNode* node = nullptr;  // the other end
    CUgraphEdgeData data{};
};

struct GraphNode {
    uint64_t identifier = 0;  // unique in the process
    uint64_t origin = 0;      // the identifier of the node that this one was cloned from; 0: none
    uint32_t number = 0;      // unique in its graph, as programs see it
    Graph* graph = nullptr;
    Operation operation;
    std::vector<GraphEdge> dependencies;  // in the order in which they were added
    std::vector<GraphEdge> dependents;
    bool enabled = true;
    CUgraphNode handle = nullptr;  // made when first asked for
};

// Guards all graphs, their nodes, executable graphs and captures. CUDA leaves calls on one graph from several threads
// undefined; here they are merely serialised. Nothing is waited for while it is held.
std::recursive_mutex& graph_mutex();

// References to user objects, which go with it.
struct UserReferences {
    UserReferences() = default;
    ~UserReferences();
    UserReferences(const UserReferences&) = delete;
    UserReferences& operator=(const UserReferences&) = delete;

    std::vector<std::shared_ptr<UserObject>> objects;  // each reference is one element
};

// All members need graph_mutex(). Nodes live as long as their graph, unless they are removed.
class Graph : public std::enable_shared_from_this<Graph> {
public:
    Graph();
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    // As programs see it.
    uint32_t number() const { return static_cast<uint32_t>(identifier_); }
    const std::vector<std::shared_ptr<GraphNode>>& nodes() const { return nodes_; }

    // Throws DriverError(CUDA_ERROR_INVALID_VALUE) for dependencies of another graph or given twice.
    GraphNode& add(Operation operation, std::span<const GraphEdge> dependencies);
    void add_dependency(GraphNode& from, GraphNode& to, const CUgraphEdgeData& data);
    void remove_dependency(GraphNode& from, GraphNode& to);
    void remove(GraphNode& node);
    // Nodes with each behind what it depends on; fewer than all if there is a cycle.
    std::vector<GraphNode*> in_order() const;
    // Whether some node, of child graphs too, allocates or frees memory.
    bool has_memory_nodes() const;

    // Whether some node, of child graphs too, is a conditional one.
    bool has_conditional_nodes() const;

    // A copy whose nodes know what they were copied from; child graphs are copied with it.
    std::shared_ptr<Graph> clone() const;
    // The node of this graph or of one inside it that was cloned from `identifier`; null if there is none.
    GraphNode* find_clone(uint64_t identifier, bool inside_children);

    // The handles of the graph and of a node of it; made at the first call, invalid after drop_handles.
    CUgraph handle();
    CUgraphNode handle_of(GraphNode& node);
    // Of the graph, its nodes and its child graphs.
    void drop_handles();

    // Graphs inside nodes, and those that are being captured, are not the program's to destroy.
    bool owned_by_node = false;
    bool capturing = false;
    // Those that were made for this graph.
    std::vector<std::shared_ptr<GraphCondition>> conditions;

    void hold(const std::shared_ptr<UserObject>& object, unsigned int count);
    // False if the graph does not hold that many.
    bool let_go(const std::shared_ptr<UserObject>& object, unsigned int count);
    // What it holds now; stays so when take_references() gives it another one's.
    const std::shared_ptr<UserReferences>& references() const { return references_; }
    // References to what the other graph holds, in place of its own.
    void take_references(const Graph& other);

private:
    const uint64_t identifier_;  // unique in the process
    uint32_t next_node_number_ = 0;
    std::vector<std::shared_ptr<GraphNode>> nodes_;
    std::shared_ptr<UserReferences> references_ = std::make_shared<UserReferences>();
    CUgraph handle_ = nullptr;
};

}  // namespace cuprum::simulator::libcuda
