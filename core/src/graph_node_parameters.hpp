// From what nodes are made of to what the driver takes.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "cuprum/core/graph_node.hpp"
#include "driver_api.hpp"
#include "graph_state.hpp"

namespace cuprum::core {

struct NodeParameters {
    CUgraphNodeParams values{};
    GraphOwners owners;
};

// `addresses` are checked, and used until the driver has copied what is there. Throws InvalidArgument for a
// configuration that the device does not take.
NodeParameters kernel_node(const OpenGraph& graph, const LaunchConfig& config, const Kernel& kernel,
                           std::span<const void* const> addresses, GraphOwners owners);
void check_node_arguments(const Kernel& kernel, int32_t device_id, std::span<const void* const> addresses,
                          std::span<const ArgumentType> types);
// The attributes that the configuration asks for, which a node gets one by one.
void set_node_attributes(CUgraphNode node, const LaunchConfig& config, const char* operation);
// After the driver has refused it: which of the kernel's own limits it exceeds, if one.
std::string node_limits_note(const Kernel& kernel, int32_t device_id, const LaunchConfig& config);

NodeParameters memcpy_node(const OpenGraph& graph, const MemcpyNodeParameters& parameters, GraphOwners owners);
NodeParameters memset_node(const OpenGraph& graph, const MemsetNodeParameters& parameters, GraphOwners owners);
NodeParameters host_node(std::function<void()> function, GraphOwners owners, const char* operation);
NodeParameters event_node(GraphNodeType type, EventRef event, GraphOwners owners, const char* operation);
NodeParameters child_graph_node(CUgraph child);

// What a callback's node calls.
void CUDA_CB run_graph_function(void* function);

}  // namespace cuprum::core
