#include "cuprum/parallel/scan.hpp"

#include "call.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "determinism.hpp"
#include "host_execution.hpp"
#include "one_shot.hpp"
#include "tile_pipeline.hpp"
#include "tile_states.hpp"
#include "tuning.hpp"

namespace cuprum::parallel {

namespace {

// An operator that CUB does not know is tuned as a sum where there is much data. For little, what CUB chooses for
// unknown operators is faster: smaller tiles, so that more blocks share the work. Measured on an H200 (ratio of the
// time with small tiles): 4-byte elements 0.92 to 1.0 from 2^20 to 2^22, 1.13 at 2^24; 2-byte ones 0.83 at 2^23, 1.06
// at 2^24; 8-byte ones 1.06 at 2^20, 1.19 at 2^24. 1-byte ones 0.85 to 0.97 from 2^23 to 2^28: for them it is always
// what CUB chooses.
constexpr uint64_t most_bytes_for_small_tiles = uint64_t{16} << 20;
constexpr uint64_t most_element_bytes_for_small_tiles = 4;

// From CCCL 3.4 on, CUB's own kernels have a different interface; these kernels run the same agent. CUB also has a
// second algorithm (lookahead) from there on for compute capability 10.0 and newer, where it no longer tunes this one:
// these kernels then take the tuning for 9.0.
constexpr std::string_view kernels = R"(
#if CCCL_VERSION >= 3004000
#if CCCL_VERSION >= 3005000
#define CUPRUM_LOOKBACK_DELAY lookback_delay
#else
#define CUPRUM_LOOKBACK_DELAY delay_constructor
#endif
template <class Op> constexpr auto lookback_policy() {
    using selector_t = cub::detail::scan::policy_selector_from_types<input_t, accum_t*, accum_t, offset_t, Op>;
    constexpr auto policy = cuprum_policy<selector_t>;
    if constexpr (policy.algorithm == decltype(policy.algorithm)::lookback) return policy.lookback;
    else return selector_t{}(::cuda::compute_capability{90}).lookback;
}
template <class Op> struct pass_t {
    static constexpr auto policy = lookback_policy<Op>();
    static constexpr int BLOCK_THREADS = policy.CUPRUM_THREADS, ITEMS_PER_THREAD = policy.items_per_thread;
    static constexpr auto LOAD_ALGORITHM = policy.load_algorithm;
    static constexpr auto LOAD_MODIFIER = policy.load_modifier;
    static constexpr auto STORE_ALGORITHM = policy.store_algorithm;
    static constexpr auto SCAN_ALGORITHM = policy.scan_algorithm;
    struct detail {
        static constexpr auto delay = policy.CUPRUM_LOOKBACK_DELAY;
        using delay_constructor_t = cub::detail::delay_constructor_t<delay.kind, delay.delay, delay.l2_write_latency>;
    };
};
#else
template <class Op> using pass_t =
    typename cub::detail::scan::policy_hub<value_t, accum_t, accum_t, offset_t, Op>::MaxPolicy::ActivePolicy::ScanPolicyT;
#endif
__global__ void cuprum_init_tiles(tiles_t tiles, int tile_count) { tiles.InitializeStatus(tile_count); }
template <class Pass> __global__ __launch_bounds__(Pass::BLOCK_THREADS) void cuprum_scan(
    input_t in, output_t out, tiles_t tiles, int first_tile, op_t op, init_t init,
    const init_t* init_address, offset_t n) {
    using agent_t = cub::detail::scan::AgentScan<
        Pass, input_t, output_t, op_t, init_t, offset_t, accum_t, includes_first_after_init>;
    __shared__ typename agent_t::TempStorage storage;
    agent_t(storage, in, out, op, init_address == nullptr ? init : *init_address).ConsumeRange(n, tiles, first_tile);
})";

// Elements in memory, read and written by the copy engine, and each tile's total known to all blocks as soon as it is
// read. For the machines in the tables (tuning.hpp): on an H200 sums of 2^28 floats take 0.78 of CUB's time.
constexpr std::string_view pipeline_kernel = R"(
#ifdef CUPRUM_IS_TUNED
template <class Init> __global__ __launch_bounds__(pipeline_threads, pipeline_blocks) void cuprum_scan_pipeline(
    const accum_t* in, accum_t* out, op_t op, Init init, const Init* init_address, unsigned* counter,
    unsigned long long* marked, unsigned long long n, int tile_count) {
    using tiles_of_t = cuprum_tiles<accum_t, pipeline_threads, pipeline_vectors>;
    using prefix_t = cuprum_prefix<accum_t, op_t, pipeline_threads>;
    constexpr int items = tiles_of_t::items, warps = pipeline_threads / 32;
    constexpr bool has_init = !::cuda::std::is_same_v<Init, cub::NullType>;
    constexpr bool is_exclusive = has_init && !includes_first_after_init;
    __shared__ typename tiles_of_t::storage_t tiles_storage;
    __shared__ typename prefix_t::storage_t prefix_storage;
    __shared__ accum_t of_warp[warps];
    __shared__ typename cub::WarpScan<accum_t>::TempStorage scan_storage[warps];
    tiles_of_t tiles{tiles_storage, in, counter, n, tile_count};
    tiles.begin();
    accum_t first{};
    if constexpr (has_init) first = init_address == nullptr ? init : *init_address;
    prefix_t before{prefix_storage, {marked}, op, first, has_init, 0};
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (unsigned round = 0;; ++round) {
        const int stage = round % 2, tile = tiles_storage.tiles[stage];
        if (tile >= tile_count) break;
        const int size = tiles.size_of(tile);
        accum_t x[items];
        tiles.read(stage, round / 2 % 2, tile, size, x);
        accum_t sum = x[0];
#pragma unroll
        for (int i = 1; i < items; ++i) sum = op(sum, x[i]);
        accum_t inclusive;
        cub::WarpScan<accum_t>(scan_storage[warp]).InclusiveScan(sum, inclusive, op);
        if (lane == 31) of_warp[warp] = inclusive;
        __syncthreads();
        accum_t total = of_warp[0], of_warps_before = total;
#pragma unroll
        for (int w = 1; w < warps; ++w) {
            if (w == warp) of_warps_before = total;
            total = op(total, of_warp[w]);
        }
        if (threadIdx.x == 0) before.totals.put(tile, total);
        before.reach(tile);
        if (tiles_of_t::is_issuer()) {
            asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");  // the other stage has been written
            tiles.take((round + 1) % 2);
        }
        accum_t prefix = before.value;
        bool has_prefix = before.has_value;
        const auto append = [&](const accum_t& next) {
            prefix = has_prefix ? op(prefix, next) : next;
            has_prefix = true;
        };
        const accum_t of_lanes_before = cub::ShuffleUp<32>(inclusive, 1, 0, 0xffffffffu);
        if (warp > 0) append(of_warps_before);
        if (lane > 0) append(of_lanes_before);
        before.add(total);
        before.end = tile + 1;
#pragma unroll
        for (int i = 0; i < items; ++i) {
            const accum_t own = x[i];
            if (is_exclusive) x[i] = prefix;
            append(own);
            if (!is_exclusive) x[i] = prefix;
        }
        uint4 vectors[pipeline_vectors];
        memcpy(vectors, x, sizeof(x));
#pragma unroll
        for (int v = 0; v < pipeline_vectors; ++v)
            tiles_storage.data[stage][threadIdx.x * pipeline_vectors + v] = vectors[v];
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        accum_t* const target = out + static_cast<unsigned long long>(tile) * tiles_of_t::tile_items;
        const unsigned bytes = static_cast<unsigned>(size * sizeof(accum_t)) & ~15u;
        if (tiles_of_t::is_issuer()) {
            if (bytes != 0)
                asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                             ::"l"(target), "r"(tiles_of_t::shared_address(tiles_storage.data[stage])), "r"(bytes)
                             : "memory");
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        }
        if (size == tiles_of_t::tile_items) continue;
#pragma unroll
        for (int i = 0; i < items; ++i) {
            const int at = threadIdx.x * items + i;
            if (at * sizeof(accum_t) >= bytes && at < size) target[at] = x[i];
        }
    }
    if (tiles_of_t::is_issuer()) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
#else
template <class> __global__ void cuprum_scan_pipeline() {}
#endif
)";

