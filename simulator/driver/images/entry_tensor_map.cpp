// Tensor maps.
#include "driver/device/device.hpp"
#include "driver/images/tensor_map.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

void require_support() {
    const std::shared_ptr<Context> context = current_context();
    if (context->device().attribute(CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED) == 0) {
        throw DriverError(CUDA_ERROR_NOT_SUPPORTED, "tensor maps need a device of compute capability 9.0 or later");
    }
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                        const cuuint64_t* sizes, const cuuint64_t* strides, const cuuint32_t* box,
                                        const cuuint32_t* element_strides, CUtensorMapInterleave interleave,
                                        CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2_promotion,
                                        CUtensorMapFloatOOBfill fill) {
    return entry("cuTensorMapEncodeTiled", [&] {
        require_support();
        require_place(map);
        const TensorDescription description{type,       rank,    address,      sizes, strides, element_strides,
                                            interleave, swizzle, l2_promotion, fill};
        encode(tiled_map(description, box), *map);
    });
}

CUresult CUDAAPI cuTensorMapEncodeIm2col(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                         const cuuint64_t* sizes, const cuuint64_t* strides, const int* lower_corner,
                                         const int* upper_corner, cuuint32_t channels, cuuint32_t pixels,
                                         const cuuint32_t* element_strides, CUtensorMapInterleave interleave,
                                         CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2_promotion,
                                         CUtensorMapFloatOOBfill fill) {
    return entry("cuTensorMapEncodeIm2col", [&] {
        require_support();
        require_place(map);
        const TensorDescription description{type,       rank,    address,      sizes, strides, element_strides,
                                            interleave, swizzle, l2_promotion, fill};
        encode(im2col_map(description, lower_corner, upper_corner, channels, pixels), *map);
    });
}

CUresult CUDAAPI cuTensorMapEncodeIm2colWide(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                             const cuuint64_t* sizes, const cuuint64_t* strides, int lower_corner,
                                             int upper_corner, cuuint32_t channels, cuuint32_t pixels,
                                             const cuuint32_t* element_strides, CUtensorMapInterleave interleave,
                                             CUtensorMapIm2ColWideMode mode, CUtensorMapSwizzle swizzle,
                                             CUtensorMapL2promotion l2_promotion, CUtensorMapFloatOOBfill fill) {
    return entry("cuTensorMapEncodeIm2colWide", [&] {
        require_support();
        require_place(map);
        const TensorDescription description{type,       rank,    address,      sizes, strides, element_strides,
                                            interleave, swizzle, l2_promotion, fill};
        encode(im2col_wide_map(description, mode, lower_corner, upper_corner, channels, pixels), *map);
    });
}

CUresult CUDAAPI cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
    return entry("cuTensorMapReplaceAddress", [&] {
        require_support();
        TensorMap decoded = decode(map);
        replace_address(decoded, address);
        encode(decoded, *map);
    });
}

}  // extern "C"
