#pragma once

#include <cstdint>

#include "cuprum/core/context.hpp"
#include "cuprum/core/live_objects.hpp"
#include "driver_api.hpp"

namespace cuprum::core {

// The driver's context, shared by the copies of a Context and the streams that were created in it.
struct Context::State {
    CUcontext handle = nullptr;
    CUgreenCtx green = nullptr;  // null where it is none
    int32_t device_id = 0;
    bool owned = false;  // the green context is to be destroyed
    detail::Alive<ObjectKind::context> alive;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State();
};

}  // namespace cuprum::core
