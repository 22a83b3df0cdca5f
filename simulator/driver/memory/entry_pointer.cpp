// What a pointer is: cuPointerGetAttribute(s).
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

template <typename Value>
void store_attribute(void* destination, Value value) {
    *static_cast<Value*>(destination) = value;
}

// Throws CUDA_ERROR_INVALID_VALUE for attributes that the pointer does not have.
void pointer_attribute(void* data, CUpointer_attribute attribute, const Allocation& allocation, CUdeviceptr pointer) {
    const bool host = allocation.on_host();
    switch (attribute) {
        case CU_POINTER_ATTRIBUTE_CONTEXT:
            return store_attribute(data, reinterpret_cast<CUcontext>(allocation.context));
        case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
            return store_attribute(data, static_cast<unsigned int>(host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE));
        case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
            return store_attribute(data, pointer);
        case CU_POINTER_ATTRIBUTE_HOST_POINTER:
            if (allocation.device_only()) {
                throw DriverError(CUDA_ERROR_INVALID_VALUE,
                                  hexadecimal(pointer) + " is device memory: the host cannot reach it");
            }
            return store_attribute(data, reinterpret_cast<void*>(pointer));
        case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
            // Of a kernel interface that was withdrawn: zeros, and for device memory alone, as driver 580 has them.
            if (host) throw DriverError(CUDA_ERROR_INVALID_VALUE, "host memory has no P2P tokens");
            return store_attribute(data, CUDA_POINTER_ATTRIBUTE_P2P_TOKENS{});
        case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
            return store_attribute(data, static_cast<unsigned int>(host ? 0 : 1));
        case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
            return store_attribute(data, 0);
        case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
        case CU_POINTER_ATTRIBUTE_BUFFER_ID:
            return store_attribute(data, static_cast<unsigned long long>(allocation.identifier));
        case CU_POINTER_ATTRIBUTE_IS_MANAGED:
            return store_attribute(data, static_cast<unsigned int>(allocation.kind == Allocation::Kind::managed));
        case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
            return store_attribute(data, static_cast<int>(allocation.device));
        case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
            return store_attribute(
                data, static_cast<int>(allocation.kind == Allocation::Kind::device && !allocation.mapping));
        case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
            return store_attribute(data, static_cast<CUdeviceptr>(allocation.begin));
        case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
            return store_attribute(data, static_cast<size_t>(allocation.size));
        case CU_POINTER_ATTRIBUTE_MAPPED:
            return store_attribute(data, static_cast<unsigned int>(1));
        case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
            return store_attribute(
                data, static_cast<unsigned long long>(allocation.file ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : 0));
        case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
            return store_attribute(data, 0);
        case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
            return store_attribute(data, static_cast<unsigned int>(CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE));
        case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: {
            CUmemoryPool pool = nullptr;
            if (const std::shared_ptr<MemoryPool> live = allocation.pool.lock()) pool = handles().pools.handle_of(live);
            return store_attribute(data, pool);
        }
        case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
            return store_attribute(data, static_cast<size_t>(allocation.size));
        case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
            return store_attribute(data, static_cast<CUdeviceptr>(allocation.begin));
        default:
            break;
    }
    throw DriverError(CUDA_ERROR_INVALID_VALUE, format("pointer attribute %d cannot be queried", attribute));
}

// What cuPointerGetAttributes writes for what a pointer does not have; nothing for unknown attributes.
bool default_attribute(void* data, CUpointer_attribute attribute) {
    switch (attribute) {
        case CU_POINTER_ATTRIBUTE_CONTEXT:
            store_attribute(data, CUcontext{});
            return true;
        case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
            store_attribute(data, 0u);
            return true;
        case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
            store_attribute(data, CUdeviceptr{0});
            return true;
        case CU_POINTER_ATTRIBUTE_HOST_POINTER:
            store_attribute(data, static_cast<void*>(nullptr));
            return true;
        case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
            store_attribute(data, CUDA_POINTER_ATTRIBUTE_P2P_TOKENS{});
            return true;
        case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
            store_attribute(data, 0u);
            return true;
        case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
            store_attribute(data, 0);
            return true;
        case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
        case CU_POINTER_ATTRIBUTE_BUFFER_ID:
            store_attribute(data, 0ull);
            return true;
        case CU_POINTER_ATTRIBUTE_IS_MANAGED:
            store_attribute(data, 0u);
            return true;
        case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
            store_attribute(data, -2);
            return true;  // as documented: no device
        case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
            store_attribute(data, 0);
            return true;
        case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
            store_attribute(data, CUdeviceptr{0});
            return true;
        case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
            store_attribute(data, size_t{0});
            return true;
        case CU_POINTER_ATTRIBUTE_MAPPED:
            store_attribute(data, 0u);
            return true;
        case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
            store_attribute(data, 0ull);
            return true;
        case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
            store_attribute(data, 0);
            return true;
        case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
            store_attribute(data, 0u);
            return true;
        case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
            store_attribute(data, CUmemoryPool{});
            return true;
        case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
            store_attribute(data, size_t{0});
            return true;
        case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
            store_attribute(data, CUdeviceptr{0});
            return true;
        default:
            return false;
    }
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr pointer) {
    return entry("cuPointerGetAttribute", [&] {
        require_pointer(data, "data");
        const std::optional<Allocation> found = driver().addresses().find(pointer);
        if (!found) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              hexadecimal(pointer) + " is not in any memory that the driver knows");
        }
        pointer_attribute(data, attribute, *found, pointer);
    });
}

CUresult CUDAAPI cuPointerGetAttributes(unsigned int count, CUpointer_attribute* attributes, void** data,
                                        CUdeviceptr pointer) {
    return entry("cuPointerGetAttributes", [&] {
        require_pointer(attributes, "attributes");
        require_pointer(data, "data");
        const std::optional<Allocation> found = driver().addresses().find(pointer);
        for (unsigned int index = 0; index < count; ++index) {
            require_pointer(data[index], "an element of data");
            if (!default_attribute(data[index], attributes[index])) {
                throw DriverError(CUDA_ERROR_INVALID_VALUE,
                                  format("pointer attribute %d cannot be queried", attributes[index]));
            }
            if (!found) continue;
            // Host pointers of device memory stay at their default here.
            if (attributes[index] == CU_POINTER_ATTRIBUTE_HOST_POINTER && found->device_only()) continue;
            pointer_attribute(data[index], attributes[index], *found, pointer);
        }
    });
}

CUresult CUDAAPI cuPointerSetAttribute(const void* value, CUpointer_attribute attribute, CUdeviceptr pointer) {
    return entry("cuPointerSetAttribute", [&] {
        require_pointer(value, "value");
        if (attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("pointer attribute %d cannot be set", attribute));
        }
        if (!driver().addresses().find(pointer)) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              hexadecimal(pointer) + " is not in any memory that the driver knows");
        }
    });
}

}  // extern "C"
