// DeviceArrayFields, the type in C that cuprum.parallel.DeviceArray derives from: calls read its fields without asking
// Python for an attribute.
#pragma once

#include <Python.h>
#include <structmember.h>

#include <cstddef>

#include "handle.hpp"

namespace cuprum_python {

struct DeviceArrayObject {
    PyObject_HEAD PyObject* buffer;  // a Buffer; null before __init__
    PyObject* dtype;                 // NumPy's
    long long offset;                // of the first element in the buffer, in bytes
    long long size;                  // elements
    static inline PyTypeObject* type = nullptr;
};

inline int visit_device_array(PyObject* self, visitproc visit, void* arg) {
    auto& array = as<DeviceArrayObject>(self);
    Py_VISIT(array.buffer);
    Py_VISIT(array.dtype);
    Py_VISIT(reinterpret_cast<PyObject*>(Py_TYPE(self)));
    return 0;
}

inline int clear_device_array(PyObject* self) {
    auto& array = as<DeviceArrayObject>(self);
    Py_CLEAR(array.buffer);
    Py_CLEAR(array.dtype);
    return 0;
}

inline void free_device_array(PyObject* self) {
    PyObject_GC_UnTrack(self);
    clear_device_array(self);
    PyTypeObject* const type = Py_TYPE(self);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

// Adds it to the module. False with a Python error.
inline bool add_device_array_type(PyObject* module) {
    static PyMemberDef members[] = {
        {"_buffer", T_OBJECT_EX, offsetof(DeviceArrayObject, buffer), 0, "The memory."},
        {"_offset", T_LONGLONG, offsetof(DeviceArrayObject, offset), 0, "Of the first element, in bytes."},
        {"dtype", T_OBJECT_EX, offsetof(DeviceArrayObject, dtype), 0, "NumPy's type of the elements."},
        {"size", T_LONGLONG, offsetof(DeviceArrayObject, size), 0, "The number of elements."},
        {nullptr, 0, 0, 0, nullptr}};
    static PyType_Slot slots[] = {{Py_tp_members, members},
                                  {Py_tp_traverse, reinterpret_cast<void*>(visit_device_array)},
                                  {Py_tp_clear, reinterpret_cast<void*>(clear_device_array)},
                                  {Py_tp_dealloc, reinterpret_cast<void*>(free_device_array)},
                                  {0, nullptr}};
    static PyType_Spec specification{"cuprum._cuprum.DeviceArrayFields", sizeof(DeviceArrayObject), 0,
                                     base_type_flags | Py_TPFLAGS_HAVE_GC, slots};
    DeviceArrayObject::type = add_type(module, "DeviceArrayFields", specification, nullptr);
    return DeviceArrayObject::type != nullptr;
}

}  // namespace cuprum_python
