// AlgorithmHandle, the type in C that cuprum.parallel's algorithms derive from: a call that is like one before goes to
// the C ABI at once.
//
// Python code (`_call`, each class's own) says what a call means: it checks the arguments, and what it gives to the C
// ABI depends on nothing but them. So that is remembered beside what decided it: of each argument that is an array
// where its elements lie, how many and of which type they are; of values in host memory their bytes; of every other one
// the object, which is immutable. The arrays are asked each time, since one that was seen before may have been given
// other memory; they are not kept. A call is answered from there only if all of it is as it was; the stream waits for
// the work that an array's library has in flight each time. Every other call takes the way over Python.
#pragma once

#include <Python.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithm_calls.hpp"
#include "array_view.hpp"
#include "bound_call.hpp"
#include "current_device.hpp"
#include "handle_members.hpp"
#include "host_function.hpp"
#include "reference.hpp"
#include "stream_handle.hpp"

namespace cuprum_python {

// A value in host memory, as NumPy has it: its bytes.
struct HostValue {
    Reference type, dtype;
    std::string bytes;

    bool is_like(const HostValue& other) const {
        return type.get() == other.type.get() && dtype.get() == other.dtype.get() && bytes == other.bytes;
    }
};
inline std::optional<HostValue> read_value(PyObject* object) {
    static PyObject* const dtype = interned("dtype");
    constexpr Py_ssize_t most = 256;
    if (PyObject_CheckBuffer(object) == 0) return std::nullopt;
    HostValue value{Reference::to(reinterpret_cast<PyObject*>(Py_TYPE(object))), attribute_of(object, dtype), {}};
    Py_buffer memory;
    if (!value.dtype || PyObject_GetBuffer(object, &memory, PyBUF_SIMPLE) != 0) {
        PyErr_Clear();
        return std::nullopt;
    }
    const bool is_small = memory.len <= most;
    if (is_small) value.bytes.assign(static_cast<const char*>(memory.buf), static_cast<size_t>(memory.len));
    PyBuffer_Release(&memory);
    return is_small ? std::optional(std::move(value)) : std::nullopt;
}

// What a call gave to the C ABI, and what has decided that.
struct RememberedCall {
    struct Argument {
        Reference name;
        Reference object;                // what is no array
        std::optional<HostValue> value;  // of one in host memory
        ArrayView view;                  // of one on a device
    };
    std::vector<Argument> arguments;
    Reference function, values;  // values: a tuple
    BoundCall bound;             // the same without Python's objects; empty for functions that cannot be bound
    Reference kept;              // what the values are handles of
    Reference result;

