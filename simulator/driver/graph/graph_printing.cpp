#include "driver/graph/graph_printing.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "driver/error/driver_error.hpp"
#include "driver/launch/launch.hpp"

namespace cuprum::simulator::libcuda {

namespace {

void print_subgraph(std::ostream& out, const Graph& graph, const std::string& name, bool verbose) {
    out << "subgraph \"cluster_" << name << "\" {\nlabel=\"" << name << "\"\n";
    for (size_t index = 0; index < graph.nodes().size(); ++index) {
        const GraphNode& node = *graph.nodes()[index];
        out << "\"node_" << node.identifier << "\" [shape=\"" << (verbose ? "record" : "rectangle") << "\" label=\""
            << index << ": " << describe(node.operation);
        const auto* kernel = std::get_if<KernelOperation>(&node.operation);
        if (verbose && kernel != nullptr) {
            const LaunchRequest& request = kernel->launch->request;
            out << format(" | grid %u,%u,%u block %u,%u,%u shared %u", request.grid.x, request.grid.y, request.grid.z,
                          request.block.x, request.block.y, request.block.z, request.dynamic_shared_bytes);
        }
        out << "\"]\n";
        const std::vector<std::shared_ptr<Graph>> graphs = graphs_inside(node.operation);
        for (size_t inside = 0; inside < graphs.size(); ++inside) {
            print_subgraph(out, *graphs[inside], name + "_" + std::to_string(index) + "_" + std::to_string(inside),
                           verbose);
        }
    }
    for (const std::shared_ptr<GraphNode>& node : graph.nodes()) {
        for (const GraphEdge& edge : node->dependents) {
            out << "\"node_" << node->identifier << "\" -> \"node_" << edge.node->identifier << "\"\n";
        }
    }
    out << "}\n";
}

}  // namespace

void print_graph(const Graph& graph, const char* path, bool verbose) {
    std::ofstream out(path);
    out << "digraph dot {\n";
    print_subgraph(out, graph, "graph_1", verbose);
    out << "}\n";
    out.flush();
    if (!out) {
        throw DriverError(CUDA_ERROR_OPERATING_SYSTEM,
                          std::string(path) + " cannot be written: " + std::strerror(errno));
    }
}

}  // namespace cuprum::simulator::libcuda
