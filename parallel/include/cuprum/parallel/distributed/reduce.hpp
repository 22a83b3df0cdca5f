// A reduction of elements that are spread over several devices.
#pragma once

#include <span>

#include "cuprum/parallel/distributed/communicator.hpp"
#include "cuprum/parallel/distributed/shard.hpp"
#include "cuprum/parallel/operator.hpp"
#include "cuprum/parallel/shared.hpp"
#include "cuprum/parallel/value.hpp"

namespace cuprum::parallel::distributed {

/// parallel::Reduce over the elements of all ranks. Every rank gets the result, the same bits everywhere.
class Reduce {
public:
    /// Throws what parallel::Reduce throws.
    Reduce(const Communicator& communicator, const Type& input, const Operator& op, const Type& accumulator);

    /// Writes one value of the accumulator's type to each output, and returns when it is there. Without any elements
    /// it is the initial value. Throws InvalidArgument before anything is done for shards that do not fit; later errors
    /// name the rank, and the outputs are then undefined.
    void operator()(std::span<const Shard> inputs, std::span<const Shard> outputs, const Value& init) const;
    /// Without an initial value. Writes nothing if there are no elements.
    void operator()(std::span<const Shard> inputs, std::span<const Shard> outputs) const;

private:
    struct State;
    void run(std::span<const Shard> inputs, std::span<const Shard> outputs, const Value* init) const;
    detail::Shared<State> state_;
};

}  // namespace cuprum::parallel::distributed
