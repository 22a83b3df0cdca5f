#include "driver/memory/memory_pool.hpp"

#include <algorithm>
#include <cstring>

#include "driver/device/device.hpp"
#include "driver/error/driver_error.hpp"
#include "driver/memory/address_space.hpp"

namespace cuprum::simulator::libcuda {

namespace {

// Pools reserve memory from the system in units of this many bytes.
constexpr uint64_t reservation_unit = 32ull << 20;

template <typename Value>
void store(void* destination, Value value) {
    std::memcpy(destination, &value, sizeof value);
}

template <typename Value>
Value load(const void* source) {
    Value value;
    std::memcpy(&value, source, sizeof value);
    return value;
}

}  // namespace

MemoryPool::MemoryPool(Device& device, size_t max_size, bool is_default, Memory memory)
    : device_(device),
      max_size_(max_size),
      is_default_(is_default),
      memory_(memory),
      access_(std::make_shared<MemoryAccess>()) {
    // Pools of host memory are the host's alone until cuMemPoolSetAccess; so are, by their own account, managed ones.
    if (memory == Memory::device) access_->by_device[device.ordinal()] = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
}

bool MemoryPool::take(size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (max_size_ != 0 && (bytes > max_size_ || used_ > max_size_ - bytes)) return false;
    used_ += bytes;
    used_high_ = std::max(used_high_, used_);
    reserved_ = std::max(reserved_, (used_ + reservation_unit - 1) / reservation_unit * reservation_unit);
    reserved_high_ = std::max(reserved_high_, reserved_);
    return true;
}

void MemoryPool::give_back(size_t bytes) {
    const std::lock_guard lock(mutex_);
    used_ -= bytes;
}

void MemoryPool::trim_to(size_t bytes_to_keep) {
    const std::lock_guard lock(mutex_);
    const uint64_t needed = (used_ + reservation_unit - 1) / reservation_unit * reservation_unit;
    const uint64_t kept = (bytes_to_keep + reservation_unit - 1) / reservation_unit * reservation_unit;
    reserved_ = std::min(reserved_, std::max(needed, kept));
}

void MemoryPool::trim_to_threshold() {
    uint64_t threshold = 0;
    {
        const std::lock_guard lock(mutex_);
        threshold = release_threshold_;
    }
    if (threshold < UINT64_MAX - reservation_unit) trim_to(threshold);
}

void MemoryPool::get(CUmemPool_attribute attribute, void* value) const {
    const std::lock_guard lock(mutex_);
    switch (attribute) {
        case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
            return store(value, follow_event_dependencies_);
        case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
            return store(value, allow_opportunistic_);
        case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
            return store(value, allow_internal_dependencies_);
        case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
            return store(value, release_threshold_);
        case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
            return store(value, reserved_);
        case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
            return store(value, reserved_high_);
        case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
            return store(value, used_);
        case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
            return store(value, used_high_);
        default:
            break;
    }
    throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown memory pool attribute %d", attribute));
}

void MemoryPool::set(CUmemPool_attribute attribute, const void* value) {
    const std::lock_guard lock(mutex_);
    const auto reset_high = [&](uint64_t& high, uint64_t current) {
        if (load<uint64_t>(value) != 0) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, "a memory pool's high-water mark can be set to 0 only");
        }
        high = current;
    };
    switch (attribute) {
        case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
            follow_event_dependencies_ = load<int>(value);
            return;
        case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
            allow_opportunistic_ = load<int>(value);
            return;
        case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
            allow_internal_dependencies_ = load<int>(value);
            return;
        case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
            release_threshold_ = load<uint64_t>(value);
            return;
        case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
            return reset_high(reserved_high_, reserved_);
        case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
            return reset_high(used_high_, used_);
        default:
            break;
    }
    throw DriverError(CUDA_ERROR_INVALID_VALUE, format("memory pool attribute %d cannot be set", attribute));
}

}  // namespace cuprum::simulator::libcuda
