// The name of an object's type, for error messages.
#pragma once

#include <Python.h>

namespace cuprum_python {

// Owns a str, "ndarray". Construct, use and destroy it with the GIL held and no Python error set.
class TypeName {
public:
    explicit TypeName(PyObject* object) : name_(PyType_GetName(Py_TYPE(object))) {
        if (name_ == nullptr) PyErr_Clear();
    }
    TypeName(const TypeName&) = delete;
    TypeName& operator=(const TypeName&) = delete;
    ~TypeName() { Py_XDECREF(name_); }

    // For the %S of PyErr_Format.
    PyObject* get() const { return name_ != nullptr ? name_ : Py_None; }

private:
    PyObject* name_;
};

}  // namespace cuprum_python
