#include "driver/graph/graph.hpp"

#include <algorithm>
#include <atomic>
#include <map>

#include "driver/error/driver_error.hpp"
#include "driver/graph/graph_condition.hpp"
#include "driver/graph/graph_memory.hpp"
#include "driver/graph/user_object.hpp"
#include "driver/process/driver.hpp"

namespace cuprum::simulator::libcuda {

namespace {

std::atomic<uint64_t> next_node_identifier{1};
std::atomic<uint64_t> next_graph_identifier{1};

void erase_edge(std::vector<GraphEdge>& edges, const GraphNode& node) {
    std::erase_if(edges, [&](const GraphEdge& edge) { return edge.node == &node; });
}

bool has_edge(const std::vector<GraphEdge>& edges, const GraphNode& node) {
    return std::any_of(edges.begin(), edges.end(), [&](const GraphEdge& edge) { return edge.node == &node; });
}

}  // namespace

std::recursive_mutex& graph_mutex() {
    static std::recursive_mutex* const mutex = new std::recursive_mutex;
    return *mutex;
}

Graph::Graph() : identifier_(next_graph_identifier++) {}

// Throws only where there is no memory for the list of ended objects, which ends the process.
UserReferences::~UserReferences() {  // NOLINT(bugprone-exception-escape)
    for (const std::shared_ptr<UserObject>& object : objects) {
        object->release(1);
    }
}

GraphNode& Graph::add(Operation operation, std::span<const GraphEdge> dependencies) {
    for (size_t index = 0; index < dependencies.size(); ++index) {
        if (dependencies[index].node->graph != this) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("dependency %zu is a node of another graph", index));
        }
        for (size_t earlier = 0; earlier < index; ++earlier) {
            if (dependencies[earlier].node == dependencies[index].node) {
                throw DriverError(CUDA_ERROR_INVALID_VALUE,
                                  format("dependencies %zu and %zu are the same node", earlier, index));
            }
        }
    }
    auto node = std::make_shared<GraphNode>();
    node->identifier = next_node_identifier++;
    node->number = next_node_number_++;
    node->graph = this;
    node->operation = std::move(operation);
    node->dependencies.assign(dependencies.begin(), dependencies.end());
    for (const GraphEdge& edge : node->dependencies) {
        edge.node->dependents.push_back({node.get(), edge.data});
    }
    if (const auto* allocation = std::get_if<AllocateOperation>(&node->operation)) {
        allocation->memory->belong_to(identifier_);
    }
    nodes_.push_back(std::move(node));
    return *nodes_.back();
}

void Graph::add_dependency(GraphNode& from, GraphNode& to, const CUgraphEdgeData& data) {
    if (from.graph != this || to.graph != this) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "an edge can only connect nodes of this graph");
    }
    if (&from == &to) throw DriverError(CUDA_ERROR_INVALID_VALUE, "a node cannot depend on itself");
    if (has_edge(to.dependencies, from)) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "there is such an edge already");
    }
    to.dependencies.push_back({&from, data});
    from.dependents.push_back({&to, data});
}

void Graph::remove_dependency(GraphNode& from, GraphNode& to) {
    if (from.graph != this || to.graph != this || !has_edge(to.dependencies, from)) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "there is no such edge");
    }
    erase_edge(to.dependencies, from);
    erase_edge(from.dependents, to);
}

void Graph::remove(GraphNode& node) {
    for (const GraphEdge& edge : node.dependencies) {
        erase_edge(edge.node->dependents, node);
    }
    for (const GraphEdge& edge : node.dependents) {
        erase_edge(edge.node->dependencies, node);
    }
    if (node.handle != nullptr) handles().graph_nodes.remove(node.handle);
    if (const auto* conditional = std::get_if<ConditionalOperation>(&node.operation)) {
        conditional->condition->used = false;
    }
    for (const std::shared_ptr<Graph>& inside : graphs_inside(node.operation)) {
        inside->drop_handles();
    }
    std::erase_if(nodes_, [&](const std::shared_ptr<GraphNode>& candidate) { return candidate.get() == &node; });
}

std::vector<GraphNode*> Graph::in_order() const {
    std::map<const GraphNode*, size_t> missing;
    std::vector<GraphNode*> order;
    for (const std::shared_ptr<GraphNode>& node : nodes_) {
        missing[node.get()] = node->dependencies.size();
        if (node->dependencies.empty()) order.push_back(node.get());
    }
    for (size_t index = 0; index < order.size(); ++index) {
        for (const GraphEdge& edge : order[index]->dependents) {
            if (--missing[edge.node] == 0) order.push_back(edge.node);
        }
    }
    return order;
}

