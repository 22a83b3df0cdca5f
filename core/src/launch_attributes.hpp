// What a launch asks for beside grid, block and shared memory, as the driver takes it.
#pragma once

#include <array>
#include <span>

#include "cuprum/core/launch.hpp"
#include "driver_api.hpp"

namespace cuprum::core {

// Whether a launch takes attributes at all: most do not.
inline bool needs_attributes(const LaunchConfig& config) {
    return (static_cast<int>(config.is_cooperative) | static_cast<int>(config.programmatic_stream_serialization) |
            static_cast<int>(config.cluster.has_value()) | static_cast<int>(config.priority.has_value()) |
            static_cast<int>(config.preferred_shared_memory_carveout.has_value()) |
            static_cast<int>(config.memory_sync_domain.has_value()) |
            static_cast<int>(config.memory_sync_domain_map.has_value()) |
            static_cast<int>(config.access_policy_window.has_value())) != 0;
}

// Of a launch that takes none.
inline CUlaunchConfig driver_config(const LaunchConfig& config, CUstream stream) {
    CUlaunchConfig given{};
    given.gridDimX = config.grid.x;
    given.gridDimY = config.grid.y;
    given.gridDimZ = config.grid.z;
    given.blockDimX = config.block.x;
    given.blockDimY = config.block.y;
    given.blockDimZ = config.block.z;
    given.sharedMemBytes = config.shmem_size;
    given.hStream = stream;
    return given;
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
