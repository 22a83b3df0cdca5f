// Many copies, or many ranges of managed memory, in one call.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "cuprum/core/buffer.hpp"
#include "cuprum/core/memory_location.hpp"
#include "cuprum/core/stream.hpp"

namespace cuprum::core {

// When the sources of a batch are read. The driver's numbers (CUmemcpySrcAccessOrder).
enum class CopySourceAccessOrder : int32_t {
    stream = 1,           // in the stream's order
    during_api_call = 2,  // before the call returns; no earlier work may still write them
    any = 3,              // at any time until the copy is done; no earlier work may still write them
};

// Hints, which change no result. Locations apply to managed memory.
struct CopyOptions {
    CopySourceAccessOrder source_access_order = CopySourceAccessOrder::stream;
    std::optional<MemoryLocation> source_location_hint = std::nullopt;
    std::optional<MemoryLocation> destination_location_hint = std::nullopt;
    bool prefer_overlap_with_compute = false;
};

// Copies each source to the destination of its number, which has the same size, in the stream's order. The copies
// themselves take place in any order or at once: a destination must overlap neither a source nor another destination.
// Throws InvalidArgument where the numbers or sizes differ or memory overlaps, naming the copy; nothing is copied then.
//
// It is one call of the driver from CUDA 12.8 on (a build with CUDA 13: from 13.0 on). Older drivers, default streams
// and captures have no batches, and a batch no copies between devices: those are copied one after another.
void copy_batch(StreamRef stream, std::span<const BufferRef> sources, std::span<const BufferRef> destinations,
                const CopyOptions& options = {});

// As the members of BufferRef for one range. `locations`: one for each buffer, or one for all. A driver that has no
// batches (before CUDA 13) prefetches one after another, and cannot discard: Unsupported.
void prefetch_batch(StreamRef stream, std::span<const BufferRef> buffers, std::span<const MemoryLocation> locations);
void discard_batch(StreamRef stream, std::span<const BufferRef> buffers);
void discard_prefetch_batch(StreamRef stream, std::span<const BufferRef> buffers,
                            std::span<const MemoryLocation> locations);

}  // namespace cuprum::core
