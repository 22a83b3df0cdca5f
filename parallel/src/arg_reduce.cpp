#include "cuprum/parallel/arg_reduce.hpp"

#include <cstring>
#include <string>
#include <vector>

#include "block_extremes.hpp"
#include "call.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "host_execution.hpp"
#include "one_shot.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "finding the extreme element";

// A thread's elements come in order, so that of equal ones it keeps the first; blocks and threads compare positions
// too.
constexpr std::string_view kernels = R"(
struct place_t { offset_t index; value_t value; };
// Whether the later element is the extreme: a NaN is, but of two the first.
__device__ __forceinline__ bool is_beyond(const value_t& later, const value_t& before) {
    return !(finds_minimum ? before <= later : before >= later) && before == before;
}
struct choose_t {
    __device__ __forceinline__ place_t operator()(const place_t& a, const place_t& b) const {
        return b.index < a.index ? (is_beyond(a.value, b.value) ? a : b) : (is_beyond(b.value, a.value) ? b : a);
    }
};
using reduce_t = cub::BlockReduce<place_t, threads>;
__global__ __launch_bounds__(threads) void cuprum_arg_reduce(input_t in, result_t* of_blocks, offset_t n) {
    __shared__ typename reduce_t::TempStorage storage;
    if (gridDim.x > 1) let_the_next_kernel_begin();
    const offset_t begin = static_cast<offset_t>(blockIdx.x) * tile_items;
    place_t found{begin, in[begin]};
    look_at_elements(in, begin, n, [&](const value_t& element, offset_t at) {
        if (is_beyond(element, found.value)) found = place_t{at, element};
    });
    found = reduce_t(storage).Reduce(found, choose_t{});
    if (threadIdx.x == 0) of_blocks[blockIdx.x] = result_t{static_cast<long long>(found.index), found.value};
}
__global__ __launch_bounds__(threads) void cuprum_arg_reduce_of_blocks(const result_t* of_blocks, result_t* out, int n) {
    __shared__ typename reduce_t::TempStorage storage;
    if (n == 0) {
        if (threadIdx.x == 0) *out = result_t{-1, value_t{}};
        return;
    }
    wait_for_the_kernel_before();
    const auto place_of = [&](int block) {
        return place_t{static_cast<offset_t>(of_blocks[block].index), of_blocks[block].value};
    };
    place_t found = combine_blocks<place_t>(n, place_of, choose_t{});
    found = reduce_t(storage).Reduce(found, choose_t{});
    if (threadIdx.x == 0) *out = result_t{static_cast<long long>(found.index), found.value};
})";

BuildRequest make_request(ArgKind kind, const Iterator& input, const Type& result, Width width) {
    SourceBuilder source({"cub/block/block_reduce.cuh"});
    source.alias("value_t", source.type(input.value_type()));
    source.alias("input_t", source.iterator(input));
    source.alias("result_t", source.type(result));
    source.alias("offset_t", offset_type(width));
    source.line(kind == ArgKind::minimum ? "constexpr bool finds_minimum = true;"
                                         : "constexpr bool finds_minimum = false;");
    return BlockExtremes::request("arg_reduce", source, kernels, "cuprum_arg_reduce", "cuprum_arg_reduce_of_blocks");
}

void run_on_host(const HostCall& call, ArgKind kind, const Iterator& built, const Type& result, const Input& input,
                 const Output& output) {
    using namespace host_execution;
    check_call(call, nullptr);
    const host::Source source = source_of(call, "input", built, input, call.count);
    auto* const target = static_cast<std::byte*>(target_of(call, "output", result, output, 1));
    int64_t index = -1;
    check(host_functions().arg_reduce(&source, call.count, kind == ArgKind::maximum ? 1 : 0, &index,
                                      target + result.fields()[1].offset),
          call);
    std::memcpy(target, &index, sizeof(index));
}

}  // namespace

struct ArgReduce::State {
    Target target;
    ArgKind kind;
    Iterator input;
    Type result;
    Programs<BlockExtremes> programs;

    State(ArgKind kind_, const Iterator& input_, const Execution& execution, const BuildOptions& options)
        : target(execution, options),
          kind(kind_),
          input(input_),
          result(Iterator::indexed(input_).value_type()),
          programs(target, [this](Width width) { return make_request(kind, input, result, width); }) {}
};

ArgReduce::ArgReduce(ArgKind kind, const Iterator& input, const Execution& execution, const BuildOptions& options) {
    if (kind != ArgKind::minimum && kind != ArgKind::maximum) {
        throw InvalidArgument("building arg_reduce", "kind " + std::to_string(static_cast<int>(kind)),
                              "expected minimum or maximum");
    }
    const Type& type = input.value_type();
    if (type.is_structure() || type.is_complex()) {
        throw InvalidArgument("building arg_reduce", "elements of type " + type.name(),
                              "only numbers and bool have an order",
                              "reduce an indexed iterator with an operator of your own");
    }
    if (execution.is_host()) host_execution::check_elements("arg_reduce", input);
    state_ = std::make_shared<const State>(kind, input, execution, options);
}

uint64_t ArgReduce::temp_storage_bytes(uint64_t count) const {
    const State& state = *state_;
    if (count == 0 || state.target.is_host()) return 0;
    check_count(operation, count, state.input.value_type().size());
    return state.programs.for_count(count).storage_bytes(count, state.result.size());
}

void ArgReduce::operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                           const CallOptions& options) const {
    const State& state = *state_;
    if (state.target.is_host()) {
        run_on_host({operation, stream, options, count}, state.kind, state.input, result_type(), input, output);
        return;
    }
    const Call call{operation, state.target.device(), stream, count};
    check_stream(call);
    check_input(call, "input", state.input, input);
    check_output({operation, state.target.device(), stream, 1}, "output", state.result, output, 1);
    refuse_overlap(operation, extent_of("input", input, state.input.value_type(), count),
                   extent_of("output", output, state.result, 1));
    const BlockExtremes& program = state.programs.for_count(count);
    const Workspace workspace(call, program.storage_bytes(count, state.result.size()), options);
    program.launch(stream, Raw{input.state(), state.input.state().size()}, workspace[0], output.address(), count);
}

const Type& ArgReduce::result_type() const {
    return state_->result;
}

std::string ArgReduce::save() const {
    return state_->programs.save();
}

int64_t arg_reduce(ArgKind kind, const HostInput& data, const Execution& execution) {
    const Execution target = runnable("looking for an extreme element", execution);
    const ArgReduce built = kept_or_built(CallKey("arg_reduce", target).add(static_cast<int32_t>(kind)).add(data.type),
                                          [&] { return ArgReduce(kind, Iterator::pointer(data.type), target); });
    if (execution.is_host()) {
        std::vector<std::byte> result(built.result_type().size());
        int64_t index = -1;
        built({}, in_place(data), result.data(), data.count);
        std::memcpy(&index, result.data(), sizeof(index));
        return index;
    }
    Job job(execution.device_id());
    const core::BufferRef input = job.upload(data.type, data.data, data.count);
    const core::BufferRef output = job.memory_for(built.result_type(), 1);
    built(job.stream(), input, output, data.count, job.options(built.temp_storage_bytes(data.count)));
    int64_t index = -1;
    job.download(output.slice(0, sizeof(index)), &index);
    job.wait();
    return index;
}

}  // namespace cuprum::parallel
