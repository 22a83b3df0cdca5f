// The handles of conditions that conditional nodes read.
#include <map>

#include "driver/graph/entry_graph.hpp"
#include "driver/graph/graph_condition.hpp"

namespace cuprum::simulator::libcuda {

namespace {

// By handle. graph_mutex() is held.
std::map<CUgraphConditionalHandle, std::weak_ptr<GraphCondition>>& known_conditions() {
    static auto* const known = new std::map<CUgraphConditionalHandle, std::weak_ptr<GraphCondition>>;
    return *known;
}

}  // namespace

std::shared_ptr<GraphCondition> find_condition(CUgraphConditionalHandle handle) {
    const auto found = known_conditions().find(handle);
    std::shared_ptr<GraphCondition> condition = found == known_conditions().end() ? nullptr : found->second.lock();
    if (!condition) {
        throw DriverError(
            CUDA_ERROR_INVALID_VALUE,
            hexadecimal(handle) + " is not a conditional handle (cuGraphConditionalHandleCreate makes one)");
    }
    return condition;
}

}  // namespace cuprum::simulator::libcuda

using namespace cuprum::simulator::libcuda;

extern "C" {

CUresult CUDAAPI cuGraphConditionalHandleCreate(CUgraphConditionalHandle* handle, CUgraph graph, CUcontext context,
                                                unsigned int default_value, unsigned int flags) {
    return entry_graph("cuGraphConditionalHandleCreate", [&] {
        require_pointer(handle, "pHandle_out");
        require_flags(flags, CU_GRAPH_COND_ASSIGN_DEFAULT, "flags");
        const std::shared_ptr<Graph> owner = find_graph(graph);
        if (context == nullptr) throw DriverError(CUDA_ERROR_INVALID_CONTEXT, "ctx is null");
        const std::shared_ptr<Context> found = find_context(context);
        require_usable(*found);
        const auto condition =
            std::make_shared<GraphCondition>(found, default_value, (flags & CU_GRAPH_COND_ASSIGN_DEFAULT) != 0);
        std::erase_if(known_conditions(), [](const auto& known) { return known.second.expired(); });
        known_conditions()[condition->handle()] = condition;
        *handle = condition->handle();
        owner->conditions.push_back(condition);
    });
}

}  // extern "C"
