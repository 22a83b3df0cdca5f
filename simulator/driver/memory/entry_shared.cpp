// Memory pools, device memory and events that processes share.
#include <cstring>

#include "driver/graph/capture.hpp"
#include "driver/memory/pool_places.hpp"
#include "driver/memory/shared_memory.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

static_assert(sizeof(SharedReference) <= sizeof(CUipcMemHandle::reserved));
static_assert(sizeof(SharedReference) <= sizeof(CUmemPoolPtrExportData::reserved));

// As bytes in one of CUDA's handles, the rest zeros.
template <typename Handle>
Handle to_handle(const SharedReference& reference) {
    Handle handle{};
    std::memcpy(&handle, &reference, sizeof reference);
    return handle;
}

template <typename Handle>
SharedReference to_reference(const Handle& handle) {
    SharedReference reference;
    std::memcpy(static_cast<void*>(&reference), &handle, sizeof reference);
    return reference;
}

void require_descriptor(CUmemAllocationHandleType type, unsigned long long flags) {
    if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("handle type %d; it must be CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR", type));
    }
    if (flags != 0) throw DriverError(CUDA_ERROR_INVALID_VALUE, format("flags is 0x%llx; it must be 0", flags));
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuMemPoolExportToShareableHandle(void* handle, CUmemoryPool pool, CUmemAllocationHandleType type,
                                                  unsigned long long flags) {
    return entry("cuMemPoolExportToShareableHandle", [&] {
        require_pointer(handle, "handle_out");
        require_descriptor(type, flags);
        const std::shared_ptr<MemoryPool> found = find_pool(pool);
        if (!found->shareable()) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              "the pool was not created with CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR");
        }
        const int file = found->file().duplicate();
        std::memcpy(handle, &file, sizeof file);
        found->set_exported();
    });
}

CUresult CUDAAPI cuMemPoolImportFromShareableHandle(CUmemoryPool* pool, void* handle, CUmemAllocationHandleType type,
                                                    unsigned long long flags) {
    return entry("cuMemPoolImportFromShareableHandle", [&] {
        require_pointer(pool, "pool_out");
        require_descriptor(type, flags);
        SharedHeader header;
        SharedFile file = SharedHeader::adopt(handle, SharedHeader::Content::pool, header);
        const PoolPlace place = place_of(&header.properties.location, CU_MEM_ALLOCATION_TYPE_PINNED);
        const auto made = std::make_shared<MemoryPool>(driver().device(place.device), 0, false, place.memory);
        made->set_file(std::move(file), true);
        *pool = handles().pools.insert(made);
    });
}

CUresult CUDAAPI cuMemPoolExportPointer(CUmemPoolPtrExportData* data, CUdeviceptr pointer) {
    return entry("cuMemPoolExportPointer", [&] {
        require_pointer(data, "shareData_out");
        const std::optional<Allocation> found = driver().addresses().find(pointer);
        if (!found || !found->file || found->free_requested) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, hexadecimal(pointer) + " is not memory of a shareable pool");
        }
        if (const std::shared_ptr<MemoryPool> pool = found->pool.lock(); pool != nullptr && !pool->exported()) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, "the pool of " + hexadecimal(pointer) +
                                                            " was not exported yet (cuMemPoolExportToShareableHandle)");
        }
        *data = to_handle<CUmemPoolPtrExportData>(
            SharedReference::to(*found->file, SharedReference::Content::pool_memory, found->device, 0, found->size));
    });
}

CUresult CUDAAPI cuMemPoolImportPointer(CUdeviceptr* pointer, CUmemoryPool pool, CUmemPoolPtrExportData* data) {
    return entry("cuMemPoolImportPointer", [&] {
        require_pointer(pointer, "ptr_out");
        require_pointer(data, "shareData");
        *pointer = import_pool_memory(find_pool(pool), to_reference(*data));
    });
}

CUresult CUDAAPI cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr pointer) {
    return entry("cuIpcGetMemHandle", [&] {
        require_pointer(handle, "pHandle");
        refuse_unsafe_call("memory cannot be shared");
        *handle = to_handle<CUipcMemHandle>(share_memory(pointer));
    });
}

CUresult CUDAAPI cuIpcOpenMemHandle_v2(CUdeviceptr* pointer, CUipcMemHandle handle, unsigned int flags) {
    return entry("cuIpcOpenMemHandle", [&] {
        require_pointer(pointer, "pdptr");
        if (flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("Flags is %u; it must be CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS", flags));
        }
        *pointer = open_memory(*current_context(), to_reference(handle));
    });
}

CUresult CUDAAPI cuIpcOpenMemHandle(CUdeviceptr* pointer, CUipcMemHandle handle, unsigned int flags) {
    return cuIpcOpenMemHandle_v2(pointer, handle, flags);
}

CUresult CUDAAPI cuIpcCloseMemHandle(CUdeviceptr pointer) {
    return entry("cuIpcCloseMemHandle", [&] {
        current_context();
        close_memory(pointer);
    });
}

CUresult CUDAAPI cuIpcGetEventHandle(CUipcEventHandle* handle, CUevent event_handle) {
    return entry("cuIpcGetEventHandle", [&] {
        require_pointer(handle, "pHandle");
        *handle = to_handle<CUipcEventHandle>(share_event(*find_event(event_handle)));
    });
}

CUresult CUDAAPI cuIpcOpenEventHandle(CUevent* event, CUipcEventHandle handle) {
    return entry("cuIpcOpenEventHandle", [&] {
        require_pointer(event, "phEvent");
        const std::shared_ptr<Context> context = current_context();
        *event = handles().events.insert(open_event(context, to_reference(handle)));
        context->own(*event);
    });
}

}  // extern "C"
