#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "cuprum/core/handles.hpp"
#include "cuprum/core/host_range.hpp"
#include "cuprum/core/ipc.hpp"
#include "cuprum/core/live_objects.hpp"
#include "cuprum/core/region.hpp"
#include "cuprum/core/stream.hpp"

namespace cuprum::core {

class Device;
class MemoryLocation;
class MemoryResource;
class PooledMemoryResource;
struct MemoryResourceState;

using DevicePointer = uint64_t;  // CUdeviceptr

// Where the memory is: on a device, on the host (page-locked), wherever it is used, or in host memory that no device
// uses. Of borrowed memory it is unknown until the driver is asked.
enum class MemoryKind : uint8_t { unknown, device, pinned, managed, host };

// Memory that somebody else owns and devices use: a device's own, or page-locked host memory. Copies are checked
// against `size`: what does not fit throws InvalidArgument; a default-constructed, closed or moved-from buffer throws
// InvalidState; 0 bytes are always fine.
//
// Copies without a stream take place in the legacy default stream's order (after the work so far of all blocking
// streams; work in a nonblocking stream is waited for by its own sync()) and return when they are done. Those with a
// stream are asynchronous: the host memory must stay as it is until the stream has passed them. Between page-locked
// host memory and a device they return at once; where the other side is pageable host memory, the driver may wait for
// the stream and copy through memory of its own.
class BufferRef {
public:
    BufferRef() = default;  // invalid
    static BufferRef from_handle(DevicePointer address, uint64_t size, std::optional<int32_t> device_id = {});

    bool is_valid() const { return valid_; }
    DevicePointer handle() const { return address_; }
    // Where the handle itself is stored: what a launch hands to the driver.
    const DevicePointer* address_of_handle() const { return &address_; }
    uint64_t size() const { return size_; }  // bytes
    // The device on which it lies; of host memory the one that it was allocated for, though all can use it.
    int32_t device_id() const { return device_id_; }
    // Whether kernels can use the memory; whether the host can, without a copy; whether it is managed memory, which
    // moves to where it is used. Of borrowed memory the driver is asked each time.
    bool is_device_accessible() const;
    bool is_host_accessible() const;
    bool is_managed() const;
    // The memory as the host reads and writes it, without a copy, for as long as it is allocated. It is in no stream's
    // order: wait for the work that uses it first. Throws InvalidArgument where the host cannot use the memory, or its
    // size or address does not suit the elements.
    template <class T = std::byte>
        requires std::is_trivially_copyable_v<T>
    std::span<T> as_span() const {
        return {static_cast<T*>(host_memory(sizeof(T), alignof(T))), size_ / sizeof(T)};
    }
    // What another process opens the memory with, which has opened its pool already. Throws InvalidArgument where it is
    // not the beginning of memory of a pool that was made with the IPC option.
    IPCBufferDescriptor ipc_descriptor() const;
    // The part [offset, offset + size).
    BufferRef slice(uint64_t offset, uint64_t size) const;

    void copy_from_host(const void* source, uint64_t size) const;
    void copy_from_host(const void* source, uint64_t size, StreamRef stream) const;
    void copy_to_host(void* destination, uint64_t size) const;
    void copy_to_host(void* destination, uint64_t size, StreamRef stream) const;
    void copy_from(BufferRef source, StreamRef stream) const;  // source.size() bytes
    // Fills with a 1, 2 or 4 byte pattern; size() must be a multiple of it.
    void fill(uint32_t pattern, uint32_t pattern_size, StreamRef stream) const;

    // Copies and fills of regions (region.hpp): rows and slices at any distance from each other. Both regions of a copy
    // have the same width, height and depth; the distances may differ. What does not fit into its memory, regions of
    // different shapes, and a source that overlaps the destination throw InvalidArgument. For the rest they are as the
    // copies above.
    void copy_region_from_host(const Region& region, std::span<const std::byte> source,
                               const Region& source_region) const;
    void copy_region_from_host(const Region& region, std::span<const std::byte> source, const Region& source_region,
                               StreamRef stream) const;
    void copy_region_to_host(std::span<std::byte> destination, const Region& destination_region,
                             const Region& region) const;
    void copy_region_to_host(std::span<std::byte> destination, const Region& destination_region, const Region& region,
                             StreamRef stream) const;
    void copy_region_from(const Region& region, const BufferRef& source, const Region& source_region,
                          StreamRef stream) const;
    // The first row, the width and the pitches must be multiples of the pattern's size.
    void fill_region(const Region& region, uint32_t pattern, uint32_t pattern_size, StreamRef stream) const;

