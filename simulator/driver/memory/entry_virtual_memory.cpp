// Virtual memory management.
#include <unistd.h>

#include <cstring>

#include "driver/graph/capture.hpp"
#include "driver/memory/multicast.hpp"
#include "driver/memory/virtual_memory.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

constexpr uint64_t granularity = PhysicalMemory::granularity;

void require_multiple(uint64_t size, const char* parameter) {
    if (size != 0 && size % granularity == 0) return;
    throw DriverError(
        CUDA_ERROR_INVALID_VALUE,
        format("%s is %llu; it must be a multiple of %llu bytes (cuMemGetAllocationGranularity)", parameter,
               static_cast<unsigned long long>(size), static_cast<unsigned long long>(granularity)));
}

// Without NUMA there is node 0.
bool is_numa_node(int node) {
    return node == 0 || (node > 0 && ::access(format("/sys/devices/system/node/node%d", node).c_str(), F_OK) == 0);
}

// The device that the memory belongs to: host memory in name only.
Device& device_at(const CUmemLocation& location) {
    switch (location.type) {
        case CU_MEM_LOCATION_TYPE_DEVICE:
            return driver().device(location.id);
        case CU_MEM_LOCATION_TYPE_HOST:
            return driver().device(0);
        case CU_MEM_LOCATION_TYPE_HOST_NUMA:
            if (is_numa_node(location.id)) return driver().device(0);
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("NUMA node %d is not there", location.id));
        default:
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("location type %d; memory is created on a device, on the host "
                                     "(CU_MEM_LOCATION_TYPE_HOST) or on a NUMA node that is named",
                                     location.type));
    }
}

Device& device_of(const CUmemAllocationProp* properties) {
    require_pointer(properties, "prop");
    if (properties->type != CU_MEM_ALLOCATION_TYPE_PINNED) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("type is %d; it must be CU_MEM_ALLOCATION_TYPE_PINNED", properties->type));
    }
    return device_at(properties->location);
}

std::shared_ptr<PhysicalMemory> find_memory(CUmemGenericAllocationHandle handle) {
    std::shared_ptr<PhysicalMemory> memory = handles().physical_memory.find(handle);
    if (!memory) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, describe_bad_handle(HandleKind::physical_memory, handle));
    }
    return memory;
}

// Of the host MemoryAccess::host.
uint32_t ordinal_of(const CUmemLocation& location) {
    if (location.type == CU_MEM_LOCATION_TYPE_DEVICE) return driver().device(location.id).ordinal();
    if (location.type == CU_MEM_LOCATION_TYPE_HOST || location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA) {
        return MemoryAccess::host;
    }
    throw DriverError(CUDA_ERROR_INVALID_VALUE, format("no access can be set for location type %d", location.type));
}

void set_access(CUdeviceptr pointer, size_t size, const CUmemAccessDesc& access) {
    const uint32_t ordinal = ordinal_of(access.location);
    if (ordinal == MemoryAccess::host) {
        virtual_memory().set_host_access(pointer, size, access.location.type, access.flags);
    } else {
        virtual_memory().set_access(pointer, size, ordinal, access.flags);
    }
}

// Memory is compressible on no simulated device, and shared by file descriptors only.
void require_possible(const CUmemAllocationProp& properties) {
    const auto handle_types = properties.requestedHandleTypes;
    if (properties.location.type == CU_MEM_LOCATION_TYPE_HOST && handle_types != CU_MEM_HANDLE_TYPE_NONE) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          "processes cannot share memory at CU_MEM_LOCATION_TYPE_HOST: name a NUMA node "
                          "(CU_MEM_LOCATION_TYPE_HOST_NUMA)");
    }
    if (handle_types != CU_MEM_HANDLE_TYPE_NONE && handle_types != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) {
        throw DriverError(CUDA_ERROR_NOT_SUPPORTED,
                          "the simulator's memory is shared between processes by file descriptors only "
                          "(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)");
    }
    if (properties.allocFlags.compressionType != 0) {
        throw DriverError(CUDA_ERROR_NOT_SUPPORTED, "the simulated device has no compressible memory");
    }
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuMemGetAllocationGranularity(size_t* bytes, const CUmemAllocationProp* properties,
                                               CUmemAllocationGranularity_flags option) {
    return entry("cuMemGetAllocationGranularity", [&] {
        require_pointer(bytes, "granularity");
        device_of(properties);
        if (option != CU_MEM_ALLOC_GRANULARITY_MINIMUM && option != CU_MEM_ALLOC_GRANULARITY_RECOMMENDED) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown granularity option %d", option));
        }
        *bytes = granularity;
    });
}

CUresult CUDAAPI cuMemAddressReserve(CUdeviceptr* pointer, size_t size, size_t alignment, CUdeviceptr wanted,
                                     unsigned long long flags) {
    return entry("cuMemAddressReserve", [&] {
        require_pointer(pointer, "ptr");
        require_no_flags(flags);
        require_multiple(size, "size");
        if ((alignment & (alignment - 1)) != 0) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("the alignment %zu is not a power of two", alignment));
        }
        *pointer = virtual_memory().reserve(size, alignment, wanted);
    });
}

CUresult CUDAAPI cuMemAddressFree(CUdeviceptr pointer, size_t size) {
    return entry("cuMemAddressFree", [&] { virtual_memory().free(pointer, size); });
}

