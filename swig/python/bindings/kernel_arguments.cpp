#include "kernel_arguments.hpp"

#include <array>
#include <cstring>

namespace cuprum::python {

namespace {

// ctypes' numbers, and what they are here. c_bool, c_char, c_wchar and c_void_p are read in ways of their own.
enum class Special : std::uint8_t { none, boolean, character, wide_character, pointer };

struct CType {
    const char* name;
    Type* type;
    Special special;
    PyObject* python_class;  // borrowed from ctypes, which stays loaded; null before the first use
};

CType ctypes_numbers[] = {
    {"c_int", &types::int32, Special::none, nullptr},
    {"c_float", &types::float32, Special::none, nullptr},
    {"c_void_p", &types::uint64, Special::pointer, nullptr},
    {"c_double", &types::float64, Special::none, nullptr},
    {"c_uint", &types::uint32, Special::none, nullptr},
    {"c_size_t", &types::uint64, Special::none, nullptr},
    {"c_longlong", &types::int64, Special::none, nullptr},
    {"c_ulonglong", &types::uint64, Special::none, nullptr},
    {"c_long", &types::int64, Special::none, nullptr},
    {"c_ulong", &types::uint64, Special::none, nullptr},
    {"c_short", &types::int16, Special::none, nullptr},
    {"c_ushort", &types::uint16, Special::none, nullptr},
    {"c_byte", &types::int8, Special::none, nullptr},
    {"c_ubyte", &types::uint8, Special::none, nullptr},
    {"c_bool", &types::uint8, Special::boolean, nullptr},
    {"c_char", &types::uint8, Special::character, nullptr},
    {"c_wchar", &types::uint32, Special::wide_character, nullptr},
};

const CType* ctype_of(PyObject* python_class) {
    if (ctypes_numbers[0].python_class == nullptr) {
        const Reference module(PyImport_ImportModule("ctypes"));
        for (CType& number : ctypes_numbers) {
            const Reference found(module ? PyObject_GetAttrString(module.get(), number.name) : nullptr);
            if (!found) {
                return nullptr;
            }
            number.python_class = found.get();
        }
    }
    for (const CType& number : ctypes_numbers) {
        if (number.python_class == python_class) {
            return &number;
        }
    }
    return nullptr;
}

// NumPy's numbers by class. Reading one as a number is several times as fast as through its buffer.
struct NumberClass {
    PyTypeObject* python_class;  // an own reference
    Type* type;
};
std::array<NumberClass, 16> numpy_numbers{};

Type* numpy_number(PyTypeObject* python_class) {
    for (const NumberClass& number : numpy_numbers) {
        if (number.python_class == python_class) {
            return number.type;
        }
        if (number.python_class == nullptr) {
            return nullptr;
        }
    }
    return nullptr;
}

Type* type_of_format(const char* format) {
    if (format == nullptr || format[0] == '\0' || format[1] != '\0') {
        return nullptr;
    }
    switch (format[0]) {
        case 'f':
            return &types::float32;
        case 'd':
            return &types::float64;
        case 'i':
            return &types::int32;
        case 'I':
            return &types::uint32;
        case 'l':
        case 'q':
            return &types::int64;
        case 'L':
        case 'Q':
            return &types::uint64;
        case 'h':
            return &types::int16;
        case 'H':
            return &types::uint16;
        case 'b':
            return &types::int8;
        case 'B':
            return &types::uint8;
        default:
            return nullptr;
    }
}

// `python_class` may be an array's as well, of which the next one need not have the same format.
void remember_numpy_number(PyTypeObject* python_class, Type* type) {
    auto* const as_object = reinterpret_cast<PyObject*>(python_class);
    const Reference module(PyObject_GetAttrString(as_object, "__module__"));
    if (!module || !PyUnicode_Check(module.get()) || PyUnicode_CompareWithASCIIString(module.get(), "numpy") != 0) {
        PyErr_Clear();
        return;
    }
    const Reference numpy(PyImport_ImportModule("numpy"));
    const Reference scalar(numpy ? PyObject_GetAttrString(numpy.get(), "generic") : nullptr);
    if (!scalar || PyObject_IsSubclass(as_object, scalar.get()) != 1) {
        PyErr_Clear();
        return;
    }
    for (NumberClass& number : numpy_numbers) {
        if (number.python_class == nullptr) {
            Py_INCREF(as_object);
            number = {python_class, type};
            return;
        }
    }
}

/// One argument: where its bytes are, and how many.
struct Argument {
    const void* data;
    std::size_t bytes;
};

class Reader {
public:
    Reader(std::uint64_t kernel, ParameterSize parameter_size, Frame& frame, const Place& place)
        : kernel_(kernel), parameter_size_(parameter_size), frame_(frame), place_(place) {}

