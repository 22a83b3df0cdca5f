#include "driver/graph/graph_execution.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>

#include "driver/context/context.hpp"
#include "driver/error/driver_error.hpp"
#include "driver/event/event.hpp"
#include "driver/graph/graph_condition.hpp"
#include "driver/graph/graph_memory.hpp"
#include "driver/stream/executor.hpp"

namespace cuprum::simulator::libcuda {

namespace {

std::atomic<uint64_t> next_run_number{1};

// One launch while it runs. A step starts when all that it waits for is done; of several that could start, this thread
// takes one, chosen by the seed, and the executor's threads take the others, so nothing orders them but the edges.
class GraphRun : public std::enable_shared_from_this<GraphRun> {
public:
    explicit GraphRun(std::shared_ptr<const GraphPlan> plan)
        : plan_(std::move(plan)),
          events_(plan_->steps.size()),
          missing_(plan_->steps.size()),
          remaining_(plan_->steps.size()) {
        for (size_t index = 0; index < missing_.size(); ++index) {
            const GraphPlan::Step& step = plan_->steps[index];
            missing_[index] = step.waits_for;
            // In the order of the calls, as if recorded and waited for at the launch.
            if (const auto* wait = std::get_if<EventWaitOperation>(&step.operation)) {
                events_[index] = wait->event->last();
            } else if (const auto* record = std::get_if<EventRecordOperation>(&step.operation)) {
                events_[index] = record->event->begin_recording();
            }
        }
    }

    // Returns when all is done.
    void run() {
        std::vector<uint32_t> ready;
        for (uint32_t index = 0; index < missing_.size(); ++index) {
            if (plan_->steps[index].waits_for == 0) ready.push_back(index);
        }
        if (ready.empty()) return;
        stream_ = RunningOperation::current_stream();
        known_.assign(missing_.size(), known_order());
        run_all(std::move(ready));
        done_.wait();
        learn_order(end_);
    }

private:
    void run_all(std::vector<uint32_t> ready) {
        while (!ready.empty()) {
            const size_t chosen = executor().choose(place_of(ready.front()), ready.size());
            const uint32_t own = ready[chosen];
            for (const uint32_t other : ready) {
                if (other == own) continue;
                executor().start([self = shared_from_this(), other] { self->run_all({other}); });
            }
            executor().delay(place_of(own));
            const GraphPlan::Step& step = plan_->steps[own];
            {
                const RunningOperation running(known_at(own), stream_, number_);
                perform(step.operation, events_[own]);
                if (const auto* conditional = std::get_if<ConditionalOperation>(&step.operation)) {
                    run_bodies(*conditional, step.bodies);
                }
                pass_on(running.after(), step.next);
            }
            ready.clear();
            for (const uint32_t next : step.next) {
                if (--missing_[next] == 0) ready.push_back(next);
            }
            if (--remaining_ == 0) done_.signal();
        }
    }

    // For check=races: what has happened before a step, and what those that wait for it know.
    SharedClock known_at(uint32_t step) {
        const std::lock_guard lock(order_mutex_);
        return known_[step];
    }
    void pass_on(const SharedClock& order, const std::vector<uint32_t>& next) {
        if (order == nullptr) return;
        const std::lock_guard lock(order_mutex_);
        end_ = join(end_, order);
        for (const uint32_t step : next)
            known_[step] = join(known_[step], order);
    }

    Executor::Place place_of(uint32_t step) const { return {Executor::Place::Kind::graph, number_, step}; }

    void run_bodies(const ConditionalOperation& conditional,
                    const std::vector<std::shared_ptr<const GraphPlan>>& bodies) {
        const GraphCondition& condition = *conditional.condition;
        const auto run_body = [&](size_t index) { std::make_shared<GraphRun>(bodies[index])->run(); };
        const uint32_t first = condition.value();
        switch (conditional.type) {
            case CU_GRAPH_COND_TYPE_IF:
                if (first != 0) run_body(0);
                if (first == 0 && bodies.size() > 1) run_body(1);
                break;
            case CU_GRAPH_COND_TYPE_WHILE:
                // After a fault no kernel runs that could end the loop.
                while (condition.value() != 0 && condition.context()->sticky_error() == CUDA_SUCCESS) {
                    run_body(0);
                }
                break;
            case CU_GRAPH_COND_TYPE_SWITCH:
                if (first < bodies.size()) run_body(first);
                break;
        }
    }

