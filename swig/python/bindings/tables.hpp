// What the generated tables say of the CUDA libraries: their types, and the functions with what Python passes for each
// of C's parameters. The tables are data; classes.cpp makes Python classes of the types, call.cpp calls the functions.
#pragma once

#include <Python.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cuprum/capi/bindings.h"

namespace cuprum::python {

struct Type;

/// One enumerator.
struct Enumerator {
    const char* name;
    std::int64_t value;
};

/// What a field of a structure holds.
enum class Form : std::uint8_t {
    value,      ///< one value of the field's type
    array,      ///< `count` values; characters are bytes
    address,    ///< a pointer to anything: an int
    text,       ///< const char*: bytes
    elements,   ///< a pointer to values of the field's type: a list
    addresses,  ///< void**: a kernel's parameters
};

struct Field {
    const char* name;
    Type* type;
    std::uint32_t offset;  ///< bytes
    std::uint32_t count;   ///< of an array, else 1
    Form form;
};

enum class Kind : std::uint8_t {
    signed_integer,
    unsigned_integer,
    real,
    character,
    enumeration,
    handle,     ///< a typedef of a pointer or a number that has a Python class of its own
    structure,  ///< also a union
};

/// One type. Types have static storage; what the interpreter knows of one is kept beside what the table says.
struct Type {
    const char* name;    ///< as C spells it
    const char* module;  ///< that the class says it is from, "cuprum.bindings.driver"
    Kind kind;
    std::uint32_t size;       ///< bytes
    std::uint32_t alignment;  ///< bytes
    bool is_signed = false;   ///< handles that are numbers, enumerations
    bool is_number = false;   ///< handles: repr in decimal
    std::span<const Enumerator> enumerators = {};
    std::span<const Field> fields = {};

    /// The Python class once it is made; an own reference, kept for good.
    PyObject* python_class = nullptr;
    /// Of an enumeration: its members by value, and the one of value 0.
    PyObject* members = nullptr;
    PyObject* zero = nullptr;
};

/// How Python passes one parameter of C.
enum class Passing : std::uint8_t {
    value,             ///< a number, an enumerator, a handle
    structure,         ///< a structure by value
    address,           ///< void*: None, an int, a handle, a buffer
    text,              ///< const char*: None, str, bytes
    texts,             ///< const char* const*: a list of them
    addresses,         ///< void* const*: a list of what `address` takes
    elements,          ///< const T*: None, one T, a list of T, an int, a buffer
    kernel_arguments,  ///< void**: see kernel_arguments.hpp
    option_values,     ///< void**: values that stand where pointers do, of the options that `partner` has
    function,          ///< a pointer to a function: a callable where `partner` is its user data
    user_data,         ///< of the function that `partner` is: any object with a callable, else an address
    by_attribute,      ///< void*: a value whose type the attribute that `partner` is says
    buffer,            ///< char*: memory to write to; an int is how many bytes to return
    out,               ///< T*: returned
    out_text,          ///< const char**: returned as bytes
    out_address,       ///< void**: returned as an int
    out_bytes,         ///< char*: returned as bytes, as many as `partner` says, or `count`
    out_string,        ///< char*: returned as bytes, up to its NUL; the memory has room for `count`
    out_elements,  ///< T*: returned as a list, as many as `partner` says, or `count`; room for `count` if there is one
    in_out_count,  ///< size_t*: room for that many elements; returned is how many there are
    in_out,        ///< T*: a value that the call replaces and that is returned
    out_by_attribute,       ///< void*: returned; its type is what the attribute that `partner` is says
    out_list_by_attribute,  ///< void**: returned as a list, for the attributes that `partner` has
    out_borrowed,           ///< T**: the library's own memory, returned as a list as long as `partner` says
    capacity,               ///< size_t*: how many bytes the memory of `partner` has; neither passed nor returned
};

/// The type of the value of an attribute.
struct Attribute {
    std::int64_t attribute;
    Type* type;
    std::uint32_t count = 1;  ///< more than one: text; 0: an array, as long as the first argument says
};

struct Parameter {
    const char* name;
    const char* c_type;  ///< for messages, "CUdevice*"
    Type* type;          ///< of the value or of what is pointed to; null for addresses and text
    Passing passing;
    std::int8_t partner = -1;  ///< the position of the parameter that belongs with this one
    bool optional = false;     ///< Python may leave it out: 0 is meant
    std::uint32_t count = 0;
    std::span<const Attribute> attributes = {};
    std::int8_t counted_by = -1;  ///< the position of the number of elements, of an array that Python passes
    bool is_written = false;      ///< the library writes there, and NULL is no value of it
};

/// What a C function returns.
enum class Result : std::uint8_t { status, text, structure };

constexpr std::size_t max_parameters = 16;

struct Function {
    const char* name;
    const char* documentation;              ///< PyMethodDef::ml_doc, with the signature
    std::span<const Parameter> parameters;  ///< in C's order
    /// The positions of those that Python passes, in Python's order.
    std::span<const std::int8_t> arguments;
    std::uint8_t required;  ///< how many arguments cannot be left out
    std::uint8_t returned;  ///< how many values stand after the status
    Result result;
    bool blocking;      ///< may wait: the interpreter is let go meanwhile
    bool checked;       ///< what Python passes has arrays with a count, or places that are written to
    std::int8_t later;  ///< position of a parameter that calls made for an older toolkit lack; -1 if there is none
    Type* status_type;
    Type* structure_type;  ///< of the result if it is a structure, else null
    std::uint8_t library;
    /// Calls the function. Null until it is called first.
    std::atomic<cuprum_bindings_invoke> invoke{nullptr};
};

/// One name of a module that is no function: a type, or a constant.
struct Name {
    const char* name;
    Type* type;  ///< null: a constant
    std::int64_t value;
    bool is_unsigned = false;
};

enum : std::uint8_t {
    driver_library,
    runtime_library,
    nvrtc_library,
    nvjitlink_library,
    nvvm_library,
    nvml_library,
    nccl_library,
    library_count
};

struct Library {
    const char* name;               ///< "driver"
    const char* title;              ///< "CUDA driver"
    PyMethodDef* methods;           ///< ends with a null entry
    std::span<Function> functions;  ///< sorted
    std::span<const Name> names;    ///< sorted
};

/// All of them, by their number.
const std::array<Library, library_count>& libraries();

/// Null if the library has no function of that name.
Function* find_function(std::uint8_t library, const char* name);

Library driver_tables();
Library runtime_tables();
Library nvrtc_tables();
Library nvjitlink_tables();
Library nvvm_tables();
Library nvml_tables();
Library nccl_tables();

namespace types {
extern Type int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64, character;
}

}  // namespace cuprum::python
