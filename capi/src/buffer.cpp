#include "cuprum/capi/buffer.h"

#include <mutex>
#include <string>
#include <utility>

#include "call.hpp"
#include "cuprum/core/device.hpp"
#include "cuprum/core/error.hpp"
#include "default_stream.hpp"
#include "owners.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

namespace {

// The part of a buffer that a copy is about. One that does not fit is an error of the copy.
core::BufferRef part_of(const core::BufferRef& buffer, uint64_t offset, uint64_t size, const char* direction) {
    try {
        return buffer.slice(offset, size);
    } catch (const cuprum::Error& error) {
        cuprum::ErrorInfo info = error.info();
        info.operation = "copying " + std::to_string(size) + (size == 1 ? " byte " : " bytes ") + direction;
        cuprum::throw_error(std::move(info));
    }
}

// Guards the streams in which buffers are freed, which are set seldom.
std::mutex deallocation_stream_mutex;

}  // namespace

cuprum_status cuprum_buffer_allocate(cuprum_buffer* buffer_out, int32_t device, uint64_t size, cuprum_stream stream) {
    return run("cuprum_buffer_allocate", [&](const Call& call) {
        call.require(buffer_out, "buffer_out");
        if (stream == nullptr) {
            *buffer_out = call.give<cuprum_buffer>(BufferObject(core::Device(device).allocate(size)));
            return;
        }
        const auto ordered = call.use(stream, "stream");
        const core::Device owner(device);
        const bool is_of_graph = core::is_any_graph_being_built() && ordered->stream.is_capturing();
        BufferObject made(ordered->owner.is_valid() ? owner.allocate(size, ordered->owner)
                                                    : owner.allocate(size, ordered->stream));
        made.is_of_graph = is_of_graph;
        *buffer_out = call.give<cuprum_buffer>(std::move(made));
    });
}

cuprum_status cuprum_buffer_from_native(cuprum_buffer* buffer_out, int32_t device, uint64_t address, uint64_t size) {
    return run("cuprum_buffer_from_native", [&](const Call& call) {
        call.require(buffer_out, "buffer_out");
        const core::Device owner(device);
        *buffer_out =
            call.give<cuprum_buffer>(BufferObject(core::BufferRef::from_handle(address, size, owner.device_id())));
    });
}

cuprum_status cuprum_buffer_from_resource(cuprum_buffer* buffer_out, cuprum_memory_resource resource, uint64_t address,
                                          uint64_t size, cuprum_stream stream) {
    return run("cuprum_buffer_from_resource", [&](const Call& call) {
        call.require(buffer_out, "buffer_out");
        const auto of = call.use(resource, "resource");
        core::Buffer made;
        if (stream == nullptr) {
            made = core::Buffer::from_handle(address, size, of->resource);
        } else {
            const auto in = call.use(stream, "stream");
            made = in->owner.is_valid() ? core::Buffer::from_handle(address, size, of->resource, in->owner)
                                        : core::Buffer::from_handle(address, size, of->resource, in->stream);
        }
        *buffer_out = call.give<cuprum_buffer>(BufferObject(std::move(made)));
    });
}

cuprum_status cuprum_buffer_register_host_memory(cuprum_buffer* buffer_out, void* memory, uint64_t size) {
    return run("cuprum_buffer_register_host_memory", [&](const Call& call) {
        call.require(buffer_out, "buffer_out");
        *buffer_out = call.give<cuprum_buffer>(BufferObject(core::Buffer::register_host_memory(memory, size)));
    });
}

cuprum_status cuprum_buffer_destroy(cuprum_buffer buffer) {
    return run("cuprum_buffer_destroy", [&](const Call& call) { call.destroy(buffer, "buffer"); });
}

cuprum_status cuprum_buffer_native(uint64_t* address_out, cuprum_buffer buffer) {
    return run("cuprum_buffer_native", [&](const Call& call) {
        call.require(address_out, "address_out");
        *address_out = call.number_of(buffer, "buffer");
    });
}

cuprum_status cuprum_buffer_size(uint64_t* size_out, cuprum_buffer buffer) {
    return run("cuprum_buffer_size", [&](const Call& call) {
        call.require(size_out, "size_out");
        *size_out = call.use(buffer, "buffer")->buffer.size();
    });
}

cuprum_status cuprum_buffer_device(int32_t* device_out, cuprum_buffer buffer) {
    return run("cuprum_buffer_device", [&](const Call& call) {
        call.require(device_out, "device_out");
        *device_out = call.use(buffer, "buffer")->buffer.device_id();
    });
}

cuprum_status cuprum_buffer_memory_resource(cuprum_memory_resource* resource_out, cuprum_buffer buffer) {
    return run("cuprum_buffer_memory_resource", [&](const Call& call) {
        call.require(resource_out, "resource_out");
        const auto object = call.use(buffer, "buffer");
        const core::MemoryResource resource =
            object->owner.is_valid() ? object->owner.memory_resource() : core::MemoryResource();
        *resource_out =
            resource.is_valid() ? call.give<cuprum_memory_resource>(MemoryResourceObject{resource}) : nullptr;
    });
}

