// References to Python objects that are given back, and what objects answer.
#pragma once

#include <Python.h>

#include <cstdint>
#include <utility>

#include "integers.hpp"

namespace cuprum_python {

// A reference that is given back.
class Reference {
public:
    Reference() = default;
    // Takes the reference over.
    explicit Reference(PyObject* object) : object_(object) {}
    Reference(Reference&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Reference& operator=(Reference&& other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    Reference(const Reference&) = delete;
    Reference& operator=(const Reference&) = delete;
    ~Reference() { Py_XDECREF(object_); }

    static Reference to(PyObject* object) {
        Py_XINCREF(object);
        return Reference(object);
    }
    PyObject* get() const { return object_; }
    // The reference is the caller's from here on.
    PyObject* release() { return std::exchange(object_, nullptr); }
    explicit operator bool() const { return object_ != nullptr; }

private:
    PyObject* object_ = nullptr;
};

inline PyObject* interned(const char* name) {
    return PyUnicode_InternFromString(name);
}

// An attribute, or null and no Python error.
inline Reference attribute_of(PyObject* object, PyObject* name) {
    Reference value(PyObject_GetAttr(object, name));
    if (!value) PyErr_Clear();
    return value;
}
inline bool is_true(PyObject* object, PyObject* name) {
    return attribute_of(object, name).get() == Py_True;
}
inline Reference answer_of(PyObject* object, PyObject* method) {
    Reference answer(PyObject_CallMethodObjArgs(object, method, nullptr));
    if (!answer) PyErr_Clear();
    return answer;
}
// False, without a Python error, if it is not a number of 64 bits.
inline bool read_number(const Reference& object, uint64_t& number) {
    if (!object || PyLong_Check(object.get()) == 0) return false;
    number = unsigned_of(object.get());
    if (number != no_unsigned || PyErr_Occurred() == nullptr) return true;
    PyErr_Clear();
    return false;
}

// Whether it is the class of that name in that module.
inline bool is_type(PyTypeObject* type, const char* module, const char* name) {
    static PyObject* const module_name = interned("__module__");
    static PyObject* const type_name = interned("__name__");
    PyObject* const object = reinterpret_cast<PyObject*>(type);
    const Reference in = attribute_of(object, module_name), called = attribute_of(object, type_name);
    return in && called && PyUnicode_Check(in.get()) != 0 && PyUnicode_Check(called.get()) != 0 &&
           PyUnicode_CompareWithASCIIString(in.get(), module) == 0 &&
           PyUnicode_CompareWithASCIIString(called.get(), name) == 0;
}

}  // namespace cuprum_python
