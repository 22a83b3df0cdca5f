// Each thread has some elements in a row; the neighbour of the outermost is another lane's, or in the cache by then.
#include "cuprum/parallel/adjacent_difference.hpp"

#include "cuprum/pathfinder/error.hpp"
#include "host_execution.hpp"
#include "over_arrays.hpp"
#include "vector_tiles.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* algorithm = "adjacent_difference";
constexpr const char* operation = "taking differences of neighbours";
constexpr int64_t threads = 256;

// One read of 16 bytes for each thread: more of them take longer (measured on an H200).
constexpr std::string_view kernel = R"(
constexpr int threads = 256;
constexpr int items = sizeof(value_t) >= 16 ? 1 : 16 / sizeof(value_t);
constexpr int tile_items = threads * items;
constexpr int in_a_row = vector_in<value_t, input_t, items>();
using tile_t = vector_tile<value_t, input_t, threads, items, in_a_row>;
__global__ __launch_bounds__(threads) void cuprum_adjacent_difference(input_t in, output_t* out, op_t op, offset_t n) {
    const offset_t begin = static_cast<offset_t>(blockIdx.x) * tile_items;
    const offset_t alone = is_right ? n - 1 : 0;
    const auto neighbour_of = [&](offset_t at) { return in[at == alone ? at : is_right ? at + 1 : at - 1]; };
    const auto difference = [&](offset_t at, const value_t& own, const value_t& other) {
        return at == alone ? static_cast<output_t>(own) : static_cast<output_t>(op(own, other));
    };
    if (n - begin < tile_items) {
        for (offset_t at = begin + threadIdx.x; at < n; at += threads) out[at] = difference(at, in[at], neighbour_of(at));
        return;
    }
    value_t own[items], outer[items / in_a_row];
    tile_t::read(in, begin, own);
    constexpr int outermost = is_right ? in_a_row - 1 : 0;
    if constexpr (in_a_row > 1 && (sizeof(value_t) == 4 || sizeof(value_t) == 8)) {
        ::cuda::std::conditional_t<sizeof(value_t) == 4, unsigned, unsigned long long> bits;
        memcpy(&bits, &own[is_right ? 0 : items - 1], sizeof bits);
        bits = is_right ? __shfl_down_sync(~0u, bits, 1) : __shfl_up_sync(~0u, bits, 1);
        memcpy(&outer[0], &bits, sizeof bits);
        if (threadIdx.x % 32 == (is_right ? 31 : 0)) outer[0] = neighbour_of(begin + tile_t::place(outermost));
    } else {
        #pragma unroll
        for (int row = 0; row < items / in_a_row; ++row)
            outer[row] = neighbour_of(begin + tile_t::place(row * in_a_row + outermost));
    }
    output_t results[items];
    #pragma unroll
    for (int i = 0; i < items; ++i) {
        const bool is_outer = i % in_a_row == outermost;
        results[i] = difference(begin + tile_t::place(i), own[i], is_outer ? outer[i / in_a_row] : own[is_right ? i + 1 : i - 1]);
    }
    tile_t::write(out, begin, results);
})";

BuildRequest make_request(Neighbour neighbour, const Iterator& input, const Operator& op, const Type& output,
                          Width width) {
    SourceBuilder source({});
    source.alias("value_t", source.type(input.value_type()));
    source.alias("output_t", source.type(output));
    source.alias("input_t", source.iterator(input));
    source.alias("op_t", source.op(op, {input.value_type(), input.value_type()}, output));
    source.alias("offset_t", offset_type(width));
    source.line(neighbour == Neighbour::right ? "constexpr bool is_right = true;" : "constexpr bool is_right = false;");
    source.line(vector_tiles);
    source.line(kernel);
    BuildRequest request(algorithm, source);
    request.kernels = {"cuprum_adjacent_difference"};
    request.constants = {{"items per thread", "items"}};
    return request;
}

struct Program {
    core::Kernel kernel;
    uint64_t tile_items;
    bool wide;

    Program(const core::Device&, const CompiledProgram& compiled, Width width)
        : kernel(compiled.kernel(0)),
          tile_items(threads * compiled.positive_size("items per thread")),
          wide(width == Width::wide) {}
};

