#include "call.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "callbacks.hpp"
#include "cuprum/capi/base.h"
#include "cuprum/capi/bindings.h"
#include "frame.hpp"
#include "instance.hpp"
#include "kernel_arguments.hpp"
#include "reference.hpp"
#include "values.hpp"

namespace cuprum::python {

namespace {

/// What calls `function`. Null with an exception set.
cuprum_bindings_invoke invoke_of(Function& function) {
    cuprum_bindings_invoke invoke = function.invoke.load(std::memory_order_relaxed);
    if (invoke == nullptr) {
        cuprum_bindings_function found{};
        found.struct_size = sizeof found;
        if (cuprum_bindings_find(&found, libraries()[function.library].name, function.name) != CUPRUM_SUCCESS) {
            cuprum_error_info info{};
            info.struct_size = sizeof info;
            cuprum_error_last(&info);
            PyErr_SetString(PyExc_SystemError, info.message);
            return nullptr;
        }
        invoke = found.invoke;
        function.invoke.store(invoke, std::memory_order_relaxed);
    }
    return invoke;
}

std::size_t size_of_kernel_parameter(std::uint64_t kernel, std::size_t index) {
    static Function* const info = find_function(driver_library, "cuFuncGetParamInfo");
    const cuprum_bindings_invoke invoke = info != nullptr ? invoke_of(*info) : nullptr;
    if (invoke == nullptr) {
        PyErr_Clear();
        return 0;
    }
    std::size_t offset = 0;
    std::size_t size = 0;
    const std::uint64_t slots[] = {kernel, index, reinterpret_cast<std::uintptr_t>(&offset),
                                   reinterpret_cast<std::uintptr_t>(&size)};
    std::uint64_t status = 0;
    invoke(slots, &status);
    return status == 0 ? size : 0;
}

// A function of Python's, which a library cannot call: not a handle of a function, not one of ctypes (whose buffer has
// the address).
bool is_python_callable(PyObject* object) {
    return PyCallable_Check(object) != 0 && !is_instance(object) && PyObject_CheckBuffer(object) == 0;
}

const Attribute* find_attribute(const Parameter& parameter, std::int64_t attribute) {
    for (const Attribute& known : parameter.attributes) {
        if (known.attribute == attribute) {
            return &known;
        }
    }
    return nullptr;
}

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
    PyObject* run() {
        for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
            if (!prepare(i)) {
                return nullptr;
            }
        }
        const cuprum_bindings_invoke invoke = invoke_of(function_);
        if (invoke == nullptr) {
            return nullptr;
        }
        std::uint64_t number = 0;
        std::uint64_t* result = &number;
        if (function_.result == Result::structure) {
            PyObject* const structure = make(max_parameters, *function_.structure_type);
            if (structure == nullptr) {
                return nullptr;
            }
            result = reinterpret_cast<std::uint64_t*>(as_instance(structure)->data);
        }
        if (function_.blocking || callbacks_are_pending()) {
            PyThreadState* const state = PyEval_SaveThread();
            invoke(slots_.data(), result);
            PyEval_RestoreThread(state);
        } else {
            invoke(slots_.data(), result);
        }
        return collect(number);
    }

    Place place(std::size_t i) const { return {function_.name, ": ", function_.parameters[i].name}; }

    std::uint64_t slot_of(const void* pointer) const { return reinterpret_cast<std::uintptr_t>(pointer); }

    // A handle or structure that the call fills in, and that is then returned or dropped.
    PyObject* make(std::size_t parameter, Type& type) {
        auto* const object = reinterpret_cast<PyObject*>(new_instance(type));
        if (object != nullptr) {
            made_[made_count_++] = {parameter, object};
        }
        return object;
    }

    // --- before the call ---------------------------------------------------------------------------------------------

