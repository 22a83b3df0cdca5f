/* Images: arrays that kernels read through texture objects and write through surface objects. */
#ifndef CUPRUM_CAPI_IMAGE_H
#define CUPRUM_CAPI_IMAGE_H

#include "cuprum/capi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What one channel of an element is. */
enum {
    CUPRUM_ARRAY_UINT8 = 0,
    CUPRUM_ARRAY_UINT16 = 1,
    CUPRUM_ARRAY_UINT32 = 2,
    CUPRUM_ARRAY_INT8 = 3,
    CUPRUM_ARRAY_INT16 = 4,
    CUPRUM_ARRAY_INT32 = 5,
    CUPRUM_ARRAY_FLOAT16 = 6,
    CUPRUM_ARRAY_FLOAT32 = 7
};

/* What lies outside an image: its edge, the image again, its mirror image, the border's colour. */
enum { CUPRUM_ADDRESS_CLAMP = 0, CUPRUM_ADDRESS_WRAP = 1, CUPRUM_ADDRESS_MIRROR = 2, CUPRUM_ADDRESS_BORDER = 3 };
/* The nearest element, or one computed from those around. */
enum { CUPRUM_FILTER_POINT = 0, CUPRUM_FILTER_LINEAR = 1 };
/* What kernels get of integers of 8 and 16 bits: themselves, or floats from 0, or -1, to 1. */
enum { CUPRUM_READ_ELEMENT_TYPE = 0, CUPRUM_READ_NORMALIZED_FLOAT = 1 };

typedef struct cuprum_array_options {
    uint32_t struct_size;
    int32_t format;                /* CUPRUM_ARRAY_*; default CUPRUM_ARRAY_UINT8 */
    int32_t num_channels;          /* 1, 2 or 4; default 0: 1 */
    int32_t num_levels;            /* of mipmapped arrays, at least 1; default 0: 1 */
    uint64_t width;                /* in elements, at least 1; of level 0 */
    uint64_t height;               /* default 0: the array has one dimension */
    uint64_t depth;                /* default 0: it has no third one */
    int32_t is_surface_load_store; /* default 0; 1: a surface object can be made of it */
    int32_t reserved;              /* 0 */
} cuprum_array_options;
#define CUPRUM_ARRAY_OPTIONS_INIT {sizeof(cuprum_array_options), 0, 0, 0, 0, 0, 0, 0, 0}

/* How a texture object reads. Every default is 0. */
typedef struct cuprum_texture_options {
    uint32_t struct_size;
    int32_t address_mode_x; /* CUPRUM_ADDRESS_*; without normalized coordinates wrapping and mirroring clamp */
    int32_t address_mode_y;
    int32_t address_mode_z;
    int32_t filter_mode;                    /* CUPRUM_FILTER_* */
    int32_t read_mode;                      /* CUPRUM_READ_* */
    int32_t normalized_coords;              /* 1: from 0 to 1, instead of 0 to the number of elements */
    int32_t srgb;                           /* 1: colours of 8 bits become linear */
    int32_t disable_trilinear_optimization; /* 0 or 1 */
    int32_t seamless_cubemap;               /* 0 or 1 */
    int32_t max_anisotropy;                 /* 0 or more */
    int32_t mipmap_filter_mode;             /* CUPRUM_FILTER_*, between levels */
    float mipmap_level_bias;
    float min_mipmap_level_clamp;
    float max_mipmap_level_clamp;
    float border_x; /* the border's colour */
    float border_y;
    float border_z;
    float border_w;
} cuprum_texture_options;
#define CUPRUM_TEXTURE_OPTIONS_INIT \
    {sizeof(cuprum_texture_options), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f}

/* An array of the device: its elements are not initialised, and are reached by copies, texture objects and surface
 * objects alone. The caller owns the handle; the array lives as long as it and what was made of it.
 * CUPRUM_ERROR_INVALID_ARGUMENT when there is no array of such a shape.
 * @does creating an array
 * @blocks */
CUPRUM_API cuprum_status cuprum_opaque_array_create(cuprum_opaque_array* array_out, int32_t device,
                                                    const cuprum_array_options* options);
/* An array that other code has made, by its CUarray, and which that code destroys after the handle.
 * @does borrowing an array
 * @blocks */
CUPRUM_API cuprum_status cuprum_opaque_array_from_native(cuprum_opaque_array* array_out, int32_t device,
                                                         uint64_t native);
/* NULL is accepted and ignored.
 * @does destroying an array
 * @nullable array
 * @blocks */
CUPRUM_API cuprum_status cuprum_opaque_array_destroy(cuprum_opaque_array array);
/* The CUarray, as an integer.
 * @does asking for an array's handle
 * @property handle */
CUPRUM_API cuprum_status cuprum_opaque_array_native(uint64_t* native_out, cuprum_opaque_array array);
/* The device that it is on.
 * @does asking for an array's device
 * @property */
