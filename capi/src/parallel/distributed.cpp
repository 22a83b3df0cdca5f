#include "cuprum/capi/distributed.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "distributed_objects.hpp"
#include "values.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;
namespace parallel = cuprum::parallel;
namespace distributed = cuprum::parallel::distributed;

namespace {

// The shards of one parameter; their memory is kept in use. C++ says whether they fit.
class Shards {
public:
    Shards(const Call& call, const char* parameter, const cuprum_shard* shards, uint32_t count) {
        if (count > 0) call.require(shards, parameter);
        for (uint32_t rank = 0; rank < count; ++rank) {
            const cuprum_shard& each = shards[rank];
            if (each.type == nullptr) {
                call.refuse(parameter, "element " + std::to_string(rank) + " has NULL for its type",
                            "a shard without elements has a type, too");
            }
            core::BufferRef memory;
            if (each.memory != nullptr) {
                pins_.push_back(call.use(each.memory, parameter, static_cast<int32_t>(rank)));
                memory = pins_.back()->buffer;
            }
            shards_.push_back({parallel::Type::parse(each.type), memory, each.count});
        }
    }
    const std::vector<distributed::Shard>& get() const { return shards_; }
    bool empty() const { return shards_.empty(); }

private:
    std::vector<Pin<BufferObject>> pins_;
    std::vector<distributed::Shard> shards_;
};

template <class Built>
cuprum_distributed_algorithm give_built(const Call& call, Built built) {
    return call.give<cuprum_distributed_algorithm>(DistributedAlgorithmObject{std::move(built)});
}

// The algorithm, if it is of that kind.
template <class Built>
const Built& built_as(const Call& call, const Pin<DistributedAlgorithmObject>& object, const char* kind) {
    const auto* const built = std::get_if<Built>(&object->built);
    if (built == nullptr) call.refuse("algorithm", std::string("was built as another kind; expected ") + kind);
    return *built;
}

void check_rank(const Call& call, uint32_t rank, size_t ranks) {
    if (rank < ranks) return;
    call.refuse("rank", "is " + std::to_string(rank) + "; expected 0 to " + std::to_string(ranks - 1));
}

void take_reduced(const Call& call, cuprum_buffer* out, const char* name, cuprum_reduced_shards reduced, uint32_t rank,
                  std::optional<core::Buffer> ReducedShardsObject::Shard::*part) {
    call.require(out, name);
    const auto shards = call.use(reduced, "reduced");
    check_rank(call, rank, shards->size());
    std::optional<core::Buffer> taken = shards->take(part, rank);
    if (!taken) call.refuse("rank", "is " + std::to_string(rank) + ", of which this was taken before");
    *out = call.give<cuprum_buffer>(BufferObject(std::move(*taken)));
}

// A reduction or a scan.
template <class Algorithm>
void call_with_init(const Call& call, cuprum_distributed_algorithm algorithm, const char* kind,
                    const cuprum_shard* inputs, uint32_t input_count, const cuprum_shard* outputs,
                    uint32_t output_count, const void* init, uint64_t init_size) {
    const auto built = call.use(algorithm, "algorithm");
    const auto& [run_over, value_type] = built_as<WithValues<Algorithm>>(call, built, kind);
    const Shards from(call, "inputs", inputs, input_count);
    const Shards to(call, "outputs", outputs, output_count);
    if (init_size == 0) {
        run_over(from.get(), to.get());
    } else {
        run_over(from.get(), to.get(), read_value(call, "init", value_type, init, init_size));
    }
}

}  // namespace

cuprum_status cuprum_communicator_create(cuprum_communicator* communicator_out, const void* devices,
                                         uint64_t devices_size) {
    return run("cuprum_communicator_create", [&](const Call& call) {
        call.require(communicator_out, "communicator_out");
        const uint64_t count =
            element_count(call, "devices", parallel::Type(parallel::TypeKind::int32), devices, devices_size);
        std::vector<core::Device> ranks;
        ranks.reserve(count);
        for (uint64_t rank = 0; rank < count; ++rank)
            ranks.emplace_back(static_cast<const int32_t*>(devices)[rank]);
        *communicator_out = call.give<cuprum_communicator>(CommunicatorObject{distributed::Communicator(ranks)});
    });
}

cuprum_status cuprum_communicator_destroy(cuprum_communicator communicator) {
    return run("cuprum_communicator_destroy", [&](const Call& call) { call.destroy(communicator, "communicator"); });
}

cuprum_status cuprum_communicator_size(uint32_t* size_out, cuprum_communicator communicator) {
    return run("cuprum_communicator_size", [&](const Call& call) {
        call.require(size_out, "size_out");
        *size_out = static_cast<uint32_t>(call.use(communicator, "communicator")->communicator.size());
    });
}

