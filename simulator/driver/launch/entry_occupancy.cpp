// How many blocks of a kernel fit on a multiprocessor.
#include <algorithm>

#include "driver/launch/launch.hpp"
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
        const std::shared_ptr<Module> module = function->module();
        const auto own_limit = static_cast<int>(module->kernel(function->index()).max_threads_per_block);
        const int largest = limit > 0 ? std::min(limit, own_limit) : own_limit;
        constexpr int warp = static_cast<int>(DeviceLimits::warp_size);
        uint32_t best_threads = 0, best_blocks = 0;
        int best_size = 0;
        // The largest block of those with the most threads resident; a size that is no whole number of warps only if
        // the limit is one.
        for (int size = largest; size > 0; size = (size - 1) / warp * warp) {
            const size_t shared = shared_for ? shared_for(size) : dynamic_shared_bytes;
            const uint32_t blocks = resident_blocks(*function, static_cast<uint32_t>(size), shared);
            if (blocks * static_cast<uint32_t>(size) > best_threads) {
                best_threads = blocks * static_cast<uint32_t>(size);
                best_blocks = blocks;
                best_size = size;
            }
        }
        *block_size = best_size;
        *min_grid = static_cast<int>(best_blocks * multiprocessors_of(current));
    });
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
        if (static_cast<uint32_t>(blocks) > resident_blocks(*function, static_cast<uint32_t>(block_size), 0)) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("%d blocks of %d threads do not fit on a multiprocessor", blocks, block_size));
        }
        // cuda_occupancy.h: a block alone on a multiprocessor has what one block can have; several share what the
        // multiprocessor has.
        const Device& device = context->device();
        const uint32_t most = device.model().max_dynamic_shared_bytes + device.capability().reserved_shared_bytes;
        const uint32_t total = blocks == 1 ? most : device.capability().shared_bytes;
        const uint32_t unit = shared_memory_unit(device);
        const uint32_t share = std::min(total / static_cast<uint32_t>(blocks) / unit * unit, most);
        const uint32_t fixed = function->module()->kernel(function->index()).static_shared_bytes;
        const auto own_limit = static_cast<uint32_t>(function->settings().max_dynamic_shared_bytes.load());
        *bytes = std::min(share > fixed ? share - fixed : 0, own_limit);
    });
}

}  // extern "C"
