// One block of threads goes over each segment, tile by tile, and carries the sum of what it has seen.
#include "cuprum/parallel/segmented_scan.hpp"

#include <algorithm>

#include "call.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "determinism.hpp"
#include "host_execution.hpp"
#include "over_arrays.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* algorithm = "segmented_scan";
constexpr const char* operation = "scanning segments";
constexpr uint64_t most_bytes = 256;  // of an accumulator: a tile of them is in shared memory
constexpr int64_t threads = 128;

// CUB's own segmented scan is there from CCCL 3.3 on only, and gives each segment a block, too.
constexpr std::string_view kernel = R"(
constexpr int threads = 128;
constexpr int items = sizeof(accum_t) >= 32 ? 1 : sizeof(accum_t) >= 8 ? 64 / sizeof(accum_t) : 12;
using load_t = cub::BlockLoad<accum_t, threads, items, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
using store_t = cub::BlockStore<accum_t, threads, items, cub::BLOCK_STORE_WARP_TRANSPOSE>;
using scan_t = cub::BlockScan<accum_t, threads, cub::BLOCK_SCAN_WARP_SCANS>;
struct carry_t {
    accum_t sum;
    op_t op;
    __device__ __forceinline__ accum_t operator()(accum_t of_tile) {
        const accum_t before = sum;
        sum = op(before, of_tile);
        return before;
    }
};
__global__ __launch_bounds__(threads) void cuprum_segmented_scan(
    input_t in, accum_t* out, const offset_t* begins, const offset_t* ends, op_t op, init_t init) {
    __shared__ union {
        typename load_t::TempStorage load;
        typename store_t::TempStorage store;
        typename scan_t::TempStorage scan;
    } storage;
    const long long first = begins[blockIdx.x];
    const long long end = ends[blockIdx.x];
    if (first >= end) return;
    carry_t carry{first_sum(in, first, init), op};
    for (long long begin = first; begin < end; begin += threads * items) {
        const long long left = end - begin;
        accum_t elements[items];
        if (left >= threads * items) {
            load_t(storage.load).Load(tile_t(in) + begin, elements);
        } else {
            load_t(storage.load).Load(tile_t(in) + begin, elements, static_cast<int>(left));
        }
        __syncthreads();
        if (is_exclusive) {
            scan_t(storage.scan).ExclusiveScan(elements, elements, op, carry);
        } else if (has_init || begin != first) {
            scan_t(storage.scan).InclusiveScan(elements, elements, op, carry);
        } else {
            accum_t of_tile;
            scan_t(storage.scan).InclusiveScan(elements, elements, op, of_tile);
            carry.sum = of_tile;
        }
        __syncthreads();
        if (left >= threads * items) {
            store_t(storage.store).Store(out + begin, elements);
        } else {
            store_t(storage.store).Store(out + begin, elements, static_cast<int>(left));
        }
        __syncthreads();
    }
})";

BuildRequest make_request(ScanKind kind, const Iterator& input, const Operator& op, const Type& accumulator,
                          const Type& offsets) {
    SourceBuilder source({"cub/block/block_load.cuh", "cub/block/block_store.cuh", "cub/block/block_scan.cuh"});
    const bool has_init = kind != ScanKind::inclusive;
    source.alias("accum_t", source.type(accumulator));
    source.alias("input_t", source.iterator(input));
    source.alias("offset_t", source.type(offsets));
    source.alias("op_t", source.op(op, {accumulator, accumulator}, accumulator));
    // Whatever the operator is: CUB adds what is behind the end to sums, and subtracts it again.
    source.alias_for("tile_t", "input_t", "return a;");
    source.alias("init_t", has_init ? "accum_t" : "cub::NullType");
    source.line(kind == ScanKind::exclusive ? "constexpr bool is_exclusive = true;"
                                            : "constexpr bool is_exclusive = false;");
    source.line(has_init ? "constexpr bool has_init = true;" : "constexpr bool has_init = false;");
    // Without an initial value the first tile sets the sum: what is here before is not used.
    source.line(
        has_init
            ? "__device__ __forceinline__ accum_t first_sum(input_t, long long, const accum_t& init) { return init; }"
            : "__device__ __forceinline__ accum_t first_sum(input_t in, long long first, cub::NullType) { return "
              "in[first]; }");
    source.line(kernel);
    BuildRequest request(algorithm, source);
    request.kernels = {"cuprum_segmented_scan"};
    return request;
}

