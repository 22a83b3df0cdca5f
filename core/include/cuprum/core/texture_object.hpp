#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "cuprum/core/buffer.hpp"
#include "cuprum/core/opaque_array.hpp"

namespace cuprum::core {

class Device;

enum class AddressMode : int32_t { wrap = 0, clamp = 1, mirror = 2, border = 3 };
enum class FilterMode : int32_t { point = 0, linear = 1 };
// What kernels get of integers of 8 and 16 bits: themselves, or floats from 0, or -1, to 1.
enum class ReadMode : int32_t { element_type = 0, normalized_float = 1 };

// The memory that a texture or a surface object reads. It keeps arrays; a buffer is the caller's to keep for as long as
// the texture object is in use.
class ResourceDescriptor {
public:
    enum class Kind : uint8_t { none, opaque_array, mipmapped_array, linear, pitch2d };

    ResourceDescriptor() = default;  // invalid
    static ResourceDescriptor from_opaque_array(OpaqueArray array);
    static ResourceDescriptor from_mipmapped_array(MipmappedArray array);
    // A row of elements in a buffer: `size_bytes` of it, or all. Kernels read it by number, without filtering. Throws
    // InvalidArgument where the buffer has not as many bytes, or the channels are not 1, 2 or 4.
    static ResourceDescriptor from_linear(const BufferRef& buffer, ArrayFormat format, int32_t num_channels,
                                          std::optional<uint64_t> size_bytes = std::nullopt);
    // Rows of elements in a buffer, `pitch_bytes` apart: a multiple of the device's texture pitch alignment.
    static ResourceDescriptor from_pitch2d(const BufferRef& buffer, ArrayFormat format, int32_t num_channels,
                                           uint64_t width, uint64_t height, uint64_t pitch_bytes);

    Kind kind() const { return kind_; }
    const OpaqueArray& opaque_array() const { return array_; }          // invalid where it is not one
    const MipmappedArray& mipmapped_array() const { return mipmaps_; }  // invalid where it is not one
    const BufferRef& buffer() const { return buffer_; }                 // invalid where it is an array
    ArrayFormat format() const { return format_; }                      // of memory in a buffer, as what follows
    int32_t num_channels() const { return num_channels_; }
    uint64_t size_bytes() const { return size_bytes_; }
    uint64_t width() const { return width_; }
    uint64_t height() const { return height_; }
    uint64_t pitch_bytes() const { return pitch_bytes_; }

private:
    Kind kind_ = Kind::none;
    OpaqueArray array_;
    MipmappedArray mipmaps_;
    BufferRef buffer_;
    ArrayFormat format_ = ArrayFormat::float32;
    int32_t num_channels_ = 0;
    uint64_t size_bytes_ = 0, width_ = 0, height_ = 0, pitch_bytes_ = 0;
};

struct TextureObjectOptions {
    // What lies outside, along each axis. Without normalized coordinates wrapping and mirroring clamp.
    std::array<AddressMode, 3> address_mode{AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
    FilterMode filter_mode = FilterMode::point;
    ReadMode read_mode = ReadMode::element_type;
    bool normalized_coords = false;  // from 0 to 1, instead of 0 to the number of elements
    bool srgb = false;               // colours of 8 bits become linear
    bool disable_trilinear_optimization = false;
    bool seamless_cubemap = false;
    int32_t max_anisotropy = 0;
    FilterMode mipmap_filter_mode = FilterMode::point;  // between levels
    float mipmap_level_bias = 0;
    float min_mipmap_level_clamp = 0;
    float max_mipmap_level_clamp = 0;
    std::array<float, 4> border_color{};
};

// How kernels read an image: a number that they take as cudaTextureObject_t. Copies of the object are cheap and are the
// same texture, which is destroyed with the last of them and keeps its array until then. Thread-safe.
class TextureObject {
public:
    TextureObject() = default;  // invalid
    // Throws InvalidArgument for options that contradict each other or the resource, and InvalidState where the
    // resource is closed.
    TextureObject(const Device& device, const ResourceDescriptor& resource, const TextureObjectOptions& options = {});

    bool is_valid() const { return state_ != nullptr; }
    // What follows throws InvalidState for an object that is not valid.
    uint64_t handle() const;  // the CUtexObject
    const ResourceDescriptor& resource() const;
    const TextureObjectOptions& options() const;
    Device device() const;
    int32_t device_id() const;
    // Of the handle, which stays there as long as the object is valid: for kernel arguments.
    const uint64_t* address_of_handle() const;

    // Gives up this reference; idempotent.
    void close() noexcept { state_.reset(); }

    friend bool operator==(const TextureObject& left, const TextureObject& right) {
        return left.state_ == right.state_;
    }

    struct State;

private:
    const State& state(const char* operation) const;
    std::shared_ptr<const State> state_;
};

// How kernels write an array, and read what they have written: a number that they take as cudaSurfaceObject_t. As a
// TextureObject otherwise.
class SurfaceObject {
public:
    SurfaceObject() = default;  // invalid
    // Throws InvalidArgument unless the resource is an array made with is_surface_load_store.
    SurfaceObject(const Device& device, const ResourceDescriptor& resource);

    bool is_valid() const { return state_ != nullptr; }
    // What follows throws InvalidState for an object that is not valid.
    uint64_t handle() const;  // the CUsurfObject
    const ResourceDescriptor& resource() const;
    Device device() const;
    int32_t device_id() const;
    const uint64_t* address_of_handle() const;

    // Gives up this reference; idempotent.
    void close() noexcept { state_.reset(); }

    friend bool operator==(const SurfaceObject& left, const SurfaceObject& right) {
        return left.state_ == right.state_;
    }

    struct State;

private:
    const State& state(const char* operation) const;
    std::shared_ptr<const State> state_;
};

}  // namespace cuprum::core
