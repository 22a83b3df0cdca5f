#include "driver/graph/graph_memory.hpp"

#include <algorithm>
#include <map>

#include "driver/error/driver_error.hpp"
#include "driver/process/driver.hpp"

namespace cuprum::simulator::libcuda {

namespace {

constexpr uint64_t reservation = uint64_t{32} << 20;  // of what a graph has

struct Use {
    std::map<uint64_t, uint64_t> bytes_by_graph;  // in use
    uint64_t kept = 0;
    uint64_t used_high = 0, reserved_high = 0;  // of `kept`

    uint64_t in_use() const {
        uint64_t sum = 0;
        for (const auto& [graph, bytes] : bytes_by_graph)
            sum += (bytes + reservation - 1) / reservation * reservation;
        return sum;
    }
};

struct Registry {
    std::mutex mutex;
    std::map<uint64_t, std::weak_ptr<GraphMemory>> by_address;
    std::map<uint64_t, std::shared_ptr<GraphMemory>> allocated;
    std::map<uint32_t, Use> use;  // by device ordinal
};

Registry& registry() {
    static Registry* const instance = new Registry;
    return *instance;
}

// Throws DriverError(CUDA_ERROR_INVALID_VALUE) for an unknown attribute.
uint64_t& value_of(Use& use, CUgraphMem_attribute attribute) {
    switch (attribute) {
        case CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT:
        case CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT:
            return use.kept;
        case CU_GRAPH_MEM_ATTR_USED_MEM_HIGH:
            return use.used_high;
        case CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH:
            return use.reserved_high;
    }
    throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown graph memory attribute %d", attribute));
}

}  // namespace

GraphMemory::GraphMemory(Device& device, uint64_t size, std::shared_ptr<MemoryAccess> access)
    : device_(device), size_(size) {
    Allocation allocation;
    allocation.kind = Allocation::Kind::graph;
    allocation.size = size;
    allocation.accessible = false;
    allocation.access = std::move(access);
    allocation.description = format("graph allocation of %llu bytes", static_cast<unsigned long long>(size));
    address_ = driver().allocate_device_memory(device, std::move(allocation));
}

GraphMemory::~GraphMemory() {
    {
        Registry& all = registry();
        const std::lock_guard lock(all.mutex);
        all.by_address.erase(address_);
        count_out_locked();
    }
    driver().free_device_memory(address_);
}

std::shared_ptr<GraphMemory> GraphMemory::create(Device& device, uint64_t size, std::shared_ptr<MemoryAccess> access) {
    std::shared_ptr<GraphMemory> memory(new GraphMemory(device, size, std::move(access)));
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    all.by_address[memory->address_] = memory;
    return memory;
}

std::shared_ptr<GraphMemory> GraphMemory::at(uint64_t address) {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    const auto found = all.by_address.find(address);
    return found == all.by_address.end() ? nullptr : found->second.lock();
}

bool GraphMemory::allocated() const {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    return all.allocated.contains(address_);
}

void GraphMemory::set_allocated(bool allocated) {
    Registry& all = registry();
    const std::shared_ptr<GraphMemory> self = shared_from_this();  // the registry's may be the last reference
    const std::lock_guard lock(all.mutex);
    if (allocated) {
        all.allocated[address_] = self;
    } else {
        all.allocated.erase(address_);
    }
}

void GraphMemory::begin_use() {
    device_.arena().fill_with_poison(address_, size_);
    driver().addresses().set_accessible(address_, true);
    if (StreamRaces* const races = stream_races()) races->forget(address_, size_);
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    count_out_locked();
    counted_for_ = graph_;
    Use& use = all.use[device_.ordinal()];
    use.bytes_by_graph[counted_for_] += size_;
    use.kept = std::max(use.kept, use.in_use());
    use.used_high = std::max(use.used_high, use.kept);
    use.reserved_high = std::max(use.reserved_high, use.kept);
}

void GraphMemory::end_use() {
    driver().addresses().set_accessible(address_, false);
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    count_out_locked();
}

void GraphMemory::count_out_locked() {
    if (counted_for_ == 0) return;
    std::map<uint64_t, uint64_t>& bytes = registry().use[device_.ordinal()].bytes_by_graph;
    uint64_t& left = bytes[counted_for_];
    left -= size_;
    if (left == 0) bytes.erase(counted_for_);
    counted_for_ = 0;
}

uint64_t graph_memory_attribute(const Device& device, CUgraphMem_attribute attribute) {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    return value_of(all.use[device.ordinal()], attribute);
}

void reset_graph_memory_attribute(const Device& device, CUgraphMem_attribute attribute) {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    Use& use = all.use[device.ordinal()];
    if (attribute == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH) {
        use.used_high = use.kept;
    } else if (attribute == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH) {
        use.reserved_high = use.kept;
    } else {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "only the high-water marks of graph memory can be reset");
    }
}

void trim_graph_memory(const Device& device) {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    Use& use = all.use[device.ordinal()];
    use.kept = use.in_use();
}

}  // namespace cuprum::simulator::libcuda
