// From the driver's node parameters to operations.
#include "driver/context/green_context.hpp"
#include "driver/graph/entry_graph.hpp"
#include "driver/graph/graph_condition.hpp"
#include "driver/graph/graph_memory.hpp"
#include "driver/memory/copy.hpp"
#include "driver/stream/host_task.hpp"
#include "driver/stream/stream_memory.hpp"

namespace cuprum::simulator::libcuda {

namespace {

std::shared_ptr<Context> context_or_current(CUcontext handle) {
    if (handle == nullptr) return current_context();
    std::shared_ptr<Context> context = find_context(handle);
    require_usable(*context);
    return context;
}

// What CUDA 13.1 has put behind the other parameters of host nodes; older headers have padding there, which is zero.
unsigned int sync_mode_of(const CUgraphNodeParams& parameters) {
    return static_cast<unsigned int>(parameters.reserved1[place_of_sync_mode]);
}

constexpr int newest_node_type = 18;  // CU_GRAPH_NODE_TYPE_FABRIC_CPY_BATCH of CUDA 13.5

}  // namespace

CUDA_KERNEL_NODE_PARAMS widen(const CUDA_KERNEL_NODE_PARAMS_v1& old) {
    return {old.func,      old.gridDimX,       old.gridDimY,     old.gridDimZ, old.blockDimX, old.blockDimY,
            old.blockDimZ, old.sharedMemBytes, old.kernelParams, old.extra,    nullptr,       nullptr};
}

Operation kernel_operation(const CUDA_KERNEL_NODE_PARAMS& parameters) {
    CUfunction handle = parameters.func;
    std::shared_ptr<Context> context;
    if (handle == nullptr) {
        handle = reinterpret_cast<CUfunction>(parameters.kern);
        context = context_or_current(parameters.ctx);
    } else if (const std::shared_ptr<Function> function = handles().functions.find(handle)) {
        context = function->module()->context();
    } else {
        context = current_context();
    }
    LaunchShape shape{{parameters.gridDimX, parameters.gridDimY, parameters.gridDimZ},
                      {parameters.blockDimX, parameters.blockDimY, parameters.blockDimZ},
                      parameters.sharedMemBytes,
                      false};
    const CurrentContext place =
        parameters.ctx != nullptr ? resolve_context(parameters.ctx) : ContextStack::current_with_green();
    if (place.green && place.context == context) shape.multiprocessors = place.green->multiprocessors();
    return KernelOperation{prepare_launch(context, handle, shape, parameters.kernelParams, parameters.extra)};
}

Operation copy_operation(const CUDA_MEMCPY3D& parameters, CUcontext context) {
    const bool empty = parameters.WidthInBytes == 0 || parameters.Height == 0 || parameters.Depth == 0;
    if (!empty) check_copy(describe_copy(parameters));
    return CopyOperation{parameters, context_or_current(context)};
}

Operation fill_operation(const CUDA_MEMSET_NODE_PARAMS& parameters, CUcontext context) {
    check_fill(describe_fill(parameters));
    return FillOperation{parameters, context_or_current(context)};
}

Operation host_operation(const CUDA_HOST_NODE_PARAMS& parameters, unsigned int sync_mode) {
    if (parameters.fn == nullptr) throw DriverError(CUDA_ERROR_INVALID_VALUE, "fn is null");
    require_sync_mode(sync_mode);
    return HostOperation{parameters, ContextStack::current(), sync_mode};
}

Operation child_graph_operation(CUgraph handle, CUgraphChildGraphNodeOwnership ownership) {
    const std::shared_ptr<Graph> graph = find_graph(handle);
    if (ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE) {
        if (graph->owned_by_node) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, "the graph belongs to a node already");
        }
        graph->owned_by_node = true;
        return ChildGraphOperation{graph, ownership};
    }
    if (ownership != CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown ownership flag %d", ownership));
    }
    if (graph->has_conditional_nodes()) {
        throw DriverError(CUDA_ERROR_NOT_SUPPORTED,
                          "a graph with conditional nodes can only be moved into another one");
    }
    if (graph->has_memory_nodes()) {
        throw DriverError(CUDA_ERROR_NOT_SUPPORTED,
                          "a graph that allocates or frees memory can only be moved into another one");
    }
    std::shared_ptr<Graph> copy = graph->clone();
    copy->owned_by_node = true;
    return ChildGraphOperation{std::move(copy), ownership};
}

