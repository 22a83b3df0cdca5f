#include "cuprum/capi/memory_resource.h"

#include <string>
#include <utility>

#include "call.hpp"
#include "cuprum/core/device.hpp"
#include "cuprum/core/graph_builder.hpp"
#include "cuprum/core/memory_pool.hpp"
#include "cuprum/core/virtual_memory.hpp"
#include "memory_location.hpp"
#include "struct_size.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

namespace {

core::PooledMemoryResource pool_of(const Call& call, cuprum_memory_resource resource) {
    return core::PooledMemoryResource::of(call.use(resource, "resource")->resource);
}

core::MemoryPoolAttribute pool_attribute(const Call& call, int32_t number) {
    if (number < CUPRUM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES || number > CUPRUM_POOL_USED_MEM_HIGH) {
        call.refuse("attribute",
                    "expected the number of an attribute of pools, 1 to 8; given " + std::to_string(number));
    }
    return static_cast<core::MemoryPoolAttribute>(number);
}

core::MemoryAccess memory_access(const Call& call, int32_t number) {
    switch (number) {
        case CUPRUM_ACCESS_READ_WRITE:
            return core::MemoryAccess::read_write;
        case CUPRUM_ACCESS_READ:
            return core::MemoryAccess::read;
        case CUPRUM_ACCESS_NONE:
            return core::MemoryAccess::none;
        default:
            call.refuse("options", "expected an access of 0 (reading and writing), 1 (reading) or 2 (none); given " +
                                       std::to_string(number));
    }
}

core::VirtualMemoryResourceOptions virtual_memory_options(const Call& call,
                                                          const cuprum_virtual_memory_options& given) {
    core::VirtualMemoryResourceOptions options;
    for (int32_t peer = 0; peer < 64; ++peer) {
        if ((given.peers >> peer & 1) != 0) options.peers.emplace_back(peer);
    }
    options.self_access = memory_access(call, given.self_access);
    options.peer_access = memory_access(call, given.peer_access);
    if (given.minimum_granularity != 0) options.granularity = core::MemoryGranularity::minimum;
    if (given.posix_file_descriptor != 0) options.handle_type = core::MemoryHandleType::posix_file_descriptor;
    options.gpu_direct_rdma = given.gpu_direct_rdma != 0;
    options.address_hint = given.address_hint;
    options.address_alignment = given.address_alignment;
    options.location = memory_location(given.location_kind, given.location_id);
    return options;
}

// `grow` makes a buffer larger, which the caller gets in place of the old one.
template <class Grow>
cuprum_buffer grown_buffer(const Call& call, cuprum_buffer buffer, const Grow& grow) {
    const auto grown = call.use(buffer, "buffer");
    if (!grown->owner.is_valid()) {
        call.refuse("buffer", "the buffer is borrowed", "pass one that the resource has allocated");
    }
    grow(grown->owner);
    grown->buffer = core::BufferRef();
    const auto made = call.give<cuprum_buffer>(BufferObject(std::move(grown->owner)));
    call.destroy(buffer, "buffer");
    return made;
}

}  // namespace

cuprum_status cuprum_memory_resource_create_legacy_pinned(cuprum_memory_resource* resource_out) {
    return run("cuprum_memory_resource_create_legacy_pinned", [&](const Call& call) {
        call.require(resource_out, "resource_out");
        *resource_out = call.give<cuprum_memory_resource>(MemoryResourceObject{core::LegacyPinnedMemoryResource()});
    });
}

cuprum_status cuprum_memory_resource_create_device(cuprum_memory_resource* resource_out, int32_t device,
                                                   uint64_t max_size) {
    return run("cuprum_memory_resource_create_device", [&](const Call& call) {
        call.require(resource_out, "resource_out");
        const core::DeviceMemoryResource made(core::Device(device), {.max_size = max_size});
        *resource_out = call.give<cuprum_memory_resource>(MemoryResourceObject{made});
    });
}

cuprum_status cuprum_memory_resource_of_device(cuprum_memory_resource* resource_out, int32_t device) {
    return run("cuprum_memory_resource_of_device", [&](const Call& call) {
        call.require(resource_out, "resource_out");
        const core::DeviceMemoryResource pool{core::Device(device)};
        *resource_out = call.give<cuprum_memory_resource>(MemoryResourceObject{pool});
    });
}

cuprum_status cuprum_memory_resource_chosen(cuprum_memory_resource* resource_out, int32_t device) {
    return run("cuprum_memory_resource_chosen", [&](const Call& call) {
        call.require(resource_out, "resource_out");
        *resource_out = call.give<cuprum_memory_resource>(MemoryResourceObject{core::Device(device).memory_resource()});
    });
}

cuprum_status cuprum_memory_resource_create_pinned(cuprum_memory_resource* resource_out, int32_t numa_id,
                                                   uint64_t max_size) {
    return run("cuprum_memory_resource_create_pinned", [&](const Call& call) {
        call.require(resource_out, "resource_out");
        core::PinnedMemoryResourceOptions options{.max_size = max_size};
        if (numa_id != -1) options.numa_id = numa_id;
        *resource_out = call.give<cuprum_memory_resource>(MemoryResourceObject{core::PinnedMemoryResource(options)});
    });
}

