// How Java spells the C ABI: class io.cuprum.internal.CuprumNative, static methods with the C names. Everything is a
// number, an array of numbers or a String; a failed call throws. What each typemap is for: swig/cuprum.i.
//
//   handle                      long, 0 for none
//   handle or number given out  an array of at least one element, whose element 0 is set
//   text                        String in, String[] out; UTF-8 in between, which JNI's own "modified UTF-8" is not
//   host memory                 its address and its size as longs; CuprumNative.host_address() tells the address
//   list of texts               String[]
//   list of handles             long[]
//   kernel arguments            long[]: for each argument kind | size << 32, then the value's bits
//   struct given out            int[]: its fields after struct_size, in order

%define CUPRUM_NAME(name)
cuprum_##name
%enddef

%javaconst(1);

%{
#include "arguments.hpp"
#include "broadcast.hpp"
#include "errors.hpp"
#include "graph_function.hpp"
#include "host_function.hpp"
#include "texts.hpp"
#include "user_memory_resource.hpp"
%}

%pragma(java) moduleclassmodifiers="public final class"
%pragma(java) jniclassclassmodifiers="final class"
%pragma(java) modulecode=%{
    private CuprumNative() {}
%}
%pragma(java) jniclasscode=%{
    static {
        Loader.load();
    }
%}

// The result of every call: an exception, made by io.cuprum.Errors, or nothing. What the typemaps below hold is
// released by destructors, so that returning early leaks nothing.
%typemap(jni) cuprum_status "void"
%typemap(jtype) cuprum_status "void"
%typemap(jstype) cuprum_status "void"
%typemap(out) cuprum_status %{
    if ($1 != CUPRUM_SUCCESS) {
        cuprum_java::throw_last_error(jenv, $1);
        return $null;
    }
%}
%typemap(javaout) cuprum_status { $jnicall; }
// The one status that goes in.
%typemap(jni) cuprum_status status "jint"
%typemap(jtype) cuprum_status status "int"
%typemap(jstype) cuprum_status status "int"

%typemap(jni) cuprum_handle HANDLE "jlong"
%typemap(jtype) cuprum_handle HANDLE "long"
%typemap(jstype) cuprum_handle HANDLE "long"
%typemap(javain) cuprum_handle HANDLE "$javainput"
%typemap(in) cuprum_handle HANDLE "$1 = reinterpret_cast<$1_ltype>(static_cast<uintptr_t>($input));"

%typemap(jni) cuprum_handle *HANDLE_OUT "jlongArray"
%typemap(jtype) cuprum_handle *HANDLE_OUT "long[]"
%typemap(jstype) cuprum_handle *HANDLE_OUT "long[]"
%typemap(javain) cuprum_handle *HANDLE_OUT "$javainput"
%typemap(in) cuprum_handle *HANDLE_OUT ($*1_ltype handle = nullptr) "$1 = &handle;"
%typemap(argout) cuprum_handle *HANDLE_OUT {
    const jlong value = static_cast<jlong>(reinterpret_cast<uintptr_t>(handle$argnum));
    jenv->SetLongArrayRegion($input, 0, 1, &value);
}

%typemap(jni) const char * "jbyteArray"
%typemap(jtype) const char * "byte[]"
%typemap(jstype) const char * "String"
%typemap(javain) const char * "Text.encode($javainput)"
%typemap(javaout) const char * { return Text.decode($jnicall); }
%typemap(in) const char * (cuprum_java::Text text) {
    if (!text.read(jenv, $input)) {
        return $null;
    }
    $1 = const_cast<$1_ltype>(text.c_str());
}
%typemap(freearg) const char * ""
%typemap(out) const char * "$result = cuprum_java::bytes_of(jenv, $1);"

%typemap(jni) const char **TEXT_OUT "jobjectArray"
%typemap(jtype) const char **TEXT_OUT "byte[][]"
%typemap(jstype) const char **TEXT_OUT "String[]"
%typemap(javain, pre="        byte[][] $javainput_bytes = new byte[1][];",
         post="        $javainput[0] = Text.decode($javainput_bytes[0]);") const char **TEXT_OUT "$javainput_bytes"
%typemap(in) const char **TEXT_OUT (const char *text = nullptr) "$1 = const_cast<$1_ltype>(&text);"
%typemap(argout) const char **TEXT_OUT {
    jenv->SetObjectArrayElement($input, 0, cuprum_java::bytes_of(jenv, text$argnum));
}

