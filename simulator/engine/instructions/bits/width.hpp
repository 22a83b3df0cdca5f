// Operands of instructions that look at the size of their type alone. Part of the sources that are compiled once per
// instruction set.
#pragma once

#include "engine/execution/lanes.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {

enum class Width : uint8_t { none, predicate, w16, w32, w64 };
inline Width width_of(ScalarType type) {
    switch (ptx::size_of(type)) {
        case 1:
            return type == ScalarType::pred ? Width::predicate : Width::none;
        case 2:
            return Width::w16;
        case 4:
            return Width::w32;
        case 8:
            return Width::w64;
        default:
            return Width::none;
    }
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
