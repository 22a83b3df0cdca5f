// Signals of external semaphores, or waits for them, that one call or one node of a graph makes.
#pragma once

#include <memory>
#include <vector>

#include "driver/memory/external_memory.hpp"
#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

class Context;

// What the program gave, element by element, and the semaphores themselves.
template <typename Parameters>
struct SemaphoreBatch {
    std::vector<CUexternalSemaphore> handles;
    std::vector<Parameters> parameters;
    std::vector<std::shared_ptr<ExternalSemaphore>> semaphores;
};
using SemaphoreSignals = SemaphoreBatch<CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS>;
using SemaphoreWaits = SemaphoreBatch<CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS>;

// Throws CUDA_ERROR_INVALID_HANDLE.
std::shared_ptr<ExternalSemaphore> find_external_semaphore(CUexternalSemaphore handle);

// Each throws DriverError for arguments that are wrong.
SemaphoreSignals semaphore_signals(const CUexternalSemaphore* semaphores,
                                   const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS* parameters, unsigned int count);
SemaphoreWaits semaphore_waits(const CUexternalSemaphore* semaphores,
                               const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS* parameters, unsigned int count);

// On the calling thread, when their turn in the stream or graph has come. What goes wrong puts the context out of
// service.
void run_semaphore_signals(Context& context, const SemaphoreSignals& signals);
void run_semaphore_waits(Context& context, const SemaphoreWaits& waits);

}  // namespace cuprum::simulator::libcuda
