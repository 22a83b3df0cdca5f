// Arithmetic with the meaning of other languages than C++, as text that operators may use.
#pragma once

#include <string_view>

namespace cuprum::parallel {

/// The name that an operator's text says before each of these functions. Only then are they part of its program.
inline constexpr std::string_view arithmetic_namespace = "cuprum_arithmetic::";

/// What defines them: what traced functions of Python (with NumPy's meaning), of C# and of Java are written with. None
/// has an input for which C++ leaves the result undefined.
std::string_view arithmetic_text();

}  // namespace cuprum::parallel
