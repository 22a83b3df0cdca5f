/* Memory that devices use: their own, or page-locked host memory. Offsets and sizes are bytes and are checked against
 * the buffer. */
#ifndef CUPRUM_CAPI_BUFFER_H
#define CUPRUM_CAPI_BUFFER_H

#include "cuprum/capi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `stream` NULL: usable from any stream when this returns. Else stream-ordered: usable in `stream` at once, freed in
 * its order; the stream is kept alive until then, unless it is itself borrowed. The caller owns the buffer. Size 0 is
 * allowed.
 * @does allocating device memory
 * @nullable stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_buffer_allocate(cuprum_buffer* buffer_out, int32_t device, uint64_t size,
                                                cuprum_stream stream);
/* Borrows memory at a device address; the caller keeps it alive. The handle is the caller's to destroy. `address` may
 * be 0 only where `size` is.
 * @does borrowing device memory
 * @blocks */
CUPRUM_API cuprum_status cuprum_buffer_from_native(cuprum_buffer* buffer_out, int32_t device, uint64_t address,
                                                   uint64_t size);
/* Owns memory from then on that was allocated from a resource and that no buffer owns. It is freed as memory of the
 * resource is, after the work in the stream; NULL: when all work that may use it is done. A pool needs a stream. The
 * caller owns the buffer. CUPRUM_ERROR_INVALID_ARGUMENT when the memory is another pool's and for a stream of another
 * device; then the memory is still the caller's.
 * @does taking memory over into a buffer
 * @nullable stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_buffer_from_resource(cuprum_buffer* buffer_out, cuprum_memory_resource resource,
                                                     uint64_t address, uint64_t size, cuprum_stream stream);
/* Page-locks host memory of the caller's for the life of the buffer: the host and the kernels of all devices use the
 * same bytes, and copies between it and a device in a stream are asynchronous. The caller owns the buffer and keeps the
 * memory until the buffer is destroyed, which waits for the stream of cuprum_buffer_set_deallocation_stream, without
 * one for all devices. CUPRUM_ERROR_INVALID_ARGUMENT when `memory` is NULL or `size` is 0, CUPRUM_ERROR_DRIVER when
 * some of the memory is page-locked already.
 * @does registering host memory
 * @nullable memory
 * @blocks */
CUPRUM_API cuprum_status cuprum_buffer_register_host_memory(cuprum_buffer* buffer_out, void* memory, uint64_t size);
/* NULL is accepted and ignored.
 * @does freeing device memory
 * @nullable buffer
 * @blocks */
CUPRUM_API cuprum_status cuprum_buffer_destroy(cuprum_buffer buffer);
/* The device address.
 * @does asking for a buffer's address
 * @property handle
 * @by_hand python */
CUPRUM_API cuprum_status cuprum_buffer_native(uint64_t* address_out, cuprum_buffer buffer);
/* The size in bytes.
 * @does asking for a buffer's size
 * @property
 * @by_hand python */
CUPRUM_API cuprum_status cuprum_buffer_size(uint64_t* size_out, cuprum_buffer buffer);
/* The device that the memory is on; for host memory the one that it was allocated for, though all can use it.
 * @does asking for a buffer's device
 * @property
 * @by_hand python */
CUPRUM_API cuprum_status cuprum_buffer_device(int32_t* device_out, cuprum_buffer buffer);
/* A new handle to the memory resource that the buffer was allocated from, the caller's to destroy; NULL if it was not
 * allocated from one.
 * @does asking for a buffer's memory resource */
CUPRUM_API cuprum_status cuprum_buffer_memory_resource(cuprum_memory_resource* resource_out, cuprum_buffer buffer);
/* Whether kernels can use the memory. For borrowed memory the driver is asked.
 * @does asking whether a device can use a buffer
 * @truth accessible_out
 * @property */
CUPRUM_API cuprum_status cuprum_buffer_is_device_accessible(int32_t* accessible_out, cuprum_buffer buffer);
/* Whether the CPU can use the memory without a copy. For borrowed memory the driver is asked.
 * @does asking whether the host can use a buffer
 * @truth accessible_out
 * @property */
CUPRUM_API cuprum_status cuprum_buffer_is_host_accessible(int32_t* accessible_out, cuprum_buffer buffer);
/* Whether it is managed memory, which moves to where it is used. For borrowed memory the driver is asked.
 * @does asking whether a buffer is managed memory
 * @truth managed_out
 * @property */
CUPRUM_API cuprum_status cuprum_buffer_is_managed(int32_t* managed_out, cuprum_buffer buffer);
/* The address at which the CPU reads and writes the memory, without a copy, until the buffer is destroyed. It is in no
 * stream's order: wait for the work that uses it first. 0 if the buffer has no bytes. CUPRUM_ERROR_INVALID_ARGUMENT
 * when the CPU cannot use the memory.
 * @does viewing a buffer as host memory */
