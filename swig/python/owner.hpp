// The C part of the package's objects: what C reads of them without asking Python for attributes.
#pragma once

#include <Python.h>
#include <structmember.h>

#include <cstddef>
#include <cstdint>

#include "cuprum/cuprum.h"

namespace cuprum_python {

// cuprum._native.Owner derives from it. `_native` is the handle; 0 when closed.
struct HandleObject {
    PyObject_HEAD unsigned long long native;
    unsigned long long number;  // CUDA's own handle or address, once it was asked for; 0 before
};

// cuprum.core.LaunchConfig derives from it. Set once, by `_pack`.
struct PackedConfigObject {
    PyObject_HEAD cuprum_launch_config config;
};

// cuprum.core.Stream derives from it.
struct StreamObject {
    HandleObject owner;
    char has_copies;  // asynchronous copies whose host memory it holds: Python code lets go of that
};

// cuprum.core.Buffer derives from it.
struct BufferObject {
    HandleObject owner;
    unsigned long long size;  // bytes
};

// cuprum.core.Kernel derives from it.
struct KernelObject {
    HandleObject owner;
    // Whether it has a parameter of 8 bytes of which nothing is known: 0 before that was asked, -1 no, 1 yes.
    signed char has_doubtful_parameter;
};

// The types of these objects, and that of events, which are HandleObjects. Owned; never freed.
struct ObjectTypes {
    PyTypeObject* handle = nullptr;
    PyTypeObject* config = nullptr;
    PyTypeObject* stream = nullptr;
    PyTypeObject* event = nullptr;
    PyTypeObject* buffer = nullptr;
    PyTypeObject* kernel = nullptr;
};

inline ObjectTypes& object_types() {
    static ObjectTypes types;
    return types;
}

template <class Handle>
Handle handle_of(PyObject* owner) {
    return reinterpret_cast<Handle>(static_cast<uintptr_t>(reinterpret_cast<HandleObject*>(owner)->native));
}

// The handle of an Owner. Where it has none of its own, its method _open_native(operation) decides: a default stream's
// gives that of the current device, a closed object's raises. False with a Python error.
template <class Handle>
bool open_handle(PyObject* owner, const char* operation, Handle& handle) {
    handle = handle_of<Handle>(owner);
    if (handle != nullptr) return true;
    PyObject* const number = PyObject_CallMethod(owner, "_open_native", "s", operation);
    if (number == nullptr) return false;
    const unsigned long long value = PyLong_AsUnsignedLongLong(number);
    Py_DECREF(number);
    if (PyErr_Occurred() != nullptr) return false;
    handle = reinterpret_cast<Handle>(static_cast<uintptr_t>(value));
    return true;
}

// Owner._open_native(operation): the handle; where it is closed, what the Python method _refuse_closed(operation)
// raises.
inline PyObject* open_native(PyObject* self, PyObject* operation) {
    const unsigned long long native = reinterpret_cast<HandleObject*>(self)->native;
    if (native != 0) return PyLong_FromUnsignedLongLong(native);
    return PyObject_CallMethod(self, "_refuse_closed", "O", operation);
}

// LaunchConfig._pack(grid x, y, z, block x, y, z, shared memory, is_cooperative)
inline PyObject* pack_config(PyObject* self, PyObject* numbers) {
    unsigned grid[3];
    unsigned block[3];
    unsigned shared_memory = 0;
    int is_cooperative = 0;
    if (PyArg_ParseTuple(numbers, "IIIIIIIi", &grid[0], &grid[1], &grid[2], &block[0], &block[1], &block[2],
                         &shared_memory, &is_cooperative) == 0) {
        return nullptr;
    }
    cuprum_launch_config& config = reinterpret_cast<PackedConfigObject*>(self)->config;
    config = cuprum_launch_config();
    config.struct_size = sizeof(config);
    config.grid_x = grid[0];
    config.grid_y = grid[1];
    config.grid_z = grid[2];
    config.block_x = block[0];
    config.block_y = block[1];
    config.block_z = block[2];
    config.shared_memory = shared_memory;
    config.is_cooperative = is_cooperative;
    Py_RETURN_NONE;
}

// Adds a type to the module; `base` may be null. The type is owned and never freed. Null with a Python error.
inline PyTypeObject* add_type(PyObject* module, const char* name, PyType_Spec& specification, PyTypeObject* base) {
    PyObject* const type = PyType_FromSpecWithBases(&specification, reinterpret_cast<PyObject*>(base));
    if (type == nullptr || PyModule_AddObjectRef(module, name, type) != 0) return nullptr;
    return reinterpret_cast<PyTypeObject*>(type);
}

constexpr unsigned base_type_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;

// Adds the types `Handle` and `PackedConfig` to the module. False with a Python error.
inline bool add_owner_types(PyObject* module) {
    static PyMemberDef handle_members[] = {
        {"_native", T_ULONGLONG, offsetof(HandleObject, native), 0, "The handle; 0 when closed."},
        {nullptr, 0, 0, 0, nullptr}};
    static PyMethodDef handle_methods[] = {
        {"_open_native", open_native, METH_O, "The handle; InvalidState when closed."}, {nullptr, nullptr, 0, nullptr}};
    static PyMethodDef config_methods[] = {
        {"_pack", pack_config, METH_VARARGS, "Keeps the eight numbers as the C ABI takes them."},
        {nullptr, nullptr, 0, nullptr}};
    static PyType_Slot handle_slots[] = {
        {Py_tp_members, handle_members}, {Py_tp_methods, handle_methods}, {0, nullptr}};
    static PyType_Slot config_slots[] = {{Py_tp_methods, config_methods}, {0, nullptr}};
    static PyType_Spec handle{"cuprum._cuprum.Handle", sizeof(HandleObject), 0, base_type_flags, handle_slots};
    static PyType_Spec config{"cuprum._cuprum.PackedConfig", sizeof(PackedConfigObject), 0, base_type_flags,
                              config_slots};
    ObjectTypes& types = object_types();
    types.handle = add_type(module, "Handle", handle, nullptr);
    if (types.handle != nullptr) types.config = add_type(module, "PackedConfig", config, nullptr);
    return types.config != nullptr;
}

}  // namespace cuprum_python
