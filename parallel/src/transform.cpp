#include "cuprum/parallel/transform.hpp"

#include "call.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "host_execution.hpp"
#include "one_shot.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "transforming";
constexpr std::array<const char*, Transform::max_inputs> input_names{"first input",   "second input", "third input",
                                                                     "fourth input",  "fifth input",  "sixth input",
                                                                     "seventh input", "eighth input"};

// CUB's choice of a way for the architecture and the inputs. Its vectorised way (CCCL 3.1) is left out: the host would
// have to look at the addresses.
constexpr std::string_view policy = R"(namespace transform = cub::detail::transform;
#if CCCL_VERSION >= 3003000
#if CCCL_VERSION >= 3004000
#define CUPRUM_PREDICATE ::cuda::always_true,
#else
#define CUPRUM_PREDICATE transform::always_true_predicate,
#endif
template <bool StableAddress>
using selector_t = transform::policy_selector_from_types<StableAddress, true, inputs_t, out_t>;
using ways_t = ::cuda::std::remove_cv_t<decltype(cuprum_policy<selector_t<false>>.algorithm)>;
using policy_t = ::cuda::std::conditional_t<
    cuprum_policy<selector_t<false>>.algorithm == ways_t::vectorized, selector_t<true>, selector_t<false>>;
constexpr auto active = cuprum_policy<policy_t>;
constexpr bool copies_in_bulk = active.algorithm != ways_t::prefetch;
constexpr int threads = copies_in_bulk ? active.async_copy.CUPRUM_THREADS : active.prefetch.CUPRUM_THREADS;
constexpr int least_items = copies_in_bulk ? active.async_copy.min_items_per_thread : active.prefetch.min_items_per_thread;
constexpr int most_items = copies_in_bulk ? active.async_copy.max_items_per_thread : active.prefetch.max_items_per_thread;
constexpr int bytes_in_flight = active.min_bytes_in_flight;
#if CCCL_VERSION >= 3004000
constexpr int bulk_alignment = transform::bulk_copy_alignment(cub::detail::current_tuning_cc());
#else
constexpr int bulk_alignment = transform::bulk_copy_alignment(::cuda::arch_id{CUB_PTX_ARCH / 10});
#endif
constexpr int input_alignment = active.algorithm == ways_t::ublkcp ? bulk_alignment : transform::ldgsts_size_and_align;
template <class... Inputs> constexpr int shared_padding_of() {
    constexpr int count = sizeof...(Inputs);
    constexpr ::cuda::std::array<cub::detail::iterator_info, count> inputs{cub::detail::make_iterator_info<Inputs>()...};
    return active.algorithm == ways_t::ublkcp
               ? transform::bulk_copy_dyn_smem_for_tile_size<count>(inputs, 0, input_alignment)
               : transform::memcpy_async_dyn_smem_for_tile_size<count>(inputs, 0, input_alignment);
}
constexpr int shared_padding = shared_padding_of<CUPRUM_INPUTS>();
#elif CCCL_VERSION >= 3001000
#if CCCL_VERSION >= 3002000
template <bool StableAddress>
using max_policy_t = typename transform::policy_hub<StableAddress, true, inputs_t, out_t>::max_policy;
#define CUPRUM_PREDICATE transform::always_true_predicate,
#else
template <bool StableAddress>
using max_policy_t = typename transform::policy_hub<StableAddress, inputs_t, out_t>::max_policy;
#define CUPRUM_PREDICATE
#endif
using policy_t = ::cuda::std::conditional_t<
    max_policy_t<false>::ActivePolicy::algorithm == transform::Algorithm::vectorized, max_policy_t<true>, max_policy_t<false>>;
