// Python str as the C ABI's text.
#pragma once

#include <Python.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "type_name.hpp"

namespace cuprum_python {

// The UTF-8 of a str, kept by the str itself and valid as long as it is alive. A NUL within would cut the text short in
// C without a word, so it is refused. `what` names the argument in the exception.
inline bool text(PyObject* object, const char* what, const char** text_out) {
    if (!PyUnicode_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s must be a str, not %S", what, TypeName(object).get());
        return false;
    }
    Py_ssize_t size = 0;
    const char* utf8 = PyUnicode_AsUTF8AndSize(object, &size);
    if (utf8 == nullptr) return false;
    if (std::strlen(utf8) != static_cast<size_t>(size)) {
        PyErr_Format(PyExc_ValueError, "%s contains a NUL character at byte %zu", what, std::strlen(utf8));
        return false;
    }
    *text_out = utf8;
    return true;
}

inline bool text_or_none(PyObject* object, const char* what, char** text_out) {
    if (object == Py_None) {
        *text_out = nullptr;
        return true;
    }
    const char* utf8 = nullptr;
    if (!text(object, what, &utf8)) return false;
    *text_out = const_cast<char*>(utf8);  // SWIG drops the const of its argument variables
    return true;
}

// A sequence of str. Keeps the strings alive. Construct, use and destroy it with the GIL held.
class Texts {
public:
    Texts() = default;
    Texts(const Texts&) = delete;
    Texts& operator=(const Texts&) = delete;
    ~Texts() { Py_XDECREF(items_); }

    bool open(PyObject* sequence, const char* what) {
        if (PyUnicode_Check(sequence)) {
            PyErr_Format(PyExc_TypeError, "%s must be a sequence of str, not a single str", what);
            return false;
        }
        items_ = PySequence_Tuple(sequence);
        if (items_ == nullptr) return false;
        const Py_ssize_t count = PyTuple_Size(items_);
        texts_.resize(static_cast<size_t>(count));
        for (Py_ssize_t i = 0; i < count; ++i) {
            PyObject* const item = PyTuple_GetItem(items_, i);
            if (!PyUnicode_Check(item)) {
                PyErr_Format(PyExc_TypeError, "%s must be a sequence of str, and one of them is of type %S", what,
                             TypeName(item).get());
                return false;
            }
            if (!text(item, what, &texts_[static_cast<size_t>(i)])) return false;
        }
        return true;
    }

    const char** data() { return texts_.data(); }
    uint32_t size() const { return static_cast<uint32_t>(texts_.size()); }

private:
    PyObject* items_ = nullptr;
    std::vector<const char*> texts_;
};

}  // namespace cuprum_python
