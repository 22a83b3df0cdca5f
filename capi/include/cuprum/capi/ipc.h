/* Memory that processes share: pools of a device's memory and of page-locked host memory, by file descriptors, and
 * their buffers, by plain bytes. */
#ifndef CUPRUM_CAPI_IPC_H
#define CUPRUM_CAPI_IPC_H

#include "cuprum/capi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As cuprum_memory_resource_create_device; other processes can open the pool and its buffers.
 * @does making a memory pool
 * @blocks */
CUPRUM_API cuprum_status cuprum_memory_resource_create_shareable(cuprum_memory_resource* resource_out, int32_t device,
                                                                 uint64_t max_size);
/* As cuprum_memory_resource_create_pinned; other processes can open the pool and its buffers. `numa_id` -1: the node
 * that is nearest to the current device.
 * @does making a memory pool
 * @blocks */
CUPRUM_API cuprum_status cuprum_memory_resource_create_shareable_pinned(cuprum_memory_resource* resource_out,
                                                                        int32_t numa_id, uint64_t max_size);
/* A new file descriptor that stands for the pool, the caller's to close. Another process opens the pool with a
 * descriptor of its own, which it inherits or gets over a Unix socket. CUPRUM_ERROR_INVALID_STATE when the pool cannot
 * be shared, or is another process's.
 * @does sharing a memory pool */
CUPRUM_API cuprum_status cuprum_memory_resource_allocation_handle(int32_t* descriptor_out,
                                                                  cuprum_memory_resource resource);
/* Opens another process's pool by a file descriptor, which stays the caller's. Nothing can be allocated from it; its
 * buffers are opened with cuprum_buffer_from_ipc_handle. The caller owns the handle.
 * @does opening another process's memory pool
 * @blocks */
CUPRUM_API cuprum_status cuprum_memory_resource_from_allocation_handle(cuprum_memory_resource* resource_out,
                                                                       int32_t device, int32_t descriptor);
/* The same for a pool of page-locked host memory.
 * @does opening another process's memory pool
 * @blocks */
CUPRUM_API cuprum_status cuprum_memory_resource_pinned_from_allocation_handle(cuprum_memory_resource* resource_out,
                                                                              int32_t descriptor);
/* Whether other processes can open it, or it is another process's.
 * @does asking whether processes share a memory pool
 * @truth enabled_out */
CUPRUM_API cuprum_status cuprum_memory_resource_is_ipc_enabled(int32_t* enabled_out, cuprum_memory_resource resource);
/* Whether it is another process's pool.
 * @does asking whether processes share a memory pool
 * @truth mapped_out */
CUPRUM_API cuprum_status cuprum_memory_resource_is_mapped(int32_t* mapped_out, cuprum_memory_resource resource);
/* The bytes that another process opens the buffer with, and their number, 64; the buffer's size goes with them. The
 * buffer must be the beginning of memory of a pool that can be shared (CUPRUM_ERROR_INVALID_ARGUMENT).
 * @does sharing a buffer */
CUPRUM_API cuprum_status cuprum_buffer_ipc_handle(const void** bytes_out, uint64_t* size_out, cuprum_buffer buffer);
/* Opens another process's buffer of `buffer_size` bytes, in a pool of that process; freed in the order of `stream`. It
 * must be destroyed, and that work be done, before the other process frees it. No stream is ordered after the other
 * process's work. The caller owns the buffer.
 * @does opening another process's buffer
 * @blocks */
CUPRUM_API cuprum_status cuprum_buffer_from_ipc_handle(cuprum_buffer* buffer_out, cuprum_memory_resource resource,
                                                       const void* handle, uint64_t handle_size, uint64_t buffer_size,
                                                       cuprum_stream stream);

#ifdef __cplusplus
}
#endif
#endif
