#include "driver/memory/pointer_attributes.hpp"

#include "driver/process/entry.hpp"

namespace cuprum::simulator::libcuda {

namespace {

template <typename Value>
void put(void* destination, Value value) {
    *static_cast<Value*>(destination) = value;
}

// What kernels of the current context may do; without one, those of the owner. The numbers are those of
// CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS, too.
CUmemAccess_flags access_of_current_context(const Allocation& allocation) {
    const std::shared_ptr<Context> current = ContextStack::current();
    return driver().addresses().reach(current ? current->device().ordinal() : allocation.device, allocation);
}

// Throws CUDA_ERROR_INVALID_VALUE for attributes that the pointer does not have.
void pointer_attribute(void* data, CUpointer_attribute attribute, const Allocation& allocation, CUdeviceptr pointer) {
    const bool host = allocation.on_host();
    switch (attribute) {
        case CU_POINTER_ATTRIBUTE_CONTEXT:
            return put(data, reinterpret_cast<CUcontext>(allocation.context));
        case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
            return put(data, static_cast<unsigned int>(host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE));
        case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
            return put(data, pointer);
        case CU_POINTER_ATTRIBUTE_HOST_POINTER:
            if (allocation.device_only()) {
                throw DriverError(CUDA_ERROR_INVALID_VALUE,
                                  hexadecimal(pointer) + " is device memory: the host cannot reach it");
            }
            return put(data, reinterpret_cast<void*>(pointer));
        case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
            // Of a kernel interface that was withdrawn: zeros, and for device memory alone, as driver 580 has them.
            if (host) throw DriverError(CUDA_ERROR_INVALID_VALUE, "host memory has no P2P tokens");
            return put(data, CUDA_POINTER_ATTRIBUTE_P2P_TOKENS{});
        case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
            return put(data, static_cast<unsigned int>(host ? 0 : 1));
        case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
            return put(data, 0);
        case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
        case CU_POINTER_ATTRIBUTE_BUFFER_ID:
            return put(data, static_cast<unsigned long long>(allocation.identifier));
        case CU_POINTER_ATTRIBUTE_IS_MANAGED:
            return put(data, static_cast<unsigned int>(allocation.kind == Allocation::Kind::managed));
        case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
            return put(data, static_cast<int>(allocation.device));
        case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
            return put(data, static_cast<int>(allocation.kind == Allocation::Kind::device && !allocation.mapping));
        case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
            return put(data, static_cast<CUdeviceptr>(allocation.begin));
        case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
            return put(data, static_cast<size_t>(allocation.size));
        case CU_POINTER_ATTRIBUTE_MAPPED:
            return put(data, static_cast<unsigned int>(1));
        case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
            return put(data,
                       static_cast<unsigned long long>(allocation.file ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : 0));
        case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
            return put(data, 0);
        case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
            return put(data, static_cast<unsigned int>(access_of_current_context(allocation)));
        case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: {
            CUmemoryPool pool = nullptr;
            if (const std::shared_ptr<MemoryPool> live = allocation.pool.lock()) pool = handles().pools.handle_of(live);
            return put(data, pool);
        }
        case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
            return put(data, static_cast<size_t>(allocation.size));
        case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
            return put(data, static_cast<CUdeviceptr>(allocation.begin));
        default:
            break;
    }
    throw DriverError(CUDA_ERROR_INVALID_VALUE, format("pointer attribute %d cannot be queried", attribute));
}

// What cuPointerGetAttributes writes for what a pointer does not have; nothing for unknown attributes.
bool default_attribute(void* data, CUpointer_attribute attribute) {
    switch (attribute) {
        case CU_POINTER_ATTRIBUTE_CONTEXT:
            put(data, CUcontext{});
            return true;
        case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
            put(data, 0u);
            return true;
        case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
            put(data, CUdeviceptr{0});
            return true;
        case CU_POINTER_ATTRIBUTE_HOST_POINTER:
            put(data, static_cast<void*>(nullptr));
            return true;
        case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
            put(data, CUDA_POINTER_ATTRIBUTE_P2P_TOKENS{});
            return true;
        case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
            put(data, 0u);
            return true;
        case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
            put(data, 0);
            return true;
        case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
        case CU_POINTER_ATTRIBUTE_BUFFER_ID:
            put(data, 0ull);
            return true;
        case CU_POINTER_ATTRIBUTE_IS_MANAGED:
            put(data, 0u);
            return true;
        case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
            put(data, -2);
            return true;  // as documented: no device
        case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
            put(data, 0);
            return true;
        case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
            put(data, CUdeviceptr{0});
            return true;
        case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
            put(data, size_t{0});
            return true;
        case CU_POINTER_ATTRIBUTE_MAPPED:
            put(data, 0u);
            return true;
        case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
            put(data, 0ull);
            return true;
        case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
            put(data, 0);
            return true;
        case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
            put(data, 0u);
            return true;
        case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
            put(data, CUmemoryPool{});
            return true;
        case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
            put(data, size_t{0});
            return true;
        case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
            put(data, CUdeviceptr{0});
            return true;
        default:
            return false;
    }
}

}  // namespace

void report_pointer_attribute(void* data, CUpointer_attribute attribute, CUdeviceptr pointer) {
    const std::optional<Allocation> found = driver().addresses().find(pointer);
    if (!found) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          hexadecimal(pointer) + " is not in any memory that the driver knows");
    }
    pointer_attribute(data, attribute, *found, pointer);
}

void report_attribute_or_default(void* data, CUpointer_attribute attribute, const std::optional<Allocation>& found,
                                 CUdeviceptr pointer) {
    if (!default_attribute(data, attribute)) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("pointer attribute %d cannot be queried", attribute));
    }
    // Host pointers of device memory stay at their default here.
    if (!found || (attribute == CU_POINTER_ATTRIBUTE_HOST_POINTER && found->device_only())) return;
    pointer_attribute(data, attribute, *found, pointer);
}

}  // namespace cuprum::simulator::libcuda
