/* Memory resources: what buffers are allocated from. A resource lives as long as its handles and its buffers do. */
#ifndef CUPRUM_CAPI_MEMORY_RESOURCE_H
#define CUPRUM_CAPI_MEMORY_RESOURCE_H

#include "cuprum/capi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Page-locked host memory, each buffer a separate allocation by the driver (cuMemHostAlloc). The CPU and the kernels
 * of all devices use the same bytes, and copies between it and a device in a stream are asynchronous. The caller owns
 * the handle.
 * @does making a pinned memory resource */
CUPRUM_API cuprum_status cuprum_memory_resource_create_legacy_pinned(cuprum_memory_resource* resource_out);
/* A pool of a device's memory, from which memory is allocated and freed in the order of a stream. `max_size`: bytes,
 * rounded up by the driver; 0: as much as the device has. The caller owns the handle; the pool lives as long as the
 * resource and its buffers do.
 * @does making a memory pool
 * @blocks */
CUPRUM_API cuprum_status cuprum_memory_resource_create_device(cuprum_memory_resource* resource_out, int32_t device,
                                                              uint64_t max_size);
/* The pool from which a device's memory is allocated in a stream: the driver's own, or the one that was chosen. The
 * handle is the caller's to destroy.
 * @does asking for a device's memory resource
 * @blocks */
CUPRUM_API cuprum_status cuprum_memory_resource_of_device(cuprum_memory_resource* resource_out, int32_t device);
/* What cuprum_buffer_allocate takes a device's memory from in a stream: the program's own resource that was chosen,
 * else that pool. The handle is the caller's to destroy.
 * @does asking for a device's memory resource
 * @blocks */
CUPRUM_API cuprum_status cuprum_memory_resource_chosen(cuprum_memory_resource* resource_out, int32_t device);
/* Chooses that: a pool of the device's memory, for all CUDA code of the process, or a resource of the program's, for
 * cuprum_buffer_allocate in a stream and what the parallel algorithms need for a time. It lives until another one is
 * chosen.
 * CUPRUM_ERROR_INVALID_ARGUMENT for other resources, another device's, and memory that devices cannot use.
 * @does choosing a device's memory resource */
CUPRUM_API cuprum_status cuprum_memory_resource_use(int32_t device, cuprum_memory_resource resource);
/* A pool of page-locked host memory, which the CPU and the kernels of all devices can use. `numa_id`: the NUMA node of
 * the memory; -1: the system chooses. `max_size`: bytes, rounded up by the driver; 0: as much as there is. The caller
 * owns the handle; the pool lives as long as the resource and its buffers do. CUPRUM_ERROR_UNSUPPORTED when no device
 * supports such pools, which need CUDA 13.
 * @does making a memory pool
 * @blocks */
CUPRUM_API cuprum_status cuprum_memory_resource_create_pinned(cuprum_memory_resource* resource_out, int32_t numa_id,
                                                              uint64_t max_size);
/* The driver's own pool of page-locked host memory. The handle is the caller's to destroy. CUPRUM_ERROR_UNSUPPORTED
 * when no device supports such pools.
 * @does asking for the pool of pinned memory
 * @blocks */
CUPRUM_API cuprum_status cuprum_memory_resource_of_pinned_memory(cuprum_memory_resource* resource_out);
/* A pool of managed memory, which moves to where it is used. The location is the preferred one of its pages: one
 * of CUPRUM_LOCATION_*, with the device's ordinal or the NUMA node. The caller owns the handle; the pool lives as long
 * as the resource and its buffers do. CUPRUM_ERROR_UNSUPPORTED when the driver does not support such pools, which need
 * CUDA 13.
 * @does making a memory pool
 * @blocks */
CUPRUM_API cuprum_status cuprum_memory_resource_create_managed(cuprum_memory_resource* resource_out,
                                                               int32_t location_kind, int32_t location_id);
/* The driver's own pool of managed memory. The handle is the caller's to destroy. CUPRUM_ERROR_UNSUPPORTED when it
 * has none.
 * @does asking for the pool of managed memory
 * @blocks */
CUPRUM_API cuprum_status cuprum_memory_resource_of_managed_memory(cuprum_memory_resource* resource_out);
/* Its buffers keep their memory. NULL is accepted and ignored.
 * @does destroying a memory resource
 * @nullable resource */