%typemap(jni) (const void **DATA_OUT, uint64_t *SIZE_OUT) "jobjectArray"
%typemap(jtype) (const void **DATA_OUT, uint64_t *SIZE_OUT) "byte[][]"
%typemap(jstype) (const void **DATA_OUT, uint64_t *SIZE_OUT) "byte[][]"
%typemap(javain) (const void **DATA_OUT, uint64_t *SIZE_OUT) "$javainput"
%typemap(in) (const void **DATA_OUT, uint64_t *SIZE_OUT) (const void *data = nullptr, uint64_t size = 0) {
    $1 = const_cast<$1_ltype>(&data);
    $2 = &size;
}
%typemap(argout) (const void **DATA_OUT, uint64_t *SIZE_OUT) {
    jenv->SetObjectArrayElement($input, 0, cuprum_java::bytes_of(jenv, data$argnum, size$argnum));
}

// An address, as it is; the size beside it is a plain number.
%typemap(jni) const void *, void * "jlong"
%typemap(jtype) const void *, void * "long"
%typemap(jstype) const void *, void * "long"
%typemap(javain) const void *, void * "$javainput"
%typemap(in) const void *, void * "$1 = reinterpret_cast<$1_ltype>(static_cast<uintptr_t>($input));"

%typemap(jni) (const char *const *TEXTS, uint32_t COUNT) "jbyteArray"
%typemap(jtype) (const char *const *TEXTS, uint32_t COUNT) "byte[]"
%typemap(jstype) (const char *const *TEXTS, uint32_t COUNT) "String[]"
%typemap(javain) (const char *const *TEXTS, uint32_t COUNT) "Text.encodeAll($javainput)"
%typemap(in) (const char *const *TEXTS, uint32_t COUNT) (cuprum_java::Texts texts) {
    if (!texts.read(jenv, $input)) {
        return $null;
    }
    $1 = const_cast<$1_ltype>(texts.data());
    $2 = texts.count();
}
%typemap(freearg) (const char *const *TEXTS, uint32_t COUNT) ""

%typemap(jni) (const cuprum_handle *HANDLES, uint32_t COUNT) "jlongArray"
%typemap(jtype) (const cuprum_handle *HANDLES, uint32_t COUNT) "long[]"
%typemap(jstype) (const cuprum_handle *HANDLES, uint32_t COUNT) "long[]"
%typemap(javain) (const cuprum_handle *HANDLES, uint32_t COUNT) "$javainput"
%typemap(in) (const cuprum_handle *HANDLES, uint32_t COUNT) (cuprum_java::Handles handles) {
    if (!handles.read(jenv, $input)) {
        return $null;
    }
    $1 = reinterpret_cast<$1_ltype>(handles.data());
    $2 = handles.count();
}
%typemap(argout) (const cuprum_handle *HANDLES, uint32_t COUNT) ""  // it is no HANDLE_OUT
%typemap(freearg) (const cuprum_handle *HANDLES, uint32_t COUNT) ""

%typemap(jni) (const cuprum_argument *arguments, uint32_t argument_count) "jlongArray"
%typemap(jtype) (const cuprum_argument *arguments, uint32_t argument_count) "long[]"
%typemap(jstype) (const cuprum_argument *arguments, uint32_t argument_count) "long[]"
%typemap(javain) (const cuprum_argument *arguments, uint32_t argument_count) "$javainput"
%typemap(in) (const cuprum_argument *arguments, uint32_t argument_count) (cuprum_java::Arguments arguments) {
    if (!arguments.read(jenv, $input)) {
        return $null;
    }
    $1 = const_cast<$1_ltype>(arguments.data());
    $2 = arguments.count();
}

// A struct that is nothing but int32_t after its struct_size.
%define CUPRUM_INTEGER_STRUCT_OUT(type, name)
%typemap(jni) type *name "jintArray"
%typemap(jtype) type *name "int[]"
%typemap(jstype) type *name "int[]"
%typemap(javain) type *name "$javainput"
%typemap(in) type *name (type fields = type()) {
    fields.struct_size = sizeof(fields);
    $1 = &fields;
}
%typemap(argout) type *name "cuprum_java::give_fields(jenv, $input, fields$argnum);"
%enddef
CUPRUM_INTEGER_STRUCT_OUT(cuprum_device_properties, properties_out)
CUPRUM_INTEGER_STRUCT_OUT(cuprum_kernel_attributes, attributes_out)

