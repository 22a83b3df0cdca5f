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
         "The arguments are checked against the kernel's own parameters: their number, and the size of each. A Buffer, "
         "or\nanything with ``__cuda_array_interface__``, is passed as its device address. An int, float or bool takes "
         "the width\nof the parameter if it fits; a kernel does not tell the types of its parameters, so write 3.0 for "
         "a real one, not 3.\nA NumPy or ctypes scalar must have exactly the parameter's size, and so must bytes, "
         "which are for structs.\n"},
        {"set_general_launch", set_general_launch, METH_O, "Called once by cuprum.core._launch."},
        {nullptr, nullptr, 0, nullptr}};
    return PyModule_AddFunctions(module, methods) == 0;
}

}  // namespace cuprum_python