CUPRUM_API cuprum_status cuprum_buffer_host_address(uint64_t* address_out, cuprum_buffer buffer);
/* The memory will be freed after the work in `stream`, which is kept alive until then, unless it is itself borrowed.
 * Makes no stream wait: what still uses the memory must come before that in the stream's order. Memory that was
 * allocated without a stream, and host memory, is freed by a call that waits for the stream. Not for borrowed memory,
 * nor with a stream of another device unless it is host memory.
 * @does choosing the stream in which a buffer is freed
 * @method
 * @param stream the stream in which the memory is freed
 * @by_hand python */
CUPRUM_API cuprum_status cuprum_buffer_set_deallocation_stream(cuprum_buffer buffer, cuprum_stream stream);
/* Copies `size` bytes. `stream` NULL: in the order of the device's default stream, and done when this returns.
 * Otherwise asynchronous: the host memory must stay as it is until the stream has passed the copy. Between page-locked
 * host memory and a device it then returns at once; the driver may wait for pageable host memory. Host memory may be
 * NULL where `size` is 0.
 * @does copying from host memory
 * @nullable source stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_buffer_copy_from_host(cuprum_buffer buffer, uint64_t offset, const void* source,
                                                      uint64_t size, cuprum_stream stream);
/* @does copying to host memory
 * @nullable destination stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_buffer_copy_to_host(void* destination, cuprum_buffer buffer, uint64_t offset,
                                                    uint64_t size, cuprum_stream stream);
/* @does copying between buffers
 * @nullable stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_buffer_copy(cuprum_buffer destination, uint64_t destination_offset,
                                            cuprum_buffer source, uint64_t source_offset, uint64_t size,
                                            cuprum_stream stream);
/* Fills with a pattern of 1, 2 or 4 bytes; the buffer's size must be a multiple of it.
 * @does filling a buffer
 * @nullable stream */
CUPRUM_API cuprum_status cuprum_buffer_fill(cuprum_buffer buffer, uint32_t pattern, uint32_t pattern_size,
                                            cuprum_stream stream);
/* Managed memory, and where its pages are: locations are CUPRUM_LOCATION_*, with the device's ordinal or the NUMA node.
 * Advice holds for the whole buffer and stays until it is changed; it moves nothing. All give
 * CUPRUM_ERROR_INVALID_ARGUMENT when the memory is not managed. */

/* Moves the pages in the stream's order.
 * @does prefetching a buffer
 * @blocks */
CUPRUM_API cuprum_status cuprum_buffer_prefetch(cuprum_buffer buffer, int32_t location_kind, int32_t location_id,
                                                cuprum_stream stream);
/* Discards the content: from here on in the stream it is undefined until it is written. CUPRUM_ERROR_UNSUPPORTED when
 * the driver is older than CUDA 13.
 * @does discarding a buffer's content */
CUPRUM_API cuprum_status cuprum_buffer_discard(cuprum_buffer buffer, cuprum_stream stream);
/* The same, and moves the pages without copying them.
 * @does discarding and prefetching a buffer
 * @blocks */
CUPRUM_API cuprum_status cuprum_buffer_discard_prefetch(cuprum_buffer buffer, int32_t location_kind,
                                                        int32_t location_id, cuprum_stream stream);
/* Whether each reader gets a copy of the pages: reads are fast, writes are slow.
 * @does asking whether a buffer is mostly read
 * @truth read_mostly_out */
CUPRUM_API cuprum_status cuprum_buffer_read_mostly(int32_t* read_mostly_out, cuprum_buffer buffer);
/* @does saying whether a buffer is mostly read
 * @truth read_mostly */
CUPRUM_API cuprum_status cuprum_buffer_set_read_mostly(cuprum_buffer buffer, int32_t read_mostly);
/* Where pages stay, accessed remotely from elsewhere; CUPRUM_LOCATION_NONE: they move to where they are used.
 * @does asking for a buffer's preferred location */
CUPRUM_API cuprum_status cuprum_buffer_preferred_location(int32_t* kind_out, int32_t* id_out, cuprum_buffer buffer);
/* @does choosing a buffer's preferred location */
CUPRUM_API cuprum_status cuprum_buffer_set_preferred_location(cuprum_buffer buffer, int32_t location_kind,
                                                              int32_t location_id);
/* Whether a device, or the CPU (host memory as a whole), accesses the pages without moving them, wherever they are.
 * @does asking who accesses a buffer
 * @truth accessed_out */
CUPRUM_API cuprum_status cuprum_buffer_accessed_by(int32_t* accessed_out, cuprum_buffer buffer, int32_t location_kind,
                                                   int32_t location_id);
/* @does saying who accesses a buffer
 * @truth accessed */
CUPRUM_API cuprum_status cuprum_buffer_set_accessed_by(cuprum_buffer buffer, int32_t location_kind, int32_t location_id,
                                                       int32_t accessed);

#ifdef __cplusplus
}
#endif
#endif
