// The parameter types that a mangled name holds (Itanium C++ ABI, "Mangling").
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "parameter_type.hpp"

namespace cuprum::core {

// Of "_Z5saxpyfPKfPfi": float, const float*, float*, int. None for a name that is not mangled, or that has something in
// it that is not understood here. Types with a name of their own (classes, enumerations) are of unknown kind. Linear in
// the name's length, of whatever it is made.
std::optional<std::vector<ParameterType>> parameters_of_mangled_name(std::string_view name);

}  // namespace cuprum::core
