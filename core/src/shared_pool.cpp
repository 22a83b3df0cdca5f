// Pools and their buffers, shared between processes.
#include <fcntl.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "context.hpp"
#include "cuprum/core/buffer.hpp"
#include "cuprum/core/ipc.hpp"
#include "cuprum/core/memory_pool.hpp"
#include "driver_error.hpp"
#include "driver_log.hpp"
#include "memory_resource_state.hpp"
#include "require.hpp"
#include "shared_import.hpp"
#include "stream_state.hpp"

namespace cuprum::core {

namespace {

constexpr const char* sharing_pool = "sharing a memory pool";
constexpr const char* opening_pool = "opening another process's memory pool";
constexpr const char* sharing_buffer = "sharing a buffer";
constexpr const char* opening_buffer = "opening another process's buffer";

void require_open_file(int descriptor) {
    if (fcntl(descriptor, F_GETFD) != -1) return;
    throw InvalidArgument(opening_pool, "file descriptor " + std::to_string(descriptor),
                          "this process has no open file of that number",
                          "send the file descriptor over a Unix socket, or let the process inherit it");
}

void import_pool(MemoryResourceState& state, int descriptor) {
    check(driver::cuMemPoolImportFromShareableHandle(&state.pool,
                                                     reinterpret_cast<void*>(static_cast<intptr_t>(descriptor)),
                                                     CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
          "cuMemPoolImportFromShareableHandle", opening_pool,
          [&] { return "file descriptor " + std::to_string(descriptor); });
    state.is_ipc_enabled = true;
    state.is_mapped = true;
    state.owns_pool = true;
}

// The file descriptor does not say what kind of pool it stands for: the program has.
void require_kind(const BufferRef& opened, MemoryKind kind) {
    CUmemorytype type{};
    check(driver::cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, opened.handle()),
          "cuPointerGetAttribute", opening_buffer, opened);
    const bool on_host = type == CU_MEMORYTYPE_HOST;
    if (on_host == (kind == MemoryKind::pinned)) return;
    throw InvalidArgument(
        opening_buffer, describe(opened),
        on_host ? "the pool is one of page-locked host memory" : "the pool is one of a device's memory",
        on_host ? "open the pool as a pinned memory resource" : "open the pool as a device memory resource");
}

// Another process says how many bytes there are.
void require_bytes(const BufferRef& opened) {
    size_t bytes = 0;
    check(driver::cuPointerGetAttribute(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, opened.handle()),
          "cuPointerGetAttribute", opening_buffer, opened);
    if (bytes >= opened.size()) return;
    throw InvalidArgument(opening_buffer, describe(opened),
                          "the memory has only " + std::to_string(bytes) + " bytes, fewer than its descriptor says",
                          "pass on the descriptor as the other process made it");
}

}  // namespace

int share_pool(const MemoryResourceState& state) {
    int descriptor = -1;
    check(
        driver::cuMemPoolExportToShareableHandle(&descriptor, state.pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
        "cuMemPoolExportToShareableHandle", sharing_pool, [&] { return describe_pool(state); });
    return descriptor;
}

bool PooledMemoryResource::is_ipc_enabled() const {
    return opened("asking whether processes share a memory pool").is_ipc_enabled;
}

bool PooledMemoryResource::is_mapped() const {
    return opened("asking whether processes share a memory pool").is_mapped;
}

int PooledMemoryResource::allocation_handle() const {
    const MemoryResourceState& state = opened(sharing_pool);
    if (!state.is_ipc_enabled || state.is_mapped) {
        throw InvalidState(
            sharing_pool, describe_pool(state),
            state.is_mapped ? "it is another process's pool" : "it was made without the IPC option",
            state.is_mapped ? "ask the process that made it" : "make the pool with the IPC option enabled");
    }
    return share_pool(state);
}

DeviceMemoryResource DeviceMemoryResource::from_allocation_handle(const Device& device, int descriptor) {
    require_open_file(descriptor);
    auto state = std::make_shared<MemoryResourceState>();
    state->kind = MemoryKind::device;
    state->device_id = device.device_id();
    state->location_kind = static_cast<int32_t>(MemoryLocation::Kind::device);
    state->location_id = device.device_id();
    const ContextScope scope(device.device_id());
    import_pool(*state, descriptor);
    return DeviceMemoryResource(std::move(state));
}

PinnedMemoryResource PinnedMemoryResource::from_allocation_handle(int descriptor) {
    require_open_file(descriptor);
    auto state = std::make_shared<MemoryResourceState>();
    state->kind = MemoryKind::pinned;
    state->location_kind = static_cast<int32_t>(MemoryLocation::Kind::host);
    const ContextScope scope(device_with_numa_pools());
    import_pool(*state, descriptor);
    let_devices_use_host_pool(*state);  // which each process does for itself
    return PinnedMemoryResource(std::move(state));
}

IPCBufferDescriptor BufferRef::ipc_descriptor() const {
    if (!valid_) {
        throw InvalidState(sharing_buffer, "buffer", closed_buffer);
    }
    CUmemPoolPtrExportData data{};
    static_assert(sizeof data == sizeof(IPCBufferDescriptor::reserved));
    const ContextScope scope(device_id_);
    const CUresult result = driver::cuMemPoolExportPointer(&data, address_);
    if (result == CUDA_ERROR_INVALID_VALUE) {
        discard_driver_log();
        throw InvalidArgument(sharing_buffer, describe(*this),
                              "it is not the beginning of memory of a pool that was made with the IPC option",
                              "allocate it from a memory pool made with the IPC option enabled");
    }
    check(result, "cuMemPoolExportPointer", sharing_buffer, *this);
    IPCBufferDescriptor descriptor{.size = size_};
    std::memcpy(descriptor.reserved.data(), &data, sizeof data);
    return descriptor;
}

Buffer Buffer::from_ipc_descriptor(const PooledMemoryResource& resource, const IPCBufferDescriptor& descriptor,
                                   const Stream& stream) {
    return open_shared(resource, descriptor, stream, stream.state_);
}

Buffer Buffer::from_ipc_descriptor(const PooledMemoryResource& resource, const IPCBufferDescriptor& descriptor,
                                   StreamRef stream) {
    return open_shared(resource, descriptor, stream, nullptr);
}

Buffer Buffer::open_shared(const PooledMemoryResource& resource, const IPCBufferDescriptor& descriptor,
                           StreamRef stream, std::shared_ptr<void> stream_owner) {
    require_valid(stream, opening_buffer);
    if (!resource.is_mapped()) {
        throw InvalidArgument(opening_buffer, describe_pool(*resource.state_),
                              "the pool is not one that another process shares",
                              "open the pool of the other process by its file descriptor");
    }
    const MemoryKind kind = resource.state_->kind;
    if (kind == MemoryKind::device && stream.device_id() != resource.device_id()) {
        throw InvalidArgument(opening_buffer, describe(stream),
                              "the stream must be one of " + describe_device(resource.device_id()));
    }
    CUmemPoolPtrExportData data{};
    std::memcpy(&data, descriptor.reserved.data(), sizeof data);
    const ContextScope scope(stream.device_id());
    Buffer opened(open_import(resource.state_, data), descriptor.size, stream.device_id(), kind, FreedBy::close_import);
    opened.resource_ = resource.state_;
    opened.stream_ = stream;
    opened.stream_owner_ = std::move(stream_owner);
    require_kind(opened, kind);
    require_bytes(opened);
    return opened;
}

}  // namespace cuprum::core
