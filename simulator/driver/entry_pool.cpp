// Stream-ordered memory and the pools that it comes from.
#include "driver/capture.hpp"
#include "driver/entry.hpp"
#include "driver/entry_graph.hpp"
#include "driver/graph_memory.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

void allocate(CUdeviceptr* pointer, size_t bytes, CUmemoryPool pool_handle, const std::shared_ptr<Stream>& stream) {
    require_pointer(pointer, "dptr");
    const std::shared_ptr<MemoryPool> pool = find_pool(pool_handle);
    if (bytes == 0) {  // as driver 580 does; cuMemAlloc refuses it
        *pointer = 0;
        return;
    }
    if (captures(stream)) {
        CUDA_MEM_ALLOC_NODE_PARAMS parameters{};
        parameters.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        parameters.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, static_cast<int>(pool->device().ordinal())};
        parameters.bytesize = bytes;
        // The pool's other devices reach it too.
        std::vector<CUmemAccessDesc> accesses;
        for (uint32_t ordinal = 0; ordinal < driver().device_count(); ++ordinal) {
            const CUmemAccess_flags flags = driver().addresses().access_of(*pool->access(), ordinal);
            if (flags == CU_MEM_ACCESS_FLAGS_PROT_NONE) continue;
            accesses.push_back({{CU_MEM_LOCATION_TYPE_DEVICE, {static_cast<int>(ordinal)}}, flags});
        }
        parameters.accessDescs = accesses.data();
        parameters.accessDescCount = accesses.size();
        add_captured(stream, allocate_operation(parameters));
        *pointer = parameters.dptr;
        return;
    }
    if (!pool->take(bytes)) {
        throw DriverError(CUDA_ERROR_OUT_OF_MEMORY,
                          format("%zu bytes go beyond the memory pool's largest size", bytes));
    }
    Allocation allocation;
    allocation.kind = Allocation::Kind::pooled;
    allocation.size = bytes;
    allocation.accessible = false;
    allocation.pool = pool;
    allocation.access = pool->access();
    allocation.description = format("cuMemAllocAsync of %zu bytes", bytes);
    uint64_t address = 0;
    try {
        address = driver().allocate_device_memory(pool->device(), std::move(allocation));
    } catch (...) {
        pool->give_back(bytes);
        throw;
    }
    const std::shared_ptr<Context> context = stream->context();
    context->submit(stream, [address] { driver().addresses().set_accessible(address, true); });
    *pointer = address;
}

void free_graph_memory(const std::shared_ptr<GraphMemory>& memory, const std::shared_ptr<Stream>& stream) {
    if (!memory->allocated()) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, hexadecimal(memory->address()) +
                                                        " is the memory of a graph, which no launch has allocated, or "
                                                        "which has been freed");
    }
    memory->set_allocated(false);
    stream->context()->submit(stream, [memory] { memory->end_use(); });
}

// Only device memory of this process can be in a pool here.
void require_device_location(const CUmemLocation* location) {
    require_pointer(location, "location");
    if (location->type != CU_MEM_LOCATION_TYPE_DEVICE) {
        throw DriverError(CUDA_ERROR_NOT_SUPPORTED, "the simulator has memory pools on devices only");
    }
    driver().device(location->id);
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuMemAllocAsync(CUdeviceptr* pointer, size_t bytes, CUstream stream) {
    return entry("cuMemAllocAsync", [&] {
        const std::shared_ptr<Stream> target = find_stream(stream);
        allocate(pointer, bytes, target->context()->device().current_pool(), target);
    });
}

CUresult CUDAAPI cuMemAllocFromPoolAsync(CUdeviceptr* pointer, size_t bytes, CUmemoryPool pool, CUstream stream) {
    return entry("cuMemAllocFromPoolAsync", [&] { allocate(pointer, bytes, pool, find_stream(stream)); });
}

CUresult CUDAAPI cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
    return entry("cuMemFreeAsync", [&] {
        const std::shared_ptr<Stream> target = find_stream(stream);
        if (pointer == 0) return;
        if (captures(target)) {
            const std::lock_guard lock(graph_mutex());
            add_captured(target, free_operation(*target->capture->sequence->graph, pointer));
            return;
        }
        if (const std::shared_ptr<GraphMemory> memory = GraphMemory::at(pointer)) {
            free_graph_memory(memory, target);
            return;
        }
        const std::optional<Allocation> found = driver().addresses().find(pointer);
        if (!found || found->begin != pointer || !found->device_only() || found->kind == Allocation::Kind::variable) {
            const Device& device = target->context()->device();
            throw DriverError(CUDA_ERROR_INVALID_VALUE, hexadecimal(pointer) +
                                                            " is not the beginning of device memory: " +
                                                            driver().addresses().describe(device.ordinal(), pointer));
        }
        if (!driver().addresses().request_free(pointer)) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, hexadecimal(pointer) + " is the " + found->description +
                                                            ", whose release has been asked for already");
        }
        const std::weak_ptr<MemoryPool> pool = found->pool;
        const size_t bytes = found->size;
        target->context()->submit(target, [pointer, pool, bytes] {
            if (!driver().free_device_memory(pointer)) return;
            if (const std::shared_ptr<MemoryPool> live = pool.lock()) live->give_back(bytes);
        });
    });
}