TuningCase tuning_case(const Operator& op, const Type& accumulator) {
    return {"scan", {{"element", {std::to_string(accumulator.size())}}, {"operator", tuning_names(op)}}};
}

BuildRequest make_request(ScanKind kind, const Iterator& input, const Operator& op, const Type& accumulator,
                          const Iterator& output, Width width, const std::string& tuning) {
    const bool is_in_memory =
        TilePipeline::takes(input) && TilePipeline::takes(output) && input.value_type() == accumulator;
    const Tunings tunings = is_in_memory ? find_tunings(tuning_case(op, accumulator), tuning) : Tunings{};
    SourceBuilder source({"cub/device/dispatch/kernels/scan.cuh"});
    source.line(policy_wrapper);
    source.line("#include <cub/device/dispatch/tuning/tuning_scan.cuh>");
    source.alias("accum_t", source.type(accumulator));
    source.alias("value_t", source.type(input.value_type()));
    source.alias("input_t", source.iterator(input));
    source.alias("output_t", source.output_iterator(output));
    source.alias("offset_t", offset_type(width));
    const std::string functor = source.op(op, {accumulator, accumulator}, accumulator);
    source.alias("op_t", functor);
    source.alias("init_t", kind == ScanKind::inclusive ? "cub::NullType" : "accum_t");
    source.alias("tiles_t", "cub::ScanTileState<accum_t>");
    source.line(kind == ScanKind::inclusive_with_init ? "constexpr bool includes_first_after_init = true;"
                                                      : "constexpr bool includes_first_after_init = false;");
    source.line(tile_states_helper);
    source.line(kernels);
    std::vector<std::string> kernel_names{"cuprum_init_tiles"};
    std::vector<BuildRequest::Constant> constants;
    TileStateSizes::add_constants(constants);
    const auto add_policy = [&](const std::string& name, const std::string& for_operator) {
        source.alias(name, "pass_t<" + for_operator + '>');
        kernel_names.push_back("cuprum_scan<" + name + '>');
        constants.push_back({name + "'s threads", name + "::BLOCK_THREADS"});
        constants.push_back({name + "'s items per thread", name + "::ITEMS_PER_THREAD"});
    };
    const std::string for_operator = accumulator.size() == 1 ? functor : tuning_operator(op, accumulator, functor);
    add_policy("policy_t", for_operator);
    if (for_operator != functor && width == Width::narrow && accumulator.size() <= most_element_bytes_for_small_tiles)
        add_policy("small_policy_t", functor);
    if (!tunings.empty()) {
        TilePipeline::add_source(source, tunings, pipeline_kernel);
    }
    BuildRequest request("scan", source);
    request.kernels = std::move(kernel_names);
    request.constants = std::move(constants);
    if (!tunings.empty()) TilePipeline::add(request, "cuprum_scan_pipeline<init_t>", "accum_t", "accum_t");
    return request;
}

