#include <array>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "call.hpp"
#include "cuprum/capi/graph.h"
#include "cuprum/core/device.hpp"
#include "graph_arguments.hpp"
#include "struct_size.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

namespace {

// Where a node is added.
core::GraphPosition position(const core::GraphDefinition& definition, uint64_t after) {
    return after == 0 ? core::GraphPosition(definition) : core::GraphPosition(definition.node(after));
}

// Lends an array of numbers to the caller.
void lend_numbers(const std::vector<uint64_t>& numbers, const void** out, uint64_t* size_out) {
    const std::string& bytes =
        lend_bytes(std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(uint64_t)));
    *out = bytes.data();
    *size_out = bytes.size();
}

uint64_t peers_of(const core::AllocationNodeParameters& allocation) {
    uint64_t devices = 0;
    for (const int32_t peer : allocation.peer_access)
        devices |= uint64_t{1} << peer;
    return devices;
}

uint64_t kernel_value(const core::GraphNode& node, int32_t which) {
    const core::LaunchConfig config = node.kernel().config;
    const core::Dimensions cluster = config.cluster.value_or(core::Dimensions{});
    const std::array<uint64_t, 7> values{config.grid.x * cluster.x,
                                         config.grid.y * cluster.y,
                                         config.grid.z * cluster.z,
                                         config.block.x,
                                         config.block.y,
                                         config.block.z,
                                         config.shmem_size};
    return values.at(static_cast<size_t>(which - CUPRUM_GRAPH_NODE_VALUE_GRID_X));
}

uint64_t kernel_attribute(const core::GraphNode& node, int32_t which) {
    const core::LaunchConfig config = node.kernel().config;
    const core::Dimensions cluster = config.cluster.value_or(core::Dimensions{});
    const auto domain = config.memory_sync_domain ? static_cast<uint64_t>(*config.memory_sync_domain) + 1 : 0;
    const std::array<uint64_t, 7> values{cluster.x,
                                         cluster.y,
                                         cluster.z,
                                         config.is_cooperative ? uint64_t{1} : 0,
                                         static_cast<uint64_t>(int64_t{config.priority.value_or(0)}),
                                         static_cast<uint64_t>(config.preferred_shared_memory_carveout.value_or(0)),
                                         domain};
    return values.at(static_cast<size_t>(which - CUPRUM_GRAPH_NODE_VALUE_CLUSTER_X));
}

// Of the first operation where the driver's node has several.
core::MemoryOperationParameters memory_operation(const core::GraphNode& node) {
    const std::vector<core::MemoryOperationParameters> all = node.memory_operation_parameters();
    return all.empty() ? core::MemoryOperationParameters{} : all.front();
}

uint64_t memory_operation_value(const core::GraphNode& node, int32_t which) {
    const core::MemoryOperationParameters word = memory_operation(node);
    switch (which) {
        case CUPRUM_GRAPH_NODE_VALUE_ADDRESS:
            return word.address;
        case CUPRUM_GRAPH_NODE_VALUE_VALUE:
            return word.value;
        case CUPRUM_GRAPH_NODE_VALUE_ELEMENT_SIZE:
            return word.word_size;
        case CUPRUM_GRAPH_NODE_VALUE_FLUSH:
            return word.flush ? 1 : 0;
        default:
            return word.condition ? static_cast<uint64_t>(*word.condition) : UINT64_MAX;
    }
}

bool is_memory_operation_value(int32_t which) {
    return which == CUPRUM_GRAPH_NODE_VALUE_ADDRESS || which == CUPRUM_GRAPH_NODE_VALUE_VALUE ||
           which == CUPRUM_GRAPH_NODE_VALUE_ELEMENT_SIZE;
}

uint64_t memset_value(const core::GraphNode& node, int32_t which) {
    const core::MemsetNodeParameters fill = node.memset_parameters();
    const std::array<uint64_t, 5> values{fill.value, fill.element_size, fill.width, fill.height, fill.pitch};
    return values.at(static_cast<size_t>(which - CUPRUM_GRAPH_NODE_VALUE_VALUE));
}

