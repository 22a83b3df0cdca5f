// Block sizes and shared memory with which multiprocessors are well used.
#pragma once

#include <cstddef>
#include <cstdint>

#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

class Device;
class Function;

struct BestBlock {
    int threads = 0;
    uint32_t resident = 0;  // such blocks on one multiprocessor
};
// The largest block of those with the most threads resident. `shared_for`, where not null, says the dynamic shared
// memory of a block size; `limit`, where positive, the most threads.
BestBlock best_block(const Function& function, CUoccupancyB2DSize shared_for, size_t dynamic_shared_bytes, int limit);

// Of each block when `blocks` of `block_size` threads run on one multiprocessor. Throws DriverError if they do not fit.
size_t available_dynamic_shared_bytes(const Function& function, const Device& device, int blocks, int block_size);

}  // namespace cuprum::simulator::libcuda