using active_t = policy_t::ActivePolicy;
using algorithm_t = active_t::algo_policy;
template <class Policy, class = void> constexpr int copy_alignment = 1;
template <class Policy>
constexpr int copy_alignment<Policy, ::cuda::std::void_t<decltype(Policy::bulk_copy_alignment)>> = Policy::bulk_copy_alignment;
constexpr int input_alignment = copy_alignment<algorithm_t>;
template <class... Inputs> constexpr int shared_padding_of() {
    constexpr auto sizes = transform::make_sizes_alignments<Inputs...>();
    return active_t::algorithm == transform::Algorithm::ublkcp
               ? transform::bulk_copy_dyn_smem_for_tile_size(sizes, 0, input_alignment)
               : transform::memcpy_async_dyn_smem_for_tile_size(sizes, 0, input_alignment);
}
constexpr int shared_padding = shared_padding_of<CUPRUM_INPUTS>();
#else
using policy_t = transform::policy_hub<false, inputs_t>::max_policy;
using active_t = policy_t::ActivePolicy;
using algorithm_t = active_t::algo_policy;
#define CUPRUM_PREDICATE
constexpr int shared_padding = transform::bulk_copy_smem_for_tile_size<CUPRUM_INPUTS>(0);
constexpr int input_alignment = transform::bulk_copy_alignment;
#endif
#if CCCL_VERSION < 3003000
constexpr bool copies_in_bulk = active_t::algorithm != transform::Algorithm::prefetch;
constexpr int threads = algorithm_t::block_threads;
constexpr int least_items = algorithm_t::min_items_per_thread;
constexpr int most_items = algorithm_t::max_items_per_thread;
constexpr int bytes_in_flight = active_t::min_bif;
#endif)";

BuildRequest make_request(const std::vector<Iterator>& inputs, const Operator& op, const Iterator& output,
                          Width width) {
    SourceBuilder source({"cub/device/dispatch/kernels/transform.cuh"});
    source.alias("out_t", source.output_iterator(output));
    source.alias("offset_t", width == Width::narrow ? "int" : "long long");  // signed: the one kind that CUB tests
    std::vector<Type> operands;
    std::string input_types;
    for (size_t i = 0; i < inputs.size(); ++i) {
        const std::string name = "input_" + std::to_string(i) + "_t";
        source.alias(name, source.iterator(inputs[i]));
        operands.push_back(inputs[i].value_type());
        input_types += (i == 0 ? "" : ", ") + name;
    }
    source.alias("op_t", source.op(op, operands, output.value_type()));
    source.alias("inputs_t", "::cuda::std::tuple<" + input_types + '>');
    source.line("#define CUPRUM_INPUTS " + input_types);
    source.line(policy);
    BuildRequest request("transform", source);
    // NVRTC expands macros in names (CUPRUM_...): what they stand for depends on the CCCL that is found.
    request.kernels = {"transform::transform_kernel<policy_t, offset_t, CUPRUM_PREDICATE op_t, out_t, CUPRUM_INPUTS>"};
    request.constants = {{"copies in bulk", "copies_in_bulk"},
                         {"threads", "threads"},
                         {"least items per thread", "least_items"},
                         {"most items per thread", "most_items"},
                         {"bytes in flight", "bytes_in_flight"},
                         {"loaded bytes", "transform::loaded_bytes_per_iteration<CUPRUM_INPUTS>()"},
                         {"shared padding", "shared_padding"},
                         {"input alignment", "input_alignment"},
                         {"is CCCL 3.1", "CCCL_VERSION >= 3001000"},
                         {"is CCCL 3.2", "CCCL_VERSION >= 3002000"}};
    return request;
}

// CUB has two ways: from compute capability 9.0 on, and where all inputs are plain memory, each block copies its part
// of them into shared memory in bulk; otherwise it asks for the part in advance and reads it element by element. Either
// takes so many elements per thread that enough bytes are on their way at any time.
struct Program {
    core::Kernel kernel;
    bool copies_in_bulk;
    int64_t threads, min_items, max_items;
    uint64_t resident_threads;  // without shared memory
    uint64_t wanted_items = 1;  // per thread
    uint64_t loaded_bytes;      // for one output
    uint64_t shared_padding, input_alignment;
    bool takes_whether_to_vectorize, takes_predicate;
    bool wide;

    Program(const core::Device& device, const CompiledProgram& compiled, Width width)
        : kernel(compiled.kernel(0)),
          copies_in_bulk(compiled.constant("copies in bulk") != 0),
          threads(compiled.positive("threads")),
          min_items(compiled.positive("least items per thread")),
          max_items(compiled.positive("most items per thread")),
          resident_threads(resident_blocks(device, kernel, threads) * compiled.positive_size("threads")),
          loaded_bytes(compiled.positive_size("loaded bytes")),
          shared_padding(compiled.size("shared padding")),
          input_alignment(compiled.positive_size("input alignment")),
          takes_whether_to_vectorize(compiled.constant("is CCCL 3.1") != 0),
          takes_predicate(compiled.constant("is CCCL 3.2") != 0),
          wide(width == Width::wide) {
        const uint64_t bytes_in_flight = compiled.size("bytes in flight");
        if (copies_in_bulk) {
            wanted_items = items_for_bulk_copies(device, bytes_in_flight);
        } else {
            const auto multiprocessors = static_cast<uint64_t>(device.properties().multiprocessor_count);
            wanted_items = ceil_divide(bytes_in_flight, resident_threads / multiprocessors * loaded_bytes);
        }
    }

