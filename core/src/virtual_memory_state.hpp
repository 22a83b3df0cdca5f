// The memory of a VirtualMemoryResource.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "cuprum/core/virtual_memory.hpp"
#include "driver_api.hpp"
#include "virtual_memory_configuration.hpp"

namespace cuprum::core {

// What the resource's buffers occupy, by address. Every member may be called from any thread. Nothing here waits for
// work that uses the memory.
class VirtualMemory {
public:
    VirtualMemory(const Device& device, const VirtualMemoryResourceOptions& options);
    ~VirtualMemory();
    VirtualMemory(const VirtualMemory&) = delete;
    VirtualMemory& operator=(const VirtualMemory&) = delete;

    int32_t device_id() const { return device_id_; }
    uint64_t granularity() const { return configuration()->granularity(); }
    bool lies_on_host() const { return configuration()->lies_on_host(); }
    // The configuration for other options. Throws InvalidArgument for another location.
    std::shared_ptr<const VirtualMemoryConfiguration> changed(const VirtualMemoryResourceOptions& options) const;
    // From now on that of everything allocated. Null: as it is.
    void configure(std::shared_ptr<const VirtualMemoryConfiguration> configuration);

    // Null: the resource's own configuration.
    DevicePointer allocate(uint64_t size, const VirtualMemoryConfiguration* configuration = nullptr);
    // Where the memory is from then on. `before_change` is called before what was mapped at `address` no longer is,
    // or is accessible otherwise.
    // With a configuration, all of the memory is made accessible as that says. A failure changes nothing.
    DevicePointer grow(DevicePointer address, uint64_t new_size, const VirtualMemoryConfiguration* configuration,
                       void (*before_change)(const BufferRef&) noexcept);
    // False: nothing of this resource begins there.
    bool free(DevicePointer address) noexcept;

private:
    class Addresses;
    class Bytes;
    class Mapping;
    class AccessChange;
    // In the order of their making, which is the reverse of that in which they go.
    struct Range {
        std::unique_ptr<Addresses> addresses;
        std::vector<std::shared_ptr<Bytes>> bytes;
        std::vector<std::unique_ptr<Mapping>> mappings;
        uint64_t size = 0;
        std::vector<CUmemAccessDesc> accesses;
    };

    std::shared_ptr<const VirtualMemoryConfiguration> configuration() const;
    DevicePointer map(Range& range, DevicePointer address, const std::shared_ptr<Bytes>& bytes) const;
    Range whole(const VirtualMemoryConfiguration& configuration, const std::vector<CUmemAccessDesc>& accesses,
                uint64_t size, const std::vector<std::shared_ptr<Bytes>>& bytes) const;
    DevicePointer add(std::map<DevicePointer, Range>::iterator found, uint64_t size,
                      const VirtualMemoryConfiguration& configuration,
                      void (*before_change)(const BufferRef&) noexcept);

    int32_t device_id_;
    mutable std::mutex mutex_;
    std::shared_ptr<const VirtualMemoryConfiguration> configuration_;
    std::map<DevicePointer, Range> ranges_;
};

}  // namespace cuprum::core