    /// An argument that comes with its ctype. `cell`: 8 bytes that it may use.
    bool typed(PyObject* value, PyObject* ctype, Py_ssize_t index, void* cell, Argument& argument) {
        if (ctype == Py_None) {
            if (is_instance(value) || has_buffer(value)) {
                return plain(value, index, cell, argument);
            }
            argument = {cell, types::int32.size};  // an enumerator
            return PyLong_Check(value) ? store(types::int32, value, cell, place_)
                                       : refuse_argument(index, "a structure, a handle or an enumerator", value);
        }
        const CType* const number = ctype_of(ctype);
        if (number == nullptr) {
            return PyErr_Occurred() == nullptr && refuse_argument(index, "a type of ctypes or None as its type", ctype);
        }
        argument = {cell, number->type->size};
        switch (number->special) {
            case Special::none:
                return store(*number->type, value, cell, place_);
            case Special::pointer:
                return store_pointer(value, cell);
            case Special::boolean:
            case Special::character:
            case Special::wide_character:
                return store_special(*number, value, cell);
        }
        return false;
    }

    /// An argument that says its type itself.
    bool plain(PyObject* value, Py_ssize_t index, void* cell, Argument& argument) {
        if (is_instance(value)) {
            argument = {as_instance(value)->data, as_instance(value)->type->size};
            return true;
        }
        if (Type* const number = numpy_number(Py_TYPE(value))) {
            argument = {cell, number->size};
            return store(*number, value, cell, place_);
        }
        if (PyLong_Check(value) || Py_IS_TYPE(value, &PyFloat_Type)) {
            return sized(value, index, cell, argument);
        }
        if (value == Py_None) {
            std::memset(cell, 0, sizeof(std::uint64_t));
            argument = {cell, sizeof(std::uint64_t)};
            return true;
        }
        if (has_buffer(value)) {
            return bytes_of(value, index, cell, argument);
        }
        argument = {cell, sizeof(std::uint64_t)};
        const Reference interface(PyObject_GetAttrString(value, "__cuda_array_interface__"));
        if (interface) {
            return store_pointer(value, cell);
        }
        PyErr_Clear();
        return refuse_argument(index, "a NumPy or ctypes number, a handle, a structure, an int or a float", value);
    }

private:
    static bool has_buffer(PyObject* value) { return PyObject_CheckBuffer(value) != 0; }

    bool refuse_argument(Py_ssize_t index, const char* expected, PyObject* value) {
        const Reference name(PyUnicode_FromFormat("%s: argument %zd", place_.name, index));
        const char* const text = name ? PyUnicode_AsUTF8AndSize(name.get(), nullptr) : nullptr;
        return text != nullptr && refuse({place_.owner, place_.separator, text}, expected, value);
    }

    bool store_pointer(PyObject* value, void* cell) {
        std::uint64_t address = 0;
        if (!PyLong_Check(value) && value != Py_None && !is_instance(value) && has_buffer(value)) {
            // c_void_p has a buffer too, but what is meant is its value.
            const Reference inner(PyObject_GetAttrString(value, "value"));
            if (inner) {
                return address_of(inner.get(), address, frame_, place_) &&
                       (std::memcpy(cell, &address, sizeof address), true);
            }
            PyErr_Clear();
        }
        if (!address_of(value, address, frame_, place_)) {
            return false;
        }
        std::memcpy(cell, &address, sizeof address);
        return true;
    }