void check_types(Neighbour neighbour, const Type& elements, const Type& output) {
    if (neighbour != Neighbour::left && neighbour != Neighbour::right) {
        throw InvalidArgument("building adjacent_difference",
                              "neighbour " + std::to_string(static_cast<int32_t>(neighbour)), "expected left or right");
    }
    if (elements != output && (elements.is_structure() || output.is_structure())) {
        throw InvalidArgument(
            "building adjacent_difference", "output of type " + output.name(),
            "an element without a neighbour is its own result, and " + elements.name() + " does not become that",
            "read the elements through a transform iterator that converts them");
    }
}

void check_for_host(const Iterator& input, const Operator& op, const Type& output) {
    using namespace host_execution;
    check_elements(algorithm, input);
    require_number(algorithm, "output", output);
    require_operands(algorithm, op, 2);
    const Type& elements = input.value_type();
    const host::TypeNumber result = host_functions().result_of(number_of(op), number_of(elements));
    require_defined(algorithm, op, elements, result);
    require_convertible(algorithm, "output", result, output);
    require_convertible(algorithm, "output", number_of(elements), output);
}

}  // namespace

struct AdjacentDifference::State {
    Target target;
    Neighbour neighbour;
    Iterator input;
    Operator op;
    Type output;
    Programs<Program> programs;

    State(Neighbour neighbour_, const Iterator& input_, const Operator& op_, const Type& output_,
          const Execution& execution, const BuildOptions& options)
        : target(execution, options),
          neighbour(neighbour_),
          input(input_),
          op(op_),
          output(output_),
          programs(target, [this](Width width) { return make_request(neighbour, input, op, output, width); }) {}

    void run_on_host(const HostCall& call, const Input& in, const Output& out) const {
        using namespace host_execution;
        check_call(call, &op);
        const host::Source source = source_of(call, "input", input, in, call.count);
        void* const to = target_of(call, "output", output, out, call.count);
        refuse_overlap(operation, extent_of("input", source, call.count), extent_of("output", out, output, call.count));
        check(host_functions().adjacent_difference(&source, call.count, neighbour == Neighbour::right ? 1 : 0,
                                                   number_of(op), number_of(output), to),
              call);
    }
};

AdjacentDifference::AdjacentDifference(Neighbour neighbour, const Iterator& input, const Operator& op,
                                       const Type& output, const Execution& execution, const BuildOptions& options) {
    check_types(neighbour, input.value_type(), output);
    if (execution.is_host()) check_for_host(input, op, output);
    state_ = std::make_shared<const State>(neighbour, input, op, output, execution, options);
}

void AdjacentDifference::operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                                    const CallOptions& options) const {
    const State& state = *state_;
    if (state.target.is_host()) {
        state.run_on_host({operation, stream, options, count}, input, output);
        return;
    }
    const Call call{operation, state.target.device(), stream, count};
    check_stream(call);
    check_input(call, "input", state.input, input);
    check_output(call, "output", state.output, output, count);
    refuse_overlap(operation, extent_of("input", input, state.input.value_type(), count),
                   extent_of("output", output, state.output, count));
    if (count == 0) return;
    const Program& program = state.programs.for_count(count);
    const Raw op{operator_state(call, state.op, options), state.op.state() ? state.op.state()->size() : 1};
    launch_kernel(stream, ceil_divide(count, program.tile_items), threads, program.kernel,
                  Raw{input.state(), state.input.state().size()}, output.address(), op, Offset{count, program.wide});
}

const Type& AdjacentDifference::output_type() const {
    return state_->output;
}

std::string AdjacentDifference::save() const {
    return state_->programs.save();
}

void adjacent_difference(Neighbour neighbour, const HostInput& data, const Operator& op, const HostOutput& output,
                         const Execution& execution) {
    const Execution target = runnable(operation, execution);
    require_same_count(operation, data.count, output.count);
    const AdjacentDifference built = kept_or_built(
        CallKey(algorithm, target).add(static_cast<int32_t>(neighbour)).add(data.type).add(output.type).add(op),
        [&] { return AdjacentDifference(neighbour, Iterator::pointer(data.type), op, output.type, target); });
    run_over_arrays(operation, {.read = {data}, .written = {output}}, 0, &op, target,
                    [&](const core::StreamRef& stream, const std::vector<Input>& in, const std::vector<Output>& out,
                        const CallOptions& options) { built(stream, in[0], out[0], data.count, options); });
}

}  // namespace cuprum::parallel
