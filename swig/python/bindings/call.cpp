#include "call.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "callbacks.hpp"
#include "cuprum/capi/base.h"
#include "one_call.hpp"

namespace cuprum::python {

cuprum_bindings_invoke invoke_of(Function& function) {
    cuprum_bindings_invoke invoke = function.invoke.load(std::memory_order_relaxed);
    if (invoke == nullptr) {
        cuprum_bindings_function found{};
        found.struct_size = sizeof found;
        if (cuprum_bindings_find(&found, libraries()[function.library].name, function.name) != CUPRUM_SUCCESS) {
            cuprum_error_info info{};
            info.struct_size = sizeof info;
            cuprum_error_last(&info);
            PyErr_SetString(PyExc_SystemError, info.message);
            return nullptr;
        }
        invoke = found.invoke;
        function.invoke.store(invoke, std::memory_order_relaxed);
    }
    return invoke;
}

PyObject* Call::run() {
    for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
        if (!prepare(i)) {
            return nullptr;
        }
    }
    if ((function_.checked || is_c_order_) && !check()) {
        return nullptr;
    }
    const cuprum_bindings_invoke invoke = invoke_of(function_);
    if (invoke == nullptr) {
        return nullptr;
    }
    std::uint64_t number = 0;
    std::uint64_t* result = &number;
    if (function_.result == Result::structure) {
        PyObject* const structure = make(max_parameters, *function_.structure_type);
        if (structure == nullptr) {
            return nullptr;
        }
        result = reinterpret_cast<std::uint64_t*>(as_instance(structure)->data);
    }
    if (function_.blocking || callbacks_are_pending()) {
        PyThreadState* const state = PyEval_SaveThread();
        invoke(slots_.data(), result);
        PyEval_RestoreThread(state);
    } else {
        invoke(slots_.data(), result);
    }
    return collect(number);
}

PyObject* Call::make(std::size_t parameter, Type& type) {
    auto* const object = reinterpret_cast<PyObject*>(new_instance(type));
    if (object != nullptr) {
        made_[made_count_++] = {parameter, object};
    }
    return object;
}

namespace {

PyObject* refuse_count(const Function& function, Py_ssize_t count) {
    std::string names;
    for (const std::int8_t position : function.arguments) {
        names += names.empty() ? "" : ", ";
        names += function.parameters[static_cast<std::size_t>(position)].name;
    }
    std::string all;
    for (const Parameter& parameter : function.parameters) {
        all += all.empty() ? "" : ", ";
        all += parameter.name;
    }
    const std::string in_c = function.arguments.size() == function.parameters.size()
                                 ? ""
                                 : ", or " + std::to_string(function.parameters.size()) + " in C's order (" + all + ")";
    return PyErr_Format(PyExc_TypeError, "%s takes %zu argument%s (%s)%s, not %zd", function.name,
                        function.arguments.size(), function.arguments.size() == 1 ? "" : "s", names.c_str(),
                        in_c.c_str(), count);
}

PyObject* call_with_keywords(Function& function, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
    std::array<PyObject*, max_parameters> ordered{};
    const std::size_t expected = function.arguments.size();
    const auto positional = static_cast<std::size_t>(count);
    if (positional > expected) {
        return refuse_count(function, count + PyTuple_Size(keywords));
    }
    std::copy_n(arguments, positional, ordered.begin());
    for (Py_ssize_t k = 0; k < PyTuple_Size(keywords); ++k) {
        PyObject* const name = PyTuple_GetItem(keywords, k);
        std::size_t i = 0;
        while (i < expected &&
               PyUnicode_CompareWithASCIIString(
                   name, function.parameters[static_cast<std::size_t>(function.arguments[i])].name) != 0) {
            ++i;
        }
        if (i == expected) {
            return PyErr_Format(PyExc_TypeError, "%s has no parameter %R", function.name, name);
        }
        if (ordered[i] != nullptr) {
            return PyErr_Format(PyExc_TypeError, "%s: %U is given twice", function.name, name);
        }
        ordered[i] = arguments[positional + static_cast<std::size_t>(k)];
    }
    std::size_t given = expected;
    while (given > 0 && ordered[given - 1] == nullptr) {
        --given;
    }
    for (std::size_t i = 0; i < std::max<std::size_t>(given, function.required); ++i) {
        if (ordered[i] == nullptr) {
            return PyErr_Format(PyExc_TypeError, "%s: %s is missing", function.name,
                                function.parameters[static_cast<std::size_t>(function.arguments[i])].name);
        }
    }
    return Call(function).in_order_of_python(ordered.data(), given);
}

// A call as before the toolkit gave the function the parameter `later`: with None for that.
PyObject* call_without_later(Function& function, PyObject* const* arguments, std::size_t count, std::size_t position) {
    std::array<PyObject*, max_parameters> ordered{};
    std::copy_n(arguments, position, ordered.begin());
    ordered[position] = Py_None;
    std::copy_n(arguments + position, count - position, ordered.begin() + static_cast<std::ptrdiff_t>(position) + 1);
    return call(function, ordered.data(), static_cast<Py_ssize_t>(count + 1), nullptr);
}

}  // namespace

PyObject* call(Function& function, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
    if (keywords != nullptr && PyTuple_Size(keywords) != 0) {
        return call_with_keywords(function, arguments, count, keywords);
    }
    const auto given = static_cast<std::size_t>(count);
    if (function.later >= 0) {
        const auto later = static_cast<std::size_t>(function.later);
        Type* const first = function.parameters[0].type;
        if (given == function.arguments.size() && is_instance_of(arguments[0], *first)) {
            return call_without_later(function, arguments, given, later);
        }
        if (given + 1 == function.arguments.size()) {
            return call_without_later(function, arguments, given, later - 1);
        }
    }
    if (given <= function.arguments.size() && given >= function.required) {
        return Call(function).in_order_of_python(arguments, given);
    }
    if (given == function.parameters.size()) {
        return Call(function).in_order_of_c(arguments);
    }
    return refuse_count(function, count);
}

}  // namespace cuprum::python
