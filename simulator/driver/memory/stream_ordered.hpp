// Stream-ordered memory: allocated and freed in the order of a stream.
#pragma once

#include <memory>

#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

class MemoryPool;
class Stream;

// Each throws DriverError; in a stream that is captured they add a node to the graph instead.
// 0 for 0 bytes.
CUdeviceptr allocate_in_stream(const std::shared_ptr<MemoryPool>& pool, size_t bytes,
                               const std::shared_ptr<Stream>& stream);
// Nothing for 0. Takes all memory of devices that a call has allocated.
void free_in_stream(CUdeviceptr pointer, const std::shared_ptr<Stream>& stream);

}  // namespace cuprum::simulator::libcuda
