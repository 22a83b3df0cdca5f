// Stream-ordered memory and the pools that it comes from.
#include <map>
#include <mutex>

#include "driver/graph/capture.hpp"
#include "driver/graph/entry_graph.hpp"
#include "driver/graph/graph_memory.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

Allocation::Kind kind_of(MemoryPool::Memory memory) {
    switch (memory) {
        case MemoryPool::Memory::pinned_host:
            return Allocation::Kind::pinned_host;
        case MemoryPool::Memory::managed:
            return Allocation::Kind::managed;
        case MemoryPool::Memory::device:
            break;
    }
    return Allocation::Kind::pooled;
}

// Memory of a shareable pool: in a file of its own.
uint64_t allocate_shareable(Device& device, Allocation allocation) {
    if (!device.arena().charge(allocation.size)) {
        throw DriverError(CUDA_ERROR_OUT_OF_MEMORY,
                          format("%llu bytes do not fit the device", static_cast<unsigned long long>(allocation.size)));
    }
    try {
        allocation.file = std::make_shared<SharedFile>(SharedFile::create(allocation.size));
        allocation.file->fill(0, std::to_integer<int>(DeviceArena::poison), allocation.size);
        allocation.mapping = std::make_shared<SharedMapping>(*allocation.file, 0, allocation.size);
    } catch (...) {
        device.arena().discharge(allocation.size);
        throw;
    }
    allocation.begin = allocation.mapping->address();
    allocation.host_offset = allocation.mapping->host_offset();
    allocation.device = device.ordinal();
    const uint64_t address = allocation.begin;
    driver().addresses().add(std::move(allocation));
    return address;
}

// Whether it was taken from a pool, which may be gone since.
bool came_from_pool(const Allocation& allocation) {
    const std::weak_ptr<MemoryPool> none;
    return allocation.pool.owner_before(none) || none.owner_before(allocation.pool);
}

