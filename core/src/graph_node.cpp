#include "cuprum/core/graph_node.hpp"

#include <mutex>
#include <string>
#include <utility>

#include "cuprum/core/graph.hpp"
#include "driver_error.hpp"
#include "graph_keeping.hpp"
#include "graph_node_calls.hpp"
#include "graph_node_parameters.hpp"
#include "graph_state.hpp"
#include "left_to_destroy.hpp"
#include "require.hpp"

namespace cuprum::core {

namespace {

using Record = GraphPosition::Record;
using NodeRecord = GraphPosition::NodeRecord;

// Remembers who owns the operands of a copy or a fill.
void note_owners(const GraphNode& node, const GraphOwners& owners) {
    GraphAccess::node(node)->owners.assign(owners.begin(), owners.end());
}

// An operand that stays where it is, and is given no owner, has the one that it had.
void keep_owner(const GraphPosition::NodeRecord& node, GraphOwners& owners, size_t operand, bool stays) {
    if (owners.size() <= operand) owners.resize(operand + 1);
    if (stays && owners[operand] == nullptr && operand < node.owners.size()) {
        owners[operand] = node.owners[operand].lock();
    }
}

// The address of one side of a copy, whichever way it was described.
DevicePointer copied_address(CUmemorytype type, const void* host, CUdeviceptr device, size_t x, size_t y, size_t z,
                             size_t pitch, size_t height) {
    const uint64_t base = type == CU_MEMORYTYPE_HOST ? reinterpret_cast<uintptr_t>(host) : device;
    return base + x + (y + z * height) * pitch;
}

void require_room(const BufferRef& buffer, uint64_t size, const char* operation, const char* name) {
    require_open(buffer, operation, name);
    if (size <= buffer.size()) return;
    throw InvalidArgument(
        operation, describe(buffer),
        "the " + std::string(name) + " has fewer than the " + std::to_string(size) + " bytes that are to be copied");
}

}  // namespace

GraphNode GraphPosition::launch_arguments(const LaunchConfig& config, const Kernel& kernel,
                                          std::span<const void* const> addresses, std::span<const ArgumentType> types,
                                          GraphOwners owners) const {
    const OpenGraph open(*this, "adding a kernel node");
    check_node_arguments(kernel, open.device_id(), addresses, types);
    return launch_checked(config, kernel, addresses, std::move(owners));
}

GraphNode GraphPosition::launch_checked(const LaunchConfig& config, const Kernel& kernel,
                                        std::span<const void* const> addresses, GraphOwners owners) const {
    const OpenGraph open(*this, "adding a kernel node");
    NodeParameters parameters = kernel_node(open, config, kernel, addresses, std::move(owners));
    return add_node(open, parameters, [&](CUgraphNode node, NodeRecord& record) {
        set_node_attributes(node, config, open.operation());
        record.kernel = kernel;
    });
}

GraphNode GraphPosition::memcpy(const MemcpyNodeParameters& parameters, GraphOwners owners) const {
    const OpenGraph open(*this, "adding a memcpy node");
    const GraphOwners given = owners;
    GraphNode node = add_node(open, memcpy_node(open, parameters, std::move(owners)));
    note_owners(node, given);
    return node;
}

GraphNode GraphPosition::memcpy(const BufferRef& destination, const BufferRef& source, uint64_t size,
                                GraphOwners owners) const {
    constexpr const char* operation = "adding a memcpy node";
    require_room(destination, size, operation, "destination");
    require_room(source, size, operation, "source");
    return memcpy(MemcpyNodeParameters{destination.handle(), source.handle(), size}, std::move(owners));
}

GraphNode GraphPosition::memset(const MemsetNodeParameters& parameters, GraphOwners owners) const {
    const OpenGraph open(*this, "adding a memset node");
    const GraphOwners given = owners;
    GraphNode node = add_node(open, memset_node(open, parameters, std::move(owners)));
    note_owners(node, given);
    return node;
}

GraphNode GraphPosition::callback(std::function<void()> function, GraphOwners owners) const {
    const OpenGraph open(*this, "adding a host callback node");
    return add_node(open, host_node(std::move(function), std::move(owners), open.operation()));
}

GraphNode GraphPosition::record(EventRef event, GraphOwners owners) const {
    const OpenGraph open(*this, "adding an event record node");
    return add_node(open, event_node(GraphNodeType::event_record, event, std::move(owners), open.operation()));
}

GraphNode GraphPosition::wait(EventRef event, GraphOwners owners) const {
    const OpenGraph open(*this, "adding an event wait node");
    return add_node(open, event_node(GraphNodeType::event_wait, event, std::move(owners), open.operation()));
}

GraphNode GraphPosition::embed(const GraphDefinition& child) const {
    constexpr const char* operation = "adding a child graph node";
    const std::lock_guard two_graphs(two_graphs_mutex());
    const OpenGraph open(*this, operation);
    const OpenGraph embedded(child, operation);
    if (&open.hierarchy() == &embedded.hierarchy()) {
        throw InvalidArgument(operation, open.name(), "a graph cannot be embedded in itself or in a part of itself",
                              "make another graph definition");
    }
    NodeParameters parameters = child_graph_node(embedded.graph());
    return add_node(open, parameters, [&](CUgraphNode node, NodeRecord& record) {
        auto part = std::make_shared<Record>();
        check(driver::cuGraphChildGraphNodeGetGraph(node, &part->handle), "cuGraphChildGraphNodeGetGraph", operation,
              "child graph node");
        record.parts.push_back(std::move(part));
    });
}

GraphNode GraphPosition::empty() const {
    const OpenGraph open(*this, "adding an empty node");
    NodeParameters parameters;
    parameters.values.type = CU_GRAPH_NODE_TYPE_EMPTY;
    return add_node(open, std::move(parameters));
}

GraphNode GraphPosition::join(std::span<const GraphNode> nodes) const {
    const OpenGraph open(*this, "joining nodes of a graph");
    const GraphDefinition graph = GraphAccess::definition(hierarchy_, record_);
    GraphNode joined = empty();
    try {
        for (const GraphNode& each : nodes)
            graph.add_dependency(each, joined);
    } catch (...) {
        joined.destroy();
        throw;
    }
    return joined;
}

GraphNode GraphPosition::allocate(const AllocationNodeParameters& parameters) const {
    const OpenGraph open(*this, "adding an allocation node");
    if (parameters.size == 0) {
        throw InvalidArgument(open.operation(), open.name(), "it allocates 0 bytes", "allocate at least one");
    }
    const int32_t device_id = parameters.device_id.value_or(open.device_id());
    NodeParameters made;
    made.values.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
    CUDA_MEM_ALLOC_NODE_PARAMS_v2& values = made.values.alloc;
    values.bytesize = parameters.size;
    values.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    values.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, device_state(device_id).device};
    switch (parameters.memory_type) {
        case GraphMemoryType::device:
            break;
        case GraphMemoryType::host:
            values.poolProps.location = {CU_MEM_LOCATION_TYPE_HOST, 0};
            break;
        case GraphMemoryType::managed:
#if CUDA_VERSION >= 13000
            values.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_MANAGED;
            break;
#else
            throw Unsupported(open.operation(), open.name(), "managed memory of graphs needs CUDA 13",
                              "build Cuprum with the headers of CUDA 13");
#endif
    }
    std::vector<CUmemAccessDesc> accesses;
    accesses.reserve(parameters.peer_access.size());
    for (const int32_t peer : parameters.peer_access) {
        accesses.push_back(
            {{CU_MEM_LOCATION_TYPE_DEVICE, device_state(peer).device}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE});
    }
    values.accessDescs = accesses.empty() ? nullptr : accesses.data();
    values.accessDescCount = accesses.size();
    return add_node(open, made, [&](CUgraphNode, NodeRecord& record) {
        record.allocation = parameters;
        record.allocation.device_id = device_id;
        record.allocation.address = made.values.alloc.dptr;
    });
}

