// Each tile finds its runs, learns from the tiles before it where these go and how long the one is that reaches into it
// (decoupled look-back), and writes them there.
#include "cuprum/parallel/non_trivial_runs.hpp"

#include <cstring>

#include "cuprum/pathfinder/error.hpp"
#include "host_execution.hpp"
#include "in_place.hpp"
#include "integers.hpp"
#include "runs.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "finding runs";
constexpr const char* algorithm = "non_trivial_runs";

// CUB's own kernel is in a header that NVRTC does not take (dispatch_rle.cuh): this one runs the same agent, which from
// CCCL 3.1 on can also be one of several launches.
constexpr std::string_view kernel = R"(
#if CCCL_VERSION >= 3001000
struct whole_t {
    static constexpr bool first_partition = true, last_partition = true;
    __device__ offset_t num_uniques() const { return 0; }
    __device__ offset_t base_offset() const { return 0; }
    __device__ position_t prefix() const { return 0; }
    template <class T> __device__ T add_num_uniques(T n) const { return n; }
    template <class T> __device__ void write_prefix(T) const {}
};
#define CUPRUM_ONE_LAUNCH , offset_t, whole_t
#define CUPRUM_THE_LAUNCH , whole_t{}
#else
#define CUPRUM_ONE_LAUNCH
#define CUPRUM_THE_LAUNCH
#endif
using agent_t = cub::detail::rle::AgentRle<policy_t, input_t, position_t*, position_t*, equal_t, offset_t CUPRUM_ONE_LAUNCH>;
__global__ __launch_bounds__(policy_t::BLOCK_THREADS) void cuprum_non_trivial_runs(
    input_t in, position_t* offsets, position_t* lengths, unsigned long long* runs, tiles_t tiles, equal_t equal,
    offset_t n, int tile_count) {
    __shared__ agent_t::TempStorage storage;
    agent_t(storage, in, offsets, lengths, equal, n CUPRUM_THE_LAUNCH).ConsumeRange(tile_count, tiles, runs);
})";

BuildRequest make_request(const Iterator& input, const Type& positions, const Operator& op, Width width) {
    SourceBuilder source({"cub/agent/agent_rle.cuh", "cub/device/dispatch/kernels/scan.cuh"});
    source.line(policy_wrapper);
    source.line(R"(#if CCCL_VERSION >= 3004000
#include <cub/device/dispatch/tuning/tuning_rle_non_trivial_runs.cuh>
#else
#include <cub/device/dispatch/tuning/tuning_run_length_encode.cuh>
#endif)");
    source.alias("value_t", source.type(input.value_type()));
    source.alias("position_t", source.type(positions));
    source.alias("input_t", source.iterator(input));
    source.alias("offset_t", width == Width::narrow ? "int" : "long long");
    source.alias("equal_t", source.op(op, {input.value_type(), input.value_type()}, Type(TypeKind::boolean)));
    source.alias("tiles_t", "cub::ReduceByKeyScanTileState<position_t, offset_t>");
    source.alias("policy_t",
                 "cub::detail::rle::non_trivial_runs::policy_hub<position_t, value_t>::MaxPolicy::ActivePolicy::"
                 "RleSweepPolicyT");
    source.line(tile_states_helper);
    source.line(kernel);
    BuildRequest request(algorithm, source);
    request.kernels = {CompactionProgram::init_kernel, "cuprum_non_trivial_runs"};
    add_run_constants(request.constants);
    return request;
}

void check_for_host(const Iterator& input, const Operator& op) {
    using namespace host_execution;
    check_elements(algorithm, input);
    check_comparison(algorithm, op, input.value_type());
}

void check_extents(const Extent& input, const Extent& offsets, const Extent& lengths) {
    refuse_overlap(operation, input, offsets);
    refuse_overlap(operation, input, lengths);
    refuse_overlap(operation, offsets, lengths);
}

}  // namespace

struct NonTrivialRuns::State {
    Target target;
    Iterator input;
    Type positions;
    Operator op;
    Type count_type{TypeKind::uint64};
    Programs<CompactionProgram> programs;

    State(const Iterator& input_, const Type& positions_, const Operator& op_, const Execution& execution,
          const BuildOptions& options)
        : target(execution, options),
          input(input_),
          positions(positions_),
          op(op_),
          programs(target, [this](Width width) { return make_request(input, positions, op, width); }) {}

