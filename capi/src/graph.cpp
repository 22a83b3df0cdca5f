#include <mutex>
#include <utility>

#include "call.hpp"
#include "cuprum/capi/graph.h"
#include "graph_arguments.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

namespace {

// A graph, which nobody else updates meanwhile, and a node of what it was instantiated from.
template <class Update>
cuprum_status update_graph(Operation function, cuprum_graph graph, cuprum_graph_definition definition, uint64_t node,
                           const Update& update) {
    return run(function, [&](const Call& call) {
        const auto updated = call.use(graph, "graph");
        const auto used = call.use(definition, "definition");
        const std::lock_guard lock(*updated->mutex);
        update(call, updated->graph, used->definition.node(node));
    });
}

}  // namespace

cuprum_status cuprum_graph_destroy(cuprum_graph graph) {
    return run("cuprum_graph_destroy", [&](const Call& call) { call.destroy(graph, "graph"); });
}

cuprum_status cuprum_graph_native(uint64_t* native_out, cuprum_graph graph) {
    return run("cuprum_graph_native", [&](const Call& call) {
        call.require(native_out, "native_out");
        *native_out = call.number_of(graph, "graph");
    });
}

cuprum_status cuprum_graph_device(int32_t* device_out, cuprum_graph graph) {
    return run("cuprum_graph_device", [&](const Call& call) {
        call.require(device_out, "device_out");
        *device_out = call.use(graph, "graph")->graph.device_id();
    });
}

cuprum_status cuprum_graph_auto_free_on_launch(int32_t* auto_free_out, cuprum_graph graph) {
    return run("cuprum_graph_auto_free_on_launch", [&](const Call& call) {
        call.require(auto_free_out, "auto_free_out");
        *auto_free_out = call.use(graph, "graph")->graph.options().auto_free_on_launch ? 1 : 0;
    });
}

cuprum_status cuprum_graph_launch(cuprum_graph graph, cuprum_stream stream) {
    return run("cuprum_graph_launch", [&](const Call& call) {
        const auto launched = call.use(graph, "graph");
        launched->graph.launch(call.use(stream, "stream")->stream);
    });
}

cuprum_status cuprum_graph_upload(cuprum_graph graph, cuprum_stream stream) {
    return run("cuprum_graph_upload", [&](const Call& call) {
        const auto uploaded = call.use(graph, "graph");
        uploaded->graph.upload(call.use(stream, "stream")->stream);
    });
}

cuprum_status cuprum_graph_update(cuprum_graph graph, cuprum_graph_definition source) {
    return run("cuprum_graph_update", [&](const Call& call) {
        const auto updated = call.use(graph, "graph");
        const auto from = call.use(source, "source");
        const std::lock_guard lock(*updated->mutex);
        updated->graph.update(from->definition);
    });
}

cuprum_status cuprum_graph_update_kernel(cuprum_graph graph, cuprum_graph_definition definition, uint64_t node,
                                         const cuprum_launch_config* config, cuprum_kernel kernel,
                                         const cuprum_argument* arguments, uint32_t argument_count) {
    return update_graph("cuprum_graph_update_kernel", graph, definition, node,
                        [&](const Call& call, const core::Graph& updated, const core::GraphNode& its_node) {
                            NodeLaunch launch(call, config, kernel, updated.device_id(), arguments, argument_count);
                            updated.update_kernel_checked(its_node, launch.config, launch.kernel->kernel,
                                                          launch.arguments.addresses(), std::move(launch.owners));
                        });
}

cuprum_status cuprum_graph_update_memcpy(cuprum_graph graph, cuprum_graph_definition definition, uint64_t node,
                                         uint64_t destination, uint64_t source, uint64_t size,
                                         cuprum_buffer destination_owner, cuprum_buffer source_owner) {
    return update_graph("cuprum_graph_update_memcpy", graph, definition, node,
                        [&](const Call& call, const core::Graph& updated, const core::GraphNode& its_node) {
                            NodeCopy copy(call, destination, source, size, destination_owner, source_owner);
                            updated.update_memcpy(its_node, copy.parameters, std::move(copy.owners));
                        });
}

cuprum_status cuprum_graph_update_memset(cuprum_graph graph, cuprum_graph_definition definition, uint64_t node,
                                         uint64_t destination, uint32_t value, uint32_t element_size, uint64_t width,
                                         uint64_t height, uint64_t pitch, cuprum_buffer destination_owner) {
    return update_graph("cuprum_graph_update_memset", graph, definition, node,
                        [&](const Call& call, const core::Graph& updated, const core::GraphNode& its_node) {
                            NodeFill fill(call, {destination, value, element_size, width, height, pitch},
                                          destination_owner);
                            updated.update_memset(its_node, fill.parameters, std::move(fill.owners));
                        });
}

cuprum_status cuprum_graph_update_callback(cuprum_graph graph, cuprum_graph_definition definition, uint64_t node,
                                           cuprum_host_function function, cuprum_graph_release release,
                                           void* user_data) {
    return update_graph("cuprum_graph_update_callback", graph, definition, node,
                        [&](const Call& call, const core::Graph& updated, const core::GraphNode& its_node) {
                            const GraphFunction callback = read_function(call, function, release, user_data);
                            updated.update_callback(its_node, callback);
                            callback.arm();
                        });
}

cuprum_status cuprum_graph_update_event(cuprum_graph graph, cuprum_graph_definition definition, uint64_t node,
                                        cuprum_event event) {
    return update_graph("cuprum_graph_update_event", graph, definition, node,
                        [&](const Call& call, const core::Graph& updated, const core::GraphNode& its_node) {
                            updated.update_event(its_node, call.use(event, "event")->event,
                                                 {owner_of(call, event, "event")});
                        });
}

cuprum_status cuprum_graph_update_memory_operation(cuprum_graph graph, cuprum_graph_definition definition,
                                                   uint64_t node, cuprum_buffer buffer, uint64_t offset, uint64_t value,
                                                   uint32_t word_size, int32_t condition, int32_t flush) {
    return update_graph("cuprum_graph_update_memory_operation", graph, definition, node,
                        [&](const Call& call, const core::Graph& updated, const core::GraphNode& its_node) {
                            NodeWord word(call, buffer, offset, value, word_size, condition, flush);
                            updated.update_memory_operations(its_node, word.operations(), std::move(word.owners));
                        });
}

cuprum_status cuprum_graph_update_child_graph(cuprum_graph graph, cuprum_graph_definition definition, uint64_t node,
                                              cuprum_graph_definition child) {
    return update_graph("cuprum_graph_update_child_graph", graph, definition, node,
                        [&](const Call& call, const core::Graph& updated, const core::GraphNode& its_node) {
                            updated.update_child_graph(its_node, call.use(child, "child")->definition);
                        });
}

cuprum_status cuprum_graph_is_node_enabled(int32_t* enabled_out, cuprum_graph graph, cuprum_graph_definition definition,
                                           uint64_t node) {
    return update_graph("cuprum_graph_is_node_enabled", graph, definition, node,
                        [&](const Call& call, const core::Graph& asked, const core::GraphNode& its_node) {
                            call.require(enabled_out, "enabled_out");
                            *enabled_out = asked.is_enabled(its_node) ? 1 : 0;
                        });
}

cuprum_status cuprum_graph_set_node_enabled(cuprum_graph graph, cuprum_graph_definition definition, uint64_t node,
                                            int32_t enabled) {
    return update_graph("cuprum_graph_set_node_enabled", graph, definition, node,
                        [&](const Call&, const core::Graph& updated, const core::GraphNode& its_node) {
                            updated.set_enabled(its_node, enabled != 0);
                        });
}
