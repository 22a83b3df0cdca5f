#include "values.hpp"

#include <cstring>
#include <limits>
#include <memory>

#include "reference.hpp"

namespace cuprum::python {

namespace types {
constexpr const char* builtin = "builtins";
Type int8{"int8_t", builtin, Kind::signed_integer, 1, 1, true};
Type uint8{"uint8_t", builtin, Kind::unsigned_integer, 1, 1};
Type int16{"int16_t", builtin, Kind::signed_integer, 2, 2, true};
Type uint16{"uint16_t", builtin, Kind::unsigned_integer, 2, 2};
Type int32{"int32_t", builtin, Kind::signed_integer, 4, 4, true};
Type uint32{"uint32_t", builtin, Kind::unsigned_integer, 4, 4};
Type int64{"int64_t", builtin, Kind::signed_integer, 8, 8, true};
Type uint64{"uint64_t", builtin, Kind::unsigned_integer, 8, 8};
Type float32{"float", builtin, Kind::real, 4, 4, true};
Type float64{"double", builtin, Kind::real, 8, 8, true};
Type character{"char", builtin, Kind::character, 1, 1, true};
}  // namespace types

namespace {

// What a type takes, in words: "an int", "a CUstream, an int or None".
PyObject* words_for(const Type& type) {
    switch (type.kind) {
        case Kind::signed_integer:
        case Kind::unsigned_integer:
            return PyUnicode_FromString("an int");
        case Kind::real:
            return PyUnicode_FromString("a float");
        case Kind::character:
            return PyUnicode_FromString("a byte");
        case Kind::enumeration:
            return PyUnicode_FromFormat("a %s or an int", type.name);
        case Kind::handle:
            return PyUnicode_FromFormat("a %s, an int or None", type.name);
        case Kind::structure:
            return PyUnicode_FromFormat("a %s", type.name);
    }
    return nullptr;
}

bool refuse_value(const Type& type, PyObject* object, const Place& place) {
    const Reference words(words_for(type));
    const char* text = words ? PyUnicode_AsUTF8AndSize(words.get(), nullptr) : nullptr;
    return text != nullptr && refuse(place, text, object);
}

bool overflow(const Type& type, PyObject* number, const Place& place) {
    PyErr_Clear();
    PyErr_Format(PyExc_OverflowError, "%s%s%s takes a value that fits in %d %s bits, not %R", place.owner,
                 place.separator, place.name, static_cast<int>(type.size * 8), type.is_signed ? "signed" : "unsigned",
                 number);
    return false;
}

/// An int for anything that is one: `__index__`, or the `value` of ctypes' numbers. Null, with no exception set, if
/// there is none.
PyObject* integer_of(PyObject* object) {
    PyObject* number = PyNumber_Index(object);
    if (number == nullptr && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        Reference value(PyObject_GetAttrString(object, "value"));
        if (value && PyLong_Check(value.get())) {
            return value.release();
        }
        PyErr_Clear();
    }
    return number;
}

template <class Number>
Number number_at(const void* data) {
    Number number;
    std::memcpy(&number, data, sizeof number);
    return number;
}

std::int64_t signed_at(const void* data, std::uint32_t size) {
    switch (size) {
        case 1:
            return number_at<std::int8_t>(data);
        case 2:
            return number_at<std::int16_t>(data);
        case 4:
            return number_at<std::int32_t>(data);
        default:
            return number_at<std::int64_t>(data);
    }
}

std::uint64_t unsigned_at(const void* data, std::uint32_t size) {
    switch (size) {
        case 1:
            return number_at<std::uint8_t>(data);
        case 2:
            return number_at<std::uint16_t>(data);
        case 4:
            return number_at<std::uint32_t>(data);
        default:
            return number_at<std::uint64_t>(data);
    }
}

bool store_integer(const Type& type, PyObject* object, void* data, const Place& place) {
    Reference converted;
    if (!PyLong_Check(object)) {
        converted = Reference(integer_of(object));
        if (!converted) {
            return PyErr_Occurred() == nullptr && refuse_value(type, object, place);
        }
        object = converted.get();
    }
    if (type.size == sizeof(std::uint64_t)) {
        if (type.is_signed) {
            const long long value = PyLong_AsLongLong(object);
            if (value == -1 && PyErr_Occurred() != nullptr) {
                return overflow(type, object, place);
            }
            std::memcpy(data, &value, sizeof value);
            return true;
        }
        const unsigned long long value = PyLong_AsUnsignedLongLong(object);
        if (value == std::numeric_limits<unsigned long long>::max() && PyErr_Occurred() != nullptr) {
            return overflow(type, object, place);
        }
        std::memcpy(data, &value, sizeof value);
        return true;
    }
    int outside = 0;
    const long long value = PyLong_AsLongLongAndOverflow(object, &outside);
    const long long limit = 1LL << (type.size * 8 - (type.is_signed ? 1 : 0));
    if (outside != 0 || value >= limit || value < (type.is_signed ? -limit : 0)) {
        return overflow(type, object, place);
    }
    switch (type.size) {  // little endian
        case 1:
            std::memcpy(data, &value, 1);
            break;
        case 2:
            std::memcpy(data, &value, 2);
            break;
        default:
            std::memcpy(data, &value, 4);
            break;
    }
    return true;
}

bool store_real(const Type& type, PyObject* object, void* data, const Place& place) {
    double value = PyFloat_AsDouble(object);
    if (value == -1.0 && PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        const Reference inner(PyObject_GetAttrString(object, "value"));
        value = inner ? PyFloat_AsDouble(inner.get()) : -1.0;
        if (PyErr_Occurred() != nullptr) {
            PyErr_Clear();
            return refuse_value(type, object, place);
        }
    }
    if (type.size == sizeof(float)) {
        const auto narrow = static_cast<float>(value);
        std::memcpy(data, &narrow, sizeof narrow);
    } else {
        std::memcpy(data, &value, sizeof value);
    }
    return true;
}

bool store_enumerator(Type& type, PyObject* object, void* data, const Place& place) {
    if (is_instance_of(object, type)) {
        const auto value = static_cast<std::int32_t>(PyLong_AsLongLong(object));  // of 32 bits, as the headers have it
        std::memcpy(data, &value, sizeof value);
        return true;
    }
    if (class_of(type) == nullptr) {
        return false;
    }
    // Numbers are welcome; the enumerators of another enumeration are a mistake.
    if (!is_instance_of(object, type) && !Py_IS_TYPE(object, &PyLong_Type)) {
        static PyObject* enum_class = nullptr;
        if (enum_class == nullptr) {
            const Reference module(PyImport_ImportModule("enum"));
            enum_class = module ? PyObject_GetAttrString(module.get(), "Enum") : nullptr;
        }
        const int is_enumerator = enum_class != nullptr ? PyObject_IsInstance(object, enum_class) : -1;
        if (is_enumerator != 0) {
            return is_enumerator > 0 && refuse_value(type, object, place);
        }
    }
    // Any 32 bits: some enumerations are sets of flags, and libraries newer than the headers have more enumerators.
    return store_integer(type, object, data, place);
}

bool store_handle(Type& type, PyObject* object, void* data, const Place& place) {
    if (is_instance_of(object, type)) {
        if (type.size == sizeof(std::uint64_t)) {
            std::memcpy(data, as_instance(object)->data, sizeof(std::uint64_t));
        } else {
            std::memcpy(data, as_instance(object)->data, sizeof(std::uint32_t));
        }
        return true;
    }
    if (object == Py_None) {
        std::memset(data, 0, type.size);
        return true;
    }
    if (PyLong_Check(object) || !is_instance(object)) {
        if (type.is_number && type.size == sizeof(std::uint64_t) && !PyLong_Check(object)) {
            const Reference interface(PyObject_GetAttrString(object, "__cuda_array_interface__"));
            if (interface) {
                const Reference pair(PyMapping_GetItemString(interface.get(), "data"));
                const Reference pointer(pair ? PySequence_GetItem(pair.get(), 0) : nullptr);
                return pointer && store_integer(type, pointer.get(), data, place);
            }
            PyErr_Clear();
        }
        return store_integer(type, object, data, place);
    }
    return refuse_value(type, object, place);
}

bool store_structure(Type& type, PyObject* object, void* data, const Place& place) {
    if (class_of(type) == nullptr) {
        return false;
    }
    if (!is_instance_of(object, type)) {
        return refuse_value(type, object, place);
    }
    std::memmove(data, as_instance(object)->data, type.size);
    return true;
}

}  // namespace

bool refuse(const Place& place, const char* expected, PyObject* object) {
    const Reference kind(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(object)), "__name__"));
    if (kind) {
        PyErr_Format(PyExc_TypeError, "%s%s%s takes %s, not %S", place.owner, place.separator, place.name, expected,
                     kind.get());
    }
    return false;
}

