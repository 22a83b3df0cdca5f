#include "cuprum/parallel/scan.hpp"

#include <optional>

#include "../layout.hpp"
#include "cuprum/parallel/out_of_core/scan.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "piece_call.hpp"

namespace cuprum::parallel::out_of_core {

namespace {

constexpr const char* operation = "scanning";

}  // namespace

// Every piece but the first is an inclusive scan that begins with the last result before it. An exclusive scan is that,
// one place later, with the initial value before all.
struct Scan::State {
    ScanKind kind;
    DeviceMemory memory;
    Type input, accumulator;
    parallel::Scan later;
    std::optional<parallel::Scan> first;  // of a scan without an initial value

    State(ScanKind kind_, const DeviceMemory& memory_, const Type& input_, const Operator& op, const Type& accumulator_)
        : kind(kind_),
          memory(memory_),
          input(input_),
          accumulator(accumulator_),
          later(ScanKind::inclusive_with_init, Iterator::pointer(input), op, accumulator, memory.device) {
        check_resource(operation, memory);
        if (kind == ScanKind::inclusive) first.emplace(kind, Iterator::pointer(input), op, accumulator, memory.device);
    }

    Needs needs() const {
        Needs needs{operation, {input.size(), accumulator.size()}, 3, 1, [this](uint64_t elements) {
                        return std::max(later.temp_storage_bytes(elements),
                                        first ? first->temp_storage_bytes(elements) : 0);
                    }};
        needs.other_bytes = align_up(accumulator.size(), 256);
        if (kind == ScanKind::exclusive) needs.extra_elements = 1;
        return needs;
    }
};

Scan::Scan(ScanKind kind, const DeviceMemory& memory, const Type& input, const Operator& op, const Type& accumulator)
    : state_(std::make_shared<const State>(kind, memory, input, op, accumulator)) {}

void Scan::operator()(const HostInput& input, const HostOutput& output, const Value& init) const {
    run(input, output, state_->kind == ScanKind::inclusive ? nullptr : &init);
}

void Scan::operator()(const HostInput& input, const HostOutput& output) const {
    if (state_->kind != ScanKind::inclusive) {
        throw InvalidArgument(operation, "initial value", "none is given, but this scan was built with one");
    }
    run(input, output, nullptr);
}

void Scan::run(const HostInput& input, const HostOutput& output, const Value* init) const {
    const State& state = *state_;
    const uint64_t size = state.accumulator.size(), input_size = state.input.size();
    check_elements(operation, "elements", state.input, input);
    check_elements(operation, "results", state.accumulator, output);
    check_same_count(operation, "results", output.count, "elements", input.count);
    check_initial_value(operation, init, state.accumulator);
    refuse_partial_overlap(operation, extent_of("elements", input), extent_of("results", output, output.count));
    if (input.count == 0) return;
    const Needs needs = state.needs();
    const Plan plan = plan_pieces(state.memory, needs, input.count, one_pass(needs.sizes));
    PieceCall call(state.memory, plan);
    const core::BufferRef last = call.reserve(size);  // of the results so far, or the initial value
    if (init != nullptr) last.copy_from_host(init->data(), size, call.stream());
    const HostMemory source = host_memory(const_cast<void*>(input.data), input.count * input_size);
    const HostMemory destination = host_memory(output.data, output.count * size);
    const bool is_exclusive = state.kind == ScanKind::exclusive;
    Stages stages;
    stages.copy_in = [&](uint64_t piece, const PieceBuffer& in) {
        call.upload(source, plan.begin(piece) * input_size, in.columns[0].slice(0, plan.length(piece) * input_size));
    };
    stages.work = [&](uint64_t piece, const PieceBuffer& in, const PieceBuffer&) {
        const uint64_t count = plan.length(piece);
        const core::BufferRef elements = in.columns[0];
        const core::BufferRef results = in.columns[1].slice(is_exclusive ? size : 0, count * size);
        if (is_exclusive) in.columns[1].slice(0, size).copy_from(last, call.stream());
        if (piece == 0 && state.first) {
            (*state.first)(call.stream(), elements, results, count, call.options());
        } else {
            state.later(call.stream(), elements, results, count, last, call.options());
        }
        last.copy_from(results.slice((count - 1) * size, size), call.stream());
        return true;
    };
    stages.copy_out = [&](uint64_t piece, const PieceBuffer& results) {
        call.download(results.columns[1].slice(0, plan.length(piece) * size), destination, plan.begin(piece) * size);
    };
    call.run(plan.pieces, stages);
    call.finish();
}

}  // namespace cuprum::parallel::out_of_core
