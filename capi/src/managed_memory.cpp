// Buffers of managed memory: where its pages are, and advice about them.
#include <algorithm>
#include <vector>

#include "call.hpp"
#include "cuprum/capi/buffer.h"
#include "cuprum/core/buffer.hpp"
#include "memory_location.hpp"
#include "owners.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

cuprum_status cuprum_buffer_prefetch(cuprum_buffer buffer, int32_t location_kind, int32_t location_id,
                                     cuprum_stream stream) {
    return run("cuprum_buffer_prefetch", [&](const Call& call) {
        const auto moved = call.use(buffer, "buffer");
        const auto in = call.use(stream, "stream");
        keep_captured(call, in->stream, buffer);
        moved->buffer.prefetch(core::MemoryLocation::of(location_kind, location_id), in->stream);
    });
}

cuprum_status cuprum_buffer_discard(cuprum_buffer buffer, cuprum_stream stream) {
    return run("cuprum_buffer_discard", [&](const Call& call) {
        const auto discarded = call.use(buffer, "buffer");
        const auto in = call.use(stream, "stream");
        keep_captured(call, in->stream, buffer);
        discarded->buffer.discard(in->stream);
    });
}

cuprum_status cuprum_buffer_discard_prefetch(cuprum_buffer buffer, int32_t location_kind, int32_t location_id,
                                             cuprum_stream stream) {
    return run("cuprum_buffer_discard_prefetch", [&](const Call& call) {
        const auto discarded = call.use(buffer, "buffer");
        const auto in = call.use(stream, "stream");
        keep_captured(call, in->stream, buffer);
        discarded->buffer.discard_prefetch(core::MemoryLocation::of(location_kind, location_id), in->stream);
    });
}

cuprum_status cuprum_buffer_read_mostly(int32_t* read_mostly_out, cuprum_buffer buffer) {
    return run("cuprum_buffer_read_mostly", [&](const Call& call) {
        call.require(read_mostly_out, "read_mostly_out");
        *read_mostly_out = call.use(buffer, "buffer")->buffer.is_read_mostly() ? 1 : 0;
    });
}

cuprum_status cuprum_buffer_set_read_mostly(cuprum_buffer buffer, int32_t read_mostly) {
    return run("cuprum_buffer_set_read_mostly",
               [&](const Call& call) { call.use(buffer, "buffer")->buffer.set_read_mostly(read_mostly != 0); });
}

cuprum_status cuprum_buffer_preferred_location(int32_t* kind_out, int32_t* id_out, cuprum_buffer buffer) {
    return run("cuprum_buffer_preferred_location", [&](const Call& call) {
        call.require(kind_out, "kind_out");
        call.require(id_out, "id_out");
        const std::optional<core::MemoryLocation> location = call.use(buffer, "buffer")->buffer.preferred_location();
        *kind_out = number_of_kind(location);
        *id_out = location.has_value() ? location->id() : 0;
    });
}

cuprum_status cuprum_buffer_set_preferred_location(cuprum_buffer buffer, int32_t location_kind, int32_t location_id) {
    return run("cuprum_buffer_set_preferred_location", [&](const Call& call) {
        const auto advised = call.use(buffer, "buffer");
        advised->buffer.set_preferred_location(memory_location(location_kind, location_id));
    });
}

cuprum_status cuprum_buffer_accessed_by(int32_t* accessed_out, cuprum_buffer buffer, int32_t location_kind,
                                        int32_t location_id) {
    return run("cuprum_buffer_accessed_by", [&](const Call& call) {
        call.require(accessed_out, "accessed_out");
        const auto asked = call.use(buffer, "buffer");
        const core::MemoryLocation location = core::MemoryLocation::of(location_kind, location_id);
        const std::vector<core::MemoryLocation> found = asked->buffer.accessed_by();
        *accessed_out = std::find(found.begin(), found.end(), location) != found.end() ? 1 : 0;
    });
}

cuprum_status cuprum_buffer_set_accessed_by(cuprum_buffer buffer, int32_t location_kind, int32_t location_id,
                                            int32_t accessed) {
    return run("cuprum_buffer_set_accessed_by", [&](const Call& call) {
        const auto advised = call.use(buffer, "buffer");
        advised->buffer.set_accessed_by(core::MemoryLocation::of(location_kind, location_id), accessed != 0);
    });
}
