// CUDA arrays: memory that is addressed by coordinates, and that textures would read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

class Context;

// One, two or three dimensions, or layers of one or two. Its bytes are the simulator's own, row after row, poisoned
// when fresh. Copies reach them; kernels do not, as there are no textures. Immutable but for the bytes.
class Array {
public:
    // Throws DriverError for descriptors of what there is not.
    Array(std::shared_ptr<Context> context, const CUDA_ARRAY3D_DESCRIPTOR& descriptor);
    ~Array();
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;

    const std::shared_ptr<Context>& context() const { return context_; }
    const CUDA_ARRAY3D_DESCRIPTOR& descriptor() const { return descriptor_; }
    size_t element_bytes() const { return element_bytes_; }
    size_t row_bytes() const { return descriptor_.Width * element_bytes_; }
    size_t rows() const { return descriptor_.Height == 0 ? 1 : descriptor_.Height; }
    size_t slices() const { return descriptor_.Depth == 0 ? 1 : descriptor_.Depth; }
    std::byte* bytes() const { return bytes_; }

private:
    const std::shared_ptr<Context> context_;
    const CUDA_ARRAY3D_DESCRIPTOR descriptor_;
    const size_t element_bytes_;
    size_t size_ = 0;
    std::byte* bytes_ = nullptr;
};

}  // namespace cuprum::simulator::libcuda
