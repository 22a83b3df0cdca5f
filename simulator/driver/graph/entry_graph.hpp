// What the entry points about graphs share.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "driver/graph/graph.hpp"
#include "driver/graph/graph_execution.hpp"
#include "driver/process/cuda_api.hpp"
#include "driver/process/entry.hpp"

namespace cuprum::simulator::libcuda {

// entry() with graph_mutex() held.
template <typename Body>
CUresult entry_graph(const char* call, Body&& body) {
    return entry(call, [&] {
        const std::lock_guard lock(graph_mutex());
        return body();
    });
}

// Each throws CUDA_ERROR_INVALID_VALUE for what is no live object.
std::shared_ptr<Graph> find_graph(CUgraph handle);
std::shared_ptr<GraphNode> find_node(CUgraphNode handle);
std::shared_ptr<GraphExecution> find_execution(CUgraphExec handle);
std::shared_ptr<GraphCondition> find_condition(CUgraphConditionalHandle handle);

// What `nodeParams`, an argument, points to. Throws CUDA_ERROR_INVALID_VALUE for a null pointer.
template <typename Parameters>
const Parameters& required(const Parameters* parameters) {
    require_pointer(parameters, "nodeParams");
    return *parameters;
}

// Where in CUgraphNodeParams::reserved1 host nodes have their synchronisation mode since CUDA 13.1.
inline constexpr size_t place_of_sync_mode = 2;

// The operations that node parameters describe, checked. `graph` is the one that the node is for; the address of an
// allocation node is put into its parameters.
Operation operation_from(const Graph& graph, CUgraphNodeParams& parameters);
Operation kernel_operation(const CUDA_KERNEL_NODE_PARAMS& parameters);
// Of the structure before CUDA 12.
CUDA_KERNEL_NODE_PARAMS widen(const CUDA_KERNEL_NODE_PARAMS_v1& parameters);
Operation copy_operation(const CUDA_MEMCPY3D& parameters, CUcontext context);
Operation fill_operation(const CUDA_MEMSET_NODE_PARAMS& parameters, CUcontext context);
// Throws CUDA_ERROR_INVALID_VALUE for a synchronisation mode (CU_HOST_TASK_*, CUDA 13.1) that there is not.
Operation host_operation(const CUDA_HOST_NODE_PARAMS& parameters, unsigned int sync_mode = 0);
Operation child_graph_operation(CUgraph graph, CUgraphChildGraphNodeOwnership ownership);
Operation event_wait_operation(CUevent event);
Operation event_record_operation(CUevent event);
Operation allocate_operation(CUDA_MEM_ALLOC_NODE_PARAMS& parameters);
Operation free_operation(const Graph& graph, CUdeviceptr pointer);
// Its bodies are put into the parameters.
Operation conditional_operation(CUDA_CONDITIONAL_NODE_PARAMS& parameters);
Operation memory_operation(const CUDA_BATCH_MEM_OP_NODE_PARAMS& parameters);
// Of the current context.
Operation semaphore_signal_operation(const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS& parameters);
Operation semaphore_wait_operation(const CUDA_EXT_SEM_WAIT_NODE_PARAMS& parameters);

// The other way round, for cuGraphNodeGetParams: what is pointed to is the operation's.
CUgraphNodeParams node_parameters(Operation& operation);
// Since CUDA 13.4: a kernel node's function and context, where both are given, must be of one device context. Throws
// CUDA_ERROR_INVALID_CONTEXT.
void require_own_context(const CUgraphNodeParams& parameters);

}  // namespace cuprum::simulator::libcuda