    bool store_special(const CType& number, PyObject* value, void* cell) {
        const Reference inner(PyLong_Check(value) || PyUnicode_Check(value) || PyBytes_Check(value)
                                  ? nullptr
                                  : PyObject_GetAttrString(value, "value"));
        PyErr_Clear();
        PyObject* const read = inner ? inner.get() : value;
        if (number.special == Special::boolean) {
            const int truth = PyObject_IsTrue(read);
            *static_cast<unsigned char*>(cell) = truth != 0 ? 1 : 0;
            return truth >= 0;
        }
        if (number.special == Special::character && PyBytes_Check(read) && PyBytes_Size(read) == 1) {
            *static_cast<char*>(cell) = PyBytes_AsString(read)[0];
            return true;
        }
        if (number.special == Special::wide_character && PyUnicode_Check(read) && PyUnicode_GetLength(read) == 1) {
            const std::uint32_t character = PyUnicode_ReadChar(read, 0);
            std::memcpy(cell, &character, sizeof character);
            return true;
        }
        return store(*number.type, read, cell, place_);
    }

    // A number of Python's: as large as the kernel's parameter is.
    bool sized(PyObject* value, Py_ssize_t index, void* cell, Argument& argument) {
        const std::size_t bytes =
            parameter_size_ != nullptr ? parameter_size_(kernel_, static_cast<std::size_t>(index)) : 0;
        const bool is_real = PyFloat_Check(value);
        Type* type = nullptr;
        switch (bytes) {
            case 1:
                type = is_real ? nullptr : &types::int8;
                break;
            case 2:
                type = is_real ? nullptr : &types::int16;
                break;
            case 4:
                type = is_real ? &types::float32 : &types::int32;
                break;
            case 8:
                type = is_real ? &types::float64 : &types::int64;
                break;
            default:
                break;
        }
        if (type == nullptr) {
            if (bytes == 0) {
                return refuse_argument(index,
                                       "a number with a size, such as numpy.int32 or ctypes.c_int (the size of "
                                       "the kernel's parameter is not known)",
                                       value);
            }
            PyErr_Format(PyExc_TypeError, "%s%s%s: argument %zd: the kernel's parameter has %zu bytes, which no %s has",
                         place_.owner, place_.separator, place_.name, index, bytes, is_real ? "float" : "int");
            return false;
        }
        argument = {cell, bytes};
        if (is_real) {
            return store(*type, value, cell, place_);
        }
        // Whether the parameter is signed is not known: both ranges will do.
        int outside = 0;
        const long long number = PyLong_AsLongLongAndOverflow(value, &outside);
        const bool is_large = outside > 0 || (outside == 0 && bytes < 8 && number >= (1LL << (bytes * 8 - 1)));
        static Type* const unsigned_types[] = {&types::uint8, &types::uint16, nullptr, &types::uint32,
                                               nullptr,       nullptr,        nullptr, &types::uint64};
        return store(is_large ? *unsigned_types[bytes - 1] : *type, value, cell, place_);
    }

    bool bytes_of(PyObject* value, Py_ssize_t index, void* cell, Argument& argument) {
        Py_buffer view;
        if (PyObject_GetBuffer(value, &view, PyBUF_FORMAT | PyBUF_ND) != 0) {
            return false;
        }
        const auto bytes = static_cast<std::size_t>(view.len);
        bool done = false;
        if (view.ndim != 0) {
            refuse_argument(index, "one value, not an array (host memory cannot be a kernel argument)", value);
        } else {
            void* const copy = bytes <= sizeof(std::uint64_t) ? cell : frame_.take(bytes);
            if (copy != nullptr) {
                std::memcpy(copy, view.buf, bytes);
                argument = {copy, bytes};
                if (Type* const number = type_of_format(view.format); number != nullptr && number->size == bytes) {
                    remember_numpy_number(Py_TYPE(value), number);
                }
                done = true;
            }
        }
        PyBuffer_Release(&view);
        return done;
    }

