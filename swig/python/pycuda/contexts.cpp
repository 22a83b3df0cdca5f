// Contexts as the C++ of cuprum.compat.pycuda sees them, and how it reaches Python.
#include <Python.h>
#include <structmember.h>

#include <cstddef>

#include "objects.hpp"
#include "reference.hpp"

namespace cuprum::python::pycuda {

PyTypeObject* ContextObject::type = nullptr;

void PythonName::find() {
    const Reference module(PyImport_ImportModule(module_));
    object_ = module ? PyObject_GetAttrString(module.get(), name_) : nullptr;
}

PyObject* raise_status(std::uint64_t status, const DriverFunction& function, Py_ssize_t bytes) {
    static PythonName raise_code("cuprum.compat.pycuda._errors", "raise_code");
    PyObject* const callable = raise_code.get();
    if (callable == nullptr) {
        return nullptr;
    }
    const Reference detail(bytes < 0 ? PyUnicode_FromString("") : PyUnicode_FromFormat("%zd bytes", bytes));
    return detail ? PyObject_CallFunction(callable, "KsO", static_cast<unsigned long long>(status), function.name(),
                                          detail.get())
                  : nullptr;
}

PyObject* current_context() {
    static PythonName stack("cuprum.compat.pycuda._context", "_stack");
    static PyObject* const name = PyUnicode_InternFromString("contexts");
    PyObject* const of_thread = stack.get();
    const Reference contexts(of_thread == nullptr ? nullptr : PyObject_GetAttr(of_thread, name));
    const Py_ssize_t count = contexts ? PyList_Size(contexts.get()) : 0;
    PyObject* const current = count > 0 ? PyList_GetItem(contexts.get(), count - 1) : nullptr;
    if (current == nullptr) {
        PyErr_Clear();
    }
    return current;
}

bool release_in_current(PyObject* context, DriverFunction& release, std::uint64_t handle, std::uint64_t& status) {
    static DriverFunction get_current("cuCtxGetCurrent");
    if (context == nullptr || PyObject_TypeCheck(context, ContextObject::type) == 0) {
        return false;
    }
    const auto& object = as<ContextObject>(context);
    std::uint64_t current = 0;
    if (object.is_alive == 0 || get_current(slot(&current)) != 0 || current != object.handle) {
        return false;
    }
    status = release(handle);
    return true;
}

PyTypeObject* add_type(PyObject* module, const char* name, PyType_Spec& specification) {
    PyObject* const type = PyType_FromSpec(&specification);
    if (type == nullptr || PyModule_AddObjectRef(module, name, type) != 0) {
        return nullptr;
    }
    return reinterpret_cast<PyTypeObject*>(type);
}

bool add_contexts(PyObject* module) {
    static PyMemberDef members[] = {
        {"handle", T_ULONGLONG, offsetof(ContextObject, handle), 0, "The ``CUcontext`` as an int."},
        {"_is_alive", T_BOOL, offsetof(ContextObject, is_alive), 0, "False after ``detach``."},
        {nullptr, 0, 0, 0, nullptr}};
    static PyType_Slot slots[] = {{Py_tp_members, members}, {0, nullptr}};
    static PyType_Spec specification{"cuprum.compat.pycuda._native.ContextBase", sizeof(ContextObject), 0,
                                     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    ContextObject::type = add_type(module, "ContextBase", specification);
    return ContextObject::type != nullptr;
}

PyObject* add_pycuda(PyObject* /*unused*/, PyObject* module) {
    const bool is_complete = add_contexts(module) && add_memory(module) && add_copies(module) && add_launches(module) &&
                             add_pools(module) && add_streams(module);
    if (!is_complete) {
        return nullptr;
    }
    Py_RETURN_NONE;
}

}  // namespace cuprum::python::pycuda
