#include "driver/memory/semaphore_batch.hpp"

#include "driver/context/context.hpp"
#include "driver/error/driver_error.hpp"
#include "driver/process/driver.hpp"

namespace cuprum::simulator::libcuda {

namespace {

// Parameters' flags are about NvSci buffers alone: there are none.
template <typename Parameters>
SemaphoreBatch<Parameters> batch_of(const CUexternalSemaphore* semaphores, const Parameters* parameters,
                                    unsigned int count, unsigned int flags) {
    if (count > 0) require_pointer(semaphores, "extSemArray");
    if (count > 0) require_pointer(parameters, "paramsArray");
    SemaphoreBatch<Parameters> batch;
    for (unsigned int k = 0; k < count; ++k) {
        require_flags(parameters[k].flags, flags, "flags");
        batch.semaphores.push_back(find_external_semaphore(semaphores[k]));
        batch.handles.push_back(semaphores[k]);
        batch.parameters.push_back(parameters[k]);
    }
    return batch;
}

}  // namespace

std::shared_ptr<ExternalSemaphore> find_external_semaphore(CUexternalSemaphore handle) {
    std::shared_ptr<ExternalSemaphore> found = handles().external_semaphores.find(handle);
    if (!found) {
        throw DriverError(CUDA_ERROR_INVALID_HANDLE,
                          describe_bad_handle(HandleKind::external_semaphore, reinterpret_cast<uint64_t>(handle)));
    }
    return found;
}

SemaphoreSignals semaphore_signals(const CUexternalSemaphore* semaphores,
                                   const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS* parameters, unsigned int count) {
    return batch_of(semaphores, parameters, count, CUDA_EXTERNAL_SEMAPHORE_SIGNAL_SKIP_NVSCIBUF_MEMSYNC);
}

SemaphoreWaits semaphore_waits(const CUexternalSemaphore* semaphores,
                               const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS* parameters, unsigned int count) {
    return batch_of(semaphores, parameters, count, CUDA_EXTERNAL_SEMAPHORE_WAIT_SKIP_NVSCIBUF_MEMSYNC);
}

void run_semaphore_signals(Context& context, const SemaphoreSignals& signals) {
    tell_host();  // whoever waits may be anywhere
    context.run_unless_failed([&] {
        for (size_t k = 0; k < signals.semaphores.size(); ++k)
            signals.semaphores[k]->signal(signals.parameters[k].params.fence.value);
    });
}

void run_semaphore_waits(Context& context, const SemaphoreWaits& waits) {
    context.run_unless_failed([&] {
        for (size_t k = 0; k < waits.semaphores.size(); ++k)
            waits.semaphores[k]->wait(context, waits.parameters[k].params.fence.value);
    });
    hear_host();
}

}  // namespace cuprum::simulator::libcuda
