// The attributes of structures.
#pragma once

#include <Python.h>

namespace cuprum::python {

/// Getter and setter of the field that `closure` points to (PyGetSetDef).
PyObject* get_field(PyObject* self, void* closure);
int set_field(PyObject* self, PyObject* value, void* closure);

/// One line for each field, "name : value"; structures within are indented.
PyObject* structure_repr(PyObject* self);

}  // namespace cuprum::python
