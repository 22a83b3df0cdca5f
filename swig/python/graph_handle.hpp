// GraphHandle and GraphBuilderHandle, the types in C that cuprum.core.graph's Graph and GraphBuilder derive from; and
// what nodes of graphs are made of that the generated functions do not take: kernel launches and functions.
#pragma once

#include <Python.h>
#include <structmember.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "graph_functions.hpp"
#include "handle_members.hpp"
#include "kernel_arguments.hpp"
#include "kernel_handle.hpp"
#include "launch_stream.hpp"
#include "packed_config.hpp"

namespace cuprum_python {

struct GraphObject {
    HandleObject owner;
    static inline PyTypeObject* type = nullptr;
    static PyMemberDef members[];
    static PyGetSetDef attributes[];
    static PyMethodDef methods[];
};

// graph.launch(stream)
inline PyObject* graph_launch(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    const Arguments arguments{values, count, names};
    PyObject* const in = arguments.only();
    if (in == nullptr) return call_method(self, "_launch", arguments);
    cuprum_graph graph = nullptr;
    LaunchStream stream;
    if (!open_handle(self, "launching a graph", graph) || !stream.open(in)) return nullptr;
    cuprum_status status = CUPRUM_SUCCESS;
    {
        const WithoutGilWhilePending released;
        status = cuprum_graph_launch(graph, stream.get());
    }
    return none_or_error(status);
}

inline PyMemberDef GraphObject::members[] = {no_more_members};
inline PyGetSetDef GraphObject::attributes[] = {no_more_attributes};
inline PyMethodDef GraphObject::methods[] = {
    method("launch", graph_launch,
           "launch($self, /, stream)\n--\n\nRuns the graph in the stream's order; returns at once."),
    own_members_of<GraphObject>(), no_more_methods};

// The kernel's launch that a node makes: launch() without a stream.
class NodeLaunch {
public:
    // From config, kernel and the kernel's arguments. False with a Python error.
    bool open(PyObject* const* values, Py_ssize_t count) {
        if (!require_type<PackedConfigObject>(values[0], "config", "LaunchConfig") ||
            !require_type<KernelObject>(values[1], "kernel", "Kernel") ||
            !open_handle(values[1], "adding a kernel node", kernel_) || !arguments_.open(values + 2, count - 2)) {
            return false;
        }
        config_ = &as<PackedConfigObject>(values[0]).config;
        return !arguments_.has_float() || as<KernelObject>(values[1]).has_doubtful_parameter < 0 ||
               warn_of_floats(as<KernelObject>(values[1]), kernel_, arguments_);
    }
    const cuprum_launch_config* config() const { return config_; }
    cuprum_kernel kernel() const { return kernel_; }
    const KernelArguments& arguments() const { return arguments_; }

private:
    const cuprum_launch_config* config_ = nullptr;
    cuprum_kernel kernel_ = nullptr;
    KernelArguments arguments_;
};

// The first arguments of a function, which are numbers. False with a Python error.
template <std::size_t count>
bool read_numbers(PyObject* const* values, Py_ssize_t given, unsigned long long (&numbers)[count]) {
    if (given < static_cast<Py_ssize_t>(count)) {
        PyErr_SetString(PyExc_TypeError, "too few arguments");
        return false;
    }
    for (std::size_t i = 0; i < count; ++i) {
        numbers[i] = PyLong_AsUnsignedLongLong(values[i]);
        if (PyErr_Occurred() != nullptr) return false;
    }
    return true;
}

template <class Handle>
Handle handle_from(unsigned long long number) {
    return reinterpret_cast<Handle>(static_cast<uintptr_t>(number));
}

// graph_definition_add_kernel(definition, after, config, kernel, *args)
inline PyObject* add_kernel_node(PyObject* /*module*/, PyObject* const* values, Py_ssize_t count) {
    unsigned long long numbers[2];
    NodeLaunch launch;
    if (!read_numbers(values, count, numbers) || !launch.open(values + 2, count - 2)) return nullptr;
    uint64_t node = 0;
    cuprum_status status = CUPRUM_SUCCESS;
    {
        const WithoutGil released;
        status = cuprum_graph_definition_add_kernel(&node, handle_from<cuprum_graph_definition>(numbers[0]), numbers[1],
                                                    launch.config(), launch.kernel(), launch.arguments().data(),
                                                    launch.arguments().size());
    }
    if (status != CUPRUM_SUCCESS) return none_or_error(status);
    return PyLong_FromUnsignedLongLong(node);
}

// graph_definition_update_kernel(definition, node, config, kernel, *args)
inline PyObject* update_kernel_node(PyObject* /*module*/, PyObject* const* values, Py_ssize_t count) {
    unsigned long long numbers[2];
    NodeLaunch launch;
    if (!read_numbers(values, count, numbers) || !launch.open(values + 2, count - 2)) return nullptr;
    cuprum_status status = CUPRUM_SUCCESS;
    {
        const WithoutGil released;
        status = cuprum_graph_definition_update_kernel(handle_from<cuprum_graph_definition>(numbers[0]), numbers[1],
                                                       launch.config(), launch.kernel(), launch.arguments().data(),
                                                       launch.arguments().size());
    }
    return none_or_error(status);
}

// graph_update_kernel(graph, definition, node, config, kernel, *args)
inline PyObject* update_kernel_of_graph(PyObject* /*module*/, PyObject* const* values, Py_ssize_t count) {
    unsigned long long numbers[3];
    NodeLaunch launch;
    if (!read_numbers(values, count, numbers) || !launch.open(values + 3, count - 3)) return nullptr;
    cuprum_status status = CUPRUM_SUCCESS;
    {
        const WithoutGil released;
        status = cuprum_graph_update_kernel(
            handle_from<cuprum_graph>(numbers[0]), handle_from<cuprum_graph_definition>(numbers[1]), numbers[2],
            launch.config(), launch.kernel(), launch.arguments().data(), launch.arguments().size());
    }
    return none_or_error(status);
}

// ---- Functions of Python's in a graph, for which `give` calls the C ABI.

template <class Give>
PyObject* give_function(PyObject* function, const Give& give) {
    if (PyCallable_Check(function) == 0) {
        PyErr_Format(PyExc_TypeError, "fn must be callable, not %S", TypeName(function).get());
        return nullptr;
    }
    Py_INCREF(function);
    pending_host_functions().fetch_add(1, std::memory_order_relaxed);
    cuprum_status status = CUPRUM_SUCCESS;
    {
        const WithoutGil released;
        status = give(function);
    }
    if (status == CUPRUM_SUCCESS) Py_RETURN_NONE;
    pending_host_functions().fetch_sub(1, std::memory_order_relaxed);
    Py_DECREF(function);
    return none_or_error(status);
}

// graph_builder_callback(builder, function)
inline PyObject* give_builder_callback(PyObject* /*module*/, PyObject* const* values, Py_ssize_t count) {
    unsigned long long numbers[1];
    if (!read_numbers(values, count - 1, numbers)) return nullptr;
    return give_function(values[1], [&](void* function) {
        return cuprum_graph_builder_callback(handle_from<cuprum_graph_builder>(numbers[0]), run_graph_function,
                                             release_graph_function, function);
    });
}

// graph_definition_add_callback(definition, after, function)
inline PyObject* add_callback_node(PyObject* /*module*/, PyObject* const* values, Py_ssize_t count) {
    unsigned long long numbers[2];
    if (!read_numbers(values, count - 1, numbers)) return nullptr;
    uint64_t node = 0;
    PyObject* const result = give_function(values[2], [&](void* function) {
        return cuprum_graph_definition_add_callback(&node, handle_from<cuprum_graph_definition>(numbers[0]), numbers[1],
                                                    run_graph_function, release_graph_function, function);
    });
    if (result == nullptr) return nullptr;
    Py_DECREF(result);
    return PyLong_FromUnsignedLongLong(node);
}

// graph_definition_update_callback(definition, node, function)
inline PyObject* update_callback_node(PyObject* /*module*/, PyObject* const* values, Py_ssize_t count) {
    unsigned long long numbers[2];
    if (!read_numbers(values, count - 1, numbers)) return nullptr;
    return give_function(values[2], [&](void* function) {
        return cuprum_graph_definition_update_callback(handle_from<cuprum_graph_definition>(numbers[0]), numbers[1],
                                                       run_graph_function, release_graph_function, function);
    });
}

// graph_update_callback(graph, definition, node, function)
inline PyObject* update_callback_of_graph(PyObject* /*module*/, PyObject* const* values, Py_ssize_t count) {
    unsigned long long numbers[3];
    if (!read_numbers(values, count - 1, numbers)) return nullptr;
    return give_function(values[3], [&](void* function) {
        return cuprum_graph_update_callback(handle_from<cuprum_graph>(numbers[0]),
                                            handle_from<cuprum_graph_definition>(numbers[1]), numbers[2],
                                            run_graph_function, release_graph_function, function);
    });
}

// Adds the types and functions to the module. False with a Python error.
inline bool add_graphs(PyObject* module) {
    const auto fast = [](const char* name, PyObject* (*function)(PyObject*, PyObject* const*, Py_ssize_t),
                         const char* text) {
        return PyMethodDef{name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)), METH_FASTCALL,
                           text};
    };
    static PyMethodDef functions[] = {
        fast("graph_definition_add_kernel", add_kernel_node, "(definition, after, config, kernel, *args): the node."),
        fast("graph_definition_update_kernel", update_kernel_node, "(definition, node, config, kernel, *args)"),
        fast("graph_update_kernel", update_kernel_of_graph, "(graph, definition, node, config, kernel, *args)"),
        fast("graph_builder_callback", give_builder_callback, "(builder, function)"),
        fast("graph_definition_add_callback", add_callback_node, "(definition, after, function): the node."),
        fast("graph_definition_update_callback", update_callback_node, "(definition, node, function)"),
        fast("graph_update_callback", update_callback_of_graph, "(graph, definition, node, function)"),
        {nullptr, nullptr, 0, nullptr}};
    return add_handle_subtype<GraphObject>(module, "GraphHandle", "cuprum._cuprum.GraphHandle") &&
           PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace cuprum_python
