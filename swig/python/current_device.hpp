// Which device is meant where none is named: cuprum.core._current.
#pragma once

#include <Python.h>

#include <cstdint>

#include "integers.hpp"

namespace cuprum_python {

// The device that this thread made current with Device.set_current; 0 before.
inline int32_t& current_device() {
    thread_local int32_t device = 0;
    return device;
}

inline PyObject* get_current_device(PyObject* /*module*/, PyObject* /*unused*/) {
    return PyLong_FromLong(current_device());
}

inline PyObject* set_current_device(PyObject* /*module*/, PyObject* device) {
    int32_t id = 0;
    if (!integer(device, "device_id", id)) return nullptr;
    current_device() = id;
    Py_RETURN_NONE;
}

// Adds `current_device` and `set_current_device` to the module. False with a Python error.
inline bool add_current_device(PyObject* module) {
    static PyMethodDef functions[] = {
        {"current_device", get_current_device, METH_NOARGS, "The device that this thread made current; 0 before."},
        {"set_current_device", set_current_device, METH_O, "Makes it this thread's current device, for Python alone."},
        {nullptr, nullptr, 0, nullptr}};
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace cuprum_python
