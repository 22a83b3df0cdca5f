// Which streams are captured: no context can be waited for while one of its streams is, and trying to ends the capture
// (cuCtxSynchronize, CUDA C++ Programming Guide, "Prohibited and unhandled operations").
#pragma once

#include "driver_api.hpp"

namespace cuprum::core {

// Streams that core has made, from then on until they are destroyed or released. Thread-safe.
void remember_stream(CUstream stream);
void forget_stream(CUstream stream) noexcept;

// Whether a stream is captured that core has made, a default stream of this thread, or one that the legacy default stream
// waits for. Other code's nonblocking streams are not known.
bool is_any_stream_captured() noexcept;

}  // namespace cuprum::core
