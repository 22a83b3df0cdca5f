#include "driver/graph/graph_condition.hpp"

#include <map>

#include "driver/graph/entry_graph.hpp"

#include <atomic>

#include "driver/process/driver.hpp"

namespace cuprum::simulator::libcuda {

GraphCondition::GraphCondition(std::shared_ptr<Context> context, uint32_t default_value, bool assigned_at_launch)
    : context_(std::move(context)), default_value_(default_value), assigned_at_launch_(assigned_at_launch) {
    Allocation allocation;
    allocation.kind = Allocation::Kind::variable;
    allocation.size = sizeof(uint32_t);
    allocation.description = "condition of a graph";
    address_ = driver().allocate_device_memory(context_->device(), std::move(allocation));
    std::atomic_ref(*bytes()).store(0);
}

GraphCondition::~GraphCondition() {
    driver().free_device_memory(address_);
}

uint32_t* GraphCondition::bytes() const {
    return reinterpret_cast<uint32_t*>(address_ + static_cast<uint64_t>(context_->device().arena().host_offset()));
}

uint32_t GraphCondition::value() const {
    return std::atomic_ref(*bytes()).load();
}

void GraphCondition::begin_launch() const {
    if (assigned_at_launch_) std::atomic_ref(*bytes()).store(default_value_);
}

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

std::shared_ptr<GraphCondition> add_condition(Graph& graph, const std::shared_ptr<Context>& context,
                                              unsigned int default_value, bool assigns_default) {
    const auto condition = std::make_shared<GraphCondition>(context, default_value, assigns_default);
    std::erase_if(known_conditions(), [](const auto& known) { return known.second.expired(); });
    known_conditions()[condition->handle()] = condition;
    graph.conditions.push_back(condition);
    return condition;
}

}  // namespace cuprum::simulator::libcuda