    int32_t items_per_thread(uint64_t count) const {
        // In bulk, no more than one block needs. Otherwise fewer where that would leave multiprocessors idle.
        const uint64_t most =
            copies_in_bulk ? ceil_divide(count, static_cast<uint64_t>(threads)) : count / resident_threads;
        return static_cast<int32_t>(
            std::clamp(static_cast<int64_t>(std::min(wanted_items, most)), min_items, max_items));
    }

    core::LaunchConfig config(uint64_t count, int32_t items) const {
        const auto tile = static_cast<uint64_t>(threads * items);
        return {.grid = grid_of(ceil_divide(count, tile)),
                .block = static_cast<uint32_t>(threads),
                .shmem_size = copies_in_bulk ? static_cast<uint32_t>(shared_bytes(items)) : 0};
    }

private:
    uint64_t shared_bytes(int64_t items) const {
        return shared_padding + static_cast<uint64_t>(threads * items) * loaded_bytes;
    }

    // The fewest with enough bytes on their way, or as many as fit into shared memory.
    uint64_t items_for_bulk_copies(const core::Device& device, uint64_t bytes_in_flight) const {
        const auto shared_limit = static_cast<uint64_t>(device.properties().max_shared_memory_per_block);
        int64_t items = min_items;
        for (; items + 1 < max_items && shared_bytes(items + 1) <= shared_limit; ++items) {
            const int32_t blocks = kernel.max_active_blocks_per_multiprocessor(
                device, static_cast<int32_t>(threads), static_cast<uint32_t>(shared_bytes(items)));
            if (static_cast<uint64_t>(blocks * threads * items) * loaded_bytes >= bytes_in_flight) break;
        }
        return static_cast<uint64_t>(items);
    }
};

// An input as the kernel is passed it: a union of an iterator and of what a bulk copy needs.
class KernelInput {
public:
    KernelInput() = default;
    KernelInput(const Program& program, const Iterator& iterator, const Input& input) {
        if (iterator.kind() != Iterator::Kind::pointer) {
            iterator_ = {input.state(), iterator.state().size()};
            return;
        }
        pointer_.address = input.address();
        if (program.copies_in_bulk) {
            pointer_.padding = static_cast<int32_t>(pointer_.address % program.input_alignment);
            pointer_.address -= static_cast<uint64_t>(pointer_.padding);
        }
    }

    // Valid as long as this is.
    Raw bytes() const { return iterator_.data != nullptr ? iterator_ : Raw{&pointer_, sizeof(pointer_)}; }

private:
    // cub::detail::transform::aligned_base_ptr: memory from an aligned address on, and where in it the elements begin.
    struct AlignedPointer {
        core::DevicePointer address = 0;
        int32_t padding = 0;
        int32_t unused = 0;
    };
    AlignedPointer pointer_;
    Raw iterator_{};
};

// The kernel's parameters, of which the last ones are the inputs.
class Parameters {
public:
    template <class T>
    void add(const T& parameter) {
        addresses_[count_] = argument_address(parameter);
        types_[count_] = argument_type(parameter);
        ++count_;
    }
    std::span<const void* const> addresses() const { return std::span(addresses_).first(count_); }
    std::span<const core::ArgumentType> types() const { return std::span(types_).first(count_); }

private:
    static constexpr size_t before_the_inputs = 6;
    std::array<const void*, before_the_inputs + Transform::max_inputs> addresses_{};
    std::array<core::ArgumentType, before_the_inputs + Transform::max_inputs> types_{};
    size_t count_ = 0;
};

void check_input_count(size_t count) {
    if (count == 0) throw InvalidArgument("building a transformation", "inputs", "there are none, expected at least 1");
    if (count > Transform::max_inputs) {
        throw InvalidArgument("building a transformation", "inputs",
                              "there are " + std::to_string(count) + ", and an operator has names for " +
                                  std::to_string(Transform::max_inputs) + " operands",
                              "give several of them as one input, a zip, which the operator sees as a struct");
    }
}

