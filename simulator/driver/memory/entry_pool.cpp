// Stream-ordered memory and the pools that it comes from.
#include "driver/memory/pool_places.hpp"
#include "driver/memory/stream_ordered.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

extern "C" {

CUresult CUDAAPI cuMemAllocAsync(CUdeviceptr* pointer, size_t bytes, CUstream stream) {
    return entry("cuMemAllocAsync", [&] {
        const std::shared_ptr<Stream> target = find_stream(stream);
        require_pointer(pointer, "dptr");
        *pointer = allocate_in_stream(find_pool(target->context()->device().current_pool()), bytes, target);
    });
}

CUresult CUDAAPI cuMemAllocFromPoolAsync(CUdeviceptr* pointer, size_t bytes, CUmemoryPool pool, CUstream stream) {
    return entry("cuMemAllocFromPoolAsync", [&] {
        const std::shared_ptr<Stream> target = find_stream(stream);
        require_pointer(pointer, "dptr");
        *pointer = allocate_in_stream(find_pool(pool), bytes, target);
    });
}

CUresult CUDAAPI cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
    return entry("cuMemFreeAsync", [&] { free_in_stream(pointer, find_stream(stream)); });
}

CUresult CUDAAPI cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
    return entry("cuMemPoolCreate", [&] {
        require_pointer(pool, "pool");
        require_pointer(properties, "poolProps");
        *pool = handles().pools.insert(create_pool(*properties));
    });
}

CUresult CUDAAPI cuMemPoolDestroy(CUmemoryPool pool) {
    return entry("cuMemPoolDestroy", [&] {
        const std::shared_ptr<MemoryPool> found = find_pool(pool);
        if (found->is_default())
            throw DriverError(CUDA_ERROR_INVALID_VALUE, "a device's default pool cannot be destroyed");
        // As documented: the device falls back to its default pool. Memory still allocated lives until it is freed.
        const PoolPlace place{found->memory(), static_cast<CUdevice>(found->device().ordinal())};
        if (pool_at(place, false) == pool) set_current_pool(place, pool_at(place, true));
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
        for (size_t index = 0; index < count; ++index)
            set_pool_access(*found, accesses[index]);
    });
}

CUresult CUDAAPI cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location) {
    return entry("cuMemPoolGetAccess", [&] {
        require_pointer(flags, "flags");
        const bool on_host = is_host_location(location);
        *flags = pool_access(*find_pool(pool), on_host, *location);
    });
}

CUresult CUDAAPI cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type) {
    return entry("cuMemGetDefaultMemPool", [&] {
        require_pointer(pool, "pool_out");
        *pool = pool_at(place_of(location, type), true);
    });
}

CUresult CUDAAPI cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type) {
    return entry("cuMemGetMemPool", [&] {
        require_pointer(pool, "pool");
        *pool = pool_at(place_of(location, type), false);
    });
}

CUresult CUDAAPI cuMemSetMemPool(CUmemLocation* location, CUmemAllocationType type, CUmemoryPool pool) {
    return entry("cuMemSetMemPool", [&] {
        const PoolPlace place = place_of(location, type);
        const std::shared_ptr<MemoryPool> found = find_pool(pool);
        if (found->memory() != place.memory || found->device().ordinal() != static_cast<uint32_t>(place.device)) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, "the pool is of other memory than the location's");
        }
        set_current_pool(place, pool);
    });
}

}  // extern "C"
