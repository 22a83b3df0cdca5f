// What C gives back, as Python gets it.
#include <cstring>

#include "one_call.hpp"

namespace cuprum::python {

namespace {

// NVML_ERROR_INSUFFICIENT_SIZE: NVML says how many elements there are, although it has given none.
constexpr std::int32_t nvml_insufficient_size = 7;

}  // namespace

PyObject* Call::collect(std::uint64_t result) {
    if (function_.checked) {
        copy_back();
    }
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
        const bool lacks_room = function_.library == nvml_library && status == nvml_insufficient_size && !is_c_order_;
        for (std::size_t i = 0; lacks_room && i < function_.parameters.size(); ++i) {
            const Passing passing = function_.parameters[i].passing;
            if (passing == Passing::in_out_count && !add(value_of(i))) {
                return nullptr;
            }
            if (is_returned(passing) && passing != Passing::in_out_count && !add(Py_NewRef(Py_None))) {
                return nullptr;
            }
        }
        while (position <= static_cast<Py_ssize_t>(returned) && add(Py_NewRef(Py_None))) {}
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

void Call::copy_back() {
    for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
        const Parameter& parameter = function_.parameters[i];
        if (parameter.passing != Passing::elements || !parameter.is_written || given_[i] == nullptr) {
            continue;
        }
        const auto* const memory = reinterpret_cast<const char*>(slots_[i]);
        // As many as there were before the call: another thread may have changed the list.
        for (std::size_t k = 0; k < values_[i]; ++k) {
            const Reference item(PySequence_GetItem(given_[i], static_cast<Py_ssize_t>(k)));
            if (!item) {
                PyErr_Clear();
                break;
            }
            if (is_instance_of(item.get(), *parameter.type)) {
                std::memcpy(as_instance(item.get())->data, memory + k * parameter.type->size, parameter.type->size);
            }
        }
    }
}

bool Call::is_returned(Passing passing) {
    return passing >= Passing::out || passing == Passing::in_out || passing == Passing::in_out_count;
}

// What was made for a parameter, with its reference.
PyObject* Call::take_made(std::size_t parameter) {
    for (std::size_t i = 0; i < made_count_; ++i) {
        if (made_[i].parameter == parameter) {
            PyObject* const object = made_[i].object;
            Py_INCREF(object);
            return object;
        }
    }
    return nullptr;
}

PyObject* Call::text_at(std::uint64_t address) {
    if (address == 0) {
        Py_RETURN_NONE;
    }
    return PyBytes_FromString(reinterpret_cast<const char*>(address));
}

PyObject* Call::value_of(std::size_t i) {
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
        case Passing::out_string:
            return text_at(slots_[i]);
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

PyObject* Call::elements(std::size_t i) {
    const Parameter& parameter = function_.parameters[i];
    const auto* const data = reinterpret_cast<const char*>(slots_[i]);
    std::size_t count = values_[i];
    if (parameter.partner >= 0) {
        const auto partner = static_cast<std::size_t>(parameter.partner);
        const Passing how = function_.parameters[partner].passing;
        if (how == Passing::in_out_count || how == Passing::out) {
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

PyObject* Call::attribute_value(std::size_t i) {
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

PyObject* Call::attribute_values(std::size_t i) {
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

}  // namespace cuprum::python
