#include "driver/graph/graph_operation.hpp"

#include "driver/context/context.hpp"
#include "driver/device/device.hpp"
#include "driver/error/driver_error.hpp"
#include "driver/graph/graph_memory.hpp"
#include "driver/memory/copy.hpp"
#include "driver/stream/stream_memory.hpp"

namespace cuprum::simulator::libcuda {

namespace {

// The places were checked when the node was made; what has gone since is found here, as a kernel would find it.
void in_context(Context& context, const std::function<void()>& operation) {
    context.run_unless_failed([&] {
        try {
            operation();
        } catch (const DriverError& error) {
            if (error.code() == CUDA_ERROR_LAUNCH_FAILED) throw;  // a race
            throw DriverError(CUDA_ERROR_ILLEGAL_ADDRESS, std::string("a node of a graph: ") + error.what());
        }
    });
}

struct Performer {
    const std::shared_ptr<Completion>& event;

    void operator()(const KernelOperation& kernel) const {
        KernelLaunch once = *kernel.launch;
        run_launch(once);
    }
    void operator()(const CopyOperation& copied) const {
        in_context(*copied.context, [&] { copy_now(describe_copy(copied.parameters)); });
    }
    void operator()(const FillOperation& filled) const {
        in_context(*filled.context, [&] { fill_now(describe_fill(filled.parameters)); });
    }
    void operator()(const HostOperation& host) const {
        // As documented: host functions do not run in a context with an error.
        if (host.context && host.context->sticky_error() != CUDA_SUCCESS) return;
        call_host_function([&] { host.parameters.fn(host.parameters.userData); });
    }
    void operator()(const ChildGraphOperation&) const {}   // its nodes are performed by themselves
    void operator()(const ConditionalOperation&) const {}  // as are its bodies', as often as it says
    void operator()(const EmptyOperation&) const {}
    void operator()(const EventWaitOperation&) const {
        if (event) event->wait();
    }
    void operator()(const EventRecordOperation&) const {
        if (event) event->signal();
    }
    void operator()(const AllocateOperation& allocation) const { allocation.memory->begin_use(); }
    void operator()(const FreeOperation& release) const { release.memory->end_use(); }
    void operator()(const MemoryOperation& memory) const { run_memory_operations(*memory.context, memory.operations); }
    void operator()(const SemaphoreSignalOperation& signal) const {
        run_semaphore_signals(*signal.context, signal.signals);
    }
    void operator()(const SemaphoreWaitOperation& wait) const { run_semaphore_waits(*wait.context, wait.waits); }
};

struct TypeOf {
    CUgraphNodeType operator()(const KernelOperation&) const { return CU_GRAPH_NODE_TYPE_KERNEL; }
    CUgraphNodeType operator()(const CopyOperation&) const { return CU_GRAPH_NODE_TYPE_MEMCPY; }
    CUgraphNodeType operator()(const FillOperation&) const { return CU_GRAPH_NODE_TYPE_MEMSET; }
    CUgraphNodeType operator()(const HostOperation&) const { return CU_GRAPH_NODE_TYPE_HOST; }
    CUgraphNodeType operator()(const ChildGraphOperation&) const { return CU_GRAPH_NODE_TYPE_GRAPH; }
    CUgraphNodeType operator()(const ConditionalOperation&) const { return CU_GRAPH_NODE_TYPE_CONDITIONAL; }
    CUgraphNodeType operator()(const EmptyOperation&) const { return CU_GRAPH_NODE_TYPE_EMPTY; }
    CUgraphNodeType operator()(const EventWaitOperation&) const { return CU_GRAPH_NODE_TYPE_WAIT_EVENT; }
    CUgraphNodeType operator()(const EventRecordOperation&) const { return CU_GRAPH_NODE_TYPE_EVENT_RECORD; }
    CUgraphNodeType operator()(const AllocateOperation&) const { return CU_GRAPH_NODE_TYPE_MEM_ALLOC; }
    CUgraphNodeType operator()(const FreeOperation&) const { return CU_GRAPH_NODE_TYPE_MEM_FREE; }
    CUgraphNodeType operator()(const MemoryOperation&) const { return CU_GRAPH_NODE_TYPE_BATCH_MEM_OP; }
    CUgraphNodeType operator()(const SemaphoreSignalOperation&) const { return CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL; }
    CUgraphNodeType operator()(const SemaphoreWaitOperation&) const { return CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT; }
};

}  // namespace

CUgraphNodeType type_of(const Operation& operation) {
    return std::visit(TypeOf{}, operation);
}

std::string describe(const Operation& operation) {
    if (const auto* kernel = std::get_if<KernelOperation>(&operation)) {
        const KernelLaunch& launch = *kernel->launch;
        return "kernel '" + launch.module->kernel(launch.request.kernel).name + "'";
    }
    switch (type_of(operation)) {
        case CU_GRAPH_NODE_TYPE_MEMCPY:
            return "memcpy";
        case CU_GRAPH_NODE_TYPE_MEMSET:
            return "memset";
        case CU_GRAPH_NODE_TYPE_HOST:
            return "host function";
        case CU_GRAPH_NODE_TYPE_GRAPH:
            return "child graph";
        case CU_GRAPH_NODE_TYPE_CONDITIONAL:
            return "conditional";
        case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
            return "event wait";
        case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
            return "event record";
        case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
            return "memory allocation";
        case CU_GRAPH_NODE_TYPE_MEM_FREE:
            return "memory free";
        case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
            return "memory operations";
        case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
            return "external semaphore signal";
        case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
            return "external semaphore wait";
        default:
            return "empty";
    }
}

void require_replaceable(const Operation& old, const Operation& replacement) {
    const auto refuse = [](const std::string& why) { throw DriverError(CUDA_ERROR_INVALID_VALUE, why); };
    if (type_of(old) != type_of(replacement)) {
        refuse("a " + describe(old) + " node cannot become a " + describe(replacement) + " node");
    }
    if (const auto* kernel = std::get_if<KernelOperation>(&old)) {
        const KernelLaunch& before = *kernel->launch;
        const KernelLaunch& after = *std::get<KernelOperation>(replacement).launch;
        if (before.context != after.context) refuse("the context of a kernel node cannot change");
        if (before.request.cooperative != after.request.cooperative) {
            refuse("a kernel node cannot become cooperative, or cease to be");
        }
    } else if (const auto* copied = std::get_if<CopyOperation>(&old)) {
        const CUDA_MEMCPY3D& before = copied->parameters;
        const CUDA_MEMCPY3D& after = std::get<CopyOperation>(replacement).parameters;
        if (before.srcMemoryType != after.srcMemoryType || before.dstMemoryType != after.dstMemoryType) {
            refuse("the memory types of a memcpy node cannot change");
        }
    } else if (const auto* filled = std::get_if<FillOperation>(&old)) {
        const CUDA_MEMSET_NODE_PARAMS& before = filled->parameters;
        const CUDA_MEMSET_NODE_PARAMS& after = std::get<FillOperation>(replacement).parameters;
        if ((before.height > 1 || after.height > 1) &&
            (before.width != after.width || before.height != after.height || before.elementSize != after.elementSize)) {
            refuse("only address and value of a 2D memset node can change");
        }
    } else if (const auto* batch = std::get_if<MemoryOperation>(&old)) {
        const MemoryOperation& after = std::get<MemoryOperation>(replacement);
        const auto same = [](const CUstreamBatchMemOpParams& a, const CUstreamBatchMemOpParams& b) {
            return a.operation == b.operation;
        };
        if (batch->context != after.context || !std::ranges::equal(batch->operations, after.operations, same)) {
            refuse("the context of a memory operation node cannot change, nor which operations it has");
        }
    } else if (const auto* signal = std::get_if<SemaphoreSignalOperation>(&old)) {
        const SemaphoreSignals& after = std::get<SemaphoreSignalOperation>(replacement).signals;
        if (signal->signals.handles.size() != after.handles.size()) {
            refuse("the number of semaphores of an external semaphore signal node cannot change");
        }
    } else if (const auto* wait = std::get_if<SemaphoreWaitOperation>(&old)) {
        const SemaphoreWaits& after = std::get<SemaphoreWaitOperation>(replacement).waits;
        if (wait->waits.handles.size() != after.handles.size()) {
            refuse("the number of semaphores of an external semaphore wait node cannot change");
        }
    } else if (type_of(old) == CU_GRAPH_NODE_TYPE_MEM_ALLOC || type_of(old) == CU_GRAPH_NODE_TYPE_MEM_FREE) {
        const auto memory_of = [](const Operation& operation) {
            const auto* allocation = std::get_if<AllocateOperation>(&operation);
            return allocation ? allocation->memory : std::get<FreeOperation>(operation).memory;
        };
        if (memory_of(old) != memory_of(replacement)) refuse("memory nodes of an executable graph cannot change");
    }
}

void keep_attributes(const Operation& old, Operation& replacement) {
    const auto* before = std::get_if<KernelOperation>(&old);
    auto* after = std::get_if<KernelOperation>(&replacement);
    if (before == nullptr || after == nullptr) return;
    auto launch = std::make_shared<KernelLaunch>(*after->launch);
    launch->attributes = before->launch->attributes;
    launch->request.cooperative = before->launch->request.cooperative;
    launch->request.cluster = before->launch->request.cluster;
    launch->request.explicit_cluster = before->launch->request.explicit_cluster;
    after->launch = std::move(launch);
}

std::vector<std::shared_ptr<Graph>> graphs_inside(const Operation& operation) {
    if (const auto* child = std::get_if<ChildGraphOperation>(&operation)) return {child->graph};
    if (const auto* conditional = std::get_if<ConditionalOperation>(&operation)) return conditional->bodies;
    return {};
}

void perform(const Operation& operation, const std::shared_ptr<Completion>& event) {
    std::visit(Performer{event}, operation);
}

}  // namespace cuprum::simulator::libcuda
