// Pools, from which memory is allocated and freed in the order of a stream.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cuprum/core/handles.hpp"
#include "cuprum/core/memory_location.hpp"
#include "cuprum/core/memory_resource.hpp"

namespace cuprum::core {

// What a pool holds, in bytes, and how it goes about it. The driver's numbers (CUmemPool_attribute).
enum class MemoryPoolAttribute : int32_t {
    // 1 or 0: memory that was freed is given out again in another stream, where an event makes that stream wait for the
    // free; where the free is done already; by making that stream wait.
    reuse_follow_event_dependencies = 1,
    reuse_allow_opportunistic = 2,
    reuse_allow_internal_dependencies = 3,
    release_threshold = 4,     // what is held beyond this goes back to the system when a stream is waited for
    reserved_mem_current = 5,  // held by the pool, used or not
    reserved_mem_high = 6,     // the most that it has held; can be set to 0
    used_mem_current = 7,      // in buffers
    used_mem_high = 8,         // the most that has been in buffers; can be set to 0
};

// A resource with a pool: allocating and freeing takes its turn in a stream, and what is freed is kept for the next
// allocation. An own pool lives as long as the resource and its buffers do. Two resources with the same pool are equal.
class PooledMemoryResource : public MemoryResource {
public:
    // The pool of a resource that has one. Throws InvalidArgument for others.
    static PooledMemoryResource of(const MemoryResource& resource);

    CUmemoryPool handle() const;
    bool is_handle_owned() const;  // false: the driver's pool, or another resource's
    uint64_t attribute(MemoryPoolAttribute which) const;
    // Throws DriverError for what cannot be set.
    void set_attribute(MemoryPoolAttribute which, uint64_t value) const;
    // Gives memory that is in no buffer back to the system, down to that many bytes held.
    void trim_to(uint64_t min_bytes) const;
    // Where its memory lies, or managed memory is kept rather than elsewhere; none for managed memory without a
    // preference, and for the driver's pool of that.
    std::optional<MemoryLocation> location() const;

    // Whether other processes can open it; whether it is one that another process made, from which nothing can be
    // allocated.
    bool is_ipc_enabled() const;
    bool is_mapped() const;
    // A new file descriptor that stands for the pool, the caller's to close. Throws InvalidState where the pool was
    // made without the IPC option, or is another process's.
    [[nodiscard]] int allocation_handle() const;

    // Whether kernels of a device, and copies in its streams, can use the pool's memory.
    bool is_accessible_by(const Device& device) const;
    // Lets a device use all memory of the pool, what is allocated already too, or no longer. Throws InvalidArgument
    // where it cannot, and for the access of a device to its own memory, which cannot be taken away.
    void set_accessible_by(const Device& device, bool accessible) const;

protected:
    explicit PooledMemoryResource(std::shared_ptr<const MemoryResourceState> state)
        : MemoryResource(std::move(state)) {}
};

struct DeviceMemoryResourceOptions {
    uint64_t max_size = 0;     // bytes, rounded up by the driver; 0: as much as the device has
    bool ipc_enabled = false;  // other processes can open it, and its buffers
};

// A pool of a device's memory.
class DeviceMemoryResource : public PooledMemoryResource {
public:
    // The pool from which Device::allocate takes memory in a stream, as it is now: see Device::memory_resource.
    explicit DeviceMemoryResource(const Device& device);
    // A new pool. Throws OutOfMemory.
    DeviceMemoryResource(const Device& device, const DeviceMemoryResourceOptions& options);

    // The pool of a resource that has one of a device's memory. Throws InvalidArgument for others.
    static DeviceMemoryResource of(const MemoryResource& resource);

    // A pool that another process made with the IPC option, by a file descriptor that this process got from it (by a
    // Unix socket, or inherited); the descriptor stays the caller's. Its buffers are opened with
    // Buffer::from_ipc_descriptor. They must be closed, and that work be done, before the other process frees them.
    static DeviceMemoryResource from_allocation_handle(const Device& device, int descriptor);

    // The other devices that can use it.
    std::vector<Device> peer_accessible_by() const;
    // Exactly these, and the device itself. Throws InvalidArgument for a device that cannot use this one's memory, and
    // then changes nothing.
    void set_peer_accessible_by(const std::vector<Device>& devices) const;

private:
    friend class Device;
    explicit DeviceMemoryResource(std::shared_ptr<const MemoryResourceState> state)
        : PooledMemoryResource(std::move(state)) {}
};

struct PinnedMemoryResourceOptions {
    uint64_t max_size = 0;                          // bytes, rounded up by the driver; 0: as much as there is
    std::optional<int32_t> numa_id = std::nullopt;  // the node whose memory it is; none: the system chooses
    // Other processes can open it, and its buffers. It is then memory of a node: where none is named, of the one that
    // is nearest to the current device.
    bool ipc_enabled = false;
};

// A pool of page-locked host memory: the host and the kernels of all devices use the same bytes. Throws Unsupported
// where no device has such pools, which need CUDA 13; LegacyPinnedMemoryResource needs none.
class PinnedMemoryResource : public PooledMemoryResource {
public:
    // The driver's own pool, shared with all that use it.
    PinnedMemoryResource();
    // A new pool. Throws OutOfMemory.
    explicit PinnedMemoryResource(const PinnedMemoryResourceOptions& options);

    // The pool of a resource that has one of page-locked host memory. Throws InvalidArgument for others.
    static PinnedMemoryResource of(const MemoryResource& resource);

    // A pool that another process made with the IPC option, as DeviceMemoryResource's.
    static PinnedMemoryResource from_allocation_handle(int descriptor);

    int32_t numa_id() const;  // -1: the system's choice, or that of another process

private:
    explicit PinnedMemoryResource(std::shared_ptr<const MemoryResourceState> state)
        : PooledMemoryResource(std::move(state)) {}
};

struct ManagedMemoryResourceOptions {
    std::optional<MemoryLocation> preferred_location = std::nullopt;  // where pages are kept; none: where they are used
};

// A pool of managed memory, which moves to where it is used. Throws Unsupported where there are no such pools, which
// need CUDA 13.
class ManagedMemoryResource : public PooledMemoryResource {
public:
    // The driver's own pool, shared with all that use it.
    ManagedMemoryResource();
    // A new pool. Throws OutOfMemory.
    explicit ManagedMemoryResource(const ManagedMemoryResourceOptions& options);

    std::optional<MemoryLocation> preferred_location() const { return location(); }
};

}  // namespace cuprum::core