// One for all counts: positions are of 64 bits.
struct Program {
    core::Kernel kernel;

    Program(const core::Device&, const CompiledProgram& compiled, Width) : kernel(compiled.kernel(0)) {}
};

void check_build(ScanKind kind, const Type& accumulator, const Type& offsets) {
    if (kind != ScanKind::exclusive && kind != ScanKind::inclusive && kind != ScanKind::inclusive_with_init) {
        throw InvalidArgument("building segmented_scan", "kind " + std::to_string(static_cast<int>(kind)),
                              "expected exclusive, inclusive or inclusive_with_init");
    }
    if (offsets.kind() != TypeKind::int32 && offsets.kind() != TypeKind::int64) {
        throw InvalidArgument("building segmented_scan", "offsets of type " + offsets.name(),
                              "expected int32 or int64");
    }
    if (accumulator.size() > most_bytes) {
        throw Unsupported(
            "building segmented_scan", "accumulator",
            "it has " + std::to_string(accumulator.size()) + " bytes, expected at most " + std::to_string(most_bytes),
            "scan positions, or smaller parts of the structs");
    }
}

}  // namespace

struct SegmentedScan::State {
    Target target;
    ScanKind kind;
    Iterator input;
    Operator op;
    Type accumulator;
    Iterator offsets;
    Programs<Program> programs;

    State(ScanKind kind_, const Iterator& input_, const Operator& op_, const Type& accumulator_, const Type& offsets_,
          const Execution& execution, const BuildOptions& options)
        : target(execution, options),
          kind(kind_),
          input(input_),
          op(op_),
          accumulator(accumulator_),
          offsets(Iterator::pointer(offsets_)),
          programs(target, [this](Width) { return make_request(kind, input, op, accumulator, offsets.value_type()); }) {
    }

    // The output may be the input's memory where the types are the same.
    void check_extents(const Extent& in, const Output& output, const Input& begins, const Input& ends, uint64_t count,
                       uint64_t segments) const {
        const Extent out = extent_of("output", output, accumulator, count);
        if (input.value_type() == accumulator) {
            refuse_partial_overlap(operation, in, out);
        } else {
            refuse_overlap(operation, in, out);
        }
        refuse_overlap(operation, extent_of("segments' starts", begins, offsets.value_type(), segments), out);
        refuse_overlap(operation, extent_of("segments' ends", ends, offsets.value_type(), segments), out);
    }

    void run_on_host(const HostCall& call, const Input& in, const Output& output, uint64_t segments,
                     const Input& begins, const Input& ends, const Value* init) const {
        using namespace host_execution;
        check_call(call, &op);
        const Type& type = offsets.value_type();
        const host::Source source = source_of(call, "input", input, in, call.count);
        void* const results = target_of(call, "output", accumulator, output, call.count);
        check_memory(call, memory_of("segments' starts", begins), type, segments);
        check_memory(call, memory_of("segments' ends", ends), type, segments);
        if (init != nullptr) check_init(call, accumulator, *init);
        check_extents(extent_of("input", source, call.count), output, begins, ends, call.count, segments);
        check(host_functions().segmented_scan(
                  &source, segments, reinterpret_cast<const void*>(begins.address()),
                  reinterpret_cast<const void*>(ends.address()), type.size(), kind == ScanKind::exclusive ? 1 : 0,
                  number_of(op), number_of(accumulator), init == nullptr ? nullptr : init->data(), results),
              call);
    }
};

SegmentedScan::SegmentedScan(ScanKind kind, const Iterator& input, const Operator& op, const Type& accumulator,
                             const Type& offsets, const Execution& execution, const BuildOptions& options) {
    check_build(kind, accumulator, offsets);
    if (execution.is_host()) host_execution::check_combination(algorithm, input, op, accumulator);
    require_determinism(algorithm, execution, op, accumulator, Determinism::run_to_run);
    state_ = std::make_shared<const State>(kind, input, op, accumulator, offsets, execution, options);
}

