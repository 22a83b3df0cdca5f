#include "cuprum/parallel/reduce.hpp"

#include "../layout.hpp"
#include "cuprum/parallel/out_of_core/reduce.hpp"
#include "piece_call.hpp"

namespace cuprum::parallel::out_of_core {

namespace {

constexpr const char* operation = "reducing";

}  // namespace

struct Reduce::State {
    DeviceMemory memory;
    Type input, accumulator;
    parallel::Reduce of_elements, of_results;

    State(const DeviceMemory& memory_, const Type& input_, const Operator& op, const Type& accumulator_)
        : memory(memory_),
          input(input_),
          accumulator(accumulator_),
          of_elements(Iterator::pointer(input), op, accumulator, memory.device),
          of_results(Iterator::pointer(accumulator), op, accumulator, memory.device) {
        check_resource(operation, memory);
    }

    Needs needs() const {
        Needs needs{operation, {input.size(), 0}, 2, 1, [this](uint64_t elements) {
                        return std::max(of_elements.temp_storage_bytes(elements), of_results.temp_storage_bytes(2));
                    }};
        needs.other_bytes = align_up(2 * accumulator.size(), 256);
        return needs;
    }
};

Reduce::Reduce(const DeviceMemory& memory, const Type& input, const Operator& op, const Type& accumulator)
    : state_(std::make_shared<const State>(memory, input, op, accumulator)) {}

void Reduce::operator()(const HostInput& input, const HostOutput& output, const Value& init) const {
    run(input, output, &init);
}

void Reduce::operator()(const HostInput& input, const HostOutput& output) const {
    run(input, output, nullptr);
}

// The result so far stays on the device, beside that of the piece.
void Reduce::run(const HostInput& input, const HostOutput& output, const Value* init) const {
    const State& state = *state_;
    const uint64_t size = state.accumulator.size();
    check_elements(operation, "elements", state.input, input);
    check_room(operation, "result", state.accumulator, output, 1);
    check_initial_value(operation, init, state.accumulator);
    if (input.count == 0 && init == nullptr) return;
    const Needs needs = state.needs();
    const Plan plan = plan_pieces(state.memory, needs, input.count, one_pass(needs.sizes));
    PieceCall call(state.memory, plan);
    const core::BufferRef results = call.reserve(2 * size), total = results.slice(0, size);
    const HostMemory source = host_memory(const_cast<void*>(input.data), input.count * state.input.size());
    Stages stages;
    stages.copy_in = [&](uint64_t piece, const PieceBuffer& in) {
        call.upload(source, plan.begin(piece) * state.input.size(),
                    in.columns[0].slice(0, plan.length(piece) * state.input.size()));
    };
    stages.work = [&](uint64_t piece, const PieceBuffer& in, const PieceBuffer&) {
        const core::BufferRef result = results.slice(piece == 0 ? 0 : size, size);
        state.of_elements(call.stream(), in.columns[0], result, plan.length(piece), call.options());
        if (piece > 0) state.of_results(call.stream(), results, total, 2, call.options());
        return true;
    };
    call.run(plan.pieces, stages);
    if (init != nullptr) {
        state.of_results(call.stream(), results, total, plan.pieces == 0 ? 0 : 1, *init, call.options());
    }
    total.copy_to_host(output.data, size, call.stream());
    call.finish();
}

}  // namespace cuprum::parallel::out_of_core
