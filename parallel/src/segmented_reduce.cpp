#include "cuprum/parallel/segmented_reduce.hpp"

#include "call.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "determinism.hpp"
#include "host_execution.hpp"
#include "over_arrays.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "reducing segments";

// From CCCL 3.4 on the kernel can also reduce many small segments per block; it is not used so, since nobody says how
// large the segments are.
constexpr std::string_view policy = R"(
#if CCCL_VERSION >= 3003000
namespace segmented_reduce = cub::detail::segmented_reduce;
using policy_t = segmented_reduce::policy_selector_from_types<accum_t, offset_t, tuning_op_t>;
#if CCCL_VERSION >= 3004000
constexpr int threads = cuprum_policy<policy_t>.large_reduce.CUPRUM_THREADS;
#else
constexpr int threads = cuprum_policy<policy_t>.segmented_reduce.CUPRUM_THREADS;
#endif
#else
namespace segmented_reduce = cub::detail::reduce;
using policy_t = segmented_reduce::policy_hub<accum_t, offset_t, tuning_op_t>::MaxPolicy;
constexpr int threads = policy_t::ActivePolicy::ReducePolicy::BLOCK_THREADS;
#endif)";

BuildRequest make_request(const Iterator& input, const Operator& op, const Type& accumulator, const Type& offsets) {
    SourceBuilder source(
        {"cub/device/dispatch/kernels/segmented_reduce.cuh", "cub/device/dispatch/tuning/tuning_reduce.cuh"});
    source.alias("accum_t", source.type(accumulator));
    source.alias("input_t", source.iterator(input));
    source.alias("offset_t", source.type(offsets));
    const std::string functor = source.op(op, {accumulator, accumulator}, accumulator);
    source.alias("op_t", functor);
    source.alias("tuning_op_t", tuning_operator(op, accumulator, functor));
    source.line(policy);
    BuildRequest request("segmented_reduce", source);
    request.kernels = {
        "segmented_reduce::DeviceSegmentedReduceKernel<policy_t, input_t, accum_t*, const offset_t*, const "
        "offset_t*, offset_t, op_t, accum_t, accum_t>"};
    request.constants = {{"threads", "threads"}, {"is CCCL 3.4", "CCCL_VERSION >= 3004000"}};
    return request;
}

// One for all counts: positions are of the offsets' type.
struct Program {
    core::Kernel kernel;
    int64_t threads;
    bool takes_sizes;  // how many segments there are, and the size of the largest one

    Program(const core::Device&, const CompiledProgram& compiled, Width)
        : kernel(compiled.kernel(0)),
          threads(compiled.positive("threads")),
          takes_sizes(compiled.constant("is CCCL 3.4") != 0) {}
};

void run_on_host(const HostCall& call, const Iterator& built, const Operator& op, const Type& accumulator,
                 const Type& offsets, const Input& input, const Output& output, const Input& begins, const Input& ends,
                 const Value& init) {
    using namespace host_execution;
    check_call(call, &op);
    const host::Source source = source_of(call, "input", built, input, call.count > 0 ? 1 : 0);
    check_memory(call, memory_of("segments' starts", begins), offsets, call.count);
    check_memory(call, memory_of("segments' ends", ends), offsets, call.count);
    void* const target = target_of(call, "output", accumulator, output, call.count);
    check_init(call, accumulator, init);
    check(host_functions().segmented_reduce(&source, call.count, reinterpret_cast<const void*>(begins.address()),
                                            reinterpret_cast<const void*>(ends.address()), offsets.size(),
                                            number_of(op), number_of(accumulator), init.data(), target),
          call);
}

}  // namespace

struct SegmentedReduce::State {
    Target target;
    Iterator input;
    Operator op;
    Type accumulator;
    Iterator offsets;
    Programs<Program> programs;

    State(const Iterator& input_, const Operator& op_, const Type& accumulator_, const Type& offsets_,
          const Execution& execution, const BuildOptions& options)
        : target(execution, options),
          input(input_),
          op(op_),
          accumulator(accumulator_),
          offsets(Iterator::pointer(offsets_)),
          programs(target, [this](Width) { return make_request(input, op, accumulator, offsets.value_type()); }) {}
};

