// Handle, the type in C that every owner of the package derives from (cuprum._native.Owner): its handle is read without
// asking Python for an attribute. The types of streams, events, buffers and kernels derive from it, in files of their
// own.
#pragma once

#include <Python.h>
#include <structmember.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "cuprum/cuprum.h"
#include "errors.hpp"

namespace cuprum_python {

struct HandleObject {
    // `_native` in Python; 0 when closed.
    PyObject_HEAD unsigned long long native;
    unsigned long long number;  // CUDA's own handle or address, once it was asked for; 0 before
    static inline PyTypeObject* type = nullptr;
};

// Each of the structs that begin with a HandleObject has the `type` of its objects: owned, and never freed.
template <class Object>
bool is_a(PyObject* object) {
    // Most objects are of the class that was seen last, whose bases are not gone through again.
    static PyObject* known = nullptr;  // owned
    PyTypeObject* const type = Py_TYPE(object);
    auto* const type_object = reinterpret_cast<PyObject*>(type);
    if (type_object == known) return true;
    if (PyType_IsSubtype(type, Object::type) == 0) return false;
    Py_INCREF(type_object);
    Py_XDECREF(std::exchange(known, type_object));
    return true;
}

template <class Object>
Object& as(PyObject* object) {
    return *reinterpret_cast<Object*>(object);
}

template <class Handle>
Handle handle_of(PyObject* owner) {
    return reinterpret_cast<Handle>(static_cast<uintptr_t>(reinterpret_cast<HandleObject*>(owner)->native));
}

// The handle of a default stream (stream_handle.hpp), which has none of its own: that of the current device's. Null
// without a Python error for every other stream.
bool open_default_stream(PyObject* stream, cuprum_stream& handle);

// The handle of an Owner. False with a Python error: InvalidState where it is closed, which Owner._refuse_closed
// raises.
template <class Handle>
bool open_handle(PyObject* owner, const char* operation, Handle& handle) {
    handle = handle_of<Handle>(owner);
    if (handle != nullptr) return true;
    if constexpr (std::is_same_v<Handle, cuprum_stream>) {
        if (!open_default_stream(owner, handle)) return false;
        if (handle != nullptr) return true;
    }
    Py_XDECREF(PyObject_CallMethod(owner, "_refuse_closed", "s", operation));
    return false;
}

// Owner._open_native(operation): the handle.
template <class Handle>
PyObject* open_native(PyObject* self, PyObject* operation) {
    Handle handle = handle_of<Handle>(self);
    if (handle == nullptr) {
        Py_ssize_t length = 0;
        const char* const text = PyUnicode_AsUTF8AndSize(operation, &length);
        if (text == nullptr || !open_handle(self, text, handle)) return nullptr;
    }
    return PyLong_FromUnsignedLongLong(reinterpret_cast<uintptr_t>(handle));
}

// Adds a type to the module; `base` may be null. The type is owned and never freed. Null with a Python error.
inline PyTypeObject* add_type(PyObject* module, const char* name, PyType_Spec& specification, PyTypeObject* base) {
    PyObject* const type = PyType_FromSpecWithBases(&specification, reinterpret_cast<PyObject*>(base));
    if (type == nullptr || PyModule_AddObjectRef(module, name, type) != 0) return nullptr;
    return reinterpret_cast<PyTypeObject*>(type);
}

constexpr unsigned base_type_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;

// Python's exception, put aside while a finalizer runs.
class PendingError {
public:
    PendingError() { PyErr_Fetch(&type_, &error_, &traceback_); }
    ~PendingError() { PyErr_Restore(type_, error_, traceback_); }
    PendingError(const PendingError&) = delete;
    PendingError& operator=(const PendingError&) = delete;

private:
    PyObject *type_ = nullptr, *error_ = nullptr, *traceback_ = nullptr;
};

// The end of an owner's object, which may be open still: closes it. In C because most objects end closed or end often.
inline void finalize(PyObject* self) {
    if (as<HandleObject>(self).native == 0) return;
    static PyObject* const close = PyUnicode_InternFromString("close");
    static PyObject* const warn = PyUnicode_InternFromString("_warn_of_failed_release");
    const PendingError pending;
    PyObject* done = PyObject_CallMethodObjArgs(self, close, nullptr);
    if (done == nullptr) {
        PyObject *type = nullptr, *error = nullptr, *traceback = nullptr;
        PyErr_Fetch(&type, &error, &traceback);
        PyErr_NormalizeException(&type, &error, &traceback);
        done = PyObject_CallMethodObjArgs(self, warn, error, nullptr);
        Py_XDECREF(type);
        Py_XDECREF(error);
        Py_XDECREF(traceback);
    }
    if (done == nullptr) PyErr_WriteUnraisable(self);
    Py_XDECREF(done);
}

// A new object of an owner's class, with its handle. Null with a Python error; then the handle is still the caller's.
template <class Handle>
PyObject* make_owner(PyObject* type, Handle handle) {
    PyObject* const object = PyType_GenericAlloc(reinterpret_cast<PyTypeObject*>(type), 0);
    if (object != nullptr) as<HandleObject>(object).native = reinterpret_cast<uintptr_t>(handle);
    return object;
}

// Adds `Handle` to the module. False with a Python error.
inline bool add_handle_type(PyObject* module) {
    static PyMemberDef members[] = {
        {"_native", T_ULONGLONG, offsetof(HandleObject, native), 0, "The handle; 0 when closed."},
        {nullptr, 0, 0, 0, nullptr}};
    static PyMethodDef methods[] = {
        {"_open_native", open_native<void*>, METH_O, "The handle; InvalidState when closed."},
        {nullptr, nullptr, 0, nullptr}};
    static PyType_Slot slots[] = {{Py_tp_members, members},
                                  {Py_tp_methods, methods},
                                  {Py_tp_finalize, reinterpret_cast<void*>(finalize)},
                                  {0, nullptr}};
    static PyType_Spec specification{"cuprum._cuprum.Handle", sizeof(HandleObject), 0, base_type_flags, slots};
    HandleObject::type = add_type(module, "Handle", specification, nullptr);
    return HandleObject::type != nullptr;
}

}  // namespace cuprum_python