// The kernel for one of CUB's policies.
struct Pass {
    core::Kernel kernel;
    uint64_t threads, tile_items;

    Pass(const CompiledProgram& compiled, size_t kernel_index, const std::string& policy)
        : kernel(compiled.kernel(kernel_index)),
          threads(compiled.positive_size(policy + "'s threads")),
          tile_items(threads * compiled.positive_size(policy + "'s items per thread")) {}
};

struct Program {
    core::Kernel init;
    TileStateSizes sizes;
    Pass large;
    std::optional<Pass> small;
    std::optional<TilePipeline> pipeline;
    bool wide;

    Program(const core::Device& device, const CompiledProgram& compiled, Width width)
        : init(compiled.kernel(0)), sizes(compiled), large(compiled, 1, "policy_t"), wide(width == Width::wide) {
        if (compiled.has_constant("small_policy_t's threads")) small.emplace(compiled, 2, "small_policy_t");
        pipeline = TilePipeline::of(device, compiled);
    }

    const Pass& for_bytes(uint64_t bytes) const {
        return small && bytes <= most_bytes_for_small_tiles ? *small : large;
    }
};

constexpr const char* operation = "scanning";

void run_on_host(const HostCall& call, bool is_exclusive, const Iterator& built, const Operator& op,
                 const Iterator& built_output, const Input& input, const Output& output, const Value* init) {
    using namespace host_execution;
    check_call(call, &op);
    const host::Source source = source_of(call, "input", built, input, call.count);
    const Type& accumulator = built_output.value_type();
    const HostTarget target(call, "output", built_output, output, call.count);
    if (init != nullptr) check_init(call, accumulator, *init);
    check_overlap(call, "input", source, target.memory(), accumulator);
    check(host_functions().scan(&source, call.count, is_exclusive ? 1 : 0, number_of(op), number_of(accumulator),
                                init == nullptr ? nullptr : init->data(), target.memory()),
          call);
    target.deliver(call.count);
}

}  // namespace

