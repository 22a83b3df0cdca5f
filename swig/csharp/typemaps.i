// How C# spells the C ABI: class Cuprum.Native.CuprumNative, static methods with the C names, all internal. A failed
// call throws. What each typemap is for: swig/cuprum.i.
//
//   handle                      SafeHandle, which keeps it alive during the call; NativeHandle.None for none
//   handle given out            out IntPtr
//   number given out            out int, out uint, out ulong, out float
//   text                        string, out string; UTF-8 bytes in between
//   host memory                 IntPtr and ulong
//   list of texts               string[]
//   list of handles             NativeHandle[]; in between their number and then the handles
//   bytes given out             out IntPtr and out ulong
//   kernel arguments            IntPtr to cuprum_argument, and uint
//   struct given out            int[] with the whole struct; element 0 is its struct_size

%define CUPRUM_NAME(name)
cuprum_##name
%enddef

%csconst(1);

%{
#include "graph_function.hpp"
#include "host_function.hpp"
#include "texts.hpp"
#include "user_memory_resource.hpp"
%}

%pragma(csharp) moduleclassmodifiers="internal static class"
%pragma(csharp) imclassclassmodifiers="internal static class"
// Mono looks for a native function when it compiles the method that calls it. So that method must be one of these,
// never one that they were inlined into: by then NativeLibraries has loaded the library. What has an explicit static
// constructor is not inlined before that has run.
%pragma(csharp) modulecode=%{
  static CuprumNative() {
    NativeLibraries.Load();
  }
%}

%typemap(ctype) cuprum_status "int32_t"
%typemap(imtype) cuprum_status "int"
%typemap(cstype) cuprum_status "void"
%typemap(out) cuprum_status "$result = $1;"
%typemap(csout) cuprum_status { global::Cuprum.Errors.Check($imcall); }
// Read by Errors.Check itself, which must not check.
%typemap(cstype) cuprum_status status "int"
%typemap(csin) cuprum_status status "$csinput"

%typemap(ctype) cuprum_handle HANDLE "void *"
%typemap(imtype) cuprum_handle HANDLE "global::System.Runtime.InteropServices.SafeHandle"
%typemap(cstype) cuprum_handle HANDLE "global::System.Runtime.InteropServices.SafeHandle"
%typemap(csin) cuprum_handle HANDLE "$csinput"
%typemap(in) cuprum_handle HANDLE "$1 = static_cast<$1_ltype>($input);"

%typemap(ctype) cuprum_handle *HANDLE_OUT "void *"
%typemap(imtype) cuprum_handle *HANDLE_OUT "out global::System.IntPtr"
%typemap(cstype) cuprum_handle *HANDLE_OUT "out global::System.IntPtr"
%typemap(csin) cuprum_handle *HANDLE_OUT "out $csinput"
%typemap(in) cuprum_handle *HANDLE_OUT "$1 = static_cast<$1_ltype>($input);"

%typemap(ctype) const char * "const char *"
%typemap(imtype, out="global::System.IntPtr") const char * "byte[]"
%typemap(cstype) const char * "string"
%typemap(csin) const char * "global::Cuprum.Text.Encode($csinput)"
%typemap(in) const char * "$1 = const_cast<$1_ltype>($input);"
%typemap(out) const char * "$result = $1;"
%typemap(csout) const char * { return global::Cuprum.Text.Decode($imcall); }

%typemap(ctype) const char **TEXT_OUT "void *"
%typemap(imtype) const char **TEXT_OUT "out global::System.IntPtr"
%typemap(cstype) const char **TEXT_OUT "out string"
%typemap(csin, pre="    global::System.IntPtr $csinput_bytes = global::System.IntPtr.Zero;",
         post="      $csinput = global::Cuprum.Text.Decode($csinput_bytes);") const char **TEXT_OUT "out $csinput_bytes"
%typemap(in) const char **TEXT_OUT "$1 = static_cast<$1_ltype>($input);"

