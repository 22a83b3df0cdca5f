// A scan of a rank's elements in two passes over tiles of them. The first gives the results of the tiles, and with them
// the rank's, before anything of other ranks is known. In the second each tile knows what comes before it, so none
// waits for another as in a scan in one pass (decoupled look-back).
#pragma once

#include <cstdint>

#include "cuprum/core/buffer.hpp"
#include "cuprum/core/kernel.hpp"
#include "cuprum/core/stream.hpp"
#include "cuprum/parallel/operator.hpp"
#include "cuprum/parallel/scan.hpp"
#include "cuprum/parallel/type.hpp"

namespace cuprum::parallel::distributed {

// The elements of one type, at least one of them.
class TileScan {
public:
    TileScan(ScanKind kind, const Type& input, const Operator& op, const Type& accumulator, const core::Device& device);

    uint64_t tiles(uint64_t count) const;
    // Throws InvalidArgument where the output overlaps the input and is not the same.
    void check_overlap(const core::BufferRef& input, const core::BufferRef& output, uint64_t count) const;
    // Gives the result of each tile.
    void reduce(const core::StreamRef& stream, const core::BufferRef& input, const core::BufferRef& results,
                uint64_t count) const;
    // Several results, each with what comes before it, in place.
    void scan_results(const core::StreamRef& stream, const core::BufferRef& results, uint64_t count) const {
        if (count > 1) of_results_(stream, results, results, count);
    }
    // `results`: of the tiles, scanned. `carry`: the result of what comes before the elements, or invalid where nothing
    // does; an exclusive scan has one.
    void scan(const core::StreamRef& stream, const core::BufferRef& input, const core::BufferRef& output,
              const core::BufferRef& results, const core::BufferRef& carry, uint64_t count) const;

private:
    Type input_;
    Operator op_;
    Type accumulator_;
    parallel::Scan of_results_;
    core::Kernel reduce_, scan_;
    int64_t threads_ = 0;
    uint64_t tile_items_ = 0;
};

}  // namespace cuprum::parallel::distributed