struct Scan::State {
    Target target;
    ScanKind kind;
    Iterator input;
    Operator op;
    Type accumulator;
    std::vector<Iterator> outputs;
    Programs<Program> programs;

    State(ScanKind kind_, const Iterator& input_, const Operator& op_, const Type& accumulator_,
          const Execution& execution, const BuildOptions& options)
        : target(execution, options, true),
          kind(kind_),
          input(input_),
          op(op_),
          accumulator(accumulator_),
          outputs(output_iterators(options, {accumulator})),
          programs(target, [this](Width width) {
              return make_request(kind, input, op, accumulator, outputs[0], width, target.tuning());
          }) {}
};

Scan::Scan(ScanKind kind, const Iterator& input, const Operator& op, const Type& accumulator,
           const Execution& execution, const BuildOptions& options) {
    if (kind != ScanKind::exclusive && kind != ScanKind::inclusive && kind != ScanKind::inclusive_with_init) {
        throw InvalidArgument("building scan", "kind " + std::to_string(static_cast<int>(kind)),
                              "expected exclusive, inclusive or inclusive_with_init");
    }
    require_determinism_of_sums("scan", execution, op, accumulator);
    state_ = std::make_shared<const State>(kind, input, op, accumulator, execution, options);
    if (state_->target.is_host()) {
        host_execution::check_combination("scan", input, op, accumulator);
        host_execution::check_outputs("scan", state_->outputs);
    }
}

uint64_t Scan::temp_storage_bytes(uint64_t count) const {
    if (count == 0 || state_->target.is_host()) return 0;
    check_count(operation, count, state_->accumulator.size());
    const Program& program = state_->programs.for_count(count);
    StorageLayout storage;
    const Pass& pass = program.for_bytes(count * state_->accumulator.size());
    const TileStates states(program.sizes, ceil_divide(count, pass.tile_items), storage);
    // Which of the two it is depends on the addresses.
    return std::max(storage.size(), TilePipeline::storage_bytes(program.pipeline, count));
}

void Scan::operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                      const Value& init, const CallOptions& options) const {
    run(stream, input, output, count, Initial{&init, nullptr}, options);
}

void Scan::operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                      const CallOptions& options) const {
    if (state_->kind != ScanKind::inclusive) {
        throw InvalidArgument(operation, "initial value", "none is given, but this scan was built with one");
    }
    run(stream, input, output, count, Initial{}, options);
}

void Scan::operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                      const core::BufferRef& init, const CallOptions& options) const {
    if (state_->kind == ScanKind::inclusive) {
        throw InvalidArgument(operation, "initial value", "one is given, but this scan was built without one",
                              "build an inclusive scan with an initial value");
    }
    if (!init.is_valid()) {
        throw InvalidArgument(operation, "initial value",
                              "its buffer is invalid (closed, moved-from or default-constructed)");
    }
    run(stream, input, output, count, Initial{nullptr, &init}, options);
}

