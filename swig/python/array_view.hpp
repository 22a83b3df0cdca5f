// Arrays in device memory, of Cuprum's own class and of other libraries: where their elements lie, how many and of
// which type they are. They are asked each time, since one that was seen before may have been given other memory.
#pragma once

#include <Python.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "buffer_handle.hpp"
#include "device_array.hpp"
#include "reference.hpp"

namespace cuprum_python {

// Contiguous elements on a device, as an array says at this moment that they are.
struct ArrayView {
    uint64_t address = 0, size = 0;
    Reference dtype;  // NumPy's or PyTorch's, or the text of the interface
    bool is_read_only = false;
    // Whose work is to be waited for, by its handle.
    bool has_producer = false;
    uint64_t producer = 0;

    bool is_like(const ArrayView& other) const {
        return address == other.address && size == other.size && is_read_only == other.is_read_only &&
               has_same_dtype(other.dtype.get());
    }

private:
    bool has_same_dtype(PyObject* other) const {
        if (dtype.get() == other) return true;
        return PyUnicode_Check(other) != 0 && PyUnicode_Check(dtype.get()) != 0 &&
               PyUnicode_Compare(dtype.get(), other) == 0;
    }
};

// What kind of array the objects of a type are.
enum class ArrayKind { none, device_array, tensor, with_interface };

inline ArrayKind kind_of_type(PyTypeObject* type) {
    if (PyType_IsSubtype(type, DeviceArrayObject::type) != 0 && is_type(type, "cuprum.parallel._arrays", "DeviceArray"))
        return ArrayKind::device_array;  // not what derives from it, which may answer otherwise
    if (is_type(type, "torch", "Tensor")) return ArrayKind::tensor;
    static PyObject* const interface = interned("__cuda_array_interface__");
    const Reference found = attribute_of(reinterpret_cast<PyObject*>(type), interface);
    return found ? ArrayKind::with_interface : ArrayKind::none;
}

// The same, remembered for the types that were seen last, which are kept.
inline ArrayKind kind_of_array(PyObject* object) {
    struct Known {
        Reference type;
        ArrayKind kind = ArrayKind::none;
    };
    static auto* const known = new std::array<Known, 8>;
    static size_t next = 0;
    PyTypeObject* const type = Py_TYPE(object);
    for (const Known& each : *known) {
        if (each.type.get() == reinterpret_cast<PyObject*>(type)) return each.kind;
    }
    const ArrayKind kind = kind_of_type(type);
    Known& place = (*known)[next++ % known->size()];
    place.type = Reference::to(reinterpret_cast<PyObject*>(type));
    place.kind = kind;
    return kind;
}

inline bool read_device_array(PyObject* object, ArrayView& view) {
    const auto& array = as<DeviceArrayObject>(object);
    if (array.buffer == nullptr || array.dtype == nullptr || !is_a<BufferObject>(array.buffer)) return false;
    const auto memory = handle_of<cuprum_buffer>(array.buffer);
    if (memory == nullptr) return false;
    const uint64_t begin = native_of(cuprum_buffer_native, array.buffer, memory);
    if (begin == unknown_native) return false;
    view.address = begin + static_cast<uint64_t>(array.offset);
    view.size = static_cast<uint64_t>(array.size);
    view.dtype = Reference::to(array.dtype);
    return true;
}

// PyTorch's own interface is Python code: these are methods in C.
inline bool read_tensor(PyObject* tensor, ArrayView& view) {
    static PyObject* const requires_grad = interned("requires_grad");
    static PyObject* const is_cuda = interned("is_cuda");
    static PyObject* const is_contiguous = interned("is_contiguous");
    static PyObject* const data_ptr = interned("data_ptr");
    static PyObject* const numel = interned("numel");
    static PyObject* const dtype = interned("dtype");
    if (attribute_of(tensor, requires_grad).get() != Py_False || !is_true(tensor, is_cuda) ||
        answer_of(tensor, is_contiguous).get() != Py_True) {
        return false;
    }
    view.dtype = attribute_of(tensor, dtype);
    return view.dtype && read_number(answer_of(tensor, data_ptr), view.address) &&
           read_number(answer_of(tensor, numel), view.size);
}

inline bool read_interface(PyObject* array, ArrayView& view) {
    static PyObject* const name = interned("__cuda_array_interface__");
    static PyObject* const dtype = interned("dtype");
    const Reference interface = attribute_of(array, name);
    if (!interface || PyDict_Check(interface.get()) == 0) return false;
    const auto item = [&](const char* key) { return PyDict_GetItemString(interface.get(), key); };
    PyObject* const data = item("data");
    PyObject* const shape = item("shape");
    PyObject* const strides = item("strides");
    PyObject* const typestr = item("typestr");
    PyObject* const mask = item("mask");
    PyObject* const stream = item("stream");
    const bool is_plain = data != nullptr && PyTuple_Check(data) != 0 && PyTuple_Size(data) == 2 && shape != nullptr &&
                          PyTuple_Check(shape) != 0 && (strides == nullptr || strides == Py_None) &&
                          (mask == nullptr || mask == Py_None);
    if (!is_plain || !read_number(Reference::to(PyTuple_GetItem(data, 0)), view.address)) return false;
    view.is_read_only = PyTuple_GetItem(data, 1) != Py_False;
    view.size = 1;
    for (Py_ssize_t i = 0; i < PyTuple_Size(shape); ++i) {
        uint64_t length = 0;
        if (!read_number(Reference::to(PyTuple_GetItem(shape, i)), length)) return false;
        view.size *= length;
    }
    view.has_producer = stream != nullptr && stream != Py_None;
    if (view.has_producer && !read_number(Reference::to(stream), view.producer)) return false;
    view.dtype = attribute_of(array, dtype);
    if (!view.dtype) view.dtype = Reference::to(typestr);
    return static_cast<bool>(view.dtype);
}

// False without a Python error for what Python has to look at.
inline bool read_array(PyObject* object, ArrayKind kind, ArrayView& view) {
    switch (kind) {
        case ArrayKind::device_array:
            return read_device_array(object, view);
        case ArrayKind::tensor:
            return read_tensor(object, view);
        case ArrayKind::with_interface:
            return read_interface(object, view);
        default:
            return false;
    }
}

}  // namespace cuprum_python