CUPRUM_API cuprum_status cuprum_opaque_array_device(int32_t* device_out, cuprum_opaque_array array);
/* In elements; 0 for dimensions that it has not.
 * @does asking for an array's shape */
CUPRUM_API cuprum_status cuprum_opaque_array_shape(uint64_t* width_out, uint64_t* height_out, uint64_t* depth_out,
                                                   cuprum_opaque_array array);
/* What one channel of an element is: CUPRUM_ARRAY_*.
 * @does asking for an array's format */
CUPRUM_API cuprum_status cuprum_opaque_array_format(int32_t* format_out, cuprum_opaque_array array);
/* Channels of each element.
 * @does asking for an array's channels
 * @property */
CUPRUM_API cuprum_status cuprum_opaque_array_num_channels(int32_t* channels_out, cuprum_opaque_array array);
/* Bytes of each element, all channels.
 * @does asking for the size of an array's elements
 * @property */
CUPRUM_API cuprum_status cuprum_opaque_array_element_bytes(int32_t* bytes_out, cuprum_opaque_array array);
/* Bytes of all elements.
 * @does asking for an array's size
 * @property */
CUPRUM_API cuprum_status cuprum_opaque_array_size_bytes(uint64_t* bytes_out, cuprum_opaque_array array);
/* Whether a surface object can be made of it.
 * @does asking whether an array is for surfaces
 * @truth for_surfaces_out
 * @property */
CUPRUM_API cuprum_status cuprum_opaque_array_is_surface_load_store(int32_t* for_surfaces_out,
                                                                   cuprum_opaque_array array);
/* Copies all elements out of a buffer, row after row without gaps, in the stream's order.
 * CUPRUM_ERROR_INVALID_ARGUMENT when the buffer is smaller than the array.
 * @does copying a buffer to an array */
CUPRUM_API cuprum_status cuprum_opaque_array_copy_from(cuprum_opaque_array array, cuprum_buffer source,
                                                       cuprum_stream stream);
/* Copies all elements into a buffer, row after row without gaps, in the stream's order.
 * CUPRUM_ERROR_INVALID_ARGUMENT when the buffer is smaller than the array.
 * @does copying an array to a buffer */
CUPRUM_API cuprum_status cuprum_opaque_array_copy_to(cuprum_opaque_array array, cuprum_buffer destination,
                                                     cuprum_stream stream);
/* The same out of host memory, which is read before the call returns unless it is page-locked: then it must stay until
 * the stream is done.
 * @does copying host memory to an array
 * @blocks */
CUPRUM_API cuprum_status cuprum_opaque_array_copy_from_host(cuprum_opaque_array array, const void* source,
                                                            uint64_t size, cuprum_stream stream);
/* The same into host memory, which is written when the call returns unless it is page-locked: then it must stay until
 * the stream is done.
 * @does copying an array to host memory
 * @blocks */
CUPRUM_API cuprum_status cuprum_opaque_array_copy_to_host(cuprum_opaque_array array, void* destination, uint64_t size,
                                                          cuprum_stream stream);

/* An image in several sizes, each half as large as the one before: levels, which are arrays.
 * CUPRUM_ERROR_INVALID_ARGUMENT when there is no array of such a shape, or with so many levels.
 * @does creating a mipmapped array
 * @blocks */
CUPRUM_API cuprum_status cuprum_mipmapped_array_create(cuprum_mipmapped_array* array_out, int32_t device,
                                                       const cuprum_array_options* options);
/* NULL is accepted and ignored.
 * @does destroying a mipmapped array
 * @nullable array
 * @blocks */
CUPRUM_API cuprum_status cuprum_mipmapped_array_destroy(cuprum_mipmapped_array array);
/* The CUmipmappedArray, as an integer.
 * @does asking for a mipmapped array's handle
 * @property handle */
CUPRUM_API cuprum_status cuprum_mipmapped_array_native(uint64_t* native_out, cuprum_mipmapped_array array);
/* The device that it is on.
 * @does asking for a mipmapped array's device
 * @property */
CUPRUM_API cuprum_status cuprum_mipmapped_array_device(int32_t* device_out, cuprum_mipmapped_array array);
/* Of level 0, in elements; 0 for dimensions that it has not.
 * @does asking for a mipmapped array's shape */
CUPRUM_API cuprum_status cuprum_mipmapped_array_shape(uint64_t* width_out, uint64_t* height_out, uint64_t* depth_out,
                                                      cuprum_mipmapped_array array);
/* What one channel of an element is: CUPRUM_ARRAY_*.
 * @does asking for a mipmapped array's format */
CUPRUM_API cuprum_status cuprum_mipmapped_array_format(int32_t* format_out, cuprum_mipmapped_array array);
/* Channels of each element.
 * @does asking for a mipmapped array's channels
 * @property */
