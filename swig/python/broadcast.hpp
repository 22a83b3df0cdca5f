// Communicators of several processes, whose broadcast is written in Python, for the C ABI.
#pragma once

#include <Python.h>

#include <cstdint>
#include <cstring>

#include "errors.hpp"
#include "integers.hpp"
#include "user_memory_resource.hpp"
#include "waits.hpp"

namespace cuprum_python {

// A callable for the time of a call, and the exception that it has raised.
struct Broadcast {
    PyObject* function;
    PyObject* type = nullptr;
    PyObject* error = nullptr;
    PyObject* traceback = nullptr;
};

// Calls it with a bytearray, which may be kept: it is a copy. With the GIL; false with a Python error.
inline bool call_broadcast(PyObject* function, void* bytes, Py_ssize_t size) {
    PyObject* const copy = PyByteArray_FromStringAndSize(static_cast<const char*>(bytes), size);
    if (copy == nullptr) return false;
    PyObject* const result = PyObject_CallFunctionObjArgs(function, copy, nullptr);
    bool is_done = result != nullptr;
    if (is_done && PyByteArray_Size(copy) != size) {
        PyErr_Format(PyExc_ValueError, "the broadcast has left %zd bytes, expected the %zd bytes of rank 0",
                     PyByteArray_Size(copy), size);
        is_done = false;
    }
    if (is_done) std::memcpy(bytes, PyByteArray_AsString(copy), static_cast<size_t>(size));
    Py_XDECREF(result);
    Py_DECREF(copy);
    return is_done;
}

inline cuprum_status broadcast(void* data, void* bytes, uint64_t size) {
    cuprum_status status = CUPRUM_ERROR_INTERNAL;
    with_interpreter([&] {
        auto& given = *static_cast<Broadcast*>(data);
        if (call_broadcast(given.function, bytes, static_cast<Py_ssize_t>(size))) {
            status = CUPRUM_SUCCESS;
        } else {
            PyErr_Fetch(&given.type, &given.error, &given.traceback);
        }
    });
    return status;
}

// create_communicator_of_process(device, rank, count, broadcast, timeout_ms): a handle. `broadcast`: a callable, or
// None.
inline PyObject* create_communicator_of_process(PyObject* /*module*/, PyObject* arguments) {
    int32_t device = 0;
    uint32_t rank = 0, count = 0, timeout_ms = 0;
    Broadcast given{};
    PyObject *device_ = nullptr, *rank_ = nullptr, *count_ = nullptr, *timeout_ = nullptr;
    if (PyArg_ParseTuple(arguments, "OOOOO", &device_, &rank_, &count_, &given.function, &timeout_) == 0 ||
        !integer(device_, "device_id", device) || !integer(rank_, "rank", rank) || !integer(count_, "count", count) ||
        !integer(timeout_, "timeout_ms", timeout_ms)) {
        return nullptr;
    }
    cuprum_communicator made = nullptr;
    cuprum_status status = CUPRUM_SUCCESS;
    {
        const WithoutGil released;
        status = cuprum_communicator_create_process(
            &made, device, rank, count, given.function == Py_None ? nullptr : broadcast, &given, timeout_ms);
    }
    if (given.type != nullptr) {  // what has made the call fail
        PyErr_Restore(given.type, given.error, given.traceback);
        return nullptr;
    }
    if (status != CUPRUM_SUCCESS) return none_or_error(status);
    return PyLong_FromUnsignedLongLong(reinterpret_cast<uintptr_t>(made));
}

// False with a Python error.
inline bool add_broadcast(PyObject* module) {
    static PyMethodDef functions[] = {{"create_communicator_of_process", create_communicator_of_process, METH_VARARGS,
                                       "cuprum_communicator_create_process"},
                                      {nullptr, nullptr, 0, nullptr}};
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace cuprum_python