uint64_t node_value(const Call& call, const core::GraphNode& node, int32_t which) {
    using Type = core::GraphNodeType;
    if (is_memory_operation_value(which) && node.type() == Type::batch_memory_operation)
        return memory_operation_value(node, which);
    switch (which) {
        case CUPRUM_GRAPH_NODE_VALUE_TYPE:
            return static_cast<uint64_t>(node.type());
        case CUPRUM_GRAPH_NODE_VALUE_NATIVE:
            return reinterpret_cast<uintptr_t>(node.handle());
        case CUPRUM_GRAPH_NODE_VALUE_DESTINATION:
            return node.type() == Type::memset ? node.memset_parameters().destination
                                               : node.memcpy_parameters().destination;
        case CUPRUM_GRAPH_NODE_VALUE_SOURCE:
            return node.memcpy_parameters().source;
        case CUPRUM_GRAPH_NODE_VALUE_SIZE:
            return node.type() == Type::allocation ? node.allocation().size : node.memcpy_parameters().size;
        case CUPRUM_GRAPH_NODE_VALUE_ADDRESS:
            return node.type() == Type::free ? node.freed_address() : node.allocation().address;
        case CUPRUM_GRAPH_NODE_VALUE_DEVICE:
            return static_cast<uint64_t>(node.allocation().device_id.value_or(0));
        case CUPRUM_GRAPH_NODE_VALUE_MEMORY_TYPE:
            return static_cast<uint64_t>(node.allocation().memory_type);
        case CUPRUM_GRAPH_NODE_VALUE_PEER_DEVICES:
            return peers_of(node.allocation());
        case CUPRUM_GRAPH_NODE_VALUE_EVENT:
            return reinterpret_cast<uintptr_t>(node.event());
        case CUPRUM_GRAPH_NODE_VALUE_CONDITION:
            return node.condition().handle();
        case CUPRUM_GRAPH_NODE_VALUE_CONDITIONAL_TYPE:
            return static_cast<uint64_t>(node.conditional_type());
        case CUPRUM_GRAPH_NODE_VALUE_BODY_COUNT:
            return node.bodies().size();
        case CUPRUM_GRAPH_NODE_VALUE_WAIT_CONDITION:
        case CUPRUM_GRAPH_NODE_VALUE_FLUSH:
            return memory_operation_value(node, which);
        default:
            break;
    }
    if (which >= CUPRUM_GRAPH_NODE_VALUE_GRID_X && which <= CUPRUM_GRAPH_NODE_VALUE_SHARED_MEMORY)
        return kernel_value(node, which);
    if (which >= CUPRUM_GRAPH_NODE_VALUE_VALUE && which <= CUPRUM_GRAPH_NODE_VALUE_PITCH)
        return memset_value(node, which);
    if (which >= CUPRUM_GRAPH_NODE_VALUE_CLUSTER_X && which <= CUPRUM_GRAPH_NODE_VALUE_MEMORY_SYNC_DOMAIN)
        return kernel_attribute(node, which);
    call.refuse("which", "is " + std::to_string(which) + "; expected one of CUPRUM_GRAPH_NODE_VALUE_* (0 to 33)");
}

core::GraphCompleteOptions read_options(const Call& call, const cuprum_graph_complete_options* options) {
    core::GraphCompleteOptions values;
    if (options == nullptr) return values;
    const cuprum_graph_complete_options given = read_struct(call, "options", options);
    values.auto_free_on_launch = given.auto_free_on_launch != 0;
    values.device_launch = given.device_launch != 0;
    values.use_node_priority = given.use_node_priority != 0;
    if (given.upload_stream != nullptr) values.upload_stream = call.use(given.upload_stream, "options")->stream;
    return values;
}

// A node, and where it is used: adds one for `node_out`.
template <class Add>
cuprum_status add_node(Operation function, uint64_t* node_out, cuprum_graph_definition definition, uint64_t after,
                       const Add& add) {
    return run(function, [&](const Call& call) {
        call.require(node_out, "node_out");
        const auto used = call.use(definition, "definition");
        *node_out = add(call, position(used->definition, after)).id();
    });
}

template <class Update>
cuprum_status use_node(Operation function, cuprum_graph_definition definition, uint64_t node, const Update& update) {
    return run(function, [&](const Call& call) {
        const auto used = call.use(definition, "definition");
        update(call, used->definition.node(node));
    });
}

}  // namespace

cuprum_status cuprum_graph_definition_create(cuprum_graph_definition* definition_out, int32_t device) {
    return run("cuprum_graph_definition_create", [&](const Call& call) {
        call.require(definition_out, "definition_out");
        *definition_out = call.give<cuprum_graph_definition>({core::GraphDefinition(core::Device(device))});
    });
}

cuprum_status cuprum_graph_definition_destroy(cuprum_graph_definition definition) {
    return run("cuprum_graph_definition_destroy", [&](const Call& call) { call.destroy(definition, "definition"); });
}