Operation event_wait_operation(CUevent handle) {
    return EventWaitOperation{handle, find_event(handle)};
}

Operation event_record_operation(CUevent handle) {
    return EventRecordOperation{handle, find_event(handle)};
}

Operation allocate_operation(CUDA_MEM_ALLOC_NODE_PARAMS& parameters) {
    const CUmemPoolProps& properties = parameters.poolProps;
    if (properties.allocType != CU_MEM_ALLOCATION_TYPE_PINNED || properties.handleTypes != CU_MEM_HANDLE_TYPE_NONE) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          "memory nodes need CU_MEM_ALLOCATION_TYPE_PINNED and CU_MEM_HANDLE_TYPE_NONE");
    }
    if (properties.location.type != CU_MEM_LOCATION_TYPE_DEVICE) {
        throw DriverError(CUDA_ERROR_NOT_SUPPORTED, "the simulator has memory nodes on devices only");
    }
    if (parameters.bytesize == 0) throw DriverError(CUDA_ERROR_INVALID_VALUE, "bytesize is 0");
    if (parameters.accessDescCount > 0) require_pointer(parameters.accessDescs, "accessDescs");
    AllocateOperation operation;
    operation.accesses.assign(parameters.accessDescs, parameters.accessDescs + parameters.accessDescCount);
    Device& device = driver().device(properties.location.id);
    auto access = std::make_shared<MemoryAccess>();
    access->by_device[device.ordinal()] = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    for (const CUmemAccessDesc& granted : operation.accesses) {
        access->by_device[driver().device(granted.location.id).ordinal()] = granted.flags;
    }
    operation.memory = GraphMemory::create(device, parameters.bytesize, std::move(access));
    parameters.dptr = operation.memory->address();
    operation.parameters = parameters;
    operation.parameters.accessDescs = nullptr;
    return operation;
}

Operation free_operation(const Graph& graph, CUdeviceptr pointer) {
    std::shared_ptr<GraphMemory> memory = GraphMemory::at(pointer);
    if (!memory) {
        throw DriverError(
            CUDA_ERROR_INVALID_VALUE,
            hexadecimal(pointer) + " is not the memory of an allocation node, which a free node must free");
    }
    for (const std::shared_ptr<GraphNode>& node : graph.nodes()) {
        const auto* release = std::get_if<FreeOperation>(&node->operation);
        if (release != nullptr && release->memory == memory) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, "another node of the graph frees this memory already");
        }
    }
    return FreeOperation{std::move(memory)};
}

Operation memory_operation(const CUDA_BATCH_MEM_OP_NODE_PARAMS& parameters) {
    require_flags(parameters.flags, 0, "flags");
    require_pointer(parameters.ctx, "ctx");
    std::shared_ptr<Context> context = find_context(parameters.ctx);
    require_usable(*context);
    std::vector<CUstreamBatchMemOpParams> operations =
        checked_memory_operations(*context, parameters.count, parameters.paramArray);
    return MemoryOperation{std::move(context), std::move(operations), parameters.flags};
}

Operation semaphore_signal_operation(const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS& parameters) {
    return SemaphoreSignalOperation{
        current_context(), semaphore_signals(parameters.extSemArray, parameters.paramsArray, parameters.numExtSems)};
}

Operation semaphore_wait_operation(const CUDA_EXT_SEM_WAIT_NODE_PARAMS& parameters) {
    return SemaphoreWaitOperation{
        current_context(), semaphore_waits(parameters.extSemArray, parameters.paramsArray, parameters.numExtSems)};
}

