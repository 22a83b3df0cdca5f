// cuprum.core.launch: Python's way to a kernel. With a Stream, a LaunchConfig and a Kernel as they usually are, nothing
// of it is Python code: the handles are read from the objects, and nothing is allocated. Whatever else is given goes to
// the function in cuprum/core/_launch.py, which converts it or says what is wrong.
#pragma once

#include <Python.h>

#include <array>

#include "errors.hpp"
#include "kernel_arguments.hpp"
#include "owner.hpp"

namespace cuprum_python {

// The types Stream, LaunchConfig and Kernel, and the function for everything else. Owned; never freed.
struct LaunchTypes {
    PyTypeObject* stream = nullptr;
    PyTypeObject* config = nullptr;
    PyTypeObject* kernel = nullptr;
    PyObject* otherwise = nullptr;
};

inline LaunchTypes& launch_types() {
    static LaunchTypes types;
    return types;
}

inline PyObject* set_launch_types(PyObject* /*module*/, PyObject* arguments) {
    std::array<PyObject*, 4> given{};
    if (PyArg_ParseTuple(arguments, "OOOO", &given[0], &given[1], &given[2], &given[3]) == 0) return nullptr;
    for (size_t i = 0; i < given.size(); ++i) {
        Py_INCREF(given[i]);
    }
    launch_types() = {reinterpret_cast<PyTypeObject*>(given[0]), reinterpret_cast<PyTypeObject*>(given[1]),
                      reinterpret_cast<PyTypeObject*>(given[2]), given[3]};
    Py_RETURN_NONE;
}

inline PyObject* launch_otherwise(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* const positional = PyTuple_New(count);
    PyObject* const named = PyDict_New();
    bool is_complete = positional != nullptr && named != nullptr;
    for (Py_ssize_t i = 0; is_complete && i < count; ++i) {
        Py_INCREF(arguments[i]);
        is_complete = PyTuple_SetItem(positional, i, arguments[i]) == 0;
    }
    const Py_ssize_t named_count = names != nullptr ? PyTuple_Size(names) : 0;
    for (Py_ssize_t i = 0; is_complete && i < named_count; ++i) {
        is_complete = PyDict_SetItem(named, PyTuple_GetItem(names, i), arguments[count + i]) == 0;
    }
    PyObject* const result = is_complete ? PyObject_Call(launch_types().otherwise, positional, named) : nullptr;
    Py_XDECREF(positional);
    Py_XDECREF(named);
    return result;
}

inline PyObject* launch(PyObject* /*module*/, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    const LaunchTypes& types = launch_types();
    const bool is_usual = count >= 3 && names == nullptr && Py_TYPE(arguments[0]) == types.stream &&
                          Py_TYPE(arguments[1]) == types.config && Py_TYPE(arguments[2]) == types.kernel;
    if (!is_usual) return launch_otherwise(arguments, count, names);
    const auto stream = handle_of<cuprum_stream>(arguments[0]);
    const auto kernel = handle_of<cuprum_kernel>(arguments[2]);
    if (stream == nullptr || kernel == nullptr) return launch_otherwise(arguments, count, names);
    KernelArguments converted;
    if (!converted.open(arguments + 3, count - 3)) return nullptr;
    const cuprum_launch_config& config = reinterpret_cast<PackedConfigObject*>(arguments[1])->config;
    const cuprum_status status = cuprum_launch(stream, &config, kernel, converted.data(), converted.size());
    if (status != CUPRUM_SUCCESS) {
        raise_last_error(status);
        return nullptr;
    }
    Py_RETURN_NONE;
}

// Adds `launch` and `set_launch_types` to the module. False with a Python error.
inline bool add_launch(PyObject* module) {
    static PyMethodDef methods[] = {
        {"launch", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(launch)), METH_FASTCALL | METH_KEYWORDS,
         "launch(stream, config, kernel, *args)\n--\n\n"
         "Launches a kernel in a stream; returns at once.\n\n"
         "The arguments are checked against the kernel's own parameters: their number, and the size of each. A Buffer, "
         "or\nanything with ``__cuda_array_interface__``, is passed as its device address. An int, float or bool takes "
         "the width\nof the parameter if it fits; a kernel does not tell the types of its parameters, so write 3.0 for "
         "a real one, not 3.\nA NumPy or ctypes scalar must have exactly the parameter's size, and so must bytes, "
         "which are for structs.\n"},
        {"set_launch_types", set_launch_types, METH_VARARGS, "Called once by cuprum.core._launch."},
        {nullptr, nullptr, 0, nullptr}};
    return PyModule_AddFunctions(module, methods) == 0;
}

}  // namespace cuprum_python
