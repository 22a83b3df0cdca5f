// Memory pools, device memory and events that processes share.
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "driver/event/shared_event.hpp"
#include "driver/graph/capture.hpp"
#include "driver/memory/shared_file.hpp"
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

// The bytes of a reference as device memory of this process.
uint64_t add_mapping(const SharedReference& reference, const SharedFile& file, Allocation allocation) {
    allocation.mapping = std::make_shared<SharedMapping>(file, reference.offset, reference.size);
    allocation.charged = false;
    allocation.begin = allocation.mapping->address();
    allocation.host_offset = allocation.mapping->host_offset();
    allocation.size = reference.size;
    allocation.device = driver().device(static_cast<CUdevice>(reference.device)).ordinal();
    const uint64_t address = allocation.begin;
    driver().addresses().add(std::move(allocation));
    return address;
}

// What cuIpcOpenMemHandle has opened: each handle once in a context, and counted.
struct OpenedMemory {
    CUdeviceptr address = 0;
    uint64_t count = 0;
};
struct OpenedKey {
    uint64_t inode, offset, context;
    auto operator<=>(const OpenedKey&) const = default;
};
std::mutex opened_mutex;

std::map<OpenedKey, OpenedMemory>& opened_memory() {
    static auto* const opened = new std::map<OpenedKey, OpenedMemory>;
    return *opened;
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
    });
}

CUresult CUDAAPI cuMemPoolImportFromShareableHandle(CUmemoryPool* pool, void* handle, CUmemAllocationHandleType type,
                                                    unsigned long long flags) {
    return entry("cuMemPoolImportFromShareableHandle", [&] {
        require_pointer(pool, "pool_out");
        require_descriptor(type, flags);
        SharedHeader header;
        SharedFile file = SharedHeader::adopt(handle, SharedHeader::Content::pool, header);
        const auto made = std::make_shared<MemoryPool>(driver().device(header.properties.location.id), 0, false);
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
        *data = to_handle<CUmemPoolPtrExportData>(
            SharedReference::to(*found->file, SharedReference::Content::pool_memory, found->device, 0, found->size));
    });
}

CUresult CUDAAPI cuMemPoolImportPointer(CUdeviceptr* pointer, CUmemoryPool pool, CUmemPoolPtrExportData* data) {
    return entry("cuMemPoolImportPointer", [&] {
        require_pointer(pointer, "ptr_out");
        require_pointer(data, "shareData");
        const std::shared_ptr<MemoryPool> found = find_pool(pool);
        if (!found->imported()) throw DriverError(CUDA_ERROR_INVALID_VALUE, "the pool has not been imported");
        const SharedReference reference = to_reference(*data);
        const SharedFile file = reference.open(SharedReference::Content::pool_memory);
        Allocation allocation;
        allocation.kind = Allocation::Kind::pooled;
        allocation.pool = found;
        allocation.access = found->access();
        allocation.description =
            format("cuMemPoolImportPointer of %llu bytes", static_cast<unsigned long long>(reference.size));
        *pointer = add_mapping(reference, file, std::move(allocation));
        found->take(reference.size);
    });
}

CUresult CUDAAPI cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr pointer) {
    return entry("cuIpcGetMemHandle", [&] {
        require_pointer(handle, "pHandle");
        refuse_unsafe_call("memory cannot be shared");
        const std::optional<Allocation> found = driver().addresses().find(pointer);
        if (!found || found->kind != Allocation::Kind::device || found->mapping) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              hexadecimal(pointer) + " was not allocated by cuMemAlloc or cuMemAllocPitch");
        }
        // Its pages move into a file. Work in streams might write to them meanwhile; calls in other threads that do
        // would need to be ordered behind this one anyway.
        for (const std::shared_ptr<Context>& context : handles().contexts.all()) {
            if (context->active()) context->synchronize();
        }
        DeviceArena& arena = driver().device(static_cast<CUdevice>(found->device)).arena();
        const SharedFile& file = arena.share(found->begin, found->size);
        *handle = to_handle<CUipcMemHandle>(SharedReference::to(file, SharedReference::Content::memory, found->device,
                                                                arena.offset_of(found->begin), found->size));
    });
}

