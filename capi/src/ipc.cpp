#include "cuprum/capi/ipc.h"

#include <cstring>
#include <string>

#include "call.hpp"
#include "cuprum/core/device.hpp"
#include "cuprum/core/memory_pool.hpp"
#include "thread_state.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

cuprum_status cuprum_memory_resource_create_shareable(cuprum_memory_resource* resource_out, int32_t device,
                                                      uint64_t max_size) {
    return run("cuprum_memory_resource_create_shareable", [&](const Call& call) {
        call.require(resource_out, "resource_out");
        const core::DeviceMemoryResource made(core::Device(device), {.max_size = max_size, .ipc_enabled = true});
        *resource_out = call.give<cuprum_memory_resource>(MemoryResourceObject{made});
    });
}

cuprum_status cuprum_memory_resource_create_shareable_pinned(cuprum_memory_resource* resource_out, int32_t numa_id,
                                                             uint64_t max_size) {
    return run("cuprum_memory_resource_create_shareable_pinned", [&](const Call& call) {
        call.require(resource_out, "resource_out");
        core::PinnedMemoryResourceOptions options{.max_size = max_size, .ipc_enabled = true};
        if (numa_id != -1) options.numa_id = numa_id;
        *resource_out = call.give<cuprum_memory_resource>(MemoryResourceObject{core::PinnedMemoryResource(options)});
    });
}

cuprum_status cuprum_memory_resource_allocation_handle(int32_t* descriptor_out, cuprum_memory_resource resource) {
    return run("cuprum_memory_resource_allocation_handle", [&](const Call& call) {
        call.require(descriptor_out, "descriptor_out");
        const auto shared = call.use(resource, "resource");
        *descriptor_out = core::PooledMemoryResource::of(shared->resource).allocation_handle();
    });
}

cuprum_status cuprum_memory_resource_from_allocation_handle(cuprum_memory_resource* resource_out, int32_t device,
                                                            int32_t descriptor) {
    return run("cuprum_memory_resource_from_allocation_handle", [&](const Call& call) {
        call.require(resource_out, "resource_out");
        *resource_out = call.give<cuprum_memory_resource>(
            MemoryResourceObject{core::DeviceMemoryResource::from_allocation_handle(core::Device(device), descriptor)});
    });
}

cuprum_status cuprum_memory_resource_pinned_from_allocation_handle(cuprum_memory_resource* resource_out,
                                                                   int32_t descriptor) {
    return run("cuprum_memory_resource_pinned_from_allocation_handle", [&](const Call& call) {
        call.require(resource_out, "resource_out");
        *resource_out = call.give<cuprum_memory_resource>(
            MemoryResourceObject{core::PinnedMemoryResource::from_allocation_handle(descriptor)});
    });
}

cuprum_status cuprum_memory_resource_is_ipc_enabled(int32_t* enabled_out, cuprum_memory_resource resource) {
    return run("cuprum_memory_resource_is_ipc_enabled", [&](const Call& call) {
        call.require(enabled_out, "enabled_out");
        const auto asked = call.use(resource, "resource");
        *enabled_out = core::PooledMemoryResource::of(asked->resource).is_ipc_enabled() ? 1 : 0;
    });
}

cuprum_status cuprum_memory_resource_is_mapped(int32_t* mapped_out, cuprum_memory_resource resource) {
    return run("cuprum_memory_resource_is_mapped", [&](const Call& call) {
        call.require(mapped_out, "mapped_out");
        const auto asked = call.use(resource, "resource");
        *mapped_out = core::PooledMemoryResource::of(asked->resource).is_mapped() ? 1 : 0;
    });
}

cuprum_status cuprum_buffer_ipc_handle(const void** bytes_out, uint64_t* size_out, cuprum_buffer buffer) {
    return run("cuprum_buffer_ipc_handle", [&](const Call& call) {
        call.require(bytes_out, "bytes_out");
        call.require(size_out, "size_out");
        const core::IPCBufferDescriptor descriptor = call.use(buffer, "buffer")->buffer.ipc_descriptor();
        const std::string& bytes = lend_bytes(
            std::string(reinterpret_cast<const char*>(descriptor.reserved.data()), descriptor.reserved.size()));
        *bytes_out = bytes.data();
        *size_out = bytes.size();
    });
}

cuprum_status cuprum_buffer_from_ipc_handle(cuprum_buffer* buffer_out, cuprum_memory_resource resource,
                                            const void* handle, uint64_t handle_size, uint64_t buffer_size,
                                            cuprum_stream stream) {
    return run("cuprum_buffer_from_ipc_handle", [&](const Call& call) {
        call.require(buffer_out, "buffer_out");
        call.require(handle, "handle");
        core::IPCBufferDescriptor descriptor{.size = buffer_size};
        if (handle_size != descriptor.reserved.size()) {
            call.refuse("handle_size", "is " + std::to_string(handle_size) + "; expected the " +
                                           std::to_string(descriptor.reserved.size()) + " bytes of a shared buffer");
        }
        std::memcpy(descriptor.reserved.data(), handle, descriptor.reserved.size());
        const auto of = call.use(resource, "resource");
        const auto in = call.use(stream, "stream");
        const core::PooledMemoryResource pool = core::PooledMemoryResource::of(of->resource);
        *buffer_out = call.give<cuprum_buffer>(
            BufferObject(in->owner.is_valid() ? core::Buffer::from_ipc_descriptor(pool, descriptor, in->owner)
                                              : core::Buffer::from_ipc_descriptor(pool, descriptor, in->stream)));
    });
}
