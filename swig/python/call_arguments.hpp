// The arguments of a call that are given by keyword, however Python hands them over.
#pragma once

#include <Python.h>

#include <array>
#include <cstddef>

namespace cuprum_python {

class CallArguments {
public:
    // Of a dictionary, which may be null, as tp_call gets them.
    CallArguments(Py_ssize_t positional, PyObject* named) {
        Py_ssize_t at = 0;
        PyObject *name = nullptr, *value = nullptr;
        if (named == nullptr) return;
        is_usable_ = positional == 0 && static_cast<size_t>(PyDict_Size(named)) <= most;
        while (is_usable_ && PyDict_Next(named, &at, &name, &value) != 0) {
            own_names_[size_] = name;
            own_values_[size_++] = value;
        }
        values_ = own_values_.data();
    }
    // Of a tuple of names, which may be null, and values in its order (PEP 590).
    CallArguments(Py_ssize_t positional, PyObject* names, PyObject* const* values)
        : names_(names),
          values_(values),
          size_(names == nullptr ? 0 : static_cast<size_t>(PyTuple_Size(names))),
          is_usable_(positional == 0 && names != nullptr) {}
    CallArguments(const CallArguments&) = delete;
    CallArguments& operator=(const CallArguments&) = delete;

    // Whether all of the call's arguments are given by keyword, at least one and at most `most`.
    bool is_usable() const { return is_usable_; }
    size_t size() const { return size_; }
    // The tuple, which is the same one for each call by a line of a program; null where there is none.
    PyObject* names() const { return names_; }
    PyObject* name(size_t i) const {
        return names_ == nullptr ? own_names_[i] : PyTuple_GetItem(names_, static_cast<Py_ssize_t>(i));
    }
    PyObject* value(size_t i) const { return values_[i]; }
    // Where the argument of that name, an interned one, is; -1 where there is none.
    int find(PyObject* name) const {
        for (size_t i = 0; i < size_; ++i) {
            PyObject* const each = this->name(i);
            if (each == name || PyUnicode_Compare(each, name) == 0) return static_cast<int>(i);
        }
        return -1;
    }

private:
    static constexpr size_t most = 24;
    PyObject* names_ = nullptr;
    PyObject* const* values_ = nullptr;
    size_t size_ = 0;
    bool is_usable_ = false;
    std::array<PyObject*, most> own_names_, own_values_;  // NOLINT: filled as far as they are used
};

}  // namespace cuprum_python