bool is_integer(PyObject* object) {
    return PyLong_Check(object) || PyIndex_Check(object) != 0;
}

bool store(Type& type, PyObject* object, void* data, const Place& place) {
    switch (type.kind) {
        case Kind::signed_integer:
        case Kind::unsigned_integer:
        case Kind::character:
            return store_integer(type, object, data, place);
        case Kind::real:
            return store_real(type, object, data, place);
        case Kind::enumeration:
            return store_enumerator(type, object, data, place);
        case Kind::handle:
            return store_handle(type, object, data, place);
        case Kind::structure:
            return store_structure(type, object, data, place);
    }
    return false;
}

PyObject* load(Type& type, const void* data, PyObject* owner) {
    switch (type.kind) {
        case Kind::signed_integer:
        case Kind::character:
            return PyLong_FromLongLong(signed_at(data, type.size));
        case Kind::unsigned_integer:
            return PyLong_FromUnsignedLongLong(unsigned_at(data, type.size));
        case Kind::real: {
            if (type.size == sizeof(float)) {
                float value;
                std::memcpy(&value, data, sizeof value);
                return PyFloat_FromDouble(double{value});
            }
            double value;
            std::memcpy(&value, data, sizeof value);
            return PyFloat_FromDouble(value);
        }
        case Kind::enumeration: {
            std::uint32_t value;
            std::memcpy(&value, data, sizeof value);
            return enumerator_of(type, type.is_signed ? std::int64_t{static_cast<std::int32_t>(value)} : value);
        }
        case Kind::handle:
        case Kind::structure: {
            if (type.kind == Kind::structure && owner != nullptr) {
                return reinterpret_cast<PyObject*>(
                    new_view(type, const_cast<char*>(static_cast<const char*>(data)), owner));
            }
            Instance* const made = new_instance(type);
            if (made != nullptr) {
                std::memcpy(made->data, data, type.size);
            }
            return reinterpret_cast<PyObject*>(made);
        }
    }
    return nullptr;
}