cuprum_status cuprum_memory_resource_of_pinned_memory(cuprum_memory_resource* resource_out) {
    return run("cuprum_memory_resource_of_pinned_memory", [&](const Call& call) {
        call.require(resource_out, "resource_out");
        *resource_out = call.give<cuprum_memory_resource>(MemoryResourceObject{core::PinnedMemoryResource()});
    });
}

cuprum_status cuprum_memory_resource_create_managed(cuprum_memory_resource* resource_out, int32_t location_kind,
                                                    int32_t location_id) {
    return run("cuprum_memory_resource_create_managed", [&](const Call& call) {
        call.require(resource_out, "resource_out");
        const core::ManagedMemoryResourceOptions options{.preferred_location =
                                                             memory_location(location_kind, location_id)};
        *resource_out = call.give<cuprum_memory_resource>(MemoryResourceObject{core::ManagedMemoryResource(options)});
    });
}

cuprum_status cuprum_memory_resource_of_managed_memory(cuprum_memory_resource* resource_out) {
    return run("cuprum_memory_resource_of_managed_memory", [&](const Call& call) {
        call.require(resource_out, "resource_out");
        *resource_out = call.give<cuprum_memory_resource>(MemoryResourceObject{core::ManagedMemoryResource()});
    });
}

cuprum_status cuprum_memory_resource_create_virtual(cuprum_memory_resource* resource_out, int32_t device,
                                                    const cuprum_virtual_memory_options* options) {
    return run("cuprum_memory_resource_create_virtual", [&](const Call& call) {
        call.require(resource_out, "resource_out");
        const core::Device owner(device);
        core::VirtualMemoryResourceOptions values;
        if (options != nullptr) values = virtual_memory_options(call, read_struct(call, "options", options));
        *resource_out =
            call.give<cuprum_memory_resource>(MemoryResourceObject{core::VirtualMemoryResource(owner, values)});
    });
}

cuprum_status cuprum_memory_resource_granularity(uint64_t* bytes_out, cuprum_memory_resource resource) {
    return run("cuprum_memory_resource_granularity", [&](const Call& call) {
        call.require(bytes_out, "bytes_out");
        *bytes_out = core::VirtualMemoryResource::of(call.use(resource, "resource")->resource).granularity();
    });
}

cuprum_status cuprum_memory_resource_modify_allocation(cuprum_buffer* buffer_out, cuprum_memory_resource resource,
                                                       cuprum_buffer buffer, uint64_t new_size) {
    return run("cuprum_memory_resource_modify_allocation", [&](const Call& call) {
        call.require(buffer_out, "buffer_out");
        const auto of = core::VirtualMemoryResource::of(call.use(resource, "resource")->resource);
        *buffer_out = grown_buffer(call, buffer, [&](core::Buffer& grown) { of.modify_allocation(grown, new_size); });
    });
}

cuprum_status cuprum_memory_resource_modify_allocation_with_options(cuprum_buffer* buffer_out,
                                                                    cuprum_memory_resource resource,
                                                                    cuprum_buffer buffer, uint64_t new_size,
                                                                    const cuprum_virtual_memory_options* options) {
    return run("cuprum_memory_resource_modify_allocation_with_options", [&](const Call& call) {
        call.require(buffer_out, "buffer_out");
        const auto of = core::VirtualMemoryResource::of(call.use(resource, "resource")->resource);
        const auto values = virtual_memory_options(call, read_struct(call, "options", options));
        *buffer_out =
            grown_buffer(call, buffer, [&](core::Buffer& grown) { of.modify_allocation(grown, new_size, values); });
    });
}

cuprum_status cuprum_memory_resource_location(int32_t* kind_out, int32_t* id_out, cuprum_memory_resource resource) {
    return run("cuprum_memory_resource_location", [&](const Call& call) {
        call.require(kind_out, "kind_out");
        call.require(id_out, "id_out");
        const std::optional<core::MemoryLocation> location = pool_of(call, resource).location();
        *kind_out = number_of_kind(location);
        *id_out = location.has_value() ? location->id() : 0;
    });
}

cuprum_status cuprum_memory_resource_is_accessible_by(int32_t* accessible_out, cuprum_memory_resource resource,
                                                      int32_t device) {
    return run("cuprum_memory_resource_is_accessible_by", [&](const Call& call) {
        call.require(accessible_out, "accessible_out");
        *accessible_out = pool_of(call, resource).is_accessible_by(core::Device(device)) ? 1 : 0;
    });
}

cuprum_status cuprum_memory_resource_set_accessible_by(cuprum_memory_resource resource, int32_t device,
                                                       int32_t accessible) {
    return run("cuprum_memory_resource_set_accessible_by", [&](const Call& call) {
        pool_of(call, resource).set_accessible_by(core::Device(device), accessible != 0);
    });
}

