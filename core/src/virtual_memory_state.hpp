// The memory of a VirtualMemoryResource.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "cuprum/core/virtual_memory.hpp"
#include "driver_api.hpp"

namespace cuprum::core {

// What the resource's buffers occupy, by address. Every member may be called from any thread. Nothing here waits for
// work that uses the memory.
class VirtualMemory {
public:
    VirtualMemory(const Device& device, const VirtualMemoryResourceOptions& options);
    ~VirtualMemory();
    VirtualMemory(const VirtualMemory&) = delete;
    VirtualMemory& operator=(const VirtualMemory&) = delete;

    uint64_t granularity() const { return granularity_; }
    DevicePointer allocate(uint64_t size);
    // Where the memory is from then on. `before_moving` is called before what was mapped at `address` no longer is.
    DevicePointer grow(DevicePointer address, uint64_t new_size, void (*before_moving)(const BufferRef&) noexcept);
    // False: nothing of this resource begins there.
    bool free(DevicePointer address) noexcept;

private:
    class Addresses;
    class Bytes;
    class Mapping;
    // In the order of their making, which is the reverse of that in which they go.
    struct Range {
        std::vector<std::unique_ptr<Addresses>> addresses;
        std::vector<std::shared_ptr<Bytes>> bytes;
        std::vector<std::unique_ptr<Mapping>> mappings;
        uint64_t size = 0;
    };

    uint64_t rounded_up(uint64_t size) const;
    DevicePointer map(Range& range, DevicePointer address, const std::shared_ptr<Bytes>& bytes) const;
    Range whole(uint64_t size, const std::vector<std::shared_ptr<Bytes>>& bytes) const;
    bool extend(DevicePointer address, Range& range, const std::shared_ptr<Bytes>& added) const;

    int32_t device_id_;
    VirtualMemoryResourceOptions options_;
    std::vector<CUmemAccessDesc> accesses_;
    CUmemAllocationProp properties_{};
    uint64_t granularity_ = 0;
    std::mutex mutex_;
    std::map<DevicePointer, Range> ranges_;
};

}  // namespace cuprum::core
