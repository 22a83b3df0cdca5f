// Python objects as kernel arguments.
#pragma once

#include <Python.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "buffer_handle.hpp"
#include "cuprum/cuprum.h"
#include "type_name.hpp"

namespace cuprum_python {

// Types whose objects are known not to have __cuda_array_interface__: NumPy's scalars above all, for which asking takes
// longer than the rest of their conversion, since the answer no is an exception. Only static types are kept: neither
// they nor, as a rule, their objects get attributes later on, and they are never freed.
class StaticTypes {
public:
    struct Entry {
        const PyTypeObject* type;
        // CUPRUM_ARGUMENT_INT_BYTES or FLOAT_BYTES where every object of the type is such a number: asking each of them
        // for its format takes as long again. 0 before that was asked, -1 where it depends on the object.
        int32_t kind;
    };
    // Null where it is not known.
    Entry* find(const PyTypeObject* type) {
        for (size_t i = 0; i < size_; ++i) {
            if (entries_[i].type == type) return &entries_[i];
        }
        return nullptr;
    }
    // Null where it cannot be kept.
    Entry* add(PyTypeObject* type) {
        if (size_ == entries_.size() || (PyType_GetFlags(type) & Py_TPFLAGS_HEAPTYPE) != 0) return nullptr;
        entries_[size_] = {type, 0};
        return &entries_[size_++];
    }

private:
    std::array<Entry, 16> entries_{};
    size_t size_ = 0;
};

// Whether the type is that of NumPy's scalars of one kind, and not an array's.
inline bool is_numpy_number(PyTypeObject* type) {
    PyObject* const name = PyUnicode_FromString("numpy");
    PyObject* const numpy = name == nullptr ? nullptr : PyImport_GetModule(name);
    bool is_number = false;
    for (const char* base_name : {"number", "bool_"}) {
        PyObject* const base = numpy == nullptr ? nullptr : PyObject_GetAttrString(numpy, base_name);
        is_number = is_number || (base != nullptr && PyType_Check(base) != 0 &&
                                  PyType_IsSubtype(type, reinterpret_cast<PyTypeObject*>(base)) != 0);
        Py_XDECREF(base);
    }
    Py_XDECREF(numpy);
    Py_XDECREF(name);
    PyErr_Clear();
    return is_number;
}

inline StaticTypes& types_without_interface() {
    static StaticTypes types;
    return types;
}

// Converts Python objects to cuprum_argument, without allocation for kernels of up to 64 parameters of up to
// 16 bytes each. What an argument means:
//
//   Buffer                                  its device address
//   bool, int                               an integer of the parameter's width; a real number for a real parameter
//   float                                   a real number of the parameter's width
//   complex                                 two float64
//   has __cuda_array_interface__            its device address
//   NumPy scalar, ctypes scalar             exactly its bytes, of an integer or of a real number
//   NumPy and ctypes structs                exactly their bytes (whatever exports a buffer without dimensions)
//   bytes                                   exactly these bytes, for structs
//   TextureObject, SurfaceObject            its handle
//   TensorMapDescriptor                     its 128 bytes
//
// Number, width and, as far as they are known, types are checked by the C ABI against the kernel itself. Anything else
// is a TypeError that names the position, counted from 0. Construct, use and destroy it with the GIL held.
class KernelArguments {
public:
    KernelArguments() = default;
    KernelArguments(const KernelArguments&) = delete;
    KernelArguments& operator=(const KernelArguments&) = delete;

    bool open(PyObject* const* objects, Py_ssize_t count) {
        make_room(count);
        for (uint32_t i = 0; i < size_; ++i) {
            if (!convert(objects[i], i)) return false;
        }
        return true;
    }

    const cuprum_argument* data() const { return size_ > few_.size() ? many_.data() : few_.data(); }
    uint32_t size() const { return size_; }
    // Whether there is a Python float among them.
    bool has_float() const { return has_float_; }

private:
    using Scalar = std::array<unsigned char, 16>;

    void make_room(Py_ssize_t count) {
        size_ = static_cast<uint32_t>(count);
        if (size_ > few_.size()) {
            many_.resize(size_);
            many_scalars_.resize(size_);
        }
    }

    bool convert(PyObject* object, uint32_t position) {
        cuprum_argument& argument = size_ > few_.size() ? many_[position] : few_[position];
        argument.size = 0;
        if (PyLong_Check(object)) return convert_integer(object, position, argument);
        if (PyFloat_CheckExact(object)) return convert_float(object, argument);
        if (is_a<BufferObject>(object)) return convert_buffer(object, position, argument);
        return convert_other(object, position, argument);
    }