cuprum_status cuprum_graph_definition_is_valid(int32_t* valid_out, cuprum_graph_definition definition) {
    return run("cuprum_graph_definition_is_valid", [&](const Call& call) {
        call.require(valid_out, "valid_out");
        *valid_out = call.use(definition, "definition")->definition.is_valid() ? 1 : 0;
    });
}

cuprum_status cuprum_graph_definition_native(uint64_t* native_out, cuprum_graph_definition definition) {
    return run("cuprum_graph_definition_native", [&](const Call& call) {
        call.require(native_out, "native_out");
        *native_out = reinterpret_cast<uintptr_t>(call.use(definition, "definition")->definition.handle());
    });
}

cuprum_status cuprum_graph_definition_device(int32_t* device_out, cuprum_graph_definition definition) {
    return run("cuprum_graph_definition_device", [&](const Call& call) {
        call.require(device_out, "device_out");
        *device_out = call.use(definition, "definition")->definition.device_id();
    });
}

cuprum_status cuprum_graph_definition_add_kernel(uint64_t* node_out, cuprum_graph_definition definition, uint64_t after,
                                                 const cuprum_launch_config* config, cuprum_kernel kernel,
                                                 const cuprum_argument* arguments, uint32_t argument_count) {
    return add_node("cuprum_graph_definition_add_kernel", node_out, definition, after,
                    [&](const Call& call, const core::GraphPosition& at) {
                        const int32_t device_id = call.use(definition, "definition")->definition.device_id();
                        NodeLaunch launch(call, config, kernel, device_id, arguments, argument_count);
                        return at.launch_checked(launch.config, launch.kernel->kernel, launch.arguments.addresses(),
                                                 std::move(launch.owners));
                    });
}

cuprum_status cuprum_graph_definition_add_memcpy(uint64_t* node_out, cuprum_graph_definition definition, uint64_t after,
                                                 uint64_t destination, uint64_t source, uint64_t size,
                                                 cuprum_buffer destination_owner, cuprum_buffer source_owner) {
    return add_node("cuprum_graph_definition_add_memcpy", node_out, definition, after,
                    [&](const Call& call, const core::GraphPosition& at) {
                        NodeCopy copy(call, destination, source, size, destination_owner, source_owner);
                        return at.memcpy(copy.parameters, std::move(copy.owners));
                    });
}

cuprum_status cuprum_graph_definition_add_memset(uint64_t* node_out, cuprum_graph_definition definition, uint64_t after,
                                                 uint64_t destination, uint32_t value, uint32_t element_size,
                                                 uint64_t width, uint64_t height, uint64_t pitch,
                                                 cuprum_buffer destination_owner) {
    return add_node("cuprum_graph_definition_add_memset", node_out, definition, after,
                    [&](const Call& call, const core::GraphPosition& at) {
                        NodeFill fill(call, {destination, value, element_size, width, height, pitch},
                                      destination_owner);
                        return at.memset(fill.parameters, std::move(fill.owners));
                    });
}

cuprum_status cuprum_graph_definition_add_callback(uint64_t* node_out, cuprum_graph_definition definition,
                                                   uint64_t after, cuprum_host_function function,
                                                   cuprum_graph_release release, void* user_data) {
    return add_node("cuprum_graph_definition_add_callback", node_out, definition, after,
                    [&](const Call& call, const core::GraphPosition& at) {
                        const GraphFunction callback = read_function(call, function, release, user_data);
                        core::GraphNode node = at.callback(callback);
                        callback.arm();
                        return node;
                    });
}

cuprum_status cuprum_graph_definition_add_event_record(uint64_t* node_out, cuprum_graph_definition definition,
                                                       uint64_t after, cuprum_event event) {
    return add_node("cuprum_graph_definition_add_event_record", node_out, definition, after,
                    [&](const Call& call, const core::GraphPosition& at) {
                        return at.record(call.use(event, "event")->event, {owner_of(call, event, "event")});
                    });
}

cuprum_status cuprum_graph_definition_add_event_wait(uint64_t* node_out, cuprum_graph_definition definition,
                                                     uint64_t after, cuprum_event event) {
    return add_node("cuprum_graph_definition_add_event_wait", node_out, definition, after,
                    [&](const Call& call, const core::GraphPosition& at) {
                        return at.wait(call.use(event, "event")->event, {owner_of(call, event, "event")});
                    });
}

