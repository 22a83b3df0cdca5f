#include <algorithm>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "cuprum/core/device.hpp"
#include "cuprum/core/graph.hpp"
#include "driver_error.hpp"
#include "graph_keeping.hpp"
#include "graph_state.hpp"
#include "left_to_destroy.hpp"
#include "require.hpp"

namespace cuprum::core {

namespace {

using Record = GraphPosition::Record;
using NodeRecord = GraphPosition::NodeRecord;
using Hierarchy = GraphPosition::Hierarchy;

const std::shared_ptr<Hierarchy>& require_hierarchy(const GraphPosition& position, const char* operation) {
    const std::shared_ptr<Hierarchy>& hierarchy = GraphAccess::hierarchy(position);
    if (hierarchy == nullptr) {
        throw InvalidArgument(operation, "graph", "it is invalid (moved-from or default-constructed)",
                              "make a graph definition, or a node of one");
    }
    return hierarchy;
}

// All nodes of a graph, in the driver's order, by the call that lists them.
template <class List>
std::vector<CUgraphNode> list_nodes(const List& list) {
    size_t count = 0;
    list(nullptr, &count);
    std::vector<CUgraphNode> nodes(count);
    if (count > 0) list(nodes.data(), &count);
    return nodes;
}

}  // namespace

uint64_t next_node_id() {
    static std::atomic<uint64_t> last = 0;
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

GraphPosition::Hierarchy::~Hierarchy() {
    if (root == nullptr) return;
    clean_up(device_id, [this] {
        report_cleanup(driver::cuGraphDestroy(root), "cuGraphDestroy", "destroying a graph", "graph definition");
    });
}

std::shared_ptr<Hierarchy> make_hierarchy(int32_t device_id) {
    destroy_what_is_left();
    auto hierarchy = std::make_shared<Hierarchy>();
    hierarchy->device_id = device_id;
    const ContextScope scope(device_id);
    CUgraph graph = nullptr;
    check(driver::cuGraphCreate(&graph, 0), "cuGraphCreate", "making a graph definition",
          [device_id] { return describe_device(device_id); });
    hierarchy->root = graph;
    return hierarchy;
}

GraphDefinition root_of(const std::shared_ptr<Hierarchy>& hierarchy) {
    auto record = std::make_shared<Record>();
    record->handle = hierarchy->root;
    record->is_root = true;
    return GraphAccess::definition(hierarchy, std::move(record));
}

std::string describe(GraphNodeType type) {
    switch (type) {
        case GraphNodeType::kernel:
            return "kernel node";
        case GraphNodeType::memcpy:
            return "memcpy node";
        case GraphNodeType::memset:
            return "memset node";
        case GraphNodeType::host:
            return "host callback node";
        case GraphNodeType::child_graph:
            return "child graph node";
        case GraphNodeType::empty:
            return "empty node";
        case GraphNodeType::event_wait:
            return "event wait node";
        case GraphNodeType::event_record:
            return "event record node";
        case GraphNodeType::external_semaphores_signal:
        case GraphNodeType::external_semaphores_wait:
            return "external semaphore node";
        case GraphNodeType::allocation:
            return "allocation node";
        case GraphNodeType::free:
            return "free node";
        case GraphNodeType::batch_memory_operation:
            return "batch memory operation node";
        case GraphNodeType::conditional:
            return "conditional node";
    }
    return "node of type " + std::to_string(static_cast<int32_t>(type));
}

OpenGraph::OpenGraph(const GraphPosition& position, const char* operation)
    : hierarchy_(require_hierarchy(position, operation)),
      record_(GraphAccess::record(position)),
      node_(GraphAccess::node(position)),
      operation_(operation),
      lock_(hierarchy_->mutex),
      scope_(hierarchy_->device_id) {
    if (node_ != nullptr && node_->handle == nullptr) {
        throw InvalidState(operation, describe(node_->type),
                           "the node is closed: it was destroyed, or the node was "
                           "whose graph it is in",
                           "use another one");
    }
    if (!record_->is_valid) {
        throw InvalidState(operation, "graph definition",
                           "the definition is closed: the node that it is a part of was "
                           "destroyed",
                           "use another one");
    }
    if (record_->is_captured_into) {
        throw InvalidState(operation, "graph definition", "a stream's work is being captured into it",
                           "end building first");
    }
}

std::string OpenGraph::name() const {
    return node_ == nullptr ? "graph definition on " + describe_device(device_id())
                            : describe(node_->type) + " on " + describe_device(device_id());
}

std::shared_ptr<NodeRecord> OpenGraph::known(CUgraphNode node, const std::shared_ptr<Record>& graph) const {
    if (const auto found = hierarchy_->nodes.find(node); found != hierarchy_->nodes.end()) return found->second;
    CUgraphNodeType type{};
    check(driver::cuGraphNodeGetType(node, &type), "cuGraphNodeGetType", operation_, "node of a graph");
    auto record = std::make_shared<NodeRecord>();
    record->handle = node;
    record->id = next_node_id();
    record->type = static_cast<GraphNodeType>(type);
    record->graph = graph;
    if (record->type == GraphNodeType::child_graph) {
        auto part = std::make_shared<Record>();
        check(driver::cuGraphChildGraphNodeGetGraph(node, &part->handle), "cuGraphChildGraphNodeGetGraph", operation_,
              "child graph node");
        record->parts.push_back(std::move(part));
    }
    hierarchy_->add(record);
    return record;
}

void require_type(const OpenGraph& node, GraphNodeType type) {
    if (node.node()->type == type) return;
    throw InvalidState(node.operation(), node.name(), "it is not a " + describe(type), "use a " + describe(type));
}

GraphDefinition::GraphDefinition() : GraphDefinition(Device::current()) {}

GraphDefinition::GraphDefinition(const Device& device) : GraphDefinition(root_of(make_hierarchy(device.device_id()))) {}

bool GraphDefinition::is_valid() const {
    if (hierarchy_ == nullptr) return false;
    const std::lock_guard lock(hierarchy_->mutex);
    return record_->is_valid;
}

CUgraph GraphDefinition::handle() const {
    return OpenGraph(*this, "asking for a graph definition's handle").graph();
}

int32_t GraphDefinition::device_id() const {
    return require_hierarchy(*this, "asking for a graph definition's device")->device_id;
}

std::vector<GraphNode> GraphDefinition::nodes() const {
    const OpenGraph open(*this, "listing the nodes of a graph");
    const std::vector<CUgraphNode> handles = list_nodes([&](CUgraphNode* nodes, size_t* count) {
        check(driver::cuGraphGetNodes(open.graph(), nodes, count), "cuGraphGetNodes", open.operation(), open.name());
    });
    std::vector<GraphNode> nodes;
    nodes.reserve(handles.size());
    for (CUgraphNode each : handles)
        nodes.push_back(GraphAccess::node(hierarchy_, open.known(each)));
    return nodes;
}

std::vector<std::pair<GraphNode, GraphNode>> GraphDefinition::edges() const {
    const OpenGraph open(*this, "listing the edges of a graph");
    size_t count = 0;
    const auto list = [&](CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* data) {
        check(driver::cuGraphGetEdges_v2(open.graph(), from, to, data, &count), "cuGraphGetEdges", open.operation(),
              open.name());
    };
    list(nullptr, nullptr, nullptr);
    std::vector<CUgraphNode> from(count);
    std::vector<CUgraphNode> to(count);
    std::vector<CUgraphEdgeData> data(count);  // the driver refuses to leave out what is not plain
    if (count > 0) list(from.data(), to.data(), data.data());
    std::vector<std::pair<GraphNode, GraphNode>> edges;
    edges.reserve(count);
    for (size_t i = 0; i < count; ++i) {
        edges.emplace_back(GraphAccess::node(hierarchy_, open.known(from[i])),
                           GraphAccess::node(hierarchy_, open.known(to[i])));
    }
    return edges;
}

namespace {

// Both nodes of an edge, checked to be of that graph.
class Edge {
public:
    Edge(const OpenGraph& graph, const GraphNode& from, const GraphNode& to)
        : from_(handle(graph, from)), to_(handle(graph, to)), graph_(graph) {}

    CUgraphNode from() const { return from_; }
    CUgraphNode to() const { return to_; }
    bool exists() const { return reaches(from_, to_, false); }
    // Whether `to` comes before `from` already.
    bool closes_circle() const { return from_ == to_ || reaches(to_, from_, true); }

private:
    static CUgraphNode handle(const OpenGraph& graph, const GraphNode& node) {
        const OpenGraph open(node, graph.operation());
        if (open.graph() != graph.graph()) {
            throw InvalidArgument(graph.operation(), open.name(), "the node is one of another graph",
                                  "use nodes of this graph definition");
        }
        return open.node()->handle;
    }
    bool reaches(CUgraphNode from, CUgraphNode to, bool also_in_steps) const {
        std::vector<CUgraphNode> open{from};
        std::vector<CUgraphNode> seen;
        while (!open.empty()) {
            const CUgraphNode node = open.back();
            open.pop_back();
            for (CUgraphNode next : after(node)) {
                if (next == to) return true;
                if (!also_in_steps || std::find(seen.begin(), seen.end(), next) != seen.end()) continue;
                seen.push_back(next);
                open.push_back(next);
            }
        }
        return false;
    }
    std::vector<CUgraphNode> after(CUgraphNode node) const {
        std::vector<CUgraphEdgeData> data;
        return list_nodes([&](CUgraphNode* nodes, size_t* count) {
            data.resize(*count);
            check(driver::cuGraphNodeGetDependentNodes_v2(node, nodes, nodes == nullptr ? nullptr : data.data(), count),
                  "cuGraphNodeGetDependentNodes", graph_.operation(), graph_.name());
        });
    }

    CUgraphNode from_;
    CUgraphNode to_;
    const OpenGraph& graph_;
};

}  // namespace

void GraphDefinition::add_dependency(const GraphNode& from, const GraphNode& to) const {
    const OpenGraph open(*this, "adding a dependency to a graph");
    const Edge edge(open, from, to);
    if (edge.exists()) return;
    if (edge.closes_circle()) {
        throw InvalidArgument(open.operation(), open.name(), "the first node comes after the second already",
                              "leave the dependency out, or remove what leads back");
    }
    const CUgraphNode first = edge.from();
    const CUgraphNode second = edge.to();
    check(driver::cuGraphAddDependencies_v2(open.graph(), &first, &second, nullptr, 1), "cuGraphAddDependencies",
          open.operation(), open.name());
}

void GraphDefinition::remove_dependency(const GraphNode& from, const GraphNode& to) const {
    const OpenGraph open(*this, "removing a dependency from a graph");
    const Edge edge(open, from, to);
    if (!edge.exists()) return;
    const CUgraphNode first = edge.from();
    const CUgraphNode second = edge.to();
    check(driver::cuGraphRemoveDependencies_v2(open.graph(), &first, &second, nullptr, 1), "cuGraphRemoveDependencies",
          open.operation(), open.name());
}

bool GraphDefinition::has_node(uint64_t id) const {
    const std::lock_guard lock(require_hierarchy(*this, "asking whether a graph has a node")->mutex);
    const auto found = hierarchy_->nodes_by_id.find(id);
    return found != hierarchy_->nodes_by_id.end() && found->second->graph == record_;
}

GraphNode GraphDefinition::node(uint64_t id) const {
    const OpenGraph open(*this, "finding a node of a graph");
    const auto found = hierarchy_->nodes_by_id.find(id);
    if (found != hierarchy_->nodes_by_id.end() && found->second->graph == record_) {
        return GraphAccess::node(hierarchy_, found->second);
    }
    throw InvalidArgument(open.operation(), open.name(), "it has no node " + std::to_string(id) + ", or no longer",
                          "use one that the definition has made or listed");
}

GraphCondition GraphDefinition::create_condition(std::optional<uint32_t> default_value) const {
    const OpenGraph open(*this, "making a condition of a graph");
    CUgraphConditionalHandle handle = 0;
    check(driver::cuGraphConditionalHandleCreate(&handle, open.graph(), open.context(), default_value.value_or(0),
                                                 default_value ? CU_GRAPH_COND_ASSIGN_DEFAULT : 0),
          "cuGraphConditionalHandleCreate", open.operation(), open.name());
    return GraphCondition::from_handle(handle);
}

void GraphDefinition::keep(std::shared_ptr<const void> owner) const {
    const OpenGraph open(*this, "giving a graph something to keep");
    Keeping(open.root(), {std::move(owner)}, open.operation()).done();
}

void GraphDefinition::debug_dot_print(const std::string& path, GraphDebugPrint options) const {
    const OpenGraph open(*this, "writing a graph to a file");
    check(driver::cuGraphDebugDotPrint(open.graph(), path.c_str(), static_cast<unsigned int>(options)),
          "cuGraphDebugDotPrint", open.operation(), [&path] { return "file " + path; });
}

// ---- Nodes: what does not depend on their type.

bool GraphNode::is_valid() const {
    if (hierarchy_ == nullptr) return false;
    const std::lock_guard lock(hierarchy_->mutex);
    return node_->handle != nullptr;
}

uint64_t GraphNode::id() const {
    static_cast<void>(require_hierarchy(*this, "asking for a node's id"));
    return node_->id;
}

GraphNodeType GraphNode::type() const {
    static_cast<void>(require_hierarchy(*this, "asking for a node's type"));
    return node_->type;
}

CUgraphNode GraphNode::handle() const {
    return OpenGraph(*this, "asking for a node's handle").node()->handle;
}

GraphDefinition GraphNode::definition() const {
    static_cast<void>(require_hierarchy(*this, "asking for a node's graph"));
    return GraphAccess::definition(hierarchy_, record_);
}

namespace {

std::vector<GraphNode> neighbours(const GraphNode& node, const char* operation, const char* driver_function,
                                  CUresult (*list)(CUgraphNode, CUgraphNode*, CUgraphEdgeData*, size_t*)) {
    const OpenGraph open(node, operation);
    std::vector<CUgraphEdgeData> data;
    const std::vector<CUgraphNode> handles = list_nodes([&](CUgraphNode* nodes, size_t* count) {
        data.resize(*count);
        check(list(open.node()->handle, nodes, nodes == nullptr ? nullptr : data.data(), count), driver_function,
              operation, open.name());
    });
    std::vector<GraphNode> found;
    found.reserve(handles.size());
    for (CUgraphNode each : handles)
        found.push_back(GraphAccess::node(open.shared_hierarchy(), open.known(each)));
    return found;
}

}  // namespace

std::vector<GraphNode> GraphNode::predecessors() const {
    return neighbours(*this, "listing the nodes before a node", "cuGraphNodeGetDependencies",
                      [](CUgraphNode node, CUgraphNode* nodes, CUgraphEdgeData* data, size_t* count) {
                          return driver::cuGraphNodeGetDependencies_v2(node, nodes, data, count);
                      });
}

std::vector<GraphNode> GraphNode::successors() const {
    return neighbours(*this, "listing the nodes after a node", "cuGraphNodeGetDependentNodes",
                      [](CUgraphNode node, CUgraphNode* nodes, CUgraphEdgeData* data, size_t* count) {
                          return driver::cuGraphNodeGetDependentNodes_v2(node, nodes, data, count);
                      });
}

namespace {

void forget_node(Hierarchy& hierarchy, NodeRecord& node) {
    node.handle = nullptr;
    stop_keeping(hierarchy.root, std::exchange(node.kept, nullptr));
    node.kernel = Kernel();
    forget_parts(hierarchy, node);
}

}  // namespace

void forget_parts(Hierarchy& hierarchy, NodeRecord& node) {
    for (const std::shared_ptr<Record>& part : node.parts) {
        part->is_valid = false;
        std::vector<std::shared_ptr<NodeRecord>> inside;
        for (const auto& [handle, record] : hierarchy.nodes) {
            if (record->graph == part) inside.push_back(record);
        }
        for (const std::shared_ptr<NodeRecord>& each : inside) {
            hierarchy.remove(*each);
            forget_node(hierarchy, *each);
        }
    }
    node.parts.clear();
}

void GraphNode::destroy() const {
    const OpenGraph open(*this, "destroying a node of a graph");
    if (open.node()->type == GraphNodeType::conditional) {
        for (const std::shared_ptr<Record>& part : open.node()->parts) {
            if (!part->is_captured_into) continue;
            throw InvalidState(open.operation(), open.name(),
                               "a stream's work is being captured into one of its bodies", "end building first");
        }
    }
    check(driver::cuGraphDestroyNode(open.node()->handle), "cuGraphDestroyNode", open.operation(), open.name());
    hierarchy_->remove(*open.node());
    forget_node(*hierarchy_, *open.node());
}

}  // namespace cuprum::core
