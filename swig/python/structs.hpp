// The C ABI's structs as dictionaries.
#pragma once

#include <Python.h>

#include <cstdint>

#include "cuprum/cuprum.h"

namespace cuprum_python {

struct StructField {
    const char* name;
    int32_t value;
};

template <size_t count>
PyObject* dict_of(const StructField (&fields)[count]) {
    PyObject* dict = PyDict_New();
    if (dict == nullptr) return nullptr;
    for (const StructField& field : fields) {
        PyObject* value = PyLong_FromLong(field.value);
        if (value == nullptr || PyDict_SetItemString(dict, field.name, value) != 0) {
            Py_XDECREF(value);
            Py_DECREF(dict);
            return nullptr;
        }
        Py_DECREF(value);
    }
    return dict;
}

inline PyObject* to_dict(const cuprum_device_properties& p) {
    return dict_of({
        {"compute_capability_major", p.compute_capability_major},
        {"compute_capability_minor", p.compute_capability_minor},
        {"multiprocessor_count", p.multiprocessor_count},
        {"warp_size", p.warp_size},
        {"max_threads_per_block", p.max_threads_per_block},
        {"max_block_dim_x", p.max_block_dim_x},
        {"max_block_dim_y", p.max_block_dim_y},
        {"max_block_dim_z", p.max_block_dim_z},
        {"max_grid_dim_x", p.max_grid_dim_x},
        {"max_grid_dim_y", p.max_grid_dim_y},
        {"max_grid_dim_z", p.max_grid_dim_z},
        {"max_shared_memory_per_block", p.max_shared_memory_per_block},
        {"max_shared_memory_per_block_optin", p.max_shared_memory_per_block_optin},
        {"max_shared_memory_per_multiprocessor", p.max_shared_memory_per_multiprocessor},
        {"max_registers_per_block", p.max_registers_per_block},
        {"max_threads_per_multiprocessor", p.max_threads_per_multiprocessor},
        {"clock_rate", p.clock_rate},
        {"memory_clock_rate", p.memory_clock_rate},
        {"global_memory_bus_width", p.global_memory_bus_width},
        {"l2_cache_size", p.l2_cache_size},
        {"is_simulator", p.is_simulator},
    });
}

inline PyObject* to_dict(const cuprum_kernel_attributes& a) {
    return dict_of({
        {"max_threads_per_block", a.max_threads_per_block},
        {"shared_size_bytes", a.shared_size_bytes},
        {"const_size_bytes", a.const_size_bytes},
        {"local_size_bytes", a.local_size_bytes},
        {"num_regs", a.num_regs},
        {"ptx_version", a.ptx_version},
        {"binary_version", a.binary_version},
        {"max_dynamic_shared_size_bytes", a.max_dynamic_shared_size_bytes},
        {"cache_mode_ca", a.cache_mode_ca},
        {"preferred_shared_memory_carveout", a.preferred_shared_memory_carveout},
        {"cluster_size_must_be_set", a.cluster_size_must_be_set},
        {"required_cluster_width", a.required_cluster_width},
        {"required_cluster_height", a.required_cluster_height},
        {"required_cluster_depth", a.required_cluster_depth},
        {"non_portable_cluster_size_allowed", a.non_portable_cluster_size_allowed},
        {"cluster_scheduling_policy_preference", a.cluster_scheduling_policy_preference},
    });
}

}  // namespace cuprum_python
