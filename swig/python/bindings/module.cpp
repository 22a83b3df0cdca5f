// The extension module `cuprum._bindings`: the functions, classes and constants of the CUDA libraries.
#include <Python.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "../pycuda/objects.hpp"
#include "call.hpp"
#include "callbacks.hpp"
#include "cuprum/capi/base.h"
#include "cuprum/capi/bindings.h"
#include "instance.hpp"
#include "reference.hpp"
#include "tables.hpp"

namespace cuprum::python {

namespace {

const Library* find_library(PyObject* name) {
    for (const Library& library : libraries()) {
        if (PyUnicode_CompareWithASCIIString(name, library.name) == 0) {
            return &library;
        }
    }
    PyErr_Format(PyExc_ValueError, "there is no library %R", name);
    return nullptr;
}

PyObject* add_functions(PyObject*, PyObject* arguments) {
    PyObject* module = nullptr;
    PyObject* name = nullptr;
    if (PyArg_ParseTuple(arguments, "OU:add_functions", &module, &name) == 0) {
        return nullptr;
    }
    const Library* const library = find_library(name);
    if (library == nullptr || PyModule_AddFunctions(module, library->methods) != 0) {
        return nullptr;
    }
    Py_RETURN_NONE;
}

PyObject* attribute_of_library(PyObject*, PyObject* arguments) {
    PyObject* library_name = nullptr;
    const char* name = nullptr;
    if (PyArg_ParseTuple(arguments, "Us:attribute", &library_name, &name) == 0) {
        return nullptr;
    }
    const Library* const library = find_library(library_name);
    if (library == nullptr) {
        return nullptr;
    }
    const auto found = std::ranges::lower_bound(library->names, std::string_view(name), {},
                                                [](const Name& entry) { return std::string_view(entry.name); });
    if (found == library->names.end() || std::strcmp(found->name, name) != 0) {
        return PyErr_Format(PyExc_AttributeError, "module 'cuprum.bindings.%s' has no attribute '%s'", library->name,
                            name);
    }
    if (found->type == nullptr) {
        return found->is_unsigned ? PyLong_FromUnsignedLongLong(static_cast<std::uint64_t>(found->value))
                                  : PyLong_FromLongLong(found->value);
    }
    PyObject* const python_class = class_of(*found->type);
    Py_XINCREF(python_class);
    return python_class;
}

PyObject* names(PyObject*, PyObject* name) {
    const Library* const library = find_library(name);
    if (library == nullptr) {
        return nullptr;
    }
    Reference list(PyList_New(0));
    for (const Name& entry : library->names) {
        const Reference text(PyUnicode_FromString(entry.name));
        if (!list || !text || PyList_Append(list.get(), text.get()) != 0) {
            return nullptr;
        }
    }
    return list.release();
}

const char* form_name(Form form) {
    switch (form) {
        case Form::value:
            return "value";
        case Form::array:
            return "array";
        case Form::address:
            return "address";
        case Form::text:
            return "text";
        case Form::elements:
            return "elements";
        case Form::addresses:
            return "addresses";
    }
    return "";
}

PyObject* layout(PyObject*, PyObject* python_class) {
    for (const Library& library : libraries()) {
        for (const Name& entry : library.names) {
            if (entry.type == nullptr || entry.type->python_class != python_class) {
                continue;
            }
            Reference fields(PyList_New(0));
            for (const Field& field : entry.type->fields) {
                const Reference described(
                    Py_BuildValue("sIIs", field.name, field.offset, field.count, form_name(field.form)));
                if (!fields || !described || PyList_Append(fields.get(), described.get()) != 0) {
                    return nullptr;
                }
            }
            return Py_BuildValue("IIN", entry.type->size, entry.type->alignment, fields.release());
        }
    }
    PyErr_Format(PyExc_TypeError, "%R is not a class of the bindings", python_class);
    return nullptr;
}

PyObject* last_error_message(PyObject*, PyObject*) {
    cuprum_error_info info{};
    info.struct_size = sizeof info;
    if (cuprum_bindings_take_failure() == CUPRUM_SUCCESS || cuprum_error_last(&info) != CUPRUM_SUCCESS) {
        return PyUnicode_FromString("");
    }
    return PyUnicode_FromString(info.message);
}

PyObject* stop_callbacks(PyObject*, PyObject*) {
    refuse_callbacks();
    Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"add_functions", &add_functions, METH_VARARGS, "add_functions(module, library)\n--\n\nAdds its functions."},
    {"attribute", &attribute_of_library, METH_VARARGS, "attribute(library, name)\n--\n\nA class or a constant."},
    {"names", &names, METH_O, "names(library)\n--\n\nThe names of the classes and constants."},
    {"layout", &layout, METH_O,
     "layout(cls)\n--\n\nThe size and alignment of a class, and of each field its name, offset, count and form."},
    {"last_error_message", &last_error_message, METH_NOARGS,
     "last_error_message()\n--\n\nWhat the newest call on this thread lacked that found its library or its symbol "
     "missing.\n\nNames the function, the library and its version, the version that introduced the function, and\n"
     "where the library was looked for. Empty if there was no such call since the last time that this was asked."},
    {"stop_callbacks", &stop_callbacks, METH_NOARGS,
     "stop_callbacks()\n--\n\nThe interpreter exits: waits for callbacks that are running; later ones are not run."},
    {"add_pycuda", &pycuda::add_pycuda, METH_O,
     "add_pycuda(module)\n--\n\nAdds the types and functions of cuprum.compat.pycuda that are C++."},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "cuprum._bindings", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

}  // namespace cuprum::python

PyMODINIT_FUNC PyInit__bindings() {  // NOLINT(clang-diagnostic-reserved-identifier): Python's name for it
    using namespace cuprum::python;
    Reference module(PyModule_Create(&definition));
    if (!module || !prepare_instances()) {
        return nullptr;
    }
    return module.release();
}