cuprum_status cuprum_buffer_is_device_accessible(int32_t* accessible_out, cuprum_buffer buffer) {
    return run("cuprum_buffer_is_device_accessible", [&](const Call& call) {
        call.require(accessible_out, "accessible_out");
        *accessible_out = call.use(buffer, "buffer")->buffer.is_device_accessible() ? 1 : 0;
    });
}

cuprum_status cuprum_buffer_is_host_accessible(int32_t* accessible_out, cuprum_buffer buffer) {
    return run("cuprum_buffer_is_host_accessible", [&](const Call& call) {
        call.require(accessible_out, "accessible_out");
        *accessible_out = call.use(buffer, "buffer")->buffer.is_host_accessible() ? 1 : 0;
    });
}

cuprum_status cuprum_buffer_is_managed(int32_t* managed_out, cuprum_buffer buffer) {
    return run("cuprum_buffer_is_managed", [&](const Call& call) {
        call.require(managed_out, "managed_out");
        *managed_out = call.use(buffer, "buffer")->buffer.is_managed() ? 1 : 0;
    });
}

cuprum_status cuprum_buffer_host_address(uint64_t* address_out, cuprum_buffer buffer) {
    return run("cuprum_buffer_host_address", [&](const Call& call) {
        call.require(address_out, "address_out");
        *address_out = reinterpret_cast<uintptr_t>(call.use(buffer, "buffer")->buffer.as_span().data());
    });
}

cuprum_status cuprum_buffer_set_deallocation_stream(cuprum_buffer buffer, cuprum_stream stream) {
    return run("cuprum_buffer_set_deallocation_stream", [&](const Call& call) {
        const auto freed = call.use(buffer, "buffer");
        const auto in = call.use(stream, "stream");
        if (!freed->owner.is_valid()) {
            call.refuse("buffer", "the buffer borrows its memory; only the memory's owner frees it");
        }
        const std::lock_guard lock(deallocation_stream_mutex);
        if (in->owner.is_valid()) {
            freed->owner.set_deallocation_stream(in->owner);
        } else {
            freed->owner.set_deallocation_stream(in->stream);
        }
    });
}

cuprum_status cuprum_buffer_copy_from_host(cuprum_buffer buffer, uint64_t offset, const void* source, uint64_t size,
                                           cuprum_stream stream) {
    return run("cuprum_buffer_copy_from_host", [&](const Call& call) {
        if (size != 0) {
            call.require(source, "source");
        }
        const auto target = call.use(buffer, "buffer");
        const core::BufferRef part = part_of(target->buffer, offset, size, "from host memory");
        if (stream == nullptr) {
            part.copy_from_host(source, size);
        } else {
            const auto in = call.use(stream, "stream");
            keep_captured(call, in->stream, buffer);
            part.copy_from_host(source, size, in->stream);
        }
    });
}

cuprum_status cuprum_buffer_copy_to_host(void* destination, cuprum_buffer buffer, uint64_t offset, uint64_t size,
                                         cuprum_stream stream) {
    return run("cuprum_buffer_copy_to_host", [&](const Call& call) {
        if (size != 0) {
            call.require(destination, "destination");
        }
        const auto origin = call.use(buffer, "buffer");
        const core::BufferRef part = part_of(origin->buffer, offset, size, "to host memory");
        if (stream == nullptr) {
            part.copy_to_host(destination, size);
        } else {
            const auto in = call.use(stream, "stream");
            keep_captured(call, in->stream, buffer);
            part.copy_to_host(destination, size, in->stream);
        }
    });
}

cuprum_status cuprum_buffer_copy(cuprum_buffer destination, uint64_t destination_offset, cuprum_buffer source,
                                 uint64_t source_offset, uint64_t size, cuprum_stream stream) {
    return run("cuprum_buffer_copy", [&](const Call& call) {
        const auto target = call.use(destination, "destination");
        const auto origin = call.use(source, "source");
        const core::BufferRef to = part_of(target->buffer, destination_offset, size, "between buffers");
        const core::BufferRef from = part_of(origin->buffer, source_offset, size, "between buffers");
        if (stream == nullptr) {
            const core::StreamRef default_stream = default_stream_of_copy(to, from);
            to.copy_from(from, default_stream);
            default_stream.sync();
        } else {
            const auto in = call.use(stream, "stream");
            keep_captured(call, in->stream, destination, source);
            to.copy_from(from, in->stream);
        }
    });
}

cuprum_status cuprum_buffer_fill(cuprum_buffer buffer, uint32_t pattern, uint32_t pattern_size, cuprum_stream stream) {
    return run("cuprum_buffer_fill", [&](const Call& call) {
        const auto target = call.use(buffer, "buffer");
        if (stream == nullptr) {
            const core::StreamRef default_stream = core::Device(target->buffer.device_id()).default_stream();
            target->buffer.fill(pattern, pattern_size, default_stream);
            default_stream.sync();
        } else {
            const auto in = call.use(stream, "stream");
            keep_captured(call, in->stream, buffer);
            target->buffer.fill(pattern, pattern_size, in->stream);
        }
    });
}
