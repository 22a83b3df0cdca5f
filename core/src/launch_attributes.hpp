// What a launch asks for beside grid, block and shared memory, as the driver takes it.
#pragma once

#include <array>
#include <span>

#include "cuprum/core/launch.hpp"
#include "driver_api.hpp"

namespace cuprum::core {

// Whether a launch takes attributes at all: most do not.
inline bool needs_attributes(const LaunchConfig& config) {
    return config.is_cooperative || config.programmatic_stream_serialization || config.cluster || config.priority ||
           config.preferred_shared_memory_carveout || config.memory_sync_domain || config.memory_sync_domain_map ||
           config.access_policy_window;
}

// The attributes that a configuration asks for. Allocates nothing.
class LaunchAttributes {
public:
    explicit LaunchAttributes(const LaunchConfig& config);
    // The whole configuration for the driver, which counts a grid's blocks and not its clusters. Refers to this.
    CUlaunchConfig driver_config(const LaunchConfig& config, CUstream stream);

    std::span<const CUlaunchAttribute> all() const { return {attributes_.data(), count_}; }

private:
    CUlaunchAttributeValue& add(CUlaunchAttributeID id);

    std::array<CUlaunchAttribute, 8> attributes_;
    size_t count_ = 0;
};

}  // namespace cuprum::core
