// Where work takes place that is given no stream.
#pragma once

#include "cuprum/core/buffer.hpp"
#include "cuprum/core/device.hpp"

namespace cuprum::capi {

// The stream of a copy between two buffers. Host memory has no default stream of its own: where another device takes
// part, it is in that one's order.
inline core::StreamRef default_stream_of_copy(const core::BufferRef& to, const core::BufferRef& from) {
    const bool is_to_host = to.device_id() != from.device_id() && to.is_host_accessible();
    return core::Device(is_to_host ? from.device_id() : to.device_id()).default_stream();
}

}  // namespace cuprum::capi
