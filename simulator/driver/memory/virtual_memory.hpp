// Virtual memory management: physical memory, and addresses that programs map it to.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "driver/memory/multicast.hpp"
#include "driver/memory/shared_file.hpp"
#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

class Device;
struct MemoryAccess;

// What cuMemCreate makes, of a device or of the host: a file in memory, so that it can be mapped at several addresses.
// Poisoned. Thread-safe.
class PhysicalMemory {
public:
    static constexpr uint64_t granularity = 2ull << 20;

    // Host memory belongs to a device too, in name only. Throws DriverError(CUDA_ERROR_OUT_OF_MEMORY).
    PhysicalMemory(Device& device, uint64_t size, const CUmemAllocationProp& properties);
    // Memory of another process, or of this one, that was exported.
    PhysicalMemory(Device& device, SharedFile file, const SharedHeader& header);
    ~PhysicalMemory();
    PhysicalMemory(const PhysicalMemory&) = delete;
    PhysicalMemory& operator=(const PhysicalMemory&) = delete;

    Device& device() const { return device_; }
    bool lies_on_host() const { return properties_.location.type != CU_MEM_LOCATION_TYPE_DEVICE; }
    uint64_t size() const { return size_; }
    const CUmemAllocationProp& properties() const { return properties_; }
    const SharedFile& file() const { return file_; }

    // References by handles: the program's own count, cuMemRetainAllocationHandle's included.
    std::atomic<uint32_t> handle_references{1};
    CUmemGenericAllocationHandle handle = 0;

private:
    Device& device_;
    const uint64_t size_;
    const CUmemAllocationProp properties_;
    const bool charged_;  // whether its bytes count as used
    SharedFile file_;     // the bytes, then a SharedHeader
};

// All reservations and what is mapped into them. Like a device's arena, each reservation is two ranges: the addresses
// that programs see, never accessible to the host, and the bytes at a fixed distance. Thread-safe.
class VirtualMemory {
public:
    // Throws DriverError where there are no such addresses. `wanted` is a hint, as documented.
    uint64_t reserve(uint64_t size, uint64_t alignment, uint64_t wanted);
    // Each throws DriverError(CUDA_ERROR_INVALID_VALUE) for a range that is no whole reservation, no free part of one,
    // or no sequence of whole mappings.
    void free(uint64_t address, uint64_t size);
    void map(uint64_t address, uint64_t size, uint64_t offset, const std::shared_ptr<PhysicalMemory>& memory);
    void map(uint64_t address, uint64_t size, uint64_t offset, const std::shared_ptr<MulticastObject>& object);
    void unmap(uint64_t address, uint64_t size);
    void set_access(uint64_t address, uint64_t size, uint32_t device, CUmemAccess_flags flags);
    // The host's own access, for host memory alone. Throws DriverError for other memory, and for a location that is not
    // that of the memory.
    void set_host_access(uint64_t address, uint64_t size, CUmemLocationType location, CUmemAccess_flags flags);
    // `device` may be MemoryAccess::host.
    CUmemAccess_flags access_of(uint64_t address, uint32_t device) const;
    // The memory that is mapped at the address, and where in it the address is. Throws likewise, also if less than
    // `size` bytes of it are mapped from there on.
    std::pair<std::shared_ptr<PhysicalMemory>, uint64_t> memory_at(uint64_t address, uint64_t size = 1) const;

    // Binds memory to bytes of a multicast object, and no longer: addresses that the object is mapped at change at
    // once. Throw DriverError(CUDA_ERROR_INVALID_VALUE) where bytes are bound already, or are not a whole binding.
    void bind(MulticastObject& object, uint64_t offset, const MulticastObject::Binding& binding);
    void unbind(MulticastObject& object, uint64_t offset, uint64_t size);

private:
    struct Reservation {
        uint64_t size = 0;
        int64_t host_offset = 0;
    };
    struct Mapping {
        uint64_t size = 0;
        std::shared_ptr<PhysicalMemory> memory;
        std::shared_ptr<MemoryAccess> access;
        std::shared_ptr<MulticastObject> object = nullptr;  // what is mapped, in place of memory
        uint64_t object_offset = 0;
    };
    // Part of memory at addresses that it is mapped at.
    struct Part {
        uint64_t address = 0, size = 0;
        const PhysicalMemory& memory;
        uint64_t memory_offset = 0;
    };

    std::map<uint64_t, Mapping>::const_iterator mapping_at(uint64_t address) const;
    // The reservation that a range is part of. Throws if there is none.
    const Reservation& reservation_around(uint64_t address, uint64_t size) const;
    bool is_mapped_anywhere(uint64_t address, uint64_t size) const;
    // Throws unless something can be mapped there.
    void require_free(uint64_t address, uint64_t size) const;
    // What can be reached by a mapping; of a multicast object, by what is bound to bytes from `offset` on.
    static std::vector<Part> parts_of(uint64_t address, const Mapping& mapping);
    static std::optional<Part> bound_part(uint64_t address, const Mapping& mapping, uint64_t offset,
                                          const MulticastObject::Binding& binding);
    void show(const Part& part, const Mapping& mapping);
    static void hide(const Part& part);
    // The mappings that make up a range.
    std::pair<std::map<uint64_t, Mapping>::iterator, std::map<uint64_t, Mapping>::iterator> mappings_of(
        uint64_t address, uint64_t size);

    mutable std::mutex mutex_;
    std::map<uint64_t, Reservation> reservations_;
    std::map<uint64_t, Mapping> mappings_;
};

VirtualMemory& virtual_memory();

}  // namespace cuprum::simulator::libcuda
