// Tensor maps: what the tensor memory accelerator of a device (compute capability 9.0) copies boxes of a tensor by.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cuprum/core/buffer.hpp"

namespace cuprum::core {

class Device;

// The driver's numbers (CUtensorMapDataType).
enum class TensorMapDataType : int32_t {
    uint8 = 0,
    uint16 = 1,
    uint32 = 2,
    int32 = 3,
    uint64 = 4,
    int64 = 5,
    float16 = 6,
    float32 = 7,
    float64 = 8,
    bfloat16 = 9,
    float32_ftz = 10,  // subnormal numbers become zero
    tfloat32 = 11,
    tfloat32_ftz = 12,
};
uint32_t bytes_of(TensorMapDataType type);  // throws InvalidArgument for what is none

// The driver's numbers (CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill).
enum class TensorMapInterleave : int32_t { none = 0, interleave_16b = 1, interleave_32b = 2 };
enum class TensorMapSwizzle : int32_t { none = 0, swizzle_32b = 1, swizzle_64b = 2, swizzle_128b = 3 };
enum class TensorMapL2Promotion : int32_t { none = 0, l2_64b = 1, l2_128b = 2, l2_256b = 3 };
enum class TensorMapOOBFill : int32_t { none = 0, nan_request_zero_fma = 1 };
// CUtensorMapIm2ColWideMode.
enum class TensorMapIm2ColWideMode : int32_t { w = 0, w128 = 1 };

// A tensor in device memory. Dimensions are in the order of C: the last one is the innermost.
struct TensorMapTensor {
    DevicePointer address = 0;  // aligned to 16 bytes
    TensorMapDataType data_type = TensorMapDataType::float32;
    std::vector<uint64_t> shape;  // 1 to 5 dimensions, in elements
    // In elements, those of `shape`; the last one is 1. Empty: as in C, without padding. All but the last are multiples
    // of 16 bytes.
    std::vector<uint64_t> strides = {};
};

// What all kinds of maps have. The device's rules are the driver's; what it refuses is a DriverError, which names the
// documented rule that is broken.
struct TensorMapDescriptorOptions {
    // Of every n-th element of a dimension, 1 to 8; empty: all. Of the last dimension it is ignored unless the tensor
    // is interleaved.
    std::vector<uint32_t> element_strides = {};
    TensorMapInterleave interleave = TensorMapInterleave::none;
    TensorMapSwizzle swizzle = TensorMapSwizzle::none;
    TensorMapL2Promotion l2_promotion = TensorMapL2Promotion::none;
    TensorMapOOBFill oob_fill = TensorMapOOBFill::none;
};

// A tensor map. A value of 128 bytes, which a kernel takes as `const __grid_constant__ CUtensorMap`: launch(stream,
// config, kernel, map). It keeps no memory. Of one thread at a time.
class alignas(128) TensorMapDescriptor {
public:
    TensorMapDescriptor() = default;  // invalid

    // Boxes of the tensor, of box_dim elements in each dimension (1 to 256; the last one times the element's size is a
    // multiple of 16 bytes). Throws InvalidArgument where ranks differ, Unsupported where the device has no tensor
    // maps.
    static TensorMapDescriptor tiled(const Device& device, const TensorMapTensor& tensor,
                                     const std::vector<uint32_t>& box_dim,
                                     const TensorMapDescriptorOptions& options = {});
    // Columns of pixels, as convolutions want them, of tensors of 3 to 5 dimensions, {N, D, H, W, C} or without D, or
    // without D and H. The corners bound the pixels: as many offsets as dimensions between N and C, from the
    // tensor's first and last pixel.
    static TensorMapDescriptor im2col(const Device& device, const TensorMapTensor& tensor,
                                      const std::vector<int32_t>& pixel_box_lower_corner,
                                      const std::vector<int32_t>& pixel_box_upper_corner, uint32_t channels_per_pixel,
                                      uint32_t pixels_per_column, const TensorMapDescriptorOptions& options = {});
    // The same along W alone (compute capability 10.0). Throws Unsupported where Cuprum was built with headers before
    // CUDA 12.8.
    static TensorMapDescriptor im2col_wide(const Device& device, const TensorMapTensor& tensor,
                                           int32_t pixel_box_lower_corner_width, int32_t pixel_box_upper_corner_width,
                                           uint32_t channels_per_pixel, uint32_t pixels_per_column,
                                           TensorMapIm2ColWideMode mode, const TensorMapDescriptorOptions& options);
    // One that was encoded before, by its 128 bytes.
    static TensorMapDescriptor from_bytes(const Device& device, const std::array<std::byte, 128>& bytes);

    bool is_valid() const { return device_id_ >= 0; }
    int32_t device_id() const { return device_id_; }
    const std::array<std::byte, 128>& bytes() const { return bytes_; }

    // The same tensor elsewhere. A failed call changes nothing.
    void replace_address(DevicePointer address);
    void replace_address(const BufferRef& buffer) { replace_address(buffer.handle()); }

private:
    std::array<std::byte, 128> bytes_{};
    int32_t device_id_ = -1;
};

}  // namespace cuprum::core
