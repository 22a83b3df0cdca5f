/* Launching kernels. */
#ifndef CUPRUM_CAPI_LAUNCH_H
#define CUPRUM_CAPI_LAUNCH_H

#include "cuprum/capi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which of the device's domains a kernel's memory fences wait for: a fence in one does not wait for writes in the other
 * (compute capability 9.0). 0 is the stream's. */
enum { CUPRUM_MEMORY_SYNC_DOMAIN_DEFAULT = 1, CUPRUM_MEMORY_SYNC_DOMAIN_REMOTE = 2 };

/* How long data that a kernel accesses stays in the L2 cache. 0 is persisting for hits, streaming for misses. */
enum { CUPRUM_ACCESS_NORMAL = 1, CUPRUM_ACCESS_STREAMING = 2, CUPRUM_ACCESS_PERSISTING = 3 };

/* In each field 0 is the default: the stream's, the kernel's or the driver's. Where 0 is a value of its own, a
 * field `has_...` says that the one after it is set. */
typedef struct cuprum_launch_config {
    uint32_t struct_size;
    uint32_t grid_x, grid_y, grid_z;    /* blocks, or clusters where there is a cluster; default 1 */
    uint32_t block_x, block_y, block_z; /* threads; default 1 */
    uint32_t shared_memory;             /* dynamic, bytes per block; default 0 */
    int32_t is_cooperative;             /* default 0 */
    /* The kernel may start before the previous one in the stream has finished, and must wait for that one's results
     * itself (cudaGridDependencySynchronize, compute capability 9.0). */
    int32_t programmatic_stream_serialization;
    /* Blocks per cluster: they run at once on neighbouring multiprocessors and reach each other's shared memory
     * (compute capability 9.0). All 0: no cluster; else a 0 is 1. */
    uint32_t cluster_x, cluster_y, cluster_z;
    int32_t has_priority;
    int32_t priority; /* in place of the stream's; lower numbers run first */
    /* How much of a multiprocessor's combined L1 cache and shared memory should be shared memory; a hint. */
    int32_t has_shared_memory_carveout;
    int32_t preferred_shared_memory_carveout; /* percent, 0 to 100 */
    int32_t memory_sync_domain;               /* CUPRUM_MEMORY_SYNC_DOMAIN_* */
    int32_t has_memory_sync_domain_map;
    uint32_t memory_sync_domain_default; /* the device's hardware domain behind each of the two, from 0 */
    uint32_t memory_sync_domain_remote;
    /* How the L2 cache treats accesses to one range of device memory. */
    float access_policy_hit_ratio; /* the fraction of them, 0 to 1, treated as hits; 0 is none */
    uint64_t access_policy_address;
    uint64_t access_policy_size; /* bytes; 0: no window */
    int32_t access_policy_hit;   /* CUPRUM_ACCESS_* */
    int32_t access_policy_miss;  /* CUPRUM_ACCESS_*; not persisting */
} cuprum_launch_config;
#define CUPRUM_LAUNCH_CONFIG_INIT \
    {sizeof(cuprum_launch_config), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

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
 * against the kernel (CUPRUM_ERROR_ARGUMENT_MISMATCH names the position, counted from 0, what it expects and what
 * it was given), the configuration against the device (CUPRUM_ERROR_INVALID_ARGUMENT names the limit). `arguments` may
 * be NULL when `argument_count` is 0. Up to 64 arguments, a launch allocates no memory and takes no lock before the
 * driver.
 * @does launching a kernel
 * @nullable arguments */
CUPRUM_API cuprum_status cuprum_launch(cuprum_stream stream, const cuprum_launch_config* config, cuprum_kernel kernel,
                                       const cuprum_argument* arguments, uint32_t argument_count);

/* The most blocks that a cluster can have when the kernel is launched with that block and shared memory in a stream;
 * the configuration's own cluster is ignored. More than 8 only after the kernel has been allowed non-portable cluster
 * sizes (CUPRUM_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED). CUPRUM_ERROR_UNSUPPORTED on a device without clusters.
 * @does asking for the largest cluster */
CUPRUM_API cuprum_status cuprum_kernel_max_potential_cluster_size(int32_t* cluster_size_out, cuprum_kernel kernel,
                                                                  const cuprum_launch_config* config,
                                                                  cuprum_stream stream);
/* How many clusters of the configuration's size run at once on the stream's device, or on its part of it.
 * 0 where neither the configuration nor the kernel gives a cluster's dimensions. CUPRUM_ERROR_UNSUPPORTED on a device
 * without clusters.
 * @does asking for the clusters that run at once */
CUPRUM_API cuprum_status cuprum_kernel_max_active_clusters(int32_t* clusters_out, cuprum_kernel kernel,
                                                           const cuprum_launch_config* config, cuprum_stream stream);

#ifdef __cplusplus
}
#endif
#endif
