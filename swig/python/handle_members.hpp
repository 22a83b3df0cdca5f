// What the types of handles are made of: attributes that one call of the C ABI answers, methods, and waits.
//
// Their methods do what is usual, with the handles read from the objects; every other case they leave to the Python
// method of the same name with an underscore, which converts what it is given or says what is wrong.
#pragma once

#include <Python.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "call.hpp"
#include "errors.hpp"
#include "handle.hpp"
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
    HandleObject& object = as<HandleObject>(self);
    if (object.native == 0 || object.number == 0) {
        uint64_t answer = 0;
        if (!ask(question, self, static_cast<const char*>(operation), answer)) return nullptr;
        if (object.native == 0) return PyLong_FromUnsignedLongLong(answer);  // a default stream's depends on the device
        object.number = answer;
    }
    return PyLong_FromUnsignedLongLong(object.number);
}

// CUDA's handle of an object: the same as long as it is open, but for a default stream's. `unknown_native`
// where the handle is no longer valid: the caller's next call reports it.
template <class Handle>
uint64_t native_of(cuprum_status (*question)(uint64_t*, Handle), PyObject* self, Handle handle) {
    HandleObject& object = as<HandleObject>(self);
    if (object.native != 0 && object.number != 0) return object.number;
    uint64_t answer = 0;
    if (question(&answer, handle) != CUPRUM_SUCCESS) return unknown_native;
    if (object.native != 0) object.number = answer;
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

// close() of streams and events.
template <class Handle, cuprum_status (*destroy)(Handle)>
PyObject* close_asked(PyObject* self, PyObject* /*unused*/) {
    const Handle handle = handle_of<Handle>(self);
    as<HandleObject>(self).native = 0;
    if (handle == nullptr) Py_RETURN_NONE;
    cuprum_status status = CUPRUM_SUCCESS;
    {
        const WithoutGil released;
        status = Asked::destroy(handle, destroy);
    }
    return none_or_error(status);
}

// _make_default(device_id): a new object with the default options.
template <class Handle, class Options, cuprum_status (*create)(Handle*, int32_t, const Options*),
          cuprum_status (*destroy)(Handle)>
PyObject* make_with_defaults(PyObject* type, PyObject* device_id) {
    const long device = PyLong_AsLong(device_id);
    if (device == -1 && PyErr_Occurred() != nullptr) return nullptr;
    Handle handle = nullptr;
    cuprum_status status = CUPRUM_SUCCESS;
    {
        const WithoutGil released;
        status = create(&handle, static_cast<int32_t>(device), nullptr);
    }
    if (status != CUPRUM_SUCCESS) return none_or_error(status);
    PyObject* const made = make_owner(type, handle);
    if (made == nullptr) destroy(handle);
    return made;
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

// __init_subclass__ of a type of handles: a class that derives from it directly gets its attributes and methods as its
// own, but for those that it defines itself. They do the same; but Python calls a method about 15 ns sooner, of some
// 150, where the object is exactly of the class that the method was made for.
template <class Object>
PyObject* own_members(PyObject* given, PyObject* /*unused*/) {
    auto* const type = reinterpret_cast<PyTypeObject*>(given);
    PyObject* const bases = PyObject_GetAttrString(given, "__bases__");
    PyObject* const own = bases == nullptr ? nullptr : PyObject_GetAttrString(given, "__dict__");
    const int is_direct = own == nullptr ? -1 : PySequence_Contains(bases, reinterpret_cast<PyObject*>(Object::type));
    bool is_complete = is_direct >= 0;
    const auto add = [&](const char* name, PyObject* descriptor) {
        is_complete = descriptor != nullptr &&
                      (PyMapping_HasKeyString(own, name) != 0 || PyObject_SetAttrString(given, name, descriptor) == 0);
        Py_XDECREF(descriptor);
    };
    if (is_direct == 1) {
        for (PyGetSetDef* one = Object::attributes; is_complete && one->name != nullptr; ++one) {
            add(one->name, PyDescr_NewGetSet(type, one));
        }
        for (PyMethodDef* one = Object::methods; is_complete && one->ml_name != nullptr; ++one) {
            if ((one->ml_flags & METH_CLASS) == 0) add(one->ml_name, PyDescr_NewMethod(type, one));
        }
    }
    Py_XDECREF(own);
    Py_XDECREF(bases);
    if (!is_complete) return nullptr;
    Py_RETURN_NONE;
}

// A type of handles: `Object` has tables of its members, attributes and methods, each with an end, and may have one of
// further slots, and further flags.
// Adds it to the module, under `name` ("StreamHandle"). False with a Python error.
template <class Object>
bool add_handle_subtype(PyObject* module, const char* name, const char* full_name) {
    std::vector<PyType_Slot> slots{
        {Py_tp_members, Object::members}, {Py_tp_getset, Object::attributes}, {Py_tp_methods, Object::methods}};
    if constexpr (requires { Object::more_slots; }) {
        for (const PyType_Slot* one = Object::more_slots; one->slot != 0; ++one)
            slots.push_back(*one);
    }
    slots.push_back({0, nullptr});
    unsigned flags = base_type_flags;
    if constexpr (requires { Object::more_flags; }) flags |= Object::more_flags;
    PyType_Spec specification{full_name, sizeof(Object), 0, flags, slots.data()};
    Object::type = add_type(module, name, specification, HandleObject::type);
    return Object::type != nullptr;
}

constexpr PyMemberDef no_more_members{nullptr, 0, 0, 0, nullptr};
constexpr PyGetSetDef no_more_attributes{nullptr, nullptr, nullptr, nullptr, nullptr};
constexpr PyMethodDef no_more_methods{nullptr, nullptr, 0, nullptr};

// The last entries of its methods.
template <class Object>
PyMethodDef own_members_of() {
    return {"__init_subclass__", own_members<Object>, METH_NOARGS | METH_CLASS,
            "Gives a class that derives from this one its attributes and methods as its own, which is faster."};
}

}  // namespace cuprum_python
