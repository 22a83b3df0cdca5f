#include "driver/memory/shared_memory.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "driver/event/shared_event.hpp"
#include "driver/process/entry.hpp"

namespace cuprum::simulator::libcuda {

namespace {

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

// What cuMemPoolImportPointer has mapped, by inode and offset. It is mapped once: again, a device's memory has the same
// address, and is gone with the first free, and page-locked memory is refused (seen on an H200, driver 580).
std::mutex imported_mutex;
std::map<std::pair<uint64_t, uint64_t>, uint64_t>& imported_memory() {
    static auto* const imported = new std::map<std::pair<uint64_t, uint64_t>, uint64_t>;
    return *imported;
}

std::optional<uint64_t> imported_already(const SharedReference& reference, bool on_host) {
    const auto known = imported_memory().find({reference.inode, reference.offset});
    if (known == imported_memory().end()) return std::nullopt;
    const std::optional<Allocation> found = driver().addresses().find(known->second);
    if (!found || found->begin != known->second) return std::nullopt;
    const std::shared_ptr<const MemoryPool> pool = found->pool.lock();
    if (pool == nullptr || !pool->imported()) return std::nullopt;
    if (on_host) throw DriverError(CUDA_ERROR_ALREADY_MAPPED, "the memory has been imported already");
    return known->second;
}

void synchronize_all() {
    for (const std::shared_ptr<Context>& context : handles().contexts.all()) {
        if (context->active()) context->synchronize();
    }
}

}  // namespace

uint64_t import_pool_memory(const std::shared_ptr<MemoryPool>& pool, const SharedReference& reference) {
    if (!pool->imported()) throw DriverError(CUDA_ERROR_INVALID_VALUE, "the pool has not been imported");
    const SharedFile file = reference.open(SharedReference::Content::pool_memory);
    const bool on_host = pool->memory() == MemoryPool::Memory::pinned_host;
    const std::lock_guard lock(imported_mutex);
    if (const std::optional<uint64_t> known = imported_already(reference, on_host)) return *known;
    Allocation allocation;
    allocation.kind = on_host ? Allocation::Kind::pinned_host : Allocation::Kind::pooled;
    allocation.size = reference.size;
    allocation.pool = pool;
    allocation.access = pool->access();
    allocation.description =
        format("cuMemPoolImportPointer of %llu bytes", static_cast<unsigned long long>(reference.size));
    const uint64_t address = on_host ? driver().map_host_memory(std::move(allocation), &file)
                                     : add_mapping(reference, file, std::move(allocation));
    pool->take(reference.size);
    std::erase_if(imported_memory(), [address](const auto& other) { return other.second == address; });
    imported_memory()[{reference.inode, reference.offset}] = address;
    return address;
}

SharedReference share_memory(uint64_t pointer) {
    const std::optional<Allocation> found = driver().addresses().find(pointer);
    if (!found || found->kind != Allocation::Kind::device || found->mapping) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          hexadecimal(pointer) + " was not allocated by cuMemAlloc or cuMemAllocPitch");
    }
    // Its pages move into a file. Work in streams might write to them meanwhile; calls in other threads that write to
    // it would need to be ordered behind this one anyway.
    synchronize_all();
    DeviceArena& arena = driver().device(static_cast<CUdevice>(found->device)).arena();
    const SharedFile& file = arena.share(found->begin, found->size);
    return SharedReference::to(file, SharedReference::Content::memory, found->device, arena.offset_of(found->begin),
                               found->size);
}

uint64_t open_memory(const Context& context, const SharedReference& reference) {
    const SharedFile file = reference.open(SharedReference::Content::memory);
    if (reference.of_this_process()) {
        throw DriverError(CUDA_ERROR_INVALID_CONTEXT, "the memory is this process's own");
    }
    const std::lock_guard lock(opened_mutex);
    OpenedMemory& opened = opened_memory()[{reference.inode, reference.offset, context.identifier()}];
    if (opened.count == 0) {
        Allocation allocation;
        allocation.kind = Allocation::Kind::device;
        allocation.context = reinterpret_cast<uint64_t>(context.handle());
        allocation.description =
            format("cuIpcOpenMemHandle of %llu bytes", static_cast<unsigned long long>(reference.size));
        opened.address = add_mapping(reference, file, std::move(allocation));
    }
    ++opened.count;
    return opened.address;
}

void close_memory(uint64_t pointer) {
    const std::lock_guard lock(opened_mutex);
    std::map<OpenedKey, OpenedMemory>& all = opened_memory();
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& opened) {
        return opened.second.address == pointer && opened.second.count > 0;
    });
    if (found == all.end()) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, hexadecimal(pointer) + " is not what cuIpcOpenMemHandle opened");
    }
    if (--found->second.count > 0) return;
    all.erase(found);
    // As freeing does: work in streams may still use it.
    synchronize_all();
    driver().free_device_memory(pointer);
}

SharedReference share_event(const Event& event) {
    if (!event.shared()) {
        throw DriverError(CUDA_ERROR_INVALID_HANDLE, "the event was not created with CU_EVENT_INTERPROCESS");
    }
    return SharedReference::to(event.shared()->file(), SharedReference::Content::event,
                               event.context()->device().ordinal(), 0, SharedEvent::file_bytes);
}

std::shared_ptr<Event> open_event(const std::shared_ptr<Context>& context, const SharedReference& reference) {
    auto shared = std::make_shared<SharedEvent>(reference.open(SharedReference::Content::event));
    if (reference.of_this_process()) {
        throw DriverError(CUDA_ERROR_INVALID_CONTEXT, "the event is this process's own");
    }
    return std::make_shared<Event>(context, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS, std::move(shared));
}

}  // namespace cuprum::simulator::libcuda
