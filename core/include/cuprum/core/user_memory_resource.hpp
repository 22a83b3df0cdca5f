// Memory resources that the program writes itself.
#pragma once

#include <cstdint>
#include <memory>

#include "cuprum/core/memory_resource.hpp"

namespace cuprum::core {

// How the program allocates and frees memory: what a UserMemoryResource is made of. Both may be called from any thread,
// also at the same time, with a device's primary context current.
class MemoryAllocator {
public:
    MemoryAllocator() = default;
    MemoryAllocator(const MemoryAllocator&) = delete;
    MemoryAllocator& operator=(const MemoryAllocator&) = delete;
    virtual ~MemoryAllocator() = default;

    // The address of `size` bytes, at least 1, that can be used in `stream` at once; where the stream is invalid, none
    // was given, and they can be used in all. The stream is the caller's: what keeps it copies it no further than
    // deallocate(). What it throws goes to the caller of MemoryResource::allocate as it is.
    virtual DevicePointer allocate(uint64_t size, StreamRef stream) = 0;

    // Called once for each address that allocate() has returned, unless Buffer::release() gave it up. What uses the
    // memory comes before this in the order of `stream`: it frees in that order, or waits for it. Where the stream is
    // invalid, all work is done. What it throws for a buffer that is closed goes to the handler of cleanup errors
    // (set_cleanup_error_handler).
    virtual void deallocate(DevicePointer address, uint64_t size, StreamRef stream) = 0;
};

// A resource whose memory the program allocates: from another resource, to count or to keep it, or from a library of
// its own. The allocator lives as long as the resource, its copies and its buffers do. Once the process exits, and in a
// forked child, buffers are not freed: the allocator is not called.
class UserMemoryResource : public MemoryResource {
public:
    // `kind`: what the memory is; it is not checked. `device_id`: the device whose memory it is, -1 for memory of none.
    // Throws InvalidArgument for no allocator, an unknown kind, no such device, and a device's memory without a device.
    UserMemoryResource(std::shared_ptr<MemoryAllocator> allocator, MemoryKind kind, int32_t device_id = -1);

    // A resource that is one, as that. Throws InvalidArgument for others.
    static UserMemoryResource of(const MemoryResource& resource);

    std::shared_ptr<MemoryAllocator> allocator() const;

private:
    explicit UserMemoryResource(const MemoryResource& resource) : MemoryResource(resource) {}
};

}  // namespace cuprum::core
