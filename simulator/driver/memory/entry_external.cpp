// External memory and semaphores.
#include <vector>

#include "driver/graph/capture.hpp"
#include "driver/memory/external_memory.hpp"
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

std::shared_ptr<ExternalSemaphore> find_external_semaphore(CUexternalSemaphore handle) {
    std::shared_ptr<ExternalSemaphore> found = handles().external_semaphores.find(handle);
    if (!found) {
        throw DriverError(CUDA_ERROR_INVALID_HANDLE,
                          describe_bad_handle(HandleKind::external_semaphore, reinterpret_cast<uint64_t>(handle)));
    }
    return found;
}

struct SemaphoreValue {
    std::shared_ptr<ExternalSemaphore> semaphore;
    uint64_t value = 0;
};

// Parameters' flags are about NvSci buffers alone: there are none.
template <typename Parameters>
std::vector<SemaphoreValue> semaphores_of(const CUexternalSemaphore* semaphores, const Parameters* parameters,
                                          unsigned int count, unsigned int flags) {
    if (count > 0) require_pointer(semaphores, "extSemArray");
    if (count > 0) require_pointer(parameters, "paramsArray");
    std::vector<SemaphoreValue> found;
    for (unsigned int k = 0; k < count; ++k) {
        require_flags(parameters[k].flags, flags, "flags");
        found.push_back({find_external_semaphore(semaphores[k]), parameters[k].params.fence.value});
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
        auto signalled =
            semaphores_of(semaphores, parameters, count, CUDA_EXTERNAL_SEMAPHORE_SIGNAL_SKIP_NVSCIBUF_MEMSYNC);
        refuse_captured(stream, "a signal of external semaphores");
        const std::shared_ptr<Context>& context = stream->context();
        context->submit(stream, [context, signalled = std::move(signalled)] {
            context->run_unless_failed([&] {
                for (const SemaphoreValue& each : signalled)
                    each.semaphore->signal(each.value);
            });
        });
    });
}

CUresult CUDAAPI cuWaitExternalSemaphoresAsync(const CUexternalSemaphore* semaphores,
                                               const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS* parameters,
                                               unsigned int count, CUstream handle) {
    return entry("cuWaitExternalSemaphoresAsync", [&] {
        const std::shared_ptr<Stream> stream = find_stream(handle);
        auto waited = semaphores_of(semaphores, parameters, count, CUDA_EXTERNAL_SEMAPHORE_WAIT_SKIP_NVSCIBUF_MEMSYNC);
        refuse_captured(stream, "a wait for external semaphores");
        const std::shared_ptr<Context>& context = stream->context();
        context->submit(stream, [context, waited = std::move(waited)] {
            context->run_unless_failed([&] {
                for (const SemaphoreValue& each : waited)
                    each.semaphore->wait(*context, each.value);
            });
        });
    });
}

CUresult CUDAAPI cuDestroyExternalSemaphore(CUexternalSemaphore semaphore) {
    return entry("cuDestroyExternalSemaphore", [&] {
        find_external_semaphore(semaphore);
        handles().external_semaphores.remove(semaphore);
    });
}

}  // extern "C"
