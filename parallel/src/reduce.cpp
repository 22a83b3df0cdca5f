#include "cuprum/parallel/reduce.hpp"

#include <optional>
#include <string>

#include "call.hpp"
#include "cccl.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "determinism.hpp"
#include "even_share.hpp"
#include "host_execution.hpp"
#include "one_shot.hpp"
#include "ordered_reduce.hpp"

namespace cuprum::parallel {

namespace {

// The input as the kernels read it. A transform over plain memory is passed as the two: CUB then loads the memory in
// wide words, which it cannot do through an iterator.
struct KernelInput {
    Iterator iterator;  // what the kernels' input parameter is
    const Operator* transform = nullptr;

    explicit KernelInput(const Iterator& input) : iterator(input) {
        if (input.kind() == Iterator::Kind::transform && input.base()->kind() == Iterator::Kind::pointer) {
            iterator = *input.base();
            transform = input.op();
        }
    }
};

// The tuning and the kernel over many tiles, which takes an initial value from CCCL 3.5 on (and does not use it).
constexpr std::string_view policy = R"(
#if CCCL_VERSION < 3000000
CUB_NAMESPACE_BEGIN
namespace detail {
constexpr int subscription_factor = CUB_SUBSCRIPTION_FACTOR(0);
namespace reduce {
using cub::DeviceReduceKernel;
using cub::DeviceReduceSingleTileKernel;
}
}
CUB_NAMESPACE_END
#endif
namespace reduce = cub::detail::reduce;
#if CCCL_VERSION >= 3003000
using policy_t = reduce::policy_selector_from_types<accum_t, offset_t, tuning_op_t>;
#if CCCL_VERSION >= 3005000
constexpr auto many_tiles = cuprum_policy<policy_t>.multi_tile;
#define CUPRUM_MANY_TILES \
    reduce::DeviceReduceKernel<policy_t, true, input_t, accum_t*, offset_t, offset_t, op_t, accum_t, reduce::no_init_t, transform_t>
#else
constexpr auto many_tiles = cuprum_policy<policy_t>.reduce;
#endif
constexpr auto single_tile = cuprum_policy<policy_t>.single_tile;
constexpr int many_tiles_threads = many_tiles.CUPRUM_THREADS, many_tiles_items = many_tiles.items_per_thread;
constexpr int single_tile_threads = single_tile.CUPRUM_THREADS, single_tile_items = single_tile.items_per_thread;
#else
using policy_t = reduce::policy_hub<accum_t, offset_t, tuning_op_t>::MaxPolicy;
using many_tiles_t = policy_t::ActivePolicy::ReducePolicy;
using single_tile_t = policy_t::ActivePolicy::SingleTilePolicy;
constexpr int many_tiles_threads = many_tiles_t::BLOCK_THREADS, many_tiles_items = many_tiles_t::ITEMS_PER_THREAD;
constexpr int single_tile_threads = single_tile_t::BLOCK_THREADS, single_tile_items = single_tile_t::ITEMS_PER_THREAD;
#endif
#ifndef CUPRUM_MANY_TILES
#define CUPRUM_MANY_TILES reduce::DeviceReduceKernel<policy_t, input_t, offset_t, op_t, accum_t, transform_t>
#endif)";

BuildRequest make_request(const Iterator& input, const Operator& op, const Type& accumulator, const Iterator& output,
                          Width width) {
    SourceBuilder source({"cub/device/dispatch/kernels/reduce.cuh", "cub/device/dispatch/tuning/tuning_reduce.cuh",
                          "cub/util_arch.cuh"});
    const KernelInput kernel_input(input);
    source.alias("offset_t", offset_type(width));
    source.alias("accum_t", source.type(accumulator));
    source.alias("init_t", "accum_t");
    source.alias("output_t", source.output_iterator(output));
    source.alias("input_t", source.iterator(kernel_input.iterator));
    const std::string functor = source.op(op, {accumulator, accumulator}, accumulator);
    source.alias("op_t", functor);
    source.alias("transform_t", kernel_input.transform == nullptr
                                    ? "::cuda::std::identity"
                                    : source.op(*kernel_input.transform, {kernel_input.iterator.value_type()},
                                                input.value_type(), "transform"));
    source.alias("tuning_op_t", tuning_operator(op, accumulator, functor));
    source.line(policy);
    BuildRequest request("reduce", source);
    request.kernels = {"CUPRUM_MANY_TILES"};
    const auto add_single_tile = [&](const std::string& init) {
        const std::string kernel = "cub::detail::reduce::DeviceReduceSingleTileKernel<policy_t, ";
        request.kernels.push_back(kernel + "input_t, output_t, offset_t, op_t, " + init + ", accum_t, transform_t>");
        request.kernels.push_back(kernel + "accum_t*, output_t, int, op_t, " + init +
                                  ", accum_t, ::cuda::std::identity>");
    };
    add_single_tile("init_t");
    // Laid out as the value in it, which is the result of no elements alone.
    add_single_tile("cub::detail::reduce::empty_problem_init_t<init_t>");
    request.constants = {{"threads", "many_tiles_threads"},
                         {"items per thread", "many_tiles_items"},
                         {"single tile's threads", "single_tile_threads"},
                         {"single tile's items per thread", "single_tile_items"},
                         {"is CCCL 3.5", "CCCL_VERSION >= 3005000"},
                         {"subscription factor", "cub::detail::subscription_factor"},
                         {"size of an even share", "sizeof(cub::GridEvenShare<offset_t>)"}};
    return request;
}

// The kernels of one block: over elements, and over the results of many blocks.
struct SingleTile {
    core::Kernel of_elements, of_block_results;

