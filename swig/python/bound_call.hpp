// Calls of the C ABI whose arguments were read from Python once, to be made again without Python objects.
#pragma once

#include <Python.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cuprum/cuprum.h"
#include "integers.hpp"

namespace cuprum_python {

// A call with its arguments; empty where those are not what the function takes.
using BoundCall = std::function<cuprum_status()>;

// Reads the values that Python gives to the SWIG function of a C function as that one's arguments. The values must live
// as long as the call: memory of `bytes` is not copied.
class ArgumentReader {
public:
    explicit ArgumentReader(PyObject* values) : values_(values) {}

    // Whether everything was read, and there was no more and no less.
    bool is_complete() const { return is_good_ && next_ == PyTuple_Size(values_); }

    template <class Parameter>
    Parameter read() {
        if constexpr (std::is_same_v<Parameter, const void*>) {
            return read_bytes();
        } else if constexpr (std::is_pointer_v<Parameter>) {
            return reinterpret_cast<Parameter>(static_cast<uintptr_t>(read_integer<uint64_t>()));  // a handle
        } else {
            return read_integer<Parameter>();
        }
    }

private:
    // Memory, and behind it its size: one object in Python.
    const void* read_bytes() {
        PyObject* const bytes = take();
        if (bytes == nullptr || PyBytes_CheckExact(bytes) == 0) {
            is_good_ = false;
            return nullptr;
        }
        size_ = static_cast<uint64_t>(PyBytes_Size(bytes));
        has_size_ = true;
        return PyBytes_AsString(bytes);
    }
    template <class Integer>
    Integer read_integer() {
        if (std::exchange(has_size_, false)) return static_cast<Integer>(size_);
        Integer value{};
        PyObject* const number = take();
        if (number == nullptr || !integer(number, "argument", value)) {
            PyErr_Clear();
            is_good_ = false;
        }
        return value;
    }
    PyObject* take() {
        return next_ < PyTuple_Size(values_) ? PyTuple_GetItem(values_, next_++) : (is_good_ = false, nullptr);
    }

    PyObject* values_;
    Py_ssize_t next_ = 0;
    bool is_good_ = true;
    bool has_size_ = false;
    uint64_t size_ = 0;
};

// The function's parameters are handles, integers, and memory with its size.
template <class... Parameters>
BoundCall bind_call(cuprum_status (*function)(Parameters...), PyObject* values) {
    ArgumentReader reader(values);
    const std::tuple<Parameters...> arguments{reader.read<Parameters>()...};  // in this order, in braces
    if (!reader.is_complete()) return nullptr;
    return [function, arguments] { return std::apply(function, arguments); };
}

// The functions for which there is a bind_call, by name.
struct BindableFunction {
    const char* name;
    BoundCall (*bind)(PyObject* values);
};
template <auto function>
constexpr BindableFunction bindable(const char* name) {
    return {name, [](PyObject* values) { return bind_call(function, values); }};
}

}  // namespace cuprum_python
