#include "driver/launch/occupancy.hpp"

#include <algorithm>

#include "driver/launch/launch.hpp"
#include "driver/process/entry.hpp"

namespace cuprum::simulator::libcuda {

BestBlock best_block(const Function& function, CUoccupancyB2DSize shared_for, size_t dynamic_shared_bytes, int limit) {
    const std::shared_ptr<Module> module = function.module();
    const auto own_limit = static_cast<int>(module->kernel(function.index()).max_threads_per_block);
    const int largest = limit > 0 ? std::min(limit, own_limit) : own_limit;
    constexpr int warp = static_cast<int>(DeviceLimits::warp_size);
    uint32_t best_threads = 0;
    BestBlock best;
    // A size that is no whole number of warps only if the limit is one.
    for (int size = largest; size > 0; size = (size - 1) / warp * warp) {
        const size_t shared = shared_for ? shared_for(size) : dynamic_shared_bytes;
        const uint32_t blocks = resident_blocks(function, static_cast<uint32_t>(size), shared);
        if (blocks * static_cast<uint32_t>(size) > best_threads) {
            best_threads = blocks * static_cast<uint32_t>(size);
            best.resident = blocks;
            best.threads = size;
        }
    }
    return best;
}

size_t available_dynamic_shared_bytes(const Function& function, const Device& device, int blocks, int block_size) {
    if (static_cast<uint32_t>(blocks) > resident_blocks(function, static_cast<uint32_t>(block_size), 0)) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("%d blocks of %d threads do not fit on a multiprocessor", blocks, block_size));
    }
    // cuda_occupancy.h: a block alone on a multiprocessor has what one block can have; several share what the
    // multiprocessor has.
    const uint32_t most = device.model().max_dynamic_shared_bytes + device.capability().reserved_shared_bytes;
    const uint32_t total = blocks == 1 ? most : device.capability().shared_bytes;
    const uint32_t unit = shared_memory_unit(device);
    const uint32_t share = std::min(total / static_cast<uint32_t>(blocks) / unit * unit, most);
    const uint32_t fixed = function.module()->kernel(function.index()).static_shared_bytes;
    const auto own_limit = static_cast<uint32_t>(function.settings().max_dynamic_shared_bytes.load());
    return std::min(share > fixed ? share - fixed : 0, own_limit);
}

}  // namespace cuprum::simulator::libcuda
