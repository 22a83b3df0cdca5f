// Sorting keys that are spread over several devices.
#pragma once

#include <optional>
#include <span>

#include "cuprum/parallel/distributed/communicator.hpp"
#include "cuprum/parallel/distributed/shard.hpp"
#include "cuprum/parallel/radix_sort.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel::distributed {

/// parallel::RadixSort over the keys of all ranks, and of values that go with them, if any: stable, where keys of an
/// earlier rank come before equal ones of a later rank. Afterwards the first rank has the first keys, and so on; how
/// many each has is the caller's to say, and does not depend on the keys.
///
/// A sample sort: each rank sorts its own keys, samples of them are exchanged until it is known exactly which keys go
/// where, each key crosses between devices at most once, and each rank merges what it has got. Keys that are equal are
/// told apart by their rank and position, so skewed keys cost no more than others.
class RadixSort {
public:
    /// Throws what parallel::RadixSort throws, and Unsupported for keys of more than 512 bytes.
    RadixSort(SortOrder order, const Communicator& communicator, const Type& keys,
              const std::optional<Type>& values = std::nullopt);

    /// Keys alone. The outputs have as many elements together as the inputs, spread in any way; they may be the inputs'
    /// own memory, or overlap it. Returns when the keys are there. Each rank needs temporary memory for its keys twice
    /// or, if that is more, for those that it has before and those that it gets. Throws InvalidArgument for a sort
    /// that was built with values, and as Reduce does.
    void operator()(std::span<const Shard> keys_in, std::span<const Shard> keys_out) const;
    /// Keys and values, which are spread alike. The outputs of a rank may not overlap each other.
    void operator()(std::span<const Shard> keys_in, std::span<const Shard> keys_out, std::span<const Shard> values_in,
                    std::span<const Shard> values_out) const;

private:
    struct State;
    detail::Shared<State> state_;
};

}  // namespace cuprum::parallel::distributed