GraphNode GraphPosition::deallocate(DevicePointer address) const {
    const OpenGraph open(*this, "adding a free node");
    NodeParameters made;
    made.values.type = CU_GRAPH_NODE_TYPE_MEM_FREE;
    made.values.free.dptr = address;
    return add_node(open, std::move(made));
}

GraphNode GraphPosition::if_then(const GraphCondition& condition) const {
    return conditional(condition, GraphConditionalType::if_node, 1);
}

GraphNode GraphPosition::if_else(const GraphCondition& condition) const {
    return conditional(condition, GraphConditionalType::if_node, 2);
}

GraphNode GraphPosition::while_loop(const GraphCondition& condition) const {
    return conditional(condition, GraphConditionalType::while_node, 1);
}

GraphNode GraphPosition::switch_case(const GraphCondition& condition, uint32_t count) const {
    return conditional(condition, GraphConditionalType::switch_node, count);
}

CUgraphNodeParams conditional_node(const GraphCondition& condition, GraphConditionalType type, uint32_t count,
                                   CUcontext context, const char* operation) {
    if (!condition.is_valid()) {
        throw InvalidArgument(operation, "condition", "it is invalid (default-constructed)",
                              "make one with create_condition of the graph");
    }
    if (count == 0) {
        throw InvalidArgument(operation, "conditional node", "it has no bodies", "ask for at least one");
    }
    CUgraphNodeParams values{};
    values.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    values.conditional.handle = condition.handle();
    values.conditional.type = static_cast<CUgraphConditionalNodeType>(type);
    values.conditional.size = count;
    values.conditional.ctx = context;
    return values;
}