PyObject* load_array(Type& type, const void* data, std::size_t count, PyObject* owner) {
    const char* const bytes = static_cast<const char*>(data);
    if (type.kind == Kind::character) {
        return PyBytes_FromStringAndSize(bytes, static_cast<Py_ssize_t>(count));
    }
    Reference list(PyList_New(static_cast<Py_ssize_t>(count)));
    for (std::size_t i = 0; list && i < count; ++i) {
        PyObject* const element = load(type, bytes + i * type.size, owner);
        if (element == nullptr || PyList_SetItem(list.get(), static_cast<Py_ssize_t>(i), element) != 0) {
            return nullptr;
        }
    }
    return list.release();
}

bool address_of(PyObject* object, std::uint64_t& address, Frame& frame, const Place& place) {
    if (PyLong_Check(object)) {
        return store_integer(types::uint64, object, &address, place);
    }
    if (object == Py_None) {
        address = 0;
        return true;
    }
    if (is_instance(object)) {
        const Instance& instance = *as_instance(object);
        address = instance.type->kind == Kind::structure ? reinterpret_cast<std::uintptr_t>(instance.data)
                                                         : handle_value(instance);
        return true;
    }
    if (PyObject_CheckBuffer(object) != 0) {
        void* memory = nullptr;
        std::size_t bytes = 0;
        if (!frame.hold_buffer(object, memory, bytes)) {
            return false;
        }
        address = reinterpret_cast<std::uintptr_t>(memory);
        return true;
    }
    const Reference interface(PyObject_GetAttrString(object, "__cuda_array_interface__"));
    if (interface) {
        const Reference pair(PyMapping_GetItemString(interface.get(), "data"));
        const Reference pointer(pair ? PySequence_GetItem(pair.get(), 0) : nullptr);
        return pointer && store_integer(types::uint64, pointer.get(), &address, place);
    }
    PyErr_Clear();
    const Reference number(integer_of(object));
    if (number) {
        return store_integer(types::uint64, number.get(), &address, place);
    }
    return PyErr_Occurred() == nullptr &&
           refuse(place, "an address (None, an int, a CUdeviceptr, an object with a buffer)", object);
}