    SingleTile(const CompiledProgram& compiled, size_t first_kernel)
        : of_elements(compiled.kernel(first_kernel)), of_block_results(compiled.kernel(first_kernel + 1)) {}
};

struct Program {
    core::Kernel many_tiles;
    SingleTile with_init, without_init;
    int64_t threads, tile_items, single_tile_threads, single_tile_items;
    int64_t max_blocks;
    bool takes_initial_value;
    bool wide;

    // As many blocks as are resident, some times over, so that none is idle at the end (cub::DispatchReduce).
    Program(const core::Device& device, const CompiledProgram& compiled, Width width)
        : many_tiles(compiled.kernel(0)),
          with_init(compiled, 1),
          without_init(compiled, 3),
          threads(compiled.positive("threads")),
          tile_items(threads * compiled.positive("items per thread")),
          single_tile_threads(compiled.positive("single tile's threads")),
          single_tile_items(single_tile_threads * compiled.positive("single tile's items per thread")),
          max_blocks(compiled.positive("subscription factor") *
                     static_cast<int64_t>(resident_blocks(device, many_tiles, threads))),
          takes_initial_value(compiled.constant("is CCCL 3.5") != 0),
          wide(width == Width::wide) {
        const int64_t expected = wide ? sizeof(EvenShare<uint64_t>) : sizeof(EvenShare<uint32_t>);
        if (compiled.constant("size of an even share") != expected) throw_other_cub();
    }

