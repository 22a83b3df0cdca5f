// What a kernel's parameter is, as one of the sources of such knowledge tells it: a mangled name, the kernel's
// declaration, PTX.
#pragma once

#include <cstdint>
#include <string>

#include "cuprum/core/kernel.hpp"

namespace cuprum::core {

struct ParameterType {
    ArgumentKind kind = ArgumentKind::unknown;
    uint64_t size = 0;   // bytes; 0 where it is not known
    std::string text{};  // as C++ writes it, "const float*"; empty where that is not known
};

// Longer texts help nobody who reads an error, and a crafted name could make them as long as it likes.
constexpr size_t longest_type_text = 100;

}  // namespace cuprum::core
