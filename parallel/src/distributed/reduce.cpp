#include "cuprum/parallel/distributed/reduce.hpp"

#include <optional>
#include <vector>

#include "collective_call.hpp"
#include "cuprum/parallel/reduce.hpp"

namespace cuprum::parallel::distributed {

namespace {

constexpr const char* operation = "reducing";
// Up to so many ranks each get all results and combine them, which saves a way there and back; of more, one does.
constexpr size_t most_that_combine = 8;
constexpr size_t root = 0;  // that one

bool combines(const Communicator& communicator, size_t rank) {
    return rank == root || communicator.size() <= most_that_combine;
}

}  // namespace

struct Reduce::State {
    Communicator communicator;
    Type input, accumulator;
    Digest digest;
    OfRanks<parallel::Reduce> of_elements;
    OfRanks<std::optional<parallel::Reduce>> of_results;  // of the ranks that combine them

    State(const Communicator& communicator_, const Type& input_, const Operator& op, const Type& accumulator_)
        : communicator(communicator_),
          input(input_),
          accumulator(accumulator_),
          of_elements(communicator),
          of_results(communicator) {
        digest.add_text(operation).add(input).add(op).add(accumulator);
        for_each_local_rank(communicator, [&](size_t rank) {
            const core::Device device = communicator.device(rank);
            of_elements.emplace_back(Iterator::pointer(input), op, accumulator, device);
            of_results.emplace_back();
            if (combines(communicator, rank))
                of_results.back().emplace(Iterator::pointer(accumulator), op, accumulator, device);
        });
    }
};

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
    const uint64_t size = state.accumulator.size();
    Digest digest = state.digest;
    if (init != nullptr) digest.add(*init);
    const AllShards shards = agree(state.communicator, operation, digest, {inputs_here, outputs_here}, [&] {
        check_shards(state.communicator, operation, "input", state.input, inputs_here);
        check_room(state.communicator, operation, "output", state.accumulator, outputs_here, 1);
        check_initial_value(operation, init, state.accumulator, "reduction");
    });
    const std::vector<Shard>&inputs = shards[0], &outputs = shards[1];
    CollectiveCall call(state.communicator);
    const bool each_combines = call.size() <= most_that_combine;
    std::vector<core::BufferRef> result(call.size()), results(call.size()), total(call.size());
    call.on_each_rank([&](size_t rank) {
        if (combines(state.communicator, rank)) {
            results[rank] = call.allocate(rank, call.size() * size);
            total[rank] = each_combines ? outputs[rank].memory.slice(0, size) : call.allocate(rank, size);
        }
        const Shard& input = inputs[rank];
        if (input.count == 0) return;
        result[rank] = call.allocate(rank, size);
        state.of_elements[rank](call.stream(rank), input.memory, result[rank], input.count);
    });
    uint64_t count = 0;  // results
    std::vector<Message> messages;
    for (size_t rank = 0; rank < call.size(); ++rank) {
        if (inputs[rank].count == 0) continue;
        for (size_t to = 0; to < call.size(); ++to) {
            if (!combines(state.communicator, to)) continue;
            messages.push_back({rank, to, result[rank], part(results[to], count * size, size)});
        }
        ++count;
    }
    if (count == 0 && init == nullptr) return;
    call.exchange(messages);
    call.on_each_rank([&](size_t rank) {
        if (!combines(state.communicator, rank)) return;
        const parallel::Reduce& of_results = *state.of_results[rank];
        if (init != nullptr) {
            of_results(call.stream(rank), results[rank], total[rank], count, *init);
        } else {
            of_results(call.stream(rank), results[rank], total[rank], count);
        }
    });
    if (!each_combines) {
        messages.clear();
        for (size_t rank = 0; rank < call.size(); ++rank)
            messages.push_back({root, rank, total[root], part(outputs[rank].memory, 0, size)});
        call.exchange(messages);
    }
    call.finish();
}

}  // namespace cuprum::parallel::distributed
