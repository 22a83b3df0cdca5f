// What an external sort and a reduction by key share: pieces of keys and values that are sorted on the device.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "cuprum/parallel/radix_sort.hpp"
#include "device_calls.hpp"
#include "sorted_runs.hpp"

namespace cuprum::parallel::out_of_core {

// Keys and values in host memory.
using HostColumns = std::array<HostMemory, 2>;

// Of pieces of `sizes`, each in the first elements of a buffer's columns.
inline void upload_columns(PieceCall& call, const ElementSizes& sizes, const HostColumns& source, uint64_t begin,
                           uint64_t length, const PieceBuffer& in, uint64_t place = 0) {
    for (size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] == 0) continue;
        call.upload(source[i], begin * sizes[i], in.columns[i].slice(place * sizes[i], length * sizes[i]));
    }
}
inline void download_columns(PieceCall& call, const ElementSizes& sizes, const PieceBuffer& results,
                             const HostColumns& destination, uint64_t begin, uint64_t length) {
    for (size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] == 0) continue;
        call.download(results.columns[i].slice(0, length * sizes[i]), destination[i], begin * sizes[i]);
    }
}
// Between two cuts of runs, one run behind the other: a stable sort of them is a merge.
inline void upload_parts(PieceCall& call, const ElementSizes& sizes, std::span<const HostColumns> runs,
                         const Cut& begin, const Cut& end, const PieceBuffer& in) {
    uint64_t place = 0;
    for (size_t run = 0; run < runs.size(); ++run) {
        const uint64_t length = end[run] - begin[run];
        if (length > 0) upload_columns(call, sizes, runs[run], begin[run], length, in, place);
        place += length;
    }
}

// Sorts a piece in `in`, and says whether it is there still, else it is in `other`.
inline bool sort_piece(const PieceCall& call, const parallel::RadixSort& sort, const PieceBuffer& in,
                       const PieceBuffer& other, uint64_t length) {
    DoubleBuffer keys(in.columns[0], other.columns[0]);
    if (!sort.value_type()) {
        sort(call.stream(), keys, length, {}, call.options());
    } else {
        DoubleBuffer values(in.columns[1], other.columns[1]);
        sort(call.stream(), keys, values, length, {}, call.options());
    }
    return keys.selector() == 0;
}

// Copies in and out at once need two buffers, and so does a sort. With more pieces than that the first copies in and
// the last copies out, with which nothing overlaps, are a smaller part; but each has as many parts as there are runs.
constexpr size_t sort_buffers = 4, sort_buffers_alone = 2;
constexpr uint64_t wanted_pieces = 16;  // of a device
// `least`: elements of a piece. Of several devices one has all only where they are few: together they copy faster.
inline PieceSizes sort_pieces(const ElementSizes& sizes, size_t devices, uint64_t count, uint64_t max_runs,
                              uint64_t least) {
    least = std::max(ceil_divide(count, max_runs), least);
    return {std::max(ceil_divide(count, wanted_pieces * devices), least), least,
            devices == 1 ? UINT64_MAX : one_pass(sizes).most_alone};
}

}  // namespace cuprum::parallel::out_of_core
