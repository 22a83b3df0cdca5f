#include "driver/context/device_resource.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "driver/process/entry.hpp"

namespace cuprum::simulator::libcuda {

namespace {

// The one descriptor of these: nothing destroys descriptors, so that equal ones must be the same.
CUdevResourceDesc description_of(const std::set<uint32_t>& multiprocessors, const WorkqueueConfig& workqueue) {
    static std::mutex mutex;
    static auto* const made = new std::map<std::pair<WorkqueueConfig, std::set<uint32_t>>, CUdevResourceDesc>;
    const std::lock_guard lock(mutex);
    CUdevResourceDesc& description = (*made)[{workqueue, multiprocessors}];
    if (description == nullptr) {
        description = handles().resource_descriptions.insert(std::make_shared<ResourceDescription>(ResourceDescription{
            static_cast<uint32_t>(workqueue.device),
            std::make_shared<const MultiprocessorSet>(multiprocessors.begin(), multiprocessors.end()), workqueue}));
    }
    return description;
}

}  // namespace

CUdevResource whole_resource(const Device& device) {
    MultiprocessorSet all(device.model().multiprocessors);
    for (uint32_t number = 0; number < all.size(); ++number) {
        all[number] = number;
    }
    return make_resource(device, {device.ordinal(), false, std::move(all)}, true);
}

void split_resource(const CUdevResource& input, unsigned int flags, unsigned int least, const ResourceParts& parts) {
    constexpr unsigned int fine = CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING;
    constexpr unsigned int contradicting = fine | CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE;
    if ((flags & contradicting) == contradicting) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "useFlags asks for large clusters, and to ignore coscheduling");
    }
    const MultiprocessorResource whole = read_resource(input);
    const Device& device = driver().device(static_cast<CUdevice>(whole.device));
    if (parts.groups != nullptr && *parts.count == 0) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "nbGroups is 0, and result is not null");
    }
    if (whole.divided) {
        throw DriverError(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION,
                          "what a split has made is not split again, but for the resource of a green context made "
                          "of it (cuGreenCtxGetDevResource)");
    }
    const auto count = static_cast<uint32_t>(whole.multiprocessors.size());
    if (least > count) {
        throw DriverError(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION,
                          format("minCount is %u, and the resource has %u multiprocessors", least, count));
    }
    const SplitRule rule = split_rule(device, (flags & fine) != 0);
    const uint32_t wanted = std::max(least, rule.least);
    const uint32_t size = std::min((wanted + rule.multiple - 1) / rule.multiple * rule.multiple, count);
    const uint32_t possible = count / size;
    if (parts.groups == nullptr) {
        *parts.count = possible;
        return;
    }
    *parts.count = std::min(*parts.count, possible);
    const auto part = [&](uint32_t begin, uint32_t end) {
        const auto first = whole.multiprocessors.begin();
        return make_resource(device, {whole.device, true, {first + begin, first + end}}, false);
    };
    for (uint32_t group = 0; group < *parts.count; ++group) {
        parts.groups[group] = part(group * size, (group + 1) * size);
    }
    if (parts.remaining != nullptr) *parts.remaining = part(*parts.count * size, count);
}

CUdevResourceDesc describe_resources(std::span<const CUdevResource> resources) {
    std::set<uint32_t> all;
    std::set<uint32_t> devices;
    std::optional<WorkqueueConfig> workqueue;
    for (const CUdevResource& given : resources) {
        if (number_of(given.type) == workqueue_config_type && has_workqueues()) {
            if (workqueue) {
                throw DriverError(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION, "there are several workqueues");
            }
            workqueue = read_workqueue(given);
            devices.insert(static_cast<uint32_t>(workqueue->device));
            continue;
        }
        const MultiprocessorResource resource = read_resource(given);
        devices.insert(resource.device);
        all.insert(resource.multiprocessors.begin(), resource.multiprocessors.end());
    }
    if (devices.size() > 1) {
        throw DriverError(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION, "the resources are of several devices");
    }
    const Device& device = driver().device(static_cast<CUdevice>(*devices.begin()));
    if (all.empty()) {  // a workqueue alone: all of the device
        const MultiprocessorResource whole = read_resource(whole_resource(device));
        all.insert(whole.multiprocessors.begin(), whole.multiprocessors.end());
    }
    return description_of(all, workqueue.value_or(whole_workqueue(device)));
}

std::shared_ptr<ResourceDescription> find_description(CUdevResourceDesc handle, const Device& device) {
    std::shared_ptr<ResourceDescription> described = handles().resource_descriptions.find(handle);
    if (!described) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "desc was not made by cuDevResourceGenerateDesc");
    }
    if (described->device != device.ordinal()) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("the resources are of device %u, not of device %u",
                                                           described->device, device.ordinal()));
    }
    return described;
}

}  // namespace cuprum::simulator::libcuda
