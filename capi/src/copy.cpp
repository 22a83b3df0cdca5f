#include "cuprum/capi/copy.h"

#include <cstddef>
#include <span>

#include "call.hpp"
#include "cuprum/core/buffer.hpp"
#include "cuprum/core/device.hpp"
#include "default_stream.hpp"
#include "owners.hpp"
#include "struct_size.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

namespace {

core::Region region_of(const Call& call, const char* parameter, const cuprum_region* given) {
    const cuprum_region values = read_struct(call, parameter, given);
    return {.width = values.width,
            .height = values.height,
            .depth = values.depth,
            .offset = values.offset,
            .row_pitch = values.row_pitch,
            .slice_pitch = values.slice_pitch};
}

}  // namespace

cuprum_status cuprum_buffer_copy_region_from_host(cuprum_buffer buffer, const cuprum_region* region, const void* source,
                                                  uint64_t source_size, const cuprum_region* source_region,
                                                  cuprum_stream stream) {
    return run("cuprum_buffer_copy_region_from_host", [&](const Call& call) {
        if (source_size != 0) call.require(source, "source");
        const core::Region to = region_of(call, "region", region);
        const core::Region from = region_of(call, "source_region", source_region);
        const std::span host(static_cast<const std::byte*>(source), source_size);
        const auto target = call.use(buffer, "buffer");
        if (stream == nullptr) {
            target->buffer.copy_region_from_host(to, host, from);
        } else {
            const auto in = call.use(stream, "stream");
            keep_captured(call, in->stream, buffer);
            target->buffer.copy_region_from_host(to, host, from, in->stream);
        }
    });
}

cuprum_status cuprum_buffer_copy_region_to_host(void* destination, uint64_t destination_size,
                                                const cuprum_region* destination_region, cuprum_buffer buffer,
                                                const cuprum_region* region, cuprum_stream stream) {
    return run("cuprum_buffer_copy_region_to_host", [&](const Call& call) {
        if (destination_size != 0) call.require(destination, "destination");
        const core::Region to = region_of(call, "destination_region", destination_region);
        const core::Region from = region_of(call, "region", region);
        const std::span host(static_cast<std::byte*>(destination), destination_size);
        const auto origin = call.use(buffer, "buffer");
        if (stream == nullptr) {
            origin->buffer.copy_region_to_host(host, to, from);
        } else {
            const auto in = call.use(stream, "stream");
            keep_captured(call, in->stream, buffer);
            origin->buffer.copy_region_to_host(host, to, from, in->stream);
        }
    });
}

cuprum_status cuprum_buffer_copy_region(cuprum_buffer destination, const cuprum_region* destination_region,
                                        cuprum_buffer source, const cuprum_region* source_region,
                                        cuprum_stream stream) {
    return run("cuprum_buffer_copy_region", [&](const Call& call) {
        const core::Region to = region_of(call, "destination_region", destination_region);
        const core::Region from = region_of(call, "source_region", source_region);
        const auto target = call.use(destination, "destination");
        const auto origin = call.use(source, "source");
        if (stream == nullptr) {
            const core::StreamRef default_stream = default_stream_of_copy(target->buffer, origin->buffer);
            target->buffer.copy_region_from(to, origin->buffer, from, default_stream);
            default_stream.sync();
        } else {
            const auto in = call.use(stream, "stream");
            keep_captured(call, in->stream, destination, source);
            target->buffer.copy_region_from(to, origin->buffer, from, in->stream);
        }
    });
}

cuprum_status cuprum_buffer_fill_region(cuprum_buffer buffer, const cuprum_region* region, uint32_t pattern,
                                        uint32_t pattern_size, cuprum_stream stream) {
    return run("cuprum_buffer_fill_region", [&](const Call& call) {
        const core::Region filled = region_of(call, "region", region);
        const auto target = call.use(buffer, "buffer");
        if (stream == nullptr) {
            const core::StreamRef default_stream = core::Device(target->buffer.device_id()).default_stream();
            target->buffer.fill_region(filled, pattern, pattern_size, default_stream);
            default_stream.sync();
        } else {
            const auto in = call.use(stream, "stream");
            keep_captured(call, in->stream, buffer);
            target->buffer.fill_region(filled, pattern, pattern_size, in->stream);
        }
    });
}