    bool prepare(std::size_t i) {
        const Parameter& parameter = function_.parameters[i];
        PyObject* const object = given_[i];
        switch (parameter.passing) {
            case Passing::value:
                slots_[i] = 0;
                return store(*parameter.type, object, &slots_[i], place(i));
            case Passing::structure:
                if (class_of(*parameter.type) == nullptr) {
                    return false;
                }
                if (!is_instance_of(object, *parameter.type)) {
                    return refuse(place(i), (std::string("a ") + parameter.type->name).c_str(), object);
                }
                slots_[i] = slot_of(as_instance(object)->data);
                return true;
            case Passing::address:
                return address_of(object, slots_[i], frame_, place(i));
            case Passing::text:
                return text_of(object, slots_[i], frame_, place(i));
            case Passing::texts:
                return texts_of(object, slots_[i], frame_, place(i));
            case Passing::addresses:
                return addresses_of(object, slots_[i], frame_, place(i));
            case Passing::elements:
                return class_of_if_any(*parameter.type) &&
                       elements_of(*parameter.type, object, slots_[i], frame_, place(i));
            case Passing::kernel_arguments:
                // The kernel is the first parameter, or the one after its configuration.
                return kernel_arguments_of(object, slots_[kernel_position()],
                                           function_.library == driver_library ? &size_of_kernel_parameter : nullptr,
                                           slots_[i], frame_, place(i));
            case Passing::option_values:
                return option_values_of(object, slots_[i], frame_, place(i));
            case Passing::function:
                return prepare_function(i);
            case Passing::user_data:
                return prepare_user_data(i);
            case Passing::by_attribute:
                return prepare_by_attribute(i);
            case Passing::buffer:
                return prepare_buffer(i);
            case Passing::in_out:
            case Passing::in_out_count:
                if (is_c_order_ && parameter.passing == Passing::in_out_count) {
                    return prepare_place(i);
                }
                return prepare_in_out(i);
            case Passing::capacity:
                if (is_c_order_) {
                    return prepare_place(i);
                }
                values_[i] = capacity_;
                slots_[i] = slot_of(&values_[i]);
                return true;
            case Passing::out:
            case Passing::out_text:
            case Passing::out_address:
            case Passing::out_bytes:
            case Passing::out_elements:
            case Passing::out_by_attribute:
            case Passing::out_list_by_attribute:
            case Passing::out_borrowed:
                return is_c_order_ ? prepare_place(i) : prepare_result(i);
        }
        return false;
    }

    static bool class_of_if_any(Type& type) {
        return (type.kind != Kind::handle && type.kind != Kind::structure) || class_of(type) != nullptr;
    }

    std::size_t kernel_position() const {
        const Parameter& first = function_.parameters[0];
        return first.passing == Passing::elements ? 1 : 0;
    }

    // Memory that the call writes to, of which nothing is passed from Python.
    bool prepare_result(std::size_t i) {
        const Parameter& parameter = function_.parameters[i];
        values_[i] = 0;
        slots_[i] = slot_of(&values_[i]);
        switch (parameter.passing) {
            case Passing::out: {
                Type& type = *parameter.type;
                if (type.kind == Kind::handle || type.kind == Kind::structure) {
                    PyObject* const object = make(i, type);
                    if (object == nullptr) {
                        return false;
                    }
                    slots_[i] = slot_of(as_instance(object)->data);
                }
                return true;
            }
            case Passing::out_bytes:
            case Passing::out_elements: {
                std::size_t count = 0;
                if (!count_of(i, count)) {
                    return false;
                }
                values_[i] = count;
                const std::size_t size = parameter.type != nullptr ? parameter.type->size : 1;
                if (count > (std::size_t{1} << 40) / size) {
                    PyErr_Format(PyExc_OverflowError, "%s: %s: %zu elements are too many", function_.name,
                                 parameter.name, count);
                    return false;
                }
                char* const memory = count != 0 ? frame_.take_zeroed(count * size) : nullptr;
                slots_[i] = slot_of(memory);
                return memory != nullptr || count == 0;
            }
            case Passing::out_by_attribute:
                return prepare_attribute(i);
            case Passing::out_list_by_attribute:
                return prepare_attributes(i);
            default:
                return true;
        }
    }

