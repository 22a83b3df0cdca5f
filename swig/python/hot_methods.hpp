// The methods of Stream, Event and Buffer that programs call as often as launches, in C. Each does what is usual, with
// the handles read from the objects; every other case it leaves to the Python method of the same name with an
// underscore, which converts what it is given or says what is wrong.
#pragma once

#include <Python.h>
#include <structmember.h>

#include <cstddef>
#include <cstring>

#include "call.hpp"
#include "errors.hpp"
#include "owner.hpp"
#include "waits.hpp"

namespace cuprum_python {

// Asks the C ABI for a number of an object. False with a Python error.
template <class Number, class Handle>
bool ask(cuprum_status (*question)(Number*, Handle), PyObject* self, const char* operation, Number& answer) {
    Handle handle = nullptr;
    if (!open_handle(self, operation, handle)) return false;
    const cuprum_status status = question(&answer, handle);
    if (status != CUPRUM_SUCCESS) raise_last_error(status);
    return status == CUPRUM_SUCCESS;
}

// An attribute that is such a number, or whether it is not 0. `operation` is a `const char*`, for errors.
template <auto question>
PyObject* get_number(PyObject* self, void* operation) {
    int32_t number = 0;
    if (!ask(question, self, static_cast<const char*>(operation), number)) return nullptr;
    return PyLong_FromLong(number);
}

template <auto question>
PyObject* get_truth(PyObject* self, void* operation) {
    int32_t answer = 0;
    if (!ask(question, self, static_cast<const char*>(operation), answer)) return nullptr;
    return PyBool_FromLong(answer);
}

// CUDA's handle or address of an object: the same as long as it is open.
template <auto question>
PyObject* get_native(PyObject* self, void* operation) {
    auto* const object = reinterpret_cast<HandleObject*>(self);
    if (object->native == 0 || object->number == 0) {
        uint64_t answer = 0;
        if (!ask(question, self, static_cast<const char*>(operation), answer)) return nullptr;
        if (object->native == 0)
            return PyLong_FromUnsignedLongLong(answer);  // a default stream's depends on the device
        object->number = answer;
    }
    return PyLong_FromUnsignedLongLong(object->number);
}

// CUDA's handle of an object: the same as long as it is open, but for a default stream's. `unknown_native`
// of what is no object any more: the caller's next call says so.
template <class Handle>
uint64_t native_of(cuprum_status (*question)(uint64_t*, Handle), PyObject* self, Handle handle) {
    auto* const object = reinterpret_cast<HandleObject*>(self);
    if (object->native != 0 && object->number != 0) return object->number;
    uint64_t answer = 0;
    if (question(&answer, handle) != CUPRUM_SUCCESS) return unknown_native;
    if (object->native != 0) object->number = answer;
    return answer;
}

// Waits with `wait`, which can be interrupted, and where that does not say it asks `call` what came of it. Other Python
// threads run meanwhile.
template <class Handle, class Wait>
PyObject* wait_and_ask(Handle handle, cuprum_status (*call)(Handle), cuprum_status (*destroy)(Handle),
                       const Wait& wait) {
    cuprum_status status = CUPRUM_SUCCESS;
    {
        WithoutGil released;
        const Asked::Hold<Handle> held(handle, destroy);
        const Waited waited = handles_signals() ? wait(released) : Waited::unknown;
        if (waited == Waited::interrupted) return nullptr;
        if (waited == Waited::unknown) status = call(handle);
    }
    return none_or_error(status);
}

inline bool has_copies(PyObject* stream) {
    return reinterpret_cast<StreamObject*>(stream)->has_copies != 0;
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
    if (event == nullptr || PyObject_TypeCheck(event, object_types().event) == 0) {
        return call_method(self, "_record", arguments);
    }
    cuprum_stream into = nullptr;
    cuprum_event recorded = nullptr;
    if (!open_handle(self, "recording an event", into) || !open_handle(event, "recording an event", recorded)) {
        return nullptr;
    }
    const cuprum_status status = cuprum_stream_record(into, recorded);
    if (status != CUPRUM_SUCCESS) return none_or_error(status);
    Py_INCREF(event);
    return event;
}

inline PyObject* stream_wait(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    const Arguments arguments{values, count, names};
    PyObject* const event = arguments.only();
    if (event == nullptr || PyObject_TypeCheck(event, object_types().event) == 0) {
        return call_method(self, "_wait", arguments);
    }
    cuprum_stream waiting = nullptr;
    cuprum_event awaited = nullptr;
    if (!open_handle(self, "making a stream wait for an event", waiting) ||
        !open_handle(event, "making a stream wait for an event", awaited)) {
        return nullptr;
    }
    return none_or_error(cuprum_stream_wait_event(waiting, awaited));
}

inline PyObject* event_sync(PyObject* self, PyObject* /*unused*/) {
    cuprum_event handle = nullptr;
    if (!open_handle(self, "waiting for an event", handle)) return nullptr;
    const uint64_t native = native_of(cuprum_event_native, self, handle);
    return wait_and_ask(handle, cuprum_event_sync, cuprum_event_destroy,
                        [&](WithoutGil& released) { return wait_for_event(native, released); });
}

// The little-endian pattern that a buffer is filled with.
struct Pattern {
    uint32_t value;
    uint32_t size;  // 0: the object is none, or not of the usual types