cuprum_status cuprum_graph_definition_add_memory_operation(uint64_t* node_out, cuprum_graph_definition definition,
                                                           uint64_t after, cuprum_buffer buffer, uint64_t offset,
                                                           uint64_t value, uint32_t word_size, int32_t condition,
                                                           int32_t flush) {
    return add_node("cuprum_graph_definition_add_memory_operation", node_out, definition, after,
                    [&](const Call& call, const core::GraphPosition& at) {
                        NodeWord word(call, buffer, offset, value, word_size, condition, flush);
                        return at.memory_operations(word.operations(), std::move(word.owners));
                    });
}

cuprum_status cuprum_graph_definition_add_external_semaphore(uint64_t* node_out, cuprum_graph_definition definition,
                                                             uint64_t after, uint64_t semaphore, uint64_t value,
                                                             int32_t wait) {
    return add_node("cuprum_graph_definition_add_external_semaphore", node_out, definition, after,
                    [&](const Call&, const core::GraphPosition& at) {
                        const auto native = reinterpret_cast<CUexternalSemaphore>(static_cast<uintptr_t>(semaphore));
                        return wait != 0 ? at.wait_external_semaphore(native, value)
                                         : at.signal_external_semaphore(native, value);
                    });
}

cuprum_status cuprum_graph_definition_add_child_graph(uint64_t* node_out, cuprum_graph_definition definition,
                                                      uint64_t after, cuprum_graph_definition child) {
    return add_node("cuprum_graph_definition_add_child_graph", node_out, definition, after,
                    [&](const Call& call, const core::GraphPosition& at) {
                        return at.embed(call.use(child, "child")->definition);
                    });
}

cuprum_status cuprum_graph_definition_add_empty(uint64_t* node_out, cuprum_graph_definition definition,
                                                uint64_t after) {
    return add_node("cuprum_graph_definition_add_empty", node_out, definition, after,
                    [&](const Call&, const core::GraphPosition& at) { return at.empty(); });
}

cuprum_status cuprum_graph_definition_add_allocation(uint64_t* node_out, cuprum_graph_definition definition,
                                                     uint64_t after, uint64_t size, int32_t device, int32_t memory_type,
                                                     uint64_t peer_devices) {
    return add_node("cuprum_graph_definition_add_allocation", node_out, definition, after,
                    [&](const Call& call, const core::GraphPosition& at) {
                        if (memory_type < CUPRUM_GRAPH_MEMORY_DEVICE || memory_type > CUPRUM_GRAPH_MEMORY_MANAGED) {
                            call.refuse("memory_type", "is " + std::to_string(memory_type) +
                                                           "; expected one of CUPRUM_GRAPH_MEMORY_* (0 to 2)");
                        }
                        core::AllocationNodeParameters parameters;
                        parameters.size = size;
                        if (device != -1) parameters.device_id = device;
                        parameters.memory_type = static_cast<core::GraphMemoryType>(memory_type);
                        for (int32_t peer = 0; peer < 64; ++peer) {
                            if ((peer_devices >> peer & 1) != 0) parameters.peer_access.push_back(peer);
                        }
                        return at.allocate(parameters);
                    });
}

cuprum_status cuprum_graph_definition_add_free(uint64_t* node_out, cuprum_graph_definition definition, uint64_t after,
                                               uint64_t address) {
    return add_node("cuprum_graph_definition_add_free", node_out, definition, after,
                    [&](const Call&, const core::GraphPosition& at) { return at.deallocate(address); });
}

cuprum_status cuprum_graph_definition_create_condition(uint64_t* condition_out, cuprum_graph_definition definition,
                                                       int32_t has_default, uint32_t default_value) {
    return run("cuprum_graph_definition_create_condition", [&](const Call& call) {
        call.require(condition_out, "condition_out");
        const auto used = call.use(definition, "definition");
        *condition_out =
            used->definition.create_condition(has_default != 0 ? std::optional(default_value) : std::nullopt).handle();
    });
}

cuprum_status cuprum_graph_definition_add_conditional(uint64_t* node_out, cuprum_graph_definition definition,
                                                      uint64_t after, uint64_t condition, int32_t type,
                                                      uint32_t count) {
    return add_node("cuprum_graph_definition_add_conditional", node_out, definition, after,
                    [&](const Call& call, const core::GraphPosition& at) {
                        return at.conditional(core::GraphCondition::from_handle(condition),
                                              read_conditional_type(call, type), read_body_count(call, count));
                    });
}