    // How many elements an array has that is returned.
    bool count_of(std::size_t i, std::size_t& count) {
        const Parameter& parameter = function_.parameters[i];
        if (parameter.partner < 0) {
            count = parameter.count;
            return true;
        }
        const auto partner = static_cast<std::size_t>(parameter.partner);
        std::uint64_t value = 0;
        if (given_[partner] != nullptr && !store(types::uint64, given_[partner], &value, place(partner))) {
            return false;
        }
        count = value;
        return true;
    }

    static constexpr std::size_t attribute_bytes = 1024;

    bool attribute_of(std::size_t i, PyObject* object, const Attribute*& found) {
        const Parameter& parameter = function_.parameters[i];
        const auto partner = static_cast<std::size_t>(parameter.partner);
        std::int32_t attribute = 0;
        if (!store(*function_.parameters[partner].type, object, &attribute, place(partner))) {
            return false;
        }
        found = find_attribute(parameter, attribute);
        if (found == nullptr) {
            PyErr_Format(PyExc_TypeError, "%s: the type of attribute %d is not known: pass all arguments in C's order",
                         function_.name, attribute);
        }
        return found != nullptr;
    }

    bool prepare_attribute(std::size_t i) {
        const Attribute* attribute = nullptr;
        if (!attribute_of(i, given_[static_cast<std::size_t>(function_.parameters[i].partner)], attribute)) {
            return false;
        }
        capacity_ = attribute_bytes;
        if (attribute->count == 0 && !array_bytes(given_[static_cast<std::size_t>(function_.arguments[0])])) {
            return false;
        }
        char* const memory = frame_.take_zeroed(std::max(capacity_, attribute_bytes));
        slots_[i] = slot_of(memory);
        return memory != nullptr;
    }

    bool array_bytes(PyObject* object) {
        std::uint64_t bytes = 0;
        if (!store(types::uint64, object, &bytes, {function_.name, ": ", "dataSize"})) {
            return false;
        }
        capacity_ = bytes;
        return true;
    }

    // An array of places, one for each of the attributes that the partner lists.
    bool prepare_attributes(std::size_t i) {
        PyObject* const list = given_[static_cast<std::size_t>(function_.parameters[i].partner)];
        if (!PyList_Check(list) && !PyTuple_Check(list)) {
            return refuse(place(static_cast<std::size_t>(function_.parameters[i].partner)), "a list of attributes",
                          list);
        }
        const auto count = static_cast<std::size_t>(PySequence_Size(list));
        auto* const places = reinterpret_cast<void**>(frame_.take((count + 1) * sizeof(void*)));
        for (std::size_t k = 0; places != nullptr && k < count; ++k) {
            places[k] = frame_.take_zeroed(64);
            if (places[k] == nullptr) {
                return false;
            }
        }
        slots_[i] = slot_of(places);
        return places != nullptr;
    }

    // In C's order: memory of the caller's that the call writes to.
    bool prepare_place(std::size_t i) {
        const Parameter& parameter = function_.parameters[i];
        PyObject* const object = given_[i];
        if (is_instance(object)) {
            Type* const type = parameter.type;
            const Instance& instance = *as_instance(object);
            const bool fits = type == nullptr || instance.type == type ||
                              (type->kind != Kind::handle && type->kind != Kind::structure &&
                               instance.type->kind == Kind::handle && instance.type->size == type->size);
            if (!fits) {
                return refuse(place(i), (std::string("a ") + type->name + " to fill in").c_str(), object);
            }
            slots_[i] = slot_of(instance.data);
            return true;
        }
        if (!address_of(object, slots_[i], frame_, place(i))) {
            return false;
        }
        const bool is_single = parameter.passing == Passing::out || parameter.passing == Passing::out_address ||
                               parameter.passing == Passing::out_text || parameter.passing == Passing::out_borrowed;
        if (slots_[i] == 0 && is_single) {
            // The value is not wanted; that a library allows NULL there is not known.
            const std::size_t size = parameter.type != nullptr ? parameter.type->size : 0;
            char* const memory = frame_.take_zeroed(std::max<std::size_t>(size, 64));
            slots_[i] = slot_of(memory);
            return memory != nullptr;
        }
        if (slots_[i] == 0 && parameter.partner < 0) {
            return refuse(place(i), (std::string("memory to fill in (") + parameter.c_type + ")").c_str(), object);
        }
        return true;
    }

