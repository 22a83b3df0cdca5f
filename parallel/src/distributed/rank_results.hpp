// A result of each of several ranks, on its way to those that combine them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collective_call.hpp"
#include "cuprum/core/kernel.hpp"

namespace cuprum::parallel::distributed {

struct RankResult {
    size_t rank = 0;
    core::BufferRef memory{};  // invalid: of another process
};

// Gets the first `count` of the results.
struct ResultReader {
    size_t rank = 0;
    size_t count = 0;
};

struct ReadableResults {
    std::vector<core::BufferRef> each;  // in memory that the reader's kernels can read
    core::BufferRef together{};         // of all, one after the other, where a reader of none of its own got copies
};

// What the blocks of a rank's reduction have found.
struct BlockResults {
    core::BufferRef memory;
    int32_t count = 0;  // at least one
};

// Combines the results of a few ranks in the ranks' order, by one kernel.
class CombineResults {
public:
    // One thread reads a result of each; for more it would take longer than other ways.
    static constexpr size_t most = 8;

    CombineResults(const Operator& op, const Type& accumulator, const core::Device& device);

    // `init`: null for none; then there is at least one result.
    void operator()(const core::StreamRef& stream, std::span<const core::BufferRef> results, const Value* init,
                    const core::BufferRef& output) const;

    // The same where each rank has left the results of its blocks: one kernel less between a rank's elements and the
    // result. Not for elements of which a block's threads cannot share one each.
    bool can_combine_blocks() const;
    void of_blocks(const core::StreamRef& stream, std::span<const BlockResults> ranks, const Value* init,
                   const core::BufferRef& output) const;

private:
    Operator op_;
    uint64_t size_;
    core::Kernel of_ranks_;
    core::Kernel of_blocks_;  // invalid: cannot combine blocks
};

// For each reader, after the work so far of the ranks whose results it gets. A few results are read where they are, if
// the devices are peers: no copy is between the kernels then. `size`: of a result. Readers of other processes get
// nothing.
std::vector<ReadableResults> make_readable(CollectiveCall& call, std::span<const RankResult> results,
                                           std::span<const ResultReader> readers, uint64_t size);

}  // namespace cuprum::parallel::distributed
