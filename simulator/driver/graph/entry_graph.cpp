// Graphs: nodes, edges, clones, what belongs to them.
#include "driver/graph/entry_graph.hpp"

#include "driver/graph/graph_edges.hpp"
#include "driver/graph/graph_memory.hpp"
#include "driver/graph/graph_printing.hpp"
#include "driver/graph/user_object.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace cuprum::simulator::libcuda {

namespace {

// Whatever is wrong with a handle, the driver's graph functions call it an invalid value.
template <typename Table, typename Handle>
auto find_in(const Table& table, HandleKind kind, Handle handle) {
    auto found = table.find(handle);
    if (!found) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, describe_bad_handle(kind, reinterpret_cast<uint64_t>(handle)));
    }
    return found;
}

}  // namespace

std::shared_ptr<Graph> find_graph(CUgraph handle) {
    return find_in(handles().graphs, HandleKind::graph, handle);
}

std::shared_ptr<GraphNode> find_node(CUgraphNode handle) {
    return find_in(handles().graph_nodes, HandleKind::graph_node, handle);
}

std::shared_ptr<GraphExecution> find_execution(CUgraphExec handle) {
    return find_in(handles().graph_executions, HandleKind::graph_execution, handle);
}

}  // namespace cuprum::simulator::libcuda

namespace {

CUresult change_dependencies(const char* call, CUgraph handle, const CUgraphNode* from, const CUgraphNode* to,
                             const CUgraphEdgeData* data, size_t count, bool add) {
    return entry_graph(call, [&] {
        const std::shared_ptr<Graph> graph = find_graph(handle);
        if (count > 0) require_pointer(to, "to");
        const std::vector<GraphEdge> edges = find_edges(*graph, from, data, count);
        std::vector<std::shared_ptr<GraphNode>> targets;
        targets.reserve(count);
        for (size_t index = 0; index < count; ++index)
            targets.push_back(find_node(to[index]));
        change_edges(*graph, edges, targets, add);
    });
}

CUresult get_edges(const char* call, CUgraph handle, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* data,
                   size_t* count) {
    return entry_graph(call, [&] { report_all_edges(*find_graph(handle), from, to, data, count); });
}

CUresult get_nodes(const char* call, CUgraph handle, CUgraphNode* nodes, size_t* count, bool roots) {
    return entry_graph(call, [&] {
        const std::shared_ptr<Graph> graph = find_graph(handle);
        std::vector<GraphEdge> list;
        for (const std::shared_ptr<GraphNode>& node : graph->nodes()) {
            if (!roots || node->dependencies.empty()) list.push_back({node.get(), {}});
        }
        report_edges(*graph, list, nodes, nullptr, count);
    });
}

CUresult get_neighbours(const char* call, CUgraphNode handle, CUgraphNode* nodes, CUgraphEdgeData* data, size_t* count,
                        std::vector<GraphEdge> GraphNode::*edges) {
    return entry_graph(call, [&] {
        const std::shared_ptr<GraphNode> node = find_node(handle);
        report_edges(*node->graph, (*node).*edges, nodes, data, count);
    });
}

std::shared_ptr<UserObject> find_user_object(CUuserObject handle) {
    std::shared_ptr<UserObject> object = handles().user_objects.find(handle);
    if (!object) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          describe_bad_handle(HandleKind::user_object, reinterpret_cast<uint64_t>(handle)));
    }
    return object;
}

void require_count(unsigned int count) {
    if (count == 0 || count > INT32_MAX) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("the number of references is %u", count));
    }
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuGraphCreate(CUgraph* graph, unsigned int flags) {
    return entry_graph("cuGraphCreate", [&] {
        require_pointer(graph, "phGraph");
        require_flags(flags, 0, "flags");
        *graph = std::make_shared<Graph>()->handle();
    });
}

