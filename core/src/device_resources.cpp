#include "cuprum/core/device_resources.hpp"

#include <cstring>
#include <string>

#include "context.hpp"
#include "cuprum/core/device.hpp"
#include "device_resources.hpp"
#include "driver_error.hpp"

namespace cuprum::core {

SMResource SMResourceAccess::wrap(int32_t device_id, const CUdevResource& resource) {
    static_assert(sizeof resource <= SMResource::storage_size);
    SMResource wrapped;
    wrapped.device_id_ = device_id;
    wrapped.sm_count_ = static_cast<int32_t>(resource.sm.smCount);
    wrapped.min_partition_size_ = static_cast<int32_t>(resource.sm.minSmPartitionSize);
    wrapped.coscheduled_alignment_ = static_cast<int32_t>(resource.sm.smCoscheduledAlignment);
    std::memcpy(wrapped.storage_.data(), &resource, sizeof resource);
    return wrapped;
}

CUdevResource SMResourceAccess::unwrap(const SMResource& wrapped) {
    CUdevResource resource;
    std::memcpy(&resource, wrapped.handle(), sizeof resource);
    return resource;
}

SMResource SMResource::of(const Device& device) {
    CUdevResource all{};
    check(driver::cuDeviceGetDevResource(device_state(device.device_id()).device, &all, CU_DEV_RESOURCE_TYPE_SM),
          "cuDeviceGetDevResource", "asking for the multiprocessors",
          [&] { return describe_device(device.device_id()); });
    return SMResourceAccess::wrap(device.device_id(), all);
}

SMResource SMResource::of(int32_t device_id, CUcontext context) {
    CUdevResource all{};
    check(driver::cuCtxGetDevResource(context, &all, CU_DEV_RESOURCE_TYPE_SM), "cuCtxGetDevResource",
          "asking for the multiprocessors", [&] { return "a context of " + describe_device(device_id); });
    return SMResourceAccess::wrap(device_id, all);
}

SMResourceSplit SMResource::split(const SMResourceOptions& options) const {
    constexpr const char* operation = "splitting multiprocessors";
    const auto object = [this] {
        return std::to_string(sm_count_) + " multiprocessors of " + describe_device(device_id_);
    };
    if (!is_valid())
        throw InvalidArgument(operation, "resource", "it is invalid (default-constructed)",
                              "ask a device or a context for one");
    if (options.groups < 1 || options.groups > sm_count_ || options.count < 0 || options.count > sm_count_) {
        throw InvalidArgument(operation, object(),
                              std::to_string(options.groups) + " groups of " + std::to_string(options.count) +
                                  " multiprocessors were asked for",
                              "ask for at least one group, and for no more multiprocessors than there are");
    }
    const CUdevResource input = SMResourceAccess::unwrap(*this);
    std::vector<CUdevResource> groups(static_cast<size_t>(options.groups));
    CUdevResource remainder{};
    auto made = static_cast<unsigned int>(options.groups);
    unsigned int flags = 0;
    if (options.backfill) flags |= CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING;
    check(driver::cuDevSmResourceSplitByCount(groups.data(), &made, &input, &remainder, flags,
                                              static_cast<unsigned int>(options.count)),
          "cuDevSmResourceSplitByCount", operation, object);
    if (made < groups.size()) {
        throw InvalidArgument(operation, object(),
                              "there is room for " + std::to_string(made) + " groups of " +
                                  std::to_string(made == 0 ? 0 : groups.front().sm.smCount) + ", not for " +
                                  std::to_string(groups.size()),
                              "ask for fewer or smaller groups");
    }
    SMResourceSplit split;
    for (const CUdevResource& group : groups)
        split.groups.push_back(SMResourceAccess::wrap(device_id_, group));
    split.remainder = SMResourceAccess::wrap(device_id_, remainder);
    return split;
}

}  // namespace cuprum::core
