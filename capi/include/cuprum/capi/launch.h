/* Launching kernels. */
#ifndef CUPRUM_CAPI_LAUNCH_H
#define CUPRUM_CAPI_LAUNCH_H

#include "cuprum/capi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In each number 0 is the default. */
typedef struct cuprum_launch_config {
    uint32_t struct_size;
    uint32_t grid_x, grid_y, grid_z;    /* blocks; default 1 */
    uint32_t block_x, block_y, block_z; /* threads; default 1 */
    uint32_t shared_memory;             /* dynamic, bytes per block; default 0 */
    int32_t is_cooperative;             /* default 0 */
} cuprum_launch_config;
#define CUPRUM_LAUNCH_CONFIG_INIT {sizeof(cuprum_launch_config), 0, 0, 0, 0, 0, 0, 0, 0}

/* How one argument is given. It must fit the parameter's size and, where it is known what the parameter is
 * (cuprum_kernel_argument_type), that too: a real number is refused for an integer or a pointer, an address for
 * anything but a pointer; an integer is taken for a pointer, as an address. Where it is not known, numbers take the
 * parameter's width, and the caller must know whether it is real: an integer given for a `float` is then stored as an
 * integer, 1 as 1.4e-45f.
 *
 * INT: -2^(w-1) to 2^w - 1 for a parameter of w bits, signed or unsigned. UINT: 0 to 2^w - 1. The parameter must be 1,
 * 2, 4 or 8 bytes wide. What does not fit is an error. For a parameter that is known to be real the integer is
 * converted as C does, rounded to the nearest; for one that is known to be a bool, 0 is false and all else true.
 *
 * FLOAT: stored as float16, float32 or float64 in a parameter of 2, 4 or 8 bytes, or as bfloat16 in one that is known
 * to be that, rounded once, to the nearest, ties to even. A finite number that would become an infinity is an error;
 * one that is too small becomes a subnormal or 0.
 *
 * BYTES are taken as they are, of whatever kind the parameter is. INT_BYTES and FLOAT_BYTES are so too, but are refused
 * for a parameter of a known kind that takes no integer, or no real number. */
enum {
    CUPRUM_ARGUMENT_BYTES = 1,      /* exactly `size` bytes at value.bytes, which must be the parameter's size */
    CUPRUM_ARGUMENT_INT = 2,        /* the integer value.i64 */
    CUPRUM_ARGUMENT_UINT = 3,       /* the integer value.u64 */
    CUPRUM_ARGUMENT_FLOAT = 4,      /* the real number value.f64 */
    CUPRUM_ARGUMENT_BUFFER = 5,     /* value.buffer's device address, for an 8-byte parameter; not NULL */
    CUPRUM_ARGUMENT_POINTER = 6,    /* value.u64 is a device address, or 0, for an 8-byte parameter */
    CUPRUM_ARGUMENT_INT_BYTES = 7,  /* as BYTES, of an integer or a bool in exactly the parameter's type */
    CUPRUM_ARGUMENT_FLOAT_BYTES = 8 /* as BYTES, of a float16, float32 or float64 */
};

typedef struct cuprum_argument {
    int32_t kind;  /* CUPRUM_ARGUMENT_*; there is no default */
    uint32_t size; /* for the kinds of BYTES; else 0 */
    union {
        const void* bytes;
        int64_t i64;
        uint64_t u64;
        double f64;
        cuprum_buffer buffer;
    } value;
} cuprum_argument;
#define CUPRUM_ARGUMENT_INIT \
    {                        \
        0, 0, {              \
            0                \
        }                    \
    }

/* Asynchronous; the arguments are read before this returns. The number of arguments and each of them are checked
 * against the kernel (CUPRUM_ERROR_ARGUMENT_MISMATCH names the position, counted from 0, what it takes and what it
 * got), the configuration against the device (CUPRUM_ERROR_INVALID_ARGUMENT names the limit). `arguments` may be NULL
 * when `argument_count` is 0. Up to 64 arguments, a launch allocates no memory and takes no lock before the driver.
 * @does launching a kernel
 * @nullable arguments */
CUPRUM_API cuprum_status cuprum_launch(cuprum_stream stream, const cuprum_launch_config* config, cuprum_kernel kernel,
                                       const cuprum_argument* arguments, uint32_t argument_count);

#ifdef __cplusplus
}
#endif
#endif
