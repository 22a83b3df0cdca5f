#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <utility>

#include "cuprum/core/handles.hpp"
#include "cuprum/core/host_range.hpp"

namespace cuprum::core {

class StreamRef;
class Stream;
class Device;

using DevicePointer = uint64_t;  // CUdeviceptr

// Device memory that somebody else owns. Copies are checked against `size`: what does not fit throws InvalidArgument;
// a default-constructed, closed or moved-from buffer throws InvalidState; 0 bytes are always fine.
//
// Copies without a stream take place in the legacy default stream's order (after the work so far of all blocking
// streams; work in a nonblocking stream is waited for by its own sync()) and return when they are done. Those with a
// stream are asynchronous: the host memory must stay as it is until the stream has passed them.
class BufferRef {
public:
    BufferRef() = default;  // invalid
    static BufferRef from_handle(DevicePointer address, uint64_t size, int32_t device_id = 0);

    bool is_valid() const { return valid_; }
    DevicePointer handle() const { return address_; }
    // Where the handle itself is stored: what a launch hands to the driver.
    const DevicePointer* address_of_handle() const { return &address_; }
    uint64_t size() const { return size_; }  // bytes
    int32_t device_id() const { return device_id_; }
    // The part [offset, offset + size).
    BufferRef slice(uint64_t offset, uint64_t size) const;

    void copy_from_host(const void* source, uint64_t size) const;
    void copy_from_host(const void* source, uint64_t size, StreamRef stream) const;
    void copy_to_host(void* destination, uint64_t size) const;
    void copy_to_host(void* destination, uint64_t size, StreamRef stream) const;
    void copy_from(BufferRef source, StreamRef stream) const;  // source.size() bytes, device to device
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

    friend bool operator==(const BufferRef&, const BufferRef&) = default;

protected:
    BufferRef(DevicePointer address, uint64_t size, int32_t device_id)
        : address_(address), size_(size), device_id_(device_id), valid_(true) {}

    template <HostRange Range>
    static uint64_t bytes_in(const Range& range) {
        return std::ranges::size(range) * sizeof(std::ranges::range_value_t<Range>);
    }

    DevicePointer address_ = 0;
    uint64_t size_ = 0;
    int32_t device_id_ = 0;
    bool valid_ = false;
};

// Owns device memory; made by Device::allocate.
class Buffer : public BufferRef {
public:
    Buffer() = default;  // invalid
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer();

    // Gives the memory up: the caller frees it, with cuMemFree or cuMemFreeAsync.
    [[nodiscard]] DevicePointer release();
    void close() noexcept;  // idempotent

private:
    friend class Device;
    Buffer(DevicePointer address, uint64_t size, int32_t device_id) : BufferRef(address, size, device_id) {}

    // How it is freed: in this stream's order, or at once. `stream_owner_` keeps a stream of ours alive until then.
    bool is_stream_ordered_ = false;
    CUstream stream_ = nullptr;
    std::shared_ptr<void> stream_owner_;
};

}  // namespace cuprum::core
