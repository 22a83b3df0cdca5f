#include "cuprum/parallel/for_each.hpp"

#include "call.hpp"
#include "host_execution.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* algorithm = "for_each";
constexpr const char* operation = "calling an operator for each element";

constexpr std::string_view kernel = R"(
constexpr int threads = 256;
constexpr int items = 2;
__global__ __launch_bounds__(threads) void cuprum_for_each(input_t in, op_t op, offset_t n) {
    const offset_t begin = static_cast<offset_t>(blockIdx.x) * (threads * items) + threadIdx.x;
    #pragma unroll
    for (int i = 0; i < items; ++i) {
        const offset_t at = begin + i * threads;
        if (at < n) op(static_cast<value_t>(in[at]));
    }
})";

BuildRequest make_request(const Iterator& input, const Operator& op, Width width) {
    SourceBuilder source({});
    source.alias("value_t", source.type(input.value_type()));
    source.alias("input_t", source.iterator(input));
    source.alias("op_t", source.op(op, {input.value_type()}, Type(TypeKind::boolean)));
    source.alias("offset_t", offset_type(width));
    source.line(kernel);
    BuildRequest request(algorithm, source);
    request.kernels = {"cuprum_for_each"};
    request.constants = {{"threads", "threads"}, {"items per thread", "items"}};
    return request;
}

struct Program {
    core::Kernel kernel;
    int64_t threads;
    uint64_t tile_items;
    bool wide;

    Program(const core::Device&, const CompiledProgram& compiled, Width width)
        : kernel(compiled.kernel(0)),
          threads(compiled.positive("threads")),
          tile_items(compiled.positive_size("threads") * compiled.positive_size("items per thread")),
          wide(width == Width::wide) {}
};

}  // namespace

struct ForEach::State {
    Target target;
    Iterator input;
    Operator op;
    Programs<Program> programs;

    State(const Iterator& input_, const Operator& op_, const Execution& execution, const BuildOptions& options)
        : target(execution, options),
          input(input_),
          op(op_),
          programs(target, [this](Width width) { return make_request(input, op, width); }) {}
};

ForEach::ForEach(const Iterator& input, const Operator& op, const Execution& execution, const BuildOptions& options) {
    if (execution.is_host()) {
        host_execution::refuse(algorithm, "operator '" + op.text() + "'",
                               "well-known operators alone run there, and they do nothing but return a result",
                               "transform the elements, or build for a device: on a machine without a GPU the "
                               "simulator is one (CUPRUM_DRIVER=sim)");
    }
    state_ = std::make_shared<const State>(input, op, execution, options);
}

void ForEach::operator()(core::StreamRef stream, const Input& input, uint64_t count, const CallOptions& options) const {
    const State& state = *state_;
    const Call call{operation, state.target.device(), stream, count};
    check_stream(call);
    check_input(call, "input", state.input, input);
    if (count == 0) return;
    const Program& program = state.programs.for_count(count);
    const Raw op{operator_state(call, state.op, options), state.op.state() ? state.op.state()->size() : 1};
    launch_kernel(stream, ceil_divide(count, program.tile_items), program.threads, program.kernel,
                  Raw{input.state(), state.input.state().size()}, op, Offset{count, program.wide});
}

const Type& ForEach::element_type() const {
    return state_->input.value_type();
}

std::string ForEach::save() const {
    return state_->programs.save();
}

}  // namespace cuprum::parallel