cuprum_status cuprum_graph_definition_add_dependency(cuprum_graph_definition definition, uint64_t predecessor,
                                                     uint64_t successor) {
    return run("cuprum_graph_definition_add_dependency", [&](const Call& call) {
        const auto used = call.use(definition, "definition");
        used->definition.add_dependency(used->definition.node(predecessor), used->definition.node(successor));
    });
}

cuprum_status cuprum_graph_definition_remove_dependency(cuprum_graph_definition definition, uint64_t predecessor,
                                                        uint64_t successor) {
    return run("cuprum_graph_definition_remove_dependency", [&](const Call& call) {
        const auto used = call.use(definition, "definition");
        used->definition.remove_dependency(used->definition.node(predecessor), used->definition.node(successor));
    });
}

cuprum_status cuprum_graph_definition_nodes(const void** nodes_out, uint64_t* size_out,
                                            cuprum_graph_definition definition) {
    return run("cuprum_graph_definition_nodes", [&](const Call& call) {
        call.require(nodes_out, "nodes_out");
        call.require(size_out, "size_out");
        std::vector<uint64_t> numbers;
        for (const core::GraphNode& node : call.use(definition, "definition")->definition.nodes())
            numbers.push_back(node.id());
        lend_numbers(numbers, nodes_out, size_out);
    });
}

cuprum_status cuprum_graph_definition_edges(const void** nodes_out, uint64_t* size_out,
                                            cuprum_graph_definition definition) {
    return run("cuprum_graph_definition_edges", [&](const Call& call) {
        call.require(nodes_out, "nodes_out");
        call.require(size_out, "size_out");
        std::vector<uint64_t> numbers;
        for (const auto& [from, to] : call.use(definition, "definition")->definition.edges()) {
            numbers.push_back(from.id());
            numbers.push_back(to.id());
        }
        lend_numbers(numbers, nodes_out, size_out);
    });
}

cuprum_status cuprum_graph_definition_has_node(int32_t* valid_out, cuprum_graph_definition definition, uint64_t node) {
    return run("cuprum_graph_definition_has_node", [&](const Call& call) {
        call.require(valid_out, "valid_out");
        *valid_out = call.use(definition, "definition")->definition.has_node(node) ? 1 : 0;
    });
}

cuprum_status cuprum_graph_definition_node_value(uint64_t* value_out, cuprum_graph_definition definition, uint64_t node,
                                                 int32_t which) {
    return use_node("cuprum_graph_definition_node_value", definition, node,
                    [&](const Call& call, const core::GraphNode& asked) {
                        call.require(value_out, "value_out");
                        *value_out = node_value(call, asked, which);
                    });
}

cuprum_status cuprum_graph_definition_node_kernel(cuprum_kernel* kernel_out, cuprum_graph_definition definition,
                                                  uint64_t node) {
    return use_node("cuprum_graph_definition_node_kernel", definition, node,
                    [&](const Call& call, const core::GraphNode& asked) {
                        call.require(kernel_out, "kernel_out");
                        *kernel_out = call.give<cuprum_kernel>(KernelObject{asked.kernel().kernel});
                    });
}

cuprum_status cuprum_graph_definition_part(cuprum_graph_definition* part_out, cuprum_graph_definition definition,
                                           uint64_t node, uint32_t index) {
    return use_node("cuprum_graph_definition_part", definition, node,
                    [&](const Call& call, const core::GraphNode& asked) {
                        call.require(part_out, "part_out");
                        std::vector<core::GraphDefinition> parts;
                        if (asked.type() == core::GraphNodeType::child_graph) {
                            parts.push_back(asked.child_graph());
                        } else {
                            parts = asked.bodies();
                        }
                        if (index >= parts.size()) {
                            call.refuse("index", "is " + std::to_string(index) + "; the node has " +
                                                     std::to_string(parts.size()) + ", counted from 0");
                        }
                        *part_out = call.give<cuprum_graph_definition>({std::move(parts[index])});
                    });
}

cuprum_status cuprum_graph_definition_destroy_node(cuprum_graph_definition definition, uint64_t node) {
    return use_node("cuprum_graph_definition_destroy_node", definition, node,
                    [&](const Call&, const core::GraphNode& doomed) { doomed.destroy(); });
}

cuprum_status cuprum_graph_definition_update_kernel(cuprum_graph_definition definition, uint64_t node,
                                                    const cuprum_launch_config* config, cuprum_kernel kernel,
                                                    const cuprum_argument* arguments, uint32_t argument_count) {
    return use_node("cuprum_graph_definition_update_kernel", definition, node,
                    [&](const Call& call, const core::GraphNode& updated) {
                        NodeLaunch launch(call, config, kernel, updated.definition().device_id(), arguments,
                                          argument_count);
                        updated.update_kernel_checked(launch.config, launch.kernel->kernel,
                                                      launch.arguments.addresses(), std::move(launch.owners));
                    });
}

