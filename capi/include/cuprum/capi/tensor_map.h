/* Tensor maps: what the tensor memory accelerator of a device (compute capability 9.0) copies boxes of a tensor by. A
 * map is 128 bytes, a CUtensorMap, which a kernel takes as an argument: CUPRUM_ARGUMENT_BYTES, at an address that is a
 * multiple of 64. */
#ifndef CUPRUM_CAPI_TENSOR_MAP_H
#define CUPRUM_CAPI_TENSOR_MAP_H

#include "cuprum/capi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a map finds elements: boxes of the tensor; columns of pixels; columns along W alone, of pixels_per_column or of
 * 128 pixels (compute capability 10.0). */
enum {
    CUPRUM_TENSOR_MAP_TILED = 0,
    CUPRUM_TENSOR_MAP_IM2COL = 1,
    CUPRUM_TENSOR_MAP_IM2COL_WIDE_W = 2,
    CUPRUM_TENSOR_MAP_IM2COL_WIDE_W128 = 3
};

/* A map of a tensor in device memory. Dimensions are in the order of C: the last one is the innermost. Arrays have
 * `rank` elements that count. Numbers of data types, interleave, swizzle, L2 promotion and fill are the driver's
 * (CUtensorMapDataType, 0 to 12, and so on). There is no padding between the fields. */
typedef struct cuprum_tensor_map_description {
    uint32_t struct_size;
    int32_t mode; /* CUPRUM_TENSOR_MAP_* */
    int32_t data_type;
    uint32_t rank;
    uint64_t address;
    int32_t interleave;
    int32_t swizzle;
    int32_t l2_promotion;
    int32_t oob_fill;
    uint64_t shape[5];                 /* elements */
    uint64_t strides[5];               /* elements; all 0: as in C, without padding */
    uint32_t box_dim[5];               /* tiled: elements */
    uint32_t element_strides[5];       /* 1 to 8; all 0: 1 */
    int32_t pixel_box_lower_corner[3]; /* im2col: rank - 2 that count; wide: that of W alone */
    int32_t pixel_box_upper_corner[3];
    uint32_t channels_per_pixel; /* im2col */
    uint32_t pixels_per_column;
} cuprum_tensor_map_description;

/* The map of a cuprum_tensor_map_description of `size` bytes: 128 bytes, valid until the thread's next call.
 * CUPRUM_ERROR_INVALID_ARGUMENT for an invalid description, CUPRUM_ERROR_DRIVER for what the driver does not take,
 * CUPRUM_ERROR_UNSUPPORTED when the device has no tensor maps.
 * @does making a tensor map
 * @blocks */
CUPRUM_API cuprum_status cuprum_tensor_map_encode(const void** map_out, uint64_t* size_out, int32_t device,
                                                  const void* description, uint64_t size);
/* A map of the same tensor at another address: 128 bytes, valid until the thread's next call.
 * @does giving a tensor map another address
 * @blocks */
CUPRUM_API cuprum_status cuprum_tensor_map_replace_address(const void** map_out, uint64_t* size_out, int32_t device,
                                                           const void* map, uint64_t size, uint64_t address);

#ifdef __cplusplus
}
#endif
#endif
