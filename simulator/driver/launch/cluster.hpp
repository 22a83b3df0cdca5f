// Clusters of thread blocks: what a launch may ask for.
#pragma once

#include <array>
#include <cstdint>

#include "driver/launch/launch.hpp"

namespace cuprum::simulator::libcuda {

class Device;

using ClusterDimensions = std::array<uint32_t, 3>;

// What every device with clusters takes, and what these devices take if a function allows it
// (CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED).
inline constexpr uint64_t portable_cluster_blocks = 8;
inline constexpr uint64_t most_cluster_blocks = 16;

// Dimensions of a launch attribute; zeros: none. Throws DriverError.
ClusterDimensions cluster_of_attribute(unsigned int x, unsigned int y, unsigned int z);

// The cluster of a launch: what it asks for, else what the kernel requires, else one block. Throws DriverError where
// kernel, device or grid do not allow it.
ClusterDimensions cluster_of_launch(const KernelInformation& kernel, const FunctionSettings& settings,
                                    const Device& device, const LaunchShape& shape);

// Blocks of the largest cluster that the function may be launched in; 0 where not even one block fits on the device.
uint32_t largest_cluster(const Function& function, const CUlaunchConfig& config, uint32_t multiprocessors);
// Clusters of the configuration that run at once.
uint32_t active_clusters(const Function& function, const CUlaunchConfig& config, const Device& device,
                         uint32_t multiprocessors);

}  // namespace cuprum::simulator::libcuda
