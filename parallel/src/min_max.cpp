#include "cuprum/parallel/min_max.hpp"

#include "block_extremes.hpp"
#include "call.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "host_execution.hpp"
#include "over_arrays.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* algorithm = "min_max";
constexpr const char* operation = "finding the extreme elements";

constexpr std::string_view kernels = R"(
struct extremes_t { value_t low, high; };
struct widen_t {
    __device__ __forceinline__ extremes_t operator()(const extremes_t& a, const extremes_t& b) const {
        return extremes_t{b.low < a.low || b.low != b.low ? b.low : a.low,
                          b.high > a.high || b.high != b.high ? b.high : a.high};
    }
};
using reduce_t = cub::BlockReduce<extremes_t, threads>;
__global__ __launch_bounds__(threads) void cuprum_min_max(input_t in, extremes_t* of_blocks, offset_t n) {
    __shared__ typename reduce_t::TempStorage storage;
    if (gridDim.x > 1) let_the_next_kernel_begin();
    const offset_t begin = static_cast<offset_t>(blockIdx.x) * tile_items;
    const value_t first = in[begin];
    extremes_t found{first, first};
    look_at_elements(in, begin, n, [&](const value_t& element, offset_t) {
        found = widen_t{}(found, extremes_t{element, element});
    });
    found = reduce_t(storage).Reduce(found, widen_t{});
    if (threadIdx.x == 0) of_blocks[blockIdx.x] = found;
}
__global__ __launch_bounds__(threads) void cuprum_min_max_of_blocks(const extremes_t* of_blocks, extremes_t* out, int n) {
    __shared__ typename reduce_t::TempStorage storage;
    wait_for_the_kernel_before();
    extremes_t found = combine_blocks<extremes_t>(n, [&](int block) { return of_blocks[block]; }, widen_t{});
    found = reduce_t(storage).Reduce(found, widen_t{});
    if (threadIdx.x == 0) *out = found;
})";

BuildRequest make_request(const Iterator& input, Width width) {
    SourceBuilder source({"cub/block/block_reduce.cuh"});
    source.alias("value_t", source.type(input.value_type()));
    source.alias("input_t", source.iterator(input));
    source.alias("offset_t", offset_type(width));
    return BlockExtremes::request(algorithm, source, kernels, "cuprum_min_max", "cuprum_min_max_of_blocks");
}

}  // namespace

struct MinMax::State {
    Target target;
    Iterator input;
    Programs<BlockExtremes> programs;

    State(const Iterator& input_, const Execution& execution, const BuildOptions& options)
        : target(execution, options),
          input(input_),
          programs(target, [this](Width width) { return make_request(input, width); }) {}

    void run_on_host(const HostCall& call, const Input& in, const Output& output) const {
        using namespace host_execution;
        check_call(call, call.options.op);
        const host::Source source = source_of(call, "input", input, in, call.count);
        const Type& type = input.value_type();
        void* const result = target_of(call, "output", type, output, 2);
        refuse_overlap(operation, extent_of("input", source, call.count), extent_of("output", output, type, 2));
        if (call.count > 0) check(host_functions().min_max(&source, call.count, result), call);
    }
};

MinMax::MinMax(const Iterator& input, const Execution& execution, const BuildOptions& options) {
    const Type& type = input.value_type();
    if (type.is_structure() || type.is_complex()) {
        throw InvalidArgument("building min_max", "elements of type " + type.name(),
                              "only numbers and bool have an order", "reduce them with an operator of your own");
    }
    if (execution.is_host()) host_execution::check_elements(algorithm, input);
    state_ = std::make_shared<const State>(input, execution, options);
}

uint64_t MinMax::temp_storage_bytes(uint64_t count) const {
    const State& state = *state_;
    if (count == 0 || state.target.is_host()) return 0;
    check_count(operation, count, state.input.value_type().size());
    return state.programs.for_count(count).storage_bytes(count, 2 * state.input.value_type().size());
}

void MinMax::operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                        const CallOptions& options) const {
    const State& state = *state_;
    if (state.target.is_host()) {
        state.run_on_host({operation, stream, options, count}, input, output);
        return;
    }
    const Call call{operation, state.target.device(), stream, count};
    const Type& type = state.input.value_type();
    check_stream(call);
    check_input(call, "input", state.input, input);
    check_output(call, "output", type, output, 2);
    refuse_overlap(operation, extent_of("input", input, type, count), extent_of("output", output, type, 2));
    if (count == 0) return;
    const BlockExtremes& program = state.programs.for_count(count);
    const Workspace workspace(call, program.storage_bytes(count, 2 * type.size()), options);
    program.launch(stream, Raw{input.state(), state.input.state().size()}, workspace[0], output.address(), count);
}

const Type& MinMax::element_type() const {
    return state_->input.value_type();
}

std::string MinMax::save() const {
    return state_->programs.save();
}

void min_max(const HostInput& data, const HostOutput& output, const Execution& execution) {
    const Execution target = runnable(operation, execution);
    require_same_type(operation, "output", output.type, data.type);
    require_same_count(operation, output.count, 2);
    if (data.count == 0)
        throw InvalidArgument(operation, "host memory", "there are no elements, expected at least one");
    const MinMax built = kept_or_built(CallKey(algorithm, target).add(data.type),
                                       [&] { return MinMax(Iterator::pointer(data.type), target); });
    run_over_arrays(operation, {.read = {data}, .written = {output}}, built.temp_storage_bytes(data.count), nullptr,
                    target,
                    [&](const core::StreamRef& stream, const std::vector<Input>& in, const std::vector<Output>& out,
                        const CallOptions& options) { built(stream, in[0], out[0], data.count, options); });
}

}  // namespace cuprum::parallel
