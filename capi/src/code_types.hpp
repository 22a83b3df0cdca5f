// The C ABI's types of code.
#pragma once

#include <string>

#include "call.hpp"
#include "cuprum/capi/program.h"

namespace cuprum::capi {

/// Throws InvalidArgument for a number that is not one of CUPRUM_CODE_*.
inline core::CodeType compile_target(const Call& call, int32_t code_type) {
    if (code_type < CUPRUM_CODE_NATIVE || code_type > CUPRUM_CODE_LIBRARY) {
        call.refuse("code_type", "is " + std::to_string(code_type) + "; expected one of CUPRUM_CODE_* (0 to 6)");
    }
    return static_cast<core::CodeType>(code_type);
}

}  // namespace cuprum::capi
