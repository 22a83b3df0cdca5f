#include "driver/graph/graph_condition.hpp"

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

}  // namespace cuprum::simulator::libcuda