    static Pattern of(PyObject* object) {
        if (PyLong_CheckExact(object) != 0) {
            int overflow = 0;
            const long value = PyLong_AsLongAndOverflow(object, &overflow);
            return {static_cast<uint32_t>(value), overflow == 0 && 0 <= value && value <= 255 ? 1U : 0U};
        }
        const Py_ssize_t size = PyBytes_CheckExact(object) != 0 ? PyBytes_Size(object) : 0;
        if (size != 1 && size != 2 && size != 4) return {0, 0};
        Pattern pattern{0, static_cast<uint32_t>(size)};
        std::memcpy(&pattern.value, PyBytes_AsString(object), pattern.size);
        return pattern;
    }
};

inline PyObject* buffer_fill(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    const Arguments arguments{values, count, names};
    PyObject* const stream = arguments.second_named("stream");
    const bool has_stream = stream != nullptr && PyObject_TypeCheck(stream, object_types().stream) != 0;
    const Pattern pattern = has_stream ? Pattern::of(values[0]) : Pattern{0, 0};
    if (pattern.size == 0) return call_method(self, "_fill", arguments);
    cuprum_stream in = nullptr;
    cuprum_buffer filled = nullptr;
    if (!open_handle(stream, "filling a buffer", in) || !open_handle(self, "filling a buffer", filled)) return nullptr;
    return none_or_error(cuprum_buffer_fill(filled, pattern.value, pattern.size, in));
}

inline PyObject* buffer_copy_from(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    const Arguments arguments{values, count, names};
    PyObject* const stream = arguments.second_named("stream");
    const bool is_usual = stream != nullptr && PyObject_TypeCheck(stream, object_types().stream) != 0 &&
                          PyObject_TypeCheck(values[0], object_types().buffer) != 0;
    const auto size_of = [](PyObject* buffer) { return reinterpret_cast<BufferObject*>(buffer)->size; };
    if (!is_usual || size_of(self) != size_of(values[0])) return call_method(self, "_copy_from", arguments);
    cuprum_stream in = nullptr;
    cuprum_buffer destination = nullptr;
    cuprum_buffer source = nullptr;
    if (!open_handle(stream, "copying between buffers", in) ||
        !open_handle(self, "copying between buffers", destination) ||
        !open_handle(values[0], "copying between buffers", source)) {
        return nullptr;
    }
    PyThreadState* const thread = PyEval_SaveThread();
    const cuprum_status status = cuprum_buffer_copy(destination, 0, source, 0, size_of(self), in);
    PyEval_RestoreThread(thread);
    return none_or_error(status);
}

inline PyObject* buffer_size(PyObject* self, void* /*operation*/) {
    return PyLong_FromUnsignedLongLong(reinterpret_cast<BufferObject*>(self)->size);
}

inline PyGetSetDef attribute(const char* name, getter get, const char* text, const char* operation) {
    return {name, get, nullptr, text, const_cast<char*>(operation)};
}
inline PyMethodDef method(const char* name, PyCFunction function, const char* text) {
    return {name, function, METH_NOARGS, text};
}
inline PyMethodDef method(const char* name, PyObject* (*function)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*),
                          const char* text) {
    return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)), METH_FASTCALL | METH_KEYWORDS,
            text};
}

