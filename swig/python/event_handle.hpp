// EventHandle, the type in C that cuprum.core.Event derives from.
#pragma once

#include <Python.h>

#include "handle_members.hpp"

namespace cuprum_python {

struct EventObject {
    HandleObject owner;
    static inline PyTypeObject* type = nullptr;
    static PyMemberDef members[];
    static PyGetSetDef attributes[];
    static PyMethodDef methods[];
};

inline PyObject* event_sync(PyObject* self, PyObject* /*unused*/) {
    cuprum_event handle = nullptr;
    if (!open_handle(self, "waiting for an event", handle)) return nullptr;
    const uint64_t native = native_of(cuprum_event_native, self, handle);
    return wait_and_ask(handle, cuprum_event_sync, cuprum_event_destroy,
                        [&](WithoutGil& released) { return wait_for_event(native, released); });
}

inline PyMemberDef EventObject::members[] = {no_more_members};

inline PyGetSetDef EventObject::attributes[] = {
    attribute("handle", get_native<cuprum_event_native>, "The ``CUevent``, as an integer.",
              "asking for an event's handle"),
    attribute("is_done", get_truth<cuprum_event_is_done>, "All work before the event has finished.",
              "asking whether an event has happened"),
    no_more_attributes};

inline PyMethodDef EventObject::methods[] = {
    method("sync", event_sync, "sync($self, /)\n--\n\nWaits until all work before the event has finished."),
    method("synchronize", event_sync, "synchronize($self, /)\n--\n\nThe same as sync()."),
    method("close", close_asked<cuprum_event, cuprum_event_destroy>,
           "close($self, /)\n--\n\nCloses the event. Calling it again does nothing."),
    {"_make_default", make_with_defaults<cuprum_event, cuprum_event_options, cuprum_event_create, cuprum_event_destroy>,
     METH_O | METH_CLASS, "An event of a device, with the default options."},
    own_members_of<EventObject>(),
    no_more_methods};

// Adds it to the module. False with a Python error.
inline bool add_event_type(PyObject* module) {
    return add_handle_subtype<EventObject>(module, "EventHandle", "cuprum._cuprum.EventHandle");
}

}  // namespace cuprum_python
