#include "cuprum/parallel/distributed/reduce.hpp"

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
    std::vector<parallel::Reduce> of_elements;  // of each rank
    parallel::Reduce of_results;                // of the root

    State(const Communicator& communicator_, const Type& input_, const Operator& op, const Type& accumulator_)
        : communicator(communicator_),
          input(input_),
          accumulator(accumulator_),
          of_results(Iterator::pointer(accumulator), op, accumulator, communicator.device(root)) {
        for (size_t rank = 0; rank < communicator.size(); ++rank)
            of_elements.emplace_back(Iterator::pointer(input), op, accumulator, communicator.device(rank));
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

void Reduce::run(std::span<const Shard> inputs, std::span<const Shard> outputs, const Value* init) const {
    const State& state = *state_;
    const uint64_t size = state.accumulator.size();
    check_shards(state.communicator, operation, "input", state.input, inputs);
    check_room(state.communicator, operation, "output", state.accumulator, outputs, 1);
    CollectiveCall call(state.communicator);
    core::BufferRef results, total;  // of the root
    call.on_one_rank(root, [&] {
        results = call.allocate(root, call.size() * size);
        total = call.allocate(root, size);
    });
    uint64_t count = 0;  // results so far
    std::vector<Message> messages;
    call.on_each_rank([&](size_t rank) {
        const Shard& input = inputs[rank];
        if (input.count == 0) return;
        const core::BufferRef result = call.allocate(rank, size);
        state.of_elements[rank](call.stream(rank), input.memory, result, input.count);
        messages.push_back({rank, root, result, results.slice(count++ * size, size)});
    });
    if (count == 0 && init == nullptr) return;
    call.exchange(messages);
    call.on_one_rank(root, [&] {
        if (init != nullptr) {
            state.of_results(call.stream(root), results, total, count, *init);
        } else {
            state.of_results(call.stream(root), results, total, count);
        }
    });
    messages.clear();
    for (size_t rank = 0; rank < call.size(); ++rank)
        messages.push_back({root, rank, total, outputs[rank].memory.slice(0, size)});
    call.exchange(messages);
    call.finish();
}

}  // namespace cuprum::parallel::distributed