// Adds them to a class. False with a Python error.
template <size_t AttributeCount, size_t MethodCount>
bool add_to_class(PyTypeObject* type, PyGetSetDef (&attributes)[AttributeCount], PyMethodDef (&methods)[MethodCount]) {
    const auto add = [type](const char* name, PyObject* descriptor) {
        const bool is_added =
            descriptor != nullptr && PyObject_SetAttrString(reinterpret_cast<PyObject*>(type), name, descriptor) == 0;
        Py_XDECREF(descriptor);
        return is_added;
    };
    for (PyGetSetDef& one : attributes) {
        if (!add(one.name, PyDescr_NewGetSet(type, &one))) return false;
    }
    for (PyMethodDef& one : methods) {
        if (!add(one.ml_name, PyDescr_NewMethod(type, &one))) return false;
    }
    return true;
}

inline bool add_stream_methods(PyTypeObject* type) {
    static PyGetSetDef attributes[] = {attribute("handle", get_native<cuprum_stream_native>,
                                                 "The ``CUstream``, as an integer.", "asking for a stream's handle"),
                                       attribute("is_nonblocking", get_truth<cuprum_stream_is_nonblocking>,
                                                 "Does not wait for the legacy default stream, nor that for it.",
                                                 "asking whether a stream is nonblocking"),
                                       attribute("priority", get_number<cuprum_stream_priority>,
                                                 "Lower numbers go first.", "asking for a stream's priority"),
                                       attribute("is_done", stream_is_done, "All work so far has finished.",
                                                 "asking whether a stream's work is done")};
    static PyMethodDef methods[] = {
        method("sync", stream_sync,
               "sync($self, /)\n--\n\nWaits for all work so far. DeviceFault when a kernel in it failed."),
        method("synchronize", stream_sync, "synchronize($self, /)\n--\n\nThe same as sync()."),
        method("_wait_for_work", stream_wait_for_work, "_wait_for_work($self, /)\n--\n\nsync() without more."),
        method("record", stream_record,
               "record($self, /, event=None, options=None)\n--\n\n"
               "Puts an event behind all work so far; makes one when none is given."),
        method("wait", stream_wait,
               "wait($self, /, event_or_stream)\n--\n\n"
               "Later work in this stream waits for the event, or for all work so far in the other stream.")};
    return add_to_class(type, attributes, methods);
}

inline bool add_event_methods(PyTypeObject* type) {
    static PyGetSetDef attributes[] = {
        attribute("handle", get_native<cuprum_event_native>, "The ``CUevent``, as an integer.",
                  "asking for an event's handle"),
        attribute("is_done", get_truth<cuprum_event_is_done>, "All work before the event has finished.",
                  "asking whether an event has happened")};
    static PyMethodDef methods[] = {
        method("sync", event_sync, "sync($self, /)\n--\n\nWaits until all work before the event has finished."),
        method("synchronize", event_sync, "synchronize($self, /)\n--\n\nThe same as sync().")};
    return add_to_class(type, attributes, methods);
}

