#include "driver/graph/graph_printing.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "driver/error/driver_error.hpp"
#include "driver/launch/launch.hpp"

namespace cuprum::simulator::libcuda {

namespace {

// With the numbers that cuGraphGetId and cuGraphNodeGetLocalId report.
std::string name_of(const Graph& graph) {
    return "graph_" + std::to_string(graph.number());
}

std::string name_of(const GraphNode& node) {
    return name_of(*node.graph) + "_node_" + std::to_string(node.number);
}

void print_subgraph(std::ostream& out, const Graph& graph, bool verbose) {
    out << "subgraph \"cluster_" << name_of(graph) << "\" {\nlabel=\"" << name_of(graph) << "\"\n";
    for (const std::shared_ptr<GraphNode>& printed : graph.nodes()) {
        const GraphNode& node = *printed;
        out << '"' << name_of(node) << "\" [shape=\"" << (verbose ? "record" : "rectangle") << "\" label=\""
            << node.number << ": " << describe(node.operation);
        const auto* kernel = std::get_if<KernelOperation>(&node.operation);
        if (verbose && kernel != nullptr) {
            const LaunchRequest& request = kernel->launch->request;
            out << format(" | grid %u,%u,%u block %u,%u,%u shared %u", request.grid.x, request.grid.y, request.grid.z,
                          request.block.x, request.block.y, request.block.z, request.dynamic_shared_bytes);
        }
        out << "\"]\n";
        for (const std::shared_ptr<Graph>& inside : graphs_inside(node.operation)) {
            print_subgraph(out, *inside, verbose);
        }
    }
    for (const std::shared_ptr<GraphNode>& node : graph.nodes()) {
        for (const GraphEdge& edge : node->dependents) {
            out << '"' << name_of(*node) << "\" -> \"" << name_of(*edge.node) << "\"\n";
        }
    }
    out << "}\n";
}

}  // namespace

void print_graph(const Graph& graph, const char* path, bool verbose) {
    std::ofstream out(path);
    out << "digraph dot {\n";
    print_subgraph(out, graph, verbose);
    out << "}\n";
    out.flush();
    if (!out) {
        throw DriverError(CUDA_ERROR_OPERATING_SYSTEM,
                          std::string(path) + " cannot be written: " + std::strerror(errno));
    }
}

}  // namespace cuprum::simulator::libcuda
