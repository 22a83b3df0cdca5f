// The C ABI for Python, Java and C#: one interface. It stays raw: flat functions and plain values. What is idiomatic in a
// language is written by hand in swig/<language>/ on top of it.
//
// Rules that hold in every language
//   - A handle is a 64-bit integer, zero for none; the hand-written owners keep it and destroy it.
//   - A non-zero status never comes back as a value: it is an exception that carries the whole of cuprum_error_info, read
//     on the same thread directly after the call.
//   - Every pointer to something that is not const is an output (`*_out`), and is no argument where the language can
//     return several values.
//   - Text is UTF-8 in C and is copied at once, because what the C ABI lends is valid only until the next call.
//   - 64-bit integers stay 64 bits wide (common/widths.i).
//
// Which types are handles, which parameters are buffers and texts, and which calls may block is read from the headers of the
// C ABI (swig/generator), as are the functions that take a structure's fields in its place, or a list of each field in that of
// a list of structures, and the members of objects that each language has over these functions.
//
// Typemaps that every language must define, in swig/<language>/typemaps.i. Names in capitals are stand-ins that this file
// applies to the types of the C ABI.
//
//   typemap                                                  meaning
//   -------------------------------------------------------  -----------------------------------------------------------
//   cuprum_status (the result)                               0: nothing. Else: raise, with cuprum_error_last()
//   cuprum_handle HANDLE                                     a handle passed in
//   cuprum_handle *HANDLE_OUT                                a new handle given out
//   int *OUTPUT, unsigned int *OUTPUT,                       numbers given out: SWIG's <typemaps.i> has them; this file
//     unsigned long long *OUTPUT (Java: long long *OUTPUT),    applies them to int32_t*, uint32_t*, uint64_t*, float*
//     float *OUTPUT
//   const char **TEXT_OUT                                    text given out; copy it
//   (const void **DATA_OUT, uint64_t *SIZE_OUT)              bytes given out; copy them
//   (const void *HOST_SOURCE, uint64_t HOST_SIZE)            host memory that is read during the call
//   (void *HOST_DESTINATION, uint64_t HOST_SIZE)             host memory that is written during the call
//   (const char *const *TEXTS, uint32_t COUNT)               a list of texts
//   (const cuprum_handle *HANDLES, uint32_t COUNT)           a list of handles passed in
//   (const cuprum_argument *arguments,                       the arguments of a kernel
//     uint32_t argument_count)
//   cuprum_device_properties *properties_out                 a struct given out; set its struct_size first
//   cuprum_kernel_attributes *attributes_out                 the same
//
// A language defines CUPRUM_NAME(name) too: how the function `cuprum_<name>` is called there.
//
// `const char *` passed in is SWIG's own typemap (NULL from None and null). Python has no kernel arguments here: it launches
// by C of its own (python/launch.hpp).
%module cuprum

%{
#include "cuprum/cuprum.h"
#include "struct_list.hpp"
%}

#define CUPRUM_API
%include "common/widths.i"
%include <typemaps.i>

// What stands for a handle in typemaps; no such type exists in C.
%inline %{
typedef struct cuprum_handle_s* cuprum_handle;
%}
%include "handles.i"  // generated

#if defined(SWIGPYTHON)
%include "python/typemaps.i"
#elif defined(SWIGJAVA)
%include "java/typemaps.i"
#elif defined(SWIGCSHARP)
%include "csharp/typemaps.i"
#else
#error "Cuprum has typemaps for Python, Java and C#"
#endif

%apply int *OUTPUT { int32_t * };
%apply unsigned int *OUTPUT { uint32_t * };
#if defined(SWIGJAVA)
%apply long long *OUTPUT { uint64_t *, int64_t * };
#else
%apply unsigned long long *OUTPUT { uint64_t * };
%apply long long *OUTPUT { int64_t * };
#endif
%apply float *OUTPUT { float * };

%include "interface.i"  // generated: swig/generator
%ignore cuprum_error_last;  // read by the status typemap; useless anywhere else
%ignore cuprum_argument_value;
%ignore cuprum_stream_launch_host_function;  // functions that Cuprum calls are each language's own matter
%ignore cuprum_memory_resource_create_user;
%ignore cuprum_graph_builder_callback;
%ignore cuprum_graph_definition_add_callback;
%ignore cuprum_graph_definition_update_callback;
%ignore cuprum_graph_update_callback;

%include "common/adaptors.i"

%include "headers.i"  // generated
#if !defined(SWIGPYTHON)
%include "common/bindings.i"
#endif
