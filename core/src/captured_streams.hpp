// Which streams are captured: no context can be waited for while one of its streams is, and trying to ends the capture
// (cuCtxSynchronize, CUDA C++ Programming Guide, "Prohibited and unhandled operations").
#pragma once

#include <cstdint>
#include <memory>

#include "cuprum/core/buffer.hpp"
#include "driver_api.hpp"

namespace cuprum::core {

// A stream that core has made, in the list of those; part of what owns it, so that listing it allocates nothing.
struct KnownStream {
    CUstream stream = nullptr;
    int32_t device_id = 0;
    std::weak_ptr<const void> owner;  // keeps the stream
    KnownStream* previous = nullptr;
    KnownStream* next = nullptr;
};

// Streams are known from when they are made until they are destroyed or released. Thread-safe.
void remember_stream(KnownStream& known) noexcept;
void forget_stream(KnownStream& known) noexcept;

// Whether a stream is captured that core has made, a default stream of this thread, or one that the legacy default
// stream waits for. Other code's nonblocking streams are not known.
bool is_any_stream_captured() noexcept;

// For the streams that core has made and that are not captured: what can be waited for beside a capture. `memory` is
// what will be freed, for errors.
void wait_for_known_streams(const BufferRef& memory) noexcept;

}  // namespace cuprum::core