CUPRUM_API cuprum_status cuprum_memory_resource_destroy(cuprum_memory_resource resource);
/* `size` bytes, usable from any stream when this returns; 0 gives an empty buffer. With a stream the memory is freed
 * after the work in it, as cuprum_buffer_set_deallocation_stream says. A pool needs a stream, of the pool's device if
 * its memory is a device's: the memory is usable in the stream at once, and freed in its order. The caller owns the
 * buffer.
 * @does allocating from a memory resource
 * @nullable stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_memory_resource_allocate(cuprum_buffer* buffer_out, cuprum_memory_resource resource,
                                                         uint64_t size, cuprum_stream stream);
/* Frees memory of this resource that no buffer owns, after all work that uses it; with a stream it waits for that.
 * A pool frees memory in a stream's order, and a resource of the program's by its function. Address 0 is ignored.
 * CUPRUM_ERROR_INVALID_ARGUMENT when the memory is another pool's, CUPRUM_ERROR_DRIVER when the address is not that of
 * memory of this resource.
 * @does freeing memory of a memory resource
 * @nullable stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_memory_resource_deallocate(cuprum_memory_resource resource, uint64_t address,
                                                           uint64_t size, cuprum_stream stream);
/* Allocates while a stream's work is captured into a graph, which then allocates the memory when it is launched, at the
 * address of the buffer. A buffer that is destroyed during the capture is freed by the graph, after the work so far in
 * its stream; one that is destroyed later frees what a launch has allocated. The caller owns the handle.
 * CUPRUM_ERROR_UNSUPPORTED when the device has no memory pools.
 * @does making a graph memory resource
 * @blocks */
CUPRUM_API cuprum_status cuprum_memory_resource_create_graph(cuprum_memory_resource* resource_out, int32_t device);

/* What a device holds for its graphs: the numbers of the driver's CUgraphMem_attribute. */
enum {
    CUPRUM_GRAPH_MEMORY_USED_MEM_CURRENT = 0,
    CUPRUM_GRAPH_MEMORY_USED_MEM_HIGH = 1,
    CUPRUM_GRAPH_MEMORY_RESERVED_MEM_CURRENT = 2,
    CUPRUM_GRAPH_MEMORY_RESERVED_MEM_HIGH = 3
};

/* Bytes. CUPRUM_ERROR_INVALID_ARGUMENT when the resource is not one of graph memory.
 * @does asking for an attribute of graph memory */
CUPRUM_API cuprum_status cuprum_memory_resource_graph_attribute(uint64_t* value_out, cuprum_memory_resource resource,
                                                                int32_t attribute);
/* The highest values can be set, to 0, which makes them the current ones.
 * @does setting an attribute of graph memory */
CUPRUM_API cuprum_status cuprum_memory_resource_set_graph_attribute(cuprum_memory_resource resource, int32_t attribute,
                                                                    uint64_t value);
/* Returns memory that no graph uses to the system.
 * @does trimming graph memory
 * @blocks */
CUPRUM_API cuprum_status cuprum_memory_resource_trim_graph_memory(cuprum_memory_resource resource);
/* What memory is. */
enum {
    CUPRUM_MEMORY_DEVICE = 1,  /* a device's */
    CUPRUM_MEMORY_PINNED = 2,  /* page-locked host memory, which devices use too */
    CUPRUM_MEMORY_MANAGED = 3, /* managed memory, which moves to where it is used */
    CUPRUM_MEMORY_HOST = 4     /* host memory that no device uses */
};

/* Allocates for a resource of the program's: writes the address of `size` bytes, at least 1, that can be used in
 * `stream` at once; stream NULL: in all. Another status than CUPRUM_SUCCESS is what the caller of the allocation gets,
 * with the texts of the thread's last error if that has the same status. */
typedef cuprum_status (*cuprum_memory_allocate)(void* user_data, uint64_t size, cuprum_stream stream,
                                                uint64_t* address_out);
/* Frees what that has allocated, once. What uses the memory comes before this in the order of `stream`: free it in that
 * order, or wait for it. Stream NULL: all work is done. */
typedef void (*cuprum_memory_deallocate)(void* user_data, uint64_t address, uint64_t size, cuprum_stream stream);
/* The last use of `user_data` is gone. */
typedef void (*cuprum_memory_release)(void* user_data);

/* A resource whose memory the program allocates and frees itself. `kind`: one of CUPRUM_MEMORY_*, what the memory is,
 * which is not checked. `device`: the ordinal of the device whose memory it is, -1 for memory that belongs to none.
 * `allocate` and `deallocate` are called from any thread, also at the same time, with a device's primary context
 * current. They may use Cuprum; their stream handle is valid until they return, and no exception may leave them.
 * `release` is called when the last handle and buffer of the resource are gone, and not if this fails. Once the process
 * exits, and in a forked child, buffers are not freed. The caller owns the handle.
 * @does making a memory resource
 * @nullable release user_data
 * @blocks */
