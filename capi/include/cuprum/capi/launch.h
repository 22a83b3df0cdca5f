/* Launching kernels. */
#ifndef CUPRUM_CAPI_LAUNCH_H
#define CUPRUM_CAPI_LAUNCH_H

#include "cuprum/capi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cuprum_launch_config {
    uint32_t struct_size;
    uint32_t grid_x, grid_y, grid_z;    /* blocks; default 1 */
    uint32_t block_x, block_y, block_z; /* threads; default 1 */
    uint32_t shared_memory;             /* dynamic, bytes per block; default 0 */
    int32_t is_cooperative;             /* default 0 */
} cuprum_launch_config;

/* How one argument is given. Compiled kernels tell how wide their parameters are, not what type they have. So numbers
 * take the parameter's width, and it is for the caller to know whether an integer or a real number is meant: an integer
 * given for a `float` is stored as an integer, 1 for 1.4e-45f.
 *
 * INT: -2^(w-1) to 2^w - 1 for a parameter of w bits, since it may be signed or unsigned. UINT: 0 to 2^w - 1. The
 * parameter must be 1, 2, 4 or 8 bytes wide. What does not fit is an error.
 *
 * FLOAT: stored as float16, float32 or float64 in a parameter of 2, 4 or 8 bytes, rounded once, to the nearest, ties to
 * even. A finite number that would become an infinity is an error; one that is too small becomes a subnormal or 0. */
enum {
    CUPRUM_ARGUMENT_BYTES = 1,  /* exactly `size` bytes at value.bytes, which must be the parameter's size */
    CUPRUM_ARGUMENT_INT = 2,    /* the integer value.i64 */
    CUPRUM_ARGUMENT_UINT = 3,   /* the integer value.u64 */
    CUPRUM_ARGUMENT_FLOAT = 4,  /* the real number value.f64 */
    CUPRUM_ARGUMENT_BUFFER = 5, /* value.buffer's device address, for an 8-byte parameter; not NULL */
    CUPRUM_ARGUMENT_POINTER = 6 /* value.u64 is a device address, or 0, for an 8-byte parameter */
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

/* Asynchronous; the arguments are read before this returns. The number of arguments and each of them are checked
 * against the kernel (CUPRUM_ERROR_ARGUMENT_MISMATCH names the position, counted from 0, what it takes and what it
 * got), the configuration against the device (CUPRUM_ERROR_INVALID_ARGUMENT names the limit). `arguments` may be NULL
 * when `argument_count` is 0. Up to 64 arguments, a launch allocates no memory and takes no lock before the driver.
 * @nullable arguments */
CUPRUM_API cuprum_status cuprum_launch(cuprum_stream stream, const cuprum_launch_config* config, cuprum_kernel kernel,
                                       const cuprum_argument* arguments, uint32_t argument_count);

#ifdef __cplusplus
}
#endif
#endif
