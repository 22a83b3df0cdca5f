// Stream memory operations: streams that wait for words in memory, and write them.
#pragma once

#include <span>
#include <vector>

#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

class Context;

// A program's list of operations, of which there may be none. Throws DriverError for too many, for operations and flags
// that do not exist, and for addresses that are not in memory that the context's device reaches.
std::vector<CUstreamBatchMemOpParams> checked_memory_operations(const Context& context, unsigned int count,
                                                                const CUstreamBatchMemOpParams* operations);
// Carries the operations out one after another on the calling thread, unless the context is out of service.
void run_memory_operations(Context& context, std::span<const CUstreamBatchMemOpParams> operations);

}  // namespace cuprum::simulator::libcuda