inline bool add_buffer_methods(PyTypeObject* type) {
    static PyGetSetDef attributes[] = {
        attribute("handle", get_native<cuprum_buffer_native>, "The device address.", "asking for a buffer's address"),
        attribute("size", buffer_size, "Bytes.", nullptr),
        attribute("device_id", get_number<cuprum_buffer_device>, "The ordinal of the device.",
                  "asking for a buffer's device")};
    static PyMethodDef methods[] = {
        method("fill", buffer_fill,
               "fill($self, /, value, *, stream)\n--\n\n"
               "Fills the buffer with a byte (0 to 255), or with a pattern of 1, 2 or 4 bytes."),
        method("copy_from", buffer_copy_from,
               "copy_from($self, /, src, *, stream)\n--\n\nCopies from another buffer of the same size.")};
    return add_to_class(type, attributes, methods);
}

// The class decorator with_hot_methods: adds them to the class itself, not to a base, because Python calls a method
// sooner when the object is exactly of the class that has it.
inline PyObject* with_hot_methods(PyObject* /*module*/, PyObject* given) {
    auto* const type = reinterpret_cast<PyTypeObject*>(given);
    const ObjectTypes& types = object_types();
    const auto derives_from = [&](PyTypeObject* base) { return PyType_IsSubtype(type, base) != 0; };
    bool is_added = PyType_Check(given) != 0;
    if (!is_added) {
        PyErr_SetString(PyExc_TypeError, "with_hot_methods takes a class");
    } else if (derives_from(types.stream)) {
        is_added = add_stream_methods(type);
    } else if (derives_from(types.event)) {
        is_added = add_event_methods(type);
    } else if (derives_from(types.buffer)) {
        is_added = add_buffer_methods(type);
    }
    if (!is_added) return nullptr;
    Py_INCREF(given);
    return given;
}

// Adds the types of the objects and the decorator to the module, which has `Handle`. False with a Python error.
inline bool add_hot_methods(PyObject* module) {
    static PyMemberDef stream_members[] = {
        {"_has_copies", T_BOOL, offsetof(StreamObject, has_copies), 0, "Whether _in_flight may have something."},
        {nullptr, 0, 0, 0, nullptr}};
    static PyMemberDef buffer_members[] = {{"_size", T_ULONGLONG, offsetof(BufferObject, size), 0, "Bytes."},
                                           {nullptr, 0, 0, 0, nullptr}};
    static PyType_Slot no_slots[] = {{0, nullptr}};
    static PyType_Slot stream_slots[] = {{Py_tp_members, stream_members}, {0, nullptr}};
    static PyType_Slot buffer_slots[] = {{Py_tp_members, buffer_members}, {0, nullptr}};
    static PyType_Spec stream{"cuprum._cuprum.StreamHandle", sizeof(StreamObject), 0, base_type_flags, stream_slots};
    static PyType_Spec event{"cuprum._cuprum.EventHandle", sizeof(HandleObject), 0, base_type_flags, no_slots};
    static PyType_Spec buffer{"cuprum._cuprum.BufferHandle", sizeof(BufferObject), 0, base_type_flags, buffer_slots};
    static PyType_Spec kernel{"cuprum._cuprum.KernelHandle", sizeof(KernelObject), 0, base_type_flags, no_slots};
    static PyMethodDef decorator[] = {{"with_hot_methods", with_hot_methods, METH_O, "Class decorator."},
                                      {nullptr, nullptr, 0, nullptr}};
    ObjectTypes& types = object_types();
    const auto add = [&](PyTypeObject*& type, const char* name, PyType_Spec& specification) {
        type = add_type(module, name, specification, types.handle);
        return type != nullptr;
    };
    return add(types.stream, "StreamHandle", stream) && add(types.event, "EventHandle", event) &&
           add(types.buffer, "BufferHandle", buffer) && add(types.kernel, "KernelHandle", kernel) &&
           PyModule_AddFunctions(module, decorator) == 0 && add_waits(module);
}

}  // namespace cuprum_python
