#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cuprum::core {

// The names of the kernels (.entry) in a PTX text, in order, each once.
std::vector<std::string> kernel_names_in_ptx(std::string_view ptx);

}  // namespace cuprum::core