void check_for_host(const std::vector<Iterator>& inputs, const Operator& op, const std::vector<Iterator>& outputs) {
    using namespace host_execution;
    constexpr const char* algorithm = "transform";
    const Type& output = outputs[0].value_type();
    check_available();
    check_outputs(algorithm, outputs);
    if (inputs.size() > 2) {
        refuse(algorithm, "inputs",
               "there are " + std::to_string(inputs.size()) + ", and well-known operators have at most 2 operands",
               "transform two of them, and the result with the next one, or build for a device: on a machine without a "
               "GPU the simulator is one (CUPRUM_DRIVER=sim)");
    }
    const Iterator& first = inputs[0];
    const Iterator* const second = inputs.size() == 2 ? &inputs[1] : nullptr;
    // Moved as they are, structs too.
    if (second == nullptr && op.kind() == OpKind::identity && first.value_type() == output)
        return check_moved(algorithm, "input", first);
    check_elements(algorithm, first);
    if (second != nullptr) check_elements(algorithm, *second);
    require_number(algorithm, "output", output);
    require_operands(algorithm, op, static_cast<int>(inputs.size()));
    const host::Functions& functions = host_functions();
    host::TypeNumber operands = number_of(first.value_type());
    if (second != nullptr) {
        operands = functions.common_type(operands, number_of(second->value_type()));
        if (operands < 0) {
            refuse(algorithm, "inputs",
                   "C++ has no common type for " + first.value_type().name() + " and " + second->value_type().name(),
                   "convert one of them with a transform iterator: the operator identity");
        }
    }
    const host::TypeNumber result = functions.result_of(number_of(op), operands);
    require_defined(algorithm, op, Type(static_cast<TypeKind>(operands)), result);
    require_convertible(algorithm, "output", result, output);
}

void run_on_host(const HostCall& call, const std::vector<Iterator>& built, const Operator& op,
                 const Iterator& built_output, std::span<const Input> inputs, const Output& output) {
    using namespace host_execution;
    check_call(call, &op);
    const host::Source left = source_of(call, input_names[0], built[0], inputs[0], call.count);
    const Type& result = built_output.value_type();
    const HostTarget target(call, "output", built_output, output, call.count);
    check_overlap(call, input_names[0], left, target.memory(), result);
    host::Source right{};
    if (inputs.size() == 2) {
        right = source_of(call, input_names[1], built[1], inputs[1], call.count);
        check_overlap(call, input_names[1], right, target.memory(), result);
    }
    check(host_functions().transform(&left, inputs.size() == 2 ? &right : nullptr, call.count, number_of(op),
                                     number_of(result), target.memory()),
          call);
    target.deliver(call.count);
}

}  // namespace

struct Transform::State {
    Target target;
    std::vector<Iterator> inputs;
    Operator op;
    Type output;
    std::vector<Iterator> outputs;
    Programs<Program> programs;

    State(std::vector<Iterator> inputs_, const Operator& op_, const Type& output_, const Execution& execution,
          const BuildOptions& options)
        : target(execution, options, true),
          inputs(std::move(inputs_)),
          op(op_),
          output(output_),
          outputs(output_iterators(options, {output})),
          programs(target, [this](Width width) { return make_request(inputs, op, outputs[0], width); }) {}
};

Transform::Transform(const Iterator& input, const Operator& op, const Type& output, const Execution& execution,
                     const BuildOptions& options)
    : Transform(std::span(&input, 1), op, output, execution, options) {}

Transform::Transform(const Iterator& first, const Iterator& second, const Operator& op, const Type& output,
                     const Execution& execution, const BuildOptions& options)
    : Transform(std::vector{first, second}, op, output, execution, options) {}

Transform::Transform(std::span<const Iterator> inputs, const Operator& op, const Type& output,
                     const Execution& execution, const BuildOptions& options) {
    check_input_count(inputs.size());
    state_ = std::make_shared<const State>(std::vector(inputs.begin(), inputs.end()), op, output, execution, options);
    if (state_->target.is_host()) check_for_host(state_->inputs, op, state_->outputs);
}

void Transform::operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                           const CallOptions& options) const {
    (*this)(stream, std::span(&input, 1), output, count, options);
}

