#include "fields.hpp"

#include <cstring>
#include <string>

#include "instance.hpp"
#include "kernel_arguments.hpp"
#include "reference.hpp"
#include "values.hpp"

namespace cuprum::python {

namespace {

const Field& field_of(void* closure) {
    return *static_cast<const Field*>(closure);
}

std::uint64_t pointer_at(const void* place) {
    std::uint64_t address;
    std::memcpy(&address, place, sizeof address);
    return address;
}

// The instance whose bytes `instance` is a view of.
Instance* root_of(Instance* instance) {
    while (instance->owner != nullptr) {
        instance = as_instance(instance->owner);
    }
    return instance;
}

// Keeps what the pointer at `place` leads to for as long as the structure lives, or until another is set. `shown` is
// what the attribute gives back. Takes over both references; null forgets.
bool keep(Instance* instance, const void* place, PyObject* kept, PyObject* shown) {
    const Reference own_kept(kept);
    const Reference own_shown(shown);
    Instance* const root = root_of(instance);
    const Reference key(PyLong_FromUnsignedLongLong(reinterpret_cast<std::uintptr_t>(place)));
    if (!key) {
        return false;
    }
    if (kept == nullptr) {
        if (root->kept != nullptr && PyDict_Contains(root->kept, key.get()) == 1) {
            return PyDict_DelItem(root->kept, key.get()) == 0;
        }
        return true;
    }
    if (root->kept == nullptr) {
        root->kept = PyDict_New();
    }
    const Reference value(Py_BuildValue("OOK", kept, shown, static_cast<unsigned long long>(pointer_at(place))));
    return root->kept != nullptr && value && PyDict_SetItem(root->kept, key.get(), value.get()) == 0;
}

// What was given for the pointer at `place`, if it still leads there: a borrowed reference or null.
PyObject* kept_for(Instance* instance, const void* place) {
    const Instance* const root = root_of(instance);
    const Reference key(PyLong_FromUnsignedLongLong(reinterpret_cast<std::uintptr_t>(place)));
    PyObject* const entry = root->kept != nullptr && key ? PyDict_GetItem(root->kept, key.get()) : nullptr;
    if (entry == nullptr || PyLong_AsUnsignedLongLong(PyTuple_GetItem(entry, 2)) != pointer_at(place)) {
        return nullptr;
    }
    return PyTuple_GetItem(entry, 1);
}

bool set_pointer(Instance* instance, char* place, std::uint64_t address, PyObject* kept, PyObject* shown) {
    std::memcpy(place, &address, sizeof address);
    return keep(instance, place, kept, shown);
}

PyObject* shared(PyObject* object) {
    Py_INCREF(object);
    return object;
}

bool set_array(const Field& field, char* place, PyObject* value, const Place& where) {
    if (field.type->kind == Kind::character) {
        Reference bytes(PyUnicode_Check(value) ? PyUnicode_AsUTF8String(value) : PyBytes_FromObject(value));
        if (!bytes) {
            PyErr_Clear();
            return refuse(where, "bytes", value);
        }
        const Py_ssize_t length = PyBytes_Size(bytes.get());
        if (length > static_cast<Py_ssize_t>(field.count)) {
            PyErr_Format(PyExc_ValueError, "%s.%s takes at most %u bytes, not %zd", where.owner, where.name,
                         field.count, length);
            return false;
        }
        std::memset(place, 0, field.count);
        std::memcpy(place, PyBytes_AsString(bytes.get()), static_cast<std::size_t>(length));
        return true;
    }
    const Reference items(PySequence_Tuple(value));
    if (!items) {
        PyErr_Clear();
        return refuse(where, "a list", value);
    }
    if (PyTuple_Size(items.get()) != static_cast<Py_ssize_t>(field.count)) {
        PyErr_Format(PyExc_ValueError, "%s.%s takes %u values, not %zd", where.owner, where.name, field.count,
                     PyTuple_Size(items.get()));
        return false;
    }
    // All or nothing.
    Frame frame;
    char* const copy = frame.take(std::size_t{field.count} * field.type->size);
    for (std::uint32_t i = 0; copy != nullptr && i < field.count; ++i) {
        if (!store(*field.type, PyTuple_GetItem(items.get(), i), copy + std::size_t{i} * field.type->size, where)) {
            return false;
        }
    }
    if (copy == nullptr) {
        return false;
    }
    std::memcpy(place, copy, std::size_t{field.count} * field.type->size);
    return true;
}

bool set_elements(Instance* instance, const Field& field, char* place, PyObject* value, const Place& where) {
    if (!PyList_Check(value) && !PyTuple_Check(value)) {
        Frame frame;
        std::uint64_t address = 0;
        return elements_of(*field.type, value, address, frame, where) &&
               set_pointer(instance, place, address, shared(value), shared(value));
    }
    const Py_ssize_t count = PySequence_Size(value);
    Reference memory(PyByteArray_FromStringAndSize(nullptr, (count + 1) * static_cast<Py_ssize_t>(field.type->size)));
    if (!memory) {
        return false;
    }
    char* const bytes = PyByteArray_AsString(memory.get());
    for (Py_ssize_t i = 0; i < count; ++i) {
        const Reference item(PySequence_GetItem(value, i));
        if (!item || !store(*field.type, item.get(), bytes + i * static_cast<Py_ssize_t>(field.type->size), where)) {
            return false;
        }
    }
    const auto address = reinterpret_cast<std::uintptr_t>(bytes);
    return set_pointer(instance, place, count == 0 ? 0 : address, memory.release(), shared(value));
}

bool set_text(Instance* instance, char* place, PyObject* value, const Place& where) {
    Reference bytes(PyUnicode_Check(value) ? PyUnicode_AsUTF8String(value) : shared(value));
    Frame frame;
    std::uint64_t address = 0;
    if (!bytes || (!PyBytes_Check(bytes.get()) && !PyLong_Check(value) && value != Py_None)) {
        return bytes && refuse(where, "text (str, bytes or None)", value);
    }
    return text_of(bytes.get(), address, frame, where) &&
           set_pointer(instance, place, address, bytes.release(), shared(value));
}

}  // namespace

PyObject* get_field(PyObject* self, void* closure) {
    Instance* const instance = as_instance(self);
    const Field& field = field_of(closure);
    char* const place = instance->data + field.offset;
    switch (field.form) {
        case Form::value:
            return load(*field.type, place, self);
        case Form::array:
            return load_array(*field.type, place, field.count, self);
        case Form::text: {
            const std::uint64_t address = pointer_at(place);
            if (address == 0) {
                Py_RETURN_NONE;
            }
            return PyBytes_FromString(reinterpret_cast<const char*>(address));
        }
        case Form::elements:
            if (pointer_at(place) == 0) {
                return PyList_New(0);
            }
            [[fallthrough]];
        case Form::addresses:
            if (PyObject* const given = kept_for(instance, place)) {
                return shared(given);
            }
            return PyLong_FromUnsignedLongLong(pointer_at(place));
        case Form::address:
            return PyLong_FromUnsignedLongLong(pointer_at(place));
    }
    return nullptr;
}

int set_field(PyObject* self, PyObject* value, void* closure) {
    Instance* const instance = as_instance(self);
    const Field& field = field_of(closure);
    char* const place = instance->data + field.offset;
    const Place where{instance->type->name, ".", field.name};
    if (value == nullptr) {
        PyErr_Format(PyExc_AttributeError, "%s.%s cannot be deleted", where.owner, where.name);
        return -1;
    }
    bool done = false;
    switch (field.form) {
        case Form::value:
            done = store(*field.type, value, place, where);
            break;
        case Form::array:
            done = set_array(field, place, value, where);
            break;
        case Form::elements:
            done = set_elements(instance, field, place, value, where);
            break;
        case Form::text:
            done = set_text(instance, place, value, where);
            break;
        case Form::address: {
            Frame frame;
            std::uint64_t address = 0;
            done = address_of(value, address, frame, where) &&
                   set_pointer(instance, place, address, shared(value), shared(value));
            break;
        }
        case Form::addresses: {
            Reference memory;
            std::uint64_t address = 0;
            done = kernel_arguments_to_keep(value, address, memory, where) &&
                   set_pointer(instance, place, address, memory.release(), shared(value));
            break;
        }
    }
    return done ? 0 : -1;
}

namespace {

// Never follows a pointer: in a union it need not be one.
PyObject* value_to_show(PyObject* self, const Field& field) {
    if (field.form == Form::text) {
        Instance* const instance = as_instance(self);
        const char* const place = instance->data + field.offset;
        PyObject* const given = kept_for(instance, place);
        return given != nullptr ? shared(given) : PyLong_FromUnsignedLongLong(pointer_at(place));
    }
    return get_field(self, const_cast<void*>(static_cast<const void*>(&field)));
}

}  // namespace

PyObject* structure_repr(PyObject* self) {
    const Instance& instance = *as_instance(self);
    std::string text;
    for (const Field& field : instance.type->fields) {
        const Reference value(value_to_show(self, field));
        const Reference shown(value ? PyObject_Str(value.get()) : nullptr);
        const char* const line = shown ? PyUnicode_AsUTF8AndSize(shown.get(), nullptr) : nullptr;
        if (line == nullptr) {
            return nullptr;
        }
        if (!text.empty()) {
            text += '\n';
        }
        text += field.name;
        if (field.form == Form::value && field.type->kind == Kind::structure) {
            text += " :\n    ";
            for (const char* c = line; *c != '\0'; ++c) {
                text += *c;
                if (*c == '\n') {
                    text += "    ";
                }
            }
        } else {
            text += " : ";
            text += line;
        }
    }
    return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
}

}  // namespace cuprum::python
