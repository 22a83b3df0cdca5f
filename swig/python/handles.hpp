// A Python sequence of handles as an array of the C ABI's.
#pragma once

#include <Python.h>

#include <cstdint>
#include <vector>

namespace cuprum_python {

// A sequence of int. Construct and use it with the GIL held.
class Handles {
public:
    bool open(PyObject* sequence) {
        const Py_ssize_t count = PySequence_Size(sequence);
        if (count < 0) return false;
        handles_.reserve(static_cast<size_t>(count));
        for (Py_ssize_t i = 0; i < count; ++i) {
            PyObject* const item = PySequence_GetItem(sequence, i);
            if (item == nullptr) return false;
            const unsigned long long value = PyLong_AsUnsignedLongLong(item);
            Py_DECREF(item);
            if (value == static_cast<unsigned long long>(-1) && PyErr_Occurred() != nullptr) return false;
            handles_.push_back(reinterpret_cast<void*>(static_cast<uintptr_t>(value)));
        }
        return true;
    }

    void** data() { return handles_.data(); }
    uint32_t size() const { return static_cast<uint32_t>(handles_.size()); }

private:
    std::vector<void*> handles_;
};

}  // namespace cuprum_python
