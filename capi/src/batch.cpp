#include "cuprum/core/batch.hpp"

#include <cstring>
#include <string>
#include <vector>

#include "call.hpp"
#include "cuprum/capi/copy.h"
#include "memory_location.hpp"
#include "struct_size.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

namespace {

// The buffers of an array of handles, in use until it goes.
struct Batch {
    std::vector<Pin<BufferObject>> pins;
    std::vector<core::BufferRef> buffers;

    Batch(const Call& call, const char* parameter, const void* handles, uint64_t size) {
        if (size != 0) call.require(handles, parameter);
        if (size % sizeof(HandleValue) != 0) {
            call.refuse(parameter, "has " + std::to_string(size) + " bytes; expected " +
                                       std::to_string(sizeof(HandleValue)) + " for each buffer");
        }
        for (uint64_t at = 0; at < size; at += sizeof(HandleValue)) {
            cuprum_buffer handle = nullptr;
            std::memcpy(&handle, static_cast<const unsigned char*>(handles) + at, sizeof(HandleValue));
            pins.push_back(call.use(handle, parameter, static_cast<int32_t>(pins.size())));
            buffers.push_back(pins.back()->buffer);
        }
    }
};

std::vector<core::MemoryLocation> locations_of(const Call& call, const void* locations, uint64_t size) {
    struct Pair {
        int32_t kind;
        int32_t id;
    };
    call.require(locations, "locations");
    if (size % sizeof(Pair) != 0) {
        call.refuse("locations", "has " + std::to_string(size) + " bytes; expected 8 for each location");
    }
    std::vector<core::MemoryLocation> found;
    for (uint64_t at = 0; at < size; at += sizeof(Pair)) {
        Pair pair{};
        std::memcpy(&pair, static_cast<const unsigned char*>(locations) + at, sizeof pair);
        found.push_back(core::MemoryLocation::of(pair.kind, pair.id));
    }
    return found;
}

core::CopyOptions options_of(const Call& call, const cuprum_copy_options* given) {
    if (given == nullptr) return {};
    const cuprum_copy_options values = read_struct(call, "options", given);
    core::CopyOptions options;
    if (values.source_access_order != 0) {
        if (values.source_access_order < CUPRUM_COPY_SOURCE_STREAM ||
            values.source_access_order > CUPRUM_COPY_SOURCE_ANY) {
            call.refuse("options", "there is no access order " + std::to_string(values.source_access_order),
                        "give one of the access orders 1 to 3, or 0 for the stream's order");
        }
        options.source_access_order = static_cast<core::CopySourceAccessOrder>(values.source_access_order);
    }
    options.source_location_hint = memory_location(values.source_location_kind, values.source_location_id);
    options.destination_location_hint =
        memory_location(values.destination_location_kind, values.destination_location_id);
    options.prefer_overlap_with_compute = values.prefer_overlap_with_compute != 0;
    return options;
}

}  // namespace

cuprum_status cuprum_copy_batch(cuprum_stream stream, const void* sources, uint64_t sources_size,
                                const void* destinations, uint64_t destinations_size,
                                const cuprum_copy_options* options) {
    return run("cuprum_copy_batch", [&](const Call& call) {
        const auto in = call.use(stream, "stream");
        const Batch from(call, "sources", sources, sources_size);
        const Batch to(call, "destinations", destinations, destinations_size);
        core::copy_batch(in->stream, from.buffers, to.buffers, options_of(call, options));
    });
}

cuprum_status cuprum_prefetch_batch(cuprum_stream stream, const void* buffers, uint64_t buffers_size,
                                    const void* locations, uint64_t locations_size) {
    return run("cuprum_prefetch_batch", [&](const Call& call) {
        const auto in = call.use(stream, "stream");
        const Batch moved(call, "buffers", buffers, buffers_size);
        core::prefetch_batch(in->stream, moved.buffers, locations_of(call, locations, locations_size));
    });
}

cuprum_status cuprum_discard_batch(cuprum_stream stream, const void* buffers, uint64_t buffers_size) {
    return run("cuprum_discard_batch", [&](const Call& call) {
        const auto in = call.use(stream, "stream");
        const Batch discarded(call, "buffers", buffers, buffers_size);
        core::discard_batch(in->stream, discarded.buffers);
    });
}

cuprum_status cuprum_discard_prefetch_batch(cuprum_stream stream, const void* buffers, uint64_t buffers_size,
                                            const void* locations, uint64_t locations_size) {
    return run("cuprum_discard_prefetch_batch", [&](const Call& call) {
        const auto in = call.use(stream, "stream");
        const Batch discarded(call, "buffers", buffers, buffers_size);
        core::discard_prefetch_batch(in->stream, discarded.buffers, locations_of(call, locations, locations_size));
    });
}
