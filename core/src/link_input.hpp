// Whether code can be given to nvJitLink, which believes what an image says of its own sizes and reads past its end
// where it claims more than there is (seen with 13.0).
#pragma once

#include <string>
#include <string_view>

#include "cuprum/core/object_code.hpp"

namespace cuprum::core {

// Checks that `code`, which is followed by a NUL, is of the kind that it is said to be, and whole: see check_image();
// of a library each member. LTO-IR is checked no further than that. Throws InvalidArgument.
void check_link_input(CodeType type, std::string_view code, const std::string& object);

}  // namespace cuprum::core