CUPRUM_API cuprum_status cuprum_memory_resource_create_user(cuprum_memory_resource* resource_out, int32_t kind,
                                                            int32_t device, cuprum_memory_allocate allocate,
                                                            cuprum_memory_deallocate deallocate,
                                                            cuprum_memory_release release, void* user_data);
/* The `user_data` of a resource of the program's; 0 for other resources.
 * @does asking for a memory resource's data */
CUPRUM_API cuprum_status cuprum_memory_resource_user_data(uint64_t* user_data_out, cuprum_memory_resource resource);
/* What a device may do with virtual memory. */
enum { CUPRUM_ACCESS_READ_WRITE = 0, CUPRUM_ACCESS_READ = 1, CUPRUM_ACCESS_NONE = 2 };

typedef struct cuprum_virtual_memory_options {
    uint32_t struct_size;
    int32_t self_access;           /* default CUPRUM_ACCESS_READ_WRITE */
    uint64_t peers;                /* default 0; bit n: device n can use the memory too */
    int32_t peer_access;           /* default CUPRUM_ACCESS_READ_WRITE */
    int32_t minimum_granularity;   /* default 0; 1: the smallest unit of sizes, not the recommended one */
    int32_t posix_file_descriptor; /* default 0; 1: can be exported to other processes as one */
    int32_t gpu_direct_rdma;       /* default 0; 1: other hardware can use the memory directly */
    uint64_t address_hint;         /* default 0: the driver chooses the addresses */
    uint64_t address_alignment;    /* bytes, a power of two; default 0: the granularity */
    int32_t location_kind;         /* where the memory is: CUPRUM_LOCATION_*; default 0: on the device */
    int32_t location_id;           /* the NUMA node, or the device itself */
} cuprum_virtual_memory_options;
#define CUPRUM_VIRTUAL_MEMORY_OPTIONS_INIT {sizeof(cuprum_virtual_memory_options), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/* Memory of a device or of the host, whose addresses and bytes are managed apart (cuMemCreate, cuMemMap), so that a
 * buffer can grow. It is usable from any stream at once. `options` NULL: the defaults. Memory of the host is
 * page-locked, and the CPU can always use it; only that of a NUMA node can be exported, and
 * CUPRUM_LOCATION_HOST_NUMA_CURRENT is the node of the calling thread. The caller owns the handle.
 * CUPRUM_ERROR_UNSUPPORTED when the device has no virtual memory management, or none of that location,
 * CUPRUM_ERROR_INVALID_ARGUMENT when a peer cannot use its memory, and for another device's location.
 * @does making a virtual memory resource
 * @nullable options
 * @blocks */
CUPRUM_API cuprum_status cuprum_memory_resource_create_virtual(cuprum_memory_resource* resource_out, int32_t device,
                                                               const cuprum_virtual_memory_options* options);
/* The unit of the sizes that buffers of a virtual memory resource occupy, in bytes.
 * @does asking for the granularity of virtual memory */
CUPRUM_API cuprum_status cuprum_memory_resource_granularity(uint64_t* bytes_out, cuprum_memory_resource resource);
/* Makes a buffer of a virtual memory resource larger. Its content stays, and is not copied; what is added is anything.
 * `buffer_out` has the memory from then on and is the caller's; `buffer` is destroyed. The address is another one where
 * the buffer outgrows the addresses reserved for it; then this waits for all devices. A failure leaves the buffer as it
 * is. No other thread may use the buffer meanwhile. CUPRUM_ERROR_INVALID_ARGUMENT when the buffer comes from another
 * resource, and for a smaller size.
 * @does growing a buffer
 * @blocks */
CUPRUM_API cuprum_status cuprum_memory_resource_modify_allocation(cuprum_buffer* buffer_out,
                                                                  cuprum_memory_resource resource, cuprum_buffer buffer,
                                                                  uint64_t new_size);
/* The same with other options, which the resource has from then on: what is added is allocated with them, and all of
 * the buffer is accessible as they say; other buffers stay as they are. The size may be what it was.
 * CUPRUM_ERROR_INVALID_ARGUMENT when the options name another location than that of the resource.
 * @does growing a buffer
 * @blocks */
CUPRUM_API cuprum_status cuprum_memory_resource_modify_allocation_with_options(
    cuprum_buffer* buffer_out, cuprum_memory_resource resource, cuprum_buffer buffer, uint64_t new_size,
    const cuprum_virtual_memory_options* options);
/* Whether kernels can use its memory.
 * @does asking who can use a memory resource's memory
 * @truth accessible_out
 * @property */
