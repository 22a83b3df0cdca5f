// The parameters of a kernel, as the driver takes them: an array of pointers to the values. From Python they come as
//
//     ((value, ...), (ctype, ...))   values and their types, of ctypes; None where the value says it itself
//     [value, ...]                   NumPy and ctypes numbers, handles, structures; an int, float or bool has the size
//                                    that the kernel's parameter has
//     an int or a buffer             the array itself
//     None                           no parameters
#pragma once

#include "frame.hpp"
#include "reference.hpp"
#include "values.hpp"

namespace cuprum::python {

/// How many bytes parameter `index` of `kernel` has; 0 if that cannot be known.
using ParameterSize = std::size_t (*)(std::uint64_t kernel, std::size_t index);

/// The address of the array, which is in `frame`. False with an exception set.
bool kernel_arguments_of(PyObject* object, std::uint64_t kernel, ParameterSize parameter_size, std::uint64_t& address,
                         Frame& frame, const Place& place);

/// Same, with the array and copies of the values in `memory`, for structures that keep it.
bool kernel_arguments_to_keep(PyObject* object, std::uint64_t& address, Reference& memory, const Place& place);

}  // namespace cuprum::python
