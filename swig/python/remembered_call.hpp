// A call of an algorithm that is remembered: what it gave to the C ABI, and what decided that.
//
// Of each argument that is an array that is where its elements lie, how many and of which type they are; of a value in
// host memory its bytes; of every other one the object, which is immutable. Arrays are asked each time, since one that
// was seen before may have been given other memory; they are not kept.
#pragma once

#include <Python.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithm_calls.hpp"
#include "array_view.hpp"
#include "bound_call.hpp"
#include "call_arguments.hpp"
#include "current_device.hpp"
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
        Reference object;                // anything but an array or a value in host memory
        bool is_handle = false;          // the object has a handle, which may be closed
        std::optional<HostValue> value;  // of one in host memory
        ArrayView view;                  // of one on a device
    };
    std::vector<Argument> arguments;
    Reference names;             // of the arguments, as a tuple, where Python gave one
    int stream = -1;             // which argument is the stream; -1: none was given
    int32_t device = -1;         // the current one, where none was
    Reference function, values;  // values: a tuple
    BoundCall bound;             // the same without Python's objects; empty for functions that cannot be bound
    Reference kept;              // what the values are handles of
    Reference result;
    size_t owners = 0;  // under the GIL

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
};

// Owns a call together with others: a call that is under way stays when it is forgotten. All of it under the GIL, so
// that the count needs no atomic operation.
class SharedCall {
public:
    SharedCall() = default;
    explicit SharedCall(RememberedCall call) : call_(new RememberedCall(std::move(call))) { call_->owners = 1; }
    SharedCall(const SharedCall& other) : call_(other.call_) {
        if (call_ != nullptr) ++call_->owners;
    }
    SharedCall(SharedCall&& other) noexcept : call_(std::exchange(other.call_, nullptr)) {}
    SharedCall& operator=(SharedCall other) noexcept {
        std::swap(call_, other.call_);
        return *this;
    }
    ~SharedCall() {
        if (call_ != nullptr && --call_->owners == 0) delete call_;
    }
    explicit operator bool() const { return call_ != nullptr; }
    const RememberedCall& operator*() const { return *call_; }
    const RememberedCall* operator->() const { return call_; }

private:
    RememberedCall* call_ = nullptr;
};

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

// Numbers that are made anew for each call.
inline bool is_same_number(PyObject* left, PyObject* right) {
    if (PyLong_CheckExact(left) != 0 && PyLong_CheckExact(right) != 0)
        return PyObject_RichCompareBool(left, right, Py_EQ) == 1;
    if (PyFloat_CheckExact(left) == 0 || PyFloat_CheckExact(right) == 0) return false;
    return std::bit_cast<uint64_t>(PyFloat_AsDouble(left)) == std::bit_cast<uint64_t>(PyFloat_AsDouble(right));
}

// Whether what a call gets is what it got; adds whose work it has to wait for.
inline bool is_like(const RememberedCall::Argument& argument, PyObject* given, PyObject* stream, Producers& producers) {
    if (argument.object) {
        if (given != argument.object.get()) return is_same_number(given, argument.object.get());
        return !argument.is_handle || as<HandleObject>(given).native != 0;
    }
    if (argument.value) {
        const std::optional<HostValue> value = read_value(given);
        return value && value->is_like(*argument.value);
    }
    ArrayView view;
    const ArrayKind kind = kind_of_array(given);
    return kind != ArrayKind::none && read_array(given, kind, view) && view.is_like(argument.view) &&
           (is_ordered(view, stream) || producers.add(view.producer));
}

// Whether the call is as it was, with its arguments in the same order, as those of a line of a program are.
inline bool is_like(const RememberedCall& call, const CallArguments& given, PyObject* stream, Producers& producers) {
    if (given.size() != call.arguments.size()) return false;
    if (given.names() == nullptr || given.names() != call.names.get()) {
        for (size_t i = 0; i < given.size(); ++i) {
            PyObject *const name = given.name(i), *const former = call.arguments[i].name.get();
            if (name != former && PyUnicode_Compare(name, former) != 0) return false;
        }
    }
    for (size_t i = 0; i < given.size(); ++i) {
        if (!is_like(call.arguments[i], given.value(i), stream, producers)) return false;
    }
    return true;
}

// What a call of an algorithm has run: `function(*values)`. `kept` is what the handles among the values belong to.
struct LastRun {
    Reference function, values, kept;
};

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

// What the call that has just returned was given and has run; nothing where that cannot be remembered.
inline SharedCall remembered(const CallArguments& given, LastRun run, int stream, int32_t device, PyObject* result) {
    RememberedCall call;
    for (size_t i = 0; i < given.size(); ++i) {
        RememberedCall::Argument argument;
        PyObject* const value = given.value(i);
        argument.name = Reference::to(given.name(i));
        if (can_be_remembered(value)) {
            argument.object = Reference::to(value);
            argument.is_handle = is_a<HandleObject>(value);
        } else if (const ArrayKind kind = kind_of_array(value); kind != ArrayKind::none) {
            if (!read_array(value, kind, argument.view)) return {};
        } else {
            argument.value = read_value(value);
            if (!argument.value) return {};
        }
        call.arguments.push_back(std::move(argument));
    }
    call.names = Reference::to(given.names());
    call.stream = stream;
    call.device = device;
    call.bound = bind_algorithm_call(run.function.get(), run.values.get());
    call.function = std::move(run.function);
    call.values = std::move(run.values);
    call.kept = std::move(run.kept);
    call.result = Reference::to(result);
    return SharedCall(std::move(call));
}

}  // namespace cuprum_python
