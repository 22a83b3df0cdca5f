// cuprum.core.launch: Python's way to a kernel. Every launch takes it. With a Stream (a default one too), a
// LaunchConfig and a Kernel, nothing of it is Python code: the handles are read from the objects, and nothing is
// allocated.
#pragma once

#include <Python.h>

#include "call.hpp"
#include "errors.hpp"
#include "host_function.hpp"
#include "kernel_arguments.hpp"
#include "kernel_handle.hpp"
#include "launch_stream.hpp"
#include "packed_config.hpp"

namespace cuprum_python {

// A launch whose first three arguments are not all given by position. Python finds out which is which, and says what is
// missing; it comes back by position.
inline PyObject* launch_by_name(const Arguments& arguments) {
    PyObject* const module = PyImport_ImportModule("cuprum.core._launch");
    if (module == nullptr) return nullptr;
    PyObject* const result = call_method(module, "_launch_by_name", arguments);
    Py_DECREF(module);
    return result;
}

inline PyObject* launch(PyObject* /*module*/, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    if (count < 3 || names != nullptr) return launch_by_name({values, count, names});
    LaunchStream stream;
    cuprum_kernel kernel = nullptr;
    if (!stream.open(values[0]) || !require_type<PackedConfigObject>(values[1], "config", "LaunchConfig") ||
        !require_type<KernelObject>(values[2], "kernel", "Kernel") ||
        !open_handle(values[2], "launching a kernel", kernel)) {
        return nullptr;
    }
    KernelArguments arguments;
    if (!arguments.open(values + 3, count - 3)) return nullptr;
    auto& object = as<KernelObject>(values[2]);
    if (arguments.has_float() && object.has_doubtful_parameter >= 0 && !warn_of_floats(object, kernel, arguments)) {
        return nullptr;
    }
    const cuprum_launch_config& config = as<PackedConfigObject>(values[1]).config;
    cuprum_status status = CUPRUM_SUCCESS;
    {
        const WithoutGilWhilePending released;
        status = cuprum_launch(stream.get(), &config, kernel, arguments.data(), arguments.size());
    }
    return none_or_error(status);
}

// Adds `launch` to the module. False with a Python error.
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
        {nullptr, nullptr, 0, nullptr}};
    return PyModule_AddFunctions(module, methods) == 0;
}

}  // namespace cuprum_python