    [[noreturn]] static void throw_other_cub() {
        throw Unsupported("building reduce", "cub::GridEvenShare",
                          "it is laid out otherwise than in CCCL " + std::string(known_cccl),
                          "set CUPRUM_CCCL_PATH to the headers of one of these versions");
    }
};

constexpr const char* operation = "reducing";

// What all kernels over elements are given.
struct ElementParameters {
    static constexpr std::byte nothing{0};
    Raw input{}, op{}, transform{&nothing, 1};
};

// Writes a result for each block. Returns how many there are.
int32_t launch_many_tiles(const core::StreamRef& stream, const Program& program, const ElementParameters& given,
                          core::DevicePointer results, uint64_t count) {
    const auto launch_share = [&](const auto& share) {
        const auto launch = [&](const auto&... rest) {
            launch_kernel(stream, static_cast<uint64_t>(share.grid_size), program.threads, program.many_tiles,
                          given.input, results, Offset{count, program.wide}, share, given.op, rest...);
        };
        if (program.takes_initial_value) {
            launch(Raw{&ElementParameters::nothing, 1}, given.transform);
        } else {
            launch(given.transform);
        }
        return static_cast<int32_t>(share.grid_size);
    };
    if (program.wide) return launch_share(EvenShare<uint64_t>(count, program.max_blocks, program.tile_items));
    return launch_share(EvenShare<uint32_t>(static_cast<uint32_t>(count), program.max_blocks, program.tile_items));
}

void run_on_host(const HostCall& call, const Iterator& built, const Operator& op, const Iterator& built_output,
                 const Input& input, const Output& output, const Value* init) {
    using namespace host_execution;
    check_call(call, &op);
    const host::Source source = source_of(call, "input", built, input, call.count);
    const Type& accumulator = built_output.value_type();
    const HostTarget target(call, "output", built_output, output, 1);
    if (init != nullptr) check_init(call, accumulator, *init);
    check(host_functions().reduce(&source, call.count, number_of(op), number_of(accumulator),
                                  init == nullptr ? nullptr : init->data(), target.memory()),
          call);
    if (init != nullptr || call.count > 0) target.deliver(1);
}

}  // namespace

struct Reduce::State {
    Target target;
    Iterator input;
    KernelInput kernel_input;
    Operator op;
    Type accumulator;
    std::vector<Iterator> outputs;
    // One of the two.
    std::optional<Programs<Program>> programs;
    std::optional<OrderedReduce> ordered;

    State(const Iterator& input_, const Operator& op_, const Type& accumulator_, const Execution& execution,
          const BuildOptions& options)
        : target(execution, options, true),
          input(input_),
          kernel_input(input_),
          op(op_),
          accumulator(accumulator_),
          outputs(output_iterators(options, {accumulator})) {
        if (!target.is_host() && execution.determinism() == Determinism::gpu_to_gpu &&
            !is_order_free(op, accumulator)) {
            ordered.emplace(target, input, op, outputs[0]);
            return;
        }
        programs.emplace(target,
                         [this](Width width) { return make_request(input, op, accumulator, outputs[0], width); });
    }

    uint64_t input_size() const { return kernel_input.iterator.state().size(); }
    uint64_t transform_size() const {
        return kernel_input.transform != nullptr && kernel_input.transform->state()
                   ? kernel_input.transform->state()->size()
                   : 1;
    }
    ElementParameters parameters(const Call& call, const Input& given, const CallOptions& options) const;
};

ElementParameters Reduce::State::parameters(const Call& call, const Input& given, const CallOptions& options) const {
    ElementParameters found;
    found.input = {given.state(), input_size()};
    found.op = {operator_state(call, op, options), op.state() ? op.state()->size() : 1};
    if (kernel_input.transform != nullptr) {
        // The iterator's state is { pointer, operator's state, position }.
        const auto* const bytes = static_cast<const std::byte*>(given.state());
        const uint64_t alignment =
            kernel_input.transform->state() ? kernel_input.transform->state()->type().alignment() : 1;
        found.transform = {bytes + align_up(sizeof(core::DevicePointer), alignment), transform_size()};
    }
    return found;
}

Reduce::Reduce(const Iterator& input, const Operator& op, const Type& accumulator, const Execution& execution,
               const BuildOptions& options)
    : state_(std::make_shared<const State>(input, op, accumulator, execution, options)) {
    if (state_->target.is_host()) {
        host_execution::check_combination("reduce", input, op, accumulator);
        host_execution::check_outputs("reduce", state_->outputs);
        require_determinism("reduce", execution, op, accumulator, Determinism::run_to_run);
    }
}

uint64_t Reduce::temp_storage_bytes(uint64_t count) const {
    if (state_->target.is_host()) return 0;
    if (state_->ordered) return state_->ordered->temp_storage_bytes(count);
    const Program& program = state_->programs->for_count(count);
    if (count <= static_cast<uint64_t>(program.single_tile_items)) return 0;
    return align_up(static_cast<uint64_t>(program.max_blocks) * state_->accumulator.size(), 256);
}

void Reduce::operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                        const Value& init, const CallOptions& options) const {
    run(stream, input, output, count, &init, options);
}

