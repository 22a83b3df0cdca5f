// KernelHandle, the type in C that cuprum.core.Kernel derives from, and what it remembers of the kernel's parameters.
#pragma once

#include <Python.h>

#include <cstdint>

#include "handle_members.hpp"
#include "kernel_arguments.hpp"

namespace cuprum_python {

struct KernelObject {
    HandleObject owner;
    // Whether it has a parameter of 8 bytes of which nothing is known: 0 before that was asked, -1 no, 1 yes.
    signed char has_doubtful_parameter;
    static inline PyTypeObject* type = nullptr;
    static PyMemberDef members[];
    static PyGetSetDef attributes[];
    static PyMethodDef methods[];
};

// Whether parameter `index` has 8 bytes of which nothing more is known.
inline bool is_doubtful(cuprum_kernel kernel, uint32_t index) {
    uint64_t offset = 0;
    uint64_t size = 0;
    int32_t kind = CUPRUM_PARAMETER_UNKNOWN;
    const char* type = nullptr;
    return cuprum_kernel_argument_info(&offset, &size, kernel, index) == CUPRUM_SUCCESS && size == 8 &&
           cuprum_kernel_argument_type(&kind, &type, kernel, index) == CUPRUM_SUCCESS &&
           kind == CUPRUM_PARAMETER_UNKNOWN;
}

inline bool has_doubtful_parameter(cuprum_kernel kernel) {
    uint32_t count = 0;
    cuprum_kernel_argument_count(&count, kernel);  // of a kernel that is no more, the launch says so
    for (uint32_t i = 0; i < count; ++i) {
        if (is_doubtful(kernel, i)) return true;
    }
    return false;
}

// Warns of each float among the arguments whose parameter has 8 bytes and may be a pointer as well. Such kernels are
// rare, and a kernel is asked but once. False with a Python error, which a warning may be made.
inline bool warn_of_floats(KernelObject& object, cuprum_kernel kernel, const KernelArguments& arguments) {
    if (object.has_doubtful_parameter == 0) {
        object.has_doubtful_parameter = has_doubtful_parameter(kernel) ? 1 : -1;
    }
    if (object.has_doubtful_parameter < 0) return true;
    PyObject* const errors = PyImport_ImportModule("cuprum._errors");
    PyObject* const category = errors == nullptr ? nullptr : PyObject_GetAttrString(errors, "CUDAWarning");
    bool is_fine = category != nullptr;
    for (uint32_t i = 0; is_fine && i < arguments.size(); ++i) {
        if (arguments.data()[i].kind != CUPRUM_ARGUMENT_FLOAT || !is_doubtful(kernel, i)) continue;
        const char* name = "";
        cuprum_kernel_name(&name, kernel);
        is_fine =
            PyErr_WarnFormat(category, 1,
                             "kernel argument %u of %s is a float for a parameter of 8 bytes whose type is not "
                             "known; it is passed as a float64, which a pointer or an integer would misread. Pass "
                             "ctypes.c_double or numpy.float64 if it is a double",
                             i, name) == 0;
    }
    Py_XDECREF(category);
    Py_XDECREF(errors);
    return is_fine;
}

inline PyMemberDef KernelObject::members[] = {no_more_members};

inline PyGetSetDef KernelObject::attributes[] = {no_more_attributes};

inline PyMethodDef KernelObject::methods[] = {no_more_methods};

// Adds it to the module. False with a Python error.
inline bool add_kernel_type(PyObject* module) {
    return add_handle_subtype<KernelObject>(module, "KernelHandle", "cuprum._cuprum.KernelHandle");
}

}  // namespace cuprum_python
