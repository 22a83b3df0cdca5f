// What reductions by key and the search for runs share: a pass with decoupled look-back over tiles whose state has a
// value and a number of runs (cub::ReduceByKeyScanTileState). Their program's `policy_t` is CUB's of the agent.
#pragma once

#include <string_view>
#include <vector>

#include "compaction.hpp"

namespace cuprum::parallel {

// CUB's state of small values says in other words than that of others how large it is.
constexpr std::string_view runs_helper = R"(
template <class T> constexpr long long cuprum_description_bytes(decltype(T::description_bytes_per_tile)*) {
    return T::description_bytes_per_tile;
}
template <class T> constexpr long long cuprum_description_bytes(...) { return sizeof(typename T::TxnWord); }
template <class T> constexpr long long cuprum_payload_bytes(decltype(T::payload_bytes_per_tile)*) {
    return T::payload_bytes_per_tile;
}
template <class T> constexpr long long cuprum_payload_bytes(...) { return 0; }
)";

inline void add_run_constants(std::vector<BuildRequest::Constant>& constants) {
    constants.push_back({"threads", "policy_t::BLOCK_THREADS"});
    constants.push_back({"items per thread", "policy_t::ITEMS_PER_THREAD"});
    constants.push_back({"shared bytes", "0"});
    constants.push_back({"description bytes", "cuprum_description_bytes<tiles_t>(nullptr)"});
    constants.push_back({"payload bytes", "cuprum_payload_bytes<tiles_t>(nullptr)"});
    constants.push_back({"padding", "tiles_t::TILE_STATUS_PADDING"});
}

}  // namespace cuprum::parallel
