#include "cuprum/core/memory_resource.hpp"

#include <string>
#include <utility>

#include "allocation.hpp"
#include "capture_keeping.hpp"
#include "context.hpp"
#include "cuprum/core/user_memory_resource.hpp"
#include "driver_error.hpp"
#include "driver_log.hpp"
#include "memory_resource_state.hpp"
#include "require.hpp"
#include "stream_state.hpp"
#include "virtual_memory_state.hpp"

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

[[noreturn]] void throw_pool_allocation_error(CUresult result, const MemoryResourceState& state, int32_t device_id,
                                              uint64_t size) {
    constexpr const char* function = "cuMemAllocFromPoolAsync";
    if (state.kind == MemoryKind::device) check_allocation(result, function, Device(device_id), size);
    std::string operation = "allocating " + std::to_string(size) + " bytes";
    if (result != CUDA_ERROR_OUT_OF_MEMORY) {
        throw_driver_error(result, function, std::move(operation), describe_pool(state));
    }
    throw OutOfMemory(driver_error_info(result, function, std::move(operation), describe_pool(state)), size);
}

// The driver would free any memory. That of a graph belongs to no context and to no pool; what the driver does not know
// is in a graph that was not launched.
void require_memory_of_graph(DevicePointer address, const char* operation) {
    CUcontext context = nullptr;
    CUmemoryPool pool = nullptr;
    CUresult result = driver::cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, address);
    if (result == CUDA_SUCCESS) {
        result = driver::cuPointerGetAttribute(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, address);
    }
    if (result == CUDA_ERROR_INVALID_VALUE) return discard_driver_log();
    check(result, "cuPointerGetAttribute", operation, [&] { return hexadecimal(address); });
    if (context == nullptr && pool == nullptr) return;
    throw InvalidArgument(operation, hexadecimal(address), "the memory is not a graph's",
                          "free it by the memory resource that it came from");
}

}  // namespace

// The driver would free memory of any pool.
void require_memory_of(const MemoryResourceState& state, DevicePointer address, const char* operation) {
    if (state.is_graph_memory) return require_memory_of_graph(address, operation);
    CUmemoryPool pool = nullptr;
    const CUresult result = driver::cuPointerGetAttribute(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, address);
    // An address that the driver does not know is in no pool either.
    if (result != CUDA_ERROR_INVALID_VALUE) {
        check(result, "cuPointerGetAttribute", operation, [&] { return hexadecimal(address); });
    }
    if (pool == state.pool) return;
    throw InvalidArgument(operation, hexadecimal(address), "the memory was not allocated from " + describe_pool(state),
                          "free it by the memory resource that it came from");
}

void require_stream_of_memory(const MemoryResourceState& state, const StreamRef& stream, const char* operation) {
    if (state.kind != MemoryKind::device || !stream.is_valid() || stream.device_id() == state.device_id) return;
    throw InvalidArgument(operation, describe(stream), "the stream must be one of " + describe_device(state.device_id));
}

bool operator==(const MemoryResource& left, const MemoryResource& right) {
    if (left.state_ == right.state_) return true;
    if (left.state_ == nullptr || right.state_ == nullptr) return false;
    if (left.state_->is_graph_memory) {
        return right.state_->is_graph_memory && left.state_->device_id == right.state_->device_id;
    }
    return left.state_->pool != nullptr && left.state_->pool == right.state_->pool;
}

const MemoryResourceState& MemoryResource::opened(const char* operation) const {
    if (state_ == nullptr) [[unlikely]] {
        throw InvalidState(operation, "memory resource",
                           "the memory resource is closed, moved-from or default-constructed", "make a new one");
    }
    return *state_;
}

bool MemoryResource::has_pool() const {
    return opened("asking for a memory pool").pool != nullptr;
}

bool MemoryResource::has_allocator() const {
    return opened("asking for a memory resource's allocator").allocator != nullptr;
}

bool MemoryResource::is_device_accessible() const {
    return opened("asking who can use a memory resource's memory").kind != MemoryKind::host;
}

bool MemoryResource::is_host_accessible() const {
    return opened("asking who can use a memory resource's memory").kind != MemoryKind::device;
}

bool MemoryResource::is_managed() const {
    return opened("asking who can use a memory resource's memory").kind == MemoryKind::managed;
}

int32_t MemoryResource::device_id() const {
    return opened("asking for a memory resource's device").device_id;
}

Buffer MemoryResource::allocate(uint64_t size) const {
    constexpr const char* operation = "allocating from a memory resource";
    const MemoryResourceState& state = opened(operation);
    if (state.pool != nullptr) {
        throw InvalidArgument(operation, describe_pool(state), "a pool allocates in a stream",
                              "name one; the device's default stream will do");
    }
    if (state.virtual_memory != nullptr) {
        Buffer buffer(0, size, state.virtual_memory->device_id(), state.kind, FreedBy::resource);
        buffer.resource_ = state_;
        if (size > 0) buffer.address_ = state.virtual_memory->allocate(size);
        return buffer;
    }
    if (state.allocator != nullptr) return allocate_by_program(size, StreamRef(), nullptr);
    if (state.is_graph_memory) return allocate_in_graph(size, StreamRef(), nullptr);
    const int32_t device_id = device_with_context();
    Buffer buffer(0, size, device_id, state.kind, FreedBy::cu_mem_free_host);
    buffer.resource_ = state_;
    if (size == 0) return buffer;
    const ContextScope scope(device_id);
    buffer.address_ = allocate_pinned_memory(size);
    return buffer;
}

