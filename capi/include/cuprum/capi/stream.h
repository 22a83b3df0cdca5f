/* Streams and events. */
#ifndef CUPRUM_CAPI_STREAM_H
#define CUPRUM_CAPI_STREAM_H

#include "cuprum/capi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cuprum_stream_options {
    uint32_t struct_size;
    int32_t blocking; /* default 0; 1: synchronises with the legacy default stream */
    int32_t priority; /* default 0; lower numbers first */
} cuprum_stream_options;
#define CUPRUM_STREAM_OPTIONS_INIT {sizeof(cuprum_stream_options), 0, 0}

typedef struct cuprum_event_options {
    uint32_t struct_size;
    int32_t timing_enabled; /* default 0 */
    int32_t blocking_sync;  /* default 0; 1: waiting sleeps instead of spinning */
} cuprum_event_options;
#define CUPRUM_EVENT_OPTIONS_INIT {sizeof(cuprum_event_options), 0, 0}

/* `options` may be NULL for the defaults. The caller owns the stream.
 * @does creating a stream
 * @nullable options
 * @blocks */
CUPRUM_API cuprum_status cuprum_stream_create(cuprum_stream* stream_out, int32_t device,
                                              const cuprum_stream_options* options);
/* The legacy default stream of a device. The handle is the caller's to destroy; the stream is not.
 * @does asking for a device's default stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_stream_default(cuprum_stream* stream_out, int32_t device);
/* Borrows a CUstream, given as its integer value; the caller keeps it alive. The handle is the caller's to destroy.
 * @does borrowing a stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_stream_from_native(cuprum_stream* stream_out, int32_t device, uint64_t native);
/* Does not wait: work in the stream goes on. NULL is accepted and ignored.
 * @does destroying a stream
 * @nullable stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_stream_destroy(cuprum_stream stream);
/* The CUstream, as an integer; valid as long as the stream is.
 * @does asking for a stream's handle
 * @property handle
 * @by_hand python */
CUPRUM_API cuprum_status cuprum_stream_native(uint64_t* native_out, cuprum_stream stream);
/* The device that the stream belongs to.
 * @does asking for a stream's device
 * @property */
CUPRUM_API cuprum_status cuprum_stream_device(int32_t* device_out, cuprum_stream stream);
/* Whether it does not synchronise with the legacy default stream.
 * @does asking whether a stream is nonblocking
 * @truth nonblocking_out
 * @property
 * @by_hand python */
CUPRUM_API cuprum_status cuprum_stream_is_nonblocking(int32_t* nonblocking_out, cuprum_stream stream);
/* The priority; lower numbers first.
 * @does asking for a stream's priority
 * @property
 * @by_hand python */
CUPRUM_API cuprum_status cuprum_stream_priority(int32_t* priority_out, cuprum_stream stream);
/* Whether all work so far has finished.
 * @does asking whether a stream's work is done
 * @truth done_out */
CUPRUM_API cuprum_status cuprum_stream_is_done(int32_t* done_out, cuprum_stream stream);
/* Whether its work is captured into a graph instead of run, since other code has begun a capture; also once that has
 * failed.
 * @does asking whether a stream is capturing
 * @truth capturing_out
 * @property */
CUPRUM_API cuprum_status cuprum_stream_is_capturing(int32_t* capturing_out, cuprum_stream stream);
/* Blocks. CUPRUM_ERROR_DEVICE_FAULT when a kernel failed.
 * @does waiting for a stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_stream_sync(cuprum_stream stream);
/* Records an event after all work so far.
 * @does recording an event
 * @method
 * @param event an event of the same device
 * @by_hand python */
CUPRUM_API cuprum_status cuprum_stream_record(cuprum_stream stream, cuprum_event event);
/* Makes later work in the stream wait for an event. Does not wait itself.
 * @does making a stream wait for an event
 * @method wait
 * @param event a recorded event
 * @by_hand python */
CUPRUM_API cuprum_status cuprum_stream_wait_event(cuprum_stream stream, cuprum_event event);
/* Makes later work in the stream wait for all work so far in another. Does not wait itself.
 * @does making a stream wait for another
 * @method wait
 * @param other the other stream
 * @by_hand python */
CUPRUM_API cuprum_status cuprum_stream_wait_stream(cuprum_stream stream, cuprum_stream other);

/* `options` may be NULL for the defaults. The caller owns the event.
 * @does creating an event
 * @nullable options
 * @blocks */
CUPRUM_API cuprum_status cuprum_event_create(cuprum_event* event_out, int32_t device,
                                             const cuprum_event_options* options);
/* NULL is accepted and ignored.
 * @does destroying an event
 * @nullable event
 * @blocks */
CUPRUM_API cuprum_status cuprum_event_destroy(cuprum_event event);
/* The CUevent, as an integer; valid as long as the event is.
 * @does asking for an event's handle
 * @property handle
 * @by_hand python */
CUPRUM_API cuprum_status cuprum_event_native(uint64_t* native_out, cuprum_event event);
/* The device that the event belongs to.
 * @does asking for an event's device
 * @property */
CUPRUM_API cuprum_status cuprum_event_device(int32_t* device_out, cuprum_event event);
/* Whether it has happened.
 * @does asking whether an event has happened
 * @truth done_out
 * @property
 * @by_hand python */
CUPRUM_API cuprum_status cuprum_event_is_done(int32_t* done_out, cuprum_event event);
/* Waits until it has happened.
 * @does waiting for an event
 * @method
 * @by_hand python
 * @blocks */
CUPRUM_API cuprum_status cuprum_event_sync(cuprum_event event);
/* Milliseconds from `start` to `end`. CUPRUM_ERROR_INVALID_STATE when either was made without timing or was never
 * recorded, CUPRUM_ERROR_NOT_READY when either has not happened yet.
 * @does measuring the time between two events */
CUPRUM_API cuprum_status cuprum_event_elapsed_time(float* milliseconds_out, cuprum_event start, cuprum_event end);

#ifdef __cplusplus
}
#endif
#endif