    // Managed memory, and where its pages are. Advice holds for the whole range and stays until it is changed; it moves
    // nothing. All throw InvalidArgument where the memory is not managed.
    //
    // Moves the pages in the stream's order.
    void prefetch(const MemoryLocation& location, StreamRef stream) const;
    // From here on in the stream the content is anything, until it is written; pages need not be moved for that. The
    // second also moves the pages, without what is in them. Both throw Unsupported before CUDA 13.
    void discard(StreamRef stream) const;
    void discard_prefetch(const MemoryLocation& location, StreamRef stream) const;
    // Whether everybody who reads gets a copy of the pages, so that writing is what costs.
    bool is_read_mostly() const;
    void set_read_mostly(bool read_mostly) const;
    // Where pages are kept, and used from afar; none: they move to where they are used.
    std::optional<MemoryLocation> preferred_location() const;
    void set_preferred_location(const std::optional<MemoryLocation>& location) const;
    // Devices and host memory that shall reach the pages, wherever these are, without moving them.
    std::vector<MemoryLocation> accessed_by() const;
    void set_accessed_by(const MemoryLocation& location, bool accessed) const;

    // The same for all elements of a vector, an array, a C array or a span: copy_from_host(vector). A temporary is fine
    // where the call returns when the copy is done, and refused where the copy would outlive it.
    template <HostRange Range>
    void copy_from_host(const Range& source) const {
        copy_from_host(std::ranges::data(source), bytes_in(source));
    }
    template <HostRange Range, std::convertible_to<StreamRef> InStream>
        requires LastingHostRange<Range>
    void copy_from_host(Range&& source, const InStream& stream) const {
        copy_from_host(std::ranges::data(source), bytes_in(source), stream);
    }
    template <HostRange Range, std::convertible_to<StreamRef> InStream>
        requires(!LastingHostRange<Range>)
    void copy_from_host(Range&& temporary, const InStream& stream) const = delete;
    template <WritableHostRange Range>
    void copy_to_host(Range&& destination) const {
        copy_to_host(std::ranges::data(destination), bytes_in(destination));
    }
    template <WritableHostRange Range, std::convertible_to<StreamRef> InStream>
    void copy_to_host(Range&& destination, const InStream& stream) const {
        copy_to_host(std::ranges::data(destination), bytes_in(destination), stream);
    }

    friend bool operator==(const BufferRef& left, const BufferRef& right) {
        return left.address_ == right.address_ && left.size_ == right.size_ && left.device_id_ == right.device_id_ &&
               left.valid_ == right.valid_;
    }

protected:
    BufferRef(DevicePointer address, uint64_t size, int32_t device_id, MemoryKind kind)
        : address_(address), size_(size), device_id_(device_id), valid_(true), kind_(kind) {}

    MemoryKind known_kind(const char* operation) const;
    void require_managed(const char* operation) const;
    void* host_memory(uint64_t element_size, uint64_t element_alignment) const;

    template <HostRange Range>
    static uint64_t bytes_in(const Range& range) {
        return std::ranges::size(range) * sizeof(std::ranges::range_value_t<Range>);
    }

    DevicePointer address_ = 0;
    uint64_t size_ = 0;
    int32_t device_id_ = 0;
    bool valid_ = false;
    MemoryKind kind_ = MemoryKind::unknown;
};

// What frees a buffer's memory, or ends a registration.
enum class FreedBy : uint8_t {
    cu_mem_free,
    cu_mem_free_async,
    cu_mem_free_host,
    cu_mem_host_unregister,
    resource,
    allocator,
    close_import
};

// Owns memory; made by Device::allocate and MemoryResource::allocate, or registers the program's. The memory is freed
// in the order of the stream that it was allocated in, or of another one that set_deallocation_stream() names; without
// any, when all work that may use it is done. Closing what is not freed in a stream's order is not captured with what
// this thread captures, and does not end the capture: while a stream is captured no device can be waited for, and what
// must wait for one is freed later, by Device::sync or when another buffer is closed; the end of a registration then
// waits for the streams of this library alone. Only captures in nonblocking streams that other code has made are not
// known. They end; the memory stays, and is reported to the cleanup error handler.
class Buffer : public BufferRef {
public:
    Buffer() = default;  // invalid
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer();