void SegmentedScan::operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                               uint64_t segments, const Input& begins, const Input& ends, const Value& init,
                               const CallOptions& options) const {
    if (state_->kind == ScanKind::inclusive) {
        throw InvalidArgument(operation, "initial value", "one is given, but this scan was built without one",
                              "build an inclusive scan with an initial value");
    }
    run(stream, input, output, count, segments, begins, ends, &init, options);
}

void SegmentedScan::operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                               uint64_t segments, const Input& begins, const Input& ends,
                               const CallOptions& options) const {
    if (state_->kind != ScanKind::inclusive) {
        throw InvalidArgument(operation, "initial value", "none is given, but this scan was built with one");
    }
    run(stream, input, output, count, segments, begins, ends, nullptr, options);
}

void SegmentedScan::run(const core::StreamRef& stream, const Input& input, const Output& output, uint64_t count,
                        uint64_t segments, const Input& begins, const Input& ends, const Value* init,
                        const CallOptions& options) const {
    const State& state = *state_;
    if (state.target.is_host()) {
        state.run_on_host({operation, stream, options, count}, input, output, segments, begins, ends, init);
        return;
    }
    const Call call{operation, state.target.device(), stream, count};
    const Call of_segments{operation, state.target.device(), stream, segments};
    check_stream(call);
    check_input(call, "input", state.input, input);
    check_output(call, "output", state.accumulator, output, count);
    check_input(of_segments, "segments' starts", state.offsets, begins);
    check_input(of_segments, "segments' ends", state.offsets, ends);
    if (init != nullptr) check_value(call, "initial value", state.accumulator, *init);
    state.check_extents(extent_of("input", input, state.input.value_type(), count), output, begins, ends, count,
                        segments);
    if (count == 0) return;
    const Program& program = state.programs.for_count(0);
    static constexpr uint8_t none = 0;
    const Raw input_bytes{input.state(), state.input.state().size()};
    const Raw op{operator_state(call, state.op, options), state.op.state() ? state.op.state()->size() : 1};
    const Raw first_value = init != nullptr ? Raw{init->data(), init->size()} : Raw{&none, sizeof(none)};
    const auto most = static_cast<uint64_t>(state.target.device().properties().max_grid_dim_x);
    const uint64_t offset_size = state.offsets.value_type().size();
    for (uint64_t first = 0; first < segments; first += most) {
        launch_kernel(stream, std::min(segments - first, most), threads, program.kernel, input_bytes, output.address(),
                      begins.address() + first * offset_size, ends.address() + first * offset_size, op, first_value);
    }
}

ScanKind SegmentedScan::kind() const {
    return state_->kind;
}

const Type& SegmentedScan::accumulator() const {
    return state_->accumulator;
}

std::string SegmentedScan::save() const {
    return state_->programs.save();
}

void segmented_scan(ScanKind kind, const HostInput& data, const HostInput& begins, const HostInput& ends,
                    const std::optional<Value>& init, const Operator& op, const HostOutput& output,
                    const Execution& execution) {
    const Execution target = runnable(operation, execution);
    const uint64_t segments = require_segments(operation, begins, ends, data.count);
    require_same_count(operation, data.count, output.count);
    if (init.has_value() == (kind == ScanKind::inclusive)) {
        throw InvalidArgument(operation, "initial value",
                              init ? "it is given, and an inclusive scan has none" : "there is none, expected one");
    }
    const SegmentedScan built = kept_or_built(
        CallKey(algorithm, target)
            .add(static_cast<int32_t>(kind))
            .add(data.type)
            .add(output.type)
            .add(begins.type)
            .add(op),
        [&] { return SegmentedScan(kind, Iterator::pointer(data.type), op, output.type, begins.type, target); });
    run_over_arrays(operation, {.read = {data, begins, ends}, .written = {output}, .in_place = {0}, .keeps_rest = true},
                    0, &op, target,
                    [&](const core::StreamRef& stream, const std::vector<Input>& in, const std::vector<Output>& out,
                        const CallOptions& options) {
                        if (init) {
                            built(stream, in[0], out[0], data.count, segments, in[1], in[2], *init, options);
                        } else {
                            built(stream, in[0], out[0], data.count, segments, in[1], in[2], options);
                        }
                    });
}

}  // namespace cuprum::parallel
