// What Python passes, as C takes it.
#include <cstring>

#include "callbacks.hpp"
#include "kernel_arguments.hpp"
#include "one_call.hpp"

namespace cuprum::python {

namespace {

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

}  // namespace

bool Call::prepare(std::size_t i) {
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
            values_[i] =
                parameter.is_written && is_list(object) ? static_cast<std::uint64_t>(PySequence_Size(object)) : 0;
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
        case Passing::out_string:
        case Passing::out_elements:
        case Passing::out_by_attribute:
        case Passing::out_list_by_attribute:
        case Passing::out_borrowed:
            return is_c_order_ ? prepare_place(i) : prepare_result(i);
    }
    return false;
}

bool Call::check() {
    for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
        const Parameter& parameter = function_.parameters[i];
        if (given_[i] == nullptr) {
            continue;
        }
        if (parameter.is_written && slots_[i] == 0) {
            const std::string place_in_memory = std::string("memory to write to (") + parameter.c_type + ")";
            return refuse(place(i), place_in_memory.c_str(), given_[i]);
        }
        if (parameter.counted_by >= 0 && !check_count(i)) {
            return false;
        }
    }
    return true;
}

namespace {

// The bytes of text that can be read, its final NUL included; -1 where that is not known.
Py_ssize_t bytes_of_text(PyObject* object) {
    Py_ssize_t bytes = -1;
    if (PyUnicode_Check(object)) {
        PyUnicode_AsUTF8AndSize(object, &bytes);
    } else if (PyBytes_Check(object)) {
        bytes = PyBytes_Size(object);
    } else if (Py_buffer view; PyObject_CheckBuffer(object) != 0 && PyObject_GetBuffer(object, &view, 0) == 0) {
        bytes = view.len;
        PyBuffer_Release(&view);
    }
    return bytes < 0 ? -1 : bytes + 1;
}

}  // namespace

// Of memory that is given by its address alone nothing is known.
bool Call::check_count(std::size_t i) {
    const Parameter& parameter = function_.parameters[i];
    PyObject* const object = given_[i];
    Py_ssize_t elements = 0;
    if (is_list(object)) {
        elements = PySequence_Size(object);
    } else if (is_instance(object) && parameter.passing == Passing::elements) {
        elements = 1;
    } else if (parameter.passing == Passing::text) {
        elements = bytes_of_text(object);
        if (elements < 0) {
            return true;
        }
    } else {
        return true;
    }
    const auto counted_by = static_cast<std::size_t>(parameter.counted_by);
    const std::uint64_t count = slots_[counted_by];
    if (static_cast<std::uint64_t>(elements) >= count) {
        return true;
    }
    const bool is_text = parameter.passing == Passing::text;
    PyErr_Format(PyExc_TypeError, "%s: %s takes at least %llu %s, as %s says, not %zd", function_.name, parameter.name,
                 static_cast<unsigned long long>(count), is_text ? "bytes" : "elements",
                 function_.parameters[counted_by].name, elements - (is_text ? 1 : 0));
    return false;
}

bool Call::class_of_if_any(Type& type) {
    return (type.kind != Kind::handle && type.kind != Kind::structure) || class_of(type) != nullptr;
}

std::size_t Call::kernel_position() const {
    const Parameter& first = function_.parameters[0];
    return first.passing == Passing::elements ? 1 : 0;
}

// Memory that the call writes to, of which nothing is passed from Python.
bool Call::prepare_result(std::size_t i) {
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
        case Passing::out_string:
        case Passing::out_elements: {
            std::size_t count = 0;
            if (!count_of(i, count)) {
                return false;
            }
            values_[i] = count;
            const std::size_t size = parameter.type != nullptr ? parameter.type->size : 1;
            if (count > (std::size_t{1} << 40) / size) {
                PyErr_Format(PyExc_OverflowError, "%s: %s: %zu elements are too many", function_.name, parameter.name,
                             count);
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
bool Call::count_of(std::size_t i, std::size_t& count) {
    const Parameter& parameter = function_.parameters[i];
    if (parameter.partner < 0 || parameter.count != 0) {
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

bool Call::attribute_of(std::size_t i, PyObject* object, const Attribute*& found) {
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

bool Call::prepare_attribute(std::size_t i) {
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

bool Call::array_bytes(PyObject* object) {
    std::uint64_t bytes = 0;
    if (!store(types::uint64, object, &bytes, {function_.name, ": ", "dataSize"})) {
        return false;
    }
    capacity_ = bytes;
    return true;
}

// An array of places, one for each of the attributes that the partner lists.
bool Call::prepare_attributes(std::size_t i) {
    PyObject* const list = given_[static_cast<std::size_t>(function_.parameters[i].partner)];
    if (!PyList_Check(list) && !PyTuple_Check(list)) {
        return refuse(place(static_cast<std::size_t>(function_.parameters[i].partner)), "a list of attributes", list);
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
bool Call::prepare_place(std::size_t i) {
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

bool Call::prepare_in_out(std::size_t i) {
    const Parameter& parameter = function_.parameters[i];
    PyObject* const object = given_[i];
    values_[i] = 0;
    slots_[i] = slot_of(&values_[i]);
    if (object == nullptr) {
        return true;
    }
    if (parameter.type->kind == Kind::handle) {
        PyObject* const made = make(i, *parameter.type);  // of None, a handle of 0
        slots_[i] = made != nullptr ? slot_of(as_instance(made)->data) : 0;
        return made != nullptr && store(*parameter.type, object, as_instance(made)->data, place(i));
    }
    return store(*parameter.type, object, &values_[i], place(i));
}

bool Call::prepare_buffer(std::size_t i) {
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

bool Call::prepare_function(std::size_t i) {
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

bool Call::prepare_user_data(std::size_t i) {
    const Parameter& parameter = function_.parameters[i];
    if (is_python_callable(given_[static_cast<std::size_t>(parameter.partner)])) {
        return true;  // the function fills it in, or has done so
    }
    return address_of(given_[i], slots_[i], frame_, place(i));
}

bool Call::prepare_by_attribute(std::size_t i) {
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
bool Call::option_value(PyObject* object, std::uint64_t& value, Frame& frame, const Place& where) {
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

bool Call::option_values_of(PyObject* object, std::uint64_t& address, Frame& frame, const Place& where) {
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

}  // namespace cuprum::python
