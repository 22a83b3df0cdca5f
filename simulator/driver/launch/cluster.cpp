#include "driver/launch/cluster.hpp"

#include <algorithm>

#include "driver/launch/launch_attribute.hpp"
#include "driver/process/entry.hpp"

namespace cuprum::simulator::libcuda {

namespace {

uint64_t blocks_of(const ClusterDimensions& cluster) {
    return uint64_t{cluster[0]} * cluster[1] * cluster[2];
}

std::string dimensions_of(const ClusterDimensions& cluster) {
    return format("%u x %u x %u", cluster[0], cluster[1], cluster[2]);
}

ClusterDimensions required_by(const KernelInformation& kernel, const FunctionSettings& settings) {
    ClusterDimensions required = kernel.required_cluster;
    for (size_t axis = 0; axis < 3 && required[0] == 0; ++axis) {
        if (settings.required_cluster[axis] <= 0) continue;
        for (size_t k = 0; k < 3; ++k)
            required[k] = static_cast<uint32_t>(std::max(settings.required_cluster[k].load(), 1));
    }
    return required;
}

uint64_t limit_of(const KernelInformation& kernel, const FunctionSettings& settings) {
    const uint64_t own = kernel.max_cluster_blocks != 0 ? kernel.max_cluster_blocks : most_cluster_blocks;
    return std::min(own, settings.large_clusters_allowed != 0 ? most_cluster_blocks : portable_cluster_blocks);
}

uint32_t threads_of(const CUlaunchConfig& config) {
    return config.blockDimX * config.blockDimY * config.blockDimZ;
}

}  // namespace

ClusterDimensions cluster_of_attribute(unsigned int x, unsigned int y, unsigned int z) {
    const ClusterDimensions cluster{x, y, z};
    if (x == 0 && y == 0 && z == 0) return cluster;
    const bool large = std::ranges::any_of(cluster, [](uint32_t size) { return size > most_cluster_blocks; });
    if (large || blocks_of(cluster) == 0 || blocks_of(cluster) > most_cluster_blocks) {
        throw DriverError(CUDA_ERROR_INVALID_CLUSTER_SIZE,
                          format("a cluster of %s blocks; it has from 1 to %llu", dimensions_of(cluster).c_str(),
                                 static_cast<unsigned long long>(most_cluster_blocks)));
    }
    return cluster;
}

ClusterDimensions cluster_of_launch(const KernelInformation& kernel, const FunctionSettings& settings,
                                    const Device& device, const LaunchShape& shape) {
    const char* const name = kernel.name.c_str();
    const bool given = blocks_of(shape.cluster) != 0;
    const ClusterDimensions required = required_by(kernel, settings);
    if (!given && required[0] == 0) {
        if (!kernel.explicit_cluster) return {1, 1, 1};
        throw DriverError(CUDA_ERROR_INVALID_CLUSTER_SIZE,
                          format("kernel '%s' must be launched in clusters (.explicitcluster): give the launch the "
                                 "attribute CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION",
                                 name));
    }
    const ClusterDimensions cluster = given ? shape.cluster : required;
    if (given && required[0] != 0 && required != cluster) {
        throw DriverError(CUDA_ERROR_INVALID_CLUSTER_SIZE,
                          format("kernel '%s' requires clusters of %s blocks, not %s", name,
                                 dimensions_of(required).c_str(), dimensions_of(cluster).c_str()));
    }
    if (blocks_of(cluster) > 1 && device.model().compute_capability_major < 9) {
        throw DriverError(CUDA_ERROR_NOT_SUPPORTED,
                          format("kernel '%s': clusters of %s blocks need compute capability 9.0; the simulated device "
                                 "has %u.%u (CUPRUM_SIM=cc=9.0)",
                                 name, dimensions_of(cluster).c_str(), device.model().compute_capability_major,
                                 device.model().compute_capability_minor));
    }
    if (blocks_of(cluster) > limit_of(kernel, settings)) {
        throw DriverError(
            CUDA_ERROR_INVALID_CLUSTER_SIZE,
            format("kernel '%s': a cluster of %s blocks; the limit is %llu blocks (.maxclusterrank, "
                   "CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)",
                   name, dimensions_of(cluster).c_str(), static_cast<unsigned long long>(limit_of(kernel, settings))));
    }
    for (size_t axis = 0; axis < 3; ++axis) {
        if (shape.grid[axis] % cluster[axis] == 0) continue;
        throw DriverError(CUDA_ERROR_INVALID_CLUSTER_SIZE,
                          format("kernel '%s': a grid of %u x %u x %u blocks is not a whole number of clusters of %s",
                                 name, shape.grid[0], shape.grid[1], shape.grid[2], dimensions_of(cluster).c_str()));
    }
    return cluster;
}

uint32_t largest_cluster(const Function& function, const CUlaunchConfig& config, uint32_t multiprocessors) {
    const uint64_t resident =
        uint64_t{resident_blocks(function, threads_of(config), config.sharedMemBytes)} * multiprocessors;
    const KernelInformation& kernel = function.module()->kernel(function.index());
    return static_cast<uint32_t>(std::min(resident, limit_of(kernel, function.settings())));
}

uint32_t active_clusters(const Function& function, const CUlaunchConfig& config, const Device& device,
                         uint32_t multiprocessors) {
    LaunchShape shape;
    shape.grid = {config.gridDimX, config.gridDimY, config.gridDimZ};
    for (unsigned int index = 0; index < config.numAttrs; ++index)
        apply_attribute(config.attrs[index], shape);
    const KernelInformation& kernel = function.module()->kernel(function.index());
    if (blocks_of(shape.cluster) == 0 && required_by(kernel, function.settings())[0] == 0) return 0;
    const uint64_t blocks = blocks_of(cluster_of_launch(kernel, function.settings(), device, shape));
    const uint64_t resident =
        uint64_t{resident_blocks(function, threads_of(config), config.sharedMemBytes)} * multiprocessors;
    return static_cast<uint32_t>(resident / blocks);
}

}  // namespace cuprum::simulator::libcuda
