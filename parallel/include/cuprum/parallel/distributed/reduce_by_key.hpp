// Reducing the values of each key, which are spread over several devices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cuprum/core/buffer.hpp"
#include "cuprum/parallel/distributed/communicator.hpp"
#include "cuprum/parallel/distributed/shard.hpp"
#include "cuprum/parallel/operator.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel::distributed {

/// Different keys and, at the same positions, the reductions of their values, in memory of a rank's device.
struct ReducedShard {
    core::Buffer keys;
    core::Buffer values;
    uint64_t count = 0;  ///< keys
};

/// Of all values of equal keys, wherever they are, one reduction. Keys need not be sorted: unlike
/// parallel::ReduceByKey, which reduces runs of neighbours, it brings equal keys together. Values are combined in the
/// order of the ranks and of their positions.
///
/// Each rank sorts and reduces its own pairs, so that it has each key once; these go by ranges of keys to their ranks,
/// which merge and reduce them again. A key that many elements have costs no more than one that few have.
class ReduceByKey {
public:
    /// Keys are what parallel::RadixSort sorts and OpKind::equal_to compares. Throws what these and
    /// parallel::ReduceByKey throw.
    ReduceByKey(const Communicator& communicator, const Type& keys, const Type& values, const Operator& op,
                const Type& accumulator);

    /// The shards of the result, one for each rank of this process, in ascending order of the keys: each key is in one
    /// of them. They belong to the caller. Keys and values are spread alike. Throws as Reduce does.
    std::vector<ReducedShard> operator()(std::span<const Shard> keys, std::span<const Shard> values) const;

private:
    struct State;
    detail::Shared<State> state_;
};

}  // namespace cuprum::parallel::distributed
