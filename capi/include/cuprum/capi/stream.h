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
    int32_t ipc_enabled;    /* default 0; 1: can be shared with other processes, and cannot measure time */
} cuprum_event_options;
#define CUPRUM_EVENT_OPTIONS_INIT {sizeof(cuprum_event_options), 0, 0, 0}

/* How a stream compares a word of memory with the value that it waits for. */
enum {
    CUPRUM_WAIT_GREATER_OR_EQUAL = 0, /* word - value, taken as a signed number, is not negative */
    CUPRUM_WAIT_EQUAL = 1,
    CUPRUM_WAIT_BITWISE_AND = 2, /* word & value is not 0 */
    CUPRUM_WAIT_BITWISE_NOR = 3  /* ~(word | value) is not 0 */
};

/* A function of the program's that a stream calls, with what was given with it. */
typedef void (*cuprum_host_function)(void* user_data);

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
/* Whether its work is captured into a graph instead of run, because other code has started a capture; also after the
 * capture has failed.
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
 * @by_hand python
 * @blocks */
CUPRUM_API cuprum_status cuprum_stream_wait_stream(cuprum_stream stream, cuprum_stream other);
/* Calls `function` with `user_data` on a thread of the driver's when all work so far is done; later work waits until it
 * returns. It must not use CUDA or Cuprum, and no exception may leave it. What `user_data` leads to is the caller's,
 * and must live until then. Where the context is lost first, and when the process ends, it is never called.
 * CUPRUM_ERROR_INVALID_STATE while the stream's work is captured into a graph.
 * @does launching a host function
 * @nullable user_data
 * @blocks */
CUPRUM_API cuprum_status cuprum_stream_launch_host_function(cuprum_stream stream, cuprum_host_function function,
                                                            void* user_data);
/* Makes later work in the stream wait until the word at byte `offset` of the buffer fulfils the condition
 * (CUPRUM_WAIT_*), whoever writes it; put work of the device that writes it into its stream before this, as streams may
 * share a queue of the hardware. `flush`: 1: what other devices have written before is then visible, too, where
 * the device can do that. The buffer must live until the stream has passed this. CUPRUM_ERROR_INVALID_ARGUMENT when the
 * word is not aligned to its size or not inside the buffer, and for memory of a pool and managed memory.
 * @does making a stream wait for a value
 * @truth flush
 * @blocks */
CUPRUM_API cuprum_status cuprum_stream_wait_value32(cuprum_stream stream, cuprum_buffer buffer, uint64_t offset,
                                                    uint32_t value, int32_t condition, int32_t flush);
/* The same with a word of 8 bytes.
 * @does making a stream wait for a value
 * @truth flush
 * @blocks */
CUPRUM_API cuprum_status cuprum_stream_wait_value64(cuprum_stream stream, cuprum_buffer buffer, uint64_t offset,
                                                    uint64_t value, int32_t condition, int32_t flush);
/* Writes the word at byte `offset` of the buffer after all work so far, and after the memory that it wrote has become
 * visible. Buffer and errors as above.
 * @does writing a value in a stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_stream_write_value32(cuprum_stream stream, cuprum_buffer buffer, uint64_t offset,
                                                     uint32_t value);
/* The same with a word of 8 bytes.
 * @does writing a value in a stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_stream_write_value64(cuprum_stream stream, cuprum_buffer buffer, uint64_t offset,
                                                     uint64_t value);

/* `options` may be NULL for the defaults. The caller owns the event.
 * @does creating an event
 * @nullable options
 * @blocks */
CUPRUM_API cuprum_status cuprum_event_create(cuprum_event* event_out, int32_t device,
                                             const cuprum_event_options* options);
/* What another process opens the event with: 64 bytes, valid until the thread's next call. CUPRUM_ERROR_INVALID_STATE
 * when the event was made without ipc_enabled.
 * @does sharing an event
 * @blocks */
CUPRUM_API cuprum_status cuprum_event_ipc_handle(const void** bytes_out, uint64_t* size_out, cuprum_event event);
/* Opens the event that another process shares, for work of the device. `blocking_sync`: 1: waiting sleeps instead of
 * spinning. The caller owns the event, which goes on when its maker has destroyed it. CUPRUM_ERROR_DRIVER when this
 * process has made it itself.
 * @does opening another process's event
 * @truth blocking_sync
 * @blocks */
CUPRUM_API cuprum_status cuprum_event_from_ipc_handle(cuprum_event* event_out, int32_t device, const void* handle,
                                                      uint64_t size, int32_t blocking_sync);
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
/* Whether the event is complete.
 * @does asking whether an event has happened
 * @truth done_out
 * @property
 * @by_hand python */
CUPRUM_API cuprum_status cuprum_event_is_done(int32_t* done_out, cuprum_event event);
/* Waits until the event is complete.
 * @does waiting for an event
 * @method
 * @by_hand python
 * @blocks */
CUPRUM_API cuprum_status cuprum_event_sync(cuprum_event event);
/* Milliseconds from `start` to `end`. CUPRUM_ERROR_INVALID_STATE when one of them was made without timing or was
 * never recorded, CUPRUM_ERROR_NOT_READY when one of them is not yet complete.
 * @does measuring the time between two events */
CUPRUM_API cuprum_status cuprum_event_elapsed_time(float* milliseconds_out, cuprum_event start, cuprum_event end);

#ifdef __cplusplus
}
#endif
#endif