CUresult CUDAAPI cuIpcOpenMemHandle_v2(CUdeviceptr* pointer, CUipcMemHandle handle, unsigned int flags) {
    return entry("cuIpcOpenMemHandle", [&] {
        require_pointer(pointer, "pdptr");
        if (flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("Flags is %u; it must be CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS", flags));
        }
        const std::shared_ptr<Context> context = current_context();
        const SharedReference reference = to_reference(handle);
        const SharedFile file = reference.open(SharedReference::Content::memory);
        if (reference.of_this_process()) {
            throw DriverError(CUDA_ERROR_INVALID_CONTEXT, "the memory is this process's own");
        }
        const std::lock_guard lock(opened_mutex);
        OpenedMemory& opened = opened_memory()[{reference.inode, reference.offset, context->identifier()}];
        if (opened.count == 0) {
            Allocation allocation;
            allocation.kind = Allocation::Kind::device;
            allocation.context = reinterpret_cast<uint64_t>(context->handle());
            allocation.description =
                format("cuIpcOpenMemHandle of %llu bytes", static_cast<unsigned long long>(reference.size));
            opened.address = add_mapping(reference, file, std::move(allocation));
        }
        ++opened.count;
        *pointer = opened.address;
    });
}

CUresult CUDAAPI cuIpcOpenMemHandle(CUdeviceptr* pointer, CUipcMemHandle handle, unsigned int flags) {
    return cuIpcOpenMemHandle_v2(pointer, handle, flags);
}

CUresult CUDAAPI cuIpcCloseMemHandle(CUdeviceptr pointer) {
    return entry("cuIpcCloseMemHandle", [&] {
        current_context();
        const std::lock_guard lock(opened_mutex);
        std::map<OpenedKey, OpenedMemory>& all = opened_memory();
        const auto found = std::find_if(all.begin(), all.end(), [&](const auto& opened) {
            return opened.second.address == pointer && opened.second.count > 0;
        });
        if (found == all.end()) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              hexadecimal(pointer) + " is not what cuIpcOpenMemHandle opened");
        }
        if (--found->second.count > 0) return;
        all.erase(found);
        // As freeing does: work in streams may still use it.
        for (const std::shared_ptr<Context>& context : handles().contexts.all()) {
            if (context->active()) context->synchronize();
        }
        driver().free_device_memory(pointer);
    });
}

CUresult CUDAAPI cuIpcGetEventHandle(CUipcEventHandle* handle, CUevent event_handle) {
    return entry("cuIpcGetEventHandle", [&] {
        require_pointer(handle, "pHandle");
        const std::shared_ptr<Event> event = find_event(event_handle);
        if (!event->shared()) {
            throw DriverError(CUDA_ERROR_INVALID_HANDLE, "the event was not created with CU_EVENT_INTERPROCESS");
        }
        *handle = to_handle<CUipcEventHandle>(
            SharedReference::to(event->shared()->file(), SharedReference::Content::event,
                                event->context()->device().ordinal(), 0, SharedEvent::file_bytes));
    });
}

CUresult CUDAAPI cuIpcOpenEventHandle(CUevent* event, CUipcEventHandle handle) {
    return entry("cuIpcOpenEventHandle", [&] {
        require_pointer(event, "phEvent");
        const std::shared_ptr<Context> context = current_context();
        const SharedReference reference = to_reference(handle);
        auto shared = std::make_shared<SharedEvent>(reference.open(SharedReference::Content::event));
        if (reference.of_this_process()) {
            throw DriverError(CUDA_ERROR_INVALID_CONTEXT, "the event is this process's own");
        }
        *event = handles().events.insert(
            std::make_shared<Event>(context, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS, std::move(shared)));
        context->own(*event);
    });
}

}  // extern "C"
