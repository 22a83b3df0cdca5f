// How entry points add nodes, and get and set the parameters of one kind of them.
#pragma once

#include "driver/graph/entry_graph.hpp"
#include "driver/graph/graph_edges.hpp"

namespace cuprum::simulator::libcuda {

// `make` builds the operation for the graph; nothing is added if it throws.
template <typename Make>
CUresult add_node(const char* call, CUgraphNode* node, CUgraph handle, const CUgraphNode* dependencies,
                  const CUgraphEdgeData* data, size_t count, Make make) {
    return entry_graph(call, [&] {
        require_pointer(node, "phGraphNode");
        const std::shared_ptr<Graph> graph = find_graph(handle);
        const std::vector<GraphEdge> edges = find_edges(*graph, dependencies, data, count);
        Operation operation = make(*graph);
        *node = graph->handle_of(graph->add(std::move(operation), edges));
    });
}

// The operation of a node, which must be of this kind.
template <typename Kind>
Kind& operation_of(const std::shared_ptr<GraphNode>& node) {
    auto* operation = std::get_if<Kind>(&node->operation);
    if (operation == nullptr) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "the node is of another kind: " + describe(node->operation));
    }
    return *operation;
}

template <typename Kind, typename Parameters, typename Get>
CUresult get_parameters(const char* call, CUgraphNode node, Parameters* parameters, Get get) {
    return entry_graph(call, [&] {
        require_pointer(parameters, "nodeParams");
        get(operation_of<Kind>(find_node(node)), *parameters);
    });
}

template <typename Kind, typename Make>
CUresult set_parameters(const char* call, CUgraphNode handle, Make make) {
    return entry_graph(call, [&] {
        const std::shared_ptr<GraphNode> node = find_node(handle);
        Operation operation = make(operation_of<Kind>(node));
        keep_attributes(node->operation, operation);
        node->operation = std::move(operation);
    });
}

// Gives a node of the executable graph the operation that `make` builds.
template <typename Make>
CUresult replace(const char* call, CUgraphExec execution_handle, CUgraphNode handle, Make make) {
    return entry_graph(call, [&] {
        const std::shared_ptr<GraphExecution> execution = find_execution(execution_handle);
        GraphNode& own = execution->node(*find_node(handle));
        Operation operation = make();
        keep_attributes(own.operation, operation);
        execution->replace(own, std::move(operation));
    });
}

}  // namespace cuprum::simulator::libcuda
