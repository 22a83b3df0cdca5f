#include "cuprum/parallel/binary_search.hpp"

#include <algorithm>
#include <string>

#include "call.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "host_execution.hpp"
#include "integers.hpp"
#include "over_arrays.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "searching sorted elements";

// A block's shape is that of CUB's for_each (cub/device/dispatch/tuning/tuning_for.cuh), through which CUB's own
// searches run; a thread's values are a block apart, so that neighbours read neighbours.
constexpr std::string_view kernel = R"(
constexpr int threads = 256;
constexpr int items_per_thread = 2;
__global__ __launch_bounds__(threads) void cuprum_binary_search(
    data_t data, offset_t data_count, values_t values, position_t* out, op_t op, offset_t n) {
    const offset_t begin = static_cast<offset_t>(blockIdx.x) * (threads * items_per_thread) + threadIdx.x;
#pragma unroll
    for (int item = 0; item < items_per_thread; ++item) {
        const offset_t i = begin + item * threads;
        if (i >= n) return;
        const value_t value = values[i];
        offset_t first = 0;
        offset_t length = data_count;
        while (length > 0) {
            const offset_t half = length / 2;
            const value_t element = data[first + half];
            if (goes_on(op, element, value)) {
                first += half + 1;
                length -= half + 1;
            } else {
                length = half;
            }
        }
        out[i] = static_cast<position_t>(first);
    }
}
// For many values among many elements: each block has evenly spaced elements in shared memory, and values are looked for
// among these first, where memory's caches would serve each thread of a warp by itself.
constexpr int pivot_threads = 1024;
constexpr int pivot_count = sizeof(value_t) <= 4 ? 8192 : sizeof(value_t) <= 8 ? 4096 : sizeof(value_t) <= 16 ? 2048 : 0;
__global__ __launch_bounds__(pivot_threads) void cuprum_binary_search_by_pivots(
    data_t data, offset_t data_count, values_t values, position_t* out, op_t op, offset_t n) {
    if constexpr (pivot_count > 0) {
        __shared__ alignas(value_t) unsigned char memory[pivot_count * sizeof(value_t)];
        value_t* const pivots = reinterpret_cast<value_t*>(memory);
        // Pivot p is the last of the elements [p * step, (p + 1) * step).
        const offset_t step = (data_count - 1) / pivot_count + 1;
        for (int p = threadIdx.x; p < pivot_count; p += pivot_threads) {
            const offset_t last = (static_cast<offset_t>(p) + 1) * step - 1;
            pivots[p] = data[last < data_count ? last : data_count - 1];
        }
        __syncthreads();
        for (offset_t i = static_cast<offset_t>(blockIdx.x) * pivot_threads + threadIdx.x; i < n;
             i += static_cast<offset_t>(gridDim.x) * pivot_threads) {
            const value_t value = values[i];
            int before = 0;
#pragma unroll
            for (int half = pivot_count / 2; half > 0; half /= 2)
                if (goes_on(op, pivots[before + half - 1], value)) before += half;
            if (before == pivot_count - 1 && goes_on(op, pivots[pivot_count - 1], value)) {
                out[i] = static_cast<position_t>(data_count);
                continue;
            }
            offset_t first = static_cast<offset_t>(before) * step;
            for (offset_t length = step; length > 1;) {
                const offset_t half = length / 2, at = first + half - 1;
                if (at < data_count && goes_on(op, data[at], value)) first += half;
                length -= half;
            }
            if (first < data_count && goes_on(op, data[first], value)) ++first;
            out[i] = static_cast<position_t>(first);
        }
    }
})";

// Below it pivots take longer than they save (measured on an H200).
constexpr uint64_t least_values_for_pivots = uint64_t{1} << 20;