[[gnu::hot]] Buffer MemoryResource::allocate(uint64_t size, const Stream& stream) const {
    require_valid(stream, "allocating from a memory resource");
    if (opened("allocating from a memory resource").pool != nullptr) {
        return allocate_from_pool(size, stream, stream.state_);
    }
    if (state_->allocator != nullptr) return allocate_by_program(size, stream, stream.state_);
    if (state_->is_graph_memory) return allocate_in_graph(size, stream, stream.state_);
    Buffer buffer = allocate(size);
    buffer.set_deallocation_stream(stream);
    return buffer;
}

[[gnu::hot]] Buffer MemoryResource::allocate_from_pool(uint64_t size, StreamRef stream,
                                                       std::shared_ptr<void> stream_owner) const {
    const int32_t device_id = stream.device_id();
    if (state_->kind == MemoryKind::device && device_id != state_->device_id) {
        throw InvalidArgument("allocating from a memory resource", describe(stream),
                              "the stream must be one of " + describe_device(state_->device_id));
    }
    if (state_->is_mapped) [[unlikely]] {
        throw InvalidState("allocating from a memory resource", describe_pool(*state_),
                           "the pool is another process's: only that one allocates from it",
                           "open the buffers that the other process shares");
    }
    Buffer buffer(0, size, device_id, state_->kind, FreedBy::cu_mem_free_async);
    buffer.resource_ = state_;
    buffer.stream_ = stream;
    buffer.stream_owner_ = std::move(stream_owner);
    if (size == 0) return buffer;
    const ContextScope scope(stream);
    CUdeviceptr address = 0;
    const CUresult result = driver::cuMemAllocFromPoolAsync(&address, size, state_->pool, stream.handle());
    if (result != CUDA_SUCCESS) [[unlikely]]
        throw_pool_allocation_error(result, *state_, device_id, size);
    buffer.address_ = address;
    note_memory_of_capture(stream, address, size, "allocating from a memory resource");
    return buffer;
}

Buffer MemoryResource::allocate(uint64_t size, StreamRef stream) const {
    require_valid(stream, "allocating from a memory resource");
    if (opened("allocating from a memory resource").pool != nullptr) return allocate_from_pool(size, stream, nullptr);
    if (state_->allocator != nullptr) return allocate_by_program(size, stream, nullptr);
    if (state_->is_graph_memory) return allocate_in_graph(size, stream, nullptr);
    Buffer buffer = allocate(size);
    buffer.set_deallocation_stream(stream);
    return buffer;
}

void MemoryResource::deallocate(DevicePointer address, uint64_t size) const {
    constexpr const char* operation = "freeing memory of a memory resource";
    const MemoryResourceState& state = opened(operation);
    if (state.frees_in_order()) {
        throw InvalidArgument(operation, describe_pool(state), "a pool frees memory in a stream",
                              "name one; the device's default stream will do");
    }
    if (address == 0) return;
    if (state.allocator != nullptr) {
        const ContextScope scope(state.device_id < 0 ? device_with_context() : state.device_id);
        state.allocator->deallocate(address, size, StreamRef());
        return;
    }
    if (state.virtual_memory != nullptr) {
        if (state.virtual_memory->free(address)) return;
        throw InvalidArgument(operation, hexadecimal(address) + " (" + std::to_string(size) + " bytes)",
                              "no memory of this resource begins there",
                              "free it by the memory resource that it came from");
    }
    const ContextScope scope(device_with_context());
    check(driver::cuMemFreeHost(reinterpret_cast<void*>(address)), "cuMemFreeHost", "freeing page-locked host memory",
          [&] { return hexadecimal(address) + " (" + std::to_string(size) + " bytes)"; });
}

void MemoryResource::deallocate(DevicePointer address, uint64_t size, StreamRef stream) const {
    require_valid(stream, "freeing memory of a memory resource");
    if (opened("freeing memory of a memory resource").frees_in_order()) {
        if (address == 0) return;
        const ContextScope scope(stream.device_id());
        require_memory_of(*state_, address,
                          state_->is_graph_memory ? "freeing memory of a graph" : "freeing memory of a pool");
        check(driver::cuMemFreeAsync(address, stream.handle()), "cuMemFreeAsync", "freeing memory of a pool",
              [&] { return hexadecimal(address) + " (" + std::to_string(size) + " bytes)"; });
        return;
    }
    if (state_->allocator != nullptr) {
        if (address == 0) return;
        const ContextScope scope(stream.device_id());
        state_->allocator->deallocate(address, size, stream);
        return;
    }
    stream.sync();
    deallocate(address, size);
}

LegacyPinnedMemoryResource::LegacyPinnedMemoryResource()
    : MemoryResource(std::make_shared<const MemoryResourceState>()) {}

}  // namespace cuprum::core
