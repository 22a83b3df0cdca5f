// Devices.
#include <algorithm>
#include <cstring>

#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

// As the driver does: as much as fits, always terminated.
void copy_text(const std::string& text, char* destination, int length) {
    require_pointer(destination, "the text's destination");
    if (length <= 0) throw DriverError(CUDA_ERROR_INVALID_VALUE, format("the text's length is %d", length));
    const size_t count = std::min(text.size(), static_cast<size_t>(length) - 1);
    std::memcpy(destination, text.data(), count);
    destination[count] = '\0';
}

constexpr unsigned int all_atomics = CU_ATOMIC_CAPABILITY_SIGNED | CU_ATOMIC_CAPABILITY_UNSIGNED |
                                     CU_ATOMIC_CAPABILITY_REDUCTION | CU_ATOMIC_CAPABILITY_SCALAR_32 |
                                     CU_ATOMIC_CAPABILITY_SCALAR_64;

void require_operations(unsigned int* capabilities, const CUatomicOperation* operations, unsigned int count) {
    require_pointer(capabilities, "capabilities");
    require_pointer(operations, "operations");
    if (count == 0) throw DriverError(CUDA_ERROR_INVALID_VALUE, "count is 0");
    for (unsigned int index = 0; index < count; ++index) {
        if (operations[index] < 0 || operations[index] >= CU_ATOMIC_OPERATION_MAX) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown atomic operation %d", operations[index]));
        }
    }
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuDeviceGet(CUdevice* device, int ordinal) {
    return entry("cuDeviceGet", [&] {
        require_pointer(device, "device");
        *device = static_cast<CUdevice>(driver().device(ordinal).ordinal());
    });
}

CUresult CUDAAPI cuDeviceGetCount(int* count) {
    return entry("cuDeviceGetCount", [&] {
        require_pointer(count, "count");
        *count = static_cast<int>(driver().device_count());
    });
}

CUresult CUDAAPI cuDeviceGetName(char* name, int len, CUdevice dev) {
    return entry("cuDeviceGetName", [&] { copy_text(driver().device(dev).name(), name, len); });
}

CUresult CUDAAPI cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice dev) {
    return entry("cuDeviceGetUuid", [&] {
        require_pointer(uuid, "uuid");
        const std::array<char, 16> bytes = driver().device(dev).uuid();
        std::memcpy(uuid->bytes, bytes.data(), bytes.size());
    });
}

CUresult CUDAAPI cuDeviceGetUuid(CUuuid* uuid, CUdevice dev) {
    return cuDeviceGetUuid_v2(uuid, dev);
}

CUresult CUDAAPI cuDeviceTotalMem_v2(size_t* bytes, CUdevice dev) {
    return entry("cuDeviceTotalMem", [&] {
        require_pointer(bytes, "bytes");
        *bytes = driver().device(dev).arena().total_bytes();
    });
}

CUresult CUDAAPI cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice dev) {
    return entry("cuDeviceGetAttribute", [&] {
        require_pointer(value, "pi");
        *value = driver().device(dev).attribute(attribute);
    });
}

CUresult CUDAAPI cuDeviceComputeCapability(int* major, int* minor, CUdevice dev) {
    return entry("cuDeviceComputeCapability", [&] {
        require_pointer(major, "major");
        require_pointer(minor, "minor");
        *major = driver().device(dev).attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
        *minor = driver().device(dev).attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    });
}

CUresult CUDAAPI cuDeviceGetProperties(CUdevprop* properties, CUdevice dev) {
    return entry("cuDeviceGetProperties", [&] {
        require_pointer(properties, "prop");
        *properties = driver().device(dev).properties();
    });
}

CUresult CUDAAPI cuDeviceGetPCIBusId(char* identifier, int len, CUdevice dev) {
    return entry("cuDeviceGetPCIBusId", [&] { copy_text(driver().device(dev).pci_bus_identifier(), identifier, len); });
}

CUresult CUDAAPI cuDeviceGetByPCIBusId(CUdevice* dev, const char* identifier) {
    return entry("cuDeviceGetByPCIBusId", [&] {
        require_pointer(dev, "dev");
        require_pointer(identifier, "pciBusId");
        const std::string wanted = identifier;
        for (uint32_t ordinal = 0; ordinal < driver().device_count(); ++ordinal) {
            const std::string full = driver().device(static_cast<CUdevice>(ordinal)).pci_bus_identifier();
            // With the function or without, with the domain or without.
            if (wanted == full || wanted == full.substr(5) || wanted == full.substr(0, full.size() - 2)) {
                *dev = static_cast<CUdevice>(ordinal);
                return;
            }
        }
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "no device has the PCI bus identifier '" + wanted + "'");
    });
}

