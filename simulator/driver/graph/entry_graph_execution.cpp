// Executable graphs.
#include "driver/graph/capture.hpp"
#include "driver/graph/entry_graph_parameters.hpp"
#include "driver/graph/graph_failure.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

constexpr cuuint64_t instantiate_flags = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH |
                                         CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH |
                                         CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
// It needs a stream, which cuGraphInstantiateWithParams alone is given.
constexpr cuuint64_t upload_flag = CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD;

// Null, and `failure` filled, for graphs that cannot be executed; throws for arguments that are wrong.
CUgraphExec instantiate(CUgraph handle, cuuint64_t flags, cuuint64_t allowed, GraphFailure& failure) {
    current_context();  // which a GPU's driver insists on, though its nodes have contexts of their own
    const std::shared_ptr<Graph> graph = find_graph(handle);
    require_instantiable(*graph, flags, allowed);
    const std::shared_ptr<GraphExecution> execution = GraphExecution::create(*graph, flags, failure);
    return execution ? handles().graph_executions.insert(execution) : nullptr;
}

CUresult instantiate_or_throw(const char* call, CUgraphExec* execution, CUgraph graph, cuuint64_t flags,
                              CUgraphNode* error_node, char* log_buffer, size_t log_size) {
    return entry_graph(call, [&] {
        require_pointer(execution, "phGraphExec");
        GraphFailure failure;
        const FailureReport report(error_node, log_buffer, log_size);
        const CUgraphExec made = instantiate(graph, flags, instantiate_flags, failure);
        if (made == nullptr) report.fill_and_throw(failure);
        *execution = made;
    });
}

CUresult instantiate_with(CUgraphExec* execution, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS* parameters,
                          CUstream default_stream) {
    return entry_graph("cuGraphInstantiateWithParams", [&] {
        require_pointer(execution, "phGraphExec");
        require_pointer(parameters, "instantiateParams");
        parameters->result_out = CUDA_GRAPH_INSTANTIATE_ERROR;
        const FailureReport report(&parameters->hErrNode_out);
        if ((parameters->flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD) != 0) {
            find_stream(parameters->hUploadStream ? parameters->hUploadStream : default_stream);
        }
        GraphFailure failure;
        const CUgraphExec made = instantiate(graph, parameters->flags, instantiate_flags | upload_flag, failure);
        parameters->result_out = failure.instantiation;
        if (made == nullptr) report.fill_and_throw(failure);
        *execution = made;
    });
}