CUresult CUDAAPI cuGraphDestroy(CUgraph handle) {
    return entry_graph("cuGraphDestroy", [&] {
        const std::shared_ptr<Graph> graph = find_graph(handle);
        if (graph->owned_by_node) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, "the graph belongs to a node, and goes with it");
        }
        if (graph->capturing) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, "a stream is capturing into the graph");
        }
        graph->drop_handles();
    });
}

CUresult CUDAAPI cuGraphClone(CUgraph* clone, CUgraph original) {
    return entry_graph("cuGraphClone", [&] {
        require_pointer(clone, "phGraphClone");
        const std::shared_ptr<Graph> graph = find_graph(original);
        if (graph->has_memory_nodes()) {
            throw DriverError(CUDA_ERROR_NOT_SUPPORTED, "a graph that allocates or frees memory cannot be cloned");
        }
        if (graph->has_conditional_nodes()) {
            throw DriverError(CUDA_ERROR_NOT_SUPPORTED, "a graph with conditional nodes cannot be cloned");
        }
        *clone = graph->clone()->handle();
    });
}

CUresult CUDAAPI cuGraphNodeFindInClone(CUgraphNode* found, CUgraphNode original, CUgraph clone) {
    return entry_graph("cuGraphNodeFindInClone", [&] {
        require_pointer(found, "phNode");
        const std::shared_ptr<GraphNode> node = find_node(original);
        const std::shared_ptr<Graph> graph = find_graph(clone);
        GraphNode* copy = graph->find_clone(node->identifier, false);
        if (copy == nullptr) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, "the graph is not a clone of the node's graph");
        }
        *found = graph->handle_of(*copy);
    });
}

CUresult CUDAAPI cuGraphDestroyNode(CUgraphNode handle) {
    return entry_graph("cuGraphDestroyNode", [&] {
        const std::shared_ptr<GraphNode> node = find_node(handle);
        require_no_memory_nodes(*node->graph);
        if (node->graph->capturing) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, "a stream is capturing into the graph");
        }
        node->graph->remove(*node);
    });
}

CUresult CUDAAPI cuGraphNodeGetType(CUgraphNode handle, CUgraphNodeType* type) {
    return entry_graph("cuGraphNodeGetType", [&] {
        require_pointer(type, "type");
        *type = type_of(find_node(handle)->operation);
    });
}

CUresult CUDAAPI cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
    return get_nodes("cuGraphGetNodes", graph, nodes, count, false);
}

CUresult CUDAAPI cuGraphGetRootNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
    return get_nodes("cuGraphGetRootNodes", graph, nodes, count, true);
}

CUresult CUDAAPI cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* data,
                                    size_t* count) {
    return get_edges("cuGraphGetEdges", graph, from, to, data, count);
}

CUresult CUDAAPI cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count) {
    return get_edges("cuGraphGetEdges", graph, from, to, nullptr, count);
}

CUresult CUDAAPI cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* nodes, CUgraphEdgeData* data,
                                               size_t* count) {
    return get_neighbours("cuGraphNodeGetDependencies", node, nodes, data, count, &GraphNode::dependencies);
}

CUresult CUDAAPI cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* nodes, size_t* count) {
    return get_neighbours("cuGraphNodeGetDependencies", node, nodes, nullptr, count, &GraphNode::dependencies);
}

CUresult CUDAAPI cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode* nodes, CUgraphEdgeData* data,
                                                 size_t* count) {
    return get_neighbours("cuGraphNodeGetDependentNodes", node, nodes, data, count, &GraphNode::dependents);
}

CUresult CUDAAPI cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* nodes, size_t* count) {
    return get_neighbours("cuGraphNodeGetDependentNodes", node, nodes, nullptr, count, &GraphNode::dependents);
}

CUresult CUDAAPI cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                           const CUgraphEdgeData* data, size_t count) {
    return change_dependencies("cuGraphAddDependencies", graph, from, to, data, count, true);
}

