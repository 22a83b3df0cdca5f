// DLPack capsules, made and taken: https://dmlc.github.io/dlpack/latest/ (version 1.0 of the structs) and the array API
// standard's __dlpack__. What the numbers mean is for cuprum.core._dlpack.
//
// Construct and use everything here with the GIL held; deleters may be called by anyone, at any time.
#pragma once

#include <Python.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace cuprum_python::dlpack {

struct Device {
    int32_t type;
    int32_t id;
};
struct DataType {
    uint8_t code;
    uint8_t bits;
    uint16_t lanes;
};
struct Tensor {
    void* data;
    Device device;
    int32_t ndim;
    DataType dtype;
    int64_t* shape;
    int64_t* strides;      // in elements; null where the elements are contiguous
    uint64_t byte_offset;  // of the first element from `data`
};
// What capsules named "dltensor" hold.
struct Unversioned {
    static constexpr const char* name = "dltensor";
    static constexpr const char* used_name = "used_dltensor";
    Tensor tensor;
    void* context;
    void (*deleter)(Unversioned*);
};
// What capsules named "dltensor_versioned" hold. The first four members stay where they are in every version.
struct Versioned {
    static constexpr const char* name = "dltensor_versioned";
    static constexpr const char* used_name = "used_dltensor_versioned";
    static constexpr uint64_t read_only_flag = 1;
    struct {
        uint32_t major;
        uint32_t minor;
    } version;
    void* context;
    void (*deleter)(Versioned*);
    uint64_t flags;
    Tensor tensor;
};
static_assert(sizeof(Tensor) == 48 && sizeof(Unversioned) == 64 && sizeof(Versioned) == 80);

template <class Managed>
void destroy(Managed* managed) {
    if (managed->deleter != nullptr) managed->deleter(managed);
}

// --- Giving memory away.

template <class Managed>
struct Exported {
    Managed managed{};
    std::vector<int64_t> shape;
    std::vector<int64_t> strides;
    PyObject* owner = nullptr;

    // After the interpreter's end the owner leaks: there is nobody left to free it.
    static void release(Managed* managed) {
        auto* const exported = static_cast<Exported*>(managed->context);
        if (Py_IsInitialized() == 0) return;
        const PyGILState_STATE state = PyGILState_Ensure();
        Py_DECREF(exported->owner);
        delete exported;
        PyGILState_Release(state);
    }
};

// Of a capsule that nobody has taken; the name of one that was taken has been changed.
template <class Managed>
void destroy_capsule(PyObject* capsule) {
    if (PyCapsule_IsValid(capsule, Managed::name) == 0) return;
    destroy(static_cast<Managed*>(PyCapsule_GetPointer(capsule, Managed::name)));
}

inline bool read_numbers(PyObject* tuple, std::vector<int64_t>& numbers) {
    if (PyTuple_Check(tuple) == 0) {
        PyErr_SetString(PyExc_TypeError, "a shape is a tuple of integers");
        return false;
    }
    for (Py_ssize_t i = 0; i < PyTuple_Size(tuple); ++i) {
        numbers.push_back(PyLong_AsLongLong(PyTuple_GetItem(tuple, i)));
        if (numbers.back() == -1 && PyErr_Occurred() != nullptr) return false;
    }
    return true;
}

// Of contiguous elements in row-major order.
inline std::vector<int64_t> strides_of(const std::vector<int64_t>& shape) {
    std::vector<int64_t> strides(shape.size());
    int64_t stride = 1;
    for (size_t i = shape.size(); i-- > 0;) {
        strides[i] = stride;
        stride *= shape[i];
    }
    return strides;
}

// A capsule, which keeps `owner`. `strides`, in elements, has as many numbers as `shape`; None: contiguous elements.
template <class Managed>
PyObject* give(PyObject* owner, uint64_t address, Device device, DataType dtype, PyObject* shape, PyObject* strides,
               uint64_t flags) {
    auto exported = std::make_unique<Exported<Managed>>();
    if (!read_numbers(shape, exported->shape)) return nullptr;
    if (strides == Py_None) {
        exported->strides = strides_of(exported->shape);
    } else if (!read_numbers(strides, exported->strides)) {
        return nullptr;
    }
    Managed& managed = exported->managed;
    if constexpr (requires { managed.version; }) {
        managed.version = {1, 0};
        managed.flags = flags;
    }
    managed.tensor = {reinterpret_cast<void*>(static_cast<uintptr_t>(address)),
                      device,
                      static_cast<int32_t>(exported->shape.size()),
                      dtype,
                      exported->shape.data(),
                      exported->strides.data(),
                      0};
    managed.context = exported.get();
    managed.deleter = &Exported<Managed>::release;
    PyObject* const capsule = PyCapsule_New(&managed, Managed::name, &destroy_capsule<Managed>);
    if (capsule == nullptr) return nullptr;
    Py_INCREF(owner);
    exported->owner = owner;
    static_cast<void>(exported.release());  // the capsule's, and then its taker's
    return capsule;
}