    void run_on_host(const HostCall& call, const Input& in, const Output& offsets, const Output& lengths,
                     const Output& run_count) const {
        using namespace host_execution;
        check_call(call, &op);
        const host::Source source = source_of(call, "input", input, in, call.count);
        void* const to_offsets = target_of(call, "offsets", positions, offsets, call.count);
        void* const to_lengths = target_of(call, "lengths", positions, lengths, call.count);
        void* const to_count = target_of(call, "number of runs", count_type, run_count, 1);
        check_extents(extent_of("input", source, call.count), extent_of("offsets", offsets, positions, call.count),
                      extent_of("lengths", lengths, positions, call.count));
        uint64_t runs = 0;
        check(host_functions().non_trivial_runs(&source, call.count, number_of(op), positions.size(), to_offsets,
                                                to_lengths, &runs),
              call);
        std::memcpy(to_count, &runs, sizeof(runs));
    }
};

NonTrivialRuns::NonTrivialRuns(const Iterator& input, const Type& positions, const Operator& op,
                               const Execution& execution, const BuildOptions& options) {
    require_wide_integers(algorithm, "positions", positions);
    if (execution.is_host()) check_for_host(input, op);
    state_ = std::make_shared<const State>(input, positions, op, execution, options);
}

uint64_t NonTrivialRuns::temp_storage_bytes(uint64_t count) const {
    if (count == 0 || state_->target.is_host()) return 0;
    check_count(operation, count, element_type().size());
    return CompactionPlan(state_->programs.for_count(count), count).storage.size();
}

void NonTrivialRuns::operator()(core::StreamRef stream, const Input& input, const Output& offsets,
                                const Output& lengths, const Output& run_count, uint64_t count,
                                const CallOptions& options) const {
    const State& state = *state_;
    if (state.target.is_host()) {
        state.run_on_host({operation, stream, options, count}, input, offsets, lengths, run_count);
        return;
    }
    const Call call{operation, state.target.device(), stream, count};
    check_stream(call);
    check_input(call, "input", state.input, input);
    check_output(call, "offsets", state.positions, offsets, count);
    check_output(call, "lengths", state.positions, lengths, count);
    check_output(call, "number of runs", state.count_type, run_count, 1);
    check_extents(extent_of("input", input, element_type(), count),
                  extent_of("offsets", offsets, state.positions, count),
                  extent_of("lengths", lengths, state.positions, count));
    if (count == 0) {
        write_zero(stream, run_count, state.target.device());
        return;
    }
    const CompactionProgram& program = state.programs.for_count(count);
    const CompactionPlan plan(program, count);
    const Workspace workspace(call, plan.storage.size(), options);
    const TileStates::Parameter tiles = plan.states.parameter(workspace);
    init_tiles(stream, program, plan, tiles, run_count);
    const Raw op{operator_state(call, state.op, options), state.op.state() ? state.op.state()->size() : 1};
    launch_kernel(stream, plan.tiles, program.threads, program.sweep, Raw{input.state(), state.input.state().size()},
                  offsets.address(), lengths.address(), run_count.address(), tiles.bytes(), op,
                  Offset{count, program.wide}, static_cast<int32_t>(plan.tiles));
}

const Type& NonTrivialRuns::element_type() const {
    return state_->input.value_type();
}

const Type& NonTrivialRuns::position_type() const {
    return state_->positions;
}

std::string NonTrivialRuns::save() const {
    return state_->programs.save();
}

uint64_t non_trivial_runs(const HostInput& data, const Operator& op, const HostOutput& offsets,
                          const HostOutput& lengths, const Execution& execution) {
    require_same_type(operation, "lengths", lengths.type, offsets.type);
    require_same_count(operation, data.count, offsets.count);
    require_same_count(operation, data.count, lengths.count);
    const Execution target = runnable(operation, execution);
    const NonTrivialRuns built =
        kept_or_built(CallKey(algorithm, target).add(data.type).add(offsets.type).add(op),
                      [&] { return NonTrivialRuns(Iterator::pointer(data.type), offsets.type, op, target); });
    return run_in_place(operation, built, {.parts = {offsets, lengths}, .read_parts = 0, .only_read = {data}}, &op,
                        target,
                        [&](const core::StreamRef& stream, const std::vector<Input>& inputs,
                            const std::vector<Output>& outputs, const Output& number, const CallOptions& options) {
                            built(stream, inputs[0], outputs[0], outputs[1], number, data.count, options);
                        });
}

}  // namespace cuprum::parallel
