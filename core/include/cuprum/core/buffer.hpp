#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "cuprum/core/handles.hpp"

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

    template <class T>
        requires std::is_trivially_copyable_v<T>
    void copy_from_host(std::span<const T> source) const {
        copy_from_host(source.data(), source.size_bytes());
    }
    template <class T>
        requires std::is_trivially_copyable_v<T>
    void copy_to_host(std::span<T> destination) const {
        copy_to_host(destination.data(), destination.size_bytes());
    }

    friend bool operator==(const BufferRef&, const BufferRef&) = default;

protected:
    BufferRef(DevicePointer address, uint64_t size, int32_t device_id)
        : address_(address), size_(size), device_id_(device_id), valid_(true) {}
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
