// Host memory lent by a Python object for the length of one call.
#pragma once

#include <Python.h>

#include <cstdint>

#include "type_name.hpp"

namespace cuprum_python {

// Holds a Py_buffer from open() until destruction, so that the object can neither resize nor free the memory while a
// call that has let go of the GIL is using it. Construct, use and destroy it with the GIL held.
class HostMemory {
public:
    enum class Access { read, write };

    HostMemory() = default;
    HostMemory(const HostMemory&) = delete;
    HostMemory& operator=(const HostMemory&) = delete;
    ~HostMemory() {
        if (is_open_) PyBuffer_Release(&view_);
    }

    // Takes the memory of `object`. On failure a Python exception is set that says what is wrong with it.
    bool open(PyObject* object, Access access) {
        if (!PyObject_CheckBuffer(object)) {
            PyErr_Format(PyExc_TypeError,
                         "host memory must support the buffer protocol (bytes, bytearray, memoryview, array.array, a "
                         "NumPy array, a ctypes array); got %S",
                         TypeName(object).get());
            return false;
        }
        const int flags = access == Access::write ? PyBUF_CONTIG : PyBUF_CONTIG_RO;
        if (PyObject_GetBuffer(object, &view_, flags) == 0) {
            is_open_ = true;
            return true;
        }
        explain_refusal(object, access);
        return false;
    }

    void* data() const { return view_.buf; }
    uint64_t size() const { return static_cast<uint64_t>(view_.len); }  // bytes

private:
    // Exporters refuse in words of their own (NumPy: "ndarray is not C-contiguous"); asking for less shows which demand
    // it was. Keeps their words.
    static void explain_refusal(PyObject* object, Access access) {
        PyObject *type = nullptr, *refusal = nullptr, *traceback = nullptr;
        PyErr_Fetch(&type, &refusal, &traceback);
        Py_buffer view;
        if (PyObject_GetBuffer(object, &view, PyBUF_FULL_RO) == 0) {
            const bool is_contiguous = PyBuffer_IsContiguous(&view, 'C') != 0;
            const bool is_read_only = view.readonly != 0;
            PyBuffer_Release(&view);
            if (!is_contiguous) {
                PyErr_Format(PyExc_ValueError,
                             "host memory must be C-contiguous, and that of %S is not (%S); pass a contiguous copy",
                             TypeName(object).get(), refusal == nullptr ? Py_None : refusal);
            } else if (is_read_only && access == Access::write) {
                PyErr_Format(PyExc_ValueError,
                             "host memory that is written must be writable, and that of %S is read-only",
                             TypeName(object).get());
            }
        }
        if (PyErr_Occurred() != nullptr) {
            Py_XDECREF(type);
            Py_XDECREF(refusal);
            Py_XDECREF(traceback);
        } else {
            PyErr_Restore(type, refusal, traceback);
        }
    }

    Py_buffer view_{};
    bool is_open_ = false;
};

}  // namespace cuprum_python