    // Makes the call. False with a Python error. Asynchronous, as a launch is, and like one it keeps the GIL.
    bool run() const {
        if (!bound) return static_cast<bool>(Reference(PyObject_Call(function.get(), values.get(), nullptr)));
        cuprum_status status = CUPRUM_SUCCESS;
        {
            const WithoutGilWhilePending released;
            status = bound();
        }
        if (status != CUPRUM_SUCCESS) raise_last_error(status);
        return status == CUPRUM_SUCCESS;
    }
    int32_t device = -1;  // the current one, where no stream was given
};

// Of one algorithm; calls on other threads use it, too, while it is closed.
struct RememberedCalls {
    static constexpr size_t most = 4;
    std::array<std::shared_ptr<const RememberedCall>, most> calls;
    size_t next = 0;
};

// Has the layout of a Handle, so that it can be a base beside Owner. Its `number` is a
// std::shared_ptr<RememberedCalls>*, null before the first call and after the end.
struct AlgorithmObject {
    HandleObject owner;
    static inline PyTypeObject* type = nullptr;
    static PyMemberDef members[];
    static PyGetSetDef attributes[];
    static PyMethodDef methods[];
    static const PyType_Slot* const more_slots;
};
static_assert(sizeof(AlgorithmObject) == sizeof(HandleObject));
using SharedCalls = std::shared_ptr<RememberedCalls>;
inline SharedCalls* calls_of(PyObject* self) {
    return reinterpret_cast<SharedCalls*>(static_cast<uintptr_t>(as<HandleObject>(self).number));
}

// What `run` was given on this thread since the last call began.
struct LastRun {
    Reference function, values, kept;
};
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

// Immutable, or a stream or operator, which keep no elements alive as an iterator does.
inline bool can_be_remembered(PyObject* object) {
    if (object == Py_None || PyBool_Check(object) != 0 || PyLong_CheckExact(object) != 0 ||
        PyFloat_CheckExact(object) != 0 || PyComplex_CheckExact(object) != 0) {
        return true;
    }
    if (is_a<StreamObject>(object)) return true;
    return is_type(Py_TYPE(object), "cuprum.parallel._operators", "Operator") ||
           is_type(Py_TYPE(object), "cuprum.parallel._algorithm", "_Pool");
}
inline bool is_closed(PyObject* object) {
    return is_a<HandleObject>(object) && !is_a<StreamObject>(object) && as<HandleObject>(object).native == 0;
}

// Whether an array's work is ordered before a stream's without a wait.
inline bool is_ordered(const ArrayView& view, PyObject* stream) {
    if (!view.has_producer) return true;
    constexpr uint64_t legacy = 1;  // CU_STREAM_LEGACY
    uint64_t own = 0;
    if (stream != nullptr && stream != Py_None) {
        static PyObject* const handle = interned("handle");
        if (!read_number(attribute_of(stream, handle), own)) return false;
    }
    return own == view.producer || (own == 0 && view.producer == legacy);
}

// Streams of other libraries that a call has to wait for, by their handles.
class Producers {
public:
    // False where there are too many.
    bool add(uint64_t handle) {
        for (size_t i = 0; i < count_; ++i) {
            if (handles_[i] == handle) return true;
        }
        if (count_ == handles_.size()) return false;
        handles_[count_++] = handle;
        return true;
    }
    bool is_empty() const { return count_ == 0; }
    // Makes the stream wait for the work so far in each. False with a Python error.
    bool wait_in(PyObject* stream) const {
        if (is_empty()) return true;
        int32_t device = 0;
        if (!current_device(device)) return false;
        for (size_t i = 0; i < count_; ++i) {
            cuprum_stream producer = nullptr;
            cuprum_status status = cuprum_stream_from_native(&producer, device, handles_[i]);
            if (status == CUPRUM_SUCCESS)
                status = cuprum_stream_wait_stream(handle_of<cuprum_stream>(stream), producer);
            if (status != CUPRUM_SUCCESS) raise_last_error(status);
            if (producer != nullptr) cuprum_stream_destroy(producer);
            if (status != CUPRUM_SUCCESS) return false;
        }
        return true;
    }

private:
    std::array<uint64_t, 4> handles_{};
    size_t count_ = 0;
};

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

inline PyObject* given_stream(PyObject* named) {
    static PyObject* const name = interned("stream");
    return PyDict_GetItemWithError(named, name);
}

// Numbers that are made anew for each call.
inline bool is_same_number(PyObject* left, PyObject* right) {
    if (PyLong_CheckExact(left) != 0 && PyLong_CheckExact(right) != 0)
        return PyObject_RichCompareBool(left, right, Py_EQ) == 1;
    if (PyFloat_CheckExact(left) == 0 || PyFloat_CheckExact(right) == 0) return false;
    return std::bit_cast<uint64_t>(PyFloat_AsDouble(left)) == std::bit_cast<uint64_t>(PyFloat_AsDouble(right));
}

// Whether the call is as it was, with its arguments in the same order, as those of a line of a program are.
inline bool is_like(const RememberedCall& call, PyObject* named, PyObject* stream, int32_t device,
                    Producers& producers) {
    if (call.device != device || PyDict_Size(named) != static_cast<Py_ssize_t>(call.arguments.size())) return false;
    Py_ssize_t at = 0;
    for (const RememberedCall::Argument& each : call.arguments) {
        PyObject *name = nullptr, *given = nullptr;
        if (PyDict_Next(named, &at, &name, &given) == 0) return false;
        if (name != each.name.get() && PyUnicode_Compare(name, each.name.get()) != 0) return false;
        if (each.object) {
            if (given == each.object.get()) {
                if (is_closed(given)) return false;
                continue;
            }
            if (!is_same_number(given, each.object.get())) return false;
            continue;
        }
        if (each.value) {
            const std::optional<HostValue> value = read_value(given);
            if (!value || !value->is_like(*each.value)) return false;
            continue;
        }
        ArrayView view;
        const ArrayKind kind = kind_of_array(given);
        if (kind == ArrayKind::none || !read_array(given, kind, view)) return false;
        if (!view.is_like(each.view)) return false;
        if (!is_ordered(view, stream) && !producers.add(view.producer)) return false;
    }
    return true;
}

// Empty where the function is none that can be bound.
inline BoundCall bind_algorithm_call(PyObject* function, PyObject* values) {
    static PyObject* const name_of = interned("__name__");
    if (PyCFunction_CheckExact(function) == 0) return nullptr;
    const Reference name = attribute_of(function, name_of);
    if (!name || PyUnicode_Check(name.get()) == 0) return nullptr;
    const auto* const found = std::ranges::find_if(algorithm_calls, [&](const BindableFunction& each) {
        return PyUnicode_CompareWithASCIIString(name.get(), each.name) == 0;
    });
    return found == std::end(algorithm_calls) ? nullptr : found->bind(values);
}

// Remembers what the call that has just returned has run, where that can be.
inline void remember(PyObject* self, PyObject* named, int32_t device, PyObject* result) {
    static PyObject* const on_host = interned("_on_host");
    LastRun run = std::exchange(last_run(), LastRun{});
    // On the host's cores NumPy's arrays are where the elements lie, and not values.
    if (!run.function || is_true(self, on_host)) return;
    RememberedCall call;
    Py_ssize_t at = 0;
    PyObject *name = nullptr, *given = nullptr;
    while (PyDict_Next(named, &at, &name, &given) != 0) {
        RememberedCall::Argument argument;
        argument.name = Reference::to(name);
        if (can_be_remembered(given)) {
            argument.object = Reference::to(given);
        } else if (const ArrayKind kind = kind_of_array(given); kind != ArrayKind::none) {
            if (!read_array(given, kind, argument.view)) return;
        } else {
            argument.value = read_value(given);
            if (!argument.value) return;
        }
        call.arguments.push_back(std::move(argument));
    }
    call.bound = bind_algorithm_call(run.function.get(), run.values.get());
    call.function = std::move(run.function);
    call.values = std::move(run.values);
    call.kept = std::move(run.kept);
    call.result = Reference::to(result);
    call.device = device;
    auto& object = as<HandleObject>(self);
    if (object.native == 0) return;  // closed meanwhile
    if (object.number == 0) object.number = reinterpret_cast<uintptr_t>(new SharedCalls(new RememberedCalls));
    const SharedCalls known = *calls_of(self);
    // What was there goes when `known` is as it is to be: that may run Python code.
    const auto former = std::exchange(known->calls[known->next++ % RememberedCalls::most],
                                      std::make_shared<const RememberedCall>(std::move(call)));
}

inline PyObject* call_algorithm(PyObject* self, PyObject* positional, PyObject* named) {
    static PyObject* const in_python = interned("_call");
    PyObject* const stream = named == nullptr ? nullptr : given_stream(named);
    int32_t device = -1;
    const bool may_be_known = named != nullptr && PyTuple_Size(positional) == 0 && as<HandleObject>(self).native != 0 &&
                              read_stream(stream, device);
    if (may_be_known && calls_of(self) != nullptr) {
        const SharedCalls known = *calls_of(self);
        for (const auto& each : known->calls) {
            const std::shared_ptr<const RememberedCall> call = each;  // other threads may replace it
            Producers producers;
            if (call == nullptr || !is_like(*call, named, stream, device, producers)) continue;
            if (!producers.is_empty() && device >= 0) break;  // Python knows the default stream's handle
            if (!producers.wait_in(stream)) return nullptr;
            if (!call->run()) return nullptr;
            Py_INCREF(call->result.get());
            return call->result.get();
        }
    }
    last_run() = {};
    const Reference method(PyObject_GetAttr(self, in_python));
    if (!method) return nullptr;
    PyObject* const result = PyObject_Call(method.get(), positional, named);
    if (result != nullptr && may_be_known) remember(self, named, device, result);
    return result;
}

// _forget_calls(): at the end.
inline PyObject* forget_calls(PyObject* self, PyObject* /*unused*/) {
    SharedCalls* const calls = calls_of(self);
    as<HandleObject>(self).number = 0;
    delete calls;
    Py_RETURN_NONE;
}

inline PyMemberDef AlgorithmObject::members[] = {no_more_members};
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
