/* Launching kernels. */
#ifndef CUPRUM_CAPI_LAUNCH_H
#define CUPRUM_CAPI_LAUNCH_H

#include "cuprum/capi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cuprum_launch_config {
    uint32_t struct_size;
    uint32_t grid_x, grid_y, grid_z;    /* blocks */
    uint32_t block_x, block_y, block_z; /* threads */
    uint32_t shared_memory;             /* dynamic, bytes per block */
    int32_t is_cooperative;
} cuprum_launch_config;

/* How one argument is given. */
enum {
    CUPRUM_ARGUMENT_BYTES = 1,    /* exactly `size` bytes at value.bytes, which must be the parameter's size */
    CUPRUM_ARGUMENT_INT = 2,      /* an integer that takes the parameter's width (1, 2, 4 or 8 bytes) if it fits */
    CUPRUM_ARGUMENT_UINT = 3,     /* the same, unsigned */
    CUPRUM_ARGUMENT_FLOAT = 4,    /* a real number: float16, float32 or float64 by the parameter's width */
    CUPRUM_ARGUMENT_BUFFER = 5,   /* value.buffer's device address, for an 8-byte parameter */
    CUPRUM_ARGUMENT_POINTER = 6   /* value.u64 is a device address, for an 8-byte parameter */
};

typedef struct cuprum_argument {
    int32_t kind;
    uint32_t size; /* for CUPRUM_ARGUMENT_BYTES; else 0 */
    union {
        const void* bytes;
        int64_t i64;
        uint64_t u64;
        double f64;
        cuprum_buffer buffer;
    } value;
} cuprum_argument;

/* Asynchronous; the arguments are read before this returns. The number of arguments and the size of each are checked
 * against the kernel (CUPRUM_ERROR_ARGUMENT_MISMATCH names the position, what it takes and what it got), the
 * configuration against the device (CUPRUM_ERROR_INVALID_ARGUMENT names the limit). `arguments` may be NULL when
 * `argument_count` is 0. */
CUPRUM_API cuprum_status cuprum_launch(cuprum_stream stream, const cuprum_launch_config* config, cuprum_kernel kernel,
                                       const cuprum_argument* arguments, uint32_t argument_count);

#ifdef __cplusplus
}
#endif
#endif
