#include "cuprum/parallel/distributed/reduce.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "../call.hpp"
#include "collective_call.hpp"
#include "cuprum/parallel/reduce.hpp"
#include "rank_results.hpp"

namespace cuprum::parallel::distributed {

namespace {

constexpr const char* operation = "reducing";
constexpr size_t root = 0;  // which combines the results of many ranks

// A few ranks each get all results and combine them, which saves a way there and back.
bool each_combines(const Communicator& communicator) {
    return communicator.size() <= CombineResults::most;
}

}  // namespace

struct Reduce::State {
    Communicator communicator;
    Type input, accumulator;
    Digest digest;
    OfRanks<parallel::Reduce> of_elements;
    OfRanks<CombineResults> of_few;           // results, on each rank
    std::optional<parallel::Reduce> of_many;  // on the root

    State(const Communicator& communicator_, const Type& input_, const Operator& op, const Type& accumulator_)
        : communicator(communicator_),
          input(input_),
          accumulator(accumulator_),
          of_elements(communicator),
          of_few(communicator) {
        digest.add_text(operation).add(input).add(op).add(accumulator);
        for_each_local_rank(communicator, [&](size_t rank) {
            const core::Device device = communicator.device(rank);
            of_elements.emplace_back(Iterator::pointer(input), op, accumulator, device);
            if (each_combines(communicator)) {
                of_few.emplace_back(op, accumulator, device);
            } else if (rank == root) {
                of_many.emplace(Iterator::pointer(accumulator), op, accumulator, device);
            }
        });
    }