CUresult CUDAAPI cuMemCreate(CUmemGenericAllocationHandle* handle, size_t size, const CUmemAllocationProp* properties,
                             unsigned long long flags) {
    return entry("cuMemCreate", [&] {
        require_pointer(handle, "handle");
        require_no_flags(flags);
        Device& device = device_of(properties);
        require_multiple(size, "size");
        require_possible(*properties);
        refuse_unsafe_call("memory cannot be created");
        auto memory = std::make_shared<PhysicalMemory>(device, size, *properties);
        *handle = handles().physical_memory.insert(memory);
        memory->handle = *handle;
    });
}

CUresult CUDAAPI cuMemRelease(CUmemGenericAllocationHandle handle) {
    return entry("cuMemRelease", [&] {
        // Mappings hold what is released, and a multicast object the memory that is bound to it.
        if (handles().multicast_objects.remove(handle)) return;
        const std::shared_ptr<PhysicalMemory> memory = find_memory(handle);
        if (--memory->handle_references == 0) handles().physical_memory.remove(handle);
    });
}

CUresult CUDAAPI cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* address) {
    return entry("cuMemRetainAllocationHandle", [&] {
        require_pointer(handle, "handle");
        const std::shared_ptr<PhysicalMemory> memory =
            virtual_memory().memory_at(reinterpret_cast<uint64_t>(address)).first;
        if (handles().physical_memory.find(memory->handle)) {
            ++memory->handle_references;
        } else {
            memory->handle_references = 1;
            memory->handle = handles().physical_memory.insert(memory);
        }
        *handle = memory->handle;
    });
}

CUresult CUDAAPI cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                        CUmemGenericAllocationHandle handle) {
    return entry("cuMemGetAllocationPropertiesFromHandle", [&] {
        require_pointer(properties, "prop");
        *properties = find_memory(handle)->properties();
        // As an H200's driver does: the node that the memory is on.
        if (properties->location.type == CU_MEM_LOCATION_TYPE_HOST) {
            properties->location = {CU_MEM_LOCATION_TYPE_HOST_NUMA, 0};
        }
    });
}

CUresult CUDAAPI cuMemExportToShareableHandle(void* shareable, CUmemGenericAllocationHandle handle,
                                              CUmemAllocationHandleType type, unsigned long long flags) {
    return entry("cuMemExportToShareableHandle", [&] {
        require_pointer(shareable, "shareableHandle");
        require_no_flags(flags);
        const std::shared_ptr<PhysicalMemory> memory = find_memory(handle);
        if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || memory->properties().requestedHandleTypes != type) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("handle type %d is not what the memory was created with "
                                                               "(CUmemAllocationProp::requestedHandleTypes is %d)",
                                                               type, memory->properties().requestedHandleTypes));
        }
        const int file = memory->file().duplicate();
        std::memcpy(shareable, &file, sizeof file);
    });
}

CUresult CUDAAPI cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* shareable,
                                                CUmemAllocationHandleType type) {
    return entry("cuMemImportFromShareableHandle", [&] {
        require_pointer(handle, "handle");
        if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("shHandleType is %d; it must be CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR", type));
        }
        SharedHeader header;
        SharedFile file = SharedHeader::adopt(shareable, SharedHeader::Content::physical_memory, header);
        Device& device = device_at(header.properties.location);
        const auto memory = std::make_shared<PhysicalMemory>(device, std::move(file), header);
        *handle = handles().physical_memory.insert(memory);
        memory->handle = *handle;
    });
}

CUresult CUDAAPI cuMemMap(CUdeviceptr pointer, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
                          unsigned long long flags) {
    return entry("cuMemMap", [&] {
        require_no_flags(flags);
        if (const std::shared_ptr<MulticastObject> object = handles().multicast_objects.find(handle))
            return virtual_memory().map(pointer, size, offset, object);
        virtual_memory().map(pointer, size, offset, find_memory(handle));
    });
}

CUresult CUDAAPI cuMemUnmap(CUdeviceptr pointer, size_t size) {
    return entry("cuMemUnmap", [&] {
        // As freeing does: work in streams may still use it.
        for (const std::shared_ptr<Context>& context : handles().contexts.all()) {
            if (context->active()) context->synchronize();
        }
        virtual_memory().unmap(pointer, size);
    });
}

CUresult CUDAAPI cuMemSetAccess(CUdeviceptr pointer, size_t size, const CUmemAccessDesc* accesses, size_t count) {
    return entry("cuMemSetAccess", [&] {
        if (count == 0) throw DriverError(CUDA_ERROR_INVALID_VALUE, "count is 0");
        require_pointer(accesses, "desc");
        for (size_t index = 0; index < count; ++index) {
            const CUmemAccess_flags flags = accesses[index].flags;
            if (flags != CU_MEM_ACCESS_FLAGS_PROT_NONE && flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
                flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
                throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown access flags %d", flags));
            }
            ordinal_of(accesses[index].location);
        }
        for (size_t index = 0; index < count; ++index)
            set_access(pointer, size, accesses[index]);
    });
}

CUresult CUDAAPI cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr pointer) {
    return entry("cuMemGetAccess", [&] {
        require_pointer(flags, "flags");
        require_pointer(location, "location");
        *flags = virtual_memory().access_of(pointer, ordinal_of(*location));
    });
}

}  // extern "C"