void take_bodies(NodeRecord& record, const CUgraphNodeParams& values, const GraphCondition& condition,
                 GraphConditionalType type) {
    record.condition = condition;
    record.conditional_type = type;
    for (uint32_t i = 0; i < values.conditional.size; ++i) {
        auto part = std::make_shared<Record>();
        part->handle = values.conditional.phGraph_out[i];
        record.parts.push_back(std::move(part));
    }
}

GraphNode GraphPosition::conditional(const GraphCondition& condition, GraphConditionalType type, uint32_t count) const {
    const OpenGraph open(*this, "adding a conditional node");
    NodeParameters made{conditional_node(condition, type, count, open.context(), open.operation()), {}};
    return add_node(open, made,
                    [&](CUgraphNode, NodeRecord& record) { take_bodies(record, made.values, condition, type); });
}

// ---- What a node was made of.

KernelNodeParameters GraphNode::kernel() const {
    const OpenGraph open(*this, "asking for the parameters of a kernel node");
    require_type(open, GraphNodeType::kernel);
    CUDA_KERNEL_NODE_PARAMS values{};
    check(driver::cuGraphKernelNodeGetParams(node_->handle, &values), "cuGraphKernelNodeGetParams", open.operation(),
          open.name());
    const LaunchConfig config = node_config(node_->handle, values, open.operation());
    if (node_->kernel.is_valid()) return {config, node_->kernel};
    const CUkernel kernel = values.kern != nullptr ? values.kern : reinterpret_cast<CUkernel>(values.func);
    return {config, Kernel::from_handle(kernel)};
}

MemcpyNodeParameters GraphNode::memcpy_parameters() const {
    const OpenGraph open(*this, "asking for the parameters of a memcpy node");
    require_type(open, GraphNodeType::memcpy);
    CUDA_MEMCPY3D copy{};
    check(driver::cuGraphMemcpyNodeGetParams(node_->handle, &copy), "cuGraphMemcpyNodeGetParams", open.operation(),
          open.name());
    return {copied_address(copy.dstMemoryType, copy.dstHost, copy.dstDevice, copy.dstXInBytes, copy.dstY, copy.dstZ,
                           copy.dstPitch, copy.dstHeight),
            copied_address(copy.srcMemoryType, copy.srcHost, copy.srcDevice, copy.srcXInBytes, copy.srcY, copy.srcZ,
                           copy.srcPitch, copy.srcHeight),
            copy.WidthInBytes * copy.Height * copy.Depth};
}

MemsetNodeParameters GraphNode::memset_parameters() const {
    const OpenGraph open(*this, "asking for the parameters of a memset node");
    require_type(open, GraphNodeType::memset);
    CUDA_MEMSET_NODE_PARAMS fill{};
    check(driver::cuGraphMemsetNodeGetParams(node_->handle, &fill), "cuGraphMemsetNodeGetParams", open.operation(),
          open.name());
    return {fill.dst, fill.value, fill.elementSize, fill.width, fill.height, fill.pitch};
}

