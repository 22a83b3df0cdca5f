// How many blocks of a kernel fit on a multiprocessor.
#include "driver/launch/cluster.hpp"
#include "driver/launch/launch.hpp"
#include "driver/launch/occupancy.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

void require_block_size(int block_size) {
    if (block_size <= 0) throw DriverError(CUDA_ERROR_INVALID_VALUE, format("blockSize is %d", block_size));
}

CUresult max_active_blocks(const char* call, int* blocks, CUfunction handle, int block_size,
                           size_t dynamic_shared_bytes, unsigned int flags) {
    return entry(call, [&] {
        require_pointer(blocks, "numBlocks");
        require_flags(flags, CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE, "flags");
        require_block_size(block_size);
        const std::shared_ptr<Function> function = find_function(handle, current_context());
        *blocks = static_cast<int>(resident_blocks(*function, static_cast<uint32_t>(block_size), dynamic_shared_bytes));
    });
}

CUresult max_potential_block_size(const char* call, int* min_grid, int* block_size, CUfunction handle,
                                  CUoccupancyB2DSize shared_for, size_t dynamic_shared_bytes, int limit,
                                  unsigned int flags) {
    return entry(call, [&] {
        require_pointer(min_grid, "minGridSize");
        require_pointer(block_size, "blockSize");
        require_flags(flags, CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE, "flags");
        const CurrentContext current = current_context_with_green();
        const std::shared_ptr<Function> function = find_function(handle, current.context);
        const BestBlock best = best_block(*function, shared_for, dynamic_shared_bytes, limit);
        *block_size = best.threads;
        *min_grid = static_cast<int>(best.resident * multiprocessors_of(current));
    });
}

struct ClusterQuestion {
    std::shared_ptr<Function> function;
    std::shared_ptr<Context> context;
    const Device* device = nullptr;
    uint32_t multiprocessors = 0;
};
ClusterQuestion cluster_question(CUfunction handle, const CUlaunchConfig* config) {
    require_pointer(config, "config");
    if (config->numAttrs > 0) require_pointer(config->attrs, "config->attrs");
    const std::shared_ptr<Stream> stream = find_stream(config->hStream);
    const CurrentContext current{stream->context(), stream->green()};
    const Device& device = current.context->device();
    if (device.model().compute_capability_major < 9) {
        throw DriverError(CUDA_ERROR_NOT_SUPPORTED,
                          "the simulated device has no clusters: they need compute capability 9.0 (CUPRUM_SIM=cc=9.0)");
    }
    return {find_function(handle, current.context), current.context, &device, multiprocessors_of(current)};
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction f, int block_size, size_t shared) {
    return max_active_blocks("cuOccupancyMaxActiveBlocksPerMultiprocessor", blocks, f, block_size, shared, 0);
}

CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction f, int block_size,
                                                                      size_t shared, unsigned int flags) {
    return max_active_blocks("cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", blocks, f, block_size, shared,
                             flags);
}

CUresult CUDAAPI cuOccupancyMaxPotentialBlockSize(int* min_grid, int* block_size, CUfunction f,
                                                  CUoccupancyB2DSize shared_for, size_t shared, int limit) {
    return max_potential_block_size("cuOccupancyMaxPotentialBlockSize", min_grid, block_size, f, shared_for, shared,
                                    limit, 0);
}

CUresult CUDAAPI cuOccupancyMaxPotentialBlockSizeWithFlags(int* min_grid, int* block_size, CUfunction f,
                                                           CUoccupancyB2DSize shared_for, size_t shared, int limit,
                                                           unsigned int flags) {
    return max_potential_block_size("cuOccupancyMaxPotentialBlockSizeWithFlags", min_grid, block_size, f, shared_for,
                                    shared, limit, flags);
}

CUresult CUDAAPI cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, CUfunction handle, int blocks, int block_size) {
    return entry("cuOccupancyAvailableDynamicSMemPerBlock", [&] {
        require_pointer(bytes, "dynamicSmemSize");
        require_block_size(block_size);
        if (blocks <= 0) throw DriverError(CUDA_ERROR_INVALID_VALUE, format("numBlocks is %d", blocks));
        const std::shared_ptr<Context> context = current_context();
        const std::shared_ptr<Function> function = find_function(handle, context);
        *bytes = available_dynamic_shared_bytes(*function, context->device(), blocks, block_size);
    });
}

CUresult CUDAAPI cuOccupancyMaxPotentialClusterSize(int* size, CUfunction handle, const CUlaunchConfig* config) {
    return entry("cuOccupancyMaxPotentialClusterSize", [&] {
        require_pointer(size, "clusterSize");
        const ClusterQuestion asked = cluster_question(handle, config);
        *size = static_cast<int>(largest_cluster(*asked.function, *config, asked.multiprocessors));
    });
}

CUresult CUDAAPI cuOccupancyMaxActiveClusters(int* clusters, CUfunction handle, const CUlaunchConfig* config) {
    return entry("cuOccupancyMaxActiveClusters", [&] {
        require_pointer(clusters, "numClusters");
        const ClusterQuestion asked = cluster_question(handle, config);
        *clusters = static_cast<int>(active_clusters(*asked.function, *config, *asked.device, asked.multiprocessors));
    });
}

}  // extern "C"
