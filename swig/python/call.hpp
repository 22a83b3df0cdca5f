// Calls from C to Python with the arguments that C got.
#pragma once

#include <Python.h>

namespace cuprum_python {

// The arguments of a METH_FASTCALL | METH_KEYWORDS method.
struct Arguments {
    PyObject* const* values;
    Py_ssize_t count;  // of those given by position; those given by name follow
    PyObject* names;   // of the latter; may be null

    // What is given where one argument by position is all there is; else null.
    PyObject* only() const { return count == 1 && names == nullptr ? values[0] : nullptr; }

    // What is given by name, where that is one argument of this name, beside one by position; else null.
    PyObject* second_named(const char* name) const {
        const bool is_usual = count == 1 && names != nullptr && PyTuple_Size(names) == 1 &&
                              PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, 0), name) == 0;
        return is_usual ? values[1] : nullptr;
    }
};

// callable(*arguments)
inline PyObject* call(PyObject* callable, const Arguments& arguments) {
    PyObject* const positional = PyTuple_New(arguments.count);
    PyObject* const named = PyDict_New();
    bool is_complete = positional != nullptr && named != nullptr;
    for (Py_ssize_t i = 0; is_complete && i < arguments.count; ++i) {
        Py_INCREF(arguments.values[i]);
        is_complete = PyTuple_SetItem(positional, i, arguments.values[i]) == 0;
    }
    const Py_ssize_t named_count = arguments.names != nullptr ? PyTuple_Size(arguments.names) : 0;
    for (Py_ssize_t i = 0; is_complete && i < named_count; ++i) {
        is_complete =
            PyDict_SetItem(named, PyTuple_GetItem(arguments.names, i), arguments.values[arguments.count + i]) == 0;
    }
    PyObject* const result = is_complete ? PyObject_Call(callable, positional, named) : nullptr;
    Py_XDECREF(positional);
    Py_XDECREF(named);
    return result;
}

// self.method(*arguments)
inline PyObject* call_method(PyObject* self, const char* method, const Arguments& arguments) {
    PyObject* const bound = PyObject_GetAttrString(self, method);
    if (bound == nullptr) return nullptr;
    PyObject* const result = call(bound, arguments);
    Py_DECREF(bound);
    return result;
}

}  // namespace cuprum_python
