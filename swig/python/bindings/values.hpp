// Numbers, handles, structures, text and addresses: from Python to C and back.
#pragma once

#include "frame.hpp"
#include "instance.hpp"
#include "tables.hpp"

namespace cuprum::python {

/// What a value is for, named in errors: "cuMemAlloc: bytesize", "CUDA_MEMCPY2D.Height".
struct Place {
    const char* owner;
    const char* separator;
    const char* name;
};

/// TypeError: "<place> takes <expected>, not <type of object>". Gives false.
bool refuse(const Place& place, const char* expected, PyObject* object);

/// Stores `object` as a value of `type` at `data`. False with TypeError or OverflowError set.
bool store(Type& type, PyObject* object, void* data, const Place& place);

/// The value of `type` at `data`. Structures are views of it if there is an `owner` and copies otherwise. A new
/// reference.
PyObject* load(Type& type, const void* data, PyObject* owner);

/// `count` values as a list; characters as bytes.
PyObject* load_array(Type& type, const void* data, std::size_t count, PyObject* owner);

/// The address that `object` stands for: None, an int, a handle that is
/// one, a structure, a buffer (held by `frame`), or an object with __cuda_array_interface__. False with TypeError set.
bool address_of(PyObject* object, std::uint64_t& address, Frame& frame, const Place& place);

/// The address of text that ends in NUL: None, str, bytes, a buffer.
bool text_of(PyObject* object, std::uint64_t& address, Frame& frame, const Place& place);

/// The address of values of `type`: None, one value, a sequence of them, an int, a buffer.
bool elements_of(Type& type, PyObject* object, std::uint64_t& address, Frame& frame, const Place& place);

/// The address of a list of texts, or of addresses.
bool texts_of(PyObject* object, std::uint64_t& address, Frame& frame, const Place& place);
bool addresses_of(PyObject* object, std::uint64_t& address, Frame& frame, const Place& place);

/// Whether `object` is a list or a tuple.
inline bool is_list(PyObject* object) {
    return PyList_Check(object) || PyTuple_Check(object);
}

/// Whether `object` is a number of Python's or one that says that it is an integer (`__index__`).
bool is_integer(PyObject* object);

}  // namespace cuprum::python
