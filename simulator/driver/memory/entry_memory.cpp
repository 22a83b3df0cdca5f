// Device memory, host memory, managed memory.
#include <cstring>

#include "driver/graph/capture.hpp"
#include "driver/graph/graph_memory.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

constexpr size_t pitch_unit = 512;  // bytes; rows of pitched memory begin at multiples of it

void require_size(size_t bytes) {
    if (bytes == 0) throw DriverError(CUDA_ERROR_INVALID_VALUE, "the size is 0 bytes");
}

Allocation describe_new(const Context& context, Allocation::Kind kind, size_t size, const std::string& description) {
    Allocation allocation;
    allocation.kind = kind;
    allocation.size = size;
    allocation.device = context.device().ordinal();
    allocation.context = reinterpret_cast<uint64_t>(context.handle());
    allocation.description = description;
    return allocation;
}

// Freed memory may still be in use by work in streams; as the driver does, freeing waits for it.
void synchronize_owner(const Allocation& allocation) {
    if (allocation.kind == Allocation::Kind::pooled || allocation.kind == Allocation::Kind::graph) {
        for (const std::shared_ptr<Context>& context : handles().contexts.all()) {
            if (context->active() && context->device().ordinal() == allocation.device) context->synchronize();
        }
        return;
    }
    const std::shared_ptr<Context> context = handles().contexts.find(reinterpret_cast<CUcontext>(allocation.context));
    if (context && context->active()) context->synchronize();
}

// What to say about a pointer that should begin an allocation and does not.
std::string describe_bad_pointer(uint64_t address) {
    AddressSpace& addresses = driver().addresses();
    if (const std::optional<Allocation> inside = addresses.find(address)) {
        return hexadecimal(address) +
               format(" lies %llu bytes inside the ", static_cast<unsigned long long>(address - inside->begin)) +
               inside->description + "; pass its first address";
    }
    const std::string freed = addresses.describe_freed(address);
    if (!freed.empty()) return hexadecimal(address) + " is " + freed;
    return hexadecimal(address) + " is not a pointer that this driver gave out";
}

Allocation require_allocation(uint64_t address) {
    const std::optional<Allocation> found = driver().addresses().find(address);
    if (!found || found->begin != address) throw DriverError(CUDA_ERROR_INVALID_VALUE, describe_bad_pointer(address));
    return *found;
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
        const size_t row = (width + pitch_unit - 1) / pitch_unit * pitch_unit;
        if (row < width || height > SIZE_MAX / row) {
            throw DriverError(CUDA_ERROR_OUT_OF_MEMORY, format("%zu rows of %zu bytes do not fit", height, width));
        }
        *pointer = driver().allocate_device_memory(
            context->device(), describe_new(*context, Allocation::Kind::device, row * height,
                                            format("cuMemAllocPitch of %zu rows of %zu bytes", height, width)));
        *pitch = row;
    });
}

CUresult CUDAAPI cuMemFree_v2(CUdeviceptr pointer) {
    return entry("cuMemFree", [&] {
        // The current context has no say in whose memory it is: there need be none.
        if (pointer == 0) return;
        if (ContextStack::current()) current_context();
        refuse_unsafe_call("memory cannot be freed");
        const Allocation allocation = require_allocation(pointer);
        if (allocation.on_host()) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, hexadecimal(pointer) + " is the " + allocation.description +
                                                            ", which cuMemFreeHost or cuMemHostUnregister gives back");
        }
        if (allocation.kind == Allocation::Kind::variable) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, hexadecimal(pointer) + " is the " + allocation.description +
                                                            ", which goes with its module");
        }
        if (allocation.opened()) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, hexadecimal(pointer) + " is the " + allocation.description +
                                                            ", which cuIpcCloseMemHandle closes");
        }
        if (allocation.free_requested) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              hexadecimal(pointer) + " is the " + allocation.description + ", which has been freed");
        }
        if (const std::shared_ptr<GraphMemory> memory = GraphMemory::at(pointer)) {
            if (!memory->allocated()) {
                throw DriverError(CUDA_ERROR_INVALID_VALUE,
                                  hexadecimal(pointer) + " is the " + allocation.description +
                                      ", which no launch has allocated, or which has been freed");
            }
            synchronize_owner(allocation);
            memory->set_allocated(false);
            memory->end_use();
            return;
        }
        synchronize_owner(allocation);
        if (allocation.kind == Allocation::Kind::managed) {
            driver().free_host_memory(pointer);
            return;
        }
        if (driver().free_device_memory(pointer)) {
            if (const std::shared_ptr<MemoryPool> pool = allocation.pool.lock()) pool->give_back(allocation.size);
        }
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
        const Allocation allocation = require_allocation(reinterpret_cast<uint64_t>(memory));
        if (allocation.kind != Allocation::Kind::pinned_host) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, hexadecimal(memory) + " is the " + allocation.description +
                                                            ", not memory of cuMemAllocHost or cuMemHostAlloc");
        }
        synchronize_owner(allocation);
        driver().free_host_memory(allocation.begin);
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
        Allocation allocation = describe_new(*context, Allocation::Kind::registered_host, bytes,
                                             format("cuMemHostRegister of %zu bytes", bytes));
        allocation.begin = reinterpret_cast<uint64_t>(memory);
        allocation.flags = flags;
        allocation.writable = (flags & CU_MEMHOSTREGISTER_READ_ONLY) == 0;
        if (!driver().addresses().add_if_free(std::move(allocation))) {
            throw DriverError(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
                              format("some of the %zu bytes at %s are registered or pinned already", bytes,
                                     hexadecimal(memory).c_str()));
        }
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
        const std::optional<Allocation> found = driver().addresses().find(reinterpret_cast<uint64_t>(memory));
        if (found && !found->on_host()) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              hexadecimal(memory) + " is the " + found->description + ", not host memory");
        }
        if (!found || found->begin != reinterpret_cast<uint64_t>(memory) ||
            found->kind != Allocation::Kind::registered_host) {
            throw DriverError(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED,
                              hexadecimal(memory) + " is not the beginning of registered host memory");
        }
        synchronize_owner(*found);
        driver().free_host_memory(found->begin);
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