bool text_of(PyObject* object, std::uint64_t& address, Frame& frame, const Place& place) {
    const char* text = nullptr;
    Py_ssize_t bytes = 0;
    if (object == Py_None) {
        address = 0;
        return true;
    }
    if (PyUnicode_Check(object)) {
        text = PyUnicode_AsUTF8AndSize(object, &bytes);
        if (text == nullptr) {
            return false;
        }
        const std::size_t length = std::strlen(text);
        for (auto i = static_cast<Py_ssize_t>(length); i < bytes; ++i) {
            if (text[i] != '\0') {
                PyErr_Format(PyExc_ValueError, "%s%s%s takes text without NUL characters within", place.owner,
                             place.separator, place.name);
                return false;
            }
        }
    } else if (PyBytes_Check(object)) {
        text = PyBytes_AsString(object);
    } else if (PyObject_CheckBuffer(object) != 0) {
        // Its bytes need not end in NUL.
        void* memory = nullptr;
        std::size_t size = 0;
        if (!frame.hold_buffer(object, memory, size)) {
            return false;
        }
        char* const copy = frame.take(size + 1);
        if (copy == nullptr) {
            return false;
        }
        std::memcpy(copy, memory, size);
        copy[size] = '\0';
        text = copy;
    } else if (PyLong_Check(object)) {
        return store_integer(types::uint64, object, &address, place);
    } else {
        return refuse(place, "text (str, bytes or None)", object);
    }
    address = reinterpret_cast<std::uintptr_t>(text);
    return true;
}

namespace {

/// A list or tuple of what `convert(item, slot, place)` makes 64-bit numbers of.
template <class Convert>
bool list_of(PyObject* object, std::uint64_t& address, Frame& frame, const Place& place, const char* expected,
             Convert convert) {
    if (object == Py_None) {
        address = 0;
        return true;
    }
    if (!PyList_Check(object) && !PyTuple_Check(object)) {
        if (PyLong_Check(object)) {
            return store_integer(types::uint64, object, &address, place);
        }
        if (!PyUnicode_Check(object) && !PyBytes_Check(object) && PyObject_CheckBuffer(object) != 0) {
            return address_of(object, address, frame, place);
        }
        return refuse(place, expected, object);
    }
    const Py_ssize_t count = PySequence_Size(object);
    char* const memory = frame.take_zeroed(static_cast<std::size_t>(count + 1) * sizeof(std::uint64_t));
    if (memory == nullptr) {
        return false;
    }
    for (Py_ssize_t i = 0; i < count; ++i) {
        // Lists and tuples keep their items while the interpreter is not let go.
        PyObject* const item = PyList_Check(object) ? PyList_GetItem(object, i) : PyTuple_GetItem(object, i);
        std::uint64_t value = 0;
        if (item == nullptr || !convert(item, value)) {
            return false;
        }
        std::memcpy(memory + static_cast<std::size_t>(i) * sizeof value, &value, sizeof value);
    }
    address = reinterpret_cast<std::uintptr_t>(memory);
    return true;
}

}  // namespace

bool texts_of(PyObject* object, std::uint64_t& address, Frame& frame, const Place& place) {
    return list_of(object, address, frame, place, "a list of texts (str or bytes), or None",
                   [&](PyObject* item, std::uint64_t& value) { return text_of(item, value, frame, place); });
}

bool addresses_of(PyObject* object, std::uint64_t& address, Frame& frame, const Place& place) {
    return list_of(object, address, frame, place, "a list of addresses, an int or None",
                   [&](PyObject* item, std::uint64_t& value) { return address_of(item, value, frame, place); });
}

bool elements_of(Type& type, PyObject* object, std::uint64_t& address, Frame& frame, const Place& place) {
    if (object == Py_None) {
        address = 0;
        return true;
    }
    if (is_instance_of(object, type)) {
        address = reinterpret_cast<std::uintptr_t>(as_instance(object)->data);
        return true;
    }
    if (PyList_Check(object) || PyTuple_Check(object)) {
        const Py_ssize_t count = PySequence_Size(object);
        char* const memory = frame.take(static_cast<std::size_t>(count + 1) * type.size);
        if (memory == nullptr) {
            return false;
        }
        for (Py_ssize_t i = 0; i < count; ++i) {
            PyObject* const item = PyList_Check(object) ? PyList_GetItem(object, i) : PyTuple_GetItem(object, i);
            if (item == nullptr || !store(type, item, memory + static_cast<std::size_t>(i) * type.size, place)) {
                return false;
            }
        }
        address = reinterpret_cast<std::uintptr_t>(memory);
        return true;
    }
    if (is_instance(object) || PyUnicode_Check(object) ||
        (!PyLong_Check(object) && PyObject_CheckBuffer(object) == 0)) {
        const Reference words(PyUnicode_FromFormat("a %s, a list of them, an address or None", type.name));
        const char* const text = words ? PyUnicode_AsUTF8AndSize(words.get(), nullptr) : nullptr;
        return text != nullptr && refuse(place, text, object);
    }
    return address_of(object, address, frame, place);
}

}  // namespace cuprum::python