cuprum_status cuprum_graph_definition_update_kernel_config(cuprum_graph_definition definition, uint64_t node,
                                                           const cuprum_launch_config* config) {
    return use_node("cuprum_graph_definition_update_kernel_config", definition, node,
                    [&](const Call& call, const core::GraphNode& updated) {
                        updated.update_kernel_config(read_config(call, config));
                    });
}

cuprum_status cuprum_graph_definition_update_memcpy(cuprum_graph_definition definition, uint64_t node,
                                                    uint64_t destination, uint64_t source, uint64_t size,
                                                    cuprum_buffer destination_owner, cuprum_buffer source_owner) {
    return use_node("cuprum_graph_definition_update_memcpy", definition, node,
                    [&](const Call& call, const core::GraphNode& updated) {
                        NodeCopy copy(call, destination, source, size, destination_owner, source_owner);
                        updated.update_memcpy(copy.parameters, std::move(copy.owners));
                    });
}

cuprum_status cuprum_graph_definition_update_memset(cuprum_graph_definition definition, uint64_t node,
                                                    uint64_t destination, uint32_t value, uint32_t element_size,
                                                    uint64_t width, uint64_t height, uint64_t pitch,
                                                    cuprum_buffer destination_owner) {
    return use_node("cuprum_graph_definition_update_memset", definition, node,
                    [&](const Call& call, const core::GraphNode& updated) {
                        NodeFill fill(call, {destination, value, element_size, width, height, pitch},
                                      destination_owner);
                        updated.update_memset(fill.parameters, std::move(fill.owners));
                    });
}

cuprum_status cuprum_graph_definition_update_callback(cuprum_graph_definition definition, uint64_t node,
                                                      cuprum_host_function function, cuprum_graph_release release,
                                                      void* user_data) {
    return use_node("cuprum_graph_definition_update_callback", definition, node,
                    [&](const Call& call, const core::GraphNode& updated) {
                        const GraphFunction callback = read_function(call, function, release, user_data);
                        updated.update_callback(callback);
                        callback.arm();
                    });
}

cuprum_status cuprum_graph_definition_update_event(cuprum_graph_definition definition, uint64_t node,
                                                   cuprum_event event) {
    return use_node("cuprum_graph_definition_update_event", definition, node,
                    [&](const Call& call, const core::GraphNode& updated) {
                        updated.update_event(call.use(event, "event")->event, {owner_of(call, event, "event")});
                    });
}

cuprum_status cuprum_graph_definition_update_memory_operation(cuprum_graph_definition definition, uint64_t node,
                                                              cuprum_buffer buffer, uint64_t offset, uint64_t value,
                                                              uint32_t word_size, int32_t condition, int32_t flush) {
    return use_node("cuprum_graph_definition_update_memory_operation", definition, node,
                    [&](const Call& call, const core::GraphNode& updated) {
                        NodeWord word(call, buffer, offset, value, word_size, condition, flush);
                        updated.update_memory_operations(word.operations(), std::move(word.owners));
                    });
}

cuprum_status cuprum_graph_definition_update_child_graph(cuprum_graph_definition definition, uint64_t node,
                                                         cuprum_graph_definition child) {
    return use_node("cuprum_graph_definition_update_child_graph", definition, node,
                    [&](const Call& call, const core::GraphNode& updated) {
                        updated.update_child_graph(call.use(child, "child")->definition);
                    });
}

cuprum_status cuprum_graph_definition_debug_dot_print(cuprum_graph_definition definition, const char* path,
                                                      uint32_t flags) {
    return run("cuprum_graph_definition_debug_dot_print", [&](const Call& call) {
        call.require(path, "path");
        call.use(definition, "definition")->definition.debug_dot_print(path, static_cast<core::GraphDebugPrint>(flags));
    });
}

cuprum_status cuprum_graph_definition_instantiate(cuprum_graph* graph_out, cuprum_graph_definition definition,
                                                  const cuprum_graph_complete_options* options) {
    return run("cuprum_graph_definition_instantiate", [&](const Call& call) {
        call.require(graph_out, "graph_out");
        const auto used = call.use(definition, "definition");
        *graph_out = call.give<cuprum_graph>(GraphObject{used->definition.instantiate(read_options(call, options))});
    });
}
