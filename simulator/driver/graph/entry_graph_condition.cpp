// The handles of conditions that conditional nodes read.
#include "driver/graph/entry_graph.hpp"
#include "driver/graph/graph_condition.hpp"

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
        *handle = add_condition(*owner, found, default_value, (flags & CU_GRAPH_COND_ASSIGN_DEFAULT) != 0)->handle();
    });
}

}  // extern "C"
