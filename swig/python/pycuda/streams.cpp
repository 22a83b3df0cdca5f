// What streams and events are asked for most.
#include <Python.h>
#include <structmember.h>

#include <cstddef>

#include "objects.hpp"

namespace cuprum::python::pycuda {

PyTypeObject* HandleObject::stream_type = nullptr;
PyTypeObject* HandleObject::event_type = nullptr;

bool stream_handle(PyObject* stream, std::uint64_t& handle) {
    if (stream == Py_None) {
        handle = 0;
        return true;
    }
    if (PyObject_TypeCheck(stream, HandleObject::stream_type) == 0) {
        return false;
    }
    handle = as<HandleObject>(stream).handle;
    return true;
}

namespace {

constexpr std::uint64_t not_ready = 600;  // CUDA_ERROR_NOT_READY

PyObject* self_or_error(PyObject* self, std::uint64_t status, const DriverFunction& function) {
    return status == 0 ? Py_NewRef(self) : raise_status(status, function);
}

PyObject* is_done_or_error(std::uint64_t status, const DriverFunction& function) {
    if (status != 0 && status != not_ready) {
        return raise_status(status, function);
    }
    return PyBool_FromLong(status == 0 ? 1 : 0);
}

PyObject* synchronize_stream(PyObject* self, PyObject* /*unused*/) {
    static DriverFunction synchronize("cuStreamSynchronize");
    return none_or_error(synchronize(as<HandleObject>(self).handle), synchronize);
}

PyObject* is_stream_done(PyObject* self, PyObject* /*unused*/) {
    static DriverFunction query("cuStreamQuery");
    return is_done_or_error(query(as<HandleObject>(self).handle), query);
}

PyObject* let_stream_wait(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    static DriverFunction wait("cuStreamWaitEvent");
    const Arguments arguments{values, count, names};
    PyObject* const event = arguments.only();
    if (event == nullptr || PyObject_TypeCheck(event, HandleObject::event_type) == 0) {
        return cuprum_python::call_method(self, "_wait_for_event", arguments);
    }
    return none_or_error(wait(as<HandleObject>(self).handle, as<HandleObject>(event).handle, 0), wait);
}

PyObject* record(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    static DriverFunction record_event("cuEventRecord");
    const Arguments arguments{values, count, names};
    std::uint64_t stream = 0;
    const bool is_without = count == 0 && names == nullptr;
    if (!is_without && (arguments.only() == nullptr || !stream_handle(values[0], stream))) {
        return cuprum_python::call_method(self, "_record", arguments);
    }
    return self_or_error(self, record_event(as<HandleObject>(self).handle, stream), record_event);
}

PyObject* synchronize_event(PyObject* self, PyObject* /*unused*/) {
    static DriverFunction synchronize("cuEventSynchronize");
    return self_or_error(self, synchronize(as<HandleObject>(self).handle), synchronize);
}

PyObject* query_event(PyObject* self, PyObject* /*unused*/) {
    static DriverFunction query("cuEventQuery");
    return is_done_or_error(query(as<HandleObject>(self).handle), query);
}

void deallocate_handle(PyObject* self) {
    Py_XDECREF(as<HandleObject>(self).context);
    free_object(self);
}

PyMemberDef handle_members[] = {
    {"handle", T_ULONGLONG, offsetof(HandleObject, handle), 0, "The driver's handle; 0 once it is destroyed."},
    {"_context", T_OBJECT_EX, offsetof(HandleObject, context), 0, "Where it is destroyed."},
    {nullptr, 0, 0, 0, nullptr}};

PyTypeObject* add_handle_base(PyObject* module, const char* name, const char* full_name, PyMethodDef* methods) {
    PyType_Slot slots[] = {{Py_tp_members, handle_members},
                           {Py_tp_methods, methods},
                           {Py_tp_dealloc, reinterpret_cast<void*>(&deallocate_handle)},
                           {0, nullptr}};
    PyType_Spec specification{full_name, sizeof(HandleObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    return add_type(module, name, specification);
}

}  // namespace

bool add_streams(PyObject* module) {
    static PyMethodDef stream_methods[] = {
        {"synchronize", &synchronize_stream, METH_NOARGS, "synchronize($self, /)\n--\n\nWaits for all its work."},
        {"is_done", &is_stream_done, METH_NOARGS, "is_done($self, /)\n--\n\nWhether all its work is done."},
        quick_call("wait_for_event", &let_stream_wait,
                   "wait_for_event($self, /, evt)\n--\n\nLater work waits for the event."),
        {nullptr, nullptr, 0, nullptr}};
    static PyMethodDef event_methods[] = {
        quick_call("record", &record,
                   "record($self, /, stream=None)\n--\n\nMarks the end of the stream's present work. Returns itself."),
        {"synchronize", &synchronize_event, METH_NOARGS,
         "synchronize($self, /)\n--\n\nWaits until the work before it is done. Returns itself."},
        {"query", &query_event, METH_NOARGS, "query($self, /)\n--\n\nWhether the work before it is done."},
        {nullptr, nullptr, 0, nullptr}};
    HandleObject::stream_type =
        add_handle_base(module, "StreamBase", "cuprum.compat.pycuda._native.StreamBase", stream_methods);
    HandleObject::event_type =
        add_handle_base(module, "EventBase", "cuprum.compat.pycuda._native.EventBase", event_methods);
    return HandleObject::stream_type != nullptr && HandleObject::event_type != nullptr;
}

}  // namespace cuprum::python::pycuda
