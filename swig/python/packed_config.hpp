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

// LaunchConfig._pack(the fields of cuprum_launch_config after its size, in their order)
inline PyObject* pack_config(PyObject* self, PyObject* numbers) {
    cuprum_launch_config config = cuprum_launch_config();
    config.struct_size = sizeof(config);
    unsigned long long address = 0;
    unsigned long long size = 0;
    if (PyArg_ParseTuple(
            numbers, "IIIIIIIiiIIIiiiiiiIIfKKii", &config.grid_x, &config.grid_y, &config.grid_z, &config.block_x,
            &config.block_y, &config.block_z, &config.shared_memory, &config.is_cooperative,
            &config.programmatic_stream_serialization, &config.cluster_x, &config.cluster_y, &config.cluster_z,
            &config.has_priority, &config.priority, &config.has_shared_memory_carveout,
            &config.preferred_shared_memory_carveout, &config.memory_sync_domain, &config.has_memory_sync_domain_map,
            &config.memory_sync_domain_default, &config.memory_sync_domain_remote, &config.access_policy_hit_ratio,
            &address, &size, &config.access_policy_hit, &config.access_policy_miss) == 0) {
        return nullptr;
    }
    config.access_policy_address = address;
    config.access_policy_size = size;
    as<PackedConfigObject>(self).config = config;
    Py_RETURN_NONE;
}

// Adds `PackedConfig` to the module. False with a Python error.
inline bool add_packed_config_type(PyObject* module) {
    static PyMethodDef methods[] = {{"_pack", pack_config, METH_VARARGS, "Keeps the numbers as the C ABI takes them."},
                                    {nullptr, nullptr, 0, nullptr}};
    static PyType_Slot slots[] = {{Py_tp_methods, methods}, {0, nullptr}};
    static PyType_Spec specification{"cuprum._cuprum.PackedConfig", sizeof(PackedConfigObject), 0, base_type_flags,
                                     slots};
    PackedConfigObject::type = add_type(module, "PackedConfig", specification, nullptr);
    return PackedConfigObject::type != nullptr;
}

}  // namespace cuprum_python
