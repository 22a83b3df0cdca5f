// What the nodes of a graph are made of, and the nodes themselves.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cuprum/core/buffer.hpp"
#include "cuprum/core/event.hpp"
#include "cuprum/core/handles.hpp"
#include "cuprum/core/kernel.hpp"
#include "cuprum/core/launch.hpp"

namespace cuprum::core {

class GraphDefinition;
class GraphNode;

// The driver's numbers (CUgraphNodeType).
enum class GraphNodeType : int32_t {
    kernel = 0,
    memcpy = 1,
    memset = 2,
    host = 3,
    child_graph = 4,
    empty = 5,
    event_wait = 6,
    event_record = 7,
    external_semaphores_signal = 8,
    external_semaphores_wait = 9,
    allocation = 10,
    free = 11,
    batch_memory_operation = 12,
    conditional = 13,
};

// The driver's numbers (CUgraphConditionalNodeType).
enum class GraphConditionalType : int32_t {
    if_node = 0,      // one body, or a second one for a condition that is 0
    while_node = 1,   // the body runs again and again while the condition is not 0
    switch_node = 2,  // the body whose number the condition is; none where there is no such body
};

// Where an allocation node's memory is.
enum class GraphMemoryType : int32_t { device = 0, host = 1, managed = 2 };

// What a graph keeps for as long as it, or a graph instantiated from it, can run: the owners of buffers and events, and
// whatever else its work uses. It is let go of, on a thread that uses Cuprum, some time after.
using GraphOwners = std::vector<std::shared_ptr<const void>>;

// A number on the device that decides what a conditional node runs. Kernels of the graph set it
// (cudaGraphSetConditional), and get its handle as an argument. A value; it exists as long as its graph.
class GraphCondition {
public:
    GraphCondition() = default;  // invalid
    static GraphCondition from_handle(uint64_t handle) { return GraphCondition(handle); }

