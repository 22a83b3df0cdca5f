#include <bit>
#include <cstddef>
#include <cstring>
#include <string>

#include "context.hpp"
#include "cuprum/core/device.hpp"
#include "cuprum/core/device_resources.hpp"
#include "device_resources.hpp"
#include "driver_error.hpp"

namespace cuprum::core {

namespace {

constexpr const char* asking_for_workqueue = "asking for the workqueues";

// What CUDA 13.1's headers have, and those of this build need not: the resource's type, and what is in it in place of
// the multiprocessors.
constexpr auto workqueue_config = std::bit_cast<CUdevResourceType>(1000);
struct NativeWorkqueue {
    CUdevice device;
    unsigned int concurrency_limit;
    unsigned int sharing_scope;
};
static_assert(sizeof(CUdevResource) == 144 && offsetof(CUdevResource, sm) == 96);
static_assert(sizeof(NativeWorkqueue) == 12 && offsetof(NativeWorkqueue, sharing_scope) == 8);

void require_workqueues(int32_t device_id) {
    const int32_t version = driver_version();
    if (version >= 13010) return;
    throw Unsupported(asking_for_workqueue, describe_device(device_id),
                      "they need a driver for CUDA 13.1; this one is for " + std::to_string(version / 1000) + "." +
                          std::to_string(version % 1000 / 10),
                      "install a newer driver, or leave the workqueue out");
}

}  // namespace

WorkqueueResource WorkqueueResourceAccess::wrap(int32_t device_id, const CUdevResource& resource) {
    NativeWorkqueue native{};
    std::memcpy(&native, &resource.sm, sizeof native);
    WorkqueueResource wrapped;
    wrapped.device_id_ = device_id;
    wrapped.concurrency_limit_ = static_cast<int32_t>(native.concurrency_limit);
    wrapped.sharing_scope_ = static_cast<WorkqueueSharingScope>(native.sharing_scope);
    return wrapped;
}

CUdevResource WorkqueueResourceAccess::unwrap(const WorkqueueResource& wrapped) {
    const NativeWorkqueue native{device_state(wrapped.device_id()).device,
                                 static_cast<unsigned int>(wrapped.concurrency_limit()),
                                 static_cast<unsigned int>(wrapped.sharing_scope())};
    CUdevResource resource{};
    resource.type = workqueue_config;
    std::memcpy(&resource.sm, &native, sizeof native);
    return resource;
}

WorkqueueResource WorkqueueResource::of(const Device& device) {
    require_workqueues(device.device_id());
    CUdevResource found{};
    check(driver::cuDeviceGetDevResource(device_state(device.device_id()).device, &found, workqueue_config),
          "cuDeviceGetDevResource", asking_for_workqueue, [&] { return describe_device(device.device_id()); });
    return WorkqueueResourceAccess::wrap(device.device_id(), found);
}

WorkqueueResource WorkqueueResource::of(int32_t device_id, CUcontext context) {
    require_workqueues(device_id);
    CUdevResource found{};
    check(driver::cuCtxGetDevResource(context, &found, workqueue_config), "cuCtxGetDevResource", asking_for_workqueue,
          [&] { return "a context of " + describe_device(device_id); });
    return WorkqueueResourceAccess::wrap(device_id, found);
}

void WorkqueueResource::configure(const WorkqueueResourceOptions& options) {
    constexpr const char* operation = "configuring workqueues";
    if (!is_valid()) {
        throw InvalidArgument(operation, "resource", "it is invalid (default-constructed)",
                              "ask a device or a context for one");
    }
    if (options.concurrency_limit.value_or(1) < 1) {
        throw InvalidArgument(operation, describe_device(device_id_),
                              "the concurrency limit is " + std::to_string(*options.concurrency_limit),
                              "give the number of streams that are at work at once, at least 1");
    }
    sharing_scope_ = options.sharing_scope.value_or(sharing_scope_);
    concurrency_limit_ = options.concurrency_limit.value_or(concurrency_limit_);
}

}  // namespace cuprum::core
