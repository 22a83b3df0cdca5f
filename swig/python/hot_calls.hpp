// The calls of streams and events that programs make as often as launches: they take the objects, not their handles,
// and so need no Python number for each.
#pragma once

#include <Python.h>

#include "errors.hpp"
#include "owner.hpp"

namespace cuprum_python {

// The handle of an Owner. Where it has none of its own, its method _open_native(operation) decides: a default stream's
// gives that of the current device, a closed object's raises. False with a Python error.
template <class Handle>
bool open_handle(PyObject* owner, const char* operation, Handle& handle) {
    handle = handle_of<Handle>(owner);
    if (handle != nullptr) return true;
    PyObject* const number = PyObject_CallMethod(owner, "_open_native", "s", operation);
    if (number == nullptr) return false;
    const unsigned long long value = PyLong_AsUnsignedLongLong(number);
    Py_DECREF(number);
    if (PyErr_Occurred() != nullptr) return false;
    handle = reinterpret_cast<Handle>(static_cast<uintptr_t>(value));
    return true;
}

// Whether there are two arguments, both Owners of the types that cuprum.core promises.
inline bool is_pair(PyObject* const* arguments, Py_ssize_t count) {
    if (count == 2 && PyObject_TypeCheck(arguments[0], handle_type()) != 0 &&
        PyObject_TypeCheck(arguments[1], handle_type()) != 0) {
        return true;
    }
    PyErr_SetString(PyExc_TypeError, "a stream and an event are expected");
    return false;
}

inline PyObject* none_or_error(cuprum_status status) {
    if (status != CUPRUM_SUCCESS) {
        raise_last_error(status);
        return nullptr;
    }
    Py_RETURN_NONE;
}

inline PyObject* stream_record(PyObject* /*module*/, PyObject* const* arguments, Py_ssize_t count) {
    cuprum_stream stream = nullptr;
    cuprum_event event = nullptr;
    if (!is_pair(arguments, count) || !open_handle(arguments[0], "recording an event", stream) ||
        !open_handle(arguments[1], "recording an event", event)) {
        return nullptr;
    }
    return none_or_error(cuprum_stream_record(stream, event));
}

inline PyObject* stream_wait(PyObject* /*module*/, PyObject* const* arguments, Py_ssize_t count) {
    cuprum_stream stream = nullptr;
    cuprum_event event = nullptr;
    if (!is_pair(arguments, count) || !open_handle(arguments[0], "making a stream wait", stream) ||
        !open_handle(arguments[1], "waiting for an event", event)) {
        return nullptr;
    }
    return none_or_error(cuprum_stream_wait_event(stream, event));
}

// Adds the functions to the module. False with a Python error.
inline bool add_hot_calls(PyObject* module) {
    const auto function = [](PyObject* (*call)(PyObject*, PyObject* const*, Py_ssize_t)) {
        return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call));
    };
    static PyMethodDef methods[] = {
        {"stream_record", function(stream_record), METH_FASTCALL, "Records an Event in a Stream."},
        {"stream_wait", function(stream_wait), METH_FASTCALL, "Makes a Stream wait for an Event."},
        {nullptr, nullptr, 0, nullptr}};
    return PyModule_AddFunctions(module, methods) == 0;
}

}  // namespace cuprum_python