    bool prepare_in_out(std::size_t i) {
        const Parameter& parameter = function_.parameters[i];
        PyObject* const object = given_[i];
        values_[i] = 0;
        slots_[i] = slot_of(&values_[i]);
        if (object == nullptr) {
            return true;
        }
        if (parameter.type->kind == Kind::handle) {
            if (object == Py_None) {
                slots_[i] = 0;
                return true;
            }
            PyObject* const made = make(i, *parameter.type);
            slots_[i] = made != nullptr ? slot_of(as_instance(made)->data) : 0;
            return made != nullptr && store(*parameter.type, object, as_instance(made)->data, place(i));
        }
        return store(*parameter.type, object, &values_[i], place(i));
    }

    bool prepare_buffer(std::size_t i) {
        PyObject* const object = given_[i];
        if (!PyLong_Check(object)) {
            return address_of(object, slots_[i], frame_, place(i));
        }
        const Py_ssize_t bytes = PyLong_AsSsize_t(object);
        if (bytes < 0 || bytes > (Py_ssize_t{1} << 40)) {
            PyErr_Clear();
            PyErr_Format(PyExc_OverflowError, "%s: %s takes memory or how many bytes to return, not %R", function_.name,
                         function_.parameters[i].name, object);
            return false;
        }
        buffer_ = Reference(PyBytes_FromStringAndSize(nullptr, bytes));
        if (!buffer_) {
            return false;
        }
        char* const memory = PyBytes_AsString(buffer_.get());
        std::memset(memory, 0, static_cast<std::size_t>(bytes));
        slots_[i] = slot_of(memory);
        return true;
    }

    bool prepare_function(std::size_t i) {
        const Parameter& parameter = function_.parameters[i];
        PyObject* const object = given_[i];
        if (is_python_callable(object)) {
            if (parameter.partner < 0) {
                return refuse(place(i), "a function made with ctypes.CFUNCTYPE, its address or None", object);
            }
            const auto partner = static_cast<std::size_t>(parameter.partner);
            // A callback that the library refuses stays too: the status may be that of earlier work.
            return make_callback(*parameter.type, object, given_[partner], slots_[i], slots_[partner]) != nullptr;
        }
        if (!is_instance(object) && PyCallable_Check(object) != 0) {
            void* memory = nullptr;
            std::size_t bytes = 0;
            if (!frame_.hold_buffer(object, memory, bytes)) {
                return false;
            }
            std::memcpy(&slots_[i], memory, sizeof slots_[i]);
            return true;
        }
        return store(*parameter.type, object, &slots_[i], place(i));
    }

    bool prepare_user_data(std::size_t i) {
        const Parameter& parameter = function_.parameters[i];
        if (is_python_callable(given_[static_cast<std::size_t>(parameter.partner)])) {
            return true;  // the function fills it in, or has done so
        }
        return address_of(given_[i], slots_[i], frame_, place(i));
    }

    bool prepare_by_attribute(std::size_t i) {
        const Parameter& parameter = function_.parameters[i];
        PyObject* const object = given_[i];
        if (is_instance(object)) {
            slots_[i] = slot_of(as_instance(object)->data);
            capacity_ = as_instance(object)->type->size;
            return true;
        }
        const bool is_text = PyUnicode_Check(object) || PyBytes_Check(object);
        if (!is_text && !PyLong_Check(object) && PyObject_CheckBuffer(object) != 0) {
            return address_of(object, slots_[i], frame_, place(i));
        }
        const Attribute* attribute = nullptr;
        if (!attribute_of(i, given_[static_cast<std::size_t>(parameter.partner)], attribute)) {
            return false;
        }
        if (attribute->type->kind == Kind::character) {
            if (!text_of(object, slots_[i], frame_, place(i))) {
                return false;
            }
            const char* const text = reinterpret_cast<const char*>(slots_[i]);
            capacity_ = text != nullptr ? std::strlen(text) + 1 : 0;
            return true;
        }
        char* const memory = frame_.take_zeroed(std::max<std::size_t>(attribute->type->size, 16));
        slots_[i] = slot_of(memory);
        capacity_ = attribute->type->size;
        return memory != nullptr && store(*attribute->type, object, memory, place(i));
    }

