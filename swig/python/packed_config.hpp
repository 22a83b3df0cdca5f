// PackedConfig, the type in C that cuprum.core.LaunchConfig derives from: the configuration as the C ABI takes it.
#pragma once

#include <Python.h>

#include "cuprum/cuprum.h"
#include "handle.hpp"

namespace cuprum_python {

// Set once, by `_pack`.
struct PackedConfigObject {
    PyObject_HEAD cuprum_launch_config config;
    static inline PyTypeObject* type = nullptr;
};

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
    cuprum_launch_config& config = as<PackedConfigObject>(self).config;
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

// Adds `PackedConfig` to the module. False with a Python error.
inline bool add_packed_config_type(PyObject* module) {
    static PyMethodDef methods[] = {
        {"_pack", pack_config, METH_VARARGS, "Keeps the eight numbers as the C ABI takes them."},
        {nullptr, nullptr, 0, nullptr}};
    static PyType_Slot slots[] = {{Py_tp_methods, methods}, {0, nullptr}};
    static PyType_Spec specification{"cuprum._cuprum.PackedConfig", sizeof(PackedConfigObject), 0, base_type_flags,
                                     slots};
    PackedConfigObject::type = add_type(module, "PackedConfig", specification, nullptr);
    return PackedConfigObject::type != nullptr;
}

}  // namespace cuprum_python
