// The patterns that memory is filled with.
#pragma once

#include <cstdint>
#include <string>

#include "cuprum/core/error.hpp"
#include "describe.hpp"

namespace cuprum::core {

// Throws unless `pattern` is one of `size` bytes, and the driver can fill with that many. `operation` and `object` are
// looked at only after a failure.
template <class Operation, class Object>
void require_pattern(uint32_t pattern, uint32_t size, const Operation& operation, const Object& object) {
    if (size != 1 && size != 2 && size != 4) {
        throw InvalidArgument(describe(operation), describe(object),
                              "a pattern has 1, 2 or 4 bytes, not " + std::to_string(size));
    }
    if (size < 4 && (pattern >> (8 * size)) != 0) {
        throw InvalidArgument(describe(operation), describe(object),
                              "the pattern " + hexadecimal(pattern) + " does not fit into " + std::to_string(size) +
                                  (size == 1 ? " byte" : " bytes"));
    }
}

}  // namespace cuprum::core
