// Which device is meant where none is named: cuprum.core._current.
#pragma once

#include <Python.h>

#include <cstdint>

#include "errors.hpp"
#include "waits.hpp"

namespace cuprum_python {

// The device whose context is current on this thread, whoever made it so; 0 where none is. False with a Python error.
// The first call may start the driver, without the GIL; the others only look at what the thread has.
inline bool current_device(int32_t& device) {
    static bool is_started = false;  // under the GIL
    cuprum_status status = CUPRUM_SUCCESS;
    if (is_started) {
        status = cuprum_device_current(&device);
    } else {
        const WithoutGil released;
        status = cuprum_device_current(&device);
    }
    is_started = is_started || status == CUPRUM_SUCCESS;
    if (status != CUPRUM_SUCCESS) raise_last_error(status);
    return status == CUPRUM_SUCCESS;
}

inline PyObject* get_current_device(PyObject* /*module*/, PyObject* /*unused*/) {
    int32_t device = 0;
    return current_device(device) ? PyLong_FromLong(device) : nullptr;
}

// Adds `current_device` to the module. False with a Python error.
inline bool add_current_device(PyObject* module) {
    static PyMethodDef functions[] = {
        {"current_device", get_current_device, METH_NOARGS, "The device whose context is current on this thread."},
        {nullptr, nullptr, 0, nullptr}};
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace cuprum_python