Operation conditional_operation(CUDA_CONDITIONAL_NODE_PARAMS& parameters) {
    const std::shared_ptr<GraphCondition> condition = find_condition(parameters.handle);
    if (condition->used) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "another conditional node has this handle already");
    }
    if (parameters.ctx != nullptr && find_context(parameters.ctx) != condition->context()) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "ctx is not the context that the handle was created for");
    }
    const unsigned int most = parameters.type == CU_GRAPH_COND_TYPE_IF       ? 2
                              : parameters.type == CU_GRAPH_COND_TYPE_WHILE  ? 1
                              : parameters.type == CU_GRAPH_COND_TYPE_SWITCH ? UINT32_MAX
                                                                             : 0;
    if (most == 0) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown conditional node type %d", parameters.type));
    }
    if (parameters.size == 0 || parameters.size > most) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("size is %u; it must be from 1 to %u for this type", parameters.size, most));
    }
    ConditionalOperation operation;
    operation.condition = condition;
    operation.type = parameters.type;
    operation.reported_bodies = std::make_shared<std::vector<CUgraph>>();
    for (unsigned int index = 0; index < parameters.size; ++index) {
        auto body = std::make_shared<Graph>();
        body->owned_by_node = true;
        operation.reported_bodies->push_back(body->handle());
        operation.bodies.push_back(std::move(body));
    }
    condition->used = true;
    parameters.phGraph_out = operation.reported_bodies->data();
    return operation;
}

Operation operation_from(const Graph& graph, CUgraphNodeParams& parameters) {
    switch (parameters.type) {
        case CU_GRAPH_NODE_TYPE_KERNEL: {
            const CUDA_KERNEL_NODE_PARAMS_v3& kernel = parameters.kernel;
            return kernel_operation({kernel.func, kernel.gridDimX, kernel.gridDimY, kernel.gridDimZ, kernel.blockDimX,
                                     kernel.blockDimY, kernel.blockDimZ, kernel.sharedMemBytes, kernel.kernelParams,
                                     kernel.extra, kernel.kern, kernel.ctx});
        }
        case CU_GRAPH_NODE_TYPE_MEMCPY:
            return copy_operation(parameters.memcpy.copyParams, parameters.memcpy.copyCtx);
        case CU_GRAPH_NODE_TYPE_MEMSET: {
            const CUDA_MEMSET_NODE_PARAMS_v2& fill = parameters.memset;
            return fill_operation({fill.dst, fill.pitch, fill.value, fill.elementSize, fill.width, fill.height},
                                  fill.ctx);
        }
        case CU_GRAPH_NODE_TYPE_HOST:
            return host_operation({parameters.host.fn, parameters.host.userData}, sync_mode_of(parameters));
        case CU_GRAPH_NODE_TYPE_GRAPH: {
            Operation operation = child_graph_operation(parameters.graph.graph, parameters.graph.ownership);
            parameters.graph.graph = std::get<ChildGraphOperation>(operation).graph->handle();
            return operation;
        }
        case CU_GRAPH_NODE_TYPE_EMPTY:
            return EmptyOperation{};
        case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
            return event_wait_operation(parameters.eventWait.event);
        case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
            return event_record_operation(parameters.eventRecord.event);
        case CU_GRAPH_NODE_TYPE_MEM_ALLOC: {
            CUDA_MEM_ALLOC_NODE_PARAMS allocation{parameters.alloc.poolProps, parameters.alloc.accessDescs,
                                                  parameters.alloc.accessDescCount, parameters.alloc.bytesize, 0};
            Operation operation = allocate_operation(allocation);
            parameters.alloc.dptr = allocation.dptr;
            return operation;
        }
        case CU_GRAPH_NODE_TYPE_MEM_FREE:
            return free_operation(graph, parameters.free.dptr);
        case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
            return memory_operation(
                {parameters.memOp.ctx, parameters.memOp.count, parameters.memOp.paramArray, parameters.memOp.flags});
        case CU_GRAPH_NODE_TYPE_CONDITIONAL:
            return conditional_operation(parameters.conditional);
        case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
            return semaphore_signal_operation({parameters.extSemSignal.extSemArray, parameters.extSemSignal.paramsArray,
                                               parameters.extSemSignal.numExtSems});
        case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
            return semaphore_wait_operation({parameters.extSemWait.extSemArray, parameters.extSemWait.paramsArray,
                                             parameters.extSemWait.numExtSems});
        default:
            break;
    }
    if (parameters.type > CU_GRAPH_NODE_TYPE_CONDITIONAL && parameters.type <= newest_node_type) {
        throw DriverError(
            CUDA_ERROR_NOT_SUPPORTED,
            format("the simulator has no nodes of type %d, which came with CUDA 13.1 or later", parameters.type));
    }
    throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown node type %d", parameters.type));
}

}  // namespace cuprum::simulator::libcuda