BuildRequest make_request(Bound bound, const Iterator& data, const Iterator& values, const Operator& compare,
                          const Type& positions, Width width) {
    SourceBuilder source(std::initializer_list<std::string_view>{});
    source.alias("value_t", source.type(data.value_type()));
    source.alias("position_t", source.type(positions));
    source.alias("data_t", source.iterator(data));
    source.alias("values_t", source.iterator(values));
    source.alias("offset_t", offset_type(width));
    source.alias("op_t", source.op(compare, {data.value_type(), data.value_type()}, Type(TypeKind::boolean)));
    source.line(
        "__device__ __forceinline__ bool goes_on(op_t& op, const value_t& element, const value_t& value) { return " +
        std::string(bound == Bound::lower ? "op(element, value)" : "!op(value, element)") + "; }");
    source.line(kernel);
    BuildRequest request("binary_search", source);
    request.kernels = {"cuprum_binary_search", "cuprum_binary_search_by_pivots"};
    request.constants = {{"threads", "threads"},
                         {"items per thread", "items_per_thread"},
                         {"pivots' threads", "pivot_threads"},
                         {"pivots", "pivot_count"}};
    return request;
}

struct Program {
    core::Kernel plain, by_pivots;
    int64_t threads, pivot_threads;
    uint64_t tile_items, pivots, most_pivot_blocks;
    bool wide;

    Program(const core::Device& device, const CompiledProgram& compiled, Width width)
        : plain(compiled.kernel(0)),
          by_pivots(compiled.kernel(1)),
          threads(compiled.positive("threads")),
          pivot_threads(compiled.positive("pivots' threads")),
          tile_items(compiled.positive_size("threads") * compiled.positive_size("items per thread")),
          pivots(compiled.size("pivots")),
          most_pivot_blocks(resident_blocks(device, by_pivots, pivot_threads)),
          wide(width == Width::wide) {}

    bool takes_pivots(uint64_t count, uint64_t data_count) const {
        return pivots > 0 && count >= least_values_for_pivots && data_count >= 8 * pivots;
    }
};

uint64_t largest_position(const Type& type) {
    switch (type.kind()) {
        case TypeKind::int32:
            return INT32_MAX;
        case TypeKind::uint32:
            return UINT32_MAX;
        case TypeKind::int64:
            return INT64_MAX;
        default:
            return UINT64_MAX;
    }
}

void check_types(const Iterator& data, const Iterator& values, const Type& positions) {
    if (data.value_type() != values.value_type()) {
        throw InvalidArgument("building binary_search", "values of type " + values.value_type().text(),
                              "the elements are of " + data.value_type().text() + ", expected the same type",
                              "read the values through a transform iterator that converts them");
    }
    require_wide_integers("binary_search", "positions", positions);
}

void check_for_host(const Iterator& data, const Iterator& values, const Operator& compare) {
    using namespace host_execution;
    constexpr const char* algorithm = "binary_search";
    check_available();
    check_iterator(algorithm, "data", data);
    check_iterator(algorithm, "values", values);
    check_comparison(algorithm, compare, data.value_type());
}

}  // namespace

struct BinarySearch::State {
    Target target;
    Bound bound;
    Iterator data, values;
    Operator compare;
    Type positions;
    Programs<Program> programs;

    State(Bound bound_, const Iterator& data_, const Iterator& values_, const Operator& compare_,
          const Type& positions_, const Execution& execution, const BuildOptions& options)
        : target(execution, options),
          bound(bound_),
          data(data_),
          values(values_),
          compare(compare_),
          positions(positions_),
          programs(target,
                   [this](Width width) { return make_request(bound, data, values, compare, positions, width); }) {}

    void run_on_host(const HostCall& call, const Input& data_in, uint64_t data_count, const Input& values_in,
                     const Output& output) const {
        using namespace host_execution;
        check_call(call, &compare);
        const host::Source elements = source_of(call, "data", data, data_in, data_count);
        const host::Source wanted = source_of(call, "values", values, values_in, call.count);
        void* const target_memory = target_of(call, "output", positions, output, call.count);
        const Extent results = extent_of("output", output, positions, call.count);
        refuse_overlap(operation, extent_of("data", elements, data_count), results);
        refuse_partial_overlap(operation, extent_of("values", wanted, call.count), results);
        check(host_functions().binary_search(&elements, data_count, &wanted, call.count, number_of(compare),
                                             bound == Bound::upper ? 1 : 0, positions.size(), target_memory),
              call);
    }
};