CUPRUM_API cuprum_status cuprum_memory_resource_is_device_accessible(int32_t* accessible_out,
                                                                     cuprum_memory_resource resource);
/* Whether the CPU can use its memory without a copy.
 * @does asking who can use a memory resource's memory
 * @truth accessible_out
 * @property */
CUPRUM_API cuprum_status cuprum_memory_resource_is_host_accessible(int32_t* accessible_out,
                                                                   cuprum_memory_resource resource);
/* Whether its memory is managed memory, which moves to where it is used.
 * @does asking who can use a memory resource's memory
 * @truth managed_out
 * @property */
CUPRUM_API cuprum_status cuprum_memory_resource_is_managed(int32_t* managed_out, cuprum_memory_resource resource);
/* The ordinal of the device that the memory is on; -1 for memory that belongs to no device.
 * @does asking for a memory resource's device
 * @property */
CUPRUM_API cuprum_status cuprum_memory_resource_device_id(int32_t* ordinal_out, cuprum_memory_resource resource);

/* Attributes of pools: the numbers of the driver's CUmemPool_attribute. */
enum {
    CUPRUM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1,
    CUPRUM_POOL_REUSE_ALLOW_OPPORTUNISTIC = 2,
    CUPRUM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3,
    CUPRUM_POOL_RELEASE_THRESHOLD = 4,
    CUPRUM_POOL_RESERVED_MEM_CURRENT = 5,
    CUPRUM_POOL_RESERVED_MEM_HIGH = 6,
    CUPRUM_POOL_USED_MEM_CURRENT = 7,
    CUPRUM_POOL_USED_MEM_HIGH = 8
};

/* Where memory is, or should be: the numbers of the driver's CUmemLocationType. */
enum {
    CUPRUM_LOCATION_NONE = 0,
    CUPRUM_LOCATION_DEVICE = 1,
    CUPRUM_LOCATION_HOST = 2,
    CUPRUM_LOCATION_HOST_NUMA = 3,
    CUPRUM_LOCATION_HOST_NUMA_CURRENT = 4
};

/* The CUmemoryPool, as an integer; 0 if the resource has no pool.
 * @does asking for a memory pool's handle */
CUPRUM_API cuprum_status cuprum_memory_resource_native(uint64_t* native_out, cuprum_memory_resource resource);
/* Whether the pool ends with the resource.
 * @does asking who owns a memory pool
 * @truth owned_out */
CUPRUM_API cuprum_status cuprum_memory_resource_is_handle_owned(int32_t* owned_out, cuprum_memory_resource resource);
/* Sizes in bytes. CUPRUM_ERROR_INVALID_ARGUMENT when the resource has no pool.
 * @does asking for a memory pool's attribute */
CUPRUM_API cuprum_status cuprum_memory_resource_pool_attribute(uint64_t* value_out, cuprum_memory_resource resource,
                                                               int32_t attribute);
/* Those that can be set are reuse, the threshold, and the highest values, which can be reset to 0.
 * @does setting a memory pool's attribute */
CUPRUM_API cuprum_status cuprum_memory_resource_set_pool_attribute(cuprum_memory_resource resource, int32_t attribute,
                                                                   uint64_t value);
/* Returns unused memory to the system, but keeps at least that many bytes.
 * @does trimming a memory pool
 * @blocks */
CUPRUM_API cuprum_status cuprum_memory_resource_trim_to(cuprum_memory_resource resource, uint64_t min_bytes);
/* Where the pool's memory is, or the preferred location of managed memory: CUPRUM_LOCATION_*, with the device's ordinal
 * or the NUMA node, else 0.
 * @does asking where a memory pool's memory is */
CUPRUM_API cuprum_status cuprum_memory_resource_location(int32_t* kind_out, int32_t* id_out,
                                                         cuprum_memory_resource resource);
/* Whether kernels of a device, and copies in its streams, can use the pool's memory.
 * @does asking who can use a memory pool
 * @truth accessible_out */
CUPRUM_API cuprum_status cuprum_memory_resource_is_accessible_by(int32_t* accessible_out,
                                                                 cuprum_memory_resource resource, int32_t device);
/* Sets whether a device can use the pool's memory, including what is already allocated. CUPRUM_ERROR_INVALID_ARGUMENT
 * when the device cannot access it, or would lose access to its own memory.
 * @does choosing who can use a memory pool
 * @truth accessible
 * @blocks */
CUPRUM_API cuprum_status cuprum_memory_resource_set_accessible_by(cuprum_memory_resource resource, int32_t device,
                                                                  int32_t accessible);

#ifdef __cplusplus
}
#endif
#endif