    // Values that the library takes as if they were pointers.
    static bool option_value(PyObject* object, std::uint64_t& value, Frame& frame, const Place& where) {
        if (PyFloat_Check(object)) {
            return store(types::float32, object, &value, where);
        }
        if (PyUnicode_Check(object)) {
            return text_of(object, value, frame, where);
        }
        if (PyList_Check(object) || PyTuple_Check(object)) {
            return addresses_of(object, value, frame, where);
        }
        return address_of(object, value, frame, where);
    }

    static bool option_values_of(PyObject* object, std::uint64_t& address, Frame& frame, const Place& where) {
        if (!PyList_Check(object) && !PyTuple_Check(object)) {
            return addresses_of(object, address, frame, where);
        }
        const auto count = static_cast<std::size_t>(PySequence_Size(object));
        auto* const values = reinterpret_cast<std::uint64_t*>(frame.take_zeroed((count + 1) * sizeof(std::uint64_t)));
        for (std::size_t k = 0; values != nullptr && k < count; ++k) {
            PyObject* const item = PyList_Check(object) ? PyList_GetItem(object, static_cast<Py_ssize_t>(k))
                                                        : PyTuple_GetItem(object, static_cast<Py_ssize_t>(k));
            if (item == nullptr || !option_value(item, values[k], frame, where)) {
                return false;
            }
        }
        address = reinterpret_cast<std::uintptr_t>(values);
        return values != nullptr;
    }

    // --- after the call ----------------------------------------------------------------------------------------------

    PyObject* collect(std::uint64_t result) {
        const bool is_status = function_.result == Result::status;
        const auto status = is_status ? static_cast<std::int32_t>(result) : 0;
        const std::size_t returned = (is_c_order_ ? 0 : function_.returned) + (buffer_ ? 1 : 0);
        Reference tuple(PyTuple_New(static_cast<Py_ssize_t>(1 + returned)));
        PyObject* const code = tuple ? enumerator_of(*function_.status_type, status) : nullptr;
        if (code == nullptr || PyTuple_SetItem(tuple.get(), 0, code) != 0) {
            return nullptr;
        }
        if (returned == 0) {
            return tuple.release();
        }
        Py_ssize_t position = 1;
        const auto add = [&](PyObject* object) {
            return object != nullptr && PyTuple_SetItem(tuple.get(), position++, object) == 0;
        };
        if (status != 0) {
            for (std::size_t i = 0; i < returned; ++i) {
                Py_INCREF(Py_None);
                add(Py_None);
            }
            return tuple.release();
        }
        for (std::size_t i = 0; !is_c_order_ && i < function_.parameters.size(); ++i) {
            if (is_returned(function_.parameters[i].passing) && !add(value_of(i))) {
                return nullptr;
            }
        }
        if (!is_c_order_ && function_.result == Result::text && !add(text_at(result))) {
            return nullptr;
        }
        if (!is_c_order_ && function_.result == Result::structure && !add(take_made(max_parameters))) {
            return nullptr;
        }
        if (buffer_ && !add(buffer_.release())) {
            return nullptr;
        }
        return tuple.release();
    }

    static bool is_returned(Passing passing) {
        return passing >= Passing::out || passing == Passing::in_out || passing == Passing::in_out_count;
    }

    // What was made for a parameter, with its reference.
    PyObject* take_made(std::size_t parameter) {
        for (std::size_t i = 0; i < made_count_; ++i) {
            if (made_[i].parameter == parameter) {
                PyObject* const object = made_[i].object;
                Py_INCREF(object);
                return object;
            }
        }
        return nullptr;
    }

