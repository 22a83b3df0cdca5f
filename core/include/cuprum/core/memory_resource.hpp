// Where buffers come from.
#pragma once

#include <cstdint>
#include <memory>

#include "cuprum/core/buffer.hpp"
#include "cuprum/core/stream.hpp"

namespace cuprum::core {

class Device;

// Allocates buffers. A value: copies stand for the same resource, which lives as long as they and its buffers do. Every
// member may be called from any thread.
//
// A default-constructed one is invalid: using it throws InvalidState.
class MemoryResource {
public:
    MemoryResource() = default;

    bool is_valid() const { return state_ != nullptr; }
    bool has_pool() const;
    bool has_allocator() const;  // is a UserMemoryResource
    // Whether kernels can use its memory; whether the host can, without a copy; whether it is managed memory.
    bool is_device_accessible() const;
    bool is_host_accessible() const;
    bool is_managed() const;
    // The device whose memory it is; -1 for memory that belongs to none.
    int32_t device_id() const;

    // `size` bytes; 0 gives an empty buffer. Usable from any stream when this returns. Throws OutOfMemory, and
    // InvalidArgument for a pool, which allocates in a stream.
    Buffer allocate(uint64_t size) const;
    // The same, freed after the work in `stream`, as Buffer::set_deallocation_stream says. From a pool: usable in
    // `stream` at once, and freed in its order. Throws InvalidArgument for a pool and another device's stream.
    Buffer allocate(uint64_t size, const Stream& stream) const;
    Buffer allocate(uint64_t size, StreamRef stream) const;

    // Frees memory of this resource that Buffer::release() gave up, once all work that uses it is done: with a stream
    // it waits for the work in that. Memory of a pool is freed in the stream's order, and that of a UserMemoryResource
    // as its allocator does it, whose exceptions come out here. A null address is ignored. Throws
    // InvalidArgument for memory of another pool; the driver refuses an address that is not the beginning of such
    // memory.
    void deallocate(DevicePointer address, uint64_t size) const;
    void deallocate(DevicePointer address, uint64_t size, StreamRef stream) const;

    // Whether they are the same resource, or resources with the same pool.
    friend bool operator==(const MemoryResource& left, const MemoryResource& right);

protected:
    explicit MemoryResource(std::shared_ptr<const MemoryResourceState> state) : state_(std::move(state)) {}
    const MemoryResourceState& opened(const char* operation) const;

private:
    friend class Buffer;
    friend class Device;
    friend class DeviceMemoryResource;
    friend class PinnedMemoryResource;
    friend class PooledMemoryResource;
    Buffer allocate_from_pool(uint64_t size, StreamRef stream, std::shared_ptr<void> stream_owner) const;
    Buffer allocate_in_graph(uint64_t size, StreamRef stream, std::shared_ptr<void> stream_owner) const;
    Buffer allocate_by_program(uint64_t size, StreamRef stream, std::shared_ptr<void> stream_owner) const;
    Buffer take_over(DevicePointer address, uint64_t size, StreamRef stream, std::shared_ptr<void> stream_owner) const;

    std::shared_ptr<const MemoryResourceState> state_;
};

// Page-locked host memory, each buffer allocated by the driver (cuMemHostAlloc), which takes far longer than from a
// pool. The host and the kernels of all devices use the same bytes, and copies between it and a device in a
// stream are asynchronous. Freeing it waits for the device.
class LegacyPinnedMemoryResource : public MemoryResource {
public:
    LegacyPinnedMemoryResource();
};

}  // namespace cuprum::core
