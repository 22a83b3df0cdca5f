// Tensor maps: what a program asks for, checked as the driver's documentation says, and encoded into the layout that
// the engine reads (engine/memory/tensor_map.hpp).
#pragma once

#include "driver/process/cuda_api.hpp"
#include "engine/memory/tensor_map.hpp"

namespace cuprum::simulator::libcuda {

// What all kinds of maps have in common, as the program gives it; `strides` has rank - 1 elements, the others rank.
struct TensorDescription {
    CUtensorMapDataType type;
    cuuint32_t rank;
    const void* address;
    const cuuint64_t* sizes;
    const cuuint64_t* strides;
    const cuuint32_t* element_strides;
    CUtensorMapInterleave interleave;
    CUtensorMapSwizzle swizzle;
    CUtensorMapL2promotion l2_promotion;
    CUtensorMapFloatOOBfill fill;
};

// Each throws DriverError with what is wrong with the description.
TensorMap tiled_map(const TensorDescription& description, const cuuint32_t* box);
// The corners are given in the order D, H, W, as many of them as the rank has (rank - 2).
TensorMap im2col_map(const TensorDescription& description, const int* lower_corner, const int* upper_corner,
                     cuuint32_t channels, cuuint32_t pixels);
TensorMap im2col_wide_map(const TensorDescription& description, CUtensorMapIm2ColWideMode mode, int lower_corner,
                          int upper_corner, cuuint32_t channels, cuuint32_t pixels);

// Throws CUDA_ERROR_INVALID_VALUE if it is null, misaligned, or, for decode(), if it is none.
void require_place(const CUtensorMap* place);
TensorMap decode(const CUtensorMap* map);
void encode(const TensorMap& map, CUtensorMap& result);
void replace_address(TensorMap& map, const void* address);

}  // namespace cuprum::simulator::libcuda
