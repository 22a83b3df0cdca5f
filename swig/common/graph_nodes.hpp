// Nodes of graphs, for languages that call the C ABI with numbers: one function for what takes a launch configuration,
// and one for what takes a function.
#pragma once

#include <cstdint>

#include "cuprum/cuprum.h"

namespace cuprum_languages {

// Which of the functions is meant: cuprum_graph_definition_add_kernel and so on.
enum GraphCall : int32_t {
    graph_call_add = 0,            // to a definition
    graph_call_update = 1,         // in a definition
    graph_call_update_config = 2,  // the configuration alone
    graph_call_update_graph = 3,   // in a graph that can be launched
    graph_call_build = 4,          // in a builder
};

struct GraphNodePlace {
    uint64_t owner;  // a graph, a builder or 0
    cuprum_graph_definition definition;
    uint64_t node;

    template <class Handle>
    Handle owner_as() const {
        return reinterpret_cast<Handle>(static_cast<uintptr_t>(owner));
    }
};

inline cuprum_status call_kernel_node(uint64_t* node_out, int32_t call, const GraphNodePlace& place,
                                      const cuprum_launch_config* config, cuprum_kernel kernel,
                                      const cuprum_argument* arguments, uint32_t count) {
    switch (call) {
        case graph_call_add:
            return cuprum_graph_definition_add_kernel(node_out, place.definition, place.node, config, kernel, arguments,
                                                      count);
        case graph_call_update:
            return cuprum_graph_definition_update_kernel(place.definition, place.node, config, kernel, arguments,
                                                         count);
        case graph_call_update_config:
            return cuprum_graph_definition_update_kernel_config(place.definition, place.node, config);
        default:
            return cuprum_graph_update_kernel(place.owner_as<cuprum_graph>(), place.definition, place.node, config,
                                              kernel, arguments, count);
    }
}

inline cuprum_status call_callback(uint64_t* node_out, int32_t call, const GraphNodePlace& place,
                                   cuprum_host_function function, cuprum_graph_release release, void* user_data) {
    switch (call) {
        case graph_call_add:
            return cuprum_graph_definition_add_callback(node_out, place.definition, place.node, function, release,
                                                        user_data);
        case graph_call_update:
            return cuprum_graph_definition_update_callback(place.definition, place.node, function, release, user_data);
        case graph_call_build:
            return cuprum_graph_builder_callback(place.owner_as<cuprum_graph_builder>(), function, release, user_data);
        default:
            return cuprum_graph_update_callback(place.owner_as<cuprum_graph>(), place.definition, place.node, function,
                                                release, user_data);
    }
}

}  // namespace cuprum_languages