CUresult CUDAAPI cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
    return entry("cuMemPoolCreate", [&] {
        require_pointer(pool, "pool");
        require_pointer(properties, "poolProps");
        if (properties->allocType != CU_MEM_ALLOCATION_TYPE_PINNED) {
            throw DriverError(
                CUDA_ERROR_INVALID_VALUE,
                format("allocType is %d; it must be CU_MEM_ALLOCATION_TYPE_PINNED", properties->allocType));
        }
        if (properties->handleTypes != CU_MEM_HANDLE_TYPE_NONE) {
            throw DriverError(CUDA_ERROR_NOT_SUPPORTED,
                              "the simulator's memory pools cannot be shared between processes");
        }
        require_device_location(&properties->location);
        Device& device = driver().device(properties->location.id);
        *pool = handles().pools.insert(std::make_shared<MemoryPool>(device, properties->maxSize, false));
    });
}

CUresult CUDAAPI cuMemPoolDestroy(CUmemoryPool pool) {
    return entry("cuMemPoolDestroy", [&] {
        const std::shared_ptr<MemoryPool> found = find_pool(pool);
        if (found->is_default())
            throw DriverError(CUDA_ERROR_INVALID_VALUE, "a device's default pool cannot be destroyed");
        Device& device = found->device();
        // As documented: the device falls back to its default pool. Memory still allocated lives until it is freed.
        if (device.current_pool() == pool) device.set_current_pool(device.default_pool());
        handles().pools.remove(pool);
    });
}

CUresult CUDAAPI cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes_to_keep) {
    return entry("cuMemPoolTrimTo", [&] { find_pool(pool)->trim_to(bytes_to_keep); });
}

CUresult CUDAAPI cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
    return entry("cuMemPoolSetAttribute", [&] {
        require_pointer(value, "value");
        find_pool(pool)->set(attribute, value);
    });
}

CUresult CUDAAPI cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
    return entry("cuMemPoolGetAttribute", [&] {
        require_pointer(value, "value");
        find_pool(pool)->get(attribute, value);
    });
}

CUresult CUDAAPI cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* accesses, size_t count) {
    return entry("cuMemPoolSetAccess", [&] {
        const std::shared_ptr<MemoryPool> found = find_pool(pool);
        if (count > 0) require_pointer(accesses, "map");
        for (size_t index = 0; index < count; ++index) {
            require_device_location(&accesses[index].location);
            const bool own = accesses[index].location.id == static_cast<int>(found->device().ordinal());
            if (own && accesses[index].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
                throw DriverError(CUDA_ERROR_INVALID_VALUE, "a device's access to its own pool cannot be taken away");
            }
            const CUmemAccess_flags flags = accesses[index].flags;
            if (flags != CU_MEM_ACCESS_FLAGS_PROT_NONE && flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
                flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
                throw DriverError(CUDA_ERROR_INVALID_VALUE, format("there is no kind of access %d", flags));
            }
            driver().addresses().set_access(*found->access(), static_cast<uint32_t>(accesses[index].location.id),
                                            flags);
        }
    });
}

CUresult CUDAAPI cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location) {
    return entry("cuMemPoolGetAccess", [&] {
        require_pointer(flags, "flags");
        require_device_location(location);
        const std::shared_ptr<MemoryPool> found = find_pool(pool);
        *flags = driver().addresses().access_of(*found->access(), static_cast<uint32_t>(location->id));
    });
}

CUresult CUDAAPI cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType) {
    return entry("cuMemGetDefaultMemPool", [&] {
        require_pointer(pool, "pool_out");
        require_device_location(location);
        *pool = driver().device(location->id).default_pool();
    });
}

CUresult CUDAAPI cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType) {
    return entry("cuMemGetMemPool", [&] {
        require_pointer(pool, "pool");
        require_device_location(location);
        *pool = driver().device(location->id).current_pool();
    });
}

CUresult CUDAAPI cuMemSetMemPool(CUmemLocation* location, CUmemAllocationType, CUmemoryPool pool) {
    return entry("cuMemSetMemPool", [&] {
        require_device_location(location);
        Device& device = driver().device(location->id);
        if (&find_pool(pool)->device() != &device) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, "the pool is on another device");
        }
        device.set_current_pool(pool);
    });
}

}  // extern "C"
