// Python functions in graphs: called in every launch, and let go of when no graph has them any more.
#pragma once

#include <Python.h>

#include "host_function.hpp"

namespace cuprum_python {

inline void run_graph_function(void* argument) {
    const cuprum_languages::HostFunctionCall now;
    if (!now) return;  // the interpreter is going: its objects stay as they are
    const PyGILState_STATE state = PyGILState_Ensure();
    auto* const function = static_cast<PyObject*>(argument);
    PyObject* const result = PyObject_CallObject(function, nullptr);
    if (result == nullptr) PyErr_WriteUnraisable(function);
    Py_XDECREF(result);
    PyGILState_Release(state);
}

inline void release_graph_function(void* argument) {
    const cuprum_languages::HostFunctionCall now;
    if (!now) return;
    const PyGILState_STATE state = PyGILState_Ensure();
    pending_host_functions().fetch_sub(1, std::memory_order_relaxed);
    CalledFunctions::add(static_cast<PyObject*>(argument));
    PyGILState_Release(state);
}

}  // namespace cuprum_python
