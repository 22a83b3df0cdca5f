/* The rules of the C ABI, status codes, error details, handles.
 *
 * Every function returns a status; outputs come first. A function that fails leaves its outputs as they were. Outputs
 * are named `*_out` and must not be NULL unless the comment says so. Functions may be called from any thread, with no
 * CUDA context current; they never change the caller's current context unless the comment says so. A handle may be used
 * from several threads at once, also while another thread destroys it: what it stands for goes when its last user does.
 *
 * Handles are not addresses: they carry a slot, a type and a generation. NULL, stale, foreign and already destroyed
 * handles give CUPRUM_ERROR_INVALID_HANDLE with a text that says which, never a crash. Destroying is safe from any
 * thread, in any order, also while the process exits, when nothing is freed any more. CUDA does not survive fork(): in
 * the child the parent's handles can be destroyed, which does nothing there, and not be used.
 *
 * Text and bytes given out as `const char**` or `const void**` are borrowed. Unless the comment says otherwise they
 * stay valid until the next Cuprum call on the same thread that is not one of the cuprum_error_* functions. All text is
 * UTF-8 and ends in NUL; bytes that are not UTF-8, in a compiler's log or a path, appear as U+FFFD.
 *
 * Structs begin with struct_size: the caller's sizeof. For each there is an initialiser, CUPRUM_<STRUCT>_INIT, which
 * sets it and everything else to 0; 0 is the default of every field. Of a struct passed in, fields past it are 0, and
 * of one that is filled only the fields within it are written, so that a program built against an older header keeps
 * working. A struct of a newer header is accepted as long as the fields that this version lacks are zero
 * (CUPRUM_ERROR_UNSUPPORTED otherwise); those that are filled become zero. A struct_size that cannot be one (0, far too
 * large, not a multiple of 4) is CUPRUM_ERROR_INVALID_ARGUMENT.
 */
#ifndef CUPRUM_CAPI_BASE_H
#define CUPRUM_CAPI_BASE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef CUPRUM_API
#if defined(_WIN32) && defined(CUPRUM_BUILDING)
#define CUPRUM_API __declspec(dllexport)
#elif defined(_WIN32)
#define CUPRUM_API __declspec(dllimport)
#else
#define CUPRUM_API __attribute__((visibility("default")))
#endif
#endif

#define CUPRUM_VERSION_MAJOR 0
#define CUPRUM_VERSION_MINOR 1
#define CUPRUM_VERSION_PATCH 0

/* What every function returns. Same numbers as cuprum::Status. */
typedef int32_t cuprum_status;
enum {
    CUPRUM_SUCCESS = 0,
    CUPRUM_ERROR_INVALID_ARGUMENT = 1,
    CUPRUM_ERROR_INVALID_HANDLE = 2,
    CUPRUM_ERROR_INVALID_STATE = 3,
    CUPRUM_ERROR_OUT_OF_MEMORY = 4,
    CUPRUM_ERROR_LIBRARY_NOT_FOUND = 5,
    CUPRUM_ERROR_HEADER_NOT_FOUND = 6,
    CUPRUM_ERROR_SYMBOL_NOT_FOUND = 7,
    CUPRUM_ERROR_DRIVER = 8,
    CUPRUM_ERROR_NVRTC = 9,
    CUPRUM_ERROR_NVJITLINK = 10,
    CUPRUM_ERROR_COMPILE = 11,
    CUPRUM_ERROR_KERNEL_NOT_FOUND = 12,
    CUPRUM_ERROR_ARGUMENT_MISMATCH = 13,
    CUPRUM_ERROR_DEVICE_FAULT = 14,
    CUPRUM_ERROR_UNSUPPORTED = 15,
    CUPRUM_ERROR_NOT_READY = 16,
    CUPRUM_ERROR_NVVM = 17,
    CUPRUM_ERROR_INTERNAL = 99
};

/* Which library cuprum_error_info.code comes from. */
enum {
    CUPRUM_DOMAIN_CUPRUM = 0,
    CUPRUM_DOMAIN_DRIVER = 1,
    CUPRUM_DOMAIN_RUNTIME = 2,
    CUPRUM_DOMAIN_NVRTC = 3,
    CUPRUM_DOMAIN_NVJITLINK = 4,
    CUPRUM_DOMAIN_PATHFINDER = 5,
    CUPRUM_DOMAIN_NVVM = 6,
    CUPRUM_DOMAIN_NVML = 7,
    CUPRUM_DOMAIN_NCCL = 8
};

/* The failure of the last Cuprum call on this thread. Every text is non-NULL and valid until the next Cuprum call on
 * this thread that is not one of the cuprum_error_* functions. */
typedef struct cuprum_error_info {
    uint32_t struct_size;
    int32_t status; /* CUPRUM_SUCCESS: the last call did not fail, every text is empty */
    int32_t domain;
    int32_t code;          /* the domain's own code, such as the CUresult */
    const char* name;      /* the code's name, "CUDA_ERROR_INVALID_VALUE"; the status's if there is no code */
    const char* message;   /* everything below in one readable text */
    const char* operation; /* what was being done */
    const char* object;    /* to what */
    const char* detail;    /* what the library itself said */
    const char* advice;    /* what to do about it */
    const char* log;       /* a compile's log, with line numbers, or a link's; else empty */
} cuprum_error_info;
#define CUPRUM_ERROR_INFO_INIT {sizeof(cuprum_error_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/* Fills `info_out`, whose struct_size the caller has set. Does not clear the error. Fails only on a NULL `info_out` or
 * an impossible struct_size, and then leaves the error as it is too. */
CUPRUM_API cuprum_status cuprum_error_last(cuprum_error_info* info_out);
/* The symbolic name of a status, "CUPRUM_ERROR_COMPILE"; "CUPRUM_ERROR_UNKNOWN" for other numbers. Static storage. */
CUPRUM_API const char* cuprum_error_status_name(cuprum_status status);

/* The library's version: major * 1000000 + minor * 1000 + patch.
 * @does asking for the version of Cuprum */
CUPRUM_API cuprum_status cuprum_version(int32_t* version_out);

/* How many handles of this process have been given out and not been destroyed, for leak tests.
 * @does counting the live handles */
CUPRUM_API cuprum_status cuprum_live_handles(uint64_t* count_out);

/* Opaque handles. Zero is never a valid handle. */
typedef struct cuprum_stream_s* cuprum_stream;
typedef struct cuprum_event_s* cuprum_event;
typedef struct cuprum_context_s* cuprum_context;
typedef struct cuprum_buffer_s* cuprum_buffer;
typedef struct cuprum_memory_resource_s* cuprum_memory_resource;
typedef struct cuprum_program_s* cuprum_program;
typedef struct cuprum_object_code_s* cuprum_object_code;
typedef struct cuprum_kernel_s* cuprum_kernel;
typedef struct cuprum_linker_s* cuprum_linker;
typedef struct cuprum_graph_builder_s* cuprum_graph_builder;
typedef struct cuprum_graph_definition_s* cuprum_graph_definition;
typedef struct cuprum_graph_s* cuprum_graph;
typedef struct cuprum_compile_batch_s* cuprum_compile_batch;
typedef struct cuprum_toolkit_s* cuprum_toolkit;
typedef struct cuprum_opaque_array_s* cuprum_opaque_array;
typedef struct cuprum_mipmapped_array_s* cuprum_mipmapped_array;
typedef struct cuprum_texture_object_s* cuprum_texture_object;
typedef struct cuprum_surface_object_s* cuprum_surface_object;
typedef struct cuprum_system_events_s* cuprum_system_events;

#ifdef __cplusplus
}
#endif
#endif
