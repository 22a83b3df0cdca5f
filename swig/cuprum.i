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
//   (const cuprum_argument *arguments,                       the arguments of a kernel
//     uint32_t argument_count)
//   cuprum_device_properties *properties_out                 a struct given out; set its struct_size first
//   cuprum_kernel_attributes *attributes_out                 the same
//
// A language defines CUPRUM_NAME(name) too: how the function `cuprum_<name>` is called there.
//
// `const char *` passed in is SWIG's own typemap (NULL from None and null). Python alone further maps the eight numbers of
// a launch configuration to one tuple.
%module cuprum

%{
#include "cuprum/cuprum.h"
%}

#define CUPRUM_API
%include "common/widths.i"
%include <typemaps.i>

// What stands for a handle in typemaps; no such type exists in C.
%inline %{
typedef struct cuprum_handle_s* cuprum_handle;
%}

#if defined(SWIGPYTHON)
%include "python/typemaps.i"
#elif defined(SWIGJAVA)
%include "java/typemaps.i"
#elif defined(SWIGCSHARP)
%include "csharp/typemaps.i"
#else
#error "Cuprum has typemaps for Python, Java and C#"
#endif

%apply cuprum_handle HANDLE {
    cuprum_stream, cuprum_event, cuprum_buffer, cuprum_program, cuprum_object_code, cuprum_kernel,
    cuprum_toolkit, cuprum_parallel_operator, cuprum_parallel_iterator, cuprum_parallel_algorithm };
%apply cuprum_handle *HANDLE_OUT {
    cuprum_stream *, cuprum_event *, cuprum_buffer *, cuprum_program *, cuprum_object_code *, cuprum_kernel *,
    cuprum_toolkit *, cuprum_parallel_operator *, cuprum_parallel_iterator *, cuprum_parallel_algorithm * };

%apply int *OUTPUT { int32_t * };
%apply unsigned int *OUTPUT { uint32_t * };
#if defined(SWIGJAVA)
%apply long long *OUTPUT { uint64_t *, int64_t * };
#else
%apply unsigned long long *OUTPUT { uint64_t * };
%apply long long *OUTPUT { int64_t * };
#endif
%apply float *OUTPUT { float * };

%apply const char **TEXT_OUT { const char ** };
%apply (const void **DATA_OUT, uint64_t *SIZE_OUT) { (const void **data_out, uint64_t *size_out) };
%apply (const void *HOST_SOURCE, uint64_t HOST_SIZE) {
    (const void *source, uint64_t size), (const void *code, uint64_t size),
    (const void *state, uint64_t state_size), (const void *value, uint64_t value_size),
    (const void *start, uint64_t start_size), (const void *init, uint64_t init_size),
    (const void *saved, uint64_t saved_size), (const void *data, uint64_t data_size),
    (const void *second, uint64_t second_size) };
%apply (void *HOST_DESTINATION, uint64_t HOST_SIZE) {
    (void *destination, uint64_t size), (void *result, uint64_t result_size), (void *keys, uint64_t keys_size),
    (void *values, uint64_t values_size) };
%apply (const char *const *TEXTS, uint32_t COUNT) {
    (const char *const *options, uint32_t option_count),
    (const char *const *from_elsewhere, uint32_t from_elsewhere_count),
    (const char *const *name_expressions, uint32_t name_expression_count) };

// Read by the status typemap; useless anywhere else.
%ignore cuprum_error_last;
%ignore cuprum_error_info;
// Structs have no proxies: they go in as numbers (common/adaptors.i) and come out through typemaps.
%ignore cuprum_stream_options;
%ignore cuprum_event_options;
%ignore cuprum_launch_config;
%ignore cuprum_argument;
%ignore cuprum_argument_value;
%ignore cuprum_device_properties;
%ignore cuprum_kernel_attributes;

%include "common/adaptors.i"

%include "cuprum/capi/base.h"
%include "cuprum/capi/device.h"
%include "cuprum/capi/stream.h"
%include "cuprum/capi/buffer.h"
%include "cuprum/capi/program.h"
%include "cuprum/capi/launch.h"
%include "cuprum/capi/parallel.h"
%include "cuprum/capi/pathfinder.h"
#if !defined(SWIGPYTHON)
%include "common/bindings.i"
#endif