SegmentedReduce::SegmentedReduce(const Iterator& input, const Operator& op, const Type& accumulator,
                                 const Type& offsets, const Execution& execution, const BuildOptions& options) {
    if (offsets.kind() != TypeKind::int32 && offsets.kind() != TypeKind::int64) {
        throw InvalidArgument("building segmented_reduce", "offsets of type " + offsets.name(),
                              "expected int32 or int64");
    }
    require_determinism("segmented_reduce", execution, op, accumulator, Determinism::run_to_run);
    state_ = std::make_shared<const State>(input, op, accumulator, offsets, execution, options);
    if (state_->target.is_host()) host_execution::check_combination("segmented_reduce", input, op, accumulator);
}

void SegmentedReduce::operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t segments,
                                 const Input& begins, const Input& ends, const Value& init,
                                 const CallOptions& options) const {
    const State& state = *state_;
    if (state.target.is_host()) {
        run_on_host({operation, stream, options, segments}, state.input, state.op, state.accumulator,
                    state.offsets.value_type(), input, output, begins, ends, init);
        return;
    }
    const Call call{operation, state.target.device(), stream, segments};
    check_stream(call);
    // How many elements there are is known to the device alone: at least one, if there is a segment.
    check_input({operation, state.target.device(), stream, segments > 0 ? uint64_t{1} : 0}, "input", state.input,
                input);
    check_input(call, "segments' starts", state.offsets, begins);
    check_input(call, "segments' ends", state.offsets, ends);
    check_output(call, "output", state.accumulator, output, segments);
    check_value(call, "initial value", state.accumulator, init);
    const Program& program = state.programs.for_count(0);
    const Raw input_bytes{input.state(), state.input.state().size()};
    const Raw op_bytes{operator_state(call, state.op, options), state.op.state() ? state.op.state()->size() : 1};
    const Raw init_bytes{init.data(), init.size()};
    const auto most = static_cast<uint64_t>(state.target.device().properties().max_grid_dim_x);
    const uint64_t offset_size = state.offsets.value_type().size();
    for (uint64_t first = 0; first < segments; first += most) {
        const uint64_t blocks = std::min(segments - first, most);
        const auto launch = [&](const auto&... rest) {
            launch_kernel(stream, blocks, program.threads, program.kernel, input_bytes,
                          output.address() + first * state.accumulator.size(), begins.address() + first * offset_size,
                          ends.address() + first * offset_size, rest...);
        };
        if (program.takes_sizes) {
            constexpr uint64_t any_size = 0;
            launch(static_cast<int32_t>(blocks), op_bytes, init_bytes, any_size);
        } else {
            launch(op_bytes, init_bytes);
        }
    }
}

const Type& SegmentedReduce::accumulator() const {
    return state_->accumulator;
}

std::string SegmentedReduce::save() const {
    return state_->programs.save();
}

void segmented_reduce(const HostInput& data, const HostInput& begins, const HostInput& ends, const Value& init,
                      const Operator& op, const HostOutput& output, const Execution& execution) {
    const Execution target = runnable(operation, execution);
    const uint64_t segments = require_segments(operation, begins, ends, data.count);
    require_same_count(operation, segments, output.count);
    const SegmentedReduce built = kept_or_built(
        CallKey("segmented_reduce", target).add(data.type).add(output.type).add(begins.type).add(op),
        [&] { return SegmentedReduce(Iterator::pointer(data.type), op, output.type, begins.type, target); });
    run_over_arrays(
        operation, {.read = {data, begins, ends}, .written = {output}}, 0, &op, target,
        [&](const core::StreamRef& stream, const std::vector<Input>& in, const std::vector<Output>& out,
            const CallOptions& options) { built(stream, in[0], out[0], segments, in[1], in[2], init, options); });
}

}  // namespace cuprum::parallel
