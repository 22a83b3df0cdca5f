// The processor's rounding modes. Part of the sources that are compiled once per instruction set.
#pragma once

#include <cfenv>
#include <cstdint>

#include "engine/instructions/floating_point/float_aux.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {

// For std::fesetround.
inline int host_rounding(uint32_t aux) {
    switch (aux & float_aux::rounding_mask) {
        case float_aux::zero:
            return FE_TOWARDZERO;
        case float_aux::down:
            return FE_DOWNWARD;
        case float_aux::up:
            return FE_UPWARD;
        default:
            return FE_TONEAREST;
    }
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
