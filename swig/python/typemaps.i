// What swig/cuprum.i asks of every language, for Python. The work is done by the C++ headers beside this file; they stay
// within the limited API of Python 3.11, so that one build serves every later version.

#define CUPRUM_NAME(name) cuprum_##name

// Calls keep the GIL, but for those that the headers of the C ABI mark as @blocks (interface.i): launches and getters cost
// less than letting go of it and taking it again, and Python code that launches from several threads gains nothing from it.
// Needs swig -threads.
%nothread;

%{
#include "buffer_handle.hpp"
#include "current_device.hpp"
#include "device_array.hpp"
#include "dlpack.hpp"
#include "algorithm_handle.hpp"
#include "broadcast.hpp"
#include "errors.hpp"
#include "event_handle.hpp"
#include "graph_handle.hpp"
#include "handle.hpp"
#include "handles.hpp"
#include "host_memory.hpp"
#include "integers.hpp"
#include "kernel_handle.hpp"
#include "launch.hpp"
#include "packed_config.hpp"
#include "stream_handle.hpp"
#include "texts.hpp"
#include "torch_allocator.hpp"
#include "user_memory_resource.hpp"
#include "waits.hpp"
%}

%inline %{
static PyObject* dlpack_make_capsule(PyObject* owner, unsigned long long address, int device_type, int device_id,
                                     int code, int bits, PyObject* shape, PyObject* strides, int is_read_only,
                                     int is_versioned) {
    return cuprum_python::dlpack::make_capsule(owner, address, device_type, device_id, code, bits, shape, strides,
                                               is_read_only, is_versioned);
}
static PyObject* dlpack_take_capsule(PyObject* capsule) { return cuprum_python::dlpack::take_capsule(capsule); }
%}

%init %{
    {
        // In a function of the module's Py_mod_exec slot. The base of a type comes before it.
        using namespace cuprum_python;
        const bool is_complete = add_errors() && add_handle_type(m) && add_stream_type(m) && add_event_type(m) &&
                                 add_buffer_type(m) && add_kernel_type(m) && add_packed_config_type(m) &&
                                 add_graph_builder_type(m) && add_graphs(m) && add_current_device(m) && add_waits(m) && add_launch(m) &&
                                 add_user_memory_resources(m) && add_broadcast(m) && add_algorithm_type(m) &&
                                 add_device_array_type(m);
        if (!is_complete) return -1;
    }
%}

// A status passed in (error_status_name) is a plain number.
%apply int { cuprum_status };
%typemap(out) cuprum_status {
    if ($1 != CUPRUM_SUCCESS) {
        cuprum_python::raise_last_error($1);
        SWIG_fail;
    }
    $result = nullptr;    // replaced by the first output; a second one makes it a list
}
%typemap(ret) cuprum_status {
    if ($result == nullptr && PyErr_Occurred() == nullptr) $result = SWIG_Py_Void();
}

%typemap(in) cuprum_handle HANDLE {
    const unsigned long long value = PyLong_AsUnsignedLongLong($input);
    if (value == static_cast<unsigned long long>(-1) && PyErr_Occurred()) SWIG_fail;
    $1 = reinterpret_cast<$1_ltype>(static_cast<uintptr_t>(value));
}
%typemap(in, numinputs=0) cuprum_handle *HANDLE_OUT ($*1_ltype handle = nullptr) "$1 = &handle;"
%typemap(argout) cuprum_handle *HANDLE_OUT {
    $result = SWIG_AppendOutput($result, PyLong_FromUnsignedLongLong(reinterpret_cast<uintptr_t>(*$1)));
}

