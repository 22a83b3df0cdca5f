#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>

#include "cuprum/core/handles.hpp"
#include "cuprum/core/host_range.hpp"
#include "cuprum/core/stream.hpp"

namespace cuprum::core {

class Device;
class MemoryResource;
struct MemoryResourceState;

using DevicePointer = uint64_t;  // CUdeviceptr

// Whose memory it is: a device's, the host's (page-locked), or that of whoever uses it. Of borrowed memory it is not
// known until the driver is asked.
enum class MemoryKind : uint8_t { unknown, device, pinned, managed };

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
    static BufferRef from_handle(DevicePointer address, uint64_t size, int32_t device_id = 0);

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
    // The part [offset, offset + size).
    BufferRef slice(uint64_t offset, uint64_t size) const;

    void copy_from_host(const void* source, uint64_t size) const;
    void copy_from_host(const void* source, uint64_t size, StreamRef stream) const;
    void copy_to_host(void* destination, uint64_t size) const;
    void copy_to_host(void* destination, uint64_t size, StreamRef stream) const;
    void copy_from(BufferRef source, StreamRef stream) const;  // source.size() bytes
    // Fills with a 1, 2 or 4 byte pattern; size() must be a multiple of it.
    void fill(uint32_t pattern, uint32_t pattern_size, StreamRef stream) const;

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

// Owns memory; made by Device::allocate and MemoryResource::allocate. The memory is freed in the order of the stream
// that it was allocated in, or of another one that set_deallocation_stream() names; without any, when all work that may
// use it is done.
class Buffer : public BufferRef {
public:
    Buffer() = default;  // invalid
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer();

    // What it was allocated from; an invalid one for memory that Device::allocate made.
    MemoryResource memory_resource() const;

    // The memory will be freed after the work in this stream, which the buffer keeps alive (a borrowed one its owner
    // does). Makes no stream wait: what still uses the memory must come before that in the stream's order. Memory that
    // was allocated without a stream, and host memory, is freed by a call that waits for the stream. Throws
    // InvalidArgument for another device's stream, unless it is host memory. Not to be called while another thread
    // closes the buffer.
    void set_deallocation_stream(const Stream& stream);
    void set_deallocation_stream(StreamRef stream);

    // Gives the memory up: the caller frees it, by its resource or with cuMemFree or cuMemFreeAsync.
    [[nodiscard]] DevicePointer release();
    void close() noexcept;  // idempotent
    // set_deallocation_stream(stream), then close().
    void close(const Stream& stream);
    void close(StreamRef stream);

private:
    friend class Device;
    friend class MemoryResource;
    Buffer(DevicePointer address, uint64_t size, int32_t device_id, MemoryKind kind)
        : BufferRef(address, size, device_id, kind) {}
    void free_in(StreamRef stream, std::shared_ptr<void> stream_owner);
    void take(Buffer& other) noexcept;

    // How it is freed: in this stream's order. Invalid: after all work. `stream_owner_` keeps a stream of ours alive
    // until then.
    bool is_stream_ordered_ = false;
    StreamRef stream_;
    std::shared_ptr<void> stream_owner_;
    std::shared_ptr<const MemoryResourceState> resource_;  // null: Device::allocate made it
};

}  // namespace cuprum::core
