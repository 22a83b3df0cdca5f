// BufferHandle, the type in C that cuprum.core.Buffer derives from.
#pragma once

#include <Python.h>
#include <structmember.h>

#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "handle_members.hpp"
#include "stream_handle.hpp"
#include "waits.hpp"

namespace cuprum_python {

struct BufferObject {
    HandleObject owner;
    unsigned long long size;  // bytes
    // Views of its memory through the buffer protocol, and the handle of a buffer that was closed while there were
    // some: the last of them destroys it.
    unsigned long long views;
    unsigned long long closed_native;
    char has_registered;  // `_registered` is host memory that it has registered
    static inline PyTypeObject* type = nullptr;
    static PyMemberDef members[];
    static PyGetSetDef attributes[];
    static PyMethodDef methods[];
    static PyType_Slot more_slots[];
};

// The little-endian pattern that a buffer is filled with.
struct Pattern {
    uint32_t value;
    uint32_t size;  // 0: the object is none, or not of the usual types

    static Pattern of(PyObject* object) {
        if (PyLong_CheckExact(object) != 0) {
            int overflow = 0;
            const long value = PyLong_AsLongAndOverflow(object, &overflow);
            return {static_cast<uint32_t>(value), overflow == 0 && 0 <= value && value <= 255 ? 1U : 0U};
        }
        const Py_ssize_t size = PyBytes_CheckExact(object) != 0 ? PyBytes_Size(object) : 0;
        if (size != 1 && size != 2 && size != 4) return {0, 0};
        Pattern pattern{0, static_cast<uint32_t>(size)};
        std::memcpy(&pattern.value, PyBytes_AsString(object), pattern.size);
        return pattern;
    }
};

inline PyObject* buffer_fill(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    const Arguments arguments{values, count, names};
    PyObject* const stream = arguments.second_named("stream");
    const bool has_stream = stream != nullptr && is_a<StreamObject>(stream);
    const Pattern pattern = has_stream ? Pattern::of(values[0]) : Pattern{0, 0};
    if (pattern.size == 0) return call_method(self, "_fill", arguments);
    cuprum_stream in = nullptr;
    cuprum_buffer filled = nullptr;
    if (!open_handle(stream, "filling a buffer", in) || !open_handle(self, "filling a buffer", filled)) return nullptr;
    cuprum_status status = CUPRUM_SUCCESS;
    {
        const WithoutGilWhilePending released;
        status = cuprum_buffer_fill(filled, pattern.value, pattern.size, in);
    }
    return none_or_error(status);
}

inline PyObject* buffer_copy_from(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    const Arguments arguments{values, count, names};
    PyObject* const stream = arguments.second_named("stream");
    const bool is_usual = stream != nullptr && is_a<StreamObject>(stream) && is_a<BufferObject>(values[0]);
    const auto size_of = [](PyObject* buffer) { return as<BufferObject>(buffer).size; };
    if (!is_usual || size_of(self) != size_of(values[0])) return call_method(self, "_copy_from", arguments);
    cuprum_stream in = nullptr;
    cuprum_buffer destination = nullptr;
    cuprum_buffer source = nullptr;
    if (!open_handle(stream, "copying between buffers", in) ||
        !open_handle(self, "copying between buffers", destination) ||
        !open_handle(values[0], "copying between buffers", source)) {
        return nullptr;
    }
    PyThreadState* const thread = PyEval_SaveThread();
    const cuprum_status status = cuprum_buffer_copy(destination, 0, source, 0, size_of(self), in);
    PyEval_RestoreThread(thread);
    return none_or_error(status);
}

// The buffer protocol: host-accessible memory without a copy. Fails with BufferError for a device's memory.
inline int buffer_view(PyObject* self, Py_buffer* view, int flags) {
    static unsigned char no_bytes;
    view->obj = nullptr;
    cuprum_buffer handle = nullptr;
    if (!open_handle(self, "viewing a buffer as host memory", handle)) return -1;
    uint64_t address = 0;
    const cuprum_status status = cuprum_buffer_host_address(&address, handle);
    if (status == CUPRUM_ERROR_INVALID_ARGUMENT) {
        cuprum_error_info info = CUPRUM_ERROR_INFO_INIT;
        cuprum_error_last(&info);
        PyErr_SetString(PyExc_BufferError, info.message);
        return -1;
    }
    if (status != CUPRUM_SUCCESS) {
        raise_last_error(status);
        return -1;
    }
    void* const memory = address == 0 ? &no_bytes : reinterpret_cast<void*>(static_cast<uintptr_t>(address));
    if (PyBuffer_FillInfo(view, self, memory, static_cast<Py_ssize_t>(as<BufferObject>(self).size), 0, flags) != 0) {
        return -1;
    }
    ++as<BufferObject>(self).views;
    return 0;
}

// None, or a Python error.
inline PyObject* release_buffer(cuprum_buffer handle) {
    cuprum_status status = CUPRUM_SUCCESS;
    {
        const WithoutGil released;
        status = release(handle, cuprum_buffer_destroy);
    }
    return none_or_error(status);
}

// The same for an object's handle.
inline PyObject* release_buffer_of(PyObject* self, cuprum_buffer handle) {
    PyObject* const done = release_buffer(handle);
    if (as<BufferObject>(self).has_registered == 0 || releases() == Releases::at_once) return done;
    // It may be registered still, and in use by a device: never to be let go.
    const PendingError pending;
    if (PyObject_GetAttrString(self, "_registered") == nullptr) PyErr_Clear();
    return done;
}

inline void buffer_end_view(PyObject* self, Py_buffer* /*view*/) {
    BufferObject& buffer = as<BufferObject>(self);
    if (--buffer.views != 0 || buffer.closed_native == 0) return;
    const PendingError pending;
    PyObject* const done =
        release_buffer_of(self, reinterpret_cast<cuprum_buffer>(std::exchange(buffer.closed_native, 0)));
    if (done == nullptr) PyErr_WriteUnraisable(self);
    Py_XDECREF(done);
}

// Buffer._close_now(): frees the memory, or leaves that to the last of its views.
inline PyObject* buffer_close_now(PyObject* self, PyObject* /*unused*/) {
    BufferObject& buffer = as<BufferObject>(self);
    const auto native = handle_of<cuprum_buffer>(self);
    buffer.owner.native = 0;
    if (native == nullptr) Py_RETURN_NONE;
    if (buffer.views != 0) {
        buffer.closed_native = reinterpret_cast<uintptr_t>(native);
        Py_RETURN_NONE;
    }
    return release_buffer_of(self, native);
}

inline PyObject* buffer_close(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    const Arguments arguments{values, count, names};
    const bool is_usual = names == nullptr && (count == 0 || (count == 1 && values[0] == Py_None));
    return is_usual ? buffer_close_now(self, nullptr) : call_method(self, "_close_in", arguments);
}

// A new buffer from what `allocate(&handle, size, stream)` makes, of the arguments (where from, size, stream);
// `in_general` names the method in Python that has all but the usual case, and says what is wrong with the arguments.
template <class Allocate>
PyObject* allocate_in_stream(PyObject* type, const Arguments& arguments, const char* operation, const char* in_general,
                             const Allocate& allocate) {
    PyObject* const stream = arguments.values[2];
    const unsigned long long size =
        PyLong_CheckExact(arguments.values[1]) != 0 ? PyLong_AsUnsignedLongLong(arguments.values[1]) : 0;
    if (PyErr_Occurred() != nullptr) PyErr_Clear();
    if (size == 0 || size == ULLONG_MAX || !is_a<StreamObject>(stream)) return call_method(type, in_general, arguments);
    cuprum_stream in = nullptr;
    if (!open_handle(stream, operation, in)) return nullptr;
    cuprum_buffer handle = nullptr;
    cuprum_status status = CUPRUM_SUCCESS;
    {
        const WithoutGil released;
        status = allocate(&handle, size, in);
    }
    if (status != CUPRUM_SUCCESS) return none_or_error(status);
    PyObject* const made = make_owner(type, handle);
    if (made == nullptr) {
        cuprum_buffer_destroy(handle);
        return nullptr;
    }
    as<BufferObject>(made).size = size;
    static PyObject* const kept = PyUnicode_InternFromString("_stream");
    if (PyObject_SetAttr(made, kept, stream) == 0) return made;
    Py_DECREF(made);
    return nullptr;
}

// Buffer._allocate(device_id, size, stream): as _allocate_in, which has all but the usual case.
inline PyObject* buffer_allocate(PyObject* type, PyObject* const* values, Py_ssize_t count) {
    const Arguments arguments{values, count, nullptr};
    const long device = count == 3 ? PyLong_AsLong(values[0]) : -1;
    if (PyErr_Occurred() != nullptr) PyErr_Clear();  // _allocate_in says what is wrong
    if (device < 0) return call_method(type, "_allocate_in", arguments);
    return allocate_in_stream(type, arguments, "allocating device memory", "_allocate_in",
                              [&](cuprum_buffer* buffer, uint64_t size, cuprum_stream stream) {
                                  return cuprum_buffer_allocate(buffer, static_cast<int32_t>(device), size, stream);
                              });
}

// Buffer._allocate_from(resource, size, stream): as _allocate_from_resource, which has all but the usual case.
inline PyObject* buffer_allocate_from(PyObject* type, PyObject* const* values, Py_ssize_t count) {
    constexpr const char* operation = "allocating from a memory resource";
    const Arguments arguments{values, count, nullptr};
    if (count != 3 || !is_a<HandleObject>(values[0])) return call_method(type, "_allocate_from_resource", arguments);
    cuprum_memory_resource resource = nullptr;
    if (!open_handle(values[0], operation, resource)) return nullptr;
    PyObject* const made =
        allocate_in_stream(type, arguments, operation, "_allocate_from_resource",
                           [&](cuprum_buffer* buffer, uint64_t size, cuprum_stream stream) {
                               return cuprum_memory_resource_allocate(buffer, resource, size, stream);
                           });
    static PyObject* const kept = PyUnicode_InternFromString("_resource");
    if (made == nullptr || PyObject_SetAttr(made, kept, values[0]) == 0) return made;
    Py_DECREF(made);
    return nullptr;
}

inline PyObject* buffer_size(PyObject* self, void* /*operation*/) {
    return PyLong_FromUnsignedLongLong(as<BufferObject>(self).size);
}

inline PyMemberDef BufferObject::members[] = {
    {"_size", T_ULONGLONG, offsetof(BufferObject, size), 0, "Bytes."},
    {"_number", T_ULONGLONG, offsetof(BufferObject, owner.number), 0, "The address, once it was asked for; else 0."},
    {"_views", T_ULONGLONG, offsetof(BufferObject, views), READONLY, "Views of its memory that are in use."},
    {"_has_registered", T_BOOL, offsetof(BufferObject, has_registered), 0, "Whether it has registered host memory."},
    no_more_members};

inline PyGetSetDef BufferObject::attributes[] = {
    attribute("handle", get_native<cuprum_buffer_native>, "The device address.", "asking for a buffer's address"),
    attribute("size", buffer_size, "Bytes.", nullptr),
    attribute("device_id", get_number<cuprum_buffer_device>, "The ordinal of the device.",
              "asking for a buffer's device"),
    no_more_attributes};

inline PyMethodDef BufferObject::methods[] = {
    method("fill", buffer_fill,
           "fill($self, /, value, *, stream)\n--\n\n"
           "Fills the buffer with a byte (0 to 255), or with a pattern of 1, 2 or 4 bytes."),
    method("copy_from", buffer_copy_from,
           "copy_from($self, /, src, *, stream, options=None)\n--\n\nCopies from another buffer of the same size."),
    method("close", buffer_close,
           "close($self, /, stream=None)\n--\n\n"
           "Frees the memory, in the order of ``stream`` if one is given: see ``set_deallocation_stream``.\n\n"
           "Calling it again does nothing. Views of its memory as host memory stay valid: the last of them frees it."),
    {"_close_now", buffer_close_now, METH_NOARGS, "close() without a stream."},
    {"_allocate", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(buffer_allocate)),
     METH_FASTCALL | METH_CLASS, "Memory of a device, in a stream or without one."},
    {"_allocate_from", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(buffer_allocate_from)),
     METH_FASTCALL | METH_CLASS, "Memory of a resource, in a stream or without one."},
    own_members_of<BufferObject>(),
    no_more_methods};

inline PyType_Slot BufferObject::more_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(buffer_view)},
                                                 {Py_bf_releasebuffer, reinterpret_cast<void*>(buffer_end_view)},
                                                 {0, nullptr}};

// Adds it to the module. False with a Python error.
inline bool add_buffer_type(PyObject* module) {
    return add_handle_subtype<BufferObject>(module, "BufferHandle", "cuprum._cuprum.BufferHandle");
}

}  // namespace cuprum_python