void allocate(CUdeviceptr* pointer, size_t bytes, CUmemoryPool pool_handle, const std::shared_ptr<Stream>& stream) {
    require_pointer(pointer, "dptr");
    const std::shared_ptr<MemoryPool> pool = find_pool(pool_handle);
    if (bytes == 0) {  // as driver 580 does; cuMemAlloc refuses it
        *pointer = 0;
        return;
    }
    if (pool->imported()) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          "the pool belongs to another process, which alone allocates from it");
    }
    const bool on_device = pool->memory() == MemoryPool::Memory::device;
    if (captures(stream)) {
        if (!on_device) {
            throw DriverError(CUDA_ERROR_NOT_SUPPORTED, "the simulator's graphs allocate from pools of devices only");
        }
        CUDA_MEM_ALLOC_NODE_PARAMS parameters{};
        parameters.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        parameters.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, static_cast<int>(pool->device().ordinal())};
        parameters.bytesize = bytes;
        // The pool's other devices reach it too.
        std::vector<CUmemAccessDesc> accesses;
        for (uint32_t ordinal = 0; ordinal < driver().device_count(); ++ordinal) {
            const CUmemAccess_flags flags = driver().addresses().access_of(*pool->access(), ordinal);
            if (flags == CU_MEM_ACCESS_FLAGS_PROT_NONE) continue;
            accesses.push_back({{CU_MEM_LOCATION_TYPE_DEVICE, static_cast<int>(ordinal)}, flags});
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
    allocation.kind = kind_of(pool->memory());
    allocation.size = bytes;
    allocation.accessible = false;
    allocation.pool = pool;
    if (pool->memory() != MemoryPool::Memory::managed) allocation.access = pool->access();
    allocation.description = format("cuMemAllocAsync of %zu bytes", bytes);
    uint64_t address = 0;
    try {
        address = pool->shareable() ? allocate_shareable(pool->device(), std::move(allocation))
                  : on_device       ? driver().allocate_device_memory(pool->device(), std::move(allocation))
                                    : driver().allocate_host_memory(std::move(allocation));
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

// What a location and a kind of allocation name together.
struct PoolPlace {
    MemoryPool::Memory memory = MemoryPool::Memory::device;
    CUdevice device = 0;  // of device memory
};

PoolPlace place_of(const CUmemLocation* location, CUmemAllocationType type) {
    require_pointer(location, "location");
    const bool on_host = location->type == CU_MEM_LOCATION_TYPE_HOST ||
                         location->type == CU_MEM_LOCATION_TYPE_HOST_NUMA ||
                         location->type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
    const bool on_device = location->type == CU_MEM_LOCATION_TYPE_DEVICE;
    if (on_device) driver().device(location->id);
    // Where managed memory is best kept is nothing to the simulator.
    if (type == CU_MEM_ALLOCATION_TYPE_MANAGED) return {MemoryPool::Memory::managed, 0};
    if (type != CU_MEM_ALLOCATION_TYPE_PINNED || !(on_host || on_device)) {
        throw DriverError(
            CUDA_ERROR_INVALID_VALUE,
            format("there is no memory pool for location type %d and allocation type %d", location->type, type));
    }
    return on_host ? PoolPlace{MemoryPool::Memory::pinned_host, 0}
                   : PoolPlace{MemoryPool::Memory::device, location->id};
}

// Of a pool to be made, which is told where its memory lies, and how it is shared.
PoolPlace new_pool_place(const CUmemPoolProps& properties) {
    const CUmemLocation& location = properties.location;
    const unsigned int handle_types = properties.handleTypes;
    const bool one_type = (handle_types & (handle_types - 1)) == 0;
    if (!one_type || (handle_types & ~(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR | CU_MEM_HANDLE_TYPE_FABRIC)) != 0) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("pools cannot be shared by handles of type %u", handle_types));
    }
    if (location.type == CU_MEM_LOCATION_TYPE_DEVICE &&
        (location.id < 0 || location.id >= static_cast<int>(driver().device_count()))) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("the pool's location is device %d, which is not there", location.id));
    }
    const bool managed = properties.allocType == CU_MEM_ALLOCATION_TYPE_MANAGED;
    if (location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT && !managed) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "a pool of pinned memory lies on a NUMA node that is named");
    }
    if (managed && location.type > CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT) {
        throw DriverError(CUDA_ERROR_NOT_SUPPORTED,
                          format("there are no managed pools at locations of type %d", location.type));
    }
    return place_of(&location, properties.allocType);
}

// The pools of host and managed memory that programs have not made; made when they are first asked for.
struct HostPools {
    CUmemoryPool standard = nullptr, current = nullptr;
};

std::mutex& host_pools_mutex() {
    static auto* const mutex = new std::mutex;
    return *mutex;
}

// host_pools_mutex() is held.
HostPools& host_pools(MemoryPool::Memory memory) {
    static auto* const pools = new std::map<MemoryPool::Memory, HostPools>;
    HostPools& found = (*pools)[memory];
    if (found.standard == nullptr) {
        found.standard = handles().pools.insert(std::make_shared<MemoryPool>(driver().device(0), 0, true, memory));
        found.current = found.standard;
    }
    return found;
}

CUmemoryPool pool_at(const PoolPlace& place, bool standard) {
    if (place.memory == MemoryPool::Memory::device) {
        const Device& device = driver().device(place.device);
        return standard ? device.default_pool() : device.current_pool();
    }
    const std::lock_guard lock(host_pools_mutex());
    const HostPools& pools = host_pools(place.memory);
    return standard ? pools.standard : pools.current;
}

void set_current_pool(const PoolPlace& place, CUmemoryPool pool) {
    if (place.memory == MemoryPool::Memory::device) {
        driver().device(place.device).set_current_pool(pool);
        return;
    }
    const std::lock_guard lock(host_pools_mutex());
    host_pools(place.memory).current = pool;
}

