/* Device memory. Offsets and sizes are bytes and are checked against the buffer. */
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
/* The device on which the memory lies.
 * @does asking for a buffer's device
 * @property
 * @by_hand python */
CUPRUM_API cuprum_status cuprum_buffer_device(int32_t* device_out, cuprum_buffer buffer);
/* Copies `size` bytes. `stream` NULL: in the order of the device's default stream, and done when this returns. Else
 * asynchronous: the host memory must stay as it is until the stream has passed the copy. Host memory may be NULL where
 * `size` is 0.
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

#ifdef __cplusplus
}
#endif
#endif
