// From what nodes are made of to what the driver takes.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

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
// What a node's kernel is launched with: the attributes that differ from the driver's own are set.
LaunchConfig node_config(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS& values, const char* operation);
// After the driver has refused it: which of the kernel's own limits it exceeds, if one.
std::string node_limits_note(const Kernel& kernel, int32_t device_id, const LaunchConfig& config);

NodeParameters memcpy_node(const OpenGraph& graph, const MemcpyNodeParameters& parameters, GraphOwners owners);
NodeParameters memset_node(const OpenGraph& graph, const MemsetNodeParameters& parameters, GraphOwners owners);
NodeParameters host_node(std::function<void()> function, GraphOwners owners, const char* operation);
NodeParameters event_node(GraphNodeType type, EventRef event, GraphOwners owners, const char* operation);
// The driver's form of the operations. Throws InvalidArgument for none, and for words that there are not.
std::vector<CUstreamBatchMemOpParams> memory_operation_list(const OpenGraph& graph,
                                                            std::span<const MemoryOperationParameters> operations);
// Refers to the list until the driver has copied it.
NodeParameters memory_operation_node(const OpenGraph& graph, std::vector<CUstreamBatchMemOpParams>& list,
                                     GraphOwners owners);
NodeParameters child_graph_node(CUgraph child);

// What a callback's node calls.
void CUDA_CB run_graph_function(void* function);

}  // namespace cuprum::core
