// The stream that something is launched in: a Stream, a GraphBuilder that captures in one, or what lends one.
#pragma once

#include <Python.h>
#include <structmember.h>

#include <cstddef>

#include "handle_members.hpp"
#include "stream_handle.hpp"
#include "type_name.hpp"

namespace cuprum_python {

struct GraphBuilderObject {
    HandleObject owner;
    PyObject* stream;  // the Stream that it captures in; null when it is closed
    static inline PyTypeObject* type = nullptr;
    static PyMemberDef members[];
    static PyGetSetDef attributes[];
    static PyMethodDef methods[];
};

inline PyMemberDef GraphBuilderObject::members[] = {
    {"_stream", T_OBJECT, offsetof(GraphBuilderObject, stream), 0, "The Stream that it captures in; None when closed."},
    no_more_members};
inline PyGetSetDef GraphBuilderObject::attributes[] = {no_more_attributes};
inline PyMethodDef GraphBuilderObject::methods[] = {no_more_methods};

// A launch's stream: the object itself, or one that is borrowed from an object that lends it, and let go of with this.
class LaunchStream {
public:
    LaunchStream() = default;
    LaunchStream(const LaunchStream&) = delete;
    LaunchStream& operator=(const LaunchStream&) = delete;
    ~LaunchStream() { Py_XDECREF(borrowed_); }

    // False with a Python error.
    bool open(PyObject* object) {
        if (GraphBuilderObject::type != nullptr && is_a<GraphBuilderObject>(object)) {
            PyObject* const stream = as<GraphBuilderObject>(object).stream;
            if (stream == nullptr || stream == Py_None) {
                Py_XDECREF(PyObject_CallMethod(object, "_refuse_closed", "s", "launching a kernel"));
                return false;
            }
            object = stream;
        } else if (!is_a<StreamObject>(object)) {
            PyObject* const streams = PyImport_ImportModule("cuprum.core._stream");
            borrowed_ = streams == nullptr ? nullptr : PyObject_CallMethod(streams, "as_stream", "O", object);
            Py_XDECREF(streams);
            if (borrowed_ == nullptr) return false;
            object = borrowed_;
        }
        return open_handle(object, "launching a kernel", handle_);
    }
    cuprum_stream get() const { return handle_; }

private:
    PyObject* borrowed_ = nullptr;
    cuprum_stream handle_ = nullptr;
};

// Whether it is of the type that `what` must be of. False with a Python error.
template <class Object>
bool require_type(PyObject* object, const char* what, const char* type_name) {
    if (is_a<Object>(object)) return true;
    PyErr_Format(PyExc_TypeError, "%s must be a %s, not %S", what, type_name, TypeName(object).get());
    return false;
}

// Adds the type to the module. False with a Python error.
inline bool add_graph_builder_type(PyObject* module) {
    return add_handle_subtype<GraphBuilderObject>(module, "GraphBuilderHandle", "cuprum._cuprum.GraphBuilderHandle");
}

}  // namespace cuprum_python