CUresult CUDAAPI cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, size_t count) {
    return change_dependencies("cuGraphAddDependencies", graph, from, to, nullptr, count, true);
}

CUresult CUDAAPI cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                              const CUgraphEdgeData* data, size_t count) {
    return change_dependencies("cuGraphRemoveDependencies", graph, from, to, data, count, false);
}

CUresult CUDAAPI cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                           size_t count) {
    return change_dependencies("cuGraphRemoveDependencies", graph, from, to, nullptr, count, false);
}

CUresult CUDAAPI cuGraphDebugDotPrint(CUgraph handle, const char* path, unsigned int flags) {
    return entry_graph("cuGraphDebugDotPrint", [&] {
        require_pointer(path, "path");
        print_graph(*find_graph(handle), path, flags != 0);
    });
}

CUresult CUDAAPI cuDeviceGetGraphMemAttribute(CUdevice dev, CUgraphMem_attribute attribute, void* value) {
    return entry("cuDeviceGetGraphMemAttribute", [&] {
        require_pointer(value, "value");
        *static_cast<cuuint64_t*>(value) = graph_memory_attribute(driver().device(dev), attribute);
    });
}

CUresult CUDAAPI cuDeviceSetGraphMemAttribute(CUdevice dev, CUgraphMem_attribute attribute, void* value) {
    return entry("cuDeviceSetGraphMemAttribute", [&] {
        require_pointer(value, "value");
        if (*static_cast<const cuuint64_t*>(value) != 0) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, "a high-water mark can be set to 0 only");
        }
        reset_graph_memory_attribute(driver().device(dev), attribute);
    });
}

CUresult CUDAAPI cuDeviceGraphMemTrim(CUdevice dev) {
    return entry("cuDeviceGraphMemTrim", [&] { trim_graph_memory(driver().device(dev)); });
}

CUresult CUDAAPI cuUserObjectCreate(CUuserObject* handle, void* pointer, CUhostFn destroy, unsigned int references,
                                    unsigned int flags) {
    return entry("cuUserObjectCreate", [&] {
        require_pointer(handle, "object_out");
        require_count(references);
        if (destroy == nullptr) throw DriverError(CUDA_ERROR_INVALID_VALUE, "destroy is null");
        if (flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, "flags must be CU_USER_OBJECT_NO_DESTRUCTOR_SYNC");
        }
        auto object = std::make_shared<UserObject>(pointer, destroy, references);
        *handle = handles().user_objects.insert(object);
        object->set_handle(*handle);
    });
}

CUresult CUDAAPI cuUserObjectRetain(CUuserObject handle, unsigned int count) {
    return entry("cuUserObjectRetain", [&] {
        require_count(count);
        find_user_object(handle)->retain(count);
    });
}

CUresult CUDAAPI cuUserObjectRelease(CUuserObject handle, unsigned int count) {
    return entry("cuUserObjectRelease", [&] {
        require_count(count);
        if (!find_user_object(handle)->release(count)) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, "the object has fewer references");
        }
    });
}

CUresult CUDAAPI cuGraphRetainUserObject(CUgraph graph, CUuserObject handle, unsigned int count, unsigned int flags) {
    return entry_graph("cuGraphRetainUserObject", [&] {
        require_count(count);
        require_flags(flags, CU_GRAPH_USER_OBJECT_MOVE, "flags");
        const std::shared_ptr<Graph> owner = find_graph(graph);
        const std::shared_ptr<UserObject> object = find_user_object(handle);
        if (flags != CU_GRAPH_USER_OBJECT_MOVE) object->retain(count);
        owner->hold(object, count);
    });
}

CUresult CUDAAPI cuGraphReleaseUserObject(CUgraph graph, CUuserObject handle, unsigned int count) {
    return entry_graph("cuGraphReleaseUserObject", [&] {
        require_count(count);
        if (!find_graph(graph)->let_go(find_user_object(handle), count)) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, "the graph does not hold that many references");
        }
    });
}

}  // extern "C"
