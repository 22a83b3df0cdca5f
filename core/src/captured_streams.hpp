// Which streams are captured: no context can be waited for while one of its streams is, and trying to ends the capture
// (cuCtxSynchronize, CUDA C++ Programming Guide, "Prohibited and unhandled operations").
#pragma once

#include <memory>

#include "cuprum/core/buffer.hpp"
#include "driver_api.hpp"

namespace cuprum::core {

// Streams that core has made, from then on until they are destroyed or released; `owner` keeps the stream. Thread-safe.
void remember_stream(CUstream stream, std::weak_ptr<const void> owner);
void forget_stream(CUstream stream) noexcept;

// Whether a stream is captured that core has made, a default stream of this thread, or one that the legacy default
// stream waits for. Other code's nonblocking streams are not known.
bool is_any_stream_captured() noexcept;

// For the streams that core has made and that are not captured: what can be waited for beside a capture. `memory` is
// what will be freed, for errors.
void wait_for_known_streams(const BufferRef& memory) noexcept;

}  // namespace cuprum::core