cuprum_status cuprum_communicator_device(int32_t* device_out, cuprum_communicator communicator, uint32_t rank) {
    return run("cuprum_communicator_device", [&](const Call& call) {
        call.require(device_out, "device_out");
        const auto ranks = call.use(communicator, "communicator");
        check_rank(call, rank, ranks->communicator.size());
        *device_out = ranks->communicator.device(rank).device_id();
    });
}

cuprum_status cuprum_communicator_stream(cuprum_stream* stream_out, cuprum_communicator communicator, uint32_t rank) {
    return run("cuprum_communicator_stream", [&](const Call& call) {
        call.require(stream_out, "stream_out");
        const auto ranks = call.use(communicator, "communicator");
        check_rank(call, rank, ranks->communicator.size());
        // A copy of a communicator keeps its streams.
        auto keeper = std::make_shared<const distributed::Communicator>(ranks->communicator);
        const core::StreamRef stream = keeper->stream(rank);
        *stream_out = call.give<cuprum_stream>(StreamObject(stream, std::move(keeper)));
    });
}

cuprum_status cuprum_communicator_sync(cuprum_communicator communicator) {
    return run("cuprum_communicator_sync",
               [&](const Call& call) { call.use(communicator, "communicator")->communicator.sync(); });
}

cuprum_status cuprum_distributed_reduce_build(cuprum_distributed_algorithm* algorithm_out,
                                              cuprum_communicator communicator, const char* input,
                                              cuprum_parallel_operator op, const char* accumulator) {
    return run("cuprum_distributed_reduce_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const auto ranks = call.use(communicator, "communicator");
        const parallel::Type elements = read_type(call, "input", input);
        const auto combine = call.use(op, "op");
        const parallel::Type sum = read_type(call, "accumulator", accumulator);
        *algorithm_out =
            give_built(call, WithValues{distributed::Reduce(ranks->communicator, elements, combine->op, sum), sum});
    });
}

cuprum_status cuprum_distributed_scan_build(cuprum_distributed_algorithm* algorithm_out,
                                            cuprum_communicator communicator, int32_t kind, const char* input,
                                            cuprum_parallel_operator op, const char* accumulator) {
    return run("cuprum_distributed_scan_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const auto ranks = call.use(communicator, "communicator");
        const auto chosen = read_choice<parallel::ScanKind>(call, "kind", kind, 3, "CUPRUM_SCAN_* (0 to 2)");
        const parallel::Type elements = read_type(call, "input", input);
        const auto combine = call.use(op, "op");
        const parallel::Type sum = read_type(call, "accumulator", accumulator);
        *algorithm_out = give_built(
            call, WithValues{distributed::Scan(chosen, ranks->communicator, elements, combine->op, sum), sum});
    });
}

cuprum_status cuprum_distributed_radix_sort_build(cuprum_distributed_algorithm* algorithm_out,
                                                  cuprum_communicator communicator, int32_t order, const char* keys,
                                                  const char* values) {
    return run("cuprum_distributed_radix_sort_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const auto ranks = call.use(communicator, "communicator");
        const auto chosen = read_choice<parallel::SortOrder>(call, "order", order, 2, "CUPRUM_SORT_* (0, 1)");
        *algorithm_out =
            give_built(call, distributed::RadixSort(chosen, ranks->communicator, read_type(call, "keys", keys),
                                                    read_optional_type(values)));
    });
}

cuprum_status cuprum_distributed_histogram_even_build(cuprum_distributed_algorithm* algorithm_out,
                                                      cuprum_communicator communicator, const char* samples,
                                                      const char* levels, const char* counters) {
    return run("cuprum_distributed_histogram_even_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const auto ranks = call.use(communicator, "communicator");
        const parallel::Type elements = read_type(call, "samples", samples);
        const parallel::Type bounds = read_type(call, "levels", levels);
        *algorithm_out = give_built(call, WithValues{distributed::HistogramEven(ranks->communicator, elements, bounds,
                                                                                read_type(call, "counters", counters)),
                                                     bounds});
    });
}

cuprum_status cuprum_distributed_reduce_by_key_build(cuprum_distributed_algorithm* algorithm_out,
                                                     cuprum_communicator communicator, const char* keys,
                                                     const char* values, cuprum_parallel_operator op,
                                                     const char* accumulator) {
    return run("cuprum_distributed_reduce_by_key_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const auto ranks = call.use(communicator, "communicator");
        const parallel::Type of_keys = read_type(call, "keys", keys);
        const parallel::Type of_values = read_type(call, "values", values);
        const auto combine = call.use(op, "op");
        *algorithm_out = give_built(call, distributed::ReduceByKey(ranks->communicator, of_keys, of_values, combine->op,
                                                                   read_type(call, "accumulator", accumulator)));
    });
}

cuprum_status cuprum_distributed_algorithm_destroy(cuprum_distributed_algorithm algorithm) {
    return run("cuprum_distributed_algorithm_destroy", [&](const Call& call) { call.destroy(algorithm, "algorithm"); });
}

