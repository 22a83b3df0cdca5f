// cuprum.core.launch: Python's way to a kernel. With a Stream, a LaunchConfig and a Kernel as they usually are, nothing
// of it is Python code: the handles are read from the objects, and nothing is allocated. Whatever else is given goes to
// the function in cuprum/core/_launch.py, which converts it or says what is wrong.
#pragma once

#include <Python.h>

#include "call.hpp"
#include "errors.hpp"
#include "kernel_arguments.hpp"
#include "owner.hpp"

namespace cuprum_python {

// cuprum.core._launch._launch: what launch does where the arguments are not the usual ones. Owned; never freed.
inline PyObject*& general_launch() {
    static PyObject* function = nullptr;
    return function;
}

inline PyObject* set_general_launch(PyObject* /*module*/, PyObject* function) {
    Py_INCREF(function);
    Py_XDECREF(general_launch());
    general_launch() = function;
    Py_RETURN_NONE;
}

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

// The same for the general way: warn_of_floats(kernel, arguments)
inline PyObject* warn_of_floats_in(PyObject* /*module*/, PyObject* values) {
    PyObject* kernel = nullptr;
    PyObject* tuple = nullptr;
    if (PyArg_ParseTuple(values, "O!O!", object_types().kernel, &kernel, &PyTuple_Type, &tuple) == 0) return nullptr;
    KernelArguments arguments;
    if (!arguments.open(tuple)) return nullptr;
    const bool is_fine = !arguments.has_float() || warn_of_floats(*reinterpret_cast<KernelObject*>(kernel),
                                                                  handle_of<cuprum_kernel>(kernel), arguments);
    if (!is_fine) return nullptr;
    Py_RETURN_NONE;
}

inline PyObject* launch(PyObject* /*module*/, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    const ObjectTypes& types = object_types();
    const bool is_usual = count >= 3 && names == nullptr && PyObject_TypeCheck(arguments[0], types.stream) != 0 &&
                          PyObject_TypeCheck(arguments[1], types.config) != 0 &&
                          PyObject_TypeCheck(arguments[2], types.kernel) != 0;
    const auto stream = is_usual ? handle_of<cuprum_stream>(arguments[0]) : nullptr;
    const auto kernel = is_usual ? handle_of<cuprum_kernel>(arguments[2]) : nullptr;
    if (stream == nullptr || kernel == nullptr) return call(general_launch(), {arguments, count, names});
    KernelArguments converted;
    if (!converted.open(arguments + 3, count - 3)) return nullptr;
    auto& object = *reinterpret_cast<KernelObject*>(arguments[2]);
    if (converted.has_float() && object.has_doubtful_parameter >= 0 && !warn_of_floats(object, kernel, converted)) {
        return nullptr;
    }
    const cuprum_launch_config& config = reinterpret_cast<PackedConfigObject*>(arguments[1])->config;
    const cuprum_status status = cuprum_launch(stream, &config, kernel, converted.data(), converted.size());
    return none_or_error(status);
}

// Adds `launch` and `set_general_launch` to the module. False with a Python error.
inline bool add_launch(PyObject* module) {
    static PyMethodDef methods[] = {
        {"launch", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(launch)), METH_FASTCALL | METH_KEYWORDS,
         "launch(stream, config, kernel, *args)\n--\n\n"
         "Launches a kernel in a stream; returns at once.\n\n"
         "The arguments are checked against the kernel's own parameters: their number, the size of each, and its type "
         "as far\nas it is known (``kernel.arguments_info``). A Buffer, or anything with ``__cuda_array_interface__``, "
         "is passed as its\ndevice address. An int, float or bool takes the width of the parameter if it fits; an int "
         "becomes a float for a\nfloating-point parameter, a float is refused for an integer or a pointer. A NumPy or "
         "ctypes scalar must have exactly\nthe parameter's type. Bytes, which are for structs, must have its size.\n"},
        {"warn_of_floats", warn_of_floats_in, METH_VARARGS,
         "Warns of floats for parameters of 8 bytes of which nothing is known."},
        {"set_general_launch", set_general_launch, METH_O, "Called once by cuprum.core._launch."},
        {nullptr, nullptr, 0, nullptr}};
    return PyModule_AddFunctions(module, methods) == 0;
}

}  // namespace cuprum_python