inline PyObject* make_capsule(PyObject* owner, unsigned long long address, int device_type, int device_id, int code,
                              int bits, PyObject* shape, PyObject* strides, int is_read_only, int is_versioned) {
    const DataType dtype{static_cast<uint8_t>(code), static_cast<uint8_t>(bits), 1};
    const Device device{device_type, device_id};
    return is_versioned != 0 ? give<Versioned>(owner, address, device, dtype, shape, strides,
                                               is_read_only != 0 ? Versioned::read_only_flag : 0)
                             : give<Unversioned>(owner, address, device, dtype, shape, strides, 0);
}

// --- Taking memory.

constexpr const char* taken_name = "cuprum_taken_dltensor";

template <class Managed>
void release_taken(PyObject* keeper) {
    destroy(static_cast<Managed*>(PyCapsule_GetPointer(keeper, taken_name)));
}

inline PyObject* tuple_of(const int64_t* numbers, int32_t count) {
    PyObject* const tuple = PyTuple_New(count);
    for (int32_t i = 0; tuple != nullptr && i < count; ++i)
        PyTuple_SetItem(tuple, i, PyLong_FromLongLong(numbers[i]));  // takes the number over
    return tuple;
}

// (address, device type, device id, type code, bits, lanes, shape, strides or None, is read-only, keeper). The memory
// is the caller's until the keeper dies, which calls the deleter. The capsule is renamed, so that nobody takes it
// again.
template <class Managed>
PyObject* take(PyObject* capsule) {
    auto* const managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, Managed::name));
    if (managed == nullptr) return nullptr;
    uint64_t flags = 0;
    if constexpr (requires { managed->version; }) {
        if (managed->version.major != 1) {
            PyErr_Format(PyExc_BufferError, "the DLPack capsule is of version %u.%u; this package reads 1.x",
                         managed->version.major, managed->version.minor);
            return nullptr;
        }
        flags = managed->flags;
    }
    PyObject* const keeper = PyCapsule_New(managed, taken_name, &release_taken<Managed>);
    if (keeper == nullptr) return nullptr;
    if (PyCapsule_SetName(capsule, Managed::used_name) != 0) {
        PyCapsule_SetDestructor(keeper, nullptr);  // it remains the capsule's
        Py_DECREF(keeper);
        return nullptr;
    }
    const Tensor& tensor = managed->tensor;
    PyObject* const shape = tuple_of(tensor.shape, tensor.ndim);
    PyObject* strides = nullptr;
    if (tensor.strides != nullptr) {
        strides = tuple_of(tensor.strides, tensor.ndim);
    } else {
        strides = Py_None;
        Py_INCREF(strides);
    }
    const unsigned long long address = reinterpret_cast<uintptr_t>(tensor.data) + tensor.byte_offset;
    // N: the new references go into the tuple, or are dropped where it cannot be made.
    return Py_BuildValue("(KiiiiiNNNN)", address, tensor.device.type, tensor.device.id,
                         static_cast<int>(tensor.dtype.code), static_cast<int>(tensor.dtype.bits),
                         static_cast<int>(tensor.dtype.lanes), shape, strides,
                         PyBool_FromLong((flags & Versioned::read_only_flag) != 0), keeper);
}

inline PyObject* take_capsule(PyObject* capsule) {
    if (PyCapsule_IsValid(capsule, Versioned::name) != 0) return take<Versioned>(capsule);
    if (PyCapsule_IsValid(capsule, Unversioned::name) != 0) return take<Unversioned>(capsule);
    const bool is_used = PyCapsule_IsValid(capsule, Versioned::used_name) != 0 ||
                         PyCapsule_IsValid(capsule, Unversioned::used_name) != 0;
    PyErr_SetString(PyExc_BufferError, is_used ? "the DLPack capsule was taken before; call __dlpack__() again"
                                               : "__dlpack__() returned no DLPack capsule");
    return nullptr;
}

}  // namespace cuprum_python::dlpack
