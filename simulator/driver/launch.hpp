// Kernel launches.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "driver/cuda_api.hpp"
#include "driver/module.hpp"
#include "driver/stream.hpp"

namespace cuprum::simulator::libcuda {

struct LaunchShape {
    std::array<uint32_t, 3> grid{};
    std::array<uint32_t, 3> block{};
    uint32_t dynamic_shared_bytes = 0;
    bool cooperative = false;
};

// Checks everything that the driver checks, packs the arguments and appends the launch to the stream. Throws
// DriverError that names the limit and what was given.
void launch(const std::shared_ptr<Stream>& stream, const Function& function, const LaunchShape& shape,
            void** kernel_parameters, void** extra);

// How many blocks of `block_threads` threads one multiprocessor holds at once.
uint32_t resident_blocks(const Function& function, uint32_t block_threads, size_t dynamic_shared_bytes);

}  // namespace cuprum::simulator::libcuda