BinarySearch::BinarySearch(Bound bound, const Iterator& data, const Iterator& values, const Operator& compare,
                           const Type& positions, const Execution& execution, const BuildOptions& options) {
    check_types(data, values, positions);
    if (execution.is_host()) check_for_host(data, values, compare);
    state_ = std::make_shared<const State>(bound, data, values, compare, positions, execution, options);
}

void BinarySearch::operator()(core::StreamRef stream, const Input& data, uint64_t data_count, const Input& values,
                              const Output& output, uint64_t count, const CallOptions& options) const {
    const State& state = *state_;
    if (data_count > largest_position(state.positions)) {
        throw InvalidArgument(
            operation, "output",
            "it is of " + state.positions.name() + ", which cannot hold positions up to " + std::to_string(data_count),
            "build the search for positions of 64 bits");
    }
    if (state.target.is_host()) {
        state.run_on_host({operation, stream, options, count}, data, data_count, values, output);
        return;
    }
    const Call call{operation, state.target.device(), stream, count};
    check_stream(call);
    check_input({operation, state.target.device(), stream, data_count}, "data", state.data, data);
    check_input(call, "values", state.values, values);
    check_output(call, "output", state.positions, output, count);
    const Extent results = extent_of("output", output, state.positions, count);
    refuse_overlap(operation, extent_of("data", data, element_type(), data_count), results);
    refuse_partial_overlap(operation, extent_of("values", values, element_type(), count), results);
    if (count == 0) return;
    const Program& program = state.programs.for_count(std::max(count, data_count));
    const Raw op{operator_state(call, state.compare, options),
                 state.compare.state() ? state.compare.state()->size() : 1};
    const auto launch = [&](uint64_t blocks, int64_t threads, const core::Kernel& kernel) {
        launch_kernel(stream, blocks, threads, kernel, Raw{data.state(), state.data.state().size()},
                      Offset{data_count, program.wide}, Raw{values.state(), state.values.state().size()},
                      output.address(), op, Offset{count, program.wide});
    };
    if (program.takes_pivots(count, data_count)) {
        const uint64_t blocks = ceil_divide(count, static_cast<uint64_t>(program.pivot_threads));
        launch(std::min(blocks, program.most_pivot_blocks), program.pivot_threads, program.by_pivots);
    } else {
        launch(ceil_divide(count, program.tile_items), program.threads, program.plain);
    }
}

const Type& BinarySearch::element_type() const {
    return state_->data.value_type();
}

const Type& BinarySearch::position_type() const {
    return state_->positions;
}

std::string BinarySearch::save() const {
    return state_->programs.save();
}

void binary_search(Bound bound, const HostInput& data, const HostInput& values, const Operator& compare,
                   const HostOutput& output, const Execution& execution) {
    const Execution target = runnable(operation, execution);
    require_same_type(operation, "values", values.type, data.type);
    require_same_count(operation, values.count, output.count);
    const Iterator elements = Iterator::pointer(data.type);
    const BinarySearch built = kept_or_built(
        CallKey("binary_search", target).add(static_cast<int32_t>(bound)).add(data.type).add(output.type).add(compare),
        [&] { return BinarySearch(bound, elements, elements, compare, output.type, target); });
    run_over_arrays(
        operation, {.read = {data, values}, .written = {output}, .in_place = {1}}, 0, &compare, target,
        [&](const core::StreamRef& stream, const std::vector<Input>& in, const std::vector<Output>& out,
            const CallOptions& options) { built(stream, in[0], data.count, in[1], out[0], values.count, options); });
}

}  // namespace cuprum::parallel
