#include "cuprum/parallel/segmented_reduce.hpp"

#include "call.hpp"
#include "cuprum/pathfinder/error.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "reducing segments";

BuildRequest make_request(const Iterator& input, const Operator& op, const Type& accumulator, const Type& offsets) {
    BuildRequest request;
    request.algorithm = "segmented_reduce";
    SourceBuilder source(
        {"cub/device/dispatch/kernels/segmented_reduce.cuh", "cub/device/dispatch/tuning/tuning_reduce.cuh"});
    source.alias("accum_t", source.type(accumulator));
    source.alias("input_t", source.iterator(input));
    source.alias("offset_t", source.type(offsets));
    const std::string functor = source.op(op, {accumulator, accumulator}, accumulator);
    source.alias("op_t", functor);
    source.alias("policy_t", "cub::detail::reduce::policy_hub<accum_t, offset_t, " +
                                 tuning_operator(op, accumulator, functor) + ">::MaxPolicy");
    request.source = source.text();
    request.kernels = {
        "cub::detail::reduce::DeviceSegmentedReduceKernel<policy_t, input_t, accum_t*, const offset_t*, const "
        "offset_t*, offset_t, op_t, accum_t, accum_t>"};
    request.constants = {"policy_t::ActivePolicy::ReducePolicy::BLOCK_THREADS"};
    return request;
}

}  // namespace

struct SegmentedReduce::State {
    core::Device device;
    Iterator input;
    Operator op;
    Type accumulator;
    Iterator offsets;
    core::Kernel kernel;
    int64_t threads = 0;

    State(const Iterator& input_, const Operator& op_, const Type& accumulator_, const Type& offsets_,
          const BuildOptions& options)
        : device(options.device_id),
          input(input_),
          op(op_),
          accumulator(accumulator_),
          offsets(Iterator::pointer(offsets_)) {
        const BuildRequest request = make_request(input, op, accumulator, offsets_);
        const auto build = get_build(architecture_of(device), request);
        kernel = build->code.get_kernel(request.kernels[0]);
        threads = build->constants[0];
    }
};

SegmentedReduce::SegmentedReduce(const Iterator& input, const Operator& op, const Type& accumulator,
                                 const Type& offsets, const BuildOptions& options) {
    if (offsets.kind() != TypeKind::int32 && offsets.kind() != TypeKind::int64) {
        throw InvalidArgument("building segmented_reduce", "offsets of type " + offsets.name(),
                              "expected int32 or int64");
    }
    state_ = std::make_shared<const State>(input, op, accumulator, offsets, options);
}

void SegmentedReduce::operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t segments,
                                 const Input& begins, const Input& ends, const Value& init,
                                 const CallOptions& options) const {
    const State& state = *state_;
    const Call call{operation, state.device, stream, segments};
    check_stream(call);
    // How many elements there are is known to the device alone: at least one, if there is a segment.
    check_input({operation, state.device, stream, segments > 0 ? uint64_t{1} : 0}, "input", state.input, input);
    check_input(call, "segments' begins", state.offsets, begins);
    check_input(call, "segments' ends", state.offsets, ends);
    check_output(call, "output", state.accumulator, output, segments);
    check_value(call, "initial value", state.accumulator, init);
    const Raw input_bytes{input.state(), state.input.state().size()};
    const Raw op_bytes{operator_state(call, state.op, options), state.op.state() ? state.op.state()->size() : 1};
    const Raw init_bytes{init.data(), init.size()};
    const auto most = static_cast<uint64_t>(state.device.properties().max_grid_dim_x);
    const uint64_t offset_size = state.offsets.value_type().size();
    for (uint64_t first = 0; first < segments; first += most) {
        launch(stream, std::min(segments - first, most), state.threads, state.kernel, input_bytes,
               output.address() + first * state.accumulator.size(), begins.address() + first * offset_size,
               ends.address() + first * offset_size, op_bytes, init_bytes);
    }
}

const Type& SegmentedReduce::accumulator() const {
    return state_->accumulator;
}

}  // namespace cuprum::parallel