CUPRUM_API cuprum_status cuprum_mipmapped_array_num_channels(int32_t* channels_out, cuprum_mipmapped_array array);
/* How many levels it has.
 * @does asking for a mipmapped array's levels
 * @property */
CUPRUM_API cuprum_status cuprum_mipmapped_array_num_levels(int32_t* levels_out, cuprum_mipmapped_array array);
/* Whether surface objects can be made of its levels.
 * @does asking whether a mipmapped array is for surfaces
 * @truth for_surfaces_out
 * @property */
CUPRUM_API cuprum_status cuprum_mipmapped_array_is_surface_load_store(int32_t* for_surfaces_out,
                                                                      cuprum_mipmapped_array array);
/* The array of one level, 0 the largest, which keeps the whole. The handle is the caller's to destroy.
 * CUPRUM_ERROR_INVALID_ARGUMENT when there is no such level.
 * @does getting a level of a mipmapped array */
CUPRUM_API cuprum_status cuprum_mipmapped_array_get_level(cuprum_opaque_array* array_out, cuprum_mipmapped_array array,
                                                          int32_t level);

/* How kernels read an array: a number that they take as cudaTextureObject_t. It keeps the array. `options` NULL: the
 * nearest element, clamped, by element numbers. The caller owns the handle, and destroys it when no kernel uses it.
 * CUPRUM_ERROR_INVALID_ARGUMENT when the options contradict each other or the array.
 * @does creating a texture object
 * @nullable options
 * @blocks */
CUPRUM_API cuprum_status cuprum_texture_object_of_opaque_array(cuprum_texture_object* texture_out, int32_t device,
                                                               cuprum_opaque_array array,
                                                               const cuprum_texture_options* options);
/* The same of all levels of a mipmapped array.
 * @does creating a texture object
 * @nullable options
 * @blocks */
CUPRUM_API cuprum_status cuprum_texture_object_of_mipmapped_array(cuprum_texture_object* texture_out, int32_t device,
                                                                  cuprum_mipmapped_array array,
                                                                  const cuprum_texture_options* options);
/* The same of a row of elements in a buffer, which is the caller's to keep: kernels read them by number.
 * @does creating a texture object
 * @nullable options
 * @blocks */
CUPRUM_API cuprum_status cuprum_texture_object_of_linear(cuprum_texture_object* texture_out, int32_t device,
                                                         cuprum_buffer buffer, int32_t format, int32_t num_channels,
                                                         uint64_t size_bytes, const cuprum_texture_options* options);
/* The same of rows of elements in a buffer, `pitch_bytes` apart.
 * @does creating a texture object
 * @nullable options
 * @blocks */
CUPRUM_API cuprum_status cuprum_texture_object_of_pitch2d(cuprum_texture_object* texture_out, int32_t device,
                                                          cuprum_buffer buffer, int32_t format, int32_t num_channels,
                                                          uint64_t width, uint64_t height, uint64_t pitch_bytes,
                                                          const cuprum_texture_options* options);
/* NULL is accepted and ignored.
 * @does destroying a texture object
 * @nullable texture
 * @blocks */
CUPRUM_API cuprum_status cuprum_texture_object_destroy(cuprum_texture_object texture);
/* The CUtexObject: what a kernel takes.
 * @does asking for a texture object's handle
 * @property handle */
CUPRUM_API cuprum_status cuprum_texture_object_native(uint64_t* native_out, cuprum_texture_object texture);
/* The device that it is of.
 * @does asking for a texture object's device
 * @property */
CUPRUM_API cuprum_status cuprum_texture_object_device(int32_t* device_out, cuprum_texture_object texture);

/* How kernels write an array, and read what they have written: a number that they take as cudaSurfaceObject_t. It keeps
 * the array. The caller owns the handle, and destroys it when no kernel uses it.
 * CUPRUM_ERROR_INVALID_ARGUMENT when the array was not made for surfaces.
 * @does creating a surface object
 * @blocks */
CUPRUM_API cuprum_status cuprum_surface_object_create(cuprum_surface_object* surface_out, int32_t device,
                                                      cuprum_opaque_array array);
/* NULL is accepted and ignored.
 * @does destroying a surface object
 * @nullable surface
 * @blocks */
CUPRUM_API cuprum_status cuprum_surface_object_destroy(cuprum_surface_object surface);
/* The CUsurfObject: what a kernel takes.
 * @does asking for a surface object's handle
 * @property handle */
CUPRUM_API cuprum_status cuprum_surface_object_native(uint64_t* native_out, cuprum_surface_object surface);
/* The device that it is of.
 * @does asking for a surface object's device
 * @property */
CUPRUM_API cuprum_status cuprum_surface_object_device(int32_t* device_out, cuprum_surface_object surface);

#ifdef __cplusplus
}
#endif
#endif
