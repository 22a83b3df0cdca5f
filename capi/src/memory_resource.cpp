#include "cuprum/capi/memory_resource.h"

#include <utility>

#include "call.hpp"
#include "cuprum/core/memory_resource.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

cuprum_status cuprum_memory_resource_create_legacy_pinned(cuprum_memory_resource* resource_out) {
    return run("cuprum_memory_resource_create_legacy_pinned", [&](const Call& call) {
        call.require(resource_out, "resource_out");
        *resource_out = call.give<cuprum_memory_resource>(MemoryResourceObject{core::LegacyPinnedMemoryResource()});
    });
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
        if (stream == nullptr) {
            made = from->resource.allocate(size);
        } else {
            const auto in = call.use(stream, "stream");
            made = in->owner.is_valid() ? from->resource.allocate(size, in->owner)
                                        : from->resource.allocate(size, in->stream);
        }
        *buffer_out = call.give<cuprum_buffer>(BufferObject(std::move(made)));
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
