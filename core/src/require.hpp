// Checks that an object given by the caller is one.
#pragma once

#include "cuprum/core/buffer.hpp"
#include "cuprum/core/error.hpp"
#include "cuprum/core/event.hpp"
#include "cuprum/core/stream.hpp"
#include "describe.hpp"

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

constexpr const char* closed_buffer = "the buffer is closed, moved-from or default-constructed";

// `name`: which one, where an operation has several; a text, or what makes it.
template <class Name>
void require_open(const BufferRef& buffer, const char* operation, const Name& name) {
    if (!buffer.is_valid()) [[unlikely]] {
        throw InvalidState(operation, describe(name), closed_buffer, "allocate a new one");
    }
}
inline void require_open(const BufferRef& buffer, const char* operation) {
    require_open(buffer, operation, "buffer");
}

}  // namespace cuprum::core
