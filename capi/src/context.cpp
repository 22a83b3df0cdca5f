#include "cuprum/capi/context.h"

#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "call.hpp"
#include "cuprum/core/context.hpp"
#include "cuprum/core/device.hpp"
#include "struct_size.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

namespace {

// A resource as bytes that leave the library: the driver believes what is in one, so that others are recognised.
struct PackedResource {
    uint64_t seal;
    core::SMResource resource;
};
static_assert(std::is_trivially_copyable_v<PackedResource>);
static_assert(sizeof(PackedResource) <= CUPRUM_SM_RESOURCE_SIZE);

// FNV-1a of the bytes, and of a place in this process.
uint64_t seal_of(const core::SMResource& resource) {
    static const char place = 0;
    uint64_t hash = 0xcbf29ce484222325 ^ reinterpret_cast<uintptr_t>(&place);
    unsigned char bytes[sizeof resource];
    std::memcpy(bytes, &resource, sizeof resource);
    for (const unsigned char byte : bytes)
        hash = (hash ^ byte) * 0x100000001b3;
    return hash;
}

std::string packed(const std::vector<core::SMResource>& resources) {
    std::string bytes(resources.size() * CUPRUM_SM_RESOURCE_SIZE, '\0');
    for (size_t i = 0; i < resources.size(); ++i) {
        const PackedResource one{seal_of(resources[i]), resources[i]};
        std::memcpy(bytes.data() + i * CUPRUM_SM_RESOURCE_SIZE, &one, sizeof one);
    }
    return bytes;
}

void give_packed(const std::vector<core::SMResource>& resources, const void** bytes_out, uint64_t* size_out) {
    const std::string& bytes = lend_bytes(packed(resources));
    *bytes_out = bytes.data();
    *size_out = bytes.size();
}

std::vector<core::SMResource> unpacked(const Call& call, const char* parameter, const void* bytes, uint64_t size) {
    call.require(bytes, parameter);
    if (size == 0 || size % CUPRUM_SM_RESOURCE_SIZE != 0 || size / CUPRUM_SM_RESOURCE_SIZE > 64) {
        call.refuse("size", "is " + std::to_string(size) + "; expected " + std::to_string(CUPRUM_SM_RESOURCE_SIZE) +
                                " bytes for each resource");
    }
    std::vector<core::SMResource> resources(size / CUPRUM_SM_RESOURCE_SIZE);
    for (size_t i = 0; i < resources.size(); ++i) {
        PackedResource one{};
        std::memcpy(&one, static_cast<const char*>(bytes) + i * CUPRUM_SM_RESOURCE_SIZE, sizeof one);
        if (one.seal != seal_of(one.resource)) {
            call.refuse(parameter, "was not given out by this process, or was changed",
                        "ask a device, a context or a split for it");
        }
        resources[i] = one.resource;
    }
    return resources;
}

// What `bytes` leads to may be lent by the call before, which this call takes back.
core::SMResource single(const Call& call, const void* bytes, uint64_t size) {
    const std::vector<core::SMResource> all = unpacked(call, "resource", bytes, size);
    if (all.size() != 1) {
        call.refuse("size", "is that of " + std::to_string(all.size()) + " resources; expected one");
    }
    return all.front();
}

}  // namespace

cuprum_status cuprum_sm_resource_of_device(const void** bytes_out, uint64_t* size_out, int32_t device) {
    return run("cuprum_sm_resource_of_device", [&](const Call& call) {
        call.require(bytes_out, "bytes_out");
        call.require(size_out, "size_out");
        give_packed({core::SMResource::of(core::Device(device))}, bytes_out, size_out);
    });
}

cuprum_status cuprum_sm_resource_of_context(const void** bytes_out, uint64_t* size_out, cuprum_context context) {
    return run("cuprum_sm_resource_of_context", [&](const Call& call) {
        call.require(bytes_out, "bytes_out");
        call.require(size_out, "size_out");
        give_packed({call.use(context, "context")->context.sm_resource()}, bytes_out, size_out);
    });
}

cuprum_status cuprum_sm_resource_info(int32_t* device_out, int32_t* sm_count_out, int32_t* min_partition_size_out,
                                      int32_t* coscheduled_alignment_out, const void* resource, uint64_t size) {
    return run("cuprum_sm_resource_info", [&](const Call& call) {
        call.require(device_out, "device_out");
        call.require(sm_count_out, "sm_count_out");
        call.require(min_partition_size_out, "min_partition_size_out");
        call.require(coscheduled_alignment_out, "coscheduled_alignment_out");
        const core::SMResource given = single(call, resource, size);
        *device_out = given.device_id();
        *sm_count_out = given.sm_count();
        *min_partition_size_out = given.min_partition_size();
        *coscheduled_alignment_out = given.coscheduled_alignment();
    });
}

cuprum_status cuprum_sm_resource_split(const void** bytes_out, uint64_t* size_out, const void* resource, uint64_t size,
                                       int32_t count, int32_t groups, int32_t backfill) {
    return run("cuprum_sm_resource_split", [&](const Call& call) {
        call.require(bytes_out, "bytes_out");
        call.require(size_out, "size_out");
        const core::SMResourceSplit split =
            single(call, resource, size).split({.count = count, .groups = groups, .backfill = backfill != 0});
        std::vector<core::SMResource> parts = split.groups;
        parts.push_back(split.remainder);
        give_packed(parts, bytes_out, size_out);
    });
}

