// Python int as the C ABI's integers.
#pragma once

#include <Python.h>

#include <cstdint>
#include <limits>
#include <type_traits>

#include "type_name.hpp"

namespace cuprum_python {

// An int from 0 to 2^64 - 1; else no_unsigned, with a Python error. PyLong_AsUnsignedLongLong takes five times
// as long for numbers of more than 30 bits, which addresses and handles are.
constexpr uint64_t no_unsigned = UINT64_MAX;
static_assert(sizeof(unsigned long) == sizeof(uint64_t), "written for Linux on 64 bits");
inline uint64_t unsigned_of(PyObject* number) {
    return PyLong_AsUnsignedLong(number);
}

// An object that is an int, or stands for one (NumPy's integers), within the range of `Integer`. `what` names the
// argument in the exception: TypeError for other types, OverflowError for numbers that are too small or too large.
template <class Integer>
bool integer(PyObject* object, const char* what, Integer& value_out) {
    constexpr Integer lowest = std::numeric_limits<Integer>::min();
    constexpr Integer highest = std::numeric_limits<Integer>::max();
    PyObject* const number = PyNumber_Index(object);
    if (number == nullptr) {
        if (PyErr_ExceptionMatches(PyExc_TypeError) != 0) {
            PyErr_Clear();
            PyErr_Format(PyExc_TypeError, "%s must be an int, not %S", what, TypeName(object).get());
        }
        return false;
    }
    bool fits = false;
    if constexpr (std::is_signed_v<Integer>) {
        const long long value = PyLong_AsLongLong(number);
        fits = PyErr_Occurred() == nullptr && lowest <= value && value <= highest;
        value_out = static_cast<Integer>(value);
    } else {
        const uint64_t value = unsigned_of(number);
        fits = (value != no_unsigned || PyErr_Occurred() == nullptr) && value <= highest;
        value_out = static_cast<Integer>(value);
    }
    if (!fits) {
        PyErr_Clear();
        if constexpr (std::is_signed_v<Integer>) {
            PyErr_Format(PyExc_OverflowError, "%s must be an int from %lld to %lld, not %S", what,
                         static_cast<long long>(lowest), static_cast<long long>(highest), number);
        } else {
            PyErr_Format(PyExc_OverflowError, "%s must be an int from 0 to %llu, not %S", what,
                         static_cast<unsigned long long>(highest), number);
        }
    }
    Py_DECREF(number);
    return fits;
}

}  // namespace cuprum_python
