#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "cuprum/core/buffer.hpp"
#include "cuprum/core/handles.hpp"
#include "cuprum/core/stream.hpp"

namespace cuprum::core {

class Device;

// What one channel of an element is.
enum class ArrayFormat : uint8_t { uint8, uint16, uint32, int8, int16, int32, float16, float32 };

constexpr uint32_t bytes_of(ArrayFormat format) {
    switch (format) {
        case ArrayFormat::uint8:
        case ArrayFormat::int8:
            return 1;
        case ArrayFormat::uint16:
        case ArrayFormat::int16:
        case ArrayFormat::float16:
            return 2;
        default:
            return 4;
    }
}

// In elements; 0 for dimensions that there are not: {64, 48} has two.
struct ArrayShape {
    uint64_t width = 0;
    uint64_t height = 0;
    uint64_t depth = 0;

    constexpr int32_t dimensions() const { return depth != 0 ? 3 : height != 0 ? 2 : 1; }
    friend constexpr bool operator==(const ArrayShape&, const ArrayShape&) = default;
};

struct OpaqueArrayOptions {
    ArrayShape shape;
    ArrayFormat format = ArrayFormat::float32;
    int32_t num_channels = 1;            // 1, 2 or 4
    bool is_surface_load_store = false;  // whether a SurfaceObject can be made of it
};

// A CUDA array: device memory in an order that only the device knows, which kernels read through a TextureObject, and
// write through a SurfaceObject. It is filled and read by copies alone. Copies of the object are cheap and are the same
// array, which is destroyed with the last of them and of the objects made from it. Thread-safe.
class OpaqueArray {
public:
    OpaqueArray() = default;  // invalid
    // Its elements are not initialised. Throws InvalidArgument for an invalid shape or number of channels, OutOfMemory.
    OpaqueArray(const Device& device, const OpaqueArrayOptions& options);
    // An array that other code owns, as one of a graphics library; it is never destroyed here. Throws InvalidArgument
    // for null.
    static OpaqueArray from_handle(CUarray handle, const Device& device);

    bool is_valid() const { return state_ != nullptr; }
    // What follows throws InvalidState for an array that is not valid.
    CUarray handle() const;
    ArrayShape shape() const;
    ArrayFormat format() const;
    int32_t num_channels() const;
    uint32_t element_bytes() const;  // of all channels
    uint64_t size_bytes() const;     // of all elements
    bool is_surface_load_store() const;
    Device device() const;
    int32_t device_id() const;

    // All elements, row after row without gaps: size_bytes() bytes, in the stream's order. The other memory must have
    // at least as many: InvalidArgument otherwise. Pageable host memory is read, or written, before the call returns;
    // page-locked memory must stay until the stream is done.
    void copy_from(BufferRef source, StreamRef stream) const;
    void copy_to(BufferRef destination, StreamRef stream) const;
    void copy_from_host(const void* source, uint64_t size, StreamRef stream) const;
    void copy_to_host(void* destination, uint64_t size, StreamRef stream) const;

    // Gives up this reference; idempotent. What was made from the array keeps it.
    void close() noexcept { state_.reset(); }

    friend bool operator==(const OpaqueArray& left, const OpaqueArray& right) { return left.state_ == right.state_; }

    struct State;

private:
    friend class MipmappedArray;
    explicit OpaqueArray(std::shared_ptr<const State> state) : state_(std::move(state)) {}
    const State& state(const char* operation) const;
    std::shared_ptr<const State> state_;
};

struct MipmappedArrayOptions {
    ArrayShape shape;  // of level 0
    ArrayFormat format = ArrayFormat::float32;
    int32_t num_channels = 1;  // 1, 2 or 4
    int32_t num_levels = 1;    // at least 1, at most as many as the longest side can be halved, and one
    bool is_surface_load_store = false;
};

// An image in several sizes, each half as large as the one before. As an OpaqueArray, which each level is.
class MipmappedArray {
public:
    MipmappedArray() = default;  // invalid
    // Throws InvalidArgument for a shape, channels or levels that there are not, OutOfMemory.
    MipmappedArray(const Device& device, const MipmappedArrayOptions& options);

    bool is_valid() const { return state_ != nullptr; }
    // What follows throws InvalidState for an array that is not valid.
    CUmipmappedArray handle() const;
    ArrayShape shape() const;  // of level 0
    ArrayFormat format() const;
    int32_t num_channels() const;
    int32_t num_levels() const;
    bool is_surface_load_store() const;
    Device device() const;
    int32_t device_id() const;
    // The array of that level, which keeps the whole. Throws InvalidArgument for a level that does not exist.
    OpaqueArray get_level(int32_t level) const;

    // Gives up this reference; idempotent.
    void close() noexcept { state_.reset(); }

    friend bool operator==(const MipmappedArray& left, const MipmappedArray& right) {
        return left.state_ == right.state_;
    }

    struct State;

private:
    const State& state(const char* operation) const;
    std::shared_ptr<const State> state_;
};

}  // namespace cuprum::core