// Throws for what is neither a device nor the host. The host's access to a pool is what it is.
bool is_host_location(const CUmemLocation* location) {
    require_pointer(location, "location");
    if (location->type == CU_MEM_LOCATION_TYPE_DEVICE) {
        driver().device(location->id);
        return false;
    }
    if (location->type != CU_MEM_LOCATION_TYPE_HOST) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("there is no access for location type %d", location->type));
    }
    return true;
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
        const bool can_be_freed =
            found && (came_from_pool(*found) ||
                      (found->device_only() && found->kind != Allocation::Kind::variable && !found->opened()));
        if (!can_be_freed || found->begin != pointer) {
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
            if (!driver().free_device_memory(pointer) && !driver().free_host_memory(pointer)) return;
            if (const std::shared_ptr<MemoryPool> live = pool.lock()) live->give_back(bytes);
        });
    });
}

CUresult CUDAAPI cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
    return entry("cuMemPoolCreate", [&] {
        require_pointer(pool, "pool");
        require_pointer(properties, "poolProps");
        const PoolPlace place = new_pool_place(*properties);
        const bool shareable = properties->handleTypes == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR &&
                               place.memory == MemoryPool::Memory::device;
        if (properties->handleTypes != CU_MEM_HANDLE_TYPE_NONE && !shareable) {
            throw DriverError(CUDA_ERROR_NOT_SUPPORTED,
                              "the simulator shares pools of device memory between processes, by file descriptors "
                              "(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR), and no others");
        }
        Device& device = driver().device(place.device);
        const auto made = std::make_shared<MemoryPool>(device, properties->maxSize, false, place.memory);
        if (shareable) {
            SharedHeader header{SharedHeader::Content::pool, 0, {}};
            header.properties.location = properties->location;
            SharedFile file = SharedFile::create(SharedHeader::bytes);
            file.write(0, &header, sizeof header);
            made->set_file(std::move(file), false);
        }
        *pool = handles().pools.insert(made);
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
        for (size_t index = 0; index < count; ++index) {
            if (is_host_location(&accesses[index].location)) {
                if (found->memory() == MemoryPool::Memory::device) {
                    throw DriverError(CUDA_ERROR_NOT_SUPPORTED, "the host cannot be given access to a device's memory");
                }
                continue;
            }
            const CUmemAccess_flags flags = accesses[index].flags;
            if (flags != CU_MEM_ACCESS_FLAGS_PROT_NONE && flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
                flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
                throw DriverError(CUDA_ERROR_INVALID_VALUE, format("there is no kind of access %d", flags));
            }
            const bool own = found->memory() == MemoryPool::Memory::device &&
                             accesses[index].location.id == static_cast<int>(found->device().ordinal());
            if (flags == CU_MEM_ACCESS_FLAGS_PROT_READ) {
                throw DriverError(CUDA_ERROR_NOT_SUPPORTED, "a device may write a pool's memory, or not touch it");
            }
            if (own && flags == CU_MEM_ACCESS_FLAGS_PROT_NONE) {
                throw DriverError(CUDA_ERROR_INVALID_DEVICE, "a device's access to its own pool cannot be taken away");
            }
            driver().addresses().set_access(*found->access(), static_cast<uint32_t>(accesses[index].location.id),
                                            flags);
        }
    });
}

CUresult CUDAAPI cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location) {
    return entry("cuMemPoolGetAccess", [&] {
        require_pointer(flags, "flags");
        const bool on_host = is_host_location(location);
        const std::shared_ptr<MemoryPool> found = find_pool(pool);
        if (on_host) {
            // Managed memory's pools report none, as driver 580 does.
            *flags = found->memory() == MemoryPool::Memory::pinned_host ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
                                                                        : CU_MEM_ACCESS_FLAGS_PROT_NONE;
            return;
        }
        *flags = driver().addresses().access_of(*found->access(), static_cast<uint32_t>(location->id));
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
