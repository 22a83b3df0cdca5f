// Memory resources that are written in Python, a subclass of cuprum.core.MemoryResource, for the C ABI.
#pragma once

#include <Python.h>
#include <cxxabi.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "errors.hpp"
#include "handle.hpp"
#include "host_functions.hpp"
#include "waits.hpp"

namespace cuprum_python {

// cuprum.core._memory_resource._allocate(resource, size, stream) -> Buffer, and _deallocate(resource, buffer, address,
// size, stream). Set by that module, and never freed.
struct MemoryFunctions {
    PyObject* allocate = nullptr;
    PyObject* deallocate = nullptr;
    static MemoryFunctions& get() {
        static MemoryFunctions functions;
        return functions;
    }
};

// What the C ABI knows of a resource. It keeps the Python object as long as there is memory of it, and no longer: the
// object has a handle of this.
class UserMemory {
public:
    // With the GIL, as all of it.
    explicit UserMemory(PyObject* resource) : reference_(PyWeakref_NewRef(resource, nullptr)), buffers_(PyDict_New()) {}
    ~UserMemory() {
        Py_XDECREF(reference_);
        Py_XDECREF(buffers_);
    }
    UserMemory(const UserMemory&) = delete;
    UserMemory& operator=(const UserMemory&) = delete;

    bool is_complete() const { return reference_ != nullptr && buffers_ != nullptr; }
    // Borrowed; None where it is gone.
    PyObject* resource() const { return kept_ != nullptr ? kept_ : PyWeakref_GetObject(reference_); }

    void begin_use() {
        if (live_++ != 0) return;
        kept_ = resource();
        Py_INCREF(kept_);
    }
    void end_use() {
        if (--live_ == 0) Py_DECREF(std::exchange(kept_, nullptr));
    }