CUresult CUDAAPI cuDeviceCanAccessPeer(int* can_access, CUdevice dev, CUdevice peer) {
    return entry("cuDeviceCanAccessPeer", [&] {
        require_pointer(can_access, "canAccessPeer");
        *can_access = &driver().device(dev) != &driver().device(peer) ? 1 : 0;
    });
}

CUresult CUDAAPI cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice from, CUdevice to) {
    return entry("cuDeviceGetP2PAttribute", [&] {
        require_pointer(value, "value");
        if (&driver().device(from) == &driver().device(to)) {
            throw DriverError(CUDA_ERROR_INVALID_DEVICE, "a device is not a peer of itself");
        }
        switch (attribute) {
            case CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK:
                *value = 0;
                return;
            case CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED:
            case CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED:
                *value = 1;
                return;
            case CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED:
                *value = 0;
                return;
            default:
                throw DriverError(CUDA_ERROR_INVALID_VALUE, format("there is no P2P attribute %d", attribute));
        }
    });
}

CUresult CUDAAPI cuDeviceGetExecAffinitySupport(int* supported, CUexecAffinityType type, CUdevice dev) {
    return entry("cuDeviceGetExecAffinitySupport", [&] {
        require_pointer(supported, "pi");
        driver().device(dev);
        if (type < 0 || type >= CU_EXEC_AFFINITY_TYPE_MAX) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown execution affinity type %d", type));
        }
        *supported = 0;
    });
}

CUresult CUDAAPI cuDeviceGetP2PAtomicCapabilities(unsigned int* capabilities, const CUatomicOperation* operations,
                                                  unsigned int count, CUdevice from, CUdevice to) {
    return entry("cuDeviceGetP2PAtomicCapabilities", [&] {
        if (&driver().device(from) == &driver().device(to)) {
            throw DriverError(CUDA_ERROR_INVALID_DEVICE, "a device is not a peer of itself");
        }
        driver().device(to);
        require_operations(capabilities, operations, count);
        // As CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED says.
        std::fill_n(capabilities, count, all_atomics);
    });
}

CUresult CUDAAPI cuDeviceGetHostAtomicCapabilities(unsigned int* capabilities, const CUatomicOperation* operations,
                                                   unsigned int count, CUdevice dev) {
    return entry("cuDeviceGetHostAtomicCapabilities", [&] {
        driver().device(dev);
        require_operations(capabilities, operations, count);
        // As CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED says.
        std::fill_n(capabilities, count, all_atomics);
    });
}

// Linux has no LUIDs, the simulated device no RDMA writes to wait for.
CUresult CUDAAPI cuDeviceGetLuid(char* luid, unsigned int* mask, CUdevice dev) {
    return entry("cuDeviceGetLuid", [&] {
        require_pointer(luid, "luid");
        require_pointer(mask, "deviceNodeMask");
        driver().device(dev);
        throw DriverError(CUDA_ERROR_NOT_SUPPORTED, "devices have LUIDs on Windows only");
    });
}

CUresult CUDAAPI cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target,
                                            CUflushGPUDirectRDMAWritesScope scope) {
    return entry("cuFlushGPUDirectRDMAWrites", [&] {
        if (target != CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown target %d", target));
        }
        if (scope != CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER &&
            scope != CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown scope %d", scope));
        }
        current_context();
        throw DriverError(CUDA_ERROR_NOT_SUPPORTED, "no other device writes to the simulated device's memory");
    });
}

CUresult CUDAAPI cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice dev) {
    return entry("cuDeviceGetDefaultMemPool", [&] {
        require_pointer(pool, "pool_out");
        *pool = driver().device(dev).default_pool();
    });
}

CUresult CUDAAPI cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice dev) {
    return entry("cuDeviceGetMemPool", [&] {
        require_pointer(pool, "pool");
        *pool = driver().device(dev).current_pool();
    });
}

CUresult CUDAAPI cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool) {
    return entry("cuDeviceSetMemPool", [&] {
        Device& device = driver().device(dev);
        if (&find_pool(pool)->device() != &device) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("the pool is not one of device %d", dev));
        }
        device.set_current_pool(pool);
    });
}

}  // extern "C"
