#include "cuprum/core/graph.hpp"

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "driver_error.hpp"
#include "graph_keeping.hpp"
#include "graph_node_parameters.hpp"
#include "graph_state.hpp"
#include "launch_attributes.hpp"
#include "left_to_destroy.hpp"
#include "require.hpp"

namespace cuprum::core {

// The driver keeps it with the executable graph, as a user object: what is in it goes when the graph is closed and its
// launches have ended.
struct Graph::Keeper {
    std::mutex mutex;
    std::map<const void*, std::shared_ptr<const void>> owners;  // each once
};

namespace {

using Hierarchy = GraphPosition::Hierarchy;

std::string describe_graph(const Graph& graph) {
    return "graph " + hexadecimal(reinterpret_cast<uintptr_t>(graph.handle())) + " on " +
           describe_device(graph.device_id());
}

void require_graph(const Graph& graph, const char* operation) {
    if (!graph.is_valid()) [[unlikely]] {
        throw InvalidState(operation, "graph", "the graph is closed, moved-from or default-constructed",
                           "instantiate a new one");
    }
}

// What the driver says of an instantiation that failed.
std::string instantiation_note(CUgraphInstantiateResult result) {
    switch (result) {
        case CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE:
            return "its structure is invalid, for example circular";
        case CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED:
            return "a graph that kernels launch cannot have this node";
        case CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED:
            return "the nodes of a graph that kernels launch must be of one context";
        case CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED:
            return "it has a condition without a conditional node";
        default:
            return {};
    }
}

std::string update_note(CUgraphExecUpdateResult result) {
    switch (result) {
        case CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED:
            return "the nodes or edges differ";
        case CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED:
            return "a node is of another type";
        case CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED:
        case CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE:
            return "a node's kernel differs in a way that an update does not allow";
        case CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED:
            return "a node's parameters differ in a way that an update does not allow";
        case CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED:
            return "a node cannot be updated";
        case CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED:
            return "a node's attributes differ";
        default:
            return {};
    }
}

// Which node of the graph it is, as the graph's nodes are listed.
std::string node_note(const GraphDefinition& definition, CUgraphNode node) {
    if (node == nullptr) return {};
    try {
        size_t place = 0;
        for (const GraphNode& each : definition.nodes()) {
            if (each.handle() == node) return ": node " + std::to_string(place) + ", a " + describe(each.type());
            ++place;
        }
    } catch (const Error&) {
        return {};
    }
    return ": a node of a part of it";
}

CUDA_GRAPH_INSTANTIATE_PARAMS instantiate_parameters(const GraphCompleteOptions& options) {
    CUDA_GRAPH_INSTANTIATE_PARAMS parameters{};
    if (options.auto_free_on_launch) parameters.flags |= CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    if (options.device_launch) parameters.flags |= CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH;
    if (options.use_node_priority) parameters.flags |= CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
    if (options.upload_stream.is_valid()) {
        parameters.flags |= CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD;
        parameters.hUploadStream = options.upload_stream.handle();
    }
    return parameters;
}

}  // namespace

Graph GraphDefinition::instantiate(const GraphCompleteOptions& options) const {
    destroy_what_is_left();
    const OpenGraph open(*this, "instantiating a graph");
    if (!record_->is_root) {
        throw InvalidState(open.operation(), open.name(), "it is a part of another graph, and runs with that",
                           "instantiate the graph that it is a part of");
    }
    if (options.auto_free_on_launch && options.device_launch) {
        throw InvalidArgument(open.operation(), open.name(),
                              "a graph that kernels launch cannot free its memory when it is launched",
                              "leave one of the options out");
    }
    auto keeper = std::make_shared<Graph::Keeper>();
    // The definition keeps it while the executable graph copies what that keeps.
    const Keeping keeping(open.root(), {keeper}, open.operation());
    CUDA_GRAPH_INSTANTIATE_PARAMS parameters = instantiate_parameters(options);
    CUgraphExec executable = nullptr;
    const CUresult result = driver::cuGraphInstantiateWithParams(&executable, open.graph(), &parameters);
    if (result == CUDA_SUCCESS && parameters.result_out == CUDA_GRAPH_INSTANTIATE_SUCCESS) {
        Graph graph;
        GraphAccess::take(graph, executable, open.device_id(), std::move(keeper));
        return graph;
    }
    throw_driver_error(result == CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : result, "cuGraphInstantiateWithParams",
                       open.operation(), open.name(),
                       instantiation_note(parameters.result_out) + node_note(*this, parameters.hErrNode_out));
}

Graph::Graph(Graph&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)),
      device_id_(other.device_id_),
      keeper_(std::move(other.keeper_)),
      live_(std::move(other.live_)) {}

