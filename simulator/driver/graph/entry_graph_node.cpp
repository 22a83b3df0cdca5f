// The nodes of graphs: adding them, their parameters and attributes.
#include "driver/graph/entry_graph_parameters.hpp"
#include "driver/graph/graph_edges.hpp"
#include "driver/graph/graph_kernel.hpp"
#include "driver/graph/graph_memory.hpp"
#include "driver/launch/launch_attribute.hpp"
#include "driver/process/newer_api.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

void replace_parameters(GraphNode& node, CUgraphNodeParams& parameters) {
    const CUgraphNodeType type = type_of(node.operation);
    if (parameters.type != type) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "the node is of another kind: " + describe(node.operation));
    }
    if (type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || type == CU_GRAPH_NODE_TYPE_MEM_FREE ||
        type == CU_GRAPH_NODE_TYPE_CONDITIONAL) {
        throw DriverError(CUDA_ERROR_NOT_SUPPORTED,
                          "the parameters of a " + describe(node.operation) + " node cannot change");
    }
    Operation operation = operation_from(*node.graph, parameters);
    keep_attributes(node.operation, operation);
    node.operation = std::move(operation);
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuGraphAddKernelNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                         size_t count, const CUDA_KERNEL_NODE_PARAMS* parameters) {
    return add_node("cuGraphAddKernelNode", node, graph, dependencies, nullptr, count,
                    [&](const Graph&) { return kernel_operation(required(parameters)); });
}

CUresult CUDAAPI cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                                      const CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
    return add_node("cuGraphAddKernelNode", node, graph, dependencies, nullptr, count,
                    [&](const Graph&) { return kernel_operation(widen(required(parameters))); });
}

CUresult CUDAAPI cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                                      const CUDA_MEMCPY3D* parameters, CUcontext context) {
    return add_node("cuGraphAddMemcpyNode", node, graph, dependencies, nullptr, count,
                    [&](const Graph&) { return copy_operation(required(parameters), context); });
}

CUresult CUDAAPI cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                                      const CUDA_MEMSET_NODE_PARAMS* parameters, CUcontext context) {
    return add_node("cuGraphAddMemsetNode", node, graph, dependencies, nullptr, count,
                    [&](const Graph&) { return fill_operation(required(parameters), context); });
}

CUresult CUDAAPI cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                                    const CUDA_HOST_NODE_PARAMS* parameters) {
    return add_node("cuGraphAddHostNode", node, graph, dependencies, nullptr, count,
                    [&](const Graph&) { return host_operation(required(parameters)); });
}

CUresult CUDAAPI cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                          size_t count, CUgraph child) {
    return add_node("cuGraphAddChildGraphNode", node, graph, dependencies, nullptr, count,
                    [&](const Graph&) { return child_graph_operation(child, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE); });
}

CUresult CUDAAPI cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count) {
    return add_node("cuGraphAddEmptyNode", node, graph, dependencies, nullptr, count,
                    [](const Graph&) { return Operation(EmptyOperation{}); });
}

CUresult CUDAAPI cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                           size_t count, CUevent event) {
    return add_node("cuGraphAddEventRecordNode", node, graph, dependencies, nullptr, count,
                    [&](const Graph&) { return event_record_operation(event); });
}

CUresult CUDAAPI cuGraphAddEventWaitNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                         size_t count, CUevent event) {
    return add_node("cuGraphAddEventWaitNode", node, graph, dependencies, nullptr, count,
                    [&](const Graph&) { return event_wait_operation(event); });
}

CUresult CUDAAPI cuGraphAddMemAllocNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                                        CUDA_MEM_ALLOC_NODE_PARAMS* parameters) {
    return add_node("cuGraphAddMemAllocNode", node, graph, dependencies, nullptr, count, [&](const Graph&) {
        require_pointer(parameters, "nodeParams");
        return allocate_operation(*parameters);
    });
}

CUresult CUDAAPI cuGraphAddMemFreeNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                                       CUdeviceptr pointer) {
    return add_node("cuGraphAddMemFreeNode", node, graph, dependencies, nullptr, count,
                    [&](const Graph& owner) { return free_operation(owner, pointer); });
}