    static PyObject* text_at(std::uint64_t address) {
        if (address == 0) {
            Py_RETURN_NONE;
        }
        return PyBytes_FromString(reinterpret_cast<const char*>(address));
    }

    PyObject* value_of(std::size_t i) {
        const Parameter& parameter = function_.parameters[i];
        switch (parameter.passing) {
            case Passing::out:
            case Passing::in_out:
                if (parameter.type->kind == Kind::handle || parameter.type->kind == Kind::structure) {
                    PyObject* const made = take_made(i);
                    if (made == nullptr) {
                        Py_RETURN_NONE;  // in_out: None was passed
                    }
                    return made;
                }
                return load(*parameter.type, &values_[i], nullptr);
            case Passing::out_text:
                return text_at(values_[i]);
            case Passing::out_address:
            case Passing::in_out_count:
                return PyLong_FromUnsignedLongLong(values_[i]);
            case Passing::out_bytes: {
                const auto* const bytes = reinterpret_cast<const char*>(slots_[i]);
                if (bytes == nullptr) {
                    return PyBytes_FromStringAndSize("", 0);
                }
                return parameter.partner >= 0 ? PyBytes_FromString(bytes)
                                              : PyBytes_FromStringAndSize(bytes, parameter.count);
            }
            case Passing::out_elements:
                return elements(i);
            case Passing::out_borrowed: {
                const std::uint64_t count = values_[static_cast<std::size_t>(parameter.partner)];
                const auto* const data = reinterpret_cast<const void*>(values_[i]);
                return load_array(*parameter.type, data, data != nullptr ? count : 0, nullptr);
            }
            case Passing::out_by_attribute:
                return attribute_value(i);
            case Passing::out_list_by_attribute:
                return attribute_values(i);
            default:
                return nullptr;
        }
    }

    PyObject* elements(std::size_t i) {
        const Parameter& parameter = function_.parameters[i];
        const auto* const data = reinterpret_cast<const char*>(slots_[i]);
        std::size_t count = values_[i];
        if (parameter.partner >= 0) {
            const auto partner = static_cast<std::size_t>(parameter.partner);
            if (function_.parameters[partner].passing == Passing::in_out_count) {
                count = std::min<std::size_t>(count, values_[partner]);
            }
        } else {
            // Numbers that are never 0; the rest of the array is as it was.
            const auto is_zero = [&](std::size_t k) {
                const char* const element = data + k * parameter.type->size;
                return std::all_of(element, element + parameter.type->size, [](char byte) { return byte == 0; });
            };
            while (count > 0 && is_zero(count - 1)) {
                --count;
            }
        }
        return load_array(*parameter.type, data, data != nullptr ? count : 0, nullptr);
    }

    PyObject* attribute_value(std::size_t i) {
        const Attribute* attribute = nullptr;
        if (!attribute_of(i, given_[static_cast<std::size_t>(function_.parameters[i].partner)], attribute)) {
            return nullptr;
        }
        const auto* const data = reinterpret_cast<const char*>(slots_[i]);
        if (attribute->type->kind == Kind::character) {
            return PyBytes_FromString(data);
        }
        if (attribute->count == 0) {
            return load_array(*attribute->type, data, capacity_ / attribute->type->size, nullptr);
        }
        return load(*attribute->type, data, nullptr);
    }

