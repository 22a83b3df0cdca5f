// What reductions by key and the search for runs share: a pass with decoupled look-back over tiles whose state has a
// value and a number of runs (cub::ReduceByKeyScanTileState). Their program's `policy_t` is CUB's of the agent.
#pragma once

#include <vector>

#include "compaction.hpp"

namespace cuprum::parallel {

inline void add_run_constants(std::vector<BuildRequest::Constant>& constants) {
    constants.push_back({"threads", "policy_t::BLOCK_THREADS"});
    constants.push_back({"items per thread", "policy_t::ITEMS_PER_THREAD"});
    constants.push_back({"shared bytes", "0"});
    TileStateSizes::add_constants(constants);
}

}  // namespace cuprum::parallel
