// What the nodes of a graph do.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "driver/launch/launch.hpp"
#include "driver/memory/semaphore_batch.hpp"
#include "driver/process/cuda_api.hpp"
#include "driver/stream/stream.hpp"

namespace cuprum::simulator::libcuda {

class Context;
class Event;
class Graph;
class GraphMemory;
class GraphCondition;

// Each holds what the program gave, so that it can be asked for again, and what must live as long as the node.
// Operations are values: a clone of a graph copies them, and shares what does not change.
struct KernelOperation {
    std::shared_ptr<const KernelLaunch> launch;
};
struct CopyOperation {
    CUDA_MEMCPY3D parameters{};
    std::shared_ptr<Context> context;
};
struct FillOperation {
    CUDA_MEMSET_NODE_PARAMS parameters{};
    std::shared_ptr<Context> context;
};
struct HostOperation {
    CUDA_HOST_NODE_PARAMS parameters{};
    std::shared_ptr<Context> context;  // null: none was current
    unsigned int sync_mode = 0;        // CU_HOST_TASK_*: kept, and changes nothing
};
struct ChildGraphOperation {
    std::shared_ptr<Graph> graph;  // the node's own
    CUgraphChildGraphNodeOwnership ownership = CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE;
};
struct ConditionalOperation {
    std::shared_ptr<GraphCondition> condition;
    CUgraphConditionalNodeType type = CU_GRAPH_COND_TYPE_IF;
    std::vector<std::shared_ptr<Graph>> bodies;  // the node's own
    // What cuGraphAddNode has handed out a pointer to.
    std::shared_ptr<std::vector<CUgraph>> reported_bodies;
};
struct EmptyOperation {};
struct EventWaitOperation {
    CUevent handle = nullptr;
    std::shared_ptr<Event> event;
};
struct EventRecordOperation {
    CUevent handle = nullptr;
    std::shared_ptr<Event> event;
};
struct AllocateOperation {
    std::shared_ptr<GraphMemory> memory;
    CUDA_MEM_ALLOC_NODE_PARAMS parameters{};
    std::vector<CUmemAccessDesc> accesses;
};
struct FreeOperation {
    std::shared_ptr<GraphMemory> memory;
};
struct MemoryOperation {
    std::shared_ptr<Context> context;
    std::vector<CUstreamBatchMemOpParams> operations;
    unsigned int flags = 0;
};
struct SemaphoreSignalOperation {
    std::shared_ptr<Context> context;
    SemaphoreSignals signals;
};
struct SemaphoreWaitOperation {
    std::shared_ptr<Context> context;
    SemaphoreWaits waits;
};

using Operation =
    std::variant<EmptyOperation, KernelOperation, CopyOperation, FillOperation, HostOperation, ChildGraphOperation,
                 EventWaitOperation, EventRecordOperation, AllocateOperation, FreeOperation, MemoryOperation,
                 SemaphoreSignalOperation, SemaphoreWaitOperation, ConditionalOperation>;

// The graphs inside a node: a child graph, the bodies of a conditional node.
std::vector<std::shared_ptr<Graph>> graphs_inside(const Operation& operation);

CUgraphNodeType type_of(const Operation& operation);
// "kernel 'saxpy'": for reports and the printed graph.
std::string describe(const Operation& operation);
// Whether two operations may stand for one another in an executable graph: throws DriverError that says why not.
void require_replaceable(const Operation& old, const Operation& replacement);

// Gives a kernel that takes another one's place the attributes of that one; other operations have none.
void keep_attributes(const Operation& old, Operation& replacement);

// Carries out an operation on the calling thread, when its turn in a running graph has come. `event` is the recording
// that an event node waits for or makes; null if it has none. What goes wrong puts the operation's context out of
// service.
void perform(const Operation& operation, const std::shared_ptr<Completion>& event);

}  // namespace cuprum::simulator::libcuda
