// The state that an operator was built with, as a kernel is passed it.
#pragma once

#include "../call.hpp"

namespace cuprum::parallel::distributed {

inline Raw operator_bytes(const Operator& op) {
    static constexpr std::byte nothing{0};
    return op.state() ? Raw{op.state()->data(), op.state()->size()} : Raw{&nothing, 1};
}

}  // namespace cuprum::parallel::distributed
