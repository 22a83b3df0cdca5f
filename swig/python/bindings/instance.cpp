#include "instance.hpp"

#include <cstdio>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include "fields.hpp"
#include "reference.hpp"
#include "values.hpp"

namespace cuprum::python {

namespace {

PyObject* base_class = nullptr;

// The type that a class was made of. Classes live for good, and are made with the interpreter locked.
std::unordered_map<const PyTypeObject*, Type*>& types_by_class() {
    static auto* const map = new std::unordered_map<const PyTypeObject*, Type*>;
    return *map;
}

// Values that want more than the allocator's 16 bytes, such as CUtensorMap's 64.
std::size_t slack_of(const Type& type) {
    return type.alignment > 16 ? type.alignment : 0;
}

char* own_bytes(Instance* instance) {
    char* const bytes = reinterpret_cast<char*>(instance) + sizeof(Instance);
    const std::size_t alignment = instance->type->alignment > 16 ? instance->type->alignment : 16;
    return bytes + (-reinterpret_cast<std::uintptr_t>(bytes) & (alignment - 1));
}

Instance* allocate(Type& type) {
    // Zeroed.
    auto* const instance =
        reinterpret_cast<Instance*>(PyType_GenericAlloc(reinterpret_cast<PyTypeObject*>(type.python_class), 0));
    if (instance != nullptr) {
        instance->type = &type;
        instance->data = own_bytes(instance);
    }
    return instance;
}

void deallocate(PyObject* self) {
    auto* const instance = as_instance(self);
    PyTypeObject* const python_type = Py_TYPE(self);
    Py_XDECREF(instance->owner);
    Py_XDECREF(instance->kept);
    PyObject_Free(self);
    Py_DECREF(python_type);
}

PyObject* construct(PyTypeObject* python_type, PyObject* positional, PyObject* keywords) {
    Type& type = *types_by_class().at(python_type);
    if (PyTuple_Size(positional) == 0 && keywords == nullptr) {
        return reinterpret_cast<PyObject*>(allocate(type));
    }
    PyObject* initial = nullptr;
    PyObject* address = nullptr;
    if (type.kind == Kind::structure) {
        static char pointer[] = "_ptr";
        static char* names[] = {pointer, nullptr};
        const std::string format = "|O:" + std::string(type.name);
        if (PyArg_ParseTupleAndKeywords(positional, keywords, format.c_str(), names, &address) == 0) {
            return nullptr;
        }
    } else {
        static char value[] = "init_value";
        static char pointer[] = "_ptr";
        static char* names[] = {value, pointer, nullptr};
        const std::string format = "|OO:" + std::string(type.name);
        if (PyArg_ParseTupleAndKeywords(positional, keywords, format.c_str(), names, &initial, &address) == 0) {
            return nullptr;
        }
    }
    std::uint64_t bytes = 0;
    if (address != nullptr && !store(types::uint64, address, &bytes, {type.name, ": ", "_ptr"})) {
        return nullptr;
    }
    Reference made(reinterpret_cast<PyObject*>(allocate(type)));
    if (!made) {
        return nullptr;
    }
    Instance* const instance = as_instance(made.get());
    if (bytes != 0) {
        instance->data = reinterpret_cast<char*>(bytes);
    } else if (initial != nullptr && !store(type, initial, instance->data, {type.name, ": ", "init_value"})) {
        return nullptr;
    }
    return made.release();
}

PyObject* get_pointer(PyObject* self, PyObject*) {
    return PyLong_FromUnsignedLongLong(reinterpret_cast<std::uintptr_t>(as_instance(self)->data));
}

// --- handles ---------------------------------------------------------------------------------------------------------

PyObject* handle_int(PyObject* self) {
    const Instance& handle = *as_instance(self);
    const std::uint64_t value = handle_value(handle);
    return handle.type->is_signed ? PyLong_FromLongLong(static_cast<std::int64_t>(value))
                                  : PyLong_FromUnsignedLongLong(value);
}

PyObject* handle_repr(PyObject* self) {
    const Instance& handle = *as_instance(self);
    const std::uint64_t value = handle_value(handle);
    char text[32];
    if (!handle.type->is_number) {
        std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    } else if (handle.type->is_signed) {
        std::snprintf(text, sizeof text, "%lld", static_cast<long long>(value));
    } else {
        std::snprintf(text, sizeof text, "%llu", static_cast<unsigned long long>(value));
    }
    return PyUnicode_FromFormat("<%s %s>", handle.type->name, text);
}

Py_hash_t handle_hash(PyObject* self) {
    const auto hash = static_cast<Py_hash_t>(handle_value(*as_instance(self)));
    return hash == -1 ? -2 : hash;
}

PyObject* handle_compare(PyObject* self, PyObject* other, int operation) {
    if ((operation != Py_EQ && operation != Py_NE) || Py_TYPE(self) != Py_TYPE(other)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    const bool equal = handle_value(*as_instance(self)) == handle_value(*as_instance(other));
    return PyBool_FromLong(equal == (operation == Py_EQ) ? 1 : 0);
}

// --- making classes --------------------------------------------------------------------------------------------------

PyMethodDef base_methods[] = {
    {"getPtr", &get_pointer, METH_NOARGS, "getPtr($self, /)\n--\n\nThe address of the value."},
    {nullptr, nullptr, 0, nullptr}};

PyObject* make_class(Type& type) {
    // Kept for good: the class points into both.
    auto* const name = new std::string(std::string(type.module) + "." + type.name);
    std::vector<PyType_Slot> slots = {{Py_tp_new, reinterpret_cast<void*>(&construct)},
                                      {Py_tp_dealloc, reinterpret_cast<void*>(&deallocate)}};
    if (type.kind == Kind::structure) {
        auto* const fields = new std::vector<PyGetSetDef>;
        fields->reserve(type.fields.size() + 1);
        for (const Field& field : type.fields) {
            fields->push_back(
                {field.name, &get_field, &set_field, nullptr, const_cast<void*>(static_cast<const void*>(&field))});
        }
        fields->push_back({nullptr, nullptr, nullptr, nullptr, nullptr});
        slots.push_back({Py_tp_getset, fields->data()});
        slots.push_back({Py_tp_repr, reinterpret_cast<void*>(&structure_repr)});
    } else {
        slots.push_back({Py_nb_int, reinterpret_cast<void*>(&handle_int)});
        slots.push_back({Py_nb_index, reinterpret_cast<void*>(&handle_int)});
        slots.push_back({Py_tp_repr, reinterpret_cast<void*>(&handle_repr)});
        slots.push_back({Py_tp_hash, reinterpret_cast<void*>(&handle_hash)});
        slots.push_back({Py_tp_richcompare, reinterpret_cast<void*>(&handle_compare)});
    }
    slots.push_back({0, nullptr});
    const std::size_t bytes = sizeof(Instance) + ((std::size_t{type.size} + 7) & ~std::size_t{7}) + slack_of(type);
    PyType_Spec specification = {name->c_str(), static_cast<int>(bytes), 0, Py_TPFLAGS_DEFAULT, slots.data()};
    const Reference bases(PyTuple_Pack(1, base_class));
    if (!bases) {
        return nullptr;
    }
    PyObject* const made = PyType_FromSpecWithBases(&specification, bases.get());
    if (made != nullptr) {
        types_by_class()[reinterpret_cast<PyTypeObject*>(made)] = &type;
    }
    return made;
}

PyObject* make_enumeration(Type& type) {
    const Reference module(PyImport_ImportModule("enum"));
    const Reference factory(module ? PyObject_GetAttrString(module.get(), "IntEnum") : nullptr);
    const Reference pairs(PyList_New(static_cast<Py_ssize_t>(type.enumerators.size())));
    if (!factory || !pairs) {
        return nullptr;
    }
    Py_ssize_t position = 0;
    for (const Enumerator& enumerator : type.enumerators) {
        PyObject* const pair = Py_BuildValue("sL", enumerator.name, static_cast<long long>(enumerator.value));
        if (pair == nullptr || PyList_SetItem(pairs.get(), position++, pair) != 0) {
            return nullptr;
        }
    }
    const Reference positional(Py_BuildValue("sO", type.name, pairs.get()));
    const Reference keywords(Py_BuildValue("{ss}", "module", type.module));
    if (!positional || !keywords) {
        return nullptr;
    }
    Reference made(PyObject_Call(factory.get(), positional.get(), keywords.get()));
    Reference members(made ? PyDict_New() : nullptr);
    if (!members) {
        return nullptr;
    }
    for (const Enumerator& enumerator : type.enumerators) {
        const Reference value(PyLong_FromLongLong(enumerator.value));
        const Reference member(PyObject_GetAttrString(made.get(), enumerator.name));
        if (!value || !member || PyDict_SetItem(members.get(), value.get(), member.get()) != 0) {
            return nullptr;
        }
        if (enumerator.value == 0) {
            type.zero = member.get();  // kept by the class
        }
    }
    type.members = members.release();
    return made.release();
}

}  // namespace

bool prepare_instances() {
    PyType_Slot slots[] = {
        {Py_tp_methods, base_methods},
        {Py_tp_dealloc, reinterpret_cast<void*>(&deallocate)},
        {Py_tp_doc, const_cast<char*>("A value of C: a handle, a structure or a union.")},
        {0, nullptr},
    };
    PyType_Spec specification = {"cuprum.bindings.Value", sizeof(Instance), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    base_class = PyType_FromSpec(&specification);
    return base_class != nullptr;
}

PyObject* class_of(Type& type) {
    if (type.python_class == nullptr) {
        type.python_class = type.kind == Kind::enumeration ? make_enumeration(type) : make_class(type);
    }
    return type.python_class;
}

Instance* new_instance(Type& type) {
    return class_of(type) != nullptr ? allocate(type) : nullptr;
}

Instance* new_view(Type& type, char* data, PyObject* owner) {
    Instance* const view = new_instance(type);
    if (view != nullptr) {
        view->data = data;
        Py_INCREF(owner);
        view->owner = owner;
    }
    return view;
}

bool is_instance(PyObject* object) {
    return PyObject_TypeCheck(object, reinterpret_cast<PyTypeObject*>(base_class)) != 0;
}

std::uint64_t handle_value(const Instance& handle) {
    if (handle.type->size == sizeof(std::uint64_t)) {
        std::uint64_t value;
        std::memcpy(&value, handle.data, sizeof value);
        return value;
    }
    std::uint32_t value;
    std::memcpy(&value, handle.data, sizeof value);
    return handle.type->is_signed ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(value)}) : value;
}

PyObject* enumerator_of(Type& type, std::int64_t value) {
    if (value == 0 && type.zero != nullptr) {  // the status of nearly every call
        Py_INCREF(type.zero);
        return type.zero;
    }
    if (class_of(type) == nullptr) {
        return nullptr;
    }
    PyObject* const number = PyLong_FromLongLong(value);
    if (number == nullptr) {
        return nullptr;
    }
    PyObject* const member = PyDict_GetItemWithError(type.members, number);
    if (member == nullptr) {
        return PyErr_Occurred() != nullptr ? (Py_DECREF(number), nullptr) : number;
    }
    Py_INCREF(member);
    Py_DECREF(number);
    return member;
}

}  // namespace cuprum::python
