// One call of a library's function: what Python passes becomes what C takes, and what C gives back what Python gets.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "frame.hpp"
#include "instance.hpp"
#include "reference.hpp"
#include "tables.hpp"
#include "values.hpp"

namespace cuprum::python {

/// What calls `function`. Null with an exception set.
cuprum_bindings_invoke invoke_of(Function& function);

/// One call: its arguments as Python gave them, and as C takes them.
class Call {
public:
    explicit Call(Function& function) noexcept : function_(function) {}
    ~Call() {
        for (std::size_t i = 0; i < made_count_; ++i) {
            Py_DECREF(made_[i].object);
        }
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    PyObject* in_order_of_python(PyObject* const* arguments, std::size_t count) {
        const std::span<const std::int8_t> positions = function_.arguments;
        const std::size_t parameters = function_.parameters.size();
        for (std::size_t i = 0; i < parameters; ++i) {
            given_[i] = nullptr;
        }
        for (std::size_t i = 0; i < count; ++i) {
            given_[static_cast<std::size_t>(positions[i])] = arguments[i];
        }
        return run();
    }

    PyObject* in_order_of_c(PyObject* const* arguments) {
        is_c_order_ = true;
        std::copy_n(arguments, function_.parameters.size(), given_.begin());
        return run();
    }

private:
    PyObject* run();

    Place place(std::size_t i) const { return {function_.name, ": ", function_.parameters[i].name}; }

    static std::uint64_t slot_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

    // A handle or structure that the call fills in, and that is then returned or dropped.
    PyObject* make(std::size_t parameter, Type& type);

    static constexpr std::size_t attribute_bytes = 1024;

    // --- before the call: call_arguments.cpp

    bool prepare(std::size_t i);
    // What can be judged once all arguments are known: no NULL where the library writes, as many elements as are
    // counted.
    bool check();
    bool check_count(std::size_t i);
    static bool class_of_if_any(Type& type);
    std::size_t kernel_position() const;
    // Memory that the call writes to, of which nothing is passed from Python.
    bool prepare_result(std::size_t i);
    // How many elements an array has that is returned.
    bool count_of(std::size_t i, std::size_t& count);
    bool attribute_of(std::size_t i, PyObject* object, const Attribute*& found);
    bool prepare_attribute(std::size_t i);
    bool array_bytes(PyObject* object);
    // An array of places, one for each of the attributes that the partner lists.
    bool prepare_attributes(std::size_t i);
    // In C's order: memory of the caller's that the call writes to.
    bool prepare_place(std::size_t i);
    bool prepare_in_out(std::size_t i);
    bool prepare_buffer(std::size_t i);
    bool prepare_function(std::size_t i);
    bool prepare_user_data(std::size_t i);
    bool prepare_by_attribute(std::size_t i);
    // Values that the library takes as if they were pointers.
    static bool option_value(PyObject* object, std::uint64_t& value, Frame& frame, const Place& where);
    static bool option_values_of(PyObject* object, std::uint64_t& address, Frame& frame, const Place& where);

    // --- after the call: call_results.cpp

    PyObject* collect(std::uint64_t result);
    // Structures in a list that the call has read and written.
    void copy_back();
    static bool is_returned(Passing passing);
    // What was made for a parameter, with its reference.
    PyObject* take_made(std::size_t parameter);
    static PyObject* text_at(std::uint64_t address);
    PyObject* value_of(std::size_t i);
    PyObject* elements(std::size_t i);
    PyObject* attribute_value(std::size_t i);
    PyObject* attribute_values(std::size_t i);

    struct Made {
        std::size_t parameter;
        PyObject* object;
    };

    Function& function_;
    bool is_c_order_ = false;
    std::size_t made_count_ = 0;
    std::size_t capacity_ = 0;
    Reference buffer_;
    // By the parameter's position. Only what a call needs is ever written.
    std::array<PyObject*, max_parameters> given_;
    std::array<std::uint64_t, max_parameters> slots_;
    std::array<std::uint64_t, max_parameters> values_;
    std::array<Made, max_parameters + 1> made_;
    Frame frame_;
};

}  // namespace cuprum::python