// Integers, in words that name the argument; SWIG's own name the C function and count its arguments. Some are called
// otherwise in Python.
%define CUPRUM_INTEGER(Name, Type)
%typemap(in) Type {
    if (!cuprum_python::integer($input, Name, $1)) SWIG_fail;
}
%enddef
CUPRUM_INTEGER("$1_name", int32_t)
CUPRUM_INTEGER("$1_name", uint32_t)
CUPRUM_INTEGER("$1_name", int64_t)
CUPRUM_INTEGER("$1_name", uint64_t)
CUPRUM_INTEGER("device_id", int32_t device)
CUPRUM_INTEGER("handle", uint64_t native)
CUPRUM_INTEGER("ptr", uint64_t address)
CUPRUM_INTEGER("dynamic_shared_memory_size", uint64_t dynamic_shared_memory)
CUPRUM_INTEGER("max_dynamic_shared_size_bytes", int32_t bytes)

%typemap(in) const char * {
    if (!cuprum_python::text_or_none($input, "$1_name", &$1)) SWIG_fail;
}
%typemap(freearg) const char * "";
%typemap(in, numinputs=0) const char **TEXT_OUT (const char *text = nullptr) "$1 = const_cast<$1_ltype>(&text);"
%typemap(argout) const char **TEXT_OUT {
    $result = SWIG_AppendOutput($result, PyUnicode_DecodeUTF8(*$1, strlen(*$1), "replace"));
}

%typemap(in, numinputs=0) (const void **DATA_OUT, uint64_t *SIZE_OUT) (const void *data = nullptr, uint64_t size = 0) {
    $1 = const_cast<$1_ltype>(&data);
    $2 = &size;
}
%typemap(argout) (const void **DATA_OUT, uint64_t *SIZE_OUT) {
    $result = SWIG_AppendOutput(
        $result, PyBytes_FromStringAndSize(static_cast<const char*>(*$1), static_cast<Py_ssize_t>(*$2)));
}

%typemap(in) (const void *HOST_SOURCE, uint64_t HOST_SIZE) (cuprum_python::HostMemory memory) {
    if (!memory.open($input, cuprum_python::HostMemory::Access::read)) SWIG_fail;
    $1 = memory.data();
    $2 = memory.size();
}
%typemap(in) (void *HOST_DESTINATION, uint64_t HOST_SIZE) (cuprum_python::HostMemory memory) {
    if (!memory.open($input, cuprum_python::HostMemory::Access::write)) SWIG_fail;
    $1 = memory.data();
    $2 = memory.size();
}
// The memory is let go when the wrapper returns, after the call: HostMemory's destructor.
%typemap(freearg) (const void *HOST_SOURCE, uint64_t HOST_SIZE), (void *HOST_DESTINATION, uint64_t HOST_SIZE) "";

%typemap(in) (const char *const *TEXTS, uint32_t COUNT) (cuprum_python::Texts texts) {
    if (!texts.open($input, "$1_name")) SWIG_fail;
    $1 = const_cast<$1_ltype>(texts.data());
    $2 = texts.size();
}
%typemap(freearg) (const char *const *TEXTS, uint32_t COUNT) "";
%typemap(in) (const cuprum_handle *HANDLES, uint32_t COUNT) (cuprum_python::Handles handles) {
    if (!handles.open($input)) SWIG_fail;
    $1 = reinterpret_cast<$1_ltype>(handles.data());
    $2 = handles.size();
}
%typemap(argout) (const cuprum_handle *HANDLES, uint32_t COUNT) "";  // it is no HANDLE_OUT
%typemap(freearg) (const cuprum_handle *HANDLES, uint32_t COUNT) "";

%define CUPRUM_STRUCT_OUT(Type, convert)
%typemap(in, numinputs=0) Type * (Type value) {
    value = Type();
    value.struct_size = sizeof(value);
    $1 = &value;
}
%typemap(argout) Type * {
    $result = SWIG_AppendOutput($result, convert(*$1));
}
%enddef
CUPRUM_STRUCT_OUT(cuprum_device_properties, cuprum_python::to_dict)
CUPRUM_STRUCT_OUT(cuprum_kernel_attributes, cuprum_python::to_dict)
%{
#include "structs.hpp"
%}