AllocationNodeParameters GraphNode::allocation() const {
    const OpenGraph open(*this, "asking for the parameters of an allocation node");
    require_type(open, GraphNodeType::allocation);
    if (node_->allocation.address != 0) return node_->allocation;
    CUDA_MEM_ALLOC_NODE_PARAMS values{};
    check(driver::cuGraphMemAllocNodeGetParams(node_->handle, &values), "cuGraphMemAllocNodeGetParams",
          open.operation(), open.name());
    AllocationNodeParameters parameters;
    parameters.size = values.bytesize;
    parameters.device_id = open.device_id();
    switch (values.poolProps.location.type) {
        case CU_MEM_LOCATION_TYPE_DEVICE:
            parameters.device_id = values.poolProps.location.id;
            break;
        case CU_MEM_LOCATION_TYPE_HOST:
        case CU_MEM_LOCATION_TYPE_HOST_NUMA:
        case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
            parameters.memory_type = GraphMemoryType::host;
            break;
        default:
            break;
    }
#if CUDA_VERSION >= 13000
    if (values.poolProps.allocType == CU_MEM_ALLOCATION_TYPE_MANAGED) parameters.memory_type = GraphMemoryType::managed;
#endif
    for (size_t i = 0; i < values.accessDescCount; ++i) {
        const CUmemLocation& peer = values.accessDescs[i].location;
        if (peer.type == CU_MEM_LOCATION_TYPE_DEVICE && peer.id != values.poolProps.location.id)
            parameters.peer_access.push_back(peer.id);
    }
    parameters.address = values.dptr;
    return parameters;
}

DevicePointer GraphNode::freed_address() const {
    const OpenGraph open(*this, "asking for what a free node frees");
    require_type(open, GraphNodeType::free);
    CUdeviceptr address = 0;
    check(driver::cuGraphMemFreeNodeGetParams(node_->handle, &address), "cuGraphMemFreeNodeGetParams", open.operation(),
          open.name());
    return address;
}

CUevent GraphNode::event() const {
    const OpenGraph open(*this, "asking for the event of a node");
    CUevent event = nullptr;
    if (node_->type == GraphNodeType::event_wait) {
        check(driver::cuGraphEventWaitNodeGetEvent(node_->handle, &event), "cuGraphEventWaitNodeGetEvent",
              open.operation(), open.name());
        return event;
    }
    require_type(open, GraphNodeType::event_record);
    check(driver::cuGraphEventRecordNodeGetEvent(node_->handle, &event), "cuGraphEventRecordNodeGetEvent",
          open.operation(), open.name());
    return event;
}

GraphDefinition GraphNode::child_graph() const {
    const OpenGraph open(*this, "asking for the graph of a child graph node");
    require_type(open, GraphNodeType::child_graph);
    return GraphAccess::definition(hierarchy_, node_->parts.front());
}

GraphConditionalType GraphNode::conditional_type() const {
    const OpenGraph open(*this, "asking for the type of a conditional node");
    require_type(open, GraphNodeType::conditional);
    return node_->conditional_type;
}

GraphCondition GraphNode::condition() const {
    const OpenGraph open(*this, "asking for the condition of a conditional node");
    require_type(open, GraphNodeType::conditional);
    return node_->condition;
}

std::vector<GraphDefinition> GraphNode::bodies() const {
    const OpenGraph open(*this, "asking for the bodies of a conditional node");
    require_type(open, GraphNodeType::conditional);
    std::vector<GraphDefinition> bodies;
    for (const std::shared_ptr<Record>& part : node_->parts)
        bodies.push_back(GraphAccess::definition(hierarchy_, part));
    return bodies;
}

// ---- Other parameters.

void GraphNode::update_kernel_arguments(const LaunchConfig& config, const Kernel& kernel,
                                        std::span<const void* const> addresses, std::span<const ArgumentType> types,
                                        GraphOwners owners) const {
    const OpenGraph open(*this, "updating a kernel node");
    check_node_arguments(kernel, open.device_id(), addresses, types);
    update_kernel_checked(config, kernel, addresses, std::move(owners));
}

