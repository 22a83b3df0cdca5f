/* Memory resources: what buffers are allocated from. A resource lives as long as its handles and its buffers do. */
#ifndef CUPRUM_CAPI_MEMORY_RESOURCE_H
#define CUPRUM_CAPI_MEMORY_RESOURCE_H

#include "cuprum/capi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Page-locked host memory, each buffer an allocation of the driver's own (cuMemHostAlloc). The host and the kernels of
 * all devices use the same bytes, and copies between it and a device in a stream are asynchronous. The caller owns the
 * handle.
 * @does making a pinned memory resource */
CUPRUM_API cuprum_status cuprum_memory_resource_create_legacy_pinned(cuprum_memory_resource* resource_out);
/* Its buffers keep their memory. NULL is accepted and ignored.
 * @does destroying a memory resource
 * @nullable resource */
CUPRUM_API cuprum_status cuprum_memory_resource_destroy(cuprum_memory_resource resource);
/* `size` bytes, usable from any stream when this returns; 0 gives an empty buffer. With a stream the memory is freed
 * after the work in it, as cuprum_buffer_set_deallocation_stream says. The caller owns the buffer.
 * @does allocating from a memory resource
 * @nullable stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_memory_resource_allocate(cuprum_buffer* buffer_out, cuprum_memory_resource resource,
                                                         uint64_t size, cuprum_stream stream);
/* Frees memory of this resource that no buffer owns, after all work that uses it; with a stream it waits for that.
 * Address 0 is ignored. CUPRUM_ERROR_DRIVER when the address is not the beginning of such memory.
 * @does freeing memory of a memory resource
 * @nullable stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_memory_resource_deallocate(cuprum_memory_resource resource, uint64_t address,
                                                           uint64_t size, cuprum_stream stream);
/* Whether kernels can use its memory.
 * @does asking who can use a memory resource's memory
 * @truth accessible_out
 * @property */
CUPRUM_API cuprum_status cuprum_memory_resource_is_device_accessible(int32_t* accessible_out,
                                                                     cuprum_memory_resource resource);
/* Whether the host can use its memory without a copy.
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
/* The ordinal of the device whose memory it is; -1 for memory that belongs to no device.
 * @does asking for a memory resource's device
 * @property */
CUPRUM_API cuprum_status cuprum_memory_resource_device_id(int32_t* ordinal_out, cuprum_memory_resource resource);

#ifdef __cplusplus
}
#endif
#endif
