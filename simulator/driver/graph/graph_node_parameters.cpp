// From operations to the driver's node parameters.
#include "driver/context/context.hpp"
#include "driver/graph/entry_graph.hpp"
#include "driver/graph/graph_condition.hpp"
#include "driver/graph/graph_kernel.hpp"
#include "driver/graph/graph_memory.hpp"

namespace cuprum::simulator::libcuda {

namespace {

struct Reporter {
    CUgraphNodeParams& out;

    void operator()(KernelOperation& kernel) const { report_kernel(kernel, out.kernel); }
    void operator()(CopyOperation& copied) const {
        out.memcpy.copyCtx = copied.context->handle();
        out.memcpy.copyParams = copied.parameters;
    }
    void operator()(FillOperation& filled) const {
        const CUDA_MEMSET_NODE_PARAMS& fill = filled.parameters;
        out.memset.dst = fill.dst;
        out.memset.pitch = fill.pitch;
        out.memset.value = fill.value;
        out.memset.elementSize = fill.elementSize;
        out.memset.width = fill.width;
        out.memset.height = fill.height;
        out.memset.ctx = filled.context->handle();
    }
    void operator()(HostOperation& host) const {
        out.reserved1[place_of_sync_mode] = host.sync_mode;
        out.host.fn = host.parameters.fn;
        out.host.userData = host.parameters.userData;
    }
    void operator()(ChildGraphOperation& child) const {
        out.graph.graph = child.graph->handle();
        out.graph.ownership = child.ownership;
    }
    void operator()(ConditionalOperation& conditional) const {
        out.conditional.handle = conditional.condition->handle();
        out.conditional.type = conditional.type;
        out.conditional.size = static_cast<unsigned int>(conditional.bodies.size());
        report_bodies(conditional);
        out.conditional.ctx = conditional.condition->context()->handle();
    }
    void operator()(EmptyOperation&) const {}
    void operator()(EventWaitOperation& wait) const { out.eventWait.event = wait.handle; }
    void operator()(EventRecordOperation& record) const { out.eventRecord.event = record.handle; }
    void operator()(AllocateOperation& allocation) const {
        out.alloc.poolProps = allocation.parameters.poolProps;
        out.alloc.accessDescs = allocation.accesses.data();
        out.alloc.accessDescCount = allocation.accesses.size();
        out.alloc.bytesize = allocation.parameters.bytesize;
        out.alloc.dptr = allocation.memory->address();
    }
    void operator()(FreeOperation& release) const { out.free.dptr = release.memory->address(); }
    void operator()(MemoryOperation& memory) const {
        out.memOp.ctx = memory.context->handle();
        out.memOp.count = static_cast<unsigned int>(memory.operations.size());
        out.memOp.paramArray = memory.operations.data();
        out.memOp.flags = memory.flags;
    }
    void operator()(SemaphoreSignalOperation& signal) const {
        SemaphoreSignals& signals = signal.signals;
        out.extSemSignal = {signals.handles.data(), signals.parameters.data(),
                            static_cast<unsigned int>(signals.handles.size())};
    }
    void operator()(SemaphoreWaitOperation& wait) const {
        SemaphoreWaits& waits = wait.waits;
        out.extSemWait = {waits.handles.data(), waits.parameters.data(),
                          static_cast<unsigned int>(waits.handles.size())};
    }

private:
    // A clone has bodies of its own, whose handles nobody may have been told yet.
    void report_bodies(ConditionalOperation& conditional) const {
        auto handles = std::make_shared<std::vector<CUgraph>>();
        for (const std::shared_ptr<Graph>& body : conditional.bodies) {
            handles->push_back(body->handle());
        }
        if (!conditional.reported_bodies || *conditional.reported_bodies != *handles) {
            conditional.reported_bodies = std::move(handles);
        }
        out.conditional.phGraph_out = conditional.reported_bodies->data();
    }
};

}  // namespace

CUgraphNodeParams node_parameters(Operation& operation) {
    CUgraphNodeParams parameters{};
    parameters.type = type_of(operation);
    std::visit(Reporter{parameters}, operation);
    return parameters;
}

void require_own_context(const CUgraphNodeParams& parameters) {
    if (parameters.type != CU_GRAPH_NODE_TYPE_KERNEL || parameters.kernel.ctx == nullptr) return;
    const std::shared_ptr<Function> function = handles().functions.find(parameters.kernel.func);
    if (function && function->module()->context() != resolve_context(parameters.kernel.ctx).context) {
        throw DriverError(CUDA_ERROR_INVALID_CONTEXT,
                          "the kernel's function was loaded into another context than ctx is, or is a part of");
    }
}

}  // namespace cuprum::simulator::libcuda