%typemap(ctype) const void **, const void *, void * "void *"
%typemap(imtype) const void *, void * "global::System.IntPtr"
%typemap(cstype) const void *, void * "global::System.IntPtr"
%typemap(csin) const void *, void * "$csinput"
%typemap(in) const void **, const void *, void * "$1 = static_cast<$1_ltype>($input);"
%typemap(imtype) const void ** "out global::System.IntPtr"
%typemap(cstype) const void ** "out global::System.IntPtr"
%typemap(csin) const void ** "out $csinput"

%typemap(ctype) (const char *const *TEXTS, uint32_t COUNT) "const char *"
%typemap(imtype) (const char *const *TEXTS, uint32_t COUNT) "byte[]"
%typemap(cstype) (const char *const *TEXTS, uint32_t COUNT) "string[]"
%typemap(csin) (const char *const *TEXTS, uint32_t COUNT) "global::Cuprum.Text.EncodeAll($csinput)"
%typemap(in) (const char *const *TEXTS, uint32_t COUNT) (cuprum_csharp::Texts texts) {
    if (!texts.read($input)) {
        return CUPRUM_ERROR_OUT_OF_MEMORY;
    }
    $1 = const_cast<$1_ltype>(texts.data());
    $2 = texts.count();
}

%typemap(ctype) (const cuprum_handle *HANDLES, uint32_t COUNT) "void **"
%typemap(imtype) (const cuprum_handle *HANDLES, uint32_t COUNT) "global::System.IntPtr[]"
%typemap(cstype) (const cuprum_handle *HANDLES, uint32_t COUNT) "global::Cuprum.Native.NativeHandle[]"
%typemap(csin, post="      global::System.GC.KeepAlive($csinput);") (const cuprum_handle *HANDLES, uint32_t COUNT)
    "global::Cuprum.Native.NativeHandle.Pack($csinput)"
%typemap(in) (const cuprum_handle *HANDLES, uint32_t COUNT) {
    $1 = reinterpret_cast<$1_ltype>($input + 1);
    $2 = static_cast<uint32_t>(reinterpret_cast<uintptr_t>($input[0]));
}

%typemap(ctype) const cuprum_argument *arguments "void *"
%typemap(imtype) const cuprum_argument *arguments "global::System.IntPtr"
%typemap(cstype) const cuprum_argument *arguments "global::System.IntPtr"
%typemap(csin) const cuprum_argument *arguments "$csinput"
%typemap(in) const cuprum_argument *arguments "$1 = static_cast<$1_ltype>($input);"

%define CUPRUM_INTEGER_STRUCT_OUT(type, name)
%typemap(ctype) type *name "void *"
%typemap(imtype, inattributes="[global::System.Runtime.InteropServices.In, global::System.Runtime.InteropServices.Out]")
    type *name "int[]"
%typemap(cstype) type *name "int[]"
%typemap(csin) type *name "$csinput"
%typemap(in) type *name "$1 = static_cast<$1_ltype>($input);"
%enddef
CUPRUM_INTEGER_STRUCT_OUT(cuprum_device_properties, properties_out)
CUPRUM_INTEGER_STRUCT_OUT(cuprum_kernel_attributes, attributes_out)

// A SafeHandle that is being released cannot be passed as one, so destroying takes the bare number.
%define CUPRUM_DESTROY(object)
%ignore cuprum_##object##_destroy;
%inline %{
static cuprum_status cuprum_release_##object(uint64_t handle) {
    return cuprum_##object##_destroy(reinterpret_cast<cuprum_##object>(static_cast<uintptr_t>(handle)));
}
%}
%enddef
CUPRUM_FOR_EACH_HANDLE(CUPRUM_DESTROY)

// Host functions: launched by the number of a GCHandle, fetched by the thread of their queue that calls them; and that
// no more are called.
%inline %{
static uint64_t cuprum_csharp_new_host_function_queue() {
    return reinterpret_cast<uintptr_t>(new (std::nothrow) cuprum_csharp::HostFunctionQueue);
}
static cuprum_status cuprum_csharp_launch_host_function(cuprum_handle HANDLE, uint64_t queue, uint64_t function) {
    auto& its_queue = *reinterpret_cast<cuprum_csharp::HostFunctionQueue*>(static_cast<uintptr_t>(queue));
    return cuprum_csharp::launch_host_function(reinterpret_cast<cuprum_stream>(HANDLE), its_queue, function);
}
static uint64_t cuprum_csharp_next_host_function(uint64_t queue) {
    return reinterpret_cast<cuprum_csharp::HostFunctionQueue*>(static_cast<uintptr_t>(queue))->next();
}
static void cuprum_csharp_end_host_functions(uint64_t queue) {
    reinterpret_cast<cuprum_csharp::HostFunctionQueue*>(static_cast<uintptr_t>(queue))->end();
}
%}