    bool is_valid() const { return handle_ != 0; }
    uint64_t handle() const { return handle_; }  // CUgraphConditionalHandle
    friend bool operator==(const GraphCondition&, const GraphCondition&) = default;

private:
    explicit GraphCondition(uint64_t handle) : handle_(handle) {}
    uint64_t handle_ = 0;
};

struct MemcpyNodeParameters {
    DevicePointer destination = 0;  // of a device, or page-locked host memory
    DevicePointer source = 0;
    uint64_t size = 0;  // bytes
    friend bool operator==(const MemcpyNodeParameters&, const MemcpyNodeParameters&) = default;
};

struct MemsetNodeParameters {
    DevicePointer destination = 0;
    uint32_t value = 0;
    uint32_t element_size = 1;  // bytes: 1, 2 or 4
    uint64_t width = 0;         // elements in a row
    uint64_t height = 1;        // rows
    uint64_t pitch = 0;         // bytes from one row to the next; unused with one row
    friend bool operator==(const MemsetNodeParameters&, const MemsetNodeParameters&) = default;
};

struct AllocationNodeParameters {
    uint64_t size = 0;                      // bytes
    std::optional<int32_t> device_id = {};  // none: the graph's
    GraphMemoryType memory_type = GraphMemoryType::device;
    std::vector<int32_t> peer_access = {};  // further devices that read and write the memory
    DevicePointer address = 0;              // out: the same in every launch
    friend bool operator==(const AllocationNodeParameters&, const AllocationNodeParameters&) = default;
};

// One word that a memory operation node waits for or writes.
struct MemoryOperationParameters {
    DevicePointer address = 0;  // a multiple of the word's size; not in memory of a pool nor in managed memory
    uint64_t value = 0;
    uint32_t word_size = 4;  // bytes: 4 or 8
    // What the word has to fulfil before what comes after the node runs; none: the word is written.
    std::optional<WaitCondition> condition = {};
    bool flush = false;  // of a wait: what other devices have written before is then visible, too
    friend bool operator==(const MemoryOperationParameters&, const MemoryOperationParameters&) = default;
};

struct KernelNodeParameters {
    LaunchConfig config;  // with the attributes that differ from the driver's own; none of programmatic serialization
    Kernel kernel;
};

// Where nodes are added: at the beginning of a graph, or after a node of it. Everything throws InvalidState where the
// graph or the node is no more, or while a stream is captured into the graph; a call that fails adds nothing.
//
// A graph runs its nodes on the device that it was made for, in that device's primary context.
class GraphPosition {
public:
    // A kernel's launch; arguments are checked and copied as in core::launch().
    template <class... Arguments>
    GraphNode launch(const LaunchConfig& config, const Kernel& kernel, const Arguments&... arguments) const;
    GraphNode launch_arguments(const LaunchConfig& config, const Kernel& kernel, std::span<const void* const> addresses,
                               std::span<const ArgumentType> types, GraphOwners owners = {}) const;
    // For arguments that an ArgumentCheck has passed.
    GraphNode launch_checked(const LaunchConfig& config, const Kernel& kernel, std::span<const void* const> addresses,
                             GraphOwners owners = {}) const;
    GraphNode memcpy(const MemcpyNodeParameters& parameters, GraphOwners owners = {}) const;
    // `size` bytes of one buffer to another. Throws InvalidArgument where one is smaller.
    GraphNode memcpy(const BufferRef& destination, const BufferRef& source, uint64_t size,
                     GraphOwners owners = {}) const;
    GraphNode memset(const MemsetNodeParameters& parameters, GraphOwners owners = {}) const;
    // A function that runs on one of the driver's threads in every launch, under the rules of
    // StreamRef::launch_host_function. The graph keeps it.
    GraphNode callback(std::function<void()> function, GraphOwners owners = {}) const;
    GraphNode record(EventRef event, GraphOwners owners = {}) const;
    GraphNode wait(EventRef event, GraphOwners owners = {}) const;
    // Waits for words in memory and writes them, one after the other: at least one, at most what the driver takes
    // (255).
    GraphNode memory_operations(std::span<const MemoryOperationParameters> operations, GraphOwners owners = {}) const;
    // One word of a buffer, at byte `offset`: as in StreamRef.
    GraphNode wait_value32(const BufferRef& buffer, uint64_t offset, uint32_t value,
                           WaitCondition condition = WaitCondition::greater_or_equal, bool flush = false,
                           GraphOwners owners = {}) const;
    GraphNode wait_value64(const BufferRef& buffer, uint64_t offset, uint64_t value,
                           WaitCondition condition = WaitCondition::greater_or_equal, bool flush = false,
                           GraphOwners owners = {}) const;
    GraphNode write_value32(const BufferRef& buffer, uint64_t offset, uint32_t value, GraphOwners owners = {}) const;
    GraphNode write_value64(const BufferRef& buffer, uint64_t offset, uint64_t value, GraphOwners owners = {}) const;
    // Signal or wait for a semaphore that another interface (Vulkan, Direct3D) has made and the driver has imported
    // (cuImportExternalSemaphore); the caller keeps it. `value`: a timeline's, or a fence's; else unused.
    GraphNode signal_external_semaphore(CUexternalSemaphore semaphore, uint64_t value) const;
    GraphNode wait_external_semaphore(CUexternalSemaphore semaphore, uint64_t value) const;
    // A copy of another graph, which runs as one node. It can have no allocation, free or conditional nodes.
    GraphNode embed(const GraphDefinition& child) const;
    GraphNode empty() const;
    // An empty node after this position and all of those.
    GraphNode join(std::span<const GraphNode> nodes) const;
    // The memory is there from this node on, at the same address in every launch (GraphNode::allocation()), until a
    // free node of this or another graph, or cuMemFreeAsync. Throws Unsupported where the device has no such memory.
    GraphNode allocate(const AllocationNodeParameters& parameters) const;
    GraphNode deallocate(DevicePointer address) const;
    // What runs in a conditional node are its bodies, GraphNode::bodies(), which are there and empty. They can have
    // kernel, memcpy, memset, empty, child graph and conditional nodes. A condition serves one node.
    GraphNode if_then(const GraphCondition& condition) const;
    GraphNode if_else(const GraphCondition& condition) const;
    GraphNode while_loop(const GraphCondition& condition) const;
    GraphNode switch_case(const GraphCondition& condition, uint32_t count) const;
    GraphNode conditional(const GraphCondition& condition, GraphConditionalType type, uint32_t count) const;

