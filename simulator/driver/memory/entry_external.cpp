// External memory and semaphores.
#include "driver/graph/capture.hpp"
#include "driver/memory/semaphore_batch.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

std::shared_ptr<ExternalMemory> find_external_memory(CUexternalMemory handle) {
    std::shared_ptr<ExternalMemory> found = handles().external_memory.find(handle);
    if (!found) {
        throw DriverError(CUDA_ERROR_INVALID_HANDLE,
                          describe_bad_handle(HandleKind::external_memory, reinterpret_cast<uint64_t>(handle)));
    }
    return found;
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuImportExternalMemory(CUexternalMemory* memory, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC* description) {
    return entry("cuImportExternalMemory", [&] {
        require_pointer(memory, "extMem_out");
        require_pointer(description, "memHandleDesc");
        current_context();
        *memory = handles().external_memory.insert(std::make_shared<ExternalMemory>(*description));
    });
}

CUresult CUDAAPI cuExternalMemoryGetMappedBuffer(CUdeviceptr* address, CUexternalMemory memory,
                                                 const CUDA_EXTERNAL_MEMORY_BUFFER_DESC* description) {
    return entry("cuExternalMemoryGetMappedBuffer", [&] {
        require_pointer(address, "devPtr");
        require_pointer(description, "bufferDesc");
        const std::shared_ptr<Context> context = current_context();
        *address = find_external_memory(memory)->map(*context, *description);
    });
}

CUresult CUDAAPI cuDestroyExternalMemory(CUexternalMemory memory) {
    return entry("cuDestroyExternalMemory", [&] {
        find_external_memory(memory);
        handles().external_memory.remove(memory);
    });
}

CUresult CUDAAPI cuImportExternalSemaphore(CUexternalSemaphore* semaphore,
                                           const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC* description) {
    return entry("cuImportExternalSemaphore", [&] {
        require_pointer(semaphore, "extSem_out");
        require_pointer(description, "semHandleDesc");
        current_context();
        *semaphore = handles().external_semaphores.insert(std::make_shared<ExternalSemaphore>(*description));
    });
}

CUresult CUDAAPI cuSignalExternalSemaphoresAsync(const CUexternalSemaphore* semaphores,
                                                 const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS* parameters,
                                                 unsigned int count, CUstream handle) {
    return entry("cuSignalExternalSemaphoresAsync", [&] {
        const std::shared_ptr<Stream> stream = find_stream(handle);
        SemaphoreSignals signals = semaphore_signals(semaphores, parameters, count);
        const std::shared_ptr<Context>& context = stream->context();
        if (captures(stream)) {
            add_captured(stream, SemaphoreSignalOperation{context, std::move(signals)});
            return;
        }
        context->submit(stream, [context, signals = std::move(signals)] { run_semaphore_signals(*context, signals); });
    });
}

CUresult CUDAAPI cuWaitExternalSemaphoresAsync(const CUexternalSemaphore* semaphores,
                                               const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS* parameters,
                                               unsigned int count, CUstream handle) {
    return entry("cuWaitExternalSemaphoresAsync", [&] {
        const std::shared_ptr<Stream> stream = find_stream(handle);
        SemaphoreWaits waits = semaphore_waits(semaphores, parameters, count);
        const std::shared_ptr<Context>& context = stream->context();
        if (captures(stream)) {
            add_captured(stream, SemaphoreWaitOperation{context, std::move(waits)});
            return;
        }
        context->submit(stream, [context, waits = std::move(waits)] { run_semaphore_waits(*context, waits); });
    });
}

CUresult CUDAAPI cuDestroyExternalSemaphore(CUexternalSemaphore semaphore) {
    return entry("cuDestroyExternalSemaphore", [&] {
        find_external_semaphore(semaphore);
        handles().external_semaphores.remove(semaphore);
    });
}

}  // extern "C"
