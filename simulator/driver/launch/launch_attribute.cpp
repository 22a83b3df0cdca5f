#include "driver/launch/launch_attribute.hpp"

#include "driver/launch/cluster.hpp"
#include "driver/process/entry.hpp"

namespace cuprum::simulator::libcuda {

namespace {

void require_in_range(const char* what, long long value, long long least, long long most) {
    if (value >= least && value <= most) return;
    throw DriverError(CUDA_ERROR_INVALID_VALUE,
                      format("%s is %lld; it must be from %lld to %lld", what, value, least, most));
}

}  // namespace

void require_access_policy(const CUaccessPolicyWindow& window) {
    require_in_range("the access policy window's hitProp", window.hitProp, CU_ACCESS_PROPERTY_NORMAL,
                     CU_ACCESS_PROPERTY_PERSISTING);
    require_in_range("the access policy window's missProp", window.missProp, CU_ACCESS_PROPERTY_NORMAL,
                     CU_ACCESS_PROPERTY_STREAMING);
    if (!(window.hitRatio >= 0.0f && window.hitRatio <= 1.0f)) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("the access policy window's hitRatio is %g; it must be from 0 to 1",
                                 static_cast<double>(window.hitRatio)));
    }
}

void require_synchronization_policy(int policy) {
    require_in_range("the synchronization policy", policy, CU_SYNC_POLICY_AUTO, CU_SYNC_POLICY_BLOCKING_SYNC);
}

void require_memory_domain(int domain) {
    require_in_range("the memory synchronization domain", domain, CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT,
                     CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE);
}

void require_memory_domains(const CUlaunchMemSyncDomainMap& map) {
    require_in_range("the default memory synchronization domain", map.default_, 0, DeviceLimits::memory_domains - 1);
    require_in_range("the remote memory synchronization domain", map.remote, 0, DeviceLimits::memory_domains - 1);
}

std::shared_ptr<Event> event_of_attribute(const CUlaunchAttribute& attribute, const Stream& stream) {
    const bool programmatic = attribute.id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT;
    if (!programmatic && attribute.id != CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT) return nullptr;
    const CUlaunchAttributeValue& value = attribute.value;
    const int flags = programmatic ? value.programmaticEvent.flags : value.launchCompletionEvent.flags;
    if (flags != 0) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("a launch attribute's event flags are %d; they must be 0", flags));
    }
    std::shared_ptr<Event> event =
        find_event(programmatic ? value.programmaticEvent.event : value.launchCompletionEvent.event);
    if (event->context() != stream.context()) {
        throw DriverError(CUDA_ERROR_INVALID_HANDLE, "a launch attribute's event belongs to another context");
    }
    return event;
}

void apply_attribute(const CUlaunchAttribute& attribute, LaunchShape& shape) {
    const CUlaunchAttributeValue& value = attribute.value;
    switch (attribute.id) {
        case CU_LAUNCH_ATTRIBUTE_IGNORE:
        case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        // Its early start is permitted, not required: the kernel starts when the one before it has ended.
        case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
            return;
        case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
            return require_access_policy(value.accessPolicyWindow);
        case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
            return require_synchronization_policy(value.syncPolicy);
        case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
            return require_memory_domains(value.memSyncDomainMap);
        case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
            return require_memory_domain(value.memSyncDomain);
        case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
            return require_in_range("the shared memory carve-out", value.sharedMemCarveout, 0, 100);
        case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
            return require_in_range("the cluster scheduling policy", value.clusterSchedulingPolicyPreference,
                                    CU_CLUSTER_SCHEDULING_POLICY_DEFAULT, CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING);
        case CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING:
            return require_in_range("nvlinkUtilCentricScheduling", value.nvlinkUtilCentricScheduling, 0, 1);
        case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
            shape.cooperative = value.cooperative != 0;
            return;
        case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
            shape.cluster = cluster_of_attribute(value.clusterDim.x, value.clusterDim.y, value.clusterDim.z);
            return;
        case CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION:
            // Larger clusters where they fit: the launch's own are as good.
            cluster_of_attribute(value.preferredClusterDim.x, value.preferredClusterDim.y, value.preferredClusterDim.z);
            return;
        case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
            if (value.deviceUpdatableKernelNode.deviceUpdatable == 0) return;
            throw DriverError(CUDA_ERROR_NOT_SUPPORTED, "kernels of the simulated device cannot update graphs' nodes");
        default:
            break;
    }
    throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown launch attribute %d", attribute.id));
}

void require_node_attribute(CUlaunchAttributeID attribute) {
    switch (attribute) {
        case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
        case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
        case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
        case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
        case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
            return;
        default:
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("kernel nodes have no attribute %d", attribute));
    }
}

}  // namespace cuprum::simulator::libcuda
