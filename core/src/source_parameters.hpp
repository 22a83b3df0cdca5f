// The parameter types that the kernels' declarations in a CUDA C++ source tell.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "parameter_type.hpp"

namespace cuprum::core {

// By name, for what is declared as `__global__ void name(...)`, as an extern "C" kernel is. Macros are not expanded and
// headers not read, so this is what the source says and not what was compiled: where something else is known of a
// parameter, it must agree. A parameter of another type than the builtin ones, the standard integers, CUDA's half
// precision types and pointers is of unknown kind. A name that is declared in several ways is left out.
using DeclaredKernels = std::map<std::string, std::vector<ParameterType>, std::less<>>;
DeclaredKernels kernels_in_source(std::string_view source);

}  // namespace cuprum::core