    // What all definitions and nodes of one graph share; one definition's, one node's.
    struct Hierarchy;
    struct Record;
    struct NodeRecord;

protected:
    GraphPosition() = default;
    GraphPosition(std::shared_ptr<Hierarchy> hierarchy, std::shared_ptr<Record> record,
                  std::shared_ptr<NodeRecord> node)
        : hierarchy_(std::move(hierarchy)), record_(std::move(record)), node_(std::move(node)) {}
    friend struct GraphAccess;

    std::shared_ptr<Hierarchy> hierarchy_;
    std::shared_ptr<Record> record_;
    std::shared_ptr<NodeRecord> node_;  // null: the beginning
};

// One node. Copies are cheap, stand for the same node, and keep its graph.
class GraphNode : public GraphPosition {
public:
    GraphNode() = default;  // invalid

    bool is_valid() const;  // false once it was destroyed, or with the node that its graph belonged to
    // Another number for every node there ever was in this process.
    uint64_t id() const;
    GraphNodeType type() const;
    CUgraphNode handle() const;
    GraphDefinition definition() const;
    // Removes it and its edges. Its copies are invalid then.
    void destroy() const;

    std::vector<GraphNode> predecessors() const;
    std::vector<GraphNode> successors() const;

    // What it was made of. Each throws InvalidState where the node is of another type.
    KernelNodeParameters kernel() const;
    MemcpyNodeParameters memcpy_parameters() const;
    MemsetNodeParameters memset_parameters() const;
    AllocationNodeParameters allocation() const;
    DevicePointer freed_address() const;
    CUevent event() const;
    std::vector<MemoryOperationParameters> memory_operation_parameters() const;
    GraphDefinition child_graph() const;
    GraphConditionalType conditional_type() const;
    GraphCondition condition() const;
    std::vector<GraphDefinition> bodies() const;

    // Give it other parameters, for what is instantiated from then on. Owners are let go of that the new ones replace;
    // a copy's and a fill's are those of destination and source, in that order, and an operand whose address stays and
    // that is given none (null) keeps the one it had.
    // Throw InvalidState where the node is of another type.
    template <class... Arguments>
    void update_kernel(const LaunchConfig& config, const Kernel& kernel, const Arguments&... arguments) const;
    void update_kernel_arguments(const LaunchConfig& config, const Kernel& kernel,
                                 std::span<const void* const> addresses, std::span<const ArgumentType> types,
                                 GraphOwners owners = {}) const;
    void update_kernel_checked(const LaunchConfig& config, const Kernel& kernel, std::span<const void* const> addresses,
                               GraphOwners owners = {}) const;
    // Another configuration; kernel and arguments stay.
    void update_kernel_config(const LaunchConfig& config) const;
    void update_memcpy(const MemcpyNodeParameters& parameters, GraphOwners owners = {}) const;
    void update_memset(const MemsetNodeParameters& parameters, GraphOwners owners = {}) const;
    void update_callback(std::function<void()> function, GraphOwners owners = {}) const;
    void update_event(EventRef event, GraphOwners owners = {}) const;
    void update_memory_operations(std::span<const MemoryOperationParameters> operations, GraphOwners owners = {}) const;
    // A copy of another graph takes the place of the one that the node has, whose definitions and nodes are invalid
    // then. Throws DriverError where the driver cannot do that.
    void update_child_graph(const GraphDefinition& child) const;

    friend bool operator==(const GraphNode& left, const GraphNode& right) { return left.node_ == right.node_; }

private:
    friend struct GraphAccess;
    using GraphPosition::GraphPosition;
};

template <class... Arguments>
GraphNode GraphPosition::launch(const LaunchConfig& config, const Kernel& kernel, const Arguments&... arguments) const {
    static constexpr std::array<ArgumentType, sizeof...(Arguments)> types{detail::argument_type<Arguments>()...};
    const std::array<const void*, sizeof...(Arguments)> addresses{detail::argument_address(arguments)...};
    return launch_arguments(config, kernel, addresses, types);
}

template <class... Arguments>
void GraphNode::update_kernel(const LaunchConfig& config, const Kernel& kernel, const Arguments&... arguments) const {
    static constexpr std::array<ArgumentType, sizeof...(Arguments)> types{detail::argument_type<Arguments>()...};
    const std::array<const void*, sizeof...(Arguments)> addresses{detail::argument_address(arguments)...};
    update_kernel_arguments(config, kernel, addresses, types);
}

}  // namespace cuprum::core
