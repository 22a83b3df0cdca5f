// Adding nodes to graphs, and giving them other parameters.
#pragma once

#include <memory>
#include <utility>

#include "driver_error.hpp"
#include "graph_keeping.hpp"
#include "graph_node_parameters.hpp"
#include "graph_state.hpp"
#include "left_to_destroy.hpp"

namespace cuprum::core {

// Adds a node after the position. `prepare` gets its handle once it is there, and its record: where it throws, the node
// goes again.
template <class Prepare>
GraphNode add_node(const OpenGraph& at, NodeParameters& parameters, const Prepare& prepare) {
    destroy_what_is_left();
    auto record = std::make_shared<GraphPosition::NodeRecord>();
    record->id = next_node_id();
    record->type = static_cast<GraphNodeType>(parameters.values.type);
    record->graph = at.record();
    Keeping keeping(at.root(), std::move(parameters.owners), at.operation());
    const CUgraphNode after = at.node() == nullptr ? nullptr : at.node()->handle;
    CUgraphNode handle = nullptr;
    check(driver::cuGraphAddNode_v2(&handle, at.graph(), &after, nullptr, after == nullptr ? 0 : 1, &parameters.values),
          "cuGraphAddNode", at.operation(), [&at] { return at.name(); });
    try {
        prepare(handle, *record);
        record->handle = handle;
        at.hierarchy().add(record);
    } catch (...) {
        report_cleanup(driver::cuGraphDestroyNode(handle), "cuGraphDestroyNode", at.operation(), "the new node");
        throw;
    }
    record->kept = keeping.done();
    return GraphAccess::node(at.shared_hierarchy(), record);
}

inline GraphNode add_node(const OpenGraph& at, NodeParameters parameters) {
    return add_node(at, parameters, [](CUgraphNode, GraphPosition::NodeRecord&) {});
}

inline void update_node(const OpenGraph& node, NodeParameters parameters) {
    destroy_what_is_left();
    Keeping keeping(node.root(), std::move(parameters.owners), node.operation());
    check(driver::cuGraphNodeSetParams(node.node()->handle, &parameters.values), "cuGraphNodeSetParams",
          node.operation(), [&node] { return node.name(); });
    stop_keeping(node.root(), std::exchange(node.node()->kept, keeping.done()));
}

}  // namespace cuprum::core
