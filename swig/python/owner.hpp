// The C part of the package's objects: what a launch reads without asking Python for attributes.
#pragma once

#include <Python.h>
#include <structmember.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "cuprum/cuprum.h"

namespace cuprum_python {

// cuprum._native.Owner derives from it. `_native` is the handle; 0 when closed.
struct HandleObject {
    PyObject_HEAD unsigned long long native;
};

// cuprum.core.LaunchConfig derives from it. Set once, by `_pack`.
struct PackedConfigObject {
    PyObject_HEAD cuprum_launch_config config;
};

// The type of HandleObject. Owned; never freed.
inline PyTypeObject*& handle_type() {
    static PyTypeObject* type = nullptr;
    return type;
}

template <class Handle>
Handle handle_of(PyObject* owner) {
    return reinterpret_cast<Handle>(static_cast<uintptr_t>(reinterpret_cast<HandleObject*>(owner)->native));
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
    constexpr unsigned flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
    static PyType_Spec handle{"cuprum._cuprum.Handle", sizeof(HandleObject), 0, flags, handle_slots};
    static PyType_Spec config{"cuprum._cuprum.PackedConfig", sizeof(PackedConfigObject), 0, flags, config_slots};
    for (const auto& [name, specification] : {std::pair{"Handle", &handle}, std::pair{"PackedConfig", &config}}) {
        PyObject* const type = PyType_FromSpec(specification);
        if (type == nullptr) return false;
        if (PyModule_AddObjectRef(module, name, type) != 0) {
            Py_DECREF(type);
            return false;
        }
        if (specification == &handle) {
            handle_type() = reinterpret_cast<PyTypeObject*>(type);
        } else {
            Py_DECREF(type);
        }
    }
    return true;
}

}  // namespace cuprum_python