Graph& Graph::operator=(Graph&& other) noexcept {
    if (this != &other) {
        close();
        handle_ = std::exchange(other.handle_, nullptr);
        device_id_ = other.device_id_;
        keeper_ = std::move(other.keeper_);
        live_ = std::move(other.live_);
    }
    return *this;
}

Graph::~Graph() {
    close();
}

void Graph::close() noexcept {
    const CUgraphExec closing = std::exchange(handle_, nullptr);
    keeper_.reset();
    live_.stop_counting();
    if (closing == nullptr) return;
    clean_up_unless_reset(device_id_, [closing] {
        report_cleanup(driver::cuGraphExecDestroy(closing), "cuGraphExecDestroy", "closing a graph",
                       [closing] { return "graph " + hexadecimal(reinterpret_cast<uintptr_t>(closing)); });
    });
    if (!must_leak()) destroy_what_is_left();
}

CUgraphExec Graph::release() {
    require_graph(*this, "releasing a graph");
    keeper_.reset();
    live_.stop_counting();
    return std::exchange(handle_, nullptr);
}

GraphCompleteOptions Graph::options() const {
    constexpr const char* operation = "asking how a graph was instantiated";
    require_graph(*this, operation);
    const ContextScope scope(device_id_);
    cuuint64_t flags = 0;
    check(driver::cuGraphExecGetFlags(handle_, &flags), "cuGraphExecGetFlags", operation,
          [this] { return describe_graph(*this); });
    GraphCompleteOptions options;
    options.auto_free_on_launch = (flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH) != 0;
    options.device_launch = (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) != 0;
    options.use_node_priority = (flags & CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY) != 0;
    return options;
}

namespace {

// A graph is not captured as a part of another one.
[[noreturn]] void throw_captured_launch(const Graph& graph, const StreamRef& stream, const char* operation) {
    throw InvalidState(operation, describe_graph(graph) + " in " + describe(stream),
                       "the stream's work is captured into a graph, which cannot launch another one",
                       "embed the definition of the graph");
}

bool is_about_captures(CUresult result) {
    return result == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED || result == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED ||
           result == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
}

}  // namespace

void Graph::launch(StreamRef stream) const {
    constexpr const char* operation = "launching a graph";
    require_graph(*this, operation);
    require_valid(stream, operation);
    const ContextScope scope(stream);
    const CUresult result = driver::cuGraphLaunch(handle_, stream.handle());
    if (is_about_captures(result)) [[unlikely]]
        throw_captured_launch(*this, stream, operation);
    check(result, "cuGraphLaunch", operation, [&] { return describe_graph(*this) + " in " + describe(stream); });
}

void Graph::upload(StreamRef stream) const {
    constexpr const char* operation = "uploading a graph";
    require_graph(*this, operation);
    require_valid(stream, operation);
    const ContextScope scope(stream);
    const CUresult result = driver::cuGraphUpload(handle_, stream.handle());
    if (is_about_captures(result)) {
        throw InvalidState(operation, describe_graph(*this) + " in " + describe(stream),
                           "the stream's work is captured into a graph", "upload it in another stream");
    }
    check(result, "cuGraphUpload", operation, [&] { return describe_graph(*this) + " in " + describe(stream); });
}

void Graph::update(const GraphDefinition& source) {
    constexpr const char* operation = "updating a graph";
    require_graph(*this, operation);
    destroy_what_is_left();
    const OpenGraph open(source, operation);
    const ContextScope scope(device_id_);
    auto keeper = std::make_shared<Keeper>();
    const Keeping keeping(open.root(), {keeper}, operation);
    CUgraphExecUpdateResultInfo info{};
    const CUresult result = driver::cuGraphExecUpdate(handle_, open.graph(), &info);
    if (result != CUDA_SUCCESS) {
        throw_driver_error(result, "cuGraphExecUpdate", operation, describe_graph(*this),
                           update_note(info.result) + node_note(source, info.errorNode));
    }
    // The driver lets go of the former one when the launches that use it have ended.
    keeper_ = std::move(keeper);
}

namespace {

// A node that a call changes in an executable graph.
void update_in(const Graph& graph, const OpenGraph& node, NodeParameters parameters) {
    require_graph(graph, node.operation());
    // Kept before the driver uses it; what it replaces may still be in use.
    Graph::Keeper& keeper = *GraphAccess::keeper(graph);
    std::vector<const void*> added;
    {
        const std::lock_guard lock(keeper.mutex);
        for (std::shared_ptr<const void>& owner : parameters.owners) {
            if (owner == nullptr) continue;
            const void* const key = owner.get();
            if (keeper.owners.try_emplace(key, std::move(owner)).second) added.push_back(key);
        }
    }
    const CUresult result = driver::cuGraphExecNodeSetParams(graph.handle(), node.node()->handle, &parameters.values);
    if (result == CUDA_SUCCESS) return;
    {
        const std::lock_guard lock(keeper.mutex);
        for (const void* const key : added)
            keeper.owners.erase(key);
    }
    throw_driver_error(result, "cuGraphExecNodeSetParams", node.operation(),
                       node.name() + " in " + describe_graph(graph));
}

}  // namespace

