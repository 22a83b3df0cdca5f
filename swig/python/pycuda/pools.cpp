// Memory pools' blocks: which are free, in bins of sizes, and how many there are. The interpreter's lock is held
// throughout, so that threads may share a pool.
#include <Python.h>
#include <structmember.h>

#include <bit>
#include <cstddef>
#include <new>
#include <unordered_map>
#include <vector>

#include "objects.hpp"
#include "reference.hpp"

namespace cuprum::python::pycuda {

namespace {

using Addresses = std::vector<std::uint64_t>;
using Bins = std::unordered_map<std::uint64_t, Addresses>;

/// The base of MemoryPoolBase.
struct PoolObject {
    PyObject_HEAD PyObject* context;  // `_context`; may be null
    Bins* bins;                       // the free blocks, by the number of their bin; null before the first
    int leading_bits;                 // of a size, which tell bins apart
    char is_holding;                  // false after stop_holding()
    Py_ssize_t held;
    Py_ssize_t active;
    unsigned long long managed_bytes;
    unsigned long long active_bytes;
    static inline PyTypeObject* type = nullptr;
};

std::uint64_t bin_of(const PoolObject& pool, std::uint64_t size) {
    const auto exponent = static_cast<int>(std::bit_width(size | 1)) - 1;
    const int shift = exponent - pool.leading_bits;
    const std::uint64_t leading = shift >= 0 ? size >> shift : size << -shift;
    const std::uint64_t mask = (std::uint64_t{1} << pool.leading_bits) - 1;
    return static_cast<std::uint64_t>(exponent) << pool.leading_bits | (leading & mask);
}

// The bytes of a bin's blocks: the largest size that is in it. The exponent is below 64.
std::uint64_t bytes_of(const PoolObject& pool, std::uint64_t bin) {
    const std::uint64_t one = 1;
    const auto exponent = static_cast<int>(bin >> pool.leading_bits);
    const int shift = exponent - pool.leading_bits;
    const std::uint64_t head = one << pool.leading_bits | (bin & ((one << pool.leading_bits) - 1));
    return shift < 0 ? head >> -shift : head << shift | ((one << shift) - 1);
}

bool size_from(PyObject* object, std::uint64_t& size) {
    const Reference number(PyNumber_Index(object));
    size = number ? PyLong_AsUnsignedLongLong(number.get()) : 0;
    return PyErr_Occurred() == nullptr;
}

PyObject* bin_number(PyObject* self, PyObject* given) {
    std::uint64_t size = 0;
    return size_from(given, size) ? PyLong_FromUnsignedLongLong(bin_of(as<PoolObject>(self), size)) : nullptr;
}

PyObject* alloc_size(PyObject* self, PyObject* given) {
    const auto& pool = as<PoolObject>(self);
    std::uint64_t bin = 0;
    if (!size_from(given, bin)) {
        return nullptr;
    }
    if (bin >> pool.leading_bits >= 64) {
        return PyErr_Format(PyExc_OverflowError, "alloc_size: blocks of the bin %R have more than 2^64 bytes", given);
    }
    return PyLong_FromUnsignedLongLong(bytes_of(pool, bin));
}

// A block for `size` bytes that was kept; 0 where there is none.
std::uint64_t take_block(PoolObject& pool, std::uint64_t size) {
    if (pool.held == 0) {
        return 0;
    }
    const auto found = pool.bins->find(bin_of(pool, size));
    if (found == pool.bins->end() || found->second.empty()) {
        return 0;
    }
    const std::uint64_t address = found->second.back();
    found->second.pop_back();
    --pool.held;
    ++pool.active;
    pool.active_bytes += size;
    return address;
}

PyObject* take_held(PyObject* self, PyObject* given) {
    std::uint64_t size = 0;
    if (!size_from(given, size)) {
        return nullptr;
    }
    return PyLong_FromUnsignedLongLong(take_block(as<PoolObject>(self), size));
}

PyObject* count_new(PyObject* self, PyObject* given) {
    auto& pool = as<PoolObject>(self);
    std::uint64_t size = 0;
    if (!size_from(given, size)) {
        return nullptr;
    }
    ++pool.active;
    pool.managed_bytes += bytes_of(pool, bin_of(pool, size));
    pool.active_bytes += size;
    Py_RETURN_NONE;
}

PyObject* take_all_held(PyObject* self, PyObject* /*unused*/) {
    auto& pool = as<PoolObject>(self);
    Reference addresses(PyList_New(0));
    if (!addresses || pool.bins == nullptr) {
        return addresses.release();
    }
    // Out of the pool before lists are made, which may run finalizers that give blocks back.
    Bins taken;
    taken.swap(*pool.bins);
    pool.held = 0;
    for (const auto& [bin, free] : taken) {
        pool.managed_bytes -= bytes_of(pool, bin) * free.size();
    }
    for (const auto& [bin, free] : taken) {
        for (const std::uint64_t address : free) {
            const Reference number(PyLong_FromUnsignedLongLong(address));
            if (!number || PyList_Append(addresses.get(), number.get()) != 0) {
                return nullptr;
            }
        }
    }
    return addresses.release();
}

// A block of a DeviceMemoryPool, where one is kept.
PyObject* allocate_pooled(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    static PythonName python_class("cuprum.compat.pycuda._pools", "PooledDeviceAllocation");
    const Arguments arguments{values, count, names};
    auto& pool = as<PoolObject>(self);
    PyObject* const given = arguments.only();
    const Py_ssize_t size = given != nullptr && PyLong_Check(given) != 0 ? PyLong_AsSsize_t(given) : -1;
    if (size < 0 || pool.held == 0 || pool.context == nullptr || current_context() != pool.context) {
        PyErr_Clear();
        return cuprum_python::call_method(self, "_allocate", arguments);
    }
    MemoryObject* const memory = make_memory(python_class, size, pool.context);
    if (memory == nullptr) {
        return nullptr;
    }
    auto* const object = reinterpret_cast<PyObject*>(memory);
    memory->address = take_block(pool, static_cast<std::uint64_t>(size));
    if (memory->address == 0) {
        Py_DECREF(object);
        return cuprum_python::call_method(self, "_allocate", arguments);
    }
    memory->pool = Py_NewRef(self);
    return object;
}

void deallocate_pool(PyObject* self) {
    auto& pool = as<PoolObject>(self);
    Py_XDECREF(pool.context);
    delete pool.bins;
    free_object(self);
}

}  // namespace

bool is_pool(PyObject* object) {
    return PyObject_TypeCheck(object, PoolObject::type) != 0;
}

PyObject* give_back_to_pool(PyObject* self, std::uint64_t address, Py_ssize_t size) {
    auto& pool = as<PoolObject>(self);
    const std::uint64_t bin = bin_of(pool, static_cast<std::uint64_t>(size));
    --pool.active;
    pool.active_bytes -= static_cast<std::uint64_t>(size);
    if (pool.is_holding != 0) {
        try {
            if (pool.bins == nullptr) {
                pool.bins = new Bins;
            }
            (*pool.bins)[bin].push_back(address);
            ++pool.held;
            Py_RETURN_NONE;
        } catch (const std::bad_alloc&) {  // no room to remember it in
        }
    }
    pool.managed_bytes -= bytes_of(pool, bin);
    return PyObject_CallMethod(self, "_release", "K", static_cast<unsigned long long>(address));
}

bool add_pools(PyObject* module) {
    static PyMemberDef members[] = {
        {"held_blocks", T_PYSSIZET, offsetof(PoolObject, held), READONLY, "Blocks that are free, and kept."},
        {"active_blocks", T_PYSSIZET, offsetof(PoolObject, active), READONLY, "Blocks that are in use."},
        {"managed_bytes", T_ULONGLONG, offsetof(PoolObject, managed_bytes), READONLY,
         "Bytes of all blocks, free or in use."},
        {"active_bytes", T_ULONGLONG, offsetof(PoolObject, active_bytes), READONLY,
         "Bytes of the blocks in use, as they were asked for."},
        {"_context", T_OBJECT_EX, offsetof(PoolObject, context), 0, "The context that it serves."},
        {"_leading_bits", T_INT, offsetof(PoolObject, leading_bits), 0, "Bits of a size that tell bins apart."},
        {"_is_holding", T_BOOL, offsetof(PoolObject, is_holding), 0, "False after ``stop_holding``."},
        {nullptr, 0, 0, 0, nullptr}};
    static PyMethodDef methods[] = {
        {"bin_number", &bin_number, METH_O, "bin_number($self, size, /)\n--\n\nThe bin of a size."},
        {"alloc_size", &alloc_size, METH_O, "alloc_size($self, bin_nr, /)\n--\n\nThe bytes of a block of that bin."},
        quick_call("_allocate_pooled", &allocate_pooled,
                   "_allocate_pooled($self, /, size)\n--\n\n``size`` bytes of device memory, at least."),
        {"_take_held", &take_held, METH_O, "A block for that size that was kept, as an address; 0 if there is none."},
        {"_count_new", &count_new, METH_O, "Counts a new block for that size, which is in use."},
        {"_take_all_held", &take_all_held, METH_NOARGS, "The addresses of all blocks that were kept."},
        {nullptr, nullptr, 0, nullptr}};
    static PyType_Slot slots[] = {{Py_tp_members, members},
                                  {Py_tp_methods, methods},
                                  {Py_tp_dealloc, reinterpret_cast<void*>(&deallocate_pool)},
                                  {0, nullptr}};
    static PyType_Spec specification{"cuprum.compat.pycuda._native.PoolBase", sizeof(PoolObject), 0,
                                     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    PoolObject::type = add_type(module, "PoolBase", specification);
    return PoolObject::type != nullptr;
}

}  // namespace cuprum::python::pycuda
