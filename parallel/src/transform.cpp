#include "cuprum/parallel/transform.hpp"

#include "call.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "host_execution.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "transforming";

BuildRequest make_request(const std::vector<Iterator>& inputs, const Operator& op, const Type& output, Width width) {
    BuildRequest request;
    request.algorithm = "transform";
    SourceBuilder source({"cub/device/dispatch/kernels/transform.cuh"});
    source.alias("output_t", source.type(output));
    source.alias("offset_t", width == Width::narrow ? "int" : "long long");  // signed: the one kind that CUB tests
    std::vector<Type> operands;
    std::string parameters;
    std::string arguments;
    std::string loaded = "0";
    for (size_t i = 0; i < inputs.size(); ++i) {
        const std::string number = std::to_string(i);
        source.alias("input_" + number + "_t", source.iterator(inputs[i]));
        operands.push_back(inputs[i].value_type());
        parameters += ", input_" + number + "_t in_" + number;
        arguments += ", in_" + number;
        loaded += " + " + std::to_string(inputs[i].value_type().size());
    }
    source.alias("op_t", source.op(op, operands, output));
    source.alias("policy_t", "cub::detail::transform::prefetch_policy_t<256>");
    // CUB's own kernel takes the inputs in a union that also serves its bulk copies.
    source.line(
        "__global__ __launch_bounds__(policy_t::block_threads) void cuprum_transform(offset_t n, int "
        "items_per_thread, op_t op, output_t* out" +
        parameters +
        ") {\n"
        "    cub::detail::transform::transform_kernel_impl<policy_t>(::cuda::std::integral_constant<"
        "cub::detail::transform::Algorithm, cub::detail::transform::Algorithm::prefetch>{}, n, "
        "items_per_thread, op, out" +
        arguments + ");\n}");
    request.source = source.text();
    request.kernels = {"cuprum_transform"};
    request.constants = {"policy_t::block_threads",
                         "policy_t::items_per_thread_no_input",
                         "policy_t::min_items_per_thread",
                         "policy_t::max_items_per_thread",
                         "cub::detail::transform::arch_to_min_bytes_in_flight(__CUDA_ARCH__)",
                         loaded};
    return request;
}

struct Program {
    core::Kernel kernel;
    int64_t threads, min_items, max_items;
    uint64_t resident_threads;
    uint64_t wanted_items;  // per thread, for enough bytes in flight
    bool wide;

    Program(const core::Device& device, const Build& build, const BuildRequest& request, Width width)
        : kernel(build.code.get_kernel(request.kernels[0])),
          threads(build.constants[0]),
          min_items(build.constants[2]),
          max_items(build.constants[3]),
          resident_threads(resident_blocks(device, kernel, threads) * build.size_constant(0)),
          wanted_items(build.size_constant(1)),
          wide(width == Width::wide) {
        if (const uint64_t loaded_bytes = build.size_constant(5); loaded_bytes > 0) {
            const auto multiprocessors = static_cast<uint64_t>(device.properties().multiprocessor_count);
            wanted_items = ceil_divide(build.size_constant(4), resident_threads / multiprocessors * loaded_bytes);
        }
    }

    // As cub::DeviceTransform chooses: fewer where that would leave multiprocessors idle.
    int32_t items_per_thread(uint64_t count) const {
        const uint64_t spread = std::min(wanted_items, count / resident_threads);
        return static_cast<int32_t>(std::clamp(static_cast<int64_t>(spread), min_items, max_items));
    }
};

}  // namespace

struct Transform::State {
    Target target;
    std::vector<Iterator> inputs;
    Operator op;
    Type output;
    Programs<Program> programs;

    State(std::vector<Iterator> inputs_, const Operator& op_, const Type& output_, const BuildOptions& options)
        : target(options), inputs(std::move(inputs_)), op(op_), output(output_), programs(target, [this](Width width) {
              return make_request(inputs, op, output, width);
          }) {}
};

Transform::Transform(const Iterator& input, const Operator& op, const Type& output, const BuildOptions& options)
    : state_(std::make_shared<const State>(std::vector{input}, op, output, options)) {
    if (state_->target.is_host()) host_execution::check_transform(input, nullptr, op, output);
}

Transform::Transform(const Iterator& first, const Iterator& second, const Operator& op, const Type& output,
                     const BuildOptions& options)
    : state_(std::make_shared<const State>(std::vector{first, second}, op, output, options)) {
    if (state_->target.is_host()) host_execution::check_transform(first, &second, op, output);
}

void Transform::operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                           const CallOptions& options) const {
    run(stream, input, nullptr, output, count, options);
}

void Transform::operator()(core::StreamRef stream, const Input& first, const Input& second, const Output& output,
                           uint64_t count, const CallOptions& options) const {
    run(stream, first, &second, output, count, options);
}

void Transform::run(const core::StreamRef& stream, const Input& first, const Input* second, const Output& output,
                    uint64_t count, const CallOptions& options) const {
    const State& state = *state_;
    const std::array<const Input*, 2> inputs{&first, second};
    const size_t given = second == nullptr ? 1 : 2;
    if (given != state.inputs.size()) {
        throw InvalidArgument(
            operation, "inputs",
            std::to_string(given) + " given, it was built for " + std::to_string(state.inputs.size()));
    }
    if (state.target.is_host()) {
        host_execution::transform({operation, stream, options, count}, state.inputs[0],
                                  given == 2 ? &state.inputs[1] : nullptr, state.op, state.output, first, second,
                                  output);
        return;
    }
    const Call call{operation, state.target.device(), stream, count};
    check_stream(call);
    check_output(call, "output", state.output, output, count);
    const uint64_t output_size = count * state.output.size();
    for (size_t i = 0; i < given; ++i) {
        const char* const name = i == 0 ? "first input" : "second input";
        check_input(call, name, state.inputs[i], *inputs[i]);
        const Type& type = state.inputs[i].value_type();
        const core::DevicePointer address = inputs[i]->address();
        const bool in_place = address == output.address() && type.size() == state.output.size();
        if (address != 0 && !in_place && overlap(address, count * type.size(), output.address(), output_size)) {
            throw_overlap(call, name, "output");
        }
    }
    if (count == 0) return;
    const Program& program = state.programs.for_count(count);
    const int32_t items = program.items_per_thread(count);
    const uint64_t blocks = ceil_divide(count, static_cast<uint64_t>(program.threads * items));
    const Offset n{count, program.wide};
    const Raw op{operator_state(call, state.op, options), state.op.state() ? state.op.state()->size() : 1};
    const Raw first_bytes{first.state(), state.inputs[0].state().size()};
    if (second == nullptr) {
        launch(stream, blocks, program.threads, program.kernel, n, items, op, output.address(), first_bytes);
    } else {
        launch(stream, blocks, program.threads, program.kernel, n, items, op, output.address(), first_bytes,
               Raw{second->state(), state.inputs[1].state().size()});
    }
}

size_t Transform::input_count() const {
    return state_->inputs.size();
}
const Type& Transform::output_type() const {
    return state_->output;
}

std::string Transform::save() const {
    return state_->programs.save();
}

}  // namespace cuprum::parallel
