// Calls of the libraries' functions from Python.
#pragma once

#include "tables.hpp"

namespace cuprum::python {

/// Calls `function` with arguments in Python's order (without those that are returned), or in C's (with all of them).
/// Gives the tuple of the status and what is returned; null with an exception set.
PyObject* call(Function& function, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords);

}  // namespace cuprum::python
