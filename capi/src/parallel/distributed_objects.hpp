// What the handles of the algorithms over several devices stand for.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "../handle_table.hpp"
#include "../objects.hpp"
#include "cuprum/capi/distributed.h"
#include "cuprum/core/buffer.hpp"
#include "cuprum/parallel/distributed/communicator.hpp"
#include "cuprum/parallel/distributed/histogram_even.hpp"
#include "cuprum/parallel/distributed/radix_sort.hpp"
#include "cuprum/parallel/distributed/reduce.hpp"
#include "cuprum/parallel/distributed/reduce_by_key.hpp"
#include "cuprum/parallel/distributed/scan.hpp"

namespace cuprum::capi {

struct CommunicatorObject {
    static constexpr HandleType type = HandleType::communicator;
    static constexpr bool needs_driver = true;
    parallel::distributed::Communicator communicator;
};

// An algorithm, and the type of the values that its calls take, which C gives as bytes.
template <class Algorithm>
struct WithValues {
    Algorithm algorithm;
    parallel::Type value_type;
};

struct DistributedAlgorithmObject {
    static constexpr HandleType type = HandleType::distributed_algorithm;
    static constexpr bool needs_driver = true;
    std::variant<WithValues<parallel::distributed::Reduce>, WithValues<parallel::distributed::Scan>,
                 parallel::distributed::RadixSort, WithValues<parallel::distributed::HistogramEven>,
                 parallel::distributed::ReduceByKey>
        built;
};

// What each rank has got, until it is taken.
class ReducedShardsObject {
public:
    static constexpr HandleType type = HandleType::reduced_shards;
    static constexpr bool needs_driver = true;

    struct Shard {
        std::optional<core::Buffer> keys, values;
        uint64_t count = 0;
    };

    explicit ReducedShardsObject(std::vector<parallel::distributed::ReducedShard> reduced) {
        for (parallel::distributed::ReducedShard& each : reduced)
            shards_.push_back({std::move(each.keys), std::move(each.values), each.count});
    }

    size_t size() const { return shards_.size(); }
    uint64_t count(size_t rank) const { return shards_[rank].count; }
    // Nothing where it was taken before.
    std::optional<core::Buffer> take(std::optional<core::Buffer> Shard::*part, size_t rank) {
        const std::lock_guard lock(*mutex_);
        return std::exchange(shards_[rank].*part, std::nullopt);
    }

private:
    std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
    std::vector<Shard> shards_;
};

template <>
struct ObjectOfHandle<cuprum_communicator> {
    using type = CommunicatorObject;
};
template <>
struct ObjectOfHandle<cuprum_distributed_algorithm> {
    using type = DistributedAlgorithmObject;
};
template <>
struct ObjectOfHandle<cuprum_reduced_shards> {
    using type = ReducedShardsObject;
};

}  // namespace cuprum::capi