void Scan::run(const core::StreamRef& stream, const Input& input, const Output& output, uint64_t count,
               const Initial& init, const CallOptions& options) const {
    const State& state = *state_;
    if (state.target.is_host()) {
        if (init.buffer != nullptr) {
            throw InvalidArgument(operation, "initial value",
                                  "it is in device memory, but the algorithm was built for the host's cores",
                                  "pass the value itself");
        }
        run_on_host({operation, stream, options, count}, state.kind == ScanKind::exclusive, state.input, state.op,
                    state.outputs[0], input, output, state.kind == ScanKind::inclusive ? nullptr : init.value);
        return;
    }
    const Call call{operation, state.target.device(), stream, count};
    check_stream(call);
    check_input(call, "input", state.input, input);
    check_output(call, "output", state.outputs[0], output, count);
    const bool takes_init = state.kind != ScanKind::inclusive;
    if (init.buffer != nullptr) {
        check_output(call, "initial value", state.accumulator, *init.buffer, 1);
    } else if (takes_init) {
        check_value(call, "initial value", state.accumulator, *init.value);
    }
    if (count == 0) return;
    const uint64_t input_size = count * state.input.value_type().size();
    const Extent written = extent_of("output", output, state.accumulator, count);
    const bool in_place = input.address() == output.address() && state.input.value_type() == state.accumulator;
    if (!in_place) refuse_overlap(call.operation, {"input", input.address(), input_size}, written);
    const core::DevicePointer init_address = init.buffer == nullptr ? 0 : init.buffer->handle();
    refuse_overlap(call.operation, {"initial value", init_address, state.accumulator.size()}, written);

    const Program& program = state.programs.for_count(count);
    const Pass& pass = program.for_bytes(count * state.accumulator.size());
    const uint64_t tiles = ceil_divide(count, pass.tile_items);
    StorageLayout storage;
    const TileStates states(program.sizes, tiles, storage);
    const uint64_t pipeline_bytes = TilePipeline::storage_bytes(program.pipeline, count);
    const Workspace workspace(call, std::max(storage.size(), pipeline_bytes), options);
    const TileStates::Parameter parameter = states.parameter(workspace);
    const Raw tile_states = parameter.bytes();
    static constexpr std::byte nothing{0};
    const Raw input_bytes{input.state(), state.input.state().size()};
    const Raw out = output_bytes(output, state.outputs[0]);
    const Raw op_bytes{operator_state(call, state.op, options), state.op.state() ? state.op.state()->size() : 1};
    // Where the value is in device memory, the bytes passed for it are not used.
    const Bytes no_init(init.buffer == nullptr ? 0 : state.accumulator.size());
    const Raw init_bytes = init.value != nullptr && takes_init ? Raw{init.value->data(), init.value->size()}
                           : takes_init                        ? Raw{no_init.data(), no_init.size()}
                                                               : Raw{&nothing, 1};

    if (program.pipeline &&
        program.pipeline->serves(count, state.accumulator.size(), input.address(), output.address())) {
        program.pipeline->launch(stream, workspace[0], count, input.address(), output.address(), op_bytes, init_bytes,
                                 init_address);
        return;
    }
    launch_kernel(stream, ceil_divide(tiles, tile_states_init_threads), tile_states_init_threads, program.init,
                  tile_states, static_cast<int32_t>(tiles));
    const auto most_blocks = static_cast<uint64_t>(state.target.device().properties().max_grid_dim_x);
    for (uint64_t first = 0; first < tiles; first += most_blocks) {
        launch_kernel(stream, std::min(tiles - first, most_blocks), static_cast<int64_t>(pass.threads), pass.kernel,
                      input_bytes, out, tile_states, static_cast<int32_t>(first), op_bytes, init_bytes, init_address,
                      Offset{count, program.wide});
    }
}

ScanKind Scan::kind() const {
    return state_->kind;
}
const Type& Scan::accumulator() const {
    return state_->accumulator;
}

std::string Scan::save() const {
    return state_->programs.save();
}

void scan(ScanKind kind, const HostInput& data, const std::optional<Value>& init, const Operator& op,
          const HostOutput& output, const Execution& execution) {
    require_same_count("scanning", data.count, output.count);
    refuse_overlap("scanning", data, output, true);
    const Execution target = runnable("scanning", execution);
    const Scan built =
        kept_or_built(CallKey("scan", target).add(static_cast<int32_t>(kind)).add(data.type).add(output.type).add(op),
                      [&] { return Scan(kind, Iterator::pointer(data.type), op, output.type, target); });
    if (execution.is_host()) {
        if (init) return built({}, in_place(data), in_place(output), data.count, *init);
        return built({}, in_place(data), in_place(output), data.count);
    }
    Job job(execution.device_id());
    const core::BufferRef input = job.upload(data.type, data.data, data.count);
    const core::BufferRef result = job.memory_for(output.type, output.count);
    const CallOptions options = job.options(built.temp_storage_bytes(data.count), &op);
    if (init) {
        built(job.stream(), input, result, data.count, *init, options);
    } else {
        built(job.stream(), input, result, data.count, options);
    }
    job.download(result, output.data);
    job.wait();
}

}  // namespace cuprum::parallel
