// StreamHandle, the type in C that cuprum.core.Stream derives from.
#pragma once

#include <Python.h>
#include <structmember.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "current_device.hpp"
#include "event_handle.hpp"
#include "handle_members.hpp"
#include "host_function.hpp"
#include "type_name.hpp"

namespace cuprum_python {

struct StreamObject {
    HandleObject owner;
    unsigned long long
        default_stream;  // CU_STREAM_LEGACY or CU_STREAM_PER_THREAD, of whatever device is current; else 0
    char has_copies;     // asynchronous copies whose host memory it holds: Python code lets go of that
    static inline PyTypeObject* type = nullptr;
    static PyMemberDef members[];
    static PyGetSetDef attributes[];
    static PyMethodDef methods[];
};

inline bool open_default_stream(PyObject* stream, cuprum_stream& handle) {
    // Borrowed once a device, for the life of the process. Under the GIL.
    static auto* const known = new std::map<std::pair<unsigned long long, int32_t>, cuprum_stream>;
    handle = nullptr;
    const unsigned long long native = as<StreamObject>(stream).default_stream;
    if (native == 0) return true;
    int32_t device = 0;
    if (!current_device(device)) return false;
    const auto found = known->find({native, device});
    if (found != known->end()) {
        handle = found->second;
        return true;
    }
    cuprum_status status = CUPRUM_SUCCESS;
    {
        const WithoutGil released;  // it may be the call that starts the driver
        status = cuprum_stream_from_native(&handle, device, native);
    }
    if (status != CUPRUM_SUCCESS) {
        raise_last_error(status);
        return false;
    }
    const auto [kept, is_new] = known->emplace(std::pair{native, device}, handle);
    if (!is_new) cuprum_stream_destroy(std::exchange(handle, kept->second));  // another thread was faster
    return true;
}

inline bool has_copies(PyObject* stream) {
    return as<StreamObject>(stream).has_copies != 0;
}

inline PyObject* stream_is_done(PyObject* self, void* operation) {
    if (has_copies(self)) return PyObject_CallMethod(self, "_is_done", nullptr);
    return get_truth<cuprum_stream_is_done>(self, operation);
}

// The wait alone.
inline PyObject* stream_wait_for_work(PyObject* self, PyObject* /*unused*/) {
    cuprum_stream handle = nullptr;
    if (!open_handle(self, "waiting for a stream", handle)) return nullptr;
    const uint64_t native = native_of(cuprum_stream_native, self, handle);
    int32_t device = 0;
    if (native <= last_default_stream) cuprum_stream_device(&device, handle);
    return wait_and_ask(handle, cuprum_stream_sync, cuprum_stream_destroy,
                        [&](WithoutGil& released) { return wait_for_stream(native, device, released); });
}

inline PyObject* stream_sync(PyObject* self, PyObject* unused) {
    if (has_copies(self)) return PyObject_CallMethod(self, "_sync", nullptr);
    return stream_wait_for_work(self, unused);
}

inline PyObject* stream_record(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    const Arguments arguments{values, count, names};
    PyObject* const event = arguments.only();
    if (event == nullptr || !is_a<EventObject>(event)) {
        return call_method(self, "_record", arguments);
    }
    cuprum_stream into = nullptr;
    cuprum_event recorded = nullptr;
    if (!open_handle(self, "recording an event", into) || !open_handle(event, "recording an event", recorded)) {
        return nullptr;
    }
    cuprum_status status = CUPRUM_SUCCESS;
    {
        const WithoutGilWhilePending released;
        status = cuprum_stream_record(into, recorded);
    }
    if (status != CUPRUM_SUCCESS) return none_or_error(status);
    Py_INCREF(event);
    return event;
}

inline PyObject* stream_wait(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    const Arguments arguments{values, count, names};
    PyObject* const event = arguments.only();
    if (event == nullptr || !is_a<EventObject>(event)) {
        return call_method(self, "_wait", arguments);
    }
    cuprum_stream waiting = nullptr;
    cuprum_event awaited = nullptr;
    if (!open_handle(self, "making a stream wait for an event", waiting) ||
        !open_handle(event, "making a stream wait for an event", awaited)) {
        return nullptr;
    }
    cuprum_status status = CUPRUM_SUCCESS;
    {
        const WithoutGilWhilePending released;
        status = cuprum_stream_wait_event(waiting, awaited);
    }
    return none_or_error(status);
}

inline PyObject* stream_launch_host_function(PyObject* self, PyObject* function) {
    if (PyCallable_Check(function) == 0) {
        PyErr_Format(PyExc_TypeError, "function must be callable, not %S", TypeName(function).get());
        return nullptr;
    }
    cuprum_stream handle = nullptr;
    if (!open_handle(self, "launching a host function", handle)) return nullptr;
    Py_INCREF(function);
    pending_host_functions().fetch_add(1, std::memory_order_relaxed);
    cuprum_status status = CUPRUM_SUCCESS;
    {
        const WithoutGil released;
        status = cuprum_stream_launch_host_function(handle, run_host_function, function);
    }
    PyObject* const result = none_or_error(status);
    if (result == nullptr) {  // it will not be called
        pending_host_functions().fetch_sub(1, std::memory_order_relaxed);
        Py_DECREF(function);
    }
    return result;
}

inline PyObject* stream_close(PyObject* self, PyObject* unused) {
    if (has_copies(self)) return PyObject_CallMethod(self, "_close", nullptr);
    return close_asked<cuprum_stream, cuprum_stream_destroy>(self, unused);
}

inline PyMemberDef StreamObject::members[] = {
    {"_has_copies", T_BOOL, offsetof(StreamObject, has_copies), 0, "Whether _in_flight may have something."},
    {"_default_stream", T_ULONGLONG, offsetof(StreamObject, default_stream), 0,
     "The CUstream of a default stream of whatever device is current; 0 for other streams."},
    no_more_members};

inline PyGetSetDef StreamObject::attributes[] = {
    attribute("handle", get_native<cuprum_stream_native>, "The ``CUstream``, as an integer.",
              "asking for a stream's handle"),
    attribute("is_nonblocking", get_truth<cuprum_stream_is_nonblocking>,
              "Does not wait for the legacy default stream, nor that for it.",
              "asking whether a stream is nonblocking"),
    attribute("priority", get_number<cuprum_stream_priority>, "Lower numbers go first.",
              "asking for a stream's priority"),
    attribute("is_done", stream_is_done, "All work so far has finished.", "asking whether a stream's work is done"),
    no_more_attributes};

inline PyMethodDef StreamObject::methods[] = {
    method("sync", stream_sync,
           "sync($self, /)\n--\n\nWaits for all work so far. DeviceFault when a kernel in it failed."),
    method("synchronize", stream_sync, "synchronize($self, /)\n--\n\nThe same as sync()."),
    method("_wait_for_work", stream_wait_for_work, "_wait_for_work($self, /)\n--\n\nsync() without more."),
    method("record", stream_record,
           "record($self, /, event=None, options=None)\n--\n\n"
           "Puts an event behind all work so far; makes one when none is given."),
    method("wait", stream_wait,
           "wait($self, /, event_or_stream)\n--\n\n"
           "Later work in this stream waits for the event, or for all work so far in the other stream."),
    {"launch_host_function", stream_launch_host_function, METH_O,
     "launch_host_function($self, function, /)\n--\n\n"
     "Calls ``function()`` in another thread when all work so far is done; later work waits until it returns.\n\n"
     "It must not use CUDA, nor wait for a thread that does. What it raises goes to ``sys.unraisablehook``. It is "
     "kept\n"
     "until it has been called. It is never called where the device fails first, and when the interpreter exits."},
    method("close", stream_close, "close($self, /)\n--\n\nCloses the stream without waiting: its work goes on."),
    {"_make_default",
     make_with_defaults<cuprum_stream, cuprum_stream_options, cuprum_stream_create, cuprum_stream_destroy>,
     METH_O | METH_CLASS, "A stream of a device, with the default options."},
    {"_open_native", open_native<cuprum_stream>, METH_O, "The handle; InvalidState when closed."},
    own_members_of<StreamObject>(),
    no_more_methods};

// Adds it to the module. False with a Python error.
inline bool add_stream_type(PyObject* module) {
    return add_handle_subtype<StreamObject>(module, "StreamHandle", "cuprum._cuprum.StreamHandle");
}

}  // namespace cuprum_python
