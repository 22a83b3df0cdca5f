// What graphs and their nodes are known by: numbers, and the graph that a node is in.
#include "driver/graph/entry_graph.hpp"
#include "driver/process/newer_api.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

extern "C" {

CUresult CUDAAPI cuGraphGetId(CUgraph handle, unsigned int* number) {
    return entry_graph("cuGraphGetId", [&] {
        require_pointer(number, "graphId");
        *number = find_graph(handle)->number();
    });
}

CUresult CUDAAPI cuGraphExecGetId(CUgraphExec handle, unsigned int* number) {
    return entry_graph("cuGraphExecGetId", [&] {
        require_pointer(number, "graphId");
        *number = find_execution(handle)->number();
    });
}

CUresult CUDAAPI cuGraphNodeGetContainingGraph(CUgraphNode handle, CUgraph* graph) {
    return entry_graph("cuGraphNodeGetContainingGraph", [&] {
        require_pointer(graph, "phGraph");
        *graph = find_node(handle)->graph->handle();
    });
}

CUresult CUDAAPI cuGraphNodeGetLocalId(CUgraphNode handle, unsigned int* number) {
    return entry_graph("cuGraphNodeGetLocalId", [&] {
        require_pointer(number, "nodeId");
        *number = find_node(handle)->number;
    });
}

CUresult CUDAAPI cuGraphNodeGetToolsId(CUgraphNode handle, unsigned long long* identifier) {
    return entry_graph("cuGraphNodeGetToolsId", [&] {
        require_pointer(identifier, "toolsNodeId");
        *identifier = find_node(handle)->identifier;
    });
}

}  // extern "C"
