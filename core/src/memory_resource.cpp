#include "cuprum/core/memory_resource.hpp"

#include <string>
#include <utility>

#include "context.hpp"
#include "driver_error.hpp"
#include "memory_resource_state.hpp"
#include "require.hpp"
#include "stream_state.hpp"

namespace cuprum::core {

namespace {

// The address as host and devices know it, which is one: 64-bit systems have unified addressing.
DevicePointer allocate_pinned_memory(uint64_t size) {
    void* memory = nullptr;
    const CUresult result = driver::cuMemHostAlloc(&memory, size, CU_MEMHOSTALLOC_PORTABLE);
    if (result == CUDA_SUCCESS) [[likely]]
        return reinterpret_cast<uintptr_t>(memory);
    std::string operation = "allocating " + std::to_string(size) + " bytes";
    constexpr const char* object = "page-locked host memory";
    if (result != CUDA_ERROR_OUT_OF_MEMORY) {
        throw_driver_error(result, "cuMemHostAlloc", std::move(operation), object);
    }
    ErrorInfo info = driver_error_info(result, "cuMemHostAlloc", std::move(operation), object);
    info.advice = "free page-locked host memory, or ask for less";
    throw OutOfMemory(std::move(info), size);
}

}  // namespace

const MemoryResourceState& MemoryResource::opened(const char* operation) const {
    if (state_ == nullptr) [[unlikely]] {
        throw InvalidState(operation, "memory resource",
                           "the memory resource is closed, moved-from or default-constructed", "make a new one");
    }
    return *state_;
}

bool MemoryResource::is_device_accessible() const {
    opened("asking who can use a memory resource's memory");
    return true;
}

bool MemoryResource::is_host_accessible() const {
    return opened("asking who can use a memory resource's memory").kind != MemoryKind::device;
}

bool MemoryResource::is_managed() const {
    return opened("asking who can use a memory resource's memory").kind == MemoryKind::managed;
}

int32_t MemoryResource::device_id() const {
    opened("asking for a memory resource's device");
    return -1;
}

Buffer MemoryResource::allocate(uint64_t size) const {
    const MemoryResourceState& state = opened("allocating from a memory resource");
    const int32_t device_id = device_with_context();
    Buffer buffer(0, size, device_id, state.kind);
    buffer.resource_ = state_;
    if (size == 0) return buffer;
    const ContextScope scope(device_id);
    buffer.address_ = allocate_pinned_memory(size);
    return buffer;
}

Buffer MemoryResource::allocate(uint64_t size, const Stream& stream) const {
    require_valid(stream, "allocating from a memory resource");
    Buffer buffer = allocate(size);
    buffer.set_deallocation_stream(stream);
    return buffer;
}

Buffer MemoryResource::allocate(uint64_t size, StreamRef stream) const {
    require_valid(stream, "allocating from a memory resource");
    Buffer buffer = allocate(size);
    buffer.set_deallocation_stream(stream);
    return buffer;
}

void MemoryResource::deallocate(DevicePointer address, uint64_t size) const {
    opened("freeing memory of a memory resource");
    if (address == 0) return;
    const ContextScope scope(device_with_context());
    check(driver::cuMemFreeHost(reinterpret_cast<void*>(address)), "cuMemFreeHost", "freeing page-locked host memory",
          [&] { return hexadecimal(address) + " (" + std::to_string(size) + " bytes)"; });
}

void MemoryResource::deallocate(DevicePointer address, uint64_t size, StreamRef stream) const {
    require_valid(stream, "freeing memory of a memory resource");
    opened("freeing memory of a memory resource");
    stream.sync();
    deallocate(address, size);
}

LegacyPinnedMemoryResource::LegacyPinnedMemoryResource()
    : MemoryResource(std::make_shared<const MemoryResourceState>(MemoryResourceState{MemoryKind::pinned})) {}

}  // namespace cuprum::core
