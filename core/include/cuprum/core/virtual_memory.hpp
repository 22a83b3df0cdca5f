// Memory whose addresses and bytes are managed apart, so that a buffer can grow.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cuprum/core/buffer.hpp"
#include "cuprum/core/device.hpp"
#include "cuprum/core/memory_location.hpp"
#include "cuprum/core/memory_resource.hpp"

namespace cuprum::core {

// What a device may do with memory. The driver's numbers (CUmemAccess_flags).
enum class MemoryAccess : int32_t { none = 0, read = 1, read_write = 3 };

// The unit that sizes are rounded up to. The driver's numbers (CUmemAllocationGranularity_flags).
enum class MemoryGranularity : int32_t { minimum = 0, recommended = 1 };

// How memory can be exported to other processes. The driver's numbers (CUmemAllocationHandleType).
enum class MemoryHandleType : int32_t { none = 0, posix_file_descriptor = 1 };

struct VirtualMemoryResourceOptions {
    std::vector<Device> peers = {};  // that can use the memory, beside its own device
    MemoryAccess self_access = MemoryAccess::read_write;
    MemoryAccess peer_access = MemoryAccess::read_write;
    MemoryGranularity granularity = MemoryGranularity::recommended;
    MemoryHandleType handle_type = MemoryHandleType::none;
    bool gpu_direct_rdma = false;
    DevicePointer address_hint = 0;  // where a buffer should be; 0: the driver chooses
    uint64_t address_alignment = 0;  // bytes, a power of two; 0: the granularity
    // None: on the device. Memory of the host is page-locked, and the host reads and writes it whatever the accesses of
    // the devices are; only that of a NUMA node can be exported. MemoryLocation::host_numa_current() is the node of the
    // thread that makes the resource.
    std::optional<MemoryLocation> location = std::nullopt;
};

// Memory of a device or of the host, allocated with cuMemCreate and mapped to reserved addresses: each buffer takes
// whole units of granularity(), and can grow. Usable from any stream when allocate() returns. Freeing it waits, as that
// of a buffer without a stream does. Throws Unsupported where the device has no virtual memory management, or none of
// that location, and InvalidArgument for a peer that cannot use its memory and for another device's location.
class VirtualMemoryResource : public MemoryResource {
public:
    explicit VirtualMemoryResource(const Device& device, const VirtualMemoryResourceOptions& options = {});

    // A resource that is one, as that. Throws InvalidArgument for others.
    static VirtualMemoryResource of(const MemoryResource& resource);

    // Bytes: what buffers occupy is a multiple of it.
    uint64_t granularity() const;

    // Makes a buffer of this resource larger. Its content stays, and is not copied; what is added is anything. Its
    // address is another one where the buffer outgrows the addresses reserved for it, four times its first size: then
    // this waits as freeing does. Throws InvalidArgument for a buffer of another resource and for a smaller size,
    // OutOfMemory; a failure leaves the buffer as it is. Not to be called while another thread uses the buffer.
    void modify_allocation(Buffer& buffer, uint64_t new_size) const;
    // The same with other options, which the resource has from then on: what is added is allocated with them, and all
    // of the buffer is what they say to the devices, after the work that uses it; other buffers stay as they are. The
    // size may be what it was. Throws what the constructor throws, too, and InvalidArgument for another location.
    void modify_allocation(Buffer& buffer, uint64_t new_size, const VirtualMemoryResourceOptions& options) const;

private:
    explicit VirtualMemoryResource(const MemoryResource& resource) : MemoryResource(resource) {}
    void modify(Buffer& buffer, uint64_t new_size, const VirtualMemoryResourceOptions* options) const;
};

}  // namespace cuprum::core
