#include "driver/memory/stream_ordered.hpp"

#include "driver/graph/capture.hpp"
#include "driver/graph/entry_graph.hpp"
#include "driver/graph/graph_memory.hpp"
#include "driver/process/entry.hpp"

namespace cuprum::simulator::libcuda {

namespace {

Allocation::Kind kind_of_pooled(MemoryPool::Memory memory) {
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
    if (allocation.kind == Allocation::Kind::pinned_host) {
        allocation.file = std::make_shared<SharedFile>(SharedFile::create(allocation.size));
        allocation.file->fill(0, std::to_integer<int>(DeviceArena::poison), allocation.size);
        const SharedFile& file = *allocation.file;
        return driver().map_host_memory(std::move(allocation), &file);
    }
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

// In a stream that is captured: a node of the graph.
CUdeviceptr allocate_captured(const std::shared_ptr<MemoryPool>& pool, size_t bytes,
                              const std::shared_ptr<Stream>& stream) {
    if (pool->memory() != MemoryPool::Memory::device) {
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
    return parameters.dptr;
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

}  // namespace

CUdeviceptr allocate_in_stream(const std::shared_ptr<MemoryPool>& pool, size_t bytes,
                               const std::shared_ptr<Stream>& stream) {
    if (bytes == 0) return 0;  // as driver 580 does; cuMemAlloc refuses it
    if (pool->imported()) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          "the pool belongs to another process, which alone allocates from it");
    }
    if (captures(stream)) return allocate_captured(pool, bytes, stream);
    if (!pool->take(bytes)) {
        throw DriverError(CUDA_ERROR_OUT_OF_MEMORY,
                          format("%zu bytes go beyond the memory pool's largest size", bytes));
    }
    Allocation allocation;
    allocation.kind = kind_of_pooled(pool->memory());
    allocation.size = bytes;
    allocation.accessible = false;
    allocation.pool = pool;
    if (pool->memory() != MemoryPool::Memory::managed) allocation.access = pool->access();
    allocation.description = format("cuMemAllocAsync of %zu bytes", bytes);
    uint64_t address = 0;
    try {
        address = pool->shareable() ? allocate_shareable(pool->device(), std::move(allocation))
                  : pool->memory() == MemoryPool::Memory::device
                      ? driver().allocate_device_memory(pool->device(), std::move(allocation))
                      : driver().allocate_host_memory(std::move(allocation));
    } catch (...) {
        pool->give_back(bytes);
        throw;
    }
    const std::shared_ptr<Context> context = stream->context();
    context->submit(stream, [address] { driver().addresses().set_accessible(address, true); });
    return address;
}

void free_in_stream(CUdeviceptr pointer, const std::shared_ptr<Stream>& stream) {
    if (pointer == 0) return;
    if (captures(stream)) {
        const std::lock_guard lock(graph_mutex());
        add_captured(stream, free_operation(*stream->capture->sequence->graph, pointer));
        return;
    }
    if (const std::shared_ptr<GraphMemory> memory = GraphMemory::at(pointer)) {
        free_graph_memory(memory, stream);
        return;
    }
    const std::optional<Allocation> found = driver().addresses().find(pointer);
    const bool can_be_freed =
        found && (came_from_pool(*found) || (found->device_only() && found->kind != Allocation::Kind::variable &&
                                             found->kind != Allocation::Kind::mapped && !found->opened()));
    if (!can_be_freed || found->begin != pointer) {
        const Device& device = stream->context()->device();
        throw DriverError(CUDA_ERROR_INVALID_VALUE, hexadecimal(pointer) + " is not the beginning of device memory: " +
                                                        driver().addresses().describe(device.ordinal(), pointer));
    }
    if (!driver().addresses().request_free(pointer)) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, hexadecimal(pointer) + " is the " + found->description +
                                                        ", whose release has been asked for already");
    }
    const std::weak_ptr<MemoryPool> pool = found->pool;
    const size_t bytes = found->size;
    stream->context()->submit(stream, [pointer, pool, bytes] {
        if (!driver().free_device_memory(pointer) && !driver().free_host_memory(pointer)) return;
        if (const std::shared_ptr<MemoryPool> live = pool.lock()) live->give_back(bytes);
    });
}

}  // namespace cuprum::simulator::libcuda
