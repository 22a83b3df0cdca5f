// Edges of graphs as programs give and get them: lists of handles, with edge data beside them.
#pragma once

#include <memory>
#include <vector>

#include "driver/graph/graph.hpp"

namespace cuprum::simulator::libcuda {

// Whether an edge is more than an ordinary one.
bool has_edge_data(const CUgraphEdgeData& data);
// Edges from nodes of a graph, as lists of handles and, where not null, edge data give them. Throws for nodes of other
// graphs and for edge data of an unknown kind.
std::vector<GraphEdge> find_edges(const Graph& graph, const CUgraphNode* nodes, const CUgraphEdgeData* data,
                                  size_t count);
// Writes nodes and edge data as the driver's queries do: without `nodes` their number alone; else as many as `count`
// says, the rest null. Throws CUDA_ERROR_LOSSY_QUERY where edge data would be lost.
void report_edges(Graph& graph, const std::vector<GraphEdge>& edges, CUgraphNode* nodes, CUgraphEdgeData* data,
                  size_t* count);

// All edges of a graph, as report_edges reports one list of them.
void report_all_edges(Graph& graph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* data, size_t* count);
// Adds the edges to `targets`, or removes them: all or none.
void change_edges(Graph& graph, const std::vector<GraphEdge>& edges,
                  const std::vector<std::shared_ptr<GraphNode>>& targets, bool add);
// Throws for a graph that allocates or frees memory: its nodes and edges stay.
void require_no_memory_nodes(const Graph& graph);

}  // namespace cuprum::simulator::libcuda
