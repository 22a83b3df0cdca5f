/* Contexts: a device's primary one, and green ones, which have a part of its multiprocessors. */
#ifndef CUPRUM_CAPI_CONTEXT_H
#define CUPRUM_CAPI_CONTEXT_H

#include "cuprum/capi/base.h"
#include "cuprum/capi/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Multiprocessors are passed as bytes, CUPRUM_SM_RESOURCE_SIZE for each resource, which are of use in this process
 * alone. Those that are given out are valid until the thread's next call: copy them. Other bytes are
 * CUPRUM_ERROR_INVALID_ARGUMENT. */
enum { CUPRUM_SM_RESOURCE_SIZE = 232 };

/* All multiprocessors of a device.
 * @does asking for the multiprocessors
 * @blocks */
CUPRUM_API cuprum_status cuprum_sm_resource_of_device(const void** bytes_out, uint64_t* size_out, int32_t device);
/* The multiprocessors that a context's work may use.
 * @does asking for the multiprocessors
 * @blocks */
CUPRUM_API cuprum_status cuprum_sm_resource_of_context(const void** bytes_out, uint64_t* size_out,
                                                       cuprum_context context);
/* Of one resource: its device, how many multiprocessors it has, the fewest that a part can have, and what the number of
 * each part is a multiple of; the last two are 0 of what a split has made.
 * @does asking for the multiprocessors */
CUPRUM_API cuprum_status cuprum_sm_resource_info(int32_t* device_out, int32_t* sm_count_out,
                                                 int32_t* min_partition_size_out, int32_t* coscheduled_alignment_out,
                                                 const void* resource, uint64_t size);
/* Splits one resource into groups of at least `count` multiprocessors (0: as few as there can be), and gives out the
 * groups and what is left, which may be none, one after another. `backfill`: 1: finer counts, of multiprocessors
 * that need not be able to run one cluster together. What a split has made is split again only as the resource of a
 * context.
 * @does splitting multiprocessors
 * @truth backfill
 * @blocks */
CUPRUM_API cuprum_status cuprum_sm_resource_split(const void** bytes_out, uint64_t* size_out, const void* resource,
                                                  uint64_t size, int32_t count, int32_t groups, int32_t backfill);

/* Which contexts share the hardware queues that a green context's streams put their work into: all contexts share all
 * of them; where possible, no other balanced green context uses the same. */
enum { CUPRUM_WORKQUEUE_DEVICE_CONTEXT = 0, CUPRUM_WORKQUEUE_GREEN_CONTEXT_BALANCED = 1 };

/* How a device's streams get at its queues: CUPRUM_WORKQUEUE_*, and how many streams are expected to be at work at
 * once, at most. CUPRUM_ERROR_UNSUPPORTED when the driver is older than CUDA 13.1.
 * @does asking for the workqueues
 * @blocks */
CUPRUM_API cuprum_status cuprum_workqueue_of_device(int32_t* sharing_scope_out, int32_t* concurrency_limit_out,
                                                    int32_t device);
/* The same of a context.
 * @does asking for the workqueues
 * @blocks */
CUPRUM_API cuprum_status cuprum_workqueue_of_context(int32_t* sharing_scope_out, int32_t* concurrency_limit_out,
                                                     cuprum_context context);
/* As cuprum_context_create, with a workqueue: CUPRUM_WORKQUEUE_*, and how many streams are expected to be at work at
 * once, at least 1. CUPRUM_ERROR_UNSUPPORTED when the driver is older than CUDA 13.1.
 * @does creating a green context
 * @blocks */
CUPRUM_API cuprum_status cuprum_context_create_with_workqueue(cuprum_context* context_out, int32_t device,
                                                              const void* resources, uint64_t size,
                                                              int32_t sharing_scope, int32_t concurrency_limit);
/* A green context of the device, which has those multiprocessors: resources of one split, one after another. It is
 * destroyed with the last of its handle and its streams.
 * @does creating a green context
 * @blocks */
CUPRUM_API cuprum_status cuprum_context_create(cuprum_context* context_out, int32_t device, const void* resources,
                                               uint64_t size);
/* A device's primary context, which is not the caller's to destroy; the handle is.
 * @does asking for a device's context
 * @blocks */
CUPRUM_API cuprum_status cuprum_context_of_device(cuprum_context* context_out, int32_t device);
/* The context that a stream's work runs in. The handle is the caller's to destroy.
 * @does asking for a stream's context
 * @blocks */
CUPRUM_API cuprum_status cuprum_context_of_stream(cuprum_context* context_out, cuprum_stream stream);
/* The context that is current on the calling thread, whoever made it so; NULL where none is. The handle is the caller's
 * to destroy.
 * @does asking for the current context
 * @blocks */
CUPRUM_API cuprum_status cuprum_context_current(cuprum_context* context_out);
/* NULL is accepted and ignored.
 * @does destroying a context
 * @nullable context
 * @blocks */
CUPRUM_API cuprum_status cuprum_context_destroy(cuprum_context context);
/* The CUcontext, as an integer.
 * @does asking for a context's handle
 * @property handle */
CUPRUM_API cuprum_status cuprum_context_native(uint64_t* native_out, cuprum_context context);
/* The device that it belongs to.
 * @does asking for a context's device
 * @property */
CUPRUM_API cuprum_status cuprum_context_device(int32_t* device_out, cuprum_context context);
/* Whether it has a part of the device's multiprocessors.
 * @does asking whether a context is green
 * @truth green_out
 * @property */
CUPRUM_API cuprum_status cuprum_context_is_green(int32_t* green_out, cuprum_context context);
/* Makes it current on the calling thread, for code outside Cuprum that relies on it.
 * @does making a context current
 * @method */
CUPRUM_API cuprum_status cuprum_context_set_current(cuprum_context context);
/* A stream whose work uses the multiprocessors of the context, which the stream keeps. `options` may be NULL for the
 * defaults. CUPRUM_ERROR_INVALID_ARGUMENT when a green context is asked for a stream that blocks.
 * @does creating a stream
 * @nullable options
 * @blocks */
CUPRUM_API cuprum_status cuprum_context_create_stream(cuprum_stream* stream_out, cuprum_context context,
                                                      const cuprum_stream_options* options);

#ifdef __cplusplus
}
#endif
#endif