void Transform::operator()(core::StreamRef stream, const Input& first, const Input& second, const Output& output,
                           uint64_t count, const CallOptions& options) const {
    (*this)(stream, std::array{first, second}, output, count, options);
}

void Transform::operator()(core::StreamRef stream, std::span<const Input> inputs, const Output& output, uint64_t count,
                           const CallOptions& options) const {
    const State& state = *state_;
    if (inputs.size() != state.inputs.size()) {
        throw InvalidArgument(
            operation, "inputs",
            std::to_string(inputs.size()) + " given, but it was built for " + std::to_string(state.inputs.size()));
    }
    if (state.target.is_host()) {
        run_on_host({operation, stream, options, count}, state.inputs, state.op, state.outputs[0], inputs, output);
        return;
    }
    const Call call{operation, state.target.device(), stream, count};
    check_stream(call);
    check_output(call, "output", state.outputs[0], output, count);
    const Extent written = extent_of("output", output, state.output, count);
    for (size_t i = 0; i < inputs.size(); ++i) {
        check_input(call, input_names[i], state.inputs[i], inputs[i]);
        const Type& type = state.inputs[i].value_type();
        const core::DevicePointer address = inputs[i].address();
        const bool in_place = address == output.address() && type.size() == state.output.size();
        if (!in_place) refuse_overlap(call.operation, {input_names[i], address, count * type.size()}, written);
    }
    if (count == 0) return;
    const Program& program = state.programs.for_count(count);
    const int32_t items = program.items_per_thread(count);
    const Offset n{count, program.wide};
    constexpr bool vectorize = false;
    constexpr uint8_t always_true = 0;  // cub::detail::transform::always_true_predicate, an empty struct
    const Raw op{operator_state(call, state.op, options), state.op.state() ? state.op.state()->size() : 1};
    const Raw out = output_bytes(output, state.outputs[0]);
    Parameters parameters;
    parameters.add(n);
    parameters.add(items);
    if (program.takes_whether_to_vectorize) parameters.add(vectorize);
    if (program.takes_predicate) parameters.add(always_true);
    parameters.add(op);
    parameters.add(out);
    std::array<KernelInput, max_inputs> kernel_inputs;
    std::array<Raw, max_inputs> bytes;
    for (size_t i = 0; i < inputs.size(); ++i) {
        kernel_inputs[i] = KernelInput(program, state.inputs[i], inputs[i]);
        bytes[i] = kernel_inputs[i].bytes();
        parameters.add(bytes[i]);
    }
    core::launch_arguments(stream, program.config(count, items), program.kernel, parameters.addresses(),
                           parameters.types());
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

void transform(std::span<const HostInput> inputs, const Operator& op, const HostOutput& output,
               const Execution& execution) {
    const Execution target = runnable(operation, execution);
    check_input_count(inputs.size());
    CallKey key("transform", target);
    key.add(static_cast<int32_t>(inputs.size()));
    std::vector<Iterator> pointers;
    for (const HostInput& each : inputs) {
        require_same_count(operation, each.count, output.count);
        refuse_overlap(operation, each, output, true);
        key.add(each.type);
        pointers.push_back(Iterator::pointer(each.type));
    }
    const Transform built =
        kept_or_built(key.add(output.type).add(op), [&] { return Transform(pointers, op, output.type, target); });
    std::vector<Input> in;
    if (target.is_host()) {
        for (const HostInput& each : inputs)
            in.push_back(in_place(each));
        return built({}, in, in_place(output), output.count);
    }
    Job job(target.device_id());
    std::vector<core::BufferRef> uploaded;  // what the inputs refer to
    for (const HostInput& each : inputs)
        uploaded.push_back(job.upload(each.type, each.data, each.count));
    for (const core::BufferRef& memory : uploaded)
        in.emplace_back(memory);
    const core::BufferRef result = job.memory_for(output.type, output.count);
    built(job.stream(), in, result, output.count, job.options(0, &op));
    job.download(result, output.data);
    job.wait();
}

void transform(const HostInput& data, const Operator& op, const HostOutput& output, const Execution& execution) {
    transform(std::span(&data, 1), op, output, execution);
}

void transform(const HostInput& first, const HostInput& second, const Operator& op, const HostOutput& output,
               const Execution& execution) {
    transform(std::array{first, second}, op, output, execution);
}

}  // namespace cuprum::parallel