    const std::shared_ptr<const GraphPlan> plan_;
    const uint64_t number_ = next_run_number++;
    std::vector<std::shared_ptr<Completion>> events_;
    std::vector<std::atomic<uint32_t>> missing_;
    std::atomic<size_t> remaining_;
    Completion done_;
    const Stream* stream_ = nullptr;
    std::mutex order_mutex_;  // guards what follows
    std::vector<SharedClock> known_;
    SharedClock end_;
};

// Appends the steps of a graph. Returns those that a node behind the whole graph waits for.
std::vector<uint32_t> append_steps(GraphPlan& plan, const Graph& graph, const std::vector<uint32_t>& before) {
    std::map<const GraphNode*, std::vector<uint32_t>> ends;  // what a dependent of the node waits for
    std::vector<uint32_t> last;
    const auto add_step = [&](Operation operation, const std::vector<uint32_t>& after) {
        const auto index = static_cast<uint32_t>(plan.steps.size());
        plan.steps.push_back({std::move(operation), {}, {}, static_cast<uint32_t>(after.size())});
        for (const uint32_t step : after) {
            plan.steps[step].next.push_back(index);
        }
        return index;
    };
    for (const GraphNode* node : graph.in_order()) {
        std::vector<uint32_t> after;
        for (const GraphEdge& edge : node->dependencies) {
            after.insert(after.end(), ends[edge.node].begin(), ends[edge.node].end());
        }
        if (node->dependencies.empty()) after = before;
        std::sort(after.begin(), after.end());
        after.erase(std::unique(after.begin(), after.end()), after.end());
        const auto* child = std::get_if<ChildGraphOperation>(&node->operation);
        if (child != nullptr) {
            const uint32_t begin = add_step(EmptyOperation{}, after);
            std::vector<uint32_t> inside = append_steps(plan, *child->graph, {begin});
            if (inside.empty()) inside = {begin};
            ends[node] = {add_step(EmptyOperation{}, inside)};
        } else {
            const uint32_t step = add_step(node->enabled ? node->operation : Operation(EmptyOperation{}), after);
            if (const auto* conditional = std::get_if<ConditionalOperation>(&node->operation)) {
                for (const std::shared_ptr<Graph>& body : conditional->bodies) {
                    auto body_plan = std::make_shared<GraphPlan>();
                    append_steps(*body_plan, *body, {});
                    plan.steps[step].bodies.push_back(std::move(body_plan));
                }
            }
            ends[node] = {step};
        }
        if (node->dependents.empty()) last.insert(last.end(), ends[node].begin(), ends[node].end());
    }
    return last;
}

// The first node on a cycle, or inside a child graph on one; null if there is none.
GraphNode* find_cycle(const Graph& graph) {
    const std::vector<GraphNode*> order = graph.in_order();
    if (order.size() < graph.nodes().size()) {
        const std::set<const GraphNode*> reached(order.begin(), order.end());
        for (const std::shared_ptr<GraphNode>& node : graph.nodes()) {
            if (!reached.contains(node.get())) return node.get();
        }
    }
    for (const std::shared_ptr<GraphNode>& node : graph.nodes()) {
        for (const std::shared_ptr<Graph>& inside : graphs_inside(node->operation)) {
            if (GraphNode* found = find_cycle(*inside)) return found;
        }
    }
    return nullptr;
}

// The first node of a kind that the bodies of conditional nodes, and graphs inside those, cannot have; null if there is
// none.
GraphNode* find_node_forbidden_in_body(const Graph& graph, bool in_body = false) {
    for (const std::shared_ptr<GraphNode>& node : graph.nodes()) {
        const CUgraphNodeType type = type_of(node->operation);
        const bool allowed = type == CU_GRAPH_NODE_TYPE_KERNEL || type == CU_GRAPH_NODE_TYPE_MEMCPY ||
                             type == CU_GRAPH_NODE_TYPE_MEMSET || type == CU_GRAPH_NODE_TYPE_EMPTY ||
                             type == CU_GRAPH_NODE_TYPE_GRAPH || type == CU_GRAPH_NODE_TYPE_CONDITIONAL;
        if (in_body && !allowed) return node.get();
        for (const std::shared_ptr<Graph>& inside : graphs_inside(node->operation)) {
            GraphNode* const found =
                find_node_forbidden_in_body(*inside, in_body || type == CU_GRAPH_NODE_TYPE_CONDITIONAL);
            if (found != nullptr) return found;
        }
    }
    return nullptr;
}

// What changes when an executable graph takes over another graph's parameters.
struct Replacement {
    GraphNode* own;
    const GraphNode* other;
};

// The bodies of a conditional node stay, and their nodes are replaced one by one.
void take_over(const Replacement& pair) {
    if (auto* conditional = std::get_if<ConditionalOperation>(&pair.own->operation)) {
        conditional->condition = std::get<ConditionalOperation>(pair.other->operation).condition;
        return;
    }
    pair.own->operation = pair.other->operation;
}

// The conditions that the conditional nodes of a graph and of those inside it read.
void gather_conditions(const Graph& graph, std::vector<std::shared_ptr<GraphCondition>>& conditions) {
    for (const std::shared_ptr<GraphNode>& node : graph.nodes()) {
        if (const auto* conditional = std::get_if<ConditionalOperation>(&node->operation)) {
            conditions.push_back(conditional->condition);
        }
        for (const std::shared_ptr<Graph>& inside : graphs_inside(node->operation)) {
            gather_conditions(*inside, conditions);
        }
    }
}

bool is_cooperative(const Operation& operation) {
    const auto* const kernel = std::get_if<KernelOperation>(&operation);
    return kernel != nullptr && kernel->launch->request.cooperative;
}

// Pairs the nodes of two graphs by the order in which they were added.
bool pair_nodes(const Graph& own, const Graph& other, std::vector<Replacement>& pairs, GraphFailure& failure) {
    const auto fail = [&](CUgraphExecUpdateResult result, GraphNode* node, GraphNode* from, std::string reason) {
        failure.update = result;
        failure.node = node;
        failure.from_node = from;
        failure.reason = std::move(reason);
        return false;
    };
    if (own.nodes().size() != other.nodes().size()) {
        return fail(
            CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, nullptr, nullptr,
            format("the executable graph has %zu nodes, the other one %zu", own.nodes().size(), other.nodes().size()));
    }
    std::map<const GraphNode*, const GraphNode*> partner;
    for (size_t index = 0; index < own.nodes().size(); ++index) {
        partner[other.nodes()[index].get()] = own.nodes()[index].get();
    }
    for (size_t index = 0; index < own.nodes().size(); ++index) {
        GraphNode& mine = *own.nodes()[index];
        GraphNode& theirs = *other.nodes()[index];
        if (mine.dependencies.size() != theirs.dependencies.size()) {
            return fail(CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED,
                        theirs.dependencies.size() < mine.dependencies.size() ? &theirs : nullptr, nullptr,
                        format("node %zu has %zu dependencies, and had %zu", index, theirs.dependencies.size(),
                               mine.dependencies.size()));
        }
        for (size_t edge = 0; edge < mine.dependencies.size(); ++edge) {
            if (partner[theirs.dependencies[edge].node] != mine.dependencies[edge].node) {
                return fail(CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, &theirs, theirs.dependencies[edge].node,
                            format("dependency %zu of node %zu is another one", edge, index));
            }
        }
        if (type_of(mine.operation) != type_of(theirs.operation)) {
            return fail(CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, &theirs, nullptr,
                        format("node %zu was a ", index) + describe(mine.operation) + " node, and is a " +
                            describe(theirs.operation) + " node");
        }
        if (const auto* child = std::get_if<ChildGraphOperation>(&mine.operation)) {
            const auto& their_child = std::get<ChildGraphOperation>(theirs.operation);
            if (!pair_nodes(*child->graph, *their_child.graph, pairs, failure)) return false;
            continue;
        }
        if (const auto* conditional = std::get_if<ConditionalOperation>(&mine.operation)) {
            const auto& their_conditional = std::get<ConditionalOperation>(theirs.operation);
            if (conditional->type != their_conditional.type ||
                conditional->bodies.size() != their_conditional.bodies.size()) {
                return fail(CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED, &theirs, nullptr,
                            format("conditional node %zu is of another type, or has more or fewer bodies", index));
            }
            for (size_t body = 0; body < conditional->bodies.size(); ++body) {
                if (!pair_nodes(*conditional->bodies[body], *their_conditional.bodies[body], pairs, failure)) {
                    return false;
                }
            }
        }
        if (is_cooperative(mine.operation) != is_cooperative(theirs.operation)) {
            return fail(CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED, &theirs, nullptr,
                        format("node %zu is launched cooperatively in one of the graphs", index));
        }
        try {
            require_replaceable(mine.operation, theirs.operation);
        } catch (const DriverError& error) {
            const bool kernel = type_of(mine.operation) == CU_GRAPH_NODE_TYPE_KERNEL;
            return fail(kernel ? CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE
                               : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED,
                        &theirs, nullptr, error.what());
        }
        pairs.push_back({&mine, &theirs});
    }
    return true;
}

}  // namespace

std::shared_ptr<GraphExecution> GraphExecution::create(const Graph& graph, uint64_t flags, GraphFailure& failure) {
    if (GraphNode* node = find_cycle(graph)) {
        failure.instantiation = CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE;
        failure.node = node;
        failure.reason = "the graph has a cycle";
        return nullptr;
    }
    for (const std::shared_ptr<GraphCondition>& condition : graph.conditions) {
        if (condition->used) continue;
        failure.instantiation = CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED;
        failure.reason = "no conditional node uses the handle " + hexadecimal(condition->handle());
        return nullptr;
    }
    if (GraphNode* node = find_node_forbidden_in_body(graph)) {
        failure.instantiation = CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED;
        failure.node = node;
        failure.reason = "the body of a conditional node has a " + describe(node->operation) +
                         " node; it can have kernel, copy, fill, empty, child graph and conditional nodes";
        return nullptr;
    }
    std::vector<std::shared_ptr<GraphCondition>> conditions;
    gather_conditions(graph, conditions);
    for (const std::shared_ptr<GraphCondition>& condition : conditions) {
        if (!condition->execution.expired()) {
            throw DriverError(CUDA_ERROR_NOT_SUPPORTED,
                              "a graph with conditional nodes can have one executable graph at a time");
        }
    }
    std::shared_ptr<GraphExecution> execution(new GraphExecution(graph.clone(), flags));
    for (const std::shared_ptr<GraphCondition>& condition : conditions) {
        condition->execution = execution;
    }
    return execution;
}

std::shared_ptr<const GraphPlan> GraphExecution::plan() {
    if (!plan_) {
        auto made = std::make_shared<GraphPlan>();
        append_steps(*made, *graph_, {});
        made->graph = graph_;
        made->references = graph_->references();
        plan_ = std::move(made);
    }
    return plan_;
}

void GraphExecution::launch(const std::shared_ptr<Stream>& stream) {
    const std::shared_ptr<const GraphPlan> current = plan();
    std::set<GraphMemory*> freed;
    std::vector<std::shared_ptr<GraphMemory>> kept;
    for (const GraphPlan::Step& step : current->steps) {
        if (const auto* release = std::get_if<FreeOperation>(&step.operation)) freed.insert(release->memory.get());
    }
    for (const GraphPlan::Step& step : current->steps) {
        const auto* allocation = std::get_if<AllocateOperation>(&step.operation);
        if (allocation == nullptr) continue;
        if (allocation->memory->allocated() && (flags_ & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH) == 0) {
            throw DriverError(
                CUDA_ERROR_INVALID_VALUE,
                format("%llu bytes at ", static_cast<unsigned long long>(allocation->memory->size())) +
                    hexadecimal(allocation->memory->address()) +
                    ", which the graph allocates, have not been freed since the last launch (cuMemFreeAsync, a "
                    "memory free node, or CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH)");
        }
        if (!freed.contains(allocation->memory.get())) kept.push_back(allocation->memory);
    }
    for (GraphMemory* memory : freed) {
        memory->set_allocated(false);
    }
    for (const std::shared_ptr<GraphMemory>& memory : kept) {
        memory->set_allocated(true);
    }
    std::vector<std::shared_ptr<GraphCondition>> conditions;
    gather_conditions(*graph_, conditions);
    const auto lock = Event::hold_recordings();
    auto run = std::make_shared<GraphRun>(current);
    const auto run_all = [run = std::move(run), conditions = std::move(conditions)] {
        for (const std::shared_ptr<GraphCondition>& condition : conditions) {
            condition->begin_launch();
        }
        run->run();
    };
    const uint64_t ticket = stream->context()->submit(stream, run_all, last_launch_);
    last_launch_ = {stream, ticket};
}

bool GraphExecution::update(const Graph& graph, GraphFailure& failure) {
    std::vector<Replacement> pairs;
    if (!pair_nodes(*graph_, graph, pairs, failure)) return false;
    // Launches that still run keep the nodes that they began with.
    plan_ = nullptr;
    for (const Replacement& pair : pairs) {
        take_over(pair);
    }
    graph_->take_references(graph);
    return true;
}

GraphNode& GraphExecution::node(const GraphNode& original) {
    GraphNode* found = graph_->find_clone(original.identifier, true);
    if (found == nullptr) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "the node is not one of the graph that this was instantiated from");
    }
    return *found;
}

void GraphExecution::replace(GraphNode& own, Operation operation) {
    if (const auto* child = std::get_if<ChildGraphOperation>(&own.operation)) {
        GraphFailure failure;
        std::vector<Replacement> pairs;
        const auto* replacement = std::get_if<ChildGraphOperation>(&operation);
        if (replacement == nullptr) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              "the node is a child graph, and can be given another one alone");
        }
        if (!pair_nodes(*child->graph, *replacement->graph, pairs, failure)) {
            throw DriverError(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
                              "the child graph cannot be replaced: " + failure.reason);
        }
        for (const Replacement& pair : pairs) {
            take_over(pair);
        }
        child->graph->take_references(*replacement->graph);
    } else {
        require_replaceable(own.operation, operation);
        own.operation = std::move(operation);
    }
    plan_ = nullptr;
}

void GraphExecution::set_enabled(GraphNode& own, bool enabled) {
    own.enabled = enabled;
    plan_ = nullptr;
}

}  // namespace cuprum::simulator::libcuda
