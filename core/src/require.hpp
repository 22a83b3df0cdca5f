// Checks that an object given by the caller is one.
#pragma once

#include "cuprum/core/error.hpp"
#include "cuprum/core/event.hpp"
#include "cuprum/core/stream.hpp"

namespace cuprum::core {

inline void require_valid(const EventRef& event, const char* operation) {
    if (!event.is_valid()) [[unlikely]] {
        throw InvalidArgument(operation, "event", "the event is invalid (moved-from, closed or default-constructed)",
                              "create one on a device, or record one in a stream");
    }
}

inline void require_valid(const StreamRef& stream, const char* operation) {
    if (!stream.is_valid()) [[unlikely]] {
        throw InvalidArgument(operation, "stream", "the stream is invalid (moved-from, closed or default-constructed)",
                              "use the device's default stream, or create a new one");
    }
}

}  // namespace cuprum::core
