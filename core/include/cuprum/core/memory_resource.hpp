// Where buffers come from.
#pragma once

#include <cstdint>
#include <memory>

#include "cuprum/core/buffer.hpp"
#include "cuprum/core/stream.hpp"

namespace cuprum::core {

// Allocates buffers. A value: copies stand for the same resource, which lives as long as they and its buffers do. Every
// member may be called from any thread.
//
// A default-constructed one is invalid: using it throws InvalidState.
class MemoryResource {
public:
    MemoryResource() = default;

    bool is_valid() const { return state_ != nullptr; }
    // Whether kernels can use its memory; whether the host can, without a copy; whether it is managed memory.
    bool is_device_accessible() const;
    bool is_host_accessible() const;
    bool is_managed() const;
    // The device whose memory it is; -1 for memory that belongs to none.
    int32_t device_id() const;

    // `size` bytes; 0 gives an empty buffer. Usable from any stream when this returns. Throws OutOfMemory.
    Buffer allocate(uint64_t size) const;
    // The same, freed after the work in `stream`, as Buffer::set_deallocation_stream says.
    Buffer allocate(uint64_t size, const Stream& stream) const;
    Buffer allocate(uint64_t size, StreamRef stream) const;

    // Frees memory of this resource that Buffer::release() gave up, once all work that uses it is done: with a stream
    // it waits for the work in that. A null address is ignored. The driver refuses an address that is not the
    // beginning of such memory.
    void deallocate(DevicePointer address, uint64_t size) const;
    void deallocate(DevicePointer address, uint64_t size, StreamRef stream) const;

    friend bool operator==(const MemoryResource&, const MemoryResource&) = default;

protected:
    explicit MemoryResource(std::shared_ptr<const MemoryResourceState> state) : state_(std::move(state)) {}

private:
    friend class Buffer;
    const MemoryResourceState& opened(const char* operation) const;

    std::shared_ptr<const MemoryResourceState> state_;
};

// Page-locked host memory, each buffer an allocation of the driver's own (cuMemHostAlloc), which takes far longer than
// one from a pool. The host and the kernels of all devices use the same bytes, and copies between it and a device in a
// stream are asynchronous. Freeing it waits for the device.
class LegacyPinnedMemoryResource : public MemoryResource {
public:
    LegacyPinnedMemoryResource();
};

}  // namespace cuprum::core
