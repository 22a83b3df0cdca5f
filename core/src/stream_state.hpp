#pragma once

#include <cstdint>
#include <memory>

#include "captured_streams.hpp"
#include "cuprum/core/live_objects.hpp"
#include "cuprum/core/stream.hpp"
#include "driver_api.hpp"

namespace cuprum::core {

// The driver's stream, shared by its owner and the buffers that are freed in it; destroyed with the last of them.
struct Stream::State {
    CUstream handle = nullptr;
    int32_t device_id = 0;
    bool owned = false;  // from own() to disown()
    KnownStream known;
    detail::LiveCount<ObjectKind::stream> live;
    std::shared_ptr<const void> context_owner;  // of the green context that it is in; goes last

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State();

    // The driver's stream exists: it is destroyed with the last owner of the state.
    static void own(const std::shared_ptr<State>& state) noexcept;
    // It is the caller's from then on.
    void disown() noexcept;
};

struct StreamAccess {
    static bool is_of_primary_context(const StreamRef& stream) { return stream.is_of_primary_context_; }
};

}  // namespace cuprum::core