cuprum_status cuprum_distributed_reduce(cuprum_distributed_algorithm algorithm, const cuprum_shard* inputs,
                                        uint32_t input_count, const cuprum_shard* outputs, uint32_t output_count,
                                        const void* init, uint64_t init_size) {
    return run("cuprum_distributed_reduce", [&](const Call& call) {
        call_with_init<distributed::Reduce>(call, algorithm, "a reduction", inputs, input_count, outputs, output_count,
                                            init, init_size);
    });
}

cuprum_status cuprum_distributed_scan(cuprum_distributed_algorithm algorithm, const cuprum_shard* inputs,
                                      uint32_t input_count, const cuprum_shard* outputs, uint32_t output_count,
                                      const void* init, uint64_t init_size) {
    return run("cuprum_distributed_scan", [&](const Call& call) {
        call_with_init<distributed::Scan>(call, algorithm, "a scan", inputs, input_count, outputs, output_count, init,
                                          init_size);
    });
}

cuprum_status cuprum_distributed_radix_sort(cuprum_distributed_algorithm algorithm, const cuprum_shard* keys,
                                            uint32_t key_count, const cuprum_shard* keys_target,
                                            uint32_t key_target_count, const cuprum_shard* values, uint32_t value_count,
                                            const cuprum_shard* values_target, uint32_t value_target_count) {
    return run("cuprum_distributed_radix_sort", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const auto& sort = built_as<distributed::RadixSort>(call, built, "a radix sort");
        const Shards from(call, "keys", keys, key_count);
        const Shards to(call, "keys_target", keys_target, key_target_count);
        const Shards values_from(call, "values", values, value_count);
        const Shards values_to(call, "values_target", values_target, value_target_count);
        if (values_from.empty() && values_to.empty()) {
            sort(from.get(), to.get());
        } else {
            sort(from.get(), to.get(), values_from.get(), values_to.get());
        }
    });
}

cuprum_status cuprum_distributed_histogram_even(cuprum_distributed_algorithm algorithm, const cuprum_shard* samples,
                                                uint32_t sample_count, const cuprum_shard* histograms,
                                                uint32_t histogram_count, uint64_t bins, const void* lower,
                                                uint64_t lower_size, const void* upper, uint64_t upper_size) {
    return run("cuprum_distributed_histogram_even", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const auto& [histogram, level] = built_as<WithValues<distributed::HistogramEven>>(call, built, "a histogram");
        const Shards from(call, "samples", samples, sample_count);
        const Shards to(call, "histograms", histograms, histogram_count);
        histogram(from.get(), to.get(), bins, read_value(call, "lower", level, lower, lower_size),
                  read_value(call, "upper", level, upper, upper_size));
    });
}

cuprum_status cuprum_distributed_reduce_by_key(cuprum_reduced_shards* reduced_out,
                                               cuprum_distributed_algorithm algorithm, const cuprum_shard* keys,
                                               uint32_t key_count, const cuprum_shard* values, uint32_t value_count) {
    return run("cuprum_distributed_reduce_by_key", [&](const Call& call) {
        call.require(reduced_out, "reduced_out");
        const auto built = call.use(algorithm, "algorithm");
        const auto& reduce = built_as<distributed::ReduceByKey>(call, built, "a reduction by key");
        const Shards of_keys(call, "keys", keys, key_count);
        const Shards of_values(call, "values", values, value_count);
        *reduced_out = call.give<cuprum_reduced_shards>(ReducedShardsObject(reduce(of_keys.get(), of_values.get())));
    });
}

cuprum_status cuprum_reduced_shards_count(uint64_t* count_out, cuprum_reduced_shards reduced, uint32_t rank) {
    return run("cuprum_reduced_shards_count", [&](const Call& call) {
        call.require(count_out, "count_out");
        const auto shards = call.use(reduced, "reduced");
        check_rank(call, rank, shards->size());
        *count_out = shards->count(rank);
    });
}

cuprum_status cuprum_reduced_shards_take_keys(cuprum_buffer* keys_out, cuprum_reduced_shards reduced, uint32_t rank) {
    return run("cuprum_reduced_shards_take_keys", [&](const Call& call) {
        take_reduced(call, keys_out, "keys_out", reduced, rank, &ReducedShardsObject::Shard::keys);
    });
}

cuprum_status cuprum_reduced_shards_take_values(cuprum_buffer* values_out, cuprum_reduced_shards reduced,
                                                uint32_t rank) {
    return run("cuprum_reduced_shards_take_values", [&](const Call& call) {
        take_reduced(call, values_out, "values_out", reduced, rank, &ReducedShardsObject::Shard::values);
    });
}

cuprum_status cuprum_reduced_shards_destroy(cuprum_reduced_shards reduced) {
    return run("cuprum_reduced_shards_destroy", [&](const Call& call) { call.destroy(reduced, "reduced"); });
}
