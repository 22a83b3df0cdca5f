// AlgorithmHandle, the type in C that cuprum.parallel's algorithms derive from: a call that is like one before
// (remembered_call.hpp) goes to the C ABI at once.
//
// Python code (`_call`, each class's own) says what a call means: it checks the arguments, and what it gives to the C
// ABI depends on nothing but them. So that is remembered beside what decided it. A call is answered from there only if
// all of it is as it was; the stream waits for the work that an array's library has in flight each time. Every other
// call takes the way over Python.
#pragma once

#include <Python.h>
#include <structmember.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "handle_members.hpp"
#include "reference.hpp"
#include "remembered_call.hpp"

namespace cuprum_python {

// Of one algorithm, which may be closed while a call of it is under way.
struct RememberedCalls {
    static constexpr size_t most = 4;
    std::array<SharedCall, most> calls;
    size_t next = 0;  // which one goes for a new one
    size_t last = 0;  // which one was used last
};

// A call by vector (PEP 590), which Python 3.12 has in the limited API.
using VectorCall = PyObject* (*)(PyObject* self, PyObject* const* arguments, size_t flagged_count, PyObject* names);
constexpr unsigned has_vector_call = 1U << 11;                              // Py_TPFLAGS_HAVE_VECTORCALL
constexpr size_t arguments_offset = size_t{1} << (8 * sizeof(size_t) - 1);  // PY_VECTORCALL_ARGUMENTS_OFFSET

struct AlgorithmObject {
    HandleObject owner;
    VectorCall call;         // null until there is a call to remember: then Python takes tp_call
    RememberedCalls* calls;  // null before the first call and after the end
    static inline PyTypeObject* type = nullptr;
    static PyMemberDef members[];
    static PyGetSetDef attributes[];
    static PyMethodDef methods[];
    static const PyType_Slot* const more_slots;
    static constexpr unsigned more_flags = has_vector_call;
};

// On this thread, since the last call of an algorithm began.
inline LastRun& last_run() {
    static thread_local auto* const run = new LastRun;  // with the thread's last Python object gone it leaks
    return *run;
}

// run(kept, function, *values): function(*values), and notes it. `kept` is what the handles among the values belong to.
inline PyObject* run_noted(PyObject* /*module*/, PyObject* arguments) {
    const Py_ssize_t count = PyTuple_Size(arguments);
    if (count < 2) {
        PyErr_SetString(PyExc_TypeError, "run(kept, function, *values)");
        return nullptr;
    }
    Reference values(PyTuple_GetSlice(arguments, 2, count));
    if (!values) return nullptr;
    PyObject* const function = PyTuple_GetItem(arguments, 1);
    PyObject* const result = PyObject_Call(function, values.get(), nullptr);
    if (result == nullptr) return nullptr;
    last_run() = {Reference::to(function), std::move(values), Reference::to(PyTuple_GetItem(arguments, 0))};
    return result;
}

// forget_run(): the call does more than what was noted.
inline PyObject* forget_run(PyObject* /*module*/, PyObject* /*unused*/) {
    last_run() = {};
    Py_RETURN_NONE;
}

// A stream that is known, or none: then the current device's. False where Python has to look.
inline bool read_stream(PyObject* stream, int32_t& device) {
    device = -1;
    if (stream != nullptr && stream != Py_None) {
        return is_a<StreamObject>(stream) && as<HandleObject>(stream).native != 0;
    }
    if (current_device(device)) return true;
    PyErr_Clear();
    return false;
}

// Whether the call is like one that is remembered. Then it is made: `result` is its own, null with a Python error.
inline bool answer(PyObject* self, const CallArguments& given, PyObject*& result) {
    if (!given.is_usable() || as<HandleObject>(self).native == 0) return false;
    int32_t current = -1;
    for (size_t i = 0; i < RememberedCalls::most; ++i) {
        // Asked anew each time: an array's own code, which runs between, may have closed the algorithm.
        RememberedCalls* const known = as<AlgorithmObject>(self).calls;
        if (known == nullptr) return false;
        const size_t at = (known->last + i) % RememberedCalls::most;
        const SharedCall call = known->calls[at];
        if (!call || static_cast<int>(given.size()) <= call->stream) continue;
        PyObject* const stream = call->stream < 0 ? nullptr : given.value(static_cast<size_t>(call->stream));
        Producers producers;
        if (!is_like(*call, given, stream, producers)) continue;
        if (call->device >= 0 && current < 0 && !read_stream(nullptr, current)) return false;
        if (call->device >= 0 && call->device != current) continue;
        if (!producers.is_empty() && call->device >= 0) return false;  // Python knows the default stream's handle
        if (as<AlgorithmObject>(self).calls == known) known->last = at;
        const bool is_made = producers.wait_in(stream) && call->run();
        result = is_made ? Reference::to(call->result.get()).release() : nullptr;
        return true;
    }
    return false;
}

PyObject* call_by_vector(PyObject* self, PyObject* const* arguments, size_t flagged_count, PyObject* names);

// Remembers what the call that has just returned has run, where that can be.
inline void remember(PyObject* self, const CallArguments& given, PyObject* result) {
    static PyObject* const on_host = interned("_on_host");
    LastRun run = std::exchange(last_run(), LastRun{});
    // On the host's cores NumPy's arrays are where the elements lie, and not values.
    if (!run.function || is_true(self, on_host)) return;
    static PyObject* const name = interned("stream");
    const int stream = given.find(name);
    int32_t device = -1;
    if (!read_stream(stream < 0 ? nullptr : given.value(static_cast<size_t>(stream)), device)) return;
    SharedCall call = remembered(given, std::move(run), stream, device, result);
    auto& object = as<AlgorithmObject>(self);
    if (!call || object.owner.native == 0) return;  // closed meanwhile
    if (object.calls == nullptr) object.calls = new RememberedCalls;
    RememberedCalls& known = *object.calls;
    known.last = known.next;
    known.next = (known.next + 1) % RememberedCalls::most;
    object.call = call_by_vector;
    // What was there goes at the end, when `known` is as it is to be: that may run Python code.
    std::swap(known.calls[known.last], call);
}

// The way over Python.
inline PyObject* call_in_python(PyObject* self, PyObject* positional, PyObject* named, const CallArguments& given) {
    static PyObject* const in_python = interned("_call");
    last_run() = {};
    const Reference method(PyObject_GetAttr(self, in_python));
    if (!method) return nullptr;
    PyObject* const result = PyObject_Call(method.get(), positional, named);
    if (result != nullptr && given.is_usable()) remember(self, given, result);
    return result;
}

inline PyObject* call_algorithm(PyObject* self, PyObject* positional, PyObject* named) {
    const CallArguments given(PyTuple_Size(positional), named);
    PyObject* result = nullptr;
    return answer(self, given, result) ? result : call_in_python(self, positional, named, given);
}

inline PyObject* call_by_vector(PyObject* self, PyObject* const* arguments, size_t flagged_count, PyObject* names) {
    const auto count = static_cast<Py_ssize_t>(flagged_count & ~arguments_offset);
    const CallArguments given(count, names, arguments + count);
    PyObject* result = nullptr;
    if (answer(self, given, result)) return result;
    const Reference positional(PyTuple_New(count)), named(PyDict_New());
    if (!positional || !named) return nullptr;
    for (Py_ssize_t i = 0; i < count; ++i) {
        Py_INCREF(arguments[i]);
        PyTuple_SetItem(positional.get(), i, arguments[i]);
    }
    for (size_t i = 0; i < given.size(); ++i) {
        if (PyDict_SetItem(named.get(), given.name(i), given.value(i)) != 0) return nullptr;
    }
    return call_in_python(self, positional.get(), named.get(), given);
}

// _forget_calls(): at the end.
inline PyObject* forget_calls(PyObject* self, PyObject* /*unused*/) {
    delete std::exchange(as<AlgorithmObject>(self).calls, nullptr);
    Py_RETURN_NONE;
}

inline PyMemberDef AlgorithmObject::members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(AlgorithmObject, call), READONLY, nullptr}, no_more_members};
inline PyGetSetDef AlgorithmObject::attributes[] = {no_more_attributes};
inline PyMethodDef AlgorithmObject::methods[] = {
    method("_forget_calls", forget_calls, "Forgets the calls that it remembers."), no_more_methods};
inline const PyType_Slot algorithm_slots[] = {{Py_tp_call, reinterpret_cast<void*>(call_algorithm)}, {0, nullptr}};
inline const PyType_Slot* const AlgorithmObject::more_slots = algorithm_slots;

// Adds the type and its functions to the module. False with a Python error.
inline bool add_algorithm_type(PyObject* module) {
    static PyMethodDef functions[] = {
        {"run", run_noted, METH_VARARGS, "Calls a function of the C ABI, and notes the call."},
        {"forget_run", forget_run, METH_NOARGS, "Forgets the note: the call does more than that."},
        {nullptr, nullptr, 0, nullptr}};
    return add_handle_subtype<AlgorithmObject>(module, "AlgorithmHandle", "cuprum._cuprum.AlgorithmHandle") &&
           PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace cuprum_python