CUresult update(CUgraphExec execution_handle, CUgraph graph_handle, CUgraphExecUpdateResultInfo& info) {
    return entry_graph("cuGraphExecUpdate", [&] {
        info = {CU_GRAPH_EXEC_UPDATE_ERROR, nullptr, nullptr};
        const std::shared_ptr<GraphExecution> execution = find_execution(execution_handle);
        update_execution(*execution, *find_graph(graph_handle), info);
    });
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuGraphInstantiateWithFlags(CUgraphExec* execution, CUgraph graph, unsigned long long flags) {
    return instantiate_or_throw("cuGraphInstantiate", execution, graph, flags, nullptr, nullptr, 0);
}

CUresult CUDAAPI cuGraphInstantiate_v2(CUgraphExec* execution, CUgraph graph, CUgraphNode* error_node, char* log_buffer,
                                       size_t log_size) {
    return instantiate_or_throw("cuGraphInstantiate", execution, graph, 0, error_node, log_buffer, log_size);
}

CUresult CUDAAPI cuGraphInstantiate(CUgraphExec* execution, CUgraph graph, CUgraphNode* error_node, char* log_buffer,
                                    size_t log_size) {
    return instantiate_or_throw("cuGraphInstantiate", execution, graph, 0, error_node, log_buffer, log_size);
}

CUresult CUDAAPI cuGraphInstantiateWithParams(CUgraphExec* execution, CUgraph graph,
                                              CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
    return instantiate_with(execution, graph, parameters, nullptr);
}

CUresult CUDAAPI cuGraphInstantiateWithParams_ptsz(CUgraphExec* execution, CUgraph graph,
                                                   CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
    return instantiate_with(execution, graph, parameters, CU_STREAM_PER_THREAD);
}

CUresult CUDAAPI cuGraphExecGetFlags(CUgraphExec execution, cuuint64_t* flags) {
    return entry_graph("cuGraphExecGetFlags", [&] {
        require_pointer(flags, "flags");
        // The upload flag is not among those reported, as documented; nor is this one by a GPU's driver (580).
        constexpr cuuint64_t not_reported{CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
                                          CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY};
        *flags = find_execution(execution)->flags() & ~not_reported;
    });
}

CUresult CUDAAPI cuGraphExecDestroy(CUgraphExec execution) {
    return entry_graph("cuGraphExecDestroy", [&] {
        find_execution(execution);
        // Launches that run hold what they need.
        handles().graph_executions.remove(execution);
    });
}

CUresult CUDAAPI cuGraphUpload(CUgraphExec execution, CUstream stream) {
    return entry_graph("cuGraphUpload", [&] {
        find_execution(execution);
        refuse_captured(find_stream(stream), "an upload of a graph");
    });
}

CUresult CUDAAPI cuGraphLaunch(CUgraphExec handle, CUstream stream_handle) {
    return entry_graph("cuGraphLaunch", [&] {
        const std::shared_ptr<GraphExecution> execution = find_execution(handle);
        const std::shared_ptr<Stream> stream = find_stream(stream_handle);
        // A GPU's driver (580) does not make a child graph of it.
        refuse_captured(stream, "a graph's launch");
        execution->launch(stream);
    });
}

CUresult CUDAAPI cuGraphExecUpdate_v2(CUgraphExec execution, CUgraph graph, CUgraphExecUpdateResultInfo* info) {
    CUgraphExecUpdateResultInfo unused{};
    return update(execution, graph, info ? *info : unused);
}

CUresult CUDAAPI cuGraphExecUpdate(CUgraphExec execution, CUgraph graph, CUgraphNode* error_node,
                                   CUgraphExecUpdateResult* result) {
    CUgraphExecUpdateResultInfo info{};
    const CUresult code = update(execution, graph, info);
    if (error_node != nullptr) *error_node = info.errorNode;
    if (result != nullptr) *result = info.result;
    return code;
}

CUresult CUDAAPI cuGraphExecKernelNodeSetParams_v2(CUgraphExec execution, CUgraphNode node,
                                                   const CUDA_KERNEL_NODE_PARAMS* parameters) {
    return replace("cuGraphExecKernelNodeSetParams", execution, node,
                   [&] { return kernel_operation(required(parameters)); });
}

CUresult CUDAAPI cuGraphExecKernelNodeSetParams(CUgraphExec execution, CUgraphNode node,
                                                const CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
    return replace("cuGraphExecKernelNodeSetParams", execution, node,
                   [&] { return kernel_operation(widen(required(parameters))); });
}

CUresult CUDAAPI cuGraphExecMemcpyNodeSetParams(CUgraphExec execution, CUgraphNode node,
                                                const CUDA_MEMCPY3D* parameters, CUcontext context) {
    return replace("cuGraphExecMemcpyNodeSetParams", execution, node,
                   [&] { return copy_operation(required(parameters), context); });
}

CUresult CUDAAPI cuGraphExecMemsetNodeSetParams(CUgraphExec execution, CUgraphNode node,
                                                const CUDA_MEMSET_NODE_PARAMS* parameters, CUcontext context) {
    return replace("cuGraphExecMemsetNodeSetParams", execution, node,
                   [&] { return fill_operation(required(parameters), context); });
}

CUresult CUDAAPI cuGraphExecHostNodeSetParams(CUgraphExec execution, CUgraphNode node,
                                              const CUDA_HOST_NODE_PARAMS* parameters) {
    return replace("cuGraphExecHostNodeSetParams", execution, node,
                   [&] { return host_operation(required(parameters)); });
}

CUresult CUDAAPI cuGraphExecChildGraphNodeSetParams(CUgraphExec execution, CUgraphNode node, CUgraph child) {
    return replace("cuGraphExecChildGraphNodeSetParams", execution, node,
                   [&] { return child_graph_operation(child, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE); });
}

CUresult CUDAAPI cuGraphExecEventRecordNodeSetEvent(CUgraphExec execution, CUgraphNode node, CUevent event) {
    return replace("cuGraphExecEventRecordNodeSetEvent", execution, node,
                   [&] { return event_record_operation(event); });
}

CUresult CUDAAPI cuGraphExecEventWaitNodeSetEvent(CUgraphExec execution, CUgraphNode node, CUevent event) {
    return replace("cuGraphExecEventWaitNodeSetEvent", execution, node, [&] { return event_wait_operation(event); });
}

CUresult CUDAAPI cuGraphExecBatchMemOpNodeSetParams(CUgraphExec execution, CUgraphNode node,
                                                    const CUDA_BATCH_MEM_OP_NODE_PARAMS* parameters) {
    return replace("cuGraphExecBatchMemOpNodeSetParams", execution, node,
                   [&] { return memory_operation(required(parameters)); });
}

CUresult CUDAAPI cuGraphExecNodeSetParams(CUgraphExec execution_handle, CUgraphNode handle,
                                          CUgraphNodeParams* parameters) {
    return entry_graph("cuGraphExecNodeSetParams", [&] {
        require_pointer(parameters, "nodeParams");
        const std::shared_ptr<GraphExecution> execution = find_execution(execution_handle);
        const std::shared_ptr<GraphNode> node = find_node(handle);
        GraphNode& own = execution->node(*node);
        const CUgraphNodeType type = type_of(own.operation);
        if (parameters->type != type || type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || type == CU_GRAPH_NODE_TYPE_MEM_FREE ||
            type == CU_GRAPH_NODE_TYPE_CONDITIONAL) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              "a " + describe(own.operation) + " node cannot be given these parameters");
        }
        Operation operation = operation_from(*node->graph, *parameters);
        keep_attributes(own.operation, operation);
        execution->replace(own, std::move(operation));
    });
}

CUresult CUDAAPI cuGraphNodeSetEnabled(CUgraphExec execution_handle, CUgraphNode handle, unsigned int enabled) {
    return entry_graph("cuGraphNodeSetEnabled", [&] {
        const std::shared_ptr<GraphExecution> execution = find_execution(execution_handle);
        GraphNode& own = execution->node(*find_node(handle));
        const CUgraphNodeType type = type_of(own.operation);
        if (type != CU_GRAPH_NODE_TYPE_KERNEL && type != CU_GRAPH_NODE_TYPE_MEMCPY &&
            type != CU_GRAPH_NODE_TYPE_MEMSET) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, "a " + describe(own.operation) + " node cannot be disabled");
        }
        execution->set_enabled(own, enabled != 0);
    });
}

CUresult CUDAAPI cuGraphNodeGetEnabled(CUgraphExec execution_handle, CUgraphNode handle, unsigned int* enabled) {
    return entry_graph("cuGraphNodeGetEnabled", [&] {
        require_pointer(enabled, "isEnabled");
        const std::shared_ptr<GraphExecution> execution = find_execution(execution_handle);
        *enabled = execution->node(*find_node(handle)).enabled ? 1 : 0;
    });
}

}  // extern "C"