    PyObject* attribute_values(std::size_t i) {
        PyObject* const list = given_[static_cast<std::size_t>(function_.parameters[i].partner)];
        const auto* const places = reinterpret_cast<void* const*>(slots_[i]);
        const Py_ssize_t count = PySequence_Size(list);
        Reference values(PyList_New(count));
        for (Py_ssize_t k = 0; values && k < count; ++k) {
            const Reference item(PySequence_GetItem(list, k));
            const Attribute* attribute = nullptr;
            if (!item || !attribute_of(i, item.get(), attribute)) {
                return nullptr;
            }
            PyObject* const value = load(*attribute->type, places[k], nullptr);
            if (value == nullptr || PyList_SetItem(values.get(), k, value) != 0) {
                return nullptr;
            }
        }
        return values.release();
    }

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

PyObject* refuse_count(const Function& function, Py_ssize_t count) {
    std::string names;
    for (const std::int8_t position : function.arguments) {
        names += names.empty() ? "" : ", ";
        names += function.parameters[static_cast<std::size_t>(position)].name;
    }
    std::string all;
    for (const Parameter& parameter : function.parameters) {
        all += all.empty() ? "" : ", ";
        all += parameter.name;
    }
    const std::string in_c = function.arguments.size() == function.parameters.size()
                                 ? ""
                                 : ", or " + std::to_string(function.parameters.size()) + " in C's order (" + all + ")";
    return PyErr_Format(PyExc_TypeError, "%s takes %zu argument%s (%s)%s, not %zd", function.name,
                        function.arguments.size(), function.arguments.size() == 1 ? "" : "s", names.c_str(),
                        in_c.c_str(), count);
}

PyObject* call_with_keywords(Function& function, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
    std::array<PyObject*, max_parameters> ordered{};
    const std::size_t expected = function.arguments.size();
    const auto positional = static_cast<std::size_t>(count);
    if (positional > expected) {
        return refuse_count(function, count + PyTuple_Size(keywords));
    }
    std::copy_n(arguments, positional, ordered.begin());
    for (Py_ssize_t k = 0; k < PyTuple_Size(keywords); ++k) {
        PyObject* const name = PyTuple_GetItem(keywords, k);
        std::size_t i = 0;
        while (i < expected &&
               PyUnicode_CompareWithASCIIString(
                   name, function.parameters[static_cast<std::size_t>(function.arguments[i])].name) != 0) {
            ++i;
        }
        if (i == expected) {
            return PyErr_Format(PyExc_TypeError, "%s has no parameter %R", function.name, name);
        }
        if (ordered[i] != nullptr) {
            return PyErr_Format(PyExc_TypeError, "%s: %U is given twice", function.name, name);
        }
        ordered[i] = arguments[positional + static_cast<std::size_t>(k)];
    }
    std::size_t given = expected;
    while (given > 0 && ordered[given - 1] == nullptr) {
        --given;
    }
    for (std::size_t i = 0; i < std::max<std::size_t>(given, function.required); ++i) {
        if (ordered[i] == nullptr) {
            return PyErr_Format(PyExc_TypeError, "%s: %s is missing", function.name,
                                function.parameters[static_cast<std::size_t>(function.arguments[i])].name);
        }
    }
    return Call(function).in_order_of_python(ordered.data(), given);
}

// A call as before the toolkit gave the function the parameter `later`: with None for that.
PyObject* call_without_later(Function& function, PyObject* const* arguments, std::size_t count, std::size_t position) {
    std::array<PyObject*, max_parameters> ordered{};
    std::copy_n(arguments, position, ordered.begin());
    ordered[position] = Py_None;
    std::copy_n(arguments + position, count - position, ordered.begin() + static_cast<std::ptrdiff_t>(position) + 1);
    return call(function, ordered.data(), static_cast<Py_ssize_t>(count + 1), nullptr);
}

}  // namespace

PyObject* call(Function& function, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
    if (keywords != nullptr && PyTuple_Size(keywords) != 0) {
        return call_with_keywords(function, arguments, count, keywords);
    }
    const auto given = static_cast<std::size_t>(count);
    if (function.later >= 0) {
        const auto later = static_cast<std::size_t>(function.later);
        Type* const first = function.parameters[0].type;
        if (given == function.arguments.size() && is_instance_of(arguments[0], *first)) {
            return call_without_later(function, arguments, given, later);
        }
        if (given + 1 == function.arguments.size()) {
            return call_without_later(function, arguments, given, later - 1);
        }
    }
    if (given <= function.arguments.size() && given >= function.required) {
        return Call(function).in_order_of_python(arguments, given);
    }
    if (given == function.parameters.size()) {
        return Call(function).in_order_of_c(arguments);
    }
    return refuse_count(function, count);
}

}  // namespace cuprum::python
