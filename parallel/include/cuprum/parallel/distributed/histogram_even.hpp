// A histogram of samples that are spread over several devices.
#pragma once

#include <cstdint>
#include <span>

#include "cuprum/parallel/distributed/communicator.hpp"
#include "cuprum/parallel/distributed/shard.hpp"
#include "cuprum/parallel/shared.hpp"
#include "cuprum/parallel/value.hpp"

namespace cuprum::parallel::distributed {

/// parallel::HistogramEven over the samples of all ranks. Every rank gets all counts.
class HistogramEven {
public:
    /// Throws what parallel::HistogramEven throws.
    HistogramEven(const Communicator& communicator, const Type& samples, const Type& levels,
                  const Type& counters = Type(TypeKind::uint32));

    /// Writes `bins` counts to each output, and returns when they are there. Throws what parallel::HistogramEven
    /// throws, and as Reduce does.
    void operator()(std::span<const Shard> samples, std::span<const Shard> histograms, uint64_t bins,
                    const Value& lower, const Value& upper) const;

private:
    struct State;
    detail::Shared<State> state_;
};

}  // namespace cuprum::parallel::distributed
