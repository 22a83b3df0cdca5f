// Where the memory of pools lies, which pool serves a place, and which devices reach its memory.
#pragma once

#include <memory>

#include "driver/memory/memory_pool.hpp"

namespace cuprum::simulator::libcuda {

// What a location and a kind of allocation name together.
struct PoolPlace {
    MemoryPool::Memory memory = MemoryPool::Memory::device;
    CUdevice device = 0;  // of device memory
};

// Throws DriverError(CUDA_ERROR_INVALID_VALUE) for a place of which there are no pools.
PoolPlace place_of(const CUmemLocation* location, CUmemAllocationType type);
// The place's own pool, or the one that programs have set.
CUmemoryPool pool_at(const PoolPlace& place, bool standard);
void set_current_pool(const PoolPlace& place, CUmemoryPool pool);
std::shared_ptr<MemoryPool> create_pool(const CUmemPoolProps& properties);

// Throws for what is neither a device nor the host. The host's access to a pool is what it is.
bool is_host_location(const CUmemLocation* location);
void set_pool_access(const MemoryPool& pool, const CUmemAccessDesc& access);
CUmemAccess_flags pool_access(const MemoryPool& pool, bool on_host, const CUmemLocation& location);

}  // namespace cuprum::simulator::libcuda
