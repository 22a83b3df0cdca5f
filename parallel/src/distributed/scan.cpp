#include "cuprum/parallel/distributed/scan.hpp"

#include <optional>
#include <vector>

#include "../determinism.hpp"
#include "collective_call.hpp"
#include "cuprum/parallel/reduce.hpp"
#include "cuprum/parallel/reduce_by_key.hpp"

namespace cuprum::parallel::distributed {

namespace {

constexpr const char* operation = "scanning";

}  // namespace

// Each rank reduces its elements, learns the results of the ranks before it, and scans with those as the initial value.
struct Scan::State {
    // What one rank does.
    struct Rank {
        // The result of its elements. A reduction may exchange its operands; one by key, here of one run, does not.
        std::optional<parallel::Reduce> reduce;
        std::optional<parallel::ReduceByKey> reduce_in_order;
        parallel::Scan of_results;            // of the ranks before it
        std::optional<parallel::Scan> first;  // of a rank with nothing before it, if that is another one than
        parallel::Scan later;
    };

    static Iterator one_key() { return Iterator::constant(uint8_t{0}); }
    core::BufferRef reduce(CollectiveCall& call, size_t rank, const Shard& shard) const;

    ScanKind kind;
    Communicator communicator;
    Type input, accumulator;
    Digest digest;
    OfRanks<Rank> ranks;

    State(ScanKind kind_, const Communicator& communicator_, const Type& input_, const Operator& op,
          const Type& accumulator_)
        : kind(kind_), communicator(communicator_), input(input_), accumulator(accumulator_), ranks(communicator) {
        digest.add_text(operation).add(static_cast<uint64_t>(kind)).add(input).add(op).add(accumulator);
        const Iterator elements = Iterator::pointer(input), results = Iterator::pointer(accumulator);
        const bool is_inclusive = kind == ScanKind::inclusive;
        for_each_local_rank(communicator, [&](size_t rank) {
            const core::Device& device = communicator.device(rank);
            std::optional<parallel::Scan> first;
            if (is_inclusive) first.emplace(kind, elements, op, accumulator, device);
            std::optional<parallel::Reduce> reduce;
            std::optional<parallel::ReduceByKey> reduce_in_order;
            if (is_commutative(op)) {
                reduce.emplace(elements, op, accumulator, device);
            } else {
                reduce_in_order.emplace(one_key(), elements, op, accumulator, OpKind::equal_to, device);
            }
            ranks.push_back({reduce, reduce_in_order,
                             parallel::Scan(is_inclusive ? ScanKind::inclusive : ScanKind::inclusive_with_init, results,
                                            op, accumulator, device),
                             first,
                             parallel::Scan(is_inclusive ? ScanKind::inclusive_with_init : kind, elements, op,
                                            accumulator, device)});
        });
    }
};

core::BufferRef Scan::State::reduce(CollectiveCall& call, size_t rank, const Shard& shard) const {
    const Rank& algorithms = ranks[rank];
    const core::StreamRef stream = call.stream(rank);
    if (algorithms.reduce) {
        const core::BufferRef result = call.allocate(rank, accumulator.size());
        (*algorithms.reduce)(stream, shard.memory, result, shard.count);
        return result;
    }
    // It has one run, and could have as many as there are elements.
    const core::BufferRef keys = call.allocate(rank, shard.count);
    const core::BufferRef results = call.allocate(rank, shard.count * accumulator.size());
    const core::BufferRef run_count = call.allocate(rank, sizeof(uint64_t));
    (*algorithms.reduce_in_order)(stream, one_key(), shard.memory, keys, results, run_count, shard.count);
    return results.slice(0, accumulator.size());
}

Scan::Scan(ScanKind kind, const Communicator& communicator, const Type& input, const Operator& op,
           const Type& accumulator)
    : state_(std::make_shared<const State>(kind, communicator, input, op, accumulator)) {}

void Scan::operator()(std::span<const Shard> inputs, std::span<const Shard> outputs, const Value& init) const {
    run(inputs, outputs, state_->kind == ScanKind::inclusive ? nullptr : &init);
}

void Scan::operator()(std::span<const Shard> inputs, std::span<const Shard> outputs) const {
    if (state_->kind != ScanKind::inclusive) {
        throw InvalidArgument(operation, "initial value", "none is given, but this scan was built with one");
    }
    run(inputs, outputs, nullptr);
}

void Scan::run(std::span<const Shard> inputs_here, std::span<const Shard> outputs_here, const Value* init) const {
    const State& state = *state_;
    const uint64_t size = state.accumulator.size();
    Digest digest = state.digest;
    if (init != nullptr) digest.add(*init);
    const AllShards shards = agree(state.communicator, operation, digest, {inputs_here, outputs_here}, [&] {
        check_shards(state.communicator, operation, "input", state.input, inputs_here);
        check_shards(state.communicator, operation, "output", state.accumulator, outputs_here);
        check_same_counts(state.communicator, operation, "output", outputs_here, "inputs", inputs_here);
        check_initial_value(operation, init, state.accumulator, "scan");
    });
    const std::vector<Shard>&inputs = shards[0], &outputs = shards[1];
    CollectiveCall call(state.communicator);
    std::vector<size_t> at_work;  // ranks with elements
    for (size_t rank = 0; rank < call.size(); ++rank) {
        if (inputs[rank].count > 0) at_work.push_back(rank);
    }
    // For each rank at work, the results of the ranks before it, next to each other.
    std::vector<core::BufferRef> before(at_work.size());
    std::vector<Message> messages;
    for (size_t i = 0; i < at_work.size(); ++i) {
        call.on_one_rank(at_work[i], [&] { before[i] = call.allocate(at_work[i], i * size); });
    }
    for (size_t i = 0; i + 1 < at_work.size(); ++i) {
        const size_t rank = at_work[i];
        core::BufferRef result;
        call.on_one_rank(rank, [&] { result = state.reduce(call, rank, inputs[rank]); });
        for (size_t later = i + 1; later < at_work.size(); ++later)
            messages.push_back({rank, at_work[later], result, part(before[later], i * size, size)});
    }
    call.exchange(messages);
    for (size_t i = 0; i < at_work.size(); ++i) {
        const size_t rank = at_work[i];
        if (!call.is_local(rank)) continue;
        const State::Rank& algorithms = state.ranks[rank];
        const core::StreamRef stream = call.stream(rank);
        const core::BufferRef &in = inputs[rank].memory, &out = outputs[rank].memory;
        const uint64_t count = inputs[rank].count;
        call.on_one_rank(rank, [&] {
            if (i == 0) {
                if (algorithms.first) {
                    (*algorithms.first)(stream, in, out, count);
                } else {
                    algorithms.later(stream, in, out, count, *init);
                }
                return;
            }
            if (init == nullptr) {
                algorithms.of_results(stream, before[i], before[i], i);
            } else {
                algorithms.of_results(stream, before[i], before[i], i, *init);
            }
            algorithms.later(stream, in, out, count, before[i].slice((i - 1) * size, size));
        });
    }
    call.finish();
}

}  // namespace cuprum::parallel::distributed
