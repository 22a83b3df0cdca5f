// Device memory, host memory, managed memory.
#include <tuple>

#include "driver/graph/capture.hpp"
#include "driver/memory/allocation.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

void require_size(size_t bytes) {
    if (bytes == 0) throw DriverError(CUDA_ERROR_INVALID_VALUE, "the size is 0 bytes");
}

void allocate_host(const char* call, void** memory, size_t bytes, unsigned int flags) {
    require_pointer(memory, "pp");
    require_flags(flags, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED, "Flags");
    const std::shared_ptr<Context> context = current_context();
    refuse_unsafe_call("memory cannot be allocated");
    require_size(bytes);
    Allocation allocation =
        describe_new(*context, Allocation::Kind::pinned_host, bytes, format("%s of %zu bytes", call, bytes));
    allocation.flags = flags | CU_MEMHOSTALLOC_DEVICEMAP;  // unified addressing maps all of it
    *memory = reinterpret_cast<void*>(driver().allocate_host_memory(std::move(allocation)));
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuMemGetInfo_v2(size_t* free_bytes, size_t* total_bytes) {
    return entry("cuMemGetInfo", [&] {
        DeviceArena& arena = current_context()->device().arena();
        if (free_bytes != nullptr) *free_bytes = arena.total_bytes() - arena.used_bytes();
        if (total_bytes != nullptr) *total_bytes = arena.total_bytes();
    });
}

CUresult CUDAAPI cuMemAlloc_v2(CUdeviceptr* pointer, size_t bytes) {
    return entry("cuMemAlloc", [&] {
        require_pointer(pointer, "dptr");
        const std::shared_ptr<Context> context = current_context();
        refuse_unsafe_call("memory cannot be allocated");
        require_size(bytes);
        *pointer = driver().allocate_device_memory(
            context->device(),
            describe_new(*context, Allocation::Kind::device, bytes, format("cuMemAlloc of %zu bytes", bytes)));
    });
}

CUresult CUDAAPI cuMemAllocPitch_v2(CUdeviceptr* pointer, size_t* pitch, size_t width, size_t height,
                                    unsigned int element) {
    return entry("cuMemAllocPitch", [&] {
        require_pointer(pointer, "dptr");
        require_pointer(pitch, "pPitch");
        const std::shared_ptr<Context> context = current_context();
        refuse_unsafe_call("memory cannot be allocated");
        if (element != 4 && element != 8 && element != 16) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("ElementSizeBytes is %u; it must be 4, 8 or 16", element));
        }
        require_size(width);
        require_size(height);
        std::tie(*pointer, *pitch) = allocate_rows(*context, width, height);
    });
}

CUresult CUDAAPI cuMemFree_v2(CUdeviceptr pointer) {
    return entry("cuMemFree", [&] {
        // The current context has no say in whose memory it is: there need be none.
        if (pointer == 0) return;
        if (ContextStack::current()) current_context();
        refuse_unsafe_call("memory cannot be freed");
        free_memory(pointer);
    });
}

CUresult CUDAAPI cuMemGetAddressRange_v2(CUdeviceptr* base, size_t* size, CUdeviceptr pointer) {
    return entry("cuMemGetAddressRange", [&] {
        current_context();
        const std::optional<Allocation> found = driver().addresses().find(pointer);
        if (!found) {
            throw DriverError(CUDA_ERROR_NOT_FOUND, describe_bad_pointer(pointer));
        }
        if (base != nullptr) *base = found->begin;
        if (size != nullptr) *size = found->size;
    });
}

CUresult CUDAAPI cuMemAllocHost_v2(void** memory, size_t bytes) {
    return entry("cuMemAllocHost", [&] { allocate_host("cuMemAllocHost", memory, bytes, 0); });
}

CUresult CUDAAPI cuMemHostAlloc(void** memory, size_t bytes, unsigned int flags) {
    return entry("cuMemHostAlloc", [&] { allocate_host("cuMemHostAlloc", memory, bytes, flags); });
}

CUresult CUDAAPI cuMemFreeHost(void* memory) {
    return entry("cuMemFreeHost", [&] {
        if (memory == nullptr) return;  // also with no context
        current_context();
        refuse_unsafe_call("memory cannot be freed");
        free_pinned_memory(memory);
    });
}

CUresult CUDAAPI cuMemHostGetDevicePointer_v2(CUdeviceptr* pointer, void* memory, unsigned int flags) {
    return entry("cuMemHostGetDevicePointer", [&] {
        require_pointer(pointer, "pdptr");
        require_flags(flags, 0, "Flags");
        current_context();
        const auto address = reinterpret_cast<uint64_t>(memory);
        const std::optional<Allocation> found = driver().addresses().find(address);
        if (!found || !found->on_host()) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              hexadecimal(memory) + " is not pinned or registered host memory");
        }
        *pointer = address;
    });
}

CUresult CUDAAPI cuMemHostGetFlags(unsigned int* flags, void* memory) {
    return entry("cuMemHostGetFlags", [&] {
        require_pointer(flags, "pFlags");
        current_context();
        const Allocation allocation = require_allocation(reinterpret_cast<uint64_t>(memory));
        if (allocation.kind != Allocation::Kind::pinned_host) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              hexadecimal(memory) + " is not memory of cuMemAllocHost or cuMemHostAlloc");
        }
        *flags = allocation.flags;
    });
}

CUresult CUDAAPI cuMemHostRegister_v2(void* memory, size_t bytes, unsigned int flags) {
    return entry("cuMemHostRegister", [&] {
        const std::shared_ptr<Context> context = current_context();
        refuse_unsafe_call("memory cannot be registered");
        require_flags(flags,
                      CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_IOMEMORY |
                          CU_MEMHOSTREGISTER_READ_ONLY,
                      "Flags");
        require_pointer(memory, "p");
        require_size(bytes);
        register_host_memory(*context, memory, bytes, flags);
    });
}

CUresult CUDAAPI cuMemHostRegister(void* memory, size_t bytes, unsigned int flags) {
    return cuMemHostRegister_v2(memory, bytes, flags);
}

CUresult CUDAAPI cuMemHostUnregister(void* memory) {
    return entry("cuMemHostUnregister", [&] {
        current_context();
        refuse_unsafe_call("memory cannot be freed");
        require_pointer(memory, "p");
        unregister_host_memory(memory);
    });
}

CUresult CUDAAPI cuMemAllocManaged(CUdeviceptr* pointer, size_t bytes, unsigned int flags) {
    return entry("cuMemAllocManaged", [&] {
        require_pointer(pointer, "dptr");
        const std::shared_ptr<Context> context = current_context();
        refuse_unsafe_call("memory cannot be allocated");
        require_size(bytes);
        if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("flags is %u; it must be CU_MEM_ATTACH_GLOBAL or CU_MEM_ATTACH_HOST", flags));
        }
        Allocation allocation =
            describe_new(*context, Allocation::Kind::managed, bytes, format("cuMemAllocManaged of %zu bytes", bytes));
        allocation.flags = flags;
        *pointer = driver().allocate_host_memory(std::move(allocation));
    });
}

}  // extern "C"
