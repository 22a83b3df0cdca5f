// Failures of the C ABI as Python exceptions.
#pragma once

#include <Python.h>

#include <array>
#include <cstring>
#include <utility>

#include "cuprum/cuprum.h"

namespace cuprum_python {

// cuprum._errors.make_error: (status, domain, code, name, message, operation, object, detail, advice, log) ->
// exception. Set when the module is made (add_errors), and never freed: failures may still come while the interpreter
// exits, when nothing can be imported any more.
inline PyObject*& error_factory() {
    static PyObject* factory = nullptr;
    return factory;
}

// False with a Python error.
inline bool add_errors() {
    PyObject* const errors = PyImport_ImportModule("cuprum._errors");
    if (errors == nullptr) return false;
    PyObject* const factory = PyObject_GetAttrString(errors, "make_error");
    Py_DECREF(errors);
    error_factory() = factory;
    return factory != nullptr;
}

// The exception that a memory resource of the program's has raised on this thread, until the call fails that has called
// it. With the GIL.
class UserError {
public:
    // Takes Python's current exception.
    static void keep() {
        PyObject *type = nullptr, *error = nullptr, *traceback = nullptr;
        PyErr_Fetch(&type, &error, &traceback);
        PyErr_NormalizeException(&type, &error, &traceback);
        if (error != nullptr && traceback != nullptr) PyException_SetTraceback(error, traceback);
        Py_XDECREF(type);
        Py_XDECREF(traceback);
        forget();
        kept_ = error;
    }
    static void forget() { Py_XDECREF(std::exchange(kept_, nullptr)); }
    // Raises it, where this is the failure that it has caused.
    static bool raise(const cuprum_error_info& info) {
        if (kept_ == nullptr || info.status != CUPRUM_ERROR_INTERNAL ||
            std::strcmp(info.object, "memory resource of the program's") != 0) {
            return false;
        }
        PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(kept_)), kept_);
        forget();
        return true;
    }

private:
    static inline thread_local PyObject* kept_ = nullptr;
};

// Sets the Python exception for the failure of the last Cuprum call on this thread. Call it directly after that call.
inline void raise_last_error(cuprum_status status) {
    cuprum_error_info info = cuprum_error_info();
    info.struct_size = sizeof(info);
    if (cuprum_error_last(&info) != CUPRUM_SUCCESS || info.status == CUPRUM_SUCCESS) {
        PyErr_Format(PyExc_RuntimeError, "Cuprum reported %s without saying more", cuprum_error_status_name(status));
        return;
    }
    if (UserError::raise(info)) return;
    // Texts first: the next Cuprum call on this thread ends their life, and any allocation of a container may run the
    // garbage collector, whose finalizers destroy handles. Strings are not tracked by it, so making one runs nothing.
    const std::array<const char*, 7> texts = {info.name,   info.message, info.operation, info.object,
                                              info.detail, info.advice,  info.log};
    std::array<PyObject*, 7> strings{};
    bool complete = true;
    for (size_t i = 0; i < texts.size(); ++i) {
        strings[i] = PyUnicode_DecodeUTF8(texts[i], static_cast<Py_ssize_t>(std::strlen(texts[i])), "replace");
        complete = complete && strings[i] != nullptr;
    }
    if (complete) {
        PyObject* const error =
            PyObject_CallFunction(error_factory(), "iiiOOOOOOO", info.status, info.domain, info.code, strings[0],
                                  strings[1], strings[2], strings[3], strings[4], strings[5], strings[6]);
        if (error != nullptr) {
            PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error)), error);
            Py_DECREF(error);
        }
    }
    for (PyObject* string : strings) {
        Py_XDECREF(string);
    }
}

inline PyObject* none_or_error(cuprum_status status) {
    if (status != CUPRUM_SUCCESS) {
        raise_last_error(status);
        return nullptr;
    }
    Py_RETURN_NONE;
}

}  // namespace cuprum_python
