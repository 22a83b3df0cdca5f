// What cuprum.compat.pycuda has in C++: the base types of its objects, and its quickest calls.
//
// PyCUDA is C++, and its programs make these calls often. The C++ here does what is usual; every other case it leaves
// to the Python function of the same name with an underscore, which converts what it is given or says what is wrong.
#pragma once

#include <Python.h>

#include <cstdint>

#include "../call.hpp"
#include "driver_function.hpp"

namespace cuprum::python::pycuda {

using cuprum_python::Arguments;

/// The base of Context.
struct ContextObject {
    PyObject_HEAD unsigned long long handle;
    char is_alive;  ///< `_is_alive`: false after detach()
    static PyTypeObject* type;
};

/// The base of ContextMemory: memory that is freed in its context.
struct MemoryObject {
    PyObject_HEAD unsigned long long address;  ///< `_address`: 0 once it is freed
    Py_ssize_t size;                           ///< bytes
    PyObject* context;                         ///< `_context`; may be null
    PyObject* pool;                            ///< `_pool`: where the memory goes back to; may be null
    bool is_from_mem_alloc;                    ///< cuMemFree frees it
    static PyTypeObject* type;
};

/// The base of Stream, and that of Event.
struct HandleObject {
    PyObject_HEAD unsigned long long handle;  ///< 0 once it is destroyed
    PyObject* context;                        ///< `_context`; may be null
    static PyTypeObject* stream_type;
    static PyTypeObject* event_type;
};

template <class Object>
Object& as(PyObject* object) {
    return *reinterpret_cast<Object*>(object);
}

/// Something of a module of cuprum.compat.pycuda: looked for at its first use, and kept for good.
class PythonName {
public:
    constexpr PythonName(const char* module, const char* name) noexcept : module_(module), name_(name) {}
    /// Borrowed. Null with a Python error.
    PyObject* get() {
        if (object_ == nullptr) {
            find();
        }
        return object_;
    }
    PyObject* operator()(const Arguments& arguments) {
        PyObject* const callable = get();
        return callable == nullptr ? nullptr : cuprum_python::call(callable, arguments);
    }

private:
    void find();

    const char* module_;
    const char* name_;
    PyObject* object_ = nullptr;
};

/// Raises what a call of the driver has failed with. `bytes` are named in the message unless they are negative. Null.
PyObject* raise_status(std::uint64_t status, const DriverFunction& function, Py_ssize_t bytes = -1);

/// None, or null with the error.
inline PyObject* none_or_error(std::uint64_t status, const DriverFunction& function, Py_ssize_t bytes = -1) {
    if (status != 0) {
        return raise_status(status, function, bytes);
    }
    Py_RETURN_NONE;
}

/// What is on top of this thread's stack of contexts, borrowed from it; null, without an error, where it is empty.
PyObject* current_context();

/// Calls `release(handle)` if the context is current. False where Python has to: it is not, or it is gone.
bool release_in_current(PyObject* context, DriverFunction& release, std::uint64_t handle, std::uint64_t& status);

/// The CUstream of None and of a Stream. False, without an error, for everything else.
bool stream_handle(PyObject* stream, std::uint64_t& handle);

/// A new object of a Python class that derives from MemoryObject's type, without an address yet. Null with an error.
MemoryObject* make_memory(PythonName& python_class, Py_ssize_t size, PyObject* context);

/// Gives a block back to a pool, a MemoryPool. Null with an error.
PyObject* give_back_to_pool(PyObject* pool, std::uint64_t address, Py_ssize_t size);
bool is_pool(PyObject* object);

/// The end of a deallocation: frees the object's own memory.
inline void free_object(PyObject* self) {
    PyTypeObject* const type = Py_TYPE(self);
    reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(reinterpret_cast<PyObject*>(type));
}

/// Adds a type to the module. Owned, and never freed. Null with an error.
PyTypeObject* add_type(PyObject* module, const char* name, PyType_Spec& specification);

inline PyMethodDef quick_call(const char* name,
                              PyObject* (*function)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*),
                              const char* documentation) {
    return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)), METH_FASTCALL | METH_KEYWORDS,
            documentation};
}

// Each adds its part to the module. False with an error.
bool add_contexts(PyObject* module);
bool add_memory(PyObject* module);
bool add_copies(PyObject* module);
bool add_launches(PyObject* module);
bool add_pools(PyObject* module);
bool add_streams(PyObject* module);

/// add_pycuda(module): all of them.
PyObject* add_pycuda(PyObject* unused, PyObject* module);

}  // namespace cuprum::python::pycuda
