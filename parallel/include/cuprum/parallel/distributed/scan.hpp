// A scan of elements that are spread over several devices.
#pragma once

#include <span>

#include "cuprum/parallel/distributed/communicator.hpp"
#include "cuprum/parallel/distributed/shard.hpp"
#include "cuprum/parallel/operator.hpp"
#include "cuprum/parallel/scan.hpp"
#include "cuprum/parallel/shared.hpp"
#include "cuprum/parallel/value.hpp"

namespace cuprum::parallel::distributed {

/// parallel::Scan over the elements of all ranks, in the order of the ranks. Each rank reads its elements twice, and
/// needs temporary memory for a value for every 16 KiB of its results.
class Scan {
public:
    /// Throws what parallel::Scan throws.
    Scan(ScanKind kind, const Communicator& communicator, const Type& input, const Operator& op,
         const Type& accumulator);

    /// Writes as many values to each output as its rank's input has elements, and returns when they are there. An
    /// output may be its input's own memory where both have the same type, and may not overlap it otherwise. `init` is
    /// not used by ScanKind::inclusive. Throws as Reduce does.
    void operator()(std::span<const Shard> inputs, std::span<const Shard> outputs, const Value& init) const;
    /// Of kind inclusive. Throws InvalidArgument for the others.
    void operator()(std::span<const Shard> inputs, std::span<const Shard> outputs) const;

private:
    struct State;
    void run(std::span<const Shard> inputs, std::span<const Shard> outputs, const Value* init) const;
    detail::Shared<State> state_;
};

}  // namespace cuprum::parallel::distributed
