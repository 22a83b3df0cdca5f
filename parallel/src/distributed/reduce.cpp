#include "cuprum/parallel/distributed/reduce.hpp"

#include <optional>
#include <vector>

#include "collective_call.hpp"
#include "cuprum/parallel/reduce.hpp"

namespace cuprum::parallel::distributed {

namespace {

constexpr const char* operation = "reducing";
constexpr size_t root = 0;  // the rank that combines the others' results

}  // namespace

struct Reduce::State {
    Communicator communicator;
    Type input, accumulator;
    Digest digest;
    OfRanks<parallel::Reduce> of_elements;
    std::optional<parallel::Reduce> of_results;  // of the root, where that is of this process

    State(const Communicator& communicator_, const Type& input_, const Operator& op, const Type& accumulator_)
        : communicator(communicator_), input(input_), accumulator(accumulator_), of_elements(communicator) {
        digest.add_text(operation).add(input).add(op).add(accumulator);
        for_each_local_rank(communicator, [&](size_t rank) {
            of_elements.emplace_back(Iterator::pointer(input), op, accumulator, communicator.device(rank));
        });
        if (communicator.is_local(root))
            of_results.emplace(Iterator::pointer(accumulator), op, accumulator, communicator.device(root));
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
    core::BufferRef results, total;  // of the root
    call.on_one_rank(root, [&] {
        results = call.allocate(root, call.size() * size);
        total = call.allocate(root, size);
    });
    std::vector<core::BufferRef> result(call.size());
    call.on_each_rank([&](size_t rank) {
        const Shard& input = inputs[rank];
        if (input.count == 0) return;
        result[rank] = call.allocate(rank, size);
        state.of_elements[rank](call.stream(rank), input.memory, result[rank], input.count);
    });
    uint64_t count = 0;  // results
    std::vector<Message> messages;
    for (size_t rank = 0; rank < call.size(); ++rank) {
        if (inputs[rank].count > 0) messages.push_back({rank, root, result[rank], part(results, count++ * size, size)});
    }
    if (count == 0 && init == nullptr) return;
    call.exchange(messages);
    call.on_one_rank(root, [&] {
        if (init != nullptr) {
            (*state.of_results)(call.stream(root), results, total, count, *init);
        } else {
            (*state.of_results)(call.stream(root), results, total, count);
        }
    });
    messages.clear();
    for (size_t rank = 0; rank < call.size(); ++rank)
        messages.push_back({root, rank, total, part(outputs[rank].memory, 0, size)});
    call.exchange(messages);
    call.finish();
}

}  // namespace cuprum::parallel::distributed
