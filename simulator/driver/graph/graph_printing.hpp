// A graph as text that Graphviz draws.
#pragma once

#include "driver/graph/graph.hpp"

namespace cuprum::simulator::libcuda {

// Throws DriverError(CUDA_ERROR_OPERATING_SYSTEM) if the file cannot be written.
void print_graph(const Graph& graph, const char* path, bool verbose);

}  // namespace cuprum::simulator::libcuda
