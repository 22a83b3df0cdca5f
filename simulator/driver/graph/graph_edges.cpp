#include "driver/graph/graph_edges.hpp"

#include <algorithm>

#include "driver/graph/entry_graph.hpp"

namespace cuprum::simulator::libcuda {

bool has_edge_data(const CUgraphEdgeData& data) {
    return data.from_port != 0 || data.to_port != 0 || data.type != 0;
}

std::vector<GraphEdge> find_edges(const Graph& graph, const CUgraphNode* nodes, const CUgraphEdgeData* data,
                                  size_t count) {
    if (count > 0) require_pointer(nodes, "dependencies");
    std::vector<GraphEdge> edges;
    for (size_t index = 0; index < count; ++index) {
        const std::shared_ptr<GraphNode> node = find_node(nodes[index]);
        if (node->graph != &graph) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("dependency %zu is a node of another graph", index));
        }
        const CUgraphEdgeData edge = data ? data[index] : CUgraphEdgeData{};
        const bool programmatic = edge.type == CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
        if (edge.to_port != 0 || edge.type > CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC ||
            edge.from_port > CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER || (edge.from_port != 0) != programmatic ||
            (programmatic && type_of(node->operation) != CU_GRAPH_NODE_TYPE_KERNEL)) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("dependency %zu has edge data of an unknown kind", index));
        }
        edges.push_back({node.get(), edge});
    }
    return edges;
}

void report_edges(Graph& graph, const std::vector<GraphEdge>& edges, CUgraphNode* nodes, CUgraphEdgeData* data,
                  size_t* count) {
    require_pointer(count, "the number's destination");
    if (nodes == nullptr) {
        if (data != nullptr) throw DriverError(CUDA_ERROR_INVALID_VALUE, "edgeData is given without nodes");
        *count = edges.size();
        return;
    }
    for (size_t index = 0; index < *count; ++index) {
        const bool there = index < edges.size();
        if (there && data == nullptr && has_edge_data(edges[index].data)) {
            throw DriverError(CUDA_ERROR_LOSSY_QUERY, "an edge has data, and there is no place for it");
        }
        nodes[index] = there ? graph.handle_of(*edges[index].node) : nullptr;
        if (data != nullptr) data[index] = there ? edges[index].data : CUgraphEdgeData{};
    }
    *count = std::min(*count, edges.size());
}

void report_all_edges(Graph& graph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* data, size_t* count) {
    std::vector<GraphEdge> sources, targets;
    for (const std::shared_ptr<GraphNode>& node : graph.nodes()) {
        for (const GraphEdge& edge : node->dependents) {
            sources.push_back({node.get(), edge.data});
            targets.push_back(edge);
        }
    }
    if ((from == nullptr) != (to == nullptr)) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "from and to must both be given, or neither");
    }
    require_pointer(count, "numEdges");
    size_t room = *count;
    report_edges(graph, sources, from, data, count);
    if (to != nullptr) report_edges(graph, targets, to, data, &room);
}

// cuda.h, cuGraphAddMemAllocNode: restrictions of graphs with such nodes.
void require_no_memory_nodes(const Graph& graph) {
    if (!graph.has_memory_nodes()) return;
    throw DriverError(CUDA_ERROR_NOT_SUPPORTED,
                      "nodes and edges of a graph that allocates or frees memory cannot be removed");
}

void change_edges(Graph& graph, const std::vector<GraphEdge>& edges,
                  const std::vector<std::shared_ptr<GraphNode>>& targets, bool add) {
    for (size_t index = 0; index < edges.size(); ++index) {
        try {
            if (add) {
                graph.add_dependency(*edges[index].node, *targets[index], edges[index].data);
            } else {
                require_no_memory_nodes(graph);
                graph.remove_dependency(*edges[index].node, *targets[index]);
            }
        } catch (const DriverError&) {
            while (index-- > 0) {
                if (add) {
                    graph.remove_dependency(*edges[index].node, *targets[index]);
                } else {
                    graph.add_dependency(*edges[index].node, *targets[index], edges[index].data);
                }
            }
            throw;
        }
    }
}

}  // namespace cuprum::simulator::libcuda
