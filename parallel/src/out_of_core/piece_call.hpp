// One call of an algorithm over host memory: its pieces, its memory on the device, and the copies that overlap with its
// kernels.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "../call.hpp"
#include "cuprum/core/buffer.hpp"
#include "cuprum/core/event.hpp"
#include "cuprum/core/stream.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/out_of_core/device_memory.hpp"
#include "cuprum/parallel/value.hpp"
#include "host_transfers.hpp"

namespace cuprum::parallel::out_of_core {

// Memory of that type, and not null where it has elements. Throws InvalidArgument.
void check_elements(const char* operation, const char* name, const Type& type, const HostInput& elements);
void check_elements(const char* operation, const char* name, const Type& type, const HostOutput& elements);
// The same, and at least that many elements.
void check_room(const char* operation, const char* name, const Type& type, const HostOutput& elements, uint64_t count);
void check_same_count(const char* operation, const char* name, uint64_t count, const char* other_name, uint64_t other);
// Null where there is none. Throws InvalidArgument for one of another type.
void check_initial_value(const char* operation, const Value* init, const Type& accumulator);
Extent extent_of(const char* name, const HostInput& elements);
// Of that many elements.
Extent extent_of(const char* name, const HostOutput& elements, uint64_t count);

// Bytes of an element in each of the two columns that a piece has: keys and values, say. 0: there is no such column.
using ElementSizes = std::array<uint64_t, 2>;

// What an algorithm needs on the device.
struct Needs {
    const char* operation;
    ElementSizes sizes;
    // Buffers for a piece that are in use at once: of pieces that overlap, and of a single one.
    size_t buffers, buffers_alone;
    std::function<uint64_t(uint64_t elements)> temp_storage_bytes;  // of the kernels, for a piece
    uint64_t other_bytes = 0;                                       // in parts, each aligned as reserve() does
    uint64_t extra_elements = 0;                                    // in a buffer, beside a piece's
};

// How the elements of a call go through the device.
struct Plan {
    Needs needs;
    uint64_t count = 0;  // elements
    uint64_t piece = 0;  // elements of a piece; the last one may have fewer
    uint64_t pieces = 0;
    size_t buffers = 0;
    uint64_t bytes = 0;  // of the device's memory
    uint64_t begin(uint64_t number) const { return number * piece; }
    uint64_t length(uint64_t number) const { return std::min(piece, count - begin(number)); }
};

// Pieces of `preferred` elements, or as many as the memory has room for; one piece for all elements where these are
// `most_alone` at most and fit. Throws InvalidArgument where the memory has no room for pieces of `least` elements.
struct PieceSizes {
    uint64_t preferred, least, most_alone;
};
Plan plan_pieces(const DeviceMemory& memory, const Needs& needs, uint64_t count, const PieceSizes& sizes);
// The same elements in smaller pieces, which overlap.
Plan with_pieces_of(Plan plan, uint64_t piece);
// Of an algorithm that reads its elements once, in pieces of any size: large enough for the bus, and no larger.
PieceSizes one_pass(const ElementSizes& sizes);

// A part of the device's memory that holds one piece.
struct PieceBuffer {
    std::array<core::BufferRef, 2> columns;
    core::EventRef ready;  // of the results, once work() has returned: for who must wait for them
};

// What is done with each piece, in three streams.
struct Stages {
    std::function<void(uint64_t piece, const PieceBuffer& in)> copy_in;
    // Returns whether the results are in `in`, else they are in `other`, which is nothing where an algorithm takes one
    // buffer.
    std::function<bool(uint64_t piece, const PieceBuffer& in, const PieceBuffer& other)> work;
    bool takes_other = false;
    // None: the results stay elsewhere on the device.
    std::function<void(uint64_t piece, const PieceBuffer& results)> copy_out{};
};

// Whichever way the call ends, nothing works on its memory or the caller's any more when that is freed.
class PieceCall {
public:
    PieceCall(const DeviceMemory& memory, const Plan& plan);
    ~PieceCall();
    PieceCall(const PieceCall&) = delete;
    PieceCall& operator=(const PieceCall&) = delete;

    // That of the kernels.
    const core::Stream& stream() const { return work_; }
    // A part of the plan's `other_bytes`, until the end of the call.
    core::BufferRef reserve(uint64_t bytes);
    CallOptions options() const;

    void upload(const HostMemory& source, uint64_t offset, const core::BufferRef& destination) {
        transfers_.upload(source, offset, destination, in_);
    }
    void download(const core::BufferRef& source, const HostMemory& destination, uint64_t offset) {
        transfers_.download(source, destination, offset, out_);
    }
    // Page-locked host memory until the end of the call.
    const core::Buffer& allocate_page_locked(uint64_t bytes);

    // Every `step`th of the pieces from `first` on, in their order. While one is worked on, the next one is copied in,
    // and the one before it is copied out. Returns before the last ones are done.
    void run(uint64_t pieces, const Stages& stages, uint64_t first = 0, uint64_t step = 1);
    // Waits for all work so far, after which all results have arrived.
    void wait();
    // The same at the end: there is no more work.
    void finish();
    // Waits after an error, of which what a stream says now follows.
    void stop() noexcept;

private:
    struct Slot {
        PieceBuffer buffer;
        core::Event event;  // of the last work on it
    };
    // Its last work is waited for.
    size_t take(const core::Stream& stream);

    core::Stream in_, work_, out_;
    core::Buffer memory_;
    uint64_t reserved_ = 0;  // bytes
    uint64_t other_begin_ = 0;
    core::BufferRef temp_storage_;
    std::vector<Slot> slots_;
    std::deque<size_t> free_;  // that which is free first comes first
    std::vector<core::Buffer> page_locked_;
    HostTransfers transfers_;
    bool is_finished_ = false;
};

}  // namespace cuprum::parallel::out_of_core