void Graph::update_kernel_arguments(const GraphNode& node, const LaunchConfig& config, const Kernel& kernel,
                                    std::span<const void* const> addresses, std::span<const ArgumentType> types,
                                    GraphOwners owners) const {
    check_node_arguments(kernel, device_id_, addresses, types);
    update_kernel_checked(node, config, kernel, addresses, std::move(owners));
}

void Graph::update_kernel_checked(const GraphNode& node, const LaunchConfig& config, const Kernel& kernel,
                                  std::span<const void* const> addresses, GraphOwners owners) const {
    const OpenGraph open(node, "updating a kernel node of a graph");
    require_graph(*this, open.operation());
    require_type(open, GraphNodeType::kernel);
    if (needs_attributes(config)) {
        throw InvalidArgument(open.operation(), describe_graph(*this),
                              "a node's attributes (cluster, priority and so on) stay as they were instantiated",
                              "leave them out, or update the whole graph");
    }
    update_in(*this, open, kernel_node(open, config, kernel, addresses, std::move(owners)));
}

void Graph::update_memcpy(const GraphNode& node, const MemcpyNodeParameters& parameters, GraphOwners owners) const {
    const OpenGraph open(node, "updating a memcpy node of a graph");
    require_type(open, GraphNodeType::memcpy);
    update_in(*this, open, memcpy_node(open, parameters, std::move(owners)));
}

void Graph::update_memset(const GraphNode& node, const MemsetNodeParameters& parameters, GraphOwners owners) const {
    const OpenGraph open(node, "updating a memset node of a graph");
    require_type(open, GraphNodeType::memset);
    update_in(*this, open, memset_node(open, parameters, std::move(owners)));
}

void Graph::update_callback(const GraphNode& node, std::function<void()> function, GraphOwners owners) const {
    const OpenGraph open(node, "updating a host callback node of a graph");
    require_type(open, GraphNodeType::host);
    update_in(*this, open, host_node(std::move(function), std::move(owners), open.operation()));
}

void Graph::update_event(const GraphNode& node, EventRef event, GraphOwners owners) const {
    const OpenGraph open(node, "updating an event node of a graph");
    if (open.node()->type != GraphNodeType::event_wait) require_type(open, GraphNodeType::event_record);
    update_in(*this, open, event_node(open.node()->type, event, std::move(owners), open.operation()));
}

void Graph::update_memory_operations(const GraphNode& node, std::span<const MemoryOperationParameters> operations,
                                     GraphOwners owners) const {
    const OpenGraph open(node, "updating a memory operation node of a graph");
    require_type(open, GraphNodeType::batch_memory_operation);
    std::vector<CUstreamBatchMemOpParams> list = memory_operation_list(open, operations);
    update_in(*this, open, memory_operation_node(open, list, std::move(owners)));
}

void Graph::update_child_graph(const GraphNode& node, const GraphDefinition& child) const {
    constexpr const char* operation = "updating a child graph node of a graph";
    const std::lock_guard two_graphs(two_graphs_mutex());
    const OpenGraph open(node, operation);
    require_type(open, GraphNodeType::child_graph);
    const OpenGraph embedded(child, operation);
    // The driver takes over what the child keeps.
    update_in(*this, open, child_graph_node(embedded.graph()));
}

bool Graph::is_enabled(const GraphNode& node) const {
    const OpenGraph open(node, "asking whether a node is enabled");
    require_graph(*this, open.operation());
    unsigned int enabled = 0;
    check(driver::cuGraphNodeGetEnabled(handle_, open.node()->handle, &enabled), "cuGraphNodeGetEnabled",
          open.operation(), [&] { return open.name() + " in " + describe_graph(*this); });
    return enabled != 0;
}

void Graph::set_enabled(const GraphNode& node, bool enabled) const {
    const OpenGraph open(node, enabled ? "enabling a node" : "disabling a node");
    require_graph(*this, open.operation());
    check(driver::cuGraphNodeSetEnabled(handle_, open.node()->handle, enabled ? 1 : 0), "cuGraphNodeSetEnabled",
          open.operation(), [&] { return open.name() + " in " + describe_graph(*this); });
}

}  // namespace cuprum::core