void Reduce::operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                        const CallOptions& options) const {
    run(stream, input, output, count, nullptr, options);
}

void Reduce::run(const core::StreamRef& stream, const Input& input, const Output& output, uint64_t count,
                 const Value* init, const CallOptions& options) const {
    const State& state = *state_;
    if (state.target.is_host()) {
        run_on_host({operation, stream, options, count}, state.input, state.op, state.outputs[0], input, output, init);
        return;
    }
    const Call call{operation, state.target.device(), stream, count};
    check_stream(call);
    check_input(call, "input", state.input, input);
    check_output(call, "output", state.outputs[0], output, 1);
    if (init != nullptr) check_value(call, "initial value", state.accumulator, *init);
    if (state.ordered) {
        if (init != nullptr || count > 0) state.ordered->run(call, input, output, init, options);
        return;
    }
    const Program& program = state.programs->for_count(count);

    const ElementParameters given = state.parameters(call, input, options);
    if (init == nullptr && count == 0) return;
    const SingleTile& single_tile = init != nullptr ? program.with_init : program.without_init;
    // Without an initial value the kernels take the bytes of one and do not look at them.
    const Bytes no_init(init == nullptr ? state.accumulator.size() : 0);
    const Raw init_bytes{init == nullptr ? no_init.data() : init->data(), state.accumulator.size()};
    const Raw out = output_bytes(output, state.outputs[0]);

    if (count <= static_cast<uint64_t>(program.single_tile_items)) {
        launch_kernel(stream, 1, program.single_tile_threads, single_tile.of_elements, given.input, out,
                      Offset{count, program.wide}, given.op, init_bytes, given.transform);
        return;
    }
    const Workspace workspace(call, temp_storage_bytes(count), options);
    const int32_t blocks = launch_many_tiles(stream, program, given, workspace[0], count);
    launch_kernel(stream, 1, program.single_tile_threads, single_tile.of_block_results, workspace[0], out, blocks,
                  given.op, init_bytes, Raw{&ElementParameters::nothing, 1});
}

int32_t Reduce::reduce_to_block_results(const core::StreamRef& stream, const Input& input,
                                        const core::BufferRef& results, uint64_t count) const {
    const State& state = *state_;
    const Program& program = state.programs->for_count(count);
    if (count <= static_cast<uint64_t>(program.single_tile_items)) {
        run(stream, input, results, count, nullptr, {});
        return 1;
    }
    const Call call{operation, state.target.device(), stream, count};
    check_stream(call);
    check_input(call, "input", state.input, input);
    return launch_many_tiles(stream, program, state.parameters(call, input, {}), results.handle(), count);
}

const Type& Reduce::accumulator() const {
    return state_->accumulator;
}

std::string Reduce::save() const {
    return state_->ordered ? state_->ordered->save() : state_->programs->save();
}

void reduce(const HostInput& data, const Value& init, const Operator& op, void* result, const Execution& execution) {
    const Execution target = runnable("reducing", execution);
    const Reduce built = kept_or_built(CallKey("reduce", target).add(data.type).add(init.type()).add(op),
                                       [&] { return Reduce(Iterator::pointer(data.type), op, init.type(), target); });
    if (execution.is_host()) return built({}, in_place(data), static_cast<std::byte*>(result), data.count, init);
    Job job(execution.device_id());
    const core::BufferRef input = job.upload(data.type, data.data, data.count);
    const core::BufferRef output = job.memory_for(init.type(), 1);
    built(job.stream(), input, output, data.count, init, job.options(built.temp_storage_bytes(data.count), &op));
    job.download(output, result);
    job.wait();
}

}  // namespace cuprum::parallel
