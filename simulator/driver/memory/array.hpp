// CUDA arrays: memory that is addressed by coordinates, which textures and surfaces read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "driver/process/cuda_api.hpp"
#include "engine/memory/image.hpp"

namespace cuprum::simulator::libcuda {

class Context;

// What elements of this format are. Throws DriverError for formats and numbers of channels that there are not.
ImageFormat image_format(CUarray_format format, unsigned int channels);

// One, two or three dimensions, layers of one or two, a cube or layers of cubes. Its bytes are the simulator's own, row
// after row, poisoned when fresh. Immutable but for the bytes.
class Array {
public:
    // Throws DriverError for descriptors of what there is not. `of_mipmap`: it is a level of a mipmapped array.
    Array(std::shared_ptr<Context> context, const CUDA_ARRAY3D_DESCRIPTOR& descriptor, bool of_mipmap = false);
    ~Array();
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;

    const std::shared_ptr<Context>& context() const { return context_; }
    const CUDA_ARRAY3D_DESCRIPTOR& descriptor() const { return descriptor_; }
    const ImageFormat& format() const { return format_; }
    bool is_level() const { return of_mipmap_; }
    bool layered() const { return (descriptor_.Flags & CUDA_ARRAY3D_LAYERED) != 0; }
    bool cube() const { return (descriptor_.Flags & CUDA_ARRAY3D_CUBEMAP) != 0; }
    uint32_t dimensions() const;  // without layers
    size_t element_bytes() const { return format_.element_bytes(); }
    size_t row_bytes() const { return descriptor_.Width * element_bytes(); }
    size_t rows() const { return descriptor_.Height == 0 ? 1 : descriptor_.Height; }
    size_t slices() const { return descriptor_.Depth == 0 ? 1 : descriptor_.Depth; }
    std::byte* bytes() const { return bytes_; }
    ImageLevel level() const;
    std::string describe() const;  // "an array of 64 x 64 elements"

private:
    const std::shared_ptr<Context> context_;
    const CUDA_ARRAY3D_DESCRIPTOR descriptor_;
    const ImageFormat format_;
    const bool of_mipmap_;
    size_t size_ = 0;
    std::byte* bytes_ = nullptr;
};

}  // namespace cuprum::simulator::libcuda