    bool can_combine_blocks(const CollectiveCall& call) const;
    void run_by_blocks(CollectiveCall& call, std::span<const Shard> inputs, std::span<const Shard> outputs,
                       const Value* init) const;
    std::vector<RankResult> reduce_shards(CollectiveCall& call, std::span<const Shard> inputs) const;
    void combine_on_each(CollectiveCall& call, std::span<const RankResult> results, std::span<const Shard> outputs,
                         const Value* init) const;
    void combine_on_root(CollectiveCall& call, std::span<const RankResult> results, std::span<const Shard> outputs,
                         const Value* init) const;
};

bool Reduce::State::can_combine_blocks(const CollectiveCall& call) const {
    return each_combines(communicator) && call.can_read_peers() &&
           of_few[communicator.first_local_rank()].can_combine_blocks();
}

// Each rank's elements, before anything else: all ranks wait for what the host does until the last of them begins.
void Reduce::State::run_by_blocks(CollectiveCall& call, std::span<const Shard> inputs, std::span<const Shard> outputs,
                                  const Value* init) const {
    std::vector<BlockResults> results(call.size());
    call.on_each_rank([&](size_t rank) {
        const uint64_t count = inputs[rank].count;
        if (count == 0) return;
        results[rank].memory =
            call.allocate(rank, std::max<uint64_t>(accumulator.size(), of_elements[rank].temp_storage_bytes(count)));
    });
    call.on_each_rank([&](size_t rank) {
        const Shard& shard = inputs[rank];
        if (shard.count == 0) return;
        results[rank].count = of_elements[rank].reduce_to_block_results(call.stream(rank), shard.memory,
                                                                        results[rank].memory, shard.count);
    });
    std::erase_if(results, [](const BlockResults& each) { return each.count == 0; });
    if (results.empty() && init == nullptr) return;
    call.wait_for_each_other();
    call.on_each_rank(
        [&](size_t rank) { of_few[rank].of_blocks(call.stream(rank), results, init, outputs[rank].memory); });
}

// Of the ranks that have elements.
std::vector<RankResult> Reduce::State::reduce_shards(CollectiveCall& call, std::span<const Shard> inputs) const {
    std::vector<RankResult> results;
    for (size_t rank = 0; rank < call.size(); ++rank) {
        const Shard& shard = inputs[rank];
        if (shard.count == 0) continue;
        RankResult& result = results.emplace_back(RankResult{rank});
        call.on_one_rank(rank, [&] {
            StorageLayout storage;
            const uint64_t result_offset = storage.add(accumulator.size());
            const uint64_t temporary_size = of_elements[rank].temp_storage_bytes(shard.count);
            const uint64_t temporary_offset = storage.add(temporary_size);
            const core::BufferRef memory = call.allocate(rank, storage.size());
            result.memory = memory.slice(result_offset, accumulator.size());
            CallOptions options;
            if (temporary_size > 0) options.temp_storage = memory.slice(temporary_offset, temporary_size);
            of_elements[rank](call.stream(rank), shard.memory, result.memory, shard.count, options);
        });
    }
    return results;
}

void Reduce::State::combine_on_each(CollectiveCall& call, std::span<const RankResult> results,
                                    std::span<const Shard> outputs, const Value* init) const {
    std::vector<ResultReader> readers;
    readers.reserve(call.size());
    for (size_t rank = 0; rank < call.size(); ++rank)
        readers.push_back({rank, results.size()});
    const std::vector<ReadableResults> readable = make_readable(call, results, readers, accumulator.size());
    call.on_each_rank(
        [&](size_t rank) { of_few[rank](call.stream(rank), readable[rank].each, init, outputs[rank].memory); });
}

void Reduce::State::combine_on_root(CollectiveCall& call, std::span<const RankResult> results,
                                    std::span<const Shard> outputs, const Value* init) const {
    const uint64_t size = accumulator.size();
    core::BufferRef collected, total;
    call.on_one_rank(root, [&] {
        collected = call.allocate(root, results.size() * size);
        total = call.allocate(root, size);
    });
    std::vector<Message> messages;
    messages.reserve(call.size());
    for (size_t i = 0; i < results.size(); ++i)
        messages.push_back({results[i].rank, root, results[i].memory, part(collected, i * size, size)});
    call.exchange(messages);
    call.on_one_rank(root, [&] {
        if (init != nullptr) {
            (*of_many)(call.stream(root), collected, total, results.size(), *init);
        } else {
            (*of_many)(call.stream(root), collected, total, results.size());
        }
    });
    messages.clear();
    for (size_t rank = 0; rank < call.size(); ++rank)
        messages.push_back({root, rank, total, part(outputs[rank].memory, 0, size)});
    call.exchange(messages);
}

Reduce::Reduce(const Communicator& communicator, const Type& input, const Operator& op, const Type& accumulator)
    : state_(std::make_shared<const State>(communicator, input, op, accumulator)) {}

void Reduce::operator()(std::span<const Shard> inputs, std::span<const Shard> outputs, const Value& init) const {
    run(inputs, outputs, &init);
}

void Reduce::operator()(std::span<const Shard> inputs, std::span<const Shard> outputs) const {
    run(inputs, outputs, nullptr);
}

void Reduce::run(std::span<const Shard> inputs_here, std::span<const Shard> outputs_here, const Value* init) const {
    const State& state = *state_;
    Digest digest = state.digest;
    if (init != nullptr) digest.add(*init);
    const AllShards shards = agree(state.communicator, operation, digest, {inputs_here, outputs_here}, [&] {
        check_shards(state.communicator, operation, "input", state.input, inputs_here);
        check_room(state.communicator, operation, "output", state.accumulator, outputs_here, 1);
        check_initial_value(operation, init, state.accumulator, "reduction");
    });
    const std::vector<Shard>&inputs = shards[0], &outputs = shards[1];
    CollectiveCall call(state.communicator);
    if (state.can_combine_blocks(call)) {
        state.run_by_blocks(call, inputs, outputs, init);
        call.finish();
        return;
    }
    const std::vector<RankResult> results = state.reduce_shards(call, inputs);
    if (!results.empty() || init != nullptr) {
        if (each_combines(state.communicator)) {
            state.combine_on_each(call, results, outputs, init);
        } else {
            state.combine_on_root(call, results, outputs, init);
        }
    }
    call.finish();
}

}  // namespace cuprum::parallel::distributed
