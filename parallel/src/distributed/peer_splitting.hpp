// Where sorted keys of several peers are to be cut, found by one kernel that reads the keys where they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collective_call.hpp"
#include "cuprum/core/kernel.hpp"
#include "exact_splitting.hpp"
#include "run_merge.hpp"

namespace cuprum::parallel::distributed {

// The boundaries of ExactSplitting, whose every round takes copies, kernels and a wait of the host. Each rank's share
// may be cut further, into pieces of nearly one size, of which the last is a quarter of the others.
class PeerSplitting {
public:
    static constexpr size_t most_ranks = 32;   // a lane of a warp for each
    static constexpr size_t most_pieces = 16;  // of a rank

    PeerSplitting(const KeyComparison& comparison, const Communicator& communicator);

    // Boundaries of `pieces` pieces for each rank. call.can_read_peers(), with 2 to `most_ranks` ranks. `sorted`, with
    // `counts` keys: of each rank. `shares`: how many each is to get, as many together. Waits for the ranks.
    Boundaries operator()(CollectiveCall& call, std::span<const core::BufferRef> sorted,
                          std::span<const uint64_t> counts, std::span<const uint64_t> shares, size_t pieces) const;

private:
    Operator before_;
    OfRanks<core::Kernel> kernels_;
};

}  // namespace cuprum::parallel::distributed