    bool convert_integer(PyObject* object, uint32_t position, cuprum_argument& argument) {
        int overflow = 0;
        const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
        if (overflow == 0) {
            if (value == -1 && PyErr_Occurred() != nullptr) return false;
            argument.kind = CUPRUM_ARGUMENT_INT;
            argument.value.i64 = value;
            return true;
        }
        const unsigned long long wide = overflow > 0 ? PyLong_AsUnsignedLongLong(object) : 0;
        if (overflow < 0 || PyErr_Occurred() != nullptr) {
            PyErr_Clear();
            PyErr_Format(PyExc_OverflowError, "kernel argument %u: the integer %S does not fit into 64 bits", position,
                         object);
            return false;
        }
        argument.kind = CUPRUM_ARGUMENT_UINT;
        argument.value.u64 = wide;
        return true;
    }

    bool convert_float(PyObject* object, cuprum_argument& argument) {
        has_float_ = true;
        argument.kind = CUPRUM_ARGUMENT_FLOAT;
        argument.value.f64 = PyFloat_AsDouble(object);
        return true;
    }

    bool convert_buffer(PyObject* object, uint32_t position, cuprum_argument& argument) {
        const auto handle = handle_of<cuprum_buffer>(object);
        if (handle == nullptr) {
            const std::string operation = std::string("launching a kernel") + ", argument " + std::to_string(position);
            Py_XDECREF(PyObject_CallMethod(object, "_refuse_closed", "s", operation.c_str()));
            return false;
        }
        argument.kind = CUPRUM_ARGUMENT_BUFFER;
        argument.value.buffer = handle;
        return true;
    }

    bool convert_other(PyObject* object, uint32_t position, cuprum_argument& argument) {
        PyTypeObject* const type = Py_TYPE(object);
        StaticTypes::Entry* known = types_without_interface().find(type);
        if (known == nullptr) {
            // Asked for once: what answers may be a property that computes.
            PyObject* const interface = PyObject_GetAttrString(object, "__cuda_array_interface__");
            if (interface != nullptr) return convert_array_interface(object, interface, position, argument);
            if (PyErr_ExceptionMatches(PyExc_AttributeError) == 0) return false;
            PyErr_Clear();
            known = types_without_interface().add(type);
        }
        if (PyObject_CheckBuffer(object)) return convert_bytes(object, position, known, argument);
        if (PyFloat_Check(object)) return convert_float(object, argument);
        if (PyComplex_Check(object)) {
            const double parts[2] = {PyComplex_RealAsDouble(object), PyComplex_ImagAsDouble(object)};
            return keep(parts, sizeof(parts), CUPRUM_ARGUMENT_BYTES, position, argument);
        }
        // Texture and surface objects: their handles, of 64 bits even where they are small numbers. Tensor maps: bytes.
        if (PyObject* const number = PyObject_GetAttrString(object, "_kernel_argument"); number != nullptr) {
            if (PyBytes_Check(number) != 0) {
                const bool is_kept = keep(PyBytes_AsString(number), static_cast<size_t>(PyBytes_Size(number)),
                                          CUPRUM_ARGUMENT_BYTES, position, argument);
                Py_DECREF(number);
                return is_kept;
            }
            const unsigned long long handle = PyLong_AsUnsignedLongLong(number);
            Py_DECREF(number);
            if (PyErr_Occurred() != nullptr) return false;
            return keep(&handle, sizeof(handle), CUPRUM_ARGUMENT_INT_BYTES, position, argument);
        }
        if (PyErr_ExceptionMatches(PyExc_AttributeError) == 0) return false;
        PyErr_Clear();
        PyErr_Format(
            PyExc_TypeError,
            "kernel argument %u: %S cannot be passed to a kernel; pass a Buffer, an int, float, bool or complex, "
            "a NumPy or ctypes scalar, bytes, or an object with __cuda_array_interface__",
            position, TypeName(object).get());
        return false;
    }