bool Graph::has_memory_nodes() const {
    return std::any_of(nodes_.begin(), nodes_.end(), [](const std::shared_ptr<GraphNode>& node) {
        const CUgraphNodeType type = type_of(node->operation);
        if (type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || type == CU_GRAPH_NODE_TYPE_MEM_FREE) return true;
        const std::vector<std::shared_ptr<Graph>> inside = graphs_inside(node->operation);
        return std::any_of(inside.begin(), inside.end(), [](const auto& graph) { return graph->has_memory_nodes(); });
    });
}

bool Graph::has_conditional_nodes() const {
    return std::any_of(nodes_.begin(), nodes_.end(), [](const std::shared_ptr<GraphNode>& node) {
        if (type_of(node->operation) == CU_GRAPH_NODE_TYPE_CONDITIONAL) return true;
        const auto* child = std::get_if<ChildGraphOperation>(&node->operation);
        return child != nullptr && child->graph->has_conditional_nodes();
    });
}

std::shared_ptr<Graph> Graph::clone() const {
    auto copy = std::make_shared<Graph>();
    copy->conditions = conditions;
    std::map<const GraphNode*, GraphNode*> copies;
    for (const std::shared_ptr<GraphNode>& node : nodes_) {
        GraphNode& copied = copy->add(node->operation, {});
        copied.origin = node->identifier;
        copied.enabled = node->enabled;
        if (auto* child = std::get_if<ChildGraphOperation>(&copied.operation)) {
            child->graph = child->graph->clone();
            child->graph->owned_by_node = true;
        } else if (auto* conditional = std::get_if<ConditionalOperation>(&copied.operation)) {
            for (std::shared_ptr<Graph>& body : conditional->bodies) {
                body = body->clone();
                body->owned_by_node = true;
            }
        }
        copies[node.get()] = &copied;
    }
    const auto translate = [&](const std::vector<GraphEdge>& edges) {
        std::vector<GraphEdge> translated;
        translated.reserve(edges.size());
        for (const GraphEdge& edge : edges) {
            translated.push_back({copies[edge.node], edge.data});
        }
        return translated;
    };
    for (const auto& [node, copied] : copies) {
        copied->dependencies = translate(node->dependencies);
        copied->dependents = translate(node->dependents);
    }
    copy->take_references(*this);
    return copy;
}

GraphNode* Graph::find_clone(uint64_t identifier, bool inside_children) {
    for (const std::shared_ptr<GraphNode>& node : nodes_) {
        if (node->origin == identifier) return node.get();
        if (!inside_children) continue;
        for (const std::shared_ptr<Graph>& inside : graphs_inside(node->operation)) {
            if (GraphNode* found = inside->find_clone(identifier, true)) return found;
        }
    }
    return nullptr;
}

CUgraph Graph::handle() {
    if (handle_ == nullptr) handle_ = handles().graphs.insert(shared_from_this());
    return handle_;
}

CUgraphNode Graph::handle_of(GraphNode& node) {
    if (node.handle == nullptr) {
        const auto owner = std::find_if(nodes_.begin(), nodes_.end(),
                                        [&](const std::shared_ptr<GraphNode>& own) { return own.get() == &node; });
        node.handle = handles().graph_nodes.insert(*owner);
    }
    return node.handle;
}

void Graph::drop_handles() {
    for (const std::shared_ptr<GraphNode>& node : nodes_) {
        if (node->handle != nullptr) handles().graph_nodes.remove(node->handle);
        node->handle = nullptr;
        for (const std::shared_ptr<Graph>& inside : graphs_inside(node->operation)) {
            inside->drop_handles();
        }
    }
    if (handle_ != nullptr) handles().graphs.remove(handle_);
    handle_ = nullptr;
}

void Graph::hold(const std::shared_ptr<UserObject>& object, unsigned int count) {
    references_->objects.insert(references_->objects.end(), count, object);
}

bool Graph::let_go(const std::shared_ptr<UserObject>& object, unsigned int count) {
    std::vector<std::shared_ptr<UserObject>>& objects = references_->objects;
    if (static_cast<size_t>(std::count(objects.begin(), objects.end(), object)) < count) return false;
    for (unsigned int released = 0; released < count; ++released) {
        objects.erase(std::find(objects.begin(), objects.end(), object));
    }
    object->release(count);
    return true;
}

void Graph::take_references(const Graph& other) {
    auto taken = std::make_shared<UserReferences>();
    for (const std::shared_ptr<UserObject>& object : other.references_->objects) {
        object->retain(1);
        taken->objects.push_back(object);
    }
    references_ = std::move(taken);
}

}  // namespace cuprum::simulator::libcuda