    using BufferRef::from_handle;
    // Owns memory from then on that was allocated from `resource` and that no buffer owns: what Buffer::release() gave
    // up, or what the allocator of a UserMemoryResource has allocated. Freed as memory of this resource is, after the
    // work in the stream. Throws InvalidArgument for a pool without a stream, memory of another pool, and a stream of
    // another device; then it is still the caller's.
    static Buffer from_handle(DevicePointer address, uint64_t size, const MemoryResource& resource);
    static Buffer from_handle(DevicePointer address, uint64_t size, const MemoryResource& resource,
                              const Stream& stream);
    static Buffer from_handle(DevicePointer address, uint64_t size, const MemoryResource& resource, StreamRef stream);
    // Memory that another process shares, of a pool of that process, freed in the order of the stream. No stream is
    // ordered after the other process's work. Throws InvalidArgument for another pool, for another device's stream
    // where it is a device's memory, and for a descriptor of more bytes than there are or of memory of another kind.
    static Buffer from_ipc_descriptor(const PooledMemoryResource& resource, const IPCBufferDescriptor& descriptor,
                                      const Stream& stream);
    static Buffer from_ipc_descriptor(const PooledMemoryResource& resource, const IPCBufferDescriptor& descriptor,
                                      StreamRef stream);
    // Page-locks host memory of the program's for the life of the buffer: the host and the kernels of all devices use
    // the same bytes, and copies between it and a device in a stream are asynchronous. The caller keeps the memory
    // until the buffer is closed, which waits for the stream that set_deallocation_stream() names, without one for all
    // devices. Throws InvalidArgument for a null address and for 0 bytes, DriverError where some of the memory is
    // page-locked already, Unsupported where devices would use it at another address.
    static Buffer register_host_memory(void* address, uint64_t size);
    template <WritableHostRange Range>
    static Buffer register_host_memory(Range&& memory) {
        return register_host_memory(std::ranges::data(memory), bytes_in(memory));
    }

    // What it was allocated from: of memory that Device::allocate made in a stream the device's pool, and an invalid
    // one of what it made without and of registered memory. Throws InvalidState where the buffer is closed.
    MemoryResource memory_resource() const;

    // The memory will be freed after the work in this stream, which the buffer keeps alive (a borrowed one its owner
    // does). Makes no stream wait: what still uses the memory must come before that in the stream's order. Memory that
    // was allocated without a stream, and host memory, is freed by a call that waits for the stream. Throws
    // InvalidArgument for another device's stream, unless it is host memory. Not to be called while another thread
    // closes the buffer.
    void set_deallocation_stream(const Stream& stream);
    void set_deallocation_stream(StreamRef stream);

    // Releases the memory to the caller, who frees it through its resource or with cuMemFree or cuMemFreeAsync, and
    // ends a registration with cuMemHostUnregister; no graph keeps it any more.
    [[nodiscard]] DevicePointer release();
    void close() noexcept;  // idempotent
    // set_deallocation_stream(stream), then close().
    void close(const Stream& stream);
    void close(StreamRef stream);

private:
    friend class Device;
    friend class MemoryResource;
    friend class VirtualMemoryResource;
    Buffer(DevicePointer address, uint64_t size, int32_t device_id, MemoryKind kind, FreedBy freed_by)
        : BufferRef(address, size, device_id, kind), freed_by_(freed_by) {
        live_.count();
    }
    static Buffer open_shared(const PooledMemoryResource& resource, const IPCBufferDescriptor& descriptor,
                              StreamRef stream, std::shared_ptr<void> stream_owner);
    void free_in(StreamRef stream, std::shared_ptr<void> stream_owner);
    void take(Buffer& other) noexcept;
    void free_in_order() noexcept;
    bool waits_for_stream() const noexcept;
    bool waits_for_devices(bool waits_for_stream) const noexcept;
    static void close_later(Buffer buffer) noexcept;
    // What was closed while a stream was captured.
    static void close_deferred() noexcept;

    // It is freed after this stream's work; invalid: after all work. `stream_owner_` keeps a stream of ours alive until
    // then.
    FreedBy freed_by_ = FreedBy::cu_mem_free;
    StreamRef stream_;
    std::shared_ptr<void> stream_owner_;
    std::shared_ptr<const MemoryResourceState> resource_;  // null: Device::allocate made it
    detail::LiveCount<ObjectKind::buffer> live_;
};

}  // namespace cuprum::core
