#include "launch_attributes.hpp"

namespace cuprum::core {

namespace {

static_assert(static_cast<int>(MemorySyncDomain::remote) == CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE);
static_assert(static_cast<int>(AccessProperty::normal) == CU_ACCESS_PROPERTY_NORMAL);
static_assert(static_cast<int>(AccessProperty::streaming) == CU_ACCESS_PROPERTY_STREAMING);
static_assert(static_cast<int>(AccessProperty::persisting) == CU_ACCESS_PROPERTY_PERSISTING);

}  // namespace

CUlaunchAttributeValue& LaunchAttributes::add(CUlaunchAttributeID id) {
    CUlaunchAttribute& attribute = attributes_[count_++];
    attribute = CUlaunchAttribute{};
    attribute.id = id;
    return attribute.value;
}

CUlaunchConfig LaunchAttributes::driver_config(const LaunchConfig& config, CUstream stream) {
    const Dimensions cluster = config.cluster.value_or(Dimensions{});
    CUlaunchConfig given = core::driver_config(config, stream);
    given.gridDimX *= cluster.x;
    given.gridDimY *= cluster.y;
    given.gridDimZ *= cluster.z;
    given.attrs = attributes_.data();
    given.numAttrs = static_cast<unsigned int>(count_);
    return given;
}

LaunchAttributes::LaunchAttributes(const LaunchConfig& config) {
    if (!needs_attributes(config)) [[likely]]
        return;
    if (config.is_cooperative) add(CU_LAUNCH_ATTRIBUTE_COOPERATIVE).cooperative = 1;
    if (config.programmatic_stream_serialization) {
        add(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION).programmaticStreamSerializationAllowed = 1;
    }
    if (config.cluster) {
        auto& cluster = add(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).clusterDim;
        cluster.x = config.cluster->x;
        cluster.y = config.cluster->y;
        cluster.z = config.cluster->z;
    }
    if (config.priority) add(CU_LAUNCH_ATTRIBUTE_PRIORITY).priority = *config.priority;
    if (config.preferred_shared_memory_carveout) {
        add(CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT).sharedMemCarveout =
            static_cast<unsigned int>(*config.preferred_shared_memory_carveout);
    }
    if (config.memory_sync_domain) {
        add(CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN).memSyncDomain =
            static_cast<CUlaunchMemSyncDomain>(*config.memory_sync_domain);
    }
    if (config.memory_sync_domain_map) {
        auto& map = add(CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP).memSyncDomainMap;
        map.default_ = config.memory_sync_domain_map->default_domain;
        map.remote = config.memory_sync_domain_map->remote;
    }
    if (config.access_policy_window) {
        const AccessPolicyWindow& given = *config.access_policy_window;
        auto& window = add(CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW).accessPolicyWindow;
        window.base_ptr = reinterpret_cast<void*>(given.address);
        window.num_bytes = given.size;
        window.hitRatio = given.hit_ratio;
        window.hitProp = static_cast<CUaccessProperty>(given.hit);
        window.missProp = static_cast<CUaccessProperty>(given.miss);
    }
}

}  // namespace cuprum::core
