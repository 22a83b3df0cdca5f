#include <driver_types.h>

#include "runtime/functions.hpp"
#include "runtime/thread_state.hpp"

namespace cuprum::simulator::runtime {

cudaError_t usable_context() {
    size_t available = 0;
    size_t total = 0;
    return call<cuMemGetInfo>(&available, &total);
}

cudaError_t allocate(void** memory, size_t bytes) {
    if (memory == nullptr) return cudaErrorInvalidValue;
    if (bytes == 0) {
        *memory = nullptr;
        return usable_context();
    }
    return call<cuMemAlloc>(memory, bytes);
}

cudaError_t allocate_rows(void** memory, size_t* pitch, size_t width, size_t height) {
    if (memory == nullptr || pitch == nullptr) return cudaErrorInvalidValue;
    if (width == 0 || height == 0) {
        *memory = nullptr;
        *pitch = 0;
        return usable_context();
    }
    return call<cuMemAllocPitch>(memory, pitch, width, height, 4U);
}

cudaError_t allocate_box(cudaPitchedPtr* memory, cudaExtent extent) {
    if (memory == nullptr) return cudaErrorInvalidValue;
    *memory = {nullptr, 0, extent.width, extent.height};
    return allocate_rows(&memory->ptr, &memory->pitch, extent.width, extent.height * extent.depth);
}

cudaError_t allocate_on_host(void** memory, size_t bytes, unsigned int flags) {
    if (memory == nullptr) return cudaErrorInvalidValue;
    if (bytes == 0) {
        *memory = nullptr;
        return usable_context();
    }
    return call<cuMemHostAlloc>(memory, bytes, flags);
}

cudaError_t allocate_managed(void** memory, size_t bytes, unsigned int flags) {
    if (memory == nullptr || bytes == 0) return cudaErrorInvalidValue;
    return call<cuMemAllocManaged>(memory, bytes, flags);
}

cudaError_t free_memory(void* memory) {
    return memory == nullptr ? usable_context() : call<cuMemFree>(memory);
}

cudaError_t free_on_host(void* memory) {
    return memory == nullptr ? usable_context() : call<cuMemFreeHost>(memory);
}

cudaError_t pointer_attributes(cudaPointerAttributes* attributes, const void* pointer, int layout) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    CUmemorytype type{};
    int managed = 0;
    int device = 0;
    CUdeviceptr on_device = 0;
    void* on_host = nullptr;
    CUpointer_attribute wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                    CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                    CU_POINTER_ATTRIBUTE_HOST_POINTER};
    void* values[] = {&type, &managed, &device, &on_device, &on_host};
    const cudaError_t result = call<cuPointerGetAttributes>(5U, &wanted[0], &values[0], pointer);
    if (result != cudaSuccess) return result;
    if (managed != 0) {
        attributes->type = cudaMemoryTypeManaged;
    } else if (type == CU_MEMORYTYPE_HOST) {
        attributes->type = cudaMemoryTypeHost;
    } else {
        attributes->type = type == CU_MEMORYTYPE_DEVICE ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
    }
    if (attributes->type == cudaMemoryTypeUnregistered) {
        device = cudaInvalidDeviceId;
        on_device = 0;
        on_host = const_cast<void*>(pointer);
    }
    attributes->device = device;
    attributes->devicePointer = reinterpret_cast<void*>(on_device);
    attributes->hostPointer = on_host;
    // CUDA 13's structure goes on, which a program of CUDA 12 has no room for.
    if (layout >= 13) {
        auto* const reserved = reinterpret_cast<long*>(&attributes->hostPointer + 1);
        for (int index = 0; index < 8; ++index)
            reserved[index] = 0;
    }
    return cudaSuccess;
}

cudaError_t fill(void* memory, int value, size_t bytes, Queue queue) {
    if (bytes == 0) return usable_context();
    const auto byte = static_cast<unsigned char>(value);
    if (queue.waits && queue.stream == nullptr) return call<cuMemsetD8>(memory, byte, bytes);
    const cudaError_t result = call<cuMemsetD8Async>(memory, byte, bytes, queue.stream);
    return result == cudaSuccess && queue.waits ? driver::call<cuStreamSynchronize>(queue.stream) : result;
}

cudaError_t fill_rows(void* memory, size_t pitch, int value, size_t width, size_t height, Queue queue) {
    if (width == 0 || height == 0) return usable_context();
    const auto byte = static_cast<unsigned char>(value);
    if (queue.waits && queue.stream == nullptr) return call<cuMemsetD2D8>(memory, pitch, byte, width, height);
    const cudaError_t result = call<cuMemsetD2D8Async>(memory, pitch, byte, width, height, queue.stream);
    return result == cudaSuccess && queue.waits ? driver::call<cuStreamSynchronize>(queue.stream) : result;
}

cudaError_t fill_box(cudaPitchedPtr memory, int value, cudaExtent extent, Queue queue) {
    if (extent.depth <= 1 || extent.height == memory.ysize) {
        return fill_rows(memory.ptr, memory.pitch, value, extent.width, extent.height * extent.depth, queue);
    }
    for (size_t slice = 0; slice < extent.depth; ++slice) {
        auto* const begin = static_cast<std::byte*>(memory.ptr) + slice * memory.pitch * memory.ysize;
        const cudaError_t result = fill_rows(begin, memory.pitch, value, extent.width, extent.height, queue);
        if (result != cudaSuccess) return result;
    }
    return cudaSuccess;
}

cudaMemLocation location_of_device(int device) {
    cudaMemLocation location{};
    location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = device == cudaCpuDeviceId ? 0 : device;
    return location;
}

cudaError_t advise(const void* memory, size_t bytes, cudaMemoryAdvise advice, cudaMemLocation location) {
    return call<cuMemAdvise_v2>(memory, bytes, advice, location);
}

cudaError_t prefetch(const void* memory, size_t bytes, cudaMemLocation location, unsigned int flags,
                     cudaStream_t stream) {
    return call<cuMemPrefetchAsync_v2>(memory, bytes, location, flags, stream);
}

}  // namespace cuprum::simulator::runtime
