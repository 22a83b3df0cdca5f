// Executable graphs: what cuGraphInstantiate makes and cuGraphLaunch runs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "driver/graph/graph.hpp"
#include "driver/process/cuda_api.hpp"
#include "driver/stream/stream.hpp"

namespace cuprum::simulator::libcuda {

// The nodes of a graph and of the graphs inside it in one list, in an order that their edges permit. Immutable.
struct GraphPlan {
    struct Step {
        Operation operation;
        std::vector<std::shared_ptr<const GraphPlan>> bodies;  // of a conditional node
        std::vector<uint32_t> next;                            // what waits for it
        uint32_t waits_for = 0;
    };
    std::vector<Step> steps;
    std::shared_ptr<const Graph> graph;                // holds what its nodes need
    std::shared_ptr<const UserReferences> references;  // that the graph held when this was made
};

// Where instantiation or an update failed.
struct GraphFailure {
    CUgraphExecUpdateResult update = CU_GRAPH_EXEC_UPDATE_SUCCESS;
    CUgraphInstantiateResult instantiation = CUDA_GRAPH_INSTANTIATE_SUCCESS;
    GraphNode* node = nullptr;
    GraphNode* from_node = nullptr;
    std::string reason;
};

// All members need graph_mutex().
class GraphExecution : public std::enable_shared_from_this<GraphExecution> {
public:
    // Null, and `failure` filled, if the graph cannot be executed.
    static std::shared_ptr<GraphExecution> create(const Graph& graph, uint64_t flags, GraphFailure& failure);

    uint64_t flags() const { return flags_; }
    // As programs see it: that of its own copy of the graph.
    uint32_t number() const { return graph_->number(); }
    // Appends a launch to the stream. Launches of one executable graph follow one another, in whatever streams. Throws
    // DriverError if memory that the graph allocates has not been freed since the launch before.
    void launch(const std::shared_ptr<Stream>& stream);
    // Takes over the parameters of a graph of the same shape; false, and nothing changed, with the reason in `failure`.
    bool update(const Graph& graph, GraphFailure& failure);

    // The executable form of a node of the graph that this was made from. Throws
    // DriverError(CUDA_ERROR_INVALID_VALUE).
    GraphNode& node(const GraphNode& original);
    // Gives a node another operation of the same kind. Throws as require_replaceable.
    void replace(GraphNode& own, Operation operation);
    void set_enabled(GraphNode& own, bool enabled);

private:
    GraphExecution(std::shared_ptr<Graph> graph, uint64_t flags) : graph_(std::move(graph)), flags_(flags) {}
    std::shared_ptr<const GraphPlan> plan();

    std::shared_ptr<Graph> graph_;  // a copy of its own
    const uint64_t flags_;
    std::shared_ptr<const GraphPlan> plan_;  // null: to be made
    Dependency last_launch_;
};

}  // namespace cuprum::simulator::libcuda
