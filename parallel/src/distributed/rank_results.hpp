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

// Combines a few results in the ranks' order, by one kernel.
class CombineResults {
public:
    // One thread reads all of them; for more it would take longer than other ways.
    static constexpr size_t most = 8;

    CombineResults(const Operator& op, const Type& accumulator, const core::Device& device);

    // `init`: null for none; then there is at least one result.
    void operator()(const core::StreamRef& stream, std::span<const core::BufferRef> results, const Value* init,
                    const core::BufferRef& output) const;

private:
    Operator op_;
    uint64_t size_;
    core::Kernel kernel_;
};

// For each reader, after the work so far of the ranks whose results it gets. A few results are read where they are, if
// the devices are peers: no copy is between the kernels then. `size`: of a result. Readers of other processes get
// nothing.
std::vector<ReadableResults> make_readable(CollectiveCall& call, std::span<const RankResult> results,
                                           std::span<const ResultReader> readers, uint64_t size);

}  // namespace cuprum::parallel::distributed
