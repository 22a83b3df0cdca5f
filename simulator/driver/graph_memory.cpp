#include "driver/graph_memory.hpp"

#include <algorithm>
#include <map>

#include "driver/driver.hpp"
#include "driver/driver_error.hpp"

namespace cuprum::simulator::libcuda {

namespace {

struct Use {
    uint64_t used = 0, used_high = 0;
    uint64_t reserved = 0, reserved_high = 0;
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

// Throws DriverError(CUDA_ERROR_INVALID_VALUE) for an attribute that there is not.
uint64_t& value_of(Use& use, CUgraphMem_attribute attribute) {
    switch (attribute) {
        case CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT:
            return use.used;
        case CU_GRAPH_MEM_ATTR_USED_MEM_HIGH:
            return use.used_high;
        case CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT:
            return use.reserved;
        case CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH:
            return use.reserved_high;
    }
    throw DriverError(CUDA_ERROR_INVALID_VALUE, format("there is no graph memory attribute %d", attribute));
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
        Use& use = all.use[device_.ordinal()];
        use.reserved -= size_;
        if (in_use_) use.used -= size_;
    }
    driver().free_device_memory(address_);
}

std::shared_ptr<GraphMemory> GraphMemory::create(Device& device, uint64_t size, std::shared_ptr<MemoryAccess> access) {
    std::shared_ptr<GraphMemory> memory(new GraphMemory(device, size, std::move(access)));
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    all.by_address[memory->address_] = memory;
    Use& use = all.use[device.ordinal()];
    use.reserved += size;
    use.reserved_high = std::max(use.reserved_high, use.reserved);
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
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    if (in_use_) return;
    in_use_ = true;
    Use& use = all.use[device_.ordinal()];
    use.used += size_;
    use.used_high = std::max(use.used_high, use.used);
}

void GraphMemory::end_use() {
    driver().addresses().set_accessible(address_, false);
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    if (!in_use_) return;
    in_use_ = false;
    all.use[device_.ordinal()].used -= size_;
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
        use.used_high = use.used;
    } else if (attribute == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH) {
        use.reserved_high = use.reserved;
    } else {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "only the high-water marks of graph memory can be reset");
    }
}

}  // namespace cuprum::simulator::libcuda
