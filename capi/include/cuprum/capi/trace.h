/* Ranges and marks of the program's own, for tools such as Nsight Systems (NVTX) and for Cuprum's trace
 * (cuprum_bindings_start_trace); live handles by kind. Names are UTF-8. */
#ifndef CUPRUM_CAPI_TRACE_H
#define CUPRUM_CAPI_TRACE_H

#include "cuprum/capi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Marks this moment.
 * @does marking a moment */
CUPRUM_API cuprum_status cuprum_nvtx_mark(const char* name);
/* Begins a range within the thread's innermost one. Gives how many there were before.
 * @does beginning a range */
CUPRUM_API cuprum_status cuprum_nvtx_push_range(int32_t* depth_out, const char* name);
/* Ends the thread's innermost range. Gives how many are left; -1 where there was none.
 * @does ending a range */
CUPRUM_API cuprum_status cuprum_nvtx_pop_range(int32_t* depth_out);
/* Begins a range that may end in any thread. Gives its number.
 * @does beginning a range */
CUPRUM_API cuprum_status cuprum_nvtx_start_range(uint64_t* range_out, const char* name);
/* Ends it; a range that does not exist, or has ended, is ignored.
 * @does ending a range */
CUPRUM_API cuprum_status cuprum_nvtx_end_range(uint64_t range);

/* How many kinds of handles there are.
 * @does counting the live handles */
CUPRUM_API cuprum_status cuprum_handle_kind_count(uint32_t* count_out);
/* One of them, counted from 0: its name ("stream"), and how many of it have been given out and not been destroyed.
 * CUPRUM_ERROR_INVALID_ARGUMENT when there is no such kind.
 * @does counting the live handles */
CUPRUM_API cuprum_status cuprum_live_handles_of_kind(const char** name_out, uint64_t* count_out, uint32_t kind);

#ifdef __cplusplus
}
#endif
#endif