void GraphNode::update_kernel_checked(const LaunchConfig& config, const Kernel& kernel,
                                      std::span<const void* const> addresses, GraphOwners owners) const {
    const OpenGraph open(*this, "updating a kernel node");
    require_type(open, GraphNodeType::kernel);
    update_node(open, kernel_node(open, config, kernel, addresses, std::move(owners)));
    node_->kernel = kernel;
    set_node_attributes(node_->handle, config, open.operation());
}

void GraphNode::update_kernel_config(const LaunchConfig& config) const {
    const OpenGraph open(*this, "updating a kernel node");
    require_type(open, GraphNodeType::kernel);
    CUDA_KERNEL_NODE_PARAMS values{};
    check(driver::cuGraphKernelNodeGetParams(node_->handle, &values), "cuGraphKernelNodeGetParams", open.operation(),
          open.name());
    const NodeParameters checked = kernel_node(open, config, kernel().kernel, {}, {});
    values.gridDimX = checked.values.kernel.gridDimX;
    values.gridDimY = checked.values.kernel.gridDimY;
    values.gridDimZ = checked.values.kernel.gridDimZ;
    values.blockDimX = config.block.x;
    values.blockDimY = config.block.y;
    values.blockDimZ = config.block.z;
    values.sharedMemBytes = config.shmem_size;
    check(driver::cuGraphKernelNodeSetParams(node_->handle, &values), "cuGraphKernelNodeSetParams", open.operation(),
          [&open] { return open.name(); });
    set_node_attributes(node_->handle, config, open.operation());
}

void GraphNode::update_memcpy(const MemcpyNodeParameters& parameters, GraphOwners owners) const {
    const OpenGraph open(*this, "updating a memcpy node");
    require_type(open, GraphNodeType::memcpy);
    const MemcpyNodeParameters former = memcpy_parameters();
    keep_owner(*node_, owners, 0, former.destination == parameters.destination);
    keep_owner(*node_, owners, 1, former.source == parameters.source);
    const GraphOwners kept = owners;
    update_node(open, memcpy_node(open, parameters, std::move(owners)));
    note_owners(*this, kept);
}

void GraphNode::update_memset(const MemsetNodeParameters& parameters, GraphOwners owners) const {
    const OpenGraph open(*this, "updating a memset node");
    require_type(open, GraphNodeType::memset);
    keep_owner(*node_, owners, 0, memset_parameters().destination == parameters.destination);
    const GraphOwners kept = owners;
    update_node(open, memset_node(open, parameters, std::move(owners)));
    note_owners(*this, kept);
}

void GraphNode::update_callback(std::function<void()> function, GraphOwners owners) const {
    const OpenGraph open(*this, "updating a host callback node");
    require_type(open, GraphNodeType::host);
    update_node(open, host_node(std::move(function), std::move(owners), open.operation()));
}

void GraphNode::update_event(EventRef event, GraphOwners owners) const {
    const OpenGraph open(*this, "updating an event node");
    if (node_->type != GraphNodeType::event_wait) require_type(open, GraphNodeType::event_record);
    update_node(open, event_node(node_->type, event, std::move(owners), open.operation()));
}

void GraphNode::update_child_graph(const GraphDefinition& child) const {
    constexpr const char* operation = "updating a child graph node";
    const std::lock_guard two_graphs(two_graphs_mutex());
    const OpenGraph open(*this, operation);
    require_type(open, GraphNodeType::child_graph);
    const OpenGraph embedded(child, operation);
    if (&open.hierarchy() == &embedded.hierarchy()) {
        throw InvalidArgument(operation, open.name(), "a graph cannot be embedded in itself or in a part of itself",
                              "make another graph definition");
    }
    auto part = std::make_shared<Record>();
    update_node(open, child_graph_node(embedded.graph()));
    // The nodes that were in it are gone, whatever the driver calls the graph that it has now.
    forget_parts(open.hierarchy(), *open.node());
    const CUresult result = driver::cuGraphChildGraphNodeGetGraph(node_->handle, &part->handle);
    part->is_valid = result == CUDA_SUCCESS;
    open.node()->parts.push_back(std::move(part));
    check(result, "cuGraphChildGraphNodeGetGraph", operation, "child graph node");
}

}  // namespace cuprum::core