CUresult CUDAAPI cuGraphAddBatchMemOpNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                          size_t count, const CUDA_BATCH_MEM_OP_NODE_PARAMS* parameters) {
    return add_node("cuGraphAddBatchMemOpNode", node, graph, dependencies, nullptr, count,
                    [&](const Graph&) { return memory_operation(required(parameters)); });
}

CUresult CUDAAPI cuGraphAddNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                   const CUgraphEdgeData* data, size_t count, CUgraphNodeParams* parameters) {
    return add_node("cuGraphAddNode", node, graph, dependencies, data, count, [&](const Graph& owner) {
        require_pointer(parameters, "nodeParams");
        return operation_from(owner, *parameters);
    });
}

CUresult CUDAAPI cuGraphAddNode_v3(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                   const CUgraphEdgeData* data, size_t count, CUgraphNodeParams* parameters) {
    return add_node("cuGraphAddNode", node, graph, dependencies, data, count, [&](const Graph& owner) {
        require_pointer(parameters, "nodeParams");
        require_own_context(*parameters);
        return operation_from(owner, *parameters);
    });
}

CUresult CUDAAPI cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                                CUgraphNodeParams* parameters) {
    return cuGraphAddNode_v2(node, graph, dependencies, nullptr, count, parameters);
}

CUresult CUDAAPI cuGraphNodeSetParams(CUgraphNode handle, CUgraphNodeParams* parameters) {
    return entry_graph("cuGraphNodeSetParams", [&] {
        require_pointer(parameters, "nodeParams");
        replace_parameters(*find_node(handle), *parameters);
    });
}

CUresult CUDAAPI cuGraphNodeSetParams_v2(CUgraphNode handle, CUgraphNodeParams* parameters) {
    return entry_graph("cuGraphNodeSetParams", [&] {
        require_pointer(parameters, "nodeParams");
        require_own_context(*parameters);
        replace_parameters(*find_node(handle), *parameters);
    });
}

CUresult CUDAAPI cuGraphNodeGetParams(CUgraphNode handle, CUgraphNodeParams* parameters) {
    return entry_graph("cuGraphNodeGetParams", [&] {
        require_pointer(parameters, "nodeParams");
        *parameters = node_parameters(find_node(handle)->operation);
    });
}

CUresult CUDAAPI cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* parameters) {
    return get_parameters<KernelOperation>("cuGraphKernelNodeGetParams", node, parameters,
                                           report_kernel<CUDA_KERNEL_NODE_PARAMS>);
}

CUresult CUDAAPI cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
    return get_parameters<KernelOperation>("cuGraphKernelNodeGetParams", node, parameters,
                                           report_kernel<CUDA_KERNEL_NODE_PARAMS_v1>);
}

CUresult CUDAAPI cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* parameters) {
    return set_parameters<KernelOperation>("cuGraphKernelNodeSetParams", node, [&](const KernelOperation&) {
        return kernel_operation(required(parameters));
    });
}

CUresult CUDAAPI cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
    return set_parameters<KernelOperation>("cuGraphKernelNodeSetParams", node, [&](const KernelOperation&) {
        return kernel_operation(widen(required(parameters)));
    });
}

CUresult CUDAAPI cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* parameters) {
    return get_parameters<CopyOperation>("cuGraphMemcpyNodeGetParams", node, parameters,
                                         [](const CopyOperation& copied, auto& out) { out = copied.parameters; });
}

CUresult CUDAAPI cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* parameters) {
    return set_parameters<CopyOperation>("cuGraphMemcpyNodeSetParams", node, [&](const CopyOperation& old) {
        return copy_operation(required(parameters), old.context->handle());
    });
}

CUresult CUDAAPI cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* parameters) {
    return get_parameters<FillOperation>("cuGraphMemsetNodeGetParams", node, parameters,
                                         [](const FillOperation& filled, auto& out) { out = filled.parameters; });
}

CUresult CUDAAPI cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* parameters) {
    return set_parameters<FillOperation>("cuGraphMemsetNodeSetParams", node, [&](const FillOperation& old) {
        return fill_operation(required(parameters), old.context->handle());
    });
}

CUresult CUDAAPI cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* parameters) {
    return get_parameters<HostOperation>("cuGraphHostNodeGetParams", node, parameters,
                                         [](const HostOperation& host, auto& out) { out = host.parameters; });
}