    // Memory that core has asked for is a Buffer, kept here. False with a Python error.
    bool keep(uint64_t address, PyObject* buffer) {
        PyObject* const key = PyLong_FromUnsignedLongLong(address);
        const bool is_kept = key != nullptr && PyDict_SetItem(buffers_, key, buffer) == 0;
        Py_XDECREF(key);
        return is_kept;
    }
    // New; null, perhaps with a Python error, where the memory is of no such buffer.
    PyObject* take(uint64_t address) {
        PyObject* const key = PyLong_FromUnsignedLongLong(address);
        if (key == nullptr) return nullptr;
        PyObject* const buffer = PyDict_GetItemWithError(buffers_, key);
        if (buffer != nullptr) {
            Py_INCREF(buffer);
            PyDict_DelItem(buffers_, key);
        }
        Py_DECREF(key);
        return buffer;
    }

private:
    PyObject* reference_;
    PyObject* buffers_;
    PyObject* kept_ = nullptr;
    size_t live_ = 0;
};

// Runs `body` with the GIL, unless the interpreter is going: its objects stay as they are, and memory leaks. A thread
// that the interpreter ends while it waits for the GIL must not unwind the frames of the C ABI, which allow no
// exception: it waits for the end of the process.
template <class Body>
void with_interpreter(const Body& body) {
    const cuprum_languages::HostFunctionCall now;
    if (!now) return;
    try {
        const PyGILState_STATE state = PyGILState_Ensure();
        body();
        PyGILState_Release(state);
    } catch (const abi::__forced_unwind&) {
        while (true)
            ::pause();
    }
}

// A stream as its device and its number, with the GIL; None where there is none.
inline PyObject* numbers_of(cuprum_stream stream) {
    uint64_t native = 0;
    int32_t device = 0;
    if (stream == nullptr) Py_RETURN_NONE;
    if (const cuprum_status status = cuprum_stream_native(&native, stream)) return none_or_error(status);
    if (const cuprum_status status = cuprum_stream_device(&device, stream)) return none_or_error(status);
    return Py_BuildValue("iK", static_cast<int>(device), static_cast<unsigned long long>(native));
}

// The address of `size` bytes that the resource has allocated; 0 with a Python error.
inline uint64_t allocate_by(UserMemory& memory, uint64_t size, cuprum_stream stream) {
    PyObject* const resource = memory.resource();
    if (resource == Py_None) {
        PyErr_SetString(PyExc_RuntimeError, "the memory resource that the device allocates from is gone");
        return 0;
    }
    PyObject* const in = numbers_of(stream);
    if (in == nullptr) return 0;
    PyObject* const buffer = PyObject_CallFunction(MemoryFunctions::get().allocate, "OKO", resource,
                                                   static_cast<unsigned long long>(size), in);
    Py_DECREF(in);
    if (buffer == nullptr) return 0;
    PyObject* const handle = PyObject_GetAttrString(buffer, "handle");
    const unsigned long long address = handle == nullptr ? 0 : PyLong_AsUnsignedLongLong(handle);
    const bool is_kept = PyErr_Occurred() == nullptr && memory.keep(address, buffer);
    Py_XDECREF(handle);
    Py_DECREF(buffer);
    if (!is_kept) return 0;
    memory.begin_use();
    return address;
}

inline cuprum_status user_allocate(void* data, uint64_t size, cuprum_stream stream, uint64_t* address_out) {
    cuprum_status status = CUPRUM_ERROR_INTERNAL;
    with_interpreter([&] {
        const PendingError pending;
        UserError::forget();
        *address_out = allocate_by(*static_cast<UserMemory*>(data), size, stream);
        if (PyErr_Occurred() != nullptr) {
            UserError::keep();
        } else {
            status = CUPRUM_SUCCESS;
        }
    });
    return status;
}

inline void user_deallocate(void* data, uint64_t address, uint64_t size, cuprum_stream stream) {
    with_interpreter([&] {
        const PendingError pending;
        auto& memory = *static_cast<UserMemory*>(data);
        PyObject* const buffer = memory.take(address);
        PyObject* const in = PyErr_Occurred() != nullptr ? nullptr : numbers_of(stream);
        PyObject* done = nullptr;
        if (in != nullptr) {
            done = PyObject_CallFunction(MemoryFunctions::get().deallocate, "OOKKO", memory.resource(),
                                         buffer == nullptr ? Py_None : buffer, static_cast<unsigned long long>(address),
                                         static_cast<unsigned long long>(size), in);
        }
        if (done == nullptr) PyErr_WriteUnraisable(memory.resource());
        Py_XDECREF(done);
        Py_XDECREF(in);
        Py_XDECREF(buffer);
        memory.end_use();
    });
}

inline void user_release(void* data) {
    with_interpreter([&] {
        const PendingError pending;
        delete static_cast<UserMemory*>(data);
    });
}

// set_memory_functions(allocate, deallocate)
inline PyObject* set_memory_functions(PyObject* /*module*/, PyObject* arguments) {
    MemoryFunctions& functions = MemoryFunctions::get();
    if (PyArg_ParseTuple(arguments, "OO", &functions.allocate, &functions.deallocate) == 0) return nullptr;
    Py_INCREF(functions.allocate);
    Py_INCREF(functions.deallocate);
    Py_RETURN_NONE;
}

// create_user_memory_resource(resource, kind, device): a handle.
inline PyObject* create_user_memory_resource(PyObject* /*module*/, PyObject* arguments) {
    PyObject* resource = nullptr;
    int kind = 0, device = 0;
    if (PyArg_ParseTuple(arguments, "Oii", &resource, &kind, &device) == 0) return nullptr;
    auto memory = std::make_unique<UserMemory>(resource);
    if (!memory->is_complete()) return nullptr;
    cuprum_memory_resource made = nullptr;
    cuprum_status status = CUPRUM_SUCCESS;
    {
        const WithoutGil released;
        status = cuprum_memory_resource_create_user(&made, kind, device, user_allocate, user_deallocate, user_release,
                                                    memory.get());
    }
    if (status != CUPRUM_SUCCESS) return none_or_error(status);
    // NOLINTNEXTLINE(bugprone-unused-return-value): the resource owns it now
    static_cast<void>(memory.release());
    return PyLong_FromUnsignedLongLong(reinterpret_cast<uintptr_t>(made));
}

// buffer_from_user_memory(resource, address, size, stream), all numbers: as cuprum_buffer_from_resource.
inline PyObject* buffer_from_user_memory(PyObject* /*module*/, PyObject* arguments) {
    unsigned long long resource = 0, address = 0, size = 0, stream = 0;
    if (PyArg_ParseTuple(arguments, "KKKK", &resource, &address, &size, &stream) == 0) return nullptr;
    const auto handle = reinterpret_cast<cuprum_memory_resource>(static_cast<uintptr_t>(resource));
    uint64_t data = 0;
    if (const cuprum_status status = cuprum_memory_resource_user_data(&data, handle)) return none_or_error(status);
    auto& memory = *reinterpret_cast<UserMemory*>(static_cast<uintptr_t>(data));
    // Of address 0 nothing is deallocated.
    if (address != 0) memory.begin_use();
    cuprum_buffer made = nullptr;
    cuprum_status status = CUPRUM_SUCCESS;
    {
        const WithoutGil released;
        status = cuprum_buffer_from_resource(&made, handle, address, size,
                                             reinterpret_cast<cuprum_stream>(static_cast<uintptr_t>(stream)));
    }
    if (status == CUPRUM_SUCCESS) return PyLong_FromUnsignedLongLong(reinterpret_cast<uintptr_t>(made));
    none_or_error(status);
    const PendingError pending;
    if (address != 0) memory.end_use();
    return nullptr;
}

// False with a Python error.
inline bool add_user_memory_resources(PyObject* module) {
    static PyMethodDef functions[] = {
        {"set_memory_functions", set_memory_functions, METH_VARARGS, "What allocates and frees by a resource."},
        {"create_user_memory_resource", create_user_memory_resource, METH_VARARGS, "A handle for a resource."},
        {"buffer_from_user_memory", buffer_from_user_memory, METH_VARARGS, "cuprum_buffer_from_resource"},
        {nullptr, nullptr, 0, nullptr}};
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace cuprum_python
