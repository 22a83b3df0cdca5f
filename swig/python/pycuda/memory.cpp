// Device memory: ContextMemory's base, and mem_alloc.
#include <Python.h>
#include <structmember.h>

#include <cstddef>

#include "objects.hpp"

namespace cuprum::python::pycuda {

PyTypeObject* MemoryObject::type = nullptr;

MemoryObject* make_memory(PythonName& python_class, Py_ssize_t size, PyObject* context) {
    auto* const type = reinterpret_cast<PyTypeObject*>(python_class.get());
    PyObject* const object = type == nullptr ? nullptr : PyType_GenericAlloc(type, 0);
    if (object == nullptr) {
        return nullptr;
    }
    auto* const memory = reinterpret_cast<MemoryObject*>(object);
    memory->size = size;
    memory->context = Py_NewRef(context);
    return memory;
}

namespace {

PyObject* give_back(PyObject* self, std::uint64_t address) {
    static DriverFunction mem_free("cuMemFree");
    const auto& memory = as<MemoryObject>(self);
    if (memory.pool != nullptr && is_pool(memory.pool)) {
        return give_back_to_pool(memory.pool, address, memory.size);
    }
    std::uint64_t status = 0;
    if (memory.is_from_mem_alloc && release_in_current(memory.context, mem_free, address, status)) {
        return none_or_error(status, mem_free);
    }
    return PyObject_CallMethod(self, "_give_back", "K", static_cast<unsigned long long>(address));
}

PyObject* free_memory(PyObject* self, PyObject* /*unused*/) {
    auto& memory = as<MemoryObject>(self);
    const std::uint64_t address = memory.address;
    if (address == 0) {
        return PyObject_CallMethod(self, "_refuse_freed", "s", "free");
    }
    memory.address = 0;
    return give_back(self, address);
}

PyObject* open_address(PyObject* self, PyObject* /*unused*/) {
    const auto& memory = as<MemoryObject>(self);
    if (memory.address == 0) {
        return PyObject_CallMethod(self, "_refuse_freed", "s", "using device memory");
    }
    return PyLong_FromUnsignedLongLong(memory.address);
}

// With the last reference. Where the driver or the context is gone, the memory is as well: failures are not told.
void finalize_memory(PyObject* self) {
    auto& memory = as<MemoryObject>(self);
    const std::uint64_t address = memory.address;
    if (address == 0) {
        return;
    }
    memory.address = 0;
    PyObject *type = nullptr, *error = nullptr, *traceback = nullptr;
    PyErr_Fetch(&type, &error, &traceback);
    PyObject* const done = give_back(self, address);
    Py_XDECREF(done);
    PyErr_Restore(type, error, traceback);
}

// A program may keep memory in an attribute of its pool.
int traverse_memory(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(as<MemoryObject>(self).context);
    Py_VISIT(as<MemoryObject>(self).pool);
    return 0;
}

int clear_memory(PyObject* self) {
    Py_CLEAR(as<MemoryObject>(self).context);
    Py_CLEAR(as<MemoryObject>(self).pool);
    return 0;
}

void deallocate_memory(PyObject* self) {
    PyObject_GC_UnTrack(self);
    clear_memory(self);
    free_object(self);
}

PyObject* mem_alloc(PyObject* /*module*/, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    static PythonName device_allocation("cuprum.compat.pycuda._pointers", "DeviceAllocation");
    static PythonName otherwise("cuprum.compat.pycuda._pointers", "_mem_alloc");
    static DriverFunction allocate("cuMemAlloc");
    const Arguments arguments{values, count, names};
    PyObject* const given = arguments.only();
    const Py_ssize_t size = given != nullptr && PyLong_Check(given) != 0 ? PyLong_AsSsize_t(given) : 0;
    PyObject* const context = size > 0 ? current_context() : nullptr;
    if (context == nullptr) {
        PyErr_Clear();
        return otherwise(arguments);
    }
    MemoryObject* const memory = make_memory(device_allocation, size, context);
    if (memory == nullptr) {
        return nullptr;
    }
    memory->is_from_mem_alloc = true;
    auto* const object = reinterpret_cast<PyObject*>(memory);
    std::uint64_t address = 0;
    const std::uint64_t status = allocate(slot(&address), size);
    if (status != 0) {
        Py_DECREF(object);
        return raise_status(status, allocate, size);
    }
    memory->address = address;
    return object;
}

}  // namespace

bool add_memory(PyObject* module) {
    static PyMemberDef members[] = {
        {"_address", T_ULONGLONG, offsetof(MemoryObject, address), 0, "0 once it is freed."},
        {"size", T_PYSSIZET, offsetof(MemoryObject, size), 0, "Bytes."},
        {"_context", T_OBJECT_EX, offsetof(MemoryObject, context), 0, "Where it is freed."},
        {"_pool", T_OBJECT_EX, offsetof(MemoryObject, pool), 0, "Where it goes back to, if it is from a pool."},
        {nullptr, 0, 0, 0, nullptr}};
    static PyMethodDef methods[] = {
        {"free", &free_memory, METH_NOARGS,
         "free($self, /)\n--\n\nGives the memory back; using it from then on is an error. It is also freed with the "
         "last reference to it."},
        {"_open_address", &open_address, METH_NOARGS, "The address; LogicError once it is freed."},
        {nullptr, nullptr, 0, nullptr}};
    static PyType_Slot slots[] = {{Py_tp_members, members},
                                  {Py_tp_methods, methods},
                                  {Py_tp_finalize, reinterpret_cast<void*>(&finalize_memory)},
                                  {Py_tp_traverse, reinterpret_cast<void*>(&traverse_memory)},
                                  {Py_tp_clear, reinterpret_cast<void*>(&clear_memory)},
                                  {Py_tp_dealloc, reinterpret_cast<void*>(&deallocate_memory)},
                                  {0, nullptr}};
    static PyType_Spec specification{"cuprum.compat.pycuda._native.MemoryBase", sizeof(MemoryObject), 0,
                                     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
    static PyMethodDef functions[] = {
        quick_call("mem_alloc", &mem_alloc,
                   "mem_alloc(bytes)\n--\n\n``bytes`` of device memory in the current context."),
        {nullptr, nullptr, 0, nullptr}};
    MemoryObject::type = add_type(module, "MemoryBase", specification);
    return MemoryObject::type != nullptr && PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace cuprum::python::pycuda
