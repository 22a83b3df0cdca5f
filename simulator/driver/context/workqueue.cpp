#include "driver/context/workqueue.hpp"

#include <cstddef>
#include <cstring>

#include "driver/process/cuda_version.hpp"
#include "driver/process/entry.hpp"

namespace cuprum::simulator::libcuda {

namespace {

constexpr uint32_t connections = 8;  // what CUDA_DEVICE_MAX_CONNECTIONS is without being set
constexpr uint32_t most_scopes = 2;

// cuda.h of CUDA 13.1 to 13.5.
static_assert(sizeof(CUdevResource) == 144 && offsetof(CUdevResource, sm) == 96);
static_assert(sizeof(WorkqueueConfig) == 12 && offsetof(WorkqueueConfig, sharing_scope) == 8);

}  // namespace

bool has_workqueues() {
    return cuda_version() >= 13010;
}

WorkqueueConfig whole_workqueue(const Device& device) {
    return {static_cast<int32_t>(device.ordinal()), connections, 0};
}

CUdevResource make_resource(const WorkqueueConfig& config) {
    CUdevResource made{};
    std::memcpy(&made.type, &workqueue_config_type, sizeof made.type);
    std::memcpy(&made.sm, &config, sizeof config);
    return made;
}

WorkqueueConfig read_workqueue(const CUdevResource& resource) {
    WorkqueueConfig config{};
    std::memcpy(&config, &resource.sm, sizeof config);
    driver().device(config.device);
    if (config.concurrency_limit == 0 || config.sharing_scope >= most_scopes) {
        throw DriverError(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION,
                          format("there is no workqueue with wqConcurrencyLimit %u and sharingScope %u",
                                 config.concurrency_limit, config.sharing_scope));
    }
    return config;
}

}  // namespace cuprum::simulator::libcuda