CUresult CUDAAPI cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* parameters) {
    return set_parameters<HostOperation>("cuGraphHostNodeSetParams", node,
                                         [&](const HostOperation&) { return host_operation(required(parameters)); });
}

CUresult CUDAAPI cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph) {
    return get_parameters<ChildGraphOperation>(
        "cuGraphChildGraphNodeGetGraph", node, graph,
        [](const ChildGraphOperation& child, CUgraph& out) { out = child.graph->handle(); });
}

CUresult CUDAAPI cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* event) {
    return get_parameters<EventRecordOperation>(
        "cuGraphEventRecordNodeGetEvent", node, event,
        [](const EventRecordOperation& record, CUevent& out) { out = record.handle; });
}

CUresult CUDAAPI cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
    return set_parameters<EventRecordOperation>(
        "cuGraphEventRecordNodeSetEvent", node,
        [&](const EventRecordOperation&) { return event_record_operation(event); });
}

CUresult CUDAAPI cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* event) {
    return get_parameters<EventWaitOperation>("cuGraphEventWaitNodeGetEvent", node, event,
                                              [](const EventWaitOperation& wait, CUevent& out) { out = wait.handle; });
}

CUresult CUDAAPI cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
    return set_parameters<EventWaitOperation>("cuGraphEventWaitNodeSetEvent", node,
                                              [&](const EventWaitOperation&) { return event_wait_operation(event); });
}

CUresult CUDAAPI cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* parameters) {
    return get_parameters<AllocateOperation>("cuGraphMemAllocNodeGetParams", node, parameters,
                                             [](const AllocateOperation& allocation, auto& out) {
                                                 out = allocation.parameters;
                                                 out.accessDescs = allocation.accesses.data();
                                             });
}

CUresult CUDAAPI cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* pointer) {
    return get_parameters<FreeOperation>(
        "cuGraphMemFreeNodeGetParams", node, pointer,
        [](const FreeOperation& release, CUdeviceptr& out) { out = release.memory->address(); });
}

CUresult CUDAAPI cuGraphBatchMemOpNodeGetParams(CUgraphNode node, CUDA_BATCH_MEM_OP_NODE_PARAMS* parameters) {
    return get_parameters<MemoryOperation>(
        "cuGraphBatchMemOpNodeGetParams", node, parameters, [](MemoryOperation& memory, auto& out) {
            out = {memory.context->handle(), static_cast<unsigned int>(memory.operations.size()),
                   memory.operations.data(), memory.flags};
        });
}

CUresult CUDAAPI cuGraphBatchMemOpNodeSetParams(CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS* parameters) {
    return set_parameters<MemoryOperation>("cuGraphBatchMemOpNodeSetParams", node, [&](const MemoryOperation&) {
        return memory_operation(required(parameters));
    });
}

CUresult CUDAAPI cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute,
                                               CUkernelNodeAttrValue* value) {
    return get_parameters<KernelOperation>("cuGraphKernelNodeGetAttribute", node, value,
                                           [&](const KernelOperation& kernel, CUkernelNodeAttrValue& out) {
                                               require_node_attribute(attribute);
                                               out = kernel_attribute(kernel, attribute);
                                           });
}

CUresult CUDAAPI cuGraphKernelNodeSetAttribute(CUgraphNode handle, CUkernelNodeAttrID attribute,
                                               const CUkernelNodeAttrValue* value) {
    return entry_graph("cuGraphKernelNodeSetAttribute", [&] {
        require_pointer(value, "value");
        require_node_attribute(attribute);
        set_kernel_attribute(operation_of<KernelOperation>(find_node(handle)), attribute, *value);
    });
}

CUresult CUDAAPI cuGraphKernelNodeCopyAttributes(CUgraphNode destination, CUgraphNode source) {
    return entry_graph("cuGraphKernelNodeCopyAttributes", [&] {
        const std::shared_ptr<GraphNode> from = find_node(source);
        const std::shared_ptr<GraphNode> to = find_node(destination);
        const auto& copied = operation_of<KernelOperation>(from);
        copy_kernel_attributes(copied, operation_of<KernelOperation>(to));
    });
}

}  // extern "C"