    std::uint64_t kernel_;
    ParameterSize parameter_size_;
    Frame& frame_;
    const Place& place_;
};

PyObject* item_of(PyObject* list, Py_ssize_t index) {
    return PyTuple_Check(list) ? PyTuple_GetItem(list, index) : PyList_GetItem(list, index);
}

// Fills `arguments`, which is in `frame`; `count` is how many. Null if `object` is no list: an address.
bool read_list(PyObject* object, std::uint64_t kernel, ParameterSize parameter_size, Argument*& arguments,
               Py_ssize_t& count, Frame& frame, const Place& place) {
    const bool is_typed = PyTuple_Check(object) && PyTuple_Size(object) == 2 && is_list(PyTuple_GetItem(object, 0)) &&
                          is_list(PyTuple_GetItem(object, 1));
    PyObject* const values = is_typed ? PyTuple_GetItem(object, 0) : object;
    PyObject* const ctypes = is_typed ? PyTuple_GetItem(object, 1) : nullptr;
    count = PySequence_Size(values);
    if (is_typed && PySequence_Size(ctypes) != count) {
        PyErr_Format(PyExc_TypeError, "%s%s%s takes as many types as values, not %zd for %zd", place.owner,
                     place.separator, place.name, PySequence_Size(ctypes), count);
        return false;
    }
    const auto size = static_cast<std::size_t>(count);
    char* const memory = frame.take((size + 1) * (sizeof(Argument) + sizeof(std::uint64_t)));
    if (memory == nullptr) {
        return false;
    }
    arguments = reinterpret_cast<Argument*>(memory);
    char* const cells = memory + (size + 1) * sizeof(Argument);
    Reader reader(kernel, parameter_size, frame, place);
    for (Py_ssize_t i = 0; i < count; ++i) {
        char* const cell = cells + static_cast<std::size_t>(i) * sizeof(std::uint64_t);
        PyObject* const value = item_of(values, i);
        if (value == nullptr || !(is_typed ? reader.typed(value, item_of(ctypes, i), i, cell, arguments[i])
                                           : reader.plain(value, i, cell, arguments[i]))) {
            return false;
        }
    }
    return true;
}

bool array_address(PyObject* object, std::uint64_t& address, Frame& frame, const Place& place) {
    if (object != Py_None && !PyLong_Check(object) &&
        (is_instance(object) || PyUnicode_Check(object) || PyObject_CheckBuffer(object) == 0)) {
        return refuse(place, "a list of values, ((values), (ctypes)), the address of an array of pointers or None",
                      object);
    }
    return address_of(object, address, frame, place);
}

}  // namespace

bool kernel_arguments_of(PyObject* object, std::uint64_t kernel, ParameterSize parameter_size, std::uint64_t& address,
                         Frame& frame, const Place& place) {
    if (!is_list(object)) {
        return array_address(object, address, frame, place);
    }
    Argument* arguments = nullptr;
    Py_ssize_t count = 0;
    if (!read_list(object, kernel, parameter_size, arguments, count, frame, place)) {
        return false;
    }
    // The pointers take the places of what has been read: an argument is larger than a pointer.
    auto* const pointers = reinterpret_cast<char*>(arguments);
    for (Py_ssize_t i = 0; i < count; ++i) {
        const void* const data = arguments[i].data;
        std::memcpy(pointers + static_cast<std::size_t>(i) * sizeof data, &data, sizeof data);
    }
    address = reinterpret_cast<std::uintptr_t>(pointers);
    return true;
}

bool kernel_arguments_to_keep(PyObject* object, std::uint64_t& address, Reference& memory, const Place& place) {
    Frame frame;
    if (!is_list(object)) {
        Py_INCREF(object);
        memory = Reference(object);
        return array_address(object, address, frame, place);
    }
    Argument* arguments = nullptr;
    Py_ssize_t count = 0;
    if (!read_list(object, 0, nullptr, arguments, count, frame, place)) {
        return false;
    }
    const auto aligned = [](std::size_t bytes) { return (bytes + 15) & ~std::size_t{15}; };
    std::size_t bytes = aligned(static_cast<std::size_t>(count) * sizeof(void*)) + 16;
    for (Py_ssize_t i = 0; i < count; ++i) {
        bytes += aligned(arguments[i].bytes);
    }
    memory = Reference(PyByteArray_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(bytes)));
    if (!memory) {
        return false;
    }
    address = aligned(reinterpret_cast<std::uintptr_t>(PyByteArray_AsString(memory.get())));
    auto* const pointers = reinterpret_cast<char*>(address);
    char* data = pointers + aligned(static_cast<std::size_t>(count) * sizeof(void*));
    for (Py_ssize_t i = 0; i < count; ++i) {
        std::memcpy(data, arguments[i].data, arguments[i].bytes);
        std::memcpy(pointers + static_cast<std::size_t>(i) * sizeof data, &data, sizeof data);
        data += aligned(arguments[i].bytes);
    }
    return true;
}

}  // namespace cuprum::python
