// The kernels of a PTX text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parameter_type.hpp"

namespace cuprum::core {

// The kernels (.entry) of a PTX text with the types of their parameters, in order, one a line: "saxpy .f32 .u64 .u32".
// An array is ".b8[]", a pointer that is declared as one ".u64.ptr".
std::string kernels_in_ptx(std::string_view ptx);

// From such lines: the names, each once.
std::vector<std::string> kernel_names(std::string_view kernels);
// From such lines: the parameters of one kernel; none if it is not there. A compiler that writes .u64 means an integer
// or a pointer, and never a real number; .b64 may be any of them.
std::optional<std::vector<ParameterType>> kernel_parameters(std::string_view kernels, std::string_view name);

}  // namespace cuprum::core