cuprum_status cuprum_context_create(cuprum_context* context_out, int32_t device, const void* resources, uint64_t size) {
    return run("cuprum_context_create", [&](const Call& call) {
        call.require(context_out, "context_out");
        const core::ContextOptions options{.resources = unpacked(call, "resources", resources, size)};
        *context_out = call.give<cuprum_context>(ContextObject{core::Context(core::Device(device), options)});
    });
}

cuprum_status cuprum_workqueue_of_device(int32_t* sharing_scope_out, int32_t* concurrency_limit_out, int32_t device) {
    return run("cuprum_workqueue_of_device", [&](const Call& call) {
        call.require(sharing_scope_out, "sharing_scope_out");
        call.require(concurrency_limit_out, "concurrency_limit_out");
        const auto found = core::WorkqueueResource::of(core::Device(device));
        *sharing_scope_out = static_cast<int32_t>(found.sharing_scope());
        *concurrency_limit_out = found.concurrency_limit();
    });
}

cuprum_status cuprum_workqueue_of_context(int32_t* sharing_scope_out, int32_t* concurrency_limit_out,
                                          cuprum_context context) {
    return run("cuprum_workqueue_of_context", [&](const Call& call) {
        call.require(sharing_scope_out, "sharing_scope_out");
        call.require(concurrency_limit_out, "concurrency_limit_out");
        const core::WorkqueueResource found = call.use(context, "context")->context.workqueue_resource();
        *sharing_scope_out = static_cast<int32_t>(found.sharing_scope());
        *concurrency_limit_out = found.concurrency_limit();
    });
}

cuprum_status cuprum_context_create_with_workqueue(cuprum_context* context_out, int32_t device, const void* resources,
                                                   uint64_t size, int32_t sharing_scope, int32_t concurrency_limit) {
    return run("cuprum_context_create_with_workqueue", [&](const Call& call) {
        call.require(context_out, "context_out");
        if (sharing_scope != CUPRUM_WORKQUEUE_DEVICE_CONTEXT &&
            sharing_scope != CUPRUM_WORKQUEUE_GREEN_CONTEXT_BALANCED) {
            call.refuse("sharing_scope",
                        "expected 0 (the device's) or 1 (balanced); given " + std::to_string(sharing_scope));
        }
        core::ContextOptions options{.resources = unpacked(call, "resources", resources, size)};
        options.workqueue = core::WorkqueueResource::of(core::Device(device));
        options.workqueue->configure({.sharing_scope = static_cast<core::WorkqueueSharingScope>(sharing_scope),
                                      .concurrency_limit = concurrency_limit});
        *context_out = call.give<cuprum_context>(ContextObject{core::Context(core::Device(device), options)});
    });
}

cuprum_status cuprum_context_of_device(cuprum_context* context_out, int32_t device) {
    return run("cuprum_context_of_device", [&](const Call& call) {
        call.require(context_out, "context_out");
        *context_out = call.give<cuprum_context>(ContextObject{core::Device(device).context()});
    });
}

cuprum_status cuprum_context_of_stream(cuprum_context* context_out, cuprum_stream stream) {
    return run("cuprum_context_of_stream", [&](const Call& call) {
        call.require(context_out, "context_out");
        *context_out = call.give<cuprum_context>(ContextObject{call.use(stream, "stream")->stream.context()});
    });
}

cuprum_status cuprum_context_current(cuprum_context* context_out) {
    return run("cuprum_context_current", [&](const Call& call) {
        call.require(context_out, "context_out");
        core::Context current = core::Context::current();
        *context_out = current.is_valid() ? call.give<cuprum_context>(ContextObject{std::move(current)}) : nullptr;
    });
}

cuprum_status cuprum_context_destroy(cuprum_context context) {
    return run("cuprum_context_destroy", [&](const Call& call) { call.destroy(context, "context"); });
}

cuprum_status cuprum_context_native(uint64_t* native_out, cuprum_context context) {
    return run("cuprum_context_native", [&](const Call& call) {
        call.require(native_out, "native_out");
        *native_out = call.number_of(context, "context");
    });
}

cuprum_status cuprum_context_device(int32_t* device_out, cuprum_context context) {
    return run("cuprum_context_device", [&](const Call& call) {
        call.require(device_out, "device_out");
        *device_out = call.use(context, "context")->context.device_id();
    });
}

cuprum_status cuprum_context_is_green(int32_t* green_out, cuprum_context context) {
    return run("cuprum_context_is_green", [&](const Call& call) {
        call.require(green_out, "green_out");
        *green_out = call.use(context, "context")->context.is_green() ? 1 : 0;
    });
}

cuprum_status cuprum_context_set_current(cuprum_context context) {
    return run("cuprum_context_set_current",
               [&](const Call& call) { call.use(context, "context")->context.set_current(); });
}

cuprum_status cuprum_context_create_stream(cuprum_stream* stream_out, cuprum_context context,
                                           const cuprum_stream_options* options) {
    return run("cuprum_context_create_stream", [&](const Call& call) {
        call.require(stream_out, "stream_out");
        core::StreamOptions values;
        if (options != nullptr) {
            const cuprum_stream_options given = read_struct(call, "options", options);
            values.nonblocking = given.blocking == 0;
            values.priority = given.priority;
        }
        *stream_out =
            call.give<cuprum_stream>(StreamObject(call.use(context, "context")->context.create_stream(values)));
    });
}