// A direct buffer over memory that the caller keeps.
%native(host_view) jobject host_view(long long address, long long size);
%{
extern "C" SWIGEXPORT jobject JNICALL Java_io_cuprum_internal_CuprumNativeJNI_host_1view(JNIEnv* jenv, jclass,
                                                                                         jlong address, jlong size) {
    static unsigned char no_bytes;
    void* const memory = address == 0 ? &no_bytes : reinterpret_cast<void*>(static_cast<uintptr_t>(address));
    return jenv->NewDirectByteBuffer(memory, size);
}
%}

// A host function, a java.lang.Runnable; and that no more are called, since the JVM ends.
%native(launch_host_function) void launch_host_function(long long stream, jobject function);
%native(end_host_functions) void end_host_functions();
%{
extern "C" SWIGEXPORT void JNICALL Java_io_cuprum_internal_CuprumNativeJNI_launch_1host_1function(
    JNIEnv* jenv, jclass, jlong stream, jobject function) {
    const auto handle = reinterpret_cast<cuprum_stream>(static_cast<uintptr_t>(stream));
    cuprum_java::launch_host_function(jenv, handle, function);
}
extern "C" SWIGEXPORT void JNICALL Java_io_cuprum_internal_CuprumNativeJNI_end_1host_1functions(JNIEnv*, jclass) {
    cuprum_languages::HostFunctionCall::end(cuprum_languages::host_function_limit);
}
%}

// A function in a graph, a java.lang.Runnable; the node where one was added.
%native(graph_callback) long long graph_callback(int call, long long owner, long long definition, long long node,
                                                 jobject function);
%{
extern "C" SWIGEXPORT jlong JNICALL Java_io_cuprum_internal_CuprumNativeJNI_graph_1callback(
    JNIEnv* jenv, jclass, jint call, jlong owner, jlong definition, jlong node, jobject function) {
    const cuprum_languages::GraphNodePlace place{
        static_cast<uint64_t>(owner),
        reinterpret_cast<cuprum_graph_definition>(static_cast<uintptr_t>(definition)), static_cast<uint64_t>(node)};
    return cuprum_java::give_graph_function(jenv, call, place, function);
}
%}

// A memory resource whose memory an io.cuprum.MemoryAllocator allocates; and that allocator, null for other resources.
%native(create_user_memory_resource) long long create_user_memory_resource(jobject allocator, int kind, int device);
%native(user_allocator) jobject user_allocator(long long resource);
%{
extern "C" SWIGEXPORT jlong JNICALL Java_io_cuprum_internal_CuprumNativeJNI_create_1user_1memory_1resource(
    JNIEnv* jenv, jclass, jobject allocator, jint kind, jint device) {
    return cuprum_java::create_user_memory_resource(jenv, allocator, kind, device);
}
extern "C" SWIGEXPORT jobject JNICALL Java_io_cuprum_internal_CuprumNativeJNI_user_1allocator(JNIEnv* jenv, jclass,
                                                                                              jlong resource) {
    return cuprum_java::user_allocator(jenv, resource);
}
%}

// A communicator of several processes, with an io.cuprum.Broadcast or null.
%native(create_communicator_of_process) long long create_communicator_of_process(int device, int rank, int count,
                                                                                 jobject broadcast, long long timeout);
%{
extern "C" SWIGEXPORT jlong JNICALL Java_io_cuprum_internal_CuprumNativeJNI_create_1communicator_1of_1process(
    JNIEnv* jenv, jclass, jint device, jint rank, jint count, jobject broadcast, jlong timeout) {
    return cuprum_java::create_communicator_of_process(jenv, device, rank, count, broadcast, timeout);
}
%}

// The address of a direct buffer; 0 where the buffer is not direct. Position and limit play no part: pass a slice.
%native(host_address) long long host_address(jobject buffer);
%{
extern "C" SWIGEXPORT jlong JNICALL Java_io_cuprum_internal_CuprumNativeJNI_host_1address(JNIEnv* jenv, jclass,
                                                                                          jobject buffer) {
    return static_cast<jlong>(reinterpret_cast<uintptr_t>(jenv->GetDirectBufferAddress(buffer)));
}
%}
