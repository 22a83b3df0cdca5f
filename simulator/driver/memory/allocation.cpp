#include "driver/memory/allocation.hpp"

#include "driver/graph/graph_memory.hpp"
#include "driver/process/entry.hpp"

namespace cuprum::simulator::libcuda {

namespace {

constexpr size_t pitch_unit = 512;  // bytes; rows of pitched memory begin at multiples of it

// Freed memory may still be in use by work in streams; as the driver does, freeing waits for it.
void synchronize_owner(const Allocation& allocation) {
    if (allocation.kind == Allocation::Kind::pooled || allocation.kind == Allocation::Kind::graph) {
        for (const std::shared_ptr<Context>& context : handles().contexts.all()) {
            if (context->active() && context->device().ordinal() == allocation.device) context->synchronize();
        }
        return;
    }
    const std::shared_ptr<Context> context = handles().contexts.find(reinterpret_cast<CUcontext>(allocation.context));
    if (context && context->active()) context->synchronize();
}

// Not memory that something else gives back, nor freed already.
void require_freeable(const Allocation& allocation) {
    if (allocation.kind == Allocation::Kind::mapped) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, hexadecimal(allocation.begin) + " is the " +
                                                        allocation.description + ", which cuMemUnmap unmaps");
    }
    if (allocation.on_host()) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, hexadecimal(allocation.begin) + " is the " +
                                                        allocation.description +
                                                        ", which cuMemFreeHost or cuMemHostUnregister gives back");
    }
    if (allocation.kind == Allocation::Kind::variable) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, hexadecimal(allocation.begin) + " is the " +
                                                        allocation.description + ", which goes with its module");
    }
    if (allocation.opened()) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, hexadecimal(allocation.begin) + " is the " +
                                                        allocation.description + ", which cuIpcCloseMemHandle closes");
    }
    if (allocation.free_requested) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, hexadecimal(allocation.begin) + " is the " +
                                                        allocation.description + ", which has been freed");
    }
}

}  // namespace

Allocation describe_new(const Context& context, Allocation::Kind kind, size_t size, const std::string& description) {
    Allocation allocation;
    allocation.kind = kind;
    allocation.size = size;
    allocation.device = context.device().ordinal();
    allocation.context = reinterpret_cast<uint64_t>(context.handle());
    allocation.description = description;
    return allocation;
}

std::string describe_bad_pointer(uint64_t address) {
    AddressSpace& addresses = driver().addresses();
    if (const std::optional<Allocation> inside = addresses.find(address)) {
        return hexadecimal(address) +
               format(" lies %llu bytes inside the ", static_cast<unsigned long long>(address - inside->begin)) +
               inside->description + "; pass its first address";
    }
    const std::string freed = addresses.describe_freed(address);
    if (!freed.empty()) return hexadecimal(address) + " is " + freed;
    return hexadecimal(address) + " is not a pointer that this driver gave out";
}

Allocation require_allocation(uint64_t address) {
    const std::optional<Allocation> found = driver().addresses().find(address);
    if (!found || found->begin != address) throw DriverError(CUDA_ERROR_INVALID_VALUE, describe_bad_pointer(address));
    return *found;
}

std::pair<uint64_t, size_t> allocate_rows(const Context& context, size_t width, size_t height) {
    const size_t row = (width + pitch_unit - 1) / pitch_unit * pitch_unit;
    if (row < width || height > SIZE_MAX / row) {
        throw DriverError(CUDA_ERROR_OUT_OF_MEMORY, format("%zu rows of %zu bytes do not fit", height, width));
    }
    const uint64_t address = driver().allocate_device_memory(
        context.device(), describe_new(context, Allocation::Kind::device, row * height,
                                       format("cuMemAllocPitch of %zu rows of %zu bytes", height, width)));
    return {address, row};
}

void register_host_memory(const Context& context, void* memory, size_t bytes, unsigned int flags) {
    Allocation allocation = describe_new(context, Allocation::Kind::registered_host, bytes,
                                         format("cuMemHostRegister of %zu bytes", bytes));
    allocation.begin = reinterpret_cast<uint64_t>(memory);
    allocation.flags = flags;
    allocation.writable = (flags & CU_MEMHOSTREGISTER_READ_ONLY) == 0;
    if (!driver().addresses().add_if_free(std::move(allocation))) {
        throw DriverError(
            CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
            format("some of the %zu bytes at %s are registered or pinned already", bytes, hexadecimal(memory).c_str()));
    }
}

void free_memory(uint64_t pointer) {
    const Allocation allocation = require_allocation(pointer);
    require_freeable(allocation);
    if (const std::shared_ptr<GraphMemory> memory = GraphMemory::at(pointer)) {
        if (!memory->allocated()) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, hexadecimal(pointer) + " is the " + allocation.description +
                                                            ", which no launch has allocated, or which has been freed");
        }
        synchronize_owner(allocation);
        memory->set_allocated(false);
        memory->end_use();
        return;
    }
    synchronize_owner(allocation);
    if (allocation.kind == Allocation::Kind::managed) {
        driver().free_host_memory(pointer);
        return;
    }
    if (driver().free_device_memory(pointer)) {
        if (const std::shared_ptr<MemoryPool> pool = allocation.pool.lock()) pool->give_back(allocation.size);
    }
}

void free_pinned_memory(void* memory) {
    const Allocation allocation = require_allocation(reinterpret_cast<uint64_t>(memory));
    if (allocation.kind != Allocation::Kind::pinned_host) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, hexadecimal(memory) + " is the " + allocation.description +
                                                        ", not memory of cuMemAllocHost or cuMemHostAlloc");
    }
    synchronize_owner(allocation);
    driver().free_host_memory(allocation.begin);
}

void unregister_host_memory(void* memory) {
    const std::optional<Allocation> found = driver().addresses().find(reinterpret_cast<uint64_t>(memory));
    if (found && !found->on_host()) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          hexadecimal(memory) + " is the " + found->description + ", not host memory");
    }
    if (!found || found->begin != reinterpret_cast<uint64_t>(memory) ||
        found->kind != Allocation::Kind::registered_host) {
        throw DriverError(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED,
                          hexadecimal(memory) + " is not the beginning of registered host memory");
    }
    synchronize_owner(*found);
    driver().free_host_memory(found->begin);
}

}  // namespace cuprum::simulator::libcuda
