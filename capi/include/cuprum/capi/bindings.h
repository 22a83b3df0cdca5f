/* The bindings of the driver, the runtime, NVRTC, nvJitLink and libNVVM, for languages that have no C compiler: each
 * function of each list can be called through one and the same C signature. Also what holds for all calls of a process:
 * the trace, injected faults, the default stream.
 *
 * `library` is "driver", "runtime", "nvrtc", "nvjitlink", "nvvm", "nvml" or "nccl" throughout. The texts given out are
 * static.
 */
#ifndef CUPRUM_CAPI_BINDINGS_H
#define CUPRUM_CAPI_BINDINGS_H

#include "cuprum/capi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Calls a function of a library. `arguments` has one slot for each parameter: integers (signed ones extended either
 * way), enumerators, addresses, the bits of a float or double in the low bytes; for a structure by value the address of
 * one. `result` gets the function's result likewise (a signed integer or status sign-extended), or the structure
 * itself, for which it must have room. A function that is missing gives its library's own status, and
 * cuprum_bindings_take_failure then says what is missing. Arguments, addresses among them,
 * are not checked: the caller must respect what the function requires. The calls are traced, counted for faults, and
 * resolved at the first one.
 */
typedef void (*cuprum_bindings_invoke)(const uint64_t* arguments, uint64_t* result);

/* A function of a list. */
typedef struct cuprum_bindings_function {
    uint32_t struct_size;
    int32_t version; /* the CUDA version that introduced this signature, 1000 * major + 10 * minor */
    const char* name;
    const char* symbol;    /* the name that the library exports */
    const char* signature; /* "enum:cudaError_enum,out ptr(u64) dptr,in u64 bytesize": bindings/types.hpp explains it */
    cuprum_bindings_invoke invoke;
} cuprum_bindings_function;
#define CUPRUM_BINDINGS_FUNCTION_INIT {sizeof(cuprum_bindings_function), 0, 0, 0, 0, 0}

/* The function of that public name, "cuMemAlloc". Looks nothing up in the library.
 * @does looking up a function */
CUPRUM_API cuprum_status cuprum_bindings_find(cuprum_bindings_function* function_out, const char* library,
                                              const char* name);
/* @does listing the functions of a library */
CUPRUM_API cuprum_status cuprum_bindings_function_count(uint32_t* count_out, const char* library);
/* `index` counts the list, which is sorted by name.
 * @does listing the functions of a library */
CUPRUM_API cuprum_status cuprum_bindings_function_at(cuprum_bindings_function* function_out, const char* library,
                                                     uint32_t index);
/* The address that a call goes to; opens the library. CUPRUM_ERROR_LIBRARY_NOT_FOUND or
 * CUPRUM_ERROR_SYMBOL_NOT_FOUND, with details, if it is missing. Calls of the address are not traced.
 * @does looking up an address
 * @blocks */
CUPRUM_API cuprum_status cuprum_bindings_address_of(uint64_t* address_out, const char* library, const char* name);
/* Whether the library is open already: 1 or 0.
 * @does asking whether a library is open */
CUPRUM_API cuprum_status cuprum_bindings_is_loaded(int32_t* loaded_out, const char* library);
/* What the library itself says, 1000 * major + 10 * minor; opens it.
 * @does asking for a library's version
 * @blocks */
CUPRUM_API cuprum_status cuprum_bindings_library_version(int32_t* version_out, const char* library);

/* Why the latest call of a function on this thread did not find its library or symbol, as this call's own error:
 * CUPRUM_ERROR_LIBRARY_NOT_FOUND or CUPRUM_ERROR_SYMBOL_NOT_FOUND, the object naming the library and the operation the
 * function. CUPRUM_SUCCESS if nothing was missing since the previous call of this function.
 * @does asking why a call failed */
CUPRUM_API cuprum_status cuprum_bindings_take_failure(void);

/* Size and alignment in bytes of a structure or union as this library was compiled.
 * @does asking for the layout of a structure */
CUPRUM_API cuprum_status cuprum_bindings_record_layout(uint32_t* size_out, uint32_t* alignment_out, const char* library,
                                                       const char* type);
/* Offset and size in bytes of a field, "params.memset.value" for one within structures that have no name.
 * @does asking for the layout of a field */
CUPRUM_API cuprum_status cuprum_bindings_field_layout(uint32_t* offset_out, uint32_t* size_out, const char* library,
                                                      const char* type, const char* path);

/* Makes the null stream each thread's own default stream (1) or the legacy one (0), for the whole process, before its
 * first call: CUPRUM_ERROR_INVALID_STATE afterwards. CUPRUM_PER_THREAD_DEFAULT_STREAM=1 does the same.
 * @does choosing the default stream */
CUPRUM_API cuprum_status cuprum_bindings_use_per_thread_default_stream(int32_t enabled);

/* Starts tracing all calls into a file, in place of the running trace, if any: a Chrome trace if the name ends in
 * .json, else text. CUPRUM_TRACE=FILE does the same at the first call.
 * @does starting the trace of calls
 * @blocks */
CUPRUM_API cuprum_status cuprum_bindings_start_trace(const char* path);
/* @does stopping the trace of calls
 * @blocks */
CUPRUM_API cuprum_status cuprum_bindings_stop_trace(void);

/* Makes calls fail without making them: NAME[:N[+]]=CODE, an item of CUPRUM_FAULT ("cuMemAlloc:2=2": the second call
 * from now on; "cu*:3+=CUDA_ERROR_UNKNOWN": the third and all later ones). `fault_out` may be NULL if the fault
 * shall never end.
 * @does arming a fault
 * @nullable fault_out */
CUPRUM_API cuprum_status cuprum_bindings_inject_fault(uint64_t* fault_out, const char* item);
/* Ends a fault; `injected_out`, which may be NULL, gets the number of calls that it made fail.
 * @does ending a fault
 * @nullable injected_out */
CUPRUM_API cuprum_status cuprum_bindings_end_fault(uint64_t* injected_out, uint64_t fault);

#ifdef __cplusplus
}
#endif
#endif