cuprum_status cuprum_memory_resource_use(int32_t device, cuprum_memory_resource resource) {
    return run("cuprum_memory_resource_use", [&](const Call& call) {
        const auto chosen = call.use(resource, "resource");
        core::Device(device).set_memory_resource(chosen->resource);
    });
}

cuprum_status cuprum_memory_resource_native(uint64_t* native_out, cuprum_memory_resource resource) {
    return run("cuprum_memory_resource_native", [&](const Call& call) {
        call.require(native_out, "native_out");
        const auto asked = call.use(resource, "resource");
        *native_out = asked->resource.has_pool()
                          ? reinterpret_cast<uintptr_t>(core::PooledMemoryResource::of(asked->resource).handle())
                          : 0;
    });
}

cuprum_status cuprum_memory_resource_is_handle_owned(int32_t* owned_out, cuprum_memory_resource resource) {
    return run("cuprum_memory_resource_is_handle_owned", [&](const Call& call) {
        call.require(owned_out, "owned_out");
        *owned_out = pool_of(call, resource).is_handle_owned() ? 1 : 0;
    });
}

cuprum_status cuprum_memory_resource_pool_attribute(uint64_t* value_out, cuprum_memory_resource resource,
                                                    int32_t attribute) {
    return run("cuprum_memory_resource_pool_attribute", [&](const Call& call) {
        call.require(value_out, "value_out");
        *value_out = pool_of(call, resource).attribute(pool_attribute(call, attribute));
    });
}

cuprum_status cuprum_memory_resource_set_pool_attribute(cuprum_memory_resource resource, int32_t attribute,
                                                        uint64_t value) {
    return run("cuprum_memory_resource_set_pool_attribute", [&](const Call& call) {
        pool_of(call, resource).set_attribute(pool_attribute(call, attribute), value);
    });
}

cuprum_status cuprum_memory_resource_trim_to(cuprum_memory_resource resource, uint64_t min_bytes) {
    return run("cuprum_memory_resource_trim_to", [&](const Call& call) { pool_of(call, resource).trim_to(min_bytes); });
}

cuprum_status cuprum_memory_resource_destroy(cuprum_memory_resource resource) {
    return run("cuprum_memory_resource_destroy", [&](const Call& call) { call.destroy(resource, "resource"); });
}

cuprum_status cuprum_memory_resource_allocate(cuprum_buffer* buffer_out, cuprum_memory_resource resource, uint64_t size,
                                              cuprum_stream stream) {
    return run("cuprum_memory_resource_allocate", [&](const Call& call) {
        call.require(buffer_out, "buffer_out");
        const auto from = call.use(resource, "resource");
        core::Buffer made;
        bool is_of_graph = false;
        if (stream == nullptr) {
            made = from->resource.allocate(size);
        } else {
            const auto in = call.use(stream, "stream");
            is_of_graph = core::is_any_graph_being_built() && in->stream.is_capturing();
            made = in->owner.is_valid() ? from->resource.allocate(size, in->owner)
                                        : from->resource.allocate(size, in->stream);
        }
        BufferObject object(std::move(made));
        object.is_of_graph = is_of_graph;
        *buffer_out = call.give<cuprum_buffer>(std::move(object));
    });
}

cuprum_status cuprum_memory_resource_deallocate(cuprum_memory_resource resource, uint64_t address, uint64_t size,
                                                cuprum_stream stream) {
    return run("cuprum_memory_resource_deallocate", [&](const Call& call) {
        const auto of = call.use(resource, "resource");
        if (stream == nullptr) {
            of->resource.deallocate(address, size);
        } else {
            of->resource.deallocate(address, size, call.use(stream, "stream")->stream);
        }
    });
}

cuprum_status cuprum_memory_resource_is_device_accessible(int32_t* accessible_out, cuprum_memory_resource resource) {
    return run("cuprum_memory_resource_is_device_accessible", [&](const Call& call) {
        call.require(accessible_out, "accessible_out");
        *accessible_out = call.use(resource, "resource")->resource.is_device_accessible() ? 1 : 0;
    });
}

cuprum_status cuprum_memory_resource_is_host_accessible(int32_t* accessible_out, cuprum_memory_resource resource) {
    return run("cuprum_memory_resource_is_host_accessible", [&](const Call& call) {
        call.require(accessible_out, "accessible_out");
        *accessible_out = call.use(resource, "resource")->resource.is_host_accessible() ? 1 : 0;
    });
}

cuprum_status cuprum_memory_resource_is_managed(int32_t* managed_out, cuprum_memory_resource resource) {
    return run("cuprum_memory_resource_is_managed", [&](const Call& call) {
        call.require(managed_out, "managed_out");
        *managed_out = call.use(resource, "resource")->resource.is_managed() ? 1 : 0;
    });
}

cuprum_status cuprum_memory_resource_device_id(int32_t* ordinal_out, cuprum_memory_resource resource) {
    return run("cuprum_memory_resource_device_id", [&](const Call& call) {
        call.require(ordinal_out, "ordinal_out");
        *ordinal_out = call.use(resource, "resource")->resource.device_id();
    });
}