    // `interface` becomes this function's.
    bool convert_array_interface(PyObject* object, PyObject* interface, uint32_t position, cuprum_argument& argument) {
        PyObject* data = PyDict_Check(interface) ? PyDict_GetItemString(interface, "data") : nullptr;
        const bool has_address = data != nullptr && PyTuple_Check(data) && PyTuple_Size(data) == 2;
        const unsigned long long address = has_address ? PyLong_AsUnsignedLongLong(PyTuple_GetItem(data, 0)) : 0;
        Py_DECREF(interface);
        if (!has_address || PyErr_Occurred() != nullptr) {
            PyErr_Clear();
            PyErr_Format(PyExc_TypeError,
                         "kernel argument %u: the __cuda_array_interface__ of %S has no 'data': (address, read_only)",
                         position, TypeName(object).get());
            return false;
        }
        argument.kind = CUPRUM_ARGUMENT_POINTER;
        argument.value.u64 = address;
        return true;
    }

    // `known`: what is known of the object's type; may be null.
    bool convert_bytes(PyObject* object, uint32_t position, StaticTypes::Entry* known, cuprum_argument& argument) {
        Py_buffer view;
        const bool is_number = known != nullptr && known->kind > 0;
        if (PyObject_GetBuffer(object, &view, is_number ? PyBUF_CONTIG_RO : PyBUF_CONTIG_RO | PyBUF_FORMAT) != 0) {
            return false;
        }
        if (is_number) {
            const bool is_kept = keep(view.buf, static_cast<size_t>(view.len), known->kind, position, argument);
            PyBuffer_Release(&view);
            return is_kept;
        }
        // With dimensions it is memory of the host, which a kernel cannot reach; bytes are the exception, because
        // struct.pack makes them.
        const bool is_bytes = PyBytes_Check(object) != 0;
        const char* const format = is_bytes || view.format == nullptr ? "" : view.format;
        const bool is_value = view.ndim == 0 || is_bytes;
        bool done = false;
        if (is_value && (*format == '>' || *format == '!') && view.len > 1 &&
            kind_of(format) != CUPRUM_ARGUMENT_BYTES) {
            PyErr_Format(PyExc_TypeError,
                         "kernel argument %u: %S is big-endian, which the device would misread; convert it to the "
                         "machine's own order",
                         position, TypeName(object).get());
        } else if (is_value) {
            const int32_t kind = kind_of(format);
            if (known != nullptr && known->kind == 0) {
                known->kind = kind != CUPRUM_ARGUMENT_BYTES && is_numpy_number(Py_TYPE(object)) ? kind : -1;
            }
            done = keep(view.buf, static_cast<size_t>(view.len), kind, position, argument);
        } else {
            PyErr_Format(
                PyExc_TypeError,
                "kernel argument %u: %S is memory of the host, which a kernel cannot reach; copy it to a Buffer "
                "(Device.allocate, Buffer.copy_from_host) and pass that",
                position, TypeName(object).get());
        }
        PyBuffer_Release(&view);
        return done;
    }

    // What a buffer of that format is (the struct module's letters): one number, or bytes.
    static int32_t kind_of(const char* format) {
        if (*format != '\0' && std::strchr("@=<>!^", *format) != nullptr) ++format;
        if (*format == '\0' || format[1] != '\0') return CUPRUM_ARGUMENT_BYTES;
        if (std::strchr("?bBhHiIlLqQnNP", *format) != nullptr) return CUPRUM_ARGUMENT_INT_BYTES;
        return std::strchr("efd", *format) != nullptr ? CUPRUM_ARGUMENT_FLOAT_BYTES : CUPRUM_ARGUMENT_BYTES;
    }

    // Copies, so that no buffer has to stay open during the launch.
    bool keep(const void* data, size_t size, int32_t kind, uint32_t position, cuprum_argument& argument) {
        unsigned char* place = nullptr;
        if (size <= sizeof(Scalar)) {
            place = (size_ > few_.size() ? many_scalars_[position] : few_scalars_[position]).data();
        } else if (size <= 4096 * 8) {  // beyond any kernel's parameter space (32764 bytes)
            structs_.push_back(std::make_unique<unsigned char[]>(size));
            place = structs_.back().get();
        } else {
            PyErr_Format(PyExc_ValueError, "kernel argument %u: %zu bytes are more than a kernel's parameters can hold",
                         position, size);
            return false;
        }
        std::memcpy(place, data, size);
        argument.kind = kind;
        argument.size = static_cast<uint32_t>(size);
        argument.value.bytes = place;
        return true;
    }

    uint32_t size_ = 0;
    bool has_float_ = false;
    std::array<cuprum_argument, 64> few_;
    std::array<Scalar, 64> few_scalars_;
    std::vector<cuprum_argument> many_;
    std::vector<Scalar> many_scalars_;
    std::vector<std::unique_ptr<unsigned char[]>> structs_;
};

}  // namespace cuprum_python
