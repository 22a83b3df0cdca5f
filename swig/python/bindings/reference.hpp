// An owned reference to a Python object.
#pragma once

#include <Python.h>

#include <utility>

namespace cuprum::python {

class Reference {
public:
    Reference() noexcept = default;
    /// Takes over a reference that the caller owns; null is allowed.
    explicit Reference(PyObject* owned) noexcept : object_(owned) {}
    Reference(Reference&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Reference& operator=(Reference&& other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Reference() { Py_XDECREF(object_); }

    PyObject* get() const noexcept { return object_; }
    PyObject* release() noexcept { return std::exchange(object_, nullptr); }
    explicit operator bool() const noexcept { return object_ != nullptr; }

private:
    PyObject* object_ = nullptr;
};

}  // namespace cuprum::python
