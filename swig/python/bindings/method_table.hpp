// Makes Python functions of a library's table.
#pragma once

#include <cstddef>
#include <utility>

#include "call.hpp"

namespace cuprum::python {

namespace detail {

template <auto& functions, std::size_t Index>
PyObject* entry(PyObject*, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
    return call(functions[Index], arguments, count, keywords);
}

template <auto& functions, std::size_t... Index>
PyMethodDef* method_table(std::index_sequence<Index...>) {
    static PyMethodDef methods[] = {
        {functions[Index].name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&entry<functions, Index>)),
         METH_FASTCALL | METH_KEYWORDS, functions[Index].documentation}...,
        {nullptr, nullptr, 0, nullptr}};
    return methods;
}

}  // namespace detail

/// One entry for each of `functions`, and a null one.
template <auto& functions>
PyMethodDef* method_table() {
    return detail::method_table<functions>(std::make_index_sequence<std::size(functions)>{});
}

}  // namespace cuprum::python
