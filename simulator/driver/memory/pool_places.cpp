#include "driver/memory/pool_places.hpp"

#include <map>
#include <mutex>

#include "driver/process/entry.hpp"

namespace cuprum::simulator::libcuda {

namespace {

// Where the memory of a new pool lies, and how it is shared.
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

// CUDA shares pools of devices and of a NUMA node's pinned memory between processes (cuda.h, at cuMemPoolCreate).
void require_shareable(const CUmemPoolProps& properties, const PoolPlace& place) {
    if (place.memory == MemoryPool::Memory::managed) {
        throw DriverError(
            CUDA_ERROR_NOT_SUPPORTED,
            "processes cannot share pools of managed memory: handleTypes must be CU_MEM_HANDLE_TYPE_NONE");
    }
    if (properties.location.type == CU_MEM_LOCATION_TYPE_HOST) {
        throw DriverError(
            CUDA_ERROR_INVALID_VALUE,
            "processes cannot share pools of pinned memory at CU_MEM_LOCATION_TYPE_HOST: name a NUMA node "
            "(CU_MEM_LOCATION_TYPE_HOST_NUMA)");
    }
    if (properties.handleTypes != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) {
        throw DriverError(
            CUDA_ERROR_NOT_SUPPORTED,
            "the simulator shares pools by file descriptors alone (CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)");
    }
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

}  // namespace

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
            format("no memory pool exists for location type %d and allocation type %d", location->type, type));
    }
    return on_host ? PoolPlace{MemoryPool::Memory::pinned_host, 0}
                   : PoolPlace{MemoryPool::Memory::device, location->id};
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

std::shared_ptr<MemoryPool> create_pool(const CUmemPoolProps& properties) {
    const PoolPlace place = new_pool_place(properties);
    const bool shareable = properties.handleTypes != CU_MEM_HANDLE_TYPE_NONE;
    if (shareable) require_shareable(properties, place);
    Device& device = driver().device(place.device);
    const auto made = std::make_shared<MemoryPool>(device, properties.maxSize, false, place.memory);
    if (shareable) {
        SharedHeader header{SharedHeader::Content::pool, 0, {}};
        header.properties.location = properties.location;
        SharedFile file = SharedFile::create(SharedHeader::bytes);
        file.write(0, &header, sizeof header);
        made->set_file(std::move(file), false);
    }
    return made;
}

bool is_host_location(const CUmemLocation* location) {
    require_pointer(location, "location");
    if (location->type == CU_MEM_LOCATION_TYPE_DEVICE) {
        driver().device(location->id);
        return false;
    }
    if (location->type != CU_MEM_LOCATION_TYPE_HOST) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("no access can be set for location type %d", location->type));
    }
    return true;
}

void set_pool_access(const MemoryPool& pool, const CUmemAccessDesc& access) {
    if (is_host_location(&access.location)) {
        if (pool.memory() == MemoryPool::Memory::device) {
            throw DriverError(CUDA_ERROR_NOT_SUPPORTED, "the host cannot be given access to a device's memory");
        }
        return;
    }
    const CUmemAccess_flags flags = access.flags;
    if (flags != CU_MEM_ACCESS_FLAGS_PROT_NONE && flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
        flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown access flags %d", flags));
    }
    const bool own =
        pool.memory() == MemoryPool::Memory::device && access.location.id == static_cast<int>(pool.device().ordinal());
    if (flags == CU_MEM_ACCESS_FLAGS_PROT_READ) {
        throw DriverError(CUDA_ERROR_NOT_SUPPORTED, "a device may write a pool's memory, or not touch it");
    }
    if (own && flags == CU_MEM_ACCESS_FLAGS_PROT_NONE) {
        throw DriverError(CUDA_ERROR_INVALID_DEVICE, "a device's access to its own pool cannot be taken away");
    }
    driver().addresses().set_access(*pool.access(), static_cast<uint32_t>(access.location.id), flags);
}

CUmemAccess_flags pool_access(const MemoryPool& pool, bool on_host, const CUmemLocation& location) {
    if (!on_host) return driver().addresses().access_of(*pool.access(), static_cast<uint32_t>(location.id));
    // Managed memory's pools report none, as driver 580 does.
    return pool.memory() == MemoryPool::Memory::pinned_host ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
                                                            : CU_MEM_ACCESS_FLAGS_PROT_NONE;
}

}  // namespace cuprum::simulator::libcuda
