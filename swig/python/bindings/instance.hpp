// The Python objects that stand for a value of C: handles and structures. A class is made of a Type when it is first
// asked for; all of them derive from `cuprum.bindings.Value`.
#pragma once

#include "tables.hpp"

namespace cuprum::python {

/// A handle or a structure. Its bytes are its own and follow it, or they lie within `owner`, or (with `_ptr`) they are
/// the caller's.
struct Instance {
    PyObject_HEAD const Type* type;
    char* data;
    PyObject* owner;  ///< the instance that `data` lies in; null if the bytes are its own
    PyObject* kept;   ///< what the pointers in a structure lead to, a dict by address; null while there is none
};

/// Makes the base class; to be called once.
bool prepare_instances();

/// The class of a handle, structure or enumeration; a borrowed reference. Null with an exception set.
PyObject* class_of(Type& type);

/// A new handle or structure whose bytes are zero.
Instance* new_instance(Type& type);
/// One whose bytes are those at `data`, within `owner`.
Instance* new_view(Type& type, char* data, PyObject* owner);

/// Whether `object` is a handle or a structure of any type.
bool is_instance(PyObject* object);

/// Whether `object` is a handle, structure or enumerator of just this type.
inline bool is_instance_of(PyObject* object, const Type& type) {
    return reinterpret_cast<PyObject*>(Py_TYPE(object)) == type.python_class;
}

inline Instance* as_instance(PyObject* object) {
    return reinterpret_cast<Instance*>(object);
}

/// The number that a handle is.
std::uint64_t handle_value(const Instance& handle);

/// The enumerator of that value, or an int if the enumeration has none. A new reference.
PyObject* enumerator_of(Type& type, std::int64_t value);

}  // namespace cuprum::python
