#include "cuprum/core/graph_memory_resource.hpp"

#include <string>

#include "call.hpp"
#include "cuprum/capi/memory_resource.h"
#include "cuprum/core/device.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

namespace {

core::GraphMemoryResource graph_memory(const Call& call, cuprum_memory_resource resource) {
    return core::GraphMemoryResource::of(call.use(resource, "resource")->resource);
}

core::GraphMemoryAttribute graph_memory_attribute(const Call& call, int32_t number) {
    if (number < CUPRUM_GRAPH_MEMORY_USED_MEM_CURRENT || number > CUPRUM_GRAPH_MEMORY_RESERVED_MEM_HIGH) {
        call.refuse("attribute",
                    "expected the number of an attribute of graph memory, 0 to 3; given " + std::to_string(number));
    }
    return static_cast<core::GraphMemoryAttribute>(number);
}

}  // namespace

cuprum_status cuprum_memory_resource_create_graph(cuprum_memory_resource* resource_out, int32_t device) {
    return run("cuprum_memory_resource_create_graph", [&](const Call& call) {
        call.require(resource_out, "resource_out");
        const core::GraphMemoryResource made{core::Device(device)};
        *resource_out = call.give<cuprum_memory_resource>(MemoryResourceObject{made});
    });
}

cuprum_status cuprum_memory_resource_graph_attribute(uint64_t* value_out, cuprum_memory_resource resource,
                                                     int32_t attribute) {
    return run("cuprum_memory_resource_graph_attribute", [&](const Call& call) {
        call.require(value_out, "value_out");
        *value_out = graph_memory(call, resource).attribute(graph_memory_attribute(call, attribute));
    });
}

cuprum_status cuprum_memory_resource_set_graph_attribute(cuprum_memory_resource resource, int32_t attribute,
                                                         uint64_t value) {
    return run("cuprum_memory_resource_set_graph_attribute", [&](const Call& call) {
        graph_memory(call, resource).set_attribute(graph_memory_attribute(call, attribute), value);
    });
}

cuprum_status cuprum_memory_resource_trim_graph_memory(cuprum_memory_resource resource) {
    return run("cuprum_memory_resource_trim_graph_memory",
               [&](const Call& call) { graph_memory(call, resource).trim(); });
}
