/* Checkpoints of processes that use CUDA: one is locked, checkpointed (its GPU memory goes to the host's, and it holds
 * no GPU any more), restored and unlocked. Linux alone, with a driver of CUDA 12.8 or newer. `pid` is the number of a
 * process that the user may trace or, as far as the driver does that, of the calling one. A GPU's driver leaves a
 * process to another one; the simulator has only the calling process.
 *
 * Every call of CUDA in a locked process waits until it is unlocked, but for those below. All of them start the driver
 * in the calling process, and are CUPRUM_ERROR_INVALID_ARGUMENT where `pid` is not positive, CUPRUM_ERROR_UNSUPPORTED
 * where the driver has no checkpoints of that process, CUPRUM_ERROR_NOT_FOUND where it is too old, and
 * CUPRUM_ERROR_DRIVER where there is no such process or it is in another state. */
#ifndef CUPRUM_CAPI_CHECKPOINT_H
#define CUPRUM_CAPI_CHECKPOINT_H

#include "cuprum/capi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What has become of a process; the numbers are the driver's. */
enum {
    CUPRUM_PROCESS_RUNNING = 0,
    CUPRUM_PROCESS_LOCKED = 1,
    CUPRUM_PROCESS_CHECKPOINTED = 2,
    CUPRUM_PROCESS_FAILED = 3
};

/* CUPRUM_PROCESS_*.
 * @does asking for the state of a process
 * @blocks */
CUPRUM_API cuprum_status cuprum_checkpoint_process_state(int32_t* state_out, int32_t pid);
/* The thread of the process that has to call cuprum_checkpoint_process_restore, where it restores itself.
 * @does asking for the thread that restores a process
 * @blocks */
CUPRUM_API cuprum_status cuprum_checkpoint_process_restore_thread_id(int32_t* thread_out, int32_t pid);
/* Lets no further work of it begin, and waits for what is under way: that many milliseconds at most, then
 * CUPRUM_ERROR_DRIVER (CUDA_ERROR_NOT_READY); with 0 as long as it takes.
 * @does locking a process
 * @blocks */
CUPRUM_API cuprum_status cuprum_checkpoint_process_lock(int32_t pid, uint32_t timeout_ms);
/* Takes its GPU memory to the host's, and lets go of the GPUs. It must be locked.
 * @does checkpointing a process
 * @blocks */
CUPRUM_API cuprum_status cuprum_checkpoint_process_checkpoint(int32_t pid);
/* Gives it its GPUs back; those of `old_uuids` are replaced by those of `new_uuids`, texts as cuprum_device_uuid gives
 * them. It must be checkpointed, and is locked then. CUPRUM_ERROR_INVALID_ARGUMENT when there are not as many of both.
 * @does restoring a process
 * @nullable old_uuids new_uuids
 * @blocks */
CUPRUM_API cuprum_status cuprum_checkpoint_process_restore(int32_t pid, const char* const* old_uuids,
                                                           uint32_t old_uuid_count, const char* const* new_uuids,
                                                           uint32_t new_uuid_count);
/* Lets it go on.
 * @does unlocking a process
 * @blocks */
CUPRUM_API cuprum_status cuprum_checkpoint_process_unlock(int32_t pid);

#ifdef __cplusplus
}
#endif
#endif