%apply unsigned long long *OUTPUT { uint64_t *node_out };
// A function in a graph, by the number of a GCHandle; the numbers of those that no graph has any more are fetched, for
// the runtime to free them.
%inline %{
static cuprum_status cuprum_csharp_graph_callback(uint64_t* node_out, int32_t call, uint64_t owner, uint64_t definition,
                                                  uint64_t node, uint64_t queue, uint64_t function) {
    const cuprum_languages::GraphNodePlace place{
        owner, reinterpret_cast<cuprum_graph_definition>(static_cast<uintptr_t>(definition)), node};
    auto& its_queue = *reinterpret_cast<cuprum_csharp::HostFunctionQueue*>(static_cast<uintptr_t>(queue));
    return cuprum_csharp::give_graph_function(node_out, call, place, its_queue, function);
}
static uint64_t cuprum_csharp_released_graph_function() { return cuprum_csharp::ReleasedFunctions::take(); }
%}

// A memory resource whose memory an IMemoryAllocator allocates: the addresses of the delegates, and a GCHandle. And that
// GCHandle, 0 for other resources.
%inline %{
static cuprum_status cuprum_csharp_create_user_memory_resource(cuprum_handle *HANDLE_OUT, int32_t kind, int32_t device,
                                                               uint64_t allocate, uint64_t deallocate,
                                                               uint64_t release, uint64_t allocator) {
    using cuprum_csharp::UserMemory;
    const UserMemory memory{reinterpret_cast<UserMemory::Allocate>(static_cast<uintptr_t>(allocate)),
                            reinterpret_cast<UserMemory::Deallocate>(static_cast<uintptr_t>(deallocate)),
                            reinterpret_cast<UserMemory::Release>(static_cast<uintptr_t>(release)), allocator};
    return cuprum_csharp::create_user_memory_resource(reinterpret_cast<cuprum_memory_resource *>(HANDLE_OUT), kind,
                                                      device, memory);
}
static uint64_t cuprum_csharp_user_allocator(uint64_t resource) { return cuprum_csharp::user_allocator(resource); }
%}

// A communicator of several processes, with the address of a delegate, or 0.
%inline %{
static cuprum_status cuprum_csharp_create_communicator_of_process(cuprum_handle *HANDLE_OUT, int32_t device,
                                                                  uint32_t rank, uint32_t count, uint64_t broadcast,
                                                                  uint32_t timeout_ms) {
    return cuprum_communicator_create_process(reinterpret_cast<cuprum_communicator *>(HANDLE_OUT), device, rank, count,
                                              reinterpret_cast<cuprum_broadcast>(static_cast<uintptr_t>(broadcast)),
                                              nullptr, timeout_ms);
}
%}

// What Errors makes an exception of: numbers and texts of the failure on this thread, given out one by one.
%apply int *OUTPUT { int32_t *domain_out, int32_t *code_out };
%apply const char **TEXT_OUT {
    const char **name_out, const char **message_out, const char **operation_out, const char **object_out,
    const char **detail_out, const char **advice_out, const char **log_out };
%inline %{
static void cuprum_csharp_error(int32_t *domain_out, int32_t *code_out, const char **name_out, const char **message_out,
                                const char **operation_out, const char **object_out, const char **detail_out,
                                const char **advice_out, const char **log_out) {
    cuprum_error_info info = cuprum_error_info();
    info.struct_size = sizeof(info);
    cuprum_error_last(&info);
    *domain_out = info.domain;
    *code_out = info.code;
    *name_out = info.name;
    *message_out = info.message;
    *operation_out = info.operation;
    *object_out = info.object;
    *detail_out = info.detail;
    *advice_out = info.advice;
    *log_out = info.log;
}
%}
