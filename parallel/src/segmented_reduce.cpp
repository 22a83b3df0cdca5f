#include "cuprum/parallel/segmented_reduce.hpp"

#include <algorithm>

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

// For many segments, whose sizes nobody knows before: a warp has several, and as many of its lanes go over one of them
// as it is large. What is too large for a warp is left to the block. Of 1,024 floats each they take half of the time
// that a block for each segment takes (benchmarks/results/h200-parallel.md).
constexpr std::string_view kernel_for_many = R"(
constexpr int warps = 8, block_threads = warps * 32;
constexpr int at_once = sizeof(accum_t) >= 64 ? 1 : sizeof(accum_t) <= 4 ? 16 : 64 / sizeof(accum_t);
constexpr offset_t most_for_a_lane = 16, most_for_few_lanes = 128, most_for_a_warp = 8192;
// What a thread's elements of a segment come to, of which it has every `Threads`-th, one at least.
template <int Threads> __device__ __forceinline__ accum_t sum_of_thread(const input_t& in, offset_t begin, offset_t end,
                                                                        int rank, op_t op) {
    accum_t sum;
    bool has_sum = false;
    for (offset_t at = begin + rank;; at += at_once * Threads) {
        const offset_t left = (end - at - 1) / Threads + 1;
        const int mine = left < at_once ? static_cast<int>(left) : at_once;
        accum_t elements[at_once];
        #pragma unroll
        for (int i = 0; i < at_once; ++i) elements[i] = static_cast<accum_t>(in[at + (i < mine ? i : 0) * Threads]);
        sum = has_sum ? static_cast<accum_t>(op(sum, elements[0])) : elements[0];
        has_sum = true;
        #pragma unroll
        for (int i = 1; i < at_once; ++i)
            if (i < mine) sum = op(sum, elements[i]);
        if (left <= at_once) return sum;
    }
}
// By a group of so many lanes for each segment; the first of them has the sum.
template <int Lanes> __device__ __forceinline__ accum_t sum_of_lanes(const input_t& in, offset_t begin, offset_t end,
                                                                     op_t op) {
    using reduce_t = cub::WarpReduce<accum_t, Lanes>;
    __shared__ typename reduce_t::TempStorage storage[block_threads / Lanes];
    const int rank = threadIdx.x % Lanes;
    const int valid = end - begin < Lanes ? static_cast<int>(end - begin) : Lanes;
    const accum_t sum = sum_of_thread<Lanes>(in, begin, end, rank < valid ? rank : 0, op);
    return reduce_t(storage[threadIdx.x / Lanes]).Reduce(sum, op, valid);
}
__global__ __launch_bounds__(block_threads) void cuprum_reduce_segments(
    input_t in, accum_t* out, const offset_t* begins, const offset_t* ends, op_t op, accum_t init,
    unsigned long long segments, int of_a_warp) {
    using block_reduce_t = cub::BlockReduce<accum_t, block_threads>;
    __shared__ typename block_reduce_t::TempStorage storage;
    __shared__ unsigned long long large[block_threads];
    __shared__ int large_count;
    if (threadIdx.x == 0) large_count = 0;
    __syncthreads();
    constexpr unsigned all_lanes = 0xffffffffu;
    const int lane = threadIdx.x % 32;
    const unsigned long long warp = static_cast<unsigned long long>(blockIdx.x) * warps + threadIdx.x / 32;
    const unsigned long long first = warp * of_a_warp;
    const bool has_one = lane < of_a_warp && first + lane < segments;
    const offset_t begin = has_one ? begins[first + lane] : 0, end = has_one ? ends[first + lane] : 0;
    const auto finish = [&](unsigned long long segment, const accum_t& sum) {
        out[segment] = static_cast<accum_t>(op(init, sum));
    };
    // A group of lanes for each segment, as many at a time as there are groups.
    const auto reduce_in_groups = [&](auto lanes) {
        constexpr int groups = 32 / lanes.value;
        for (int next = 0; next < of_a_warp; next += groups) {
            const int which = next + lane / lanes.value;
            const offset_t from = __shfl_sync(all_lanes, begin, which), to = __shfl_sync(all_lanes, end, which);
            if (which >= of_a_warp || from >= to) continue;
            if (lanes.value == 32 && to - from > most_for_a_warp) {
                if (lane == 0) large[atomicAdd(&large_count, 1)] = first + which;
                continue;
            }
            const accum_t sum = sum_of_lanes<lanes.value>(in, from, to, op);
            if (lane % lanes.value == 0) finish(first + which, sum);
        }
    };
    if (has_one && begin >= end) out[first + lane] = init;
    if (__all_sync(all_lanes, end - begin <= most_for_a_lane)) {
        if (begin < end) finish(first + lane, sum_of_thread<1>(in, begin, end, 0, op));
    } else if (__all_sync(all_lanes, end - begin <= most_for_few_lanes)) {
        reduce_in_groups(::cuda::std::integral_constant<int, 8>{});
    } else {
        reduce_in_groups(::cuda::std::integral_constant<int, 32>{});
    }
    __syncthreads();
    for (int i = 0; i < large_count; ++i) {
        const unsigned long long segment = large[i];
        const accum_t of_thread =
            sum_of_thread<block_threads>(in, begins[segment], ends[segment], static_cast<int>(threadIdx.x), op);
        const accum_t sum = block_reduce_t(storage).Reduce(of_thread, op);
        if (threadIdx.x == 0) finish(segment, sum);
        __syncthreads();
    }
})";

// A multiprocessor has so many before a warp for each is faster than a block for each: large ones would else leave
// threads idle.
constexpr uint64_t least_segments_for_warps = 16;
// So many warps are enough for a multiprocessor; with more segments a warp has several, at most one for each lane.
constexpr uint64_t warps_of_multiprocessor = 32, most_segments_of_warp = 32;

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
    source.line(kernel_for_many);
    BuildRequest request("segmented_reduce", source);
    request.kernels = {
        "segmented_reduce::DeviceSegmentedReduceKernel<policy_t, input_t, accum_t*, const offset_t*, const "
        "offset_t*, offset_t, op_t, accum_t, accum_t>",
        "cuprum_reduce_segments"};
    request.constants = {{"threads", "threads"}, {"warps", "warps"}, {"is CCCL 3.4", "CCCL_VERSION >= 3004000"}};
    return request;
}

// One for all counts: positions are of the offsets' type.
struct Program {
    core::Kernel kernel, of_many;
    int64_t threads;
    uint64_t warps;  // of a block of the kernel for many
    uint64_t multiprocessors;
    bool takes_sizes;  // how many segments there are, and the size of the largest one

    Program(const core::Device& device, const CompiledProgram& compiled, Width)
        : kernel(compiled.kernel(0)),
          of_many(compiled.kernel(1)),
          threads(compiled.positive("threads")),
          warps(compiled.positive_size("warps")),
          multiprocessors(static_cast<uint64_t>(device.properties().multiprocessor_count)),
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
    if (segments >= least_segments_for_warps * program.multiprocessors) {
        const uint64_t of_warp = std::clamp(segments / (warps_of_multiprocessor * program.multiprocessors), uint64_t{1},
                                            most_segments_of_warp);
        if (const uint64_t blocks = ceil_divide(segments, of_warp * program.warps); blocks <= most) {
            launch_kernel(stream, blocks, static_cast<int64_t>(program.warps * 32), program.of_many, input_bytes,
                          output.address(), begins.address(), ends.address(), op_bytes, init_bytes, segments,
                          static_cast<int32_t>(of_warp));
            return;
        }
    }
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
