// Each tile counts its selected elements, learns from the tiles before it where they go (decoupled look-back), and
// writes them there.
#include "selection.hpp"

#include <array>
#include <cstring>

#include "cuprum/pathfinder/error.hpp"
#include "host_execution.hpp"
#include "tuning.hpp"

namespace cuprum::parallel {

namespace {

// Whether what is not selected is written too, which before CCCL 3.0 is one of two flags, whose order changes; the
// other one is whether the output may be the input.
constexpr std::string_view purpose = R"(
#if CCCL_VERSION >= 3000000
#define CUPRUM_PURPOSE (keeps_rest ? cub::SelectImpl::Partition : cub::SelectImpl::Select)
#define CUPRUM_AGENTS_PURPOSE CUPRUM_PURPOSE
#else
#define CUPRUM_PURPOSE false, keeps_rest
#define CUPRUM_AGENTS_PURPOSE keeps_rest, false
#endif)";

// CUB's own kernel is in a header that NVRTC does not take (dispatch_select_if.cuh): this one runs the same agent. The
// context is CUB's for counting all elements in one launch.
constexpr std::string_view kernel = R"(
struct whole_t {
    using total_num_items_t = offset_t;
    __device__ offset_t input_offset() const { return 0; }
    __device__ bool is_first_partition() const { return true; }
    __device__ offset_t num_previously_selected() const { return 0; }
    __device__ offset_t num_previously_rejected() const { return 0; }
    template <class Count> __device__ offset_t num_total_items(Count n) const { return n; }
    template <class Count> __device__ void update_num_selected(unsigned long long* out, Count n) const { *out = n; }
};
template <class... Parameters> struct agent_t : cub::detail::select::AgentSelectIf<Parameters..., CUPRUM_AGENTS_PURPOSE> {
    using cub::detail::select::AgentSelectIf<Parameters..., CUPRUM_AGENTS_PURPOSE>::AgentSelectIf;
};
using helper_t = cub::detail::vsmem_helper_default_fallback_policy_t<
    policy_t::ActivePolicy::SelectIfPolicyT, agent_t, loaded_t, flags_t, output_t, condition_t, equal_t, offset_t, whole_t>;
template <class T> __device__ __forceinline__ T cuprum_op(const op_t& op) {
    if constexpr (::cuda::std::is_same_v<T, op_t>) return op;
    else return T{};
}
__global__ __launch_bounds__(helper_t::agent_policy_t::BLOCK_THREADS) void cuprum_select(
    input_t in, flags_t flags, output_t out, unsigned long long* selected, tiles_t tiles, op_t op, offset_t n,
    int tile_count, cub::detail::vsmem_t vsmem) {
    __shared__ helper_t::static_temp_storage_t static_storage;
    helper_t::agent_t::TempStorage& storage = helper_t::get_temp_storage(static_storage, vsmem);
    const whole_t whole;
    helper_t::agent_t(storage, loaded_t(in), flags, out, cuprum_op<condition_t>(op), cuprum_op<equal_t>(op), n, whole)
        .ConsumeRange(tile_count, tiles, selected);
    helper_t::discard_temp_storage(storage);
})";

// What is kept goes to the front of its tile in shared memory, and from there to the output; the rest of a partition
// goes to the back, turned round as it is to be. For the machines in the tables (tuning.hpp): on an H200 selections
// among 2^28 floats take 0.72 of CUB's time.
constexpr std::string_view pipeline_kernel = R"(
#ifdef CUPRUM_IS_TUNED
__global__ __launch_bounds__(pipeline_threads, pipeline_blocks) void cuprum_select_pipeline(
    const value_t* in, value_t* out, unsigned long long* selected, op_t op, unsigned* counter,
    unsigned long long* marked, unsigned long long n, int tile_count) {
    using tiles_of_t = cuprum_tiles<value_t, pipeline_threads, pipeline_vectors>;
    using prefix_t = cuprum_prefix<pipeline_count_t, ::cuda::std::plus<>, pipeline_threads>;
    constexpr int items = tiles_of_t::items, warps = pipeline_threads / 32;
    static_assert(items <= 64, "a thread has a bit for each of its items");
    __shared__ typename tiles_of_t::storage_t tiles_storage;
    __shared__ typename prefix_t::storage_t prefix_storage;
    __shared__ int of_warp[warps];
    tiles_of_t tiles{tiles_storage, in, counter, n, tile_count};
    tiles.begin();
    prefix_t before{prefix_storage, {marked}, {}, 0, true, 0};
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (unsigned round = 0;; ++round) {
        const int stage = round % 2, tile = tiles_storage.tiles[stage];
        if (tile >= tile_count) break;
        const int size = tiles.size_of(tile);
        value_t x[items];
        tiles.read(stage, round / 2 % 2, tile, size, x);
        unsigned long long is_kept = 0;
#pragma unroll
        for (int i = 0; i < items; ++i)
            if (op(x[i]) && static_cast<int>(threadIdx.x) * items + i < size) is_kept |= 1ull << i;
        const int kept = __popcll(is_kept);
        int inclusive = kept;
#pragma unroll
        for (int distance = 1; distance < 32; distance *= 2) {
            const int of_lower = __shfl_up_sync(0xffffffffu, inclusive, distance);
            if (lane >= distance) inclusive += of_lower;
        }
        if (lane == 31) of_warp[warp] = inclusive;
        __syncthreads();
        int total = 0, at = inclusive - kept;
#pragma unroll
        for (int w = 0; w < warps; ++w) {
            if (w == warp) at += total;
            total += of_warp[w];
        }
        if (threadIdx.x == 0) before.totals.put(tile, total);
        value_t* const front = reinterpret_cast<value_t*>(tiles_storage.data[stage]);
#pragma unroll
        for (int i = 0; i < items; ++i) {
            const int place = static_cast<int>(threadIdx.x) * items + i;
            if (is_kept >> i & 1) front[at++] = x[i];
            else if (keeps_rest && place < size) front[size - 1 - (place - at)] = x[i];
        }
        before.reach(tile);
        if (tiles_of_t::is_issuer()) tiles.take((round + 1) % 2);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // the next copy comes after these writes
        __syncthreads();
        for (int i = threadIdx.x; i < total; i += pipeline_threads) out[before.value + i] = front[i];
        if constexpr (keeps_rest) {
            const unsigned long long rest = static_cast<unsigned long long>(tile) * tiles_of_t::tile_items - before.value;
            for (int i = total + threadIdx.x; i < size; i += pipeline_threads) out[n - rest - size + i] = front[i];
        }
        before.add(total);
        before.end = tile + 1;
        if (tile == tile_count - 1 && threadIdx.x == 0) *selected = before.value;
    }
}
#else
__global__ void cuprum_select_pipeline() {}
#endif
)";

Tunings tunings_for(const Selection::Kind& kind, const Iterator& input, const std::optional<Operator>& op,
                    const Iterator& output, const std::string& given) {
    const bool is_plain = kind.by == Selection::By::condition && op && TilePipeline::takes(input) &&
                          output.kind() == Iterator::Kind::pointer && output.value_type() == input.value_type();
    if (!is_plain) return {};
    return find_tunings({kind.keeps_rest ? "partition" : "select",
                         {{"element", {std::to_string(input.value_type().size())}}, {"operator", tuning_names(*op)}}},
                        given);
}

BuildRequest make_request(const Selection::Kind& kind, const Iterator& input, const std::optional<Iterator>& flags,
                          const std::optional<Operator>& op, const Iterator& output, Width width,
                          const std::string& tuning) {
    SourceBuilder source({"cub/agent/agent_select_if.cuh", "cub/device/dispatch/kernels/scan.cuh",
                          "cub/device/dispatch/tuning/tuning_select_if.cuh", "cub/util_vsmem.cuh"});
    const Type& element = input.value_type();
    source.alias("value_t", source.type(element));
    source.alias("input_t", source.iterator(input));
    source.alias("flag_t", flags ? source.type(flags->value_type()) : "cub::NullType");
    source.alias("flags_t", flags ? source.iterator(*flags) : "cub::NullType*");
    source.alias("output_t", source.output_iterator(output));
    source.alias("offset_t", width == Width::narrow ? "int" : "long long");
    const bool is_unique = kind.by == Selection::By::difference;
    const std::vector<Type> operands(is_unique ? 2 : 1, element);
    source.alias("op_t", op ? source.op(*op, operands, Type(TypeKind::boolean)) : "cub::NullType");
    source.alias_for("loaded_t", "input_t", op && is_unique ? *op : Operator(OpKind::identity));
    source.alias("condition_t", is_unique ? "cub::NullType" : "op_t");
    source.alias("equal_t", is_unique ? "op_t" : "cub::NullType");
    source.alias("tiles_t", "cub::ScanTileState<offset_t>");
    source.line(std::string("constexpr bool keeps_rest = ") + (kind.keeps_rest ? "true;" : "false;"));
    source.line(purpose);
    source.alias("policy_t",
                 "cub::detail::select::policy_hub<value_t, flag_t, offset_t, false, CUPRUM_PURPOSE>::MaxPolicy");
    source.line(tile_states_helper);
    source.line(kernel);
    const Tunings tunings = tunings_for(kind, input, op, output, tuning);
    if (!tunings.empty()) {
        source.alias("pipeline_count_t", offset_type(width));
        TilePipeline::add_source(source, tunings, pipeline_kernel);
    }
    BuildRequest request(kind.algorithm, source);
    request.kernels = {CompactionProgram::init_kernel, "cuprum_select"};
    CompactionProgram::add_constants(request.constants);
    if (!tunings.empty()) TilePipeline::add(request, "cuprum_select_pipeline", "pipeline_count_t", "value_t");
    return request;
}

void check_flags(const Selection::Kind& kind, const Type& flags) {
    if (!flags.is_structure() && !flags.is_complex()) return;
    throw InvalidArgument(std::string("building ") + kind.algorithm, "flags",
                          "they are of " + flags.name() + ", expected bool or numbers, of which 0 is false",
                          "read them through a transform iterator that makes bool of them");
}

void check_for_host(const Selection::Kind& kind, const Iterator& input, const std::optional<Iterator>& flags,
                    const std::optional<Operator>& op) {
    using namespace host_execution;
    check_elements(kind.algorithm, input);
    if (flags) check_iterator(kind.algorithm, "flags", *flags);
    if (!op) return;
    if (kind.by == Selection::By::difference) {
        check_comparison(kind.algorithm, *op, input.value_type());
    } else {
        check_condition(kind.algorithm, *op, input.value_type());
    }
}

}  // namespace

Selection::Selection(const Kind& kind, const Iterator& input, const std::optional<Iterator>& flags,
                     const std::optional<Operator>& op, const Execution& execution, const BuildOptions& options)
    : kind_(kind),
      target_([&] {
          if (flags) check_flags(kind, flags->value_type());
          if (execution.is_host()) check_for_host(kind, input, flags, op);
          return Target(execution, options, kind.takes_outputs);
      }()),
      input_(input),
      flags_(flags),
      op_(op),
      outputs_(output_iterators(options, {input.value_type()})),
      programs_(target_, [this](Width width) {
          return make_request(kind_, input_, flags_, op_, outputs_[0], width, target_.tuning());
      }) {
    if (execution.is_host()) host_execution::check_outputs(kind.algorithm, outputs_);
}

uint64_t Selection::temp_storage_bytes(uint64_t count) const {
    if (count == 0 || target_.is_host()) return 0;
    check_count(kind_.operation, count, element_type().size());
    const SelectionProgram& program = programs_.for_count(count);
    return std::max(CompactionPlan(program, count).storage.size(),
                    TilePipeline::storage_bytes(program.pipeline, count));
}

// On the host's cores what is selected may go where it came from: each element is read before its place is written.
void Selection::check_extents(const Extent& input, const Extent& flags, const Output& output, uint64_t count) const {
    const Extent target = extent_of("output", output, element_type(), count);
    if (target_.is_host() && !kind_.keeps_rest) {
        refuse_partial_overlap(kind_.operation, input, target);
    } else {
        refuse_overlap(kind_.operation, input, target);
    }
    if (flags_) refuse_overlap(kind_.operation, flags, target);
}

void Selection::run_on_host(const core::StreamRef& stream, const Input& input, const Input* flags, const Output& output,
                            const Output& selected_count, uint64_t count, const CallOptions& options) const {
    using namespace host_execution;
    const HostCall call{kind_.operation, stream, options, count};
    check_call(call, op_ ? &*op_ : nullptr);
    const host::Source elements = source_of(call, "input", input_, input, count);
    const host::Source stencil = flags_ ? source_of(call, "flags", *flags_, *flags, count) : elements;
    const HostTarget target(call, "output", outputs_[0], output, count);
    void* const selected = target_of(call, "number of selected elements", count_type_, selected_count, 1);
    check_extents(extent_of("input", elements, count), extent_of("flags", stencil, count), output, count);
    uint64_t found = 0;
    const host::Functions& functions = host_functions();
    const OpKind identity = OpKind::identity;
    check(kind_.by == By::difference ? functions.unique(&elements, count, number_of(*op_), target.memory(), &found)
                                     : functions.select(&elements, &stencil, count,
                                                        op_ ? number_of(*op_) : static_cast<host::OpNumber>(identity),
                                                        kind_.keeps_rest ? 1 : 0, target.memory(), &found),
          call);
    target.deliver(kind_.keeps_rest ? count : found);
    std::memcpy(selected, &found, sizeof(found));
}

void Selection::operator()(const core::StreamRef& stream, const Input& input, const Input* flags, const Output& output,
                           const Output& selected_count, uint64_t count, const CallOptions& options) const {
    if (target_.is_host()) {
        run_on_host(stream, input, flags, output, selected_count, count, options);
        return;
    }
    const Call call{kind_.operation, target_.device(), stream, count};
    check_stream(call);
    check_input(call, "input", input_, input);
    if (flags_) check_input(call, "flags", *flags_, *flags);
    check_output(call, "output", outputs_[0], output, count);
    check_output(call, "number of selected elements", count_type_, selected_count, 1);
    check_extents(extent_of("input", input, element_type(), count),
                  flags_ ? extent_of("flags", *flags, flag_type(), count) : Extent{}, output, count);
    if (count == 0) {
        write_zero(stream, selected_count, target_.device());
        return;
    }
    const SelectionProgram& program = programs_.for_count(count);
    const CompactionPlan plan(program, count);
    const Workspace workspace(call, std::max(plan.storage.size(), TilePipeline::storage_bytes(program.pipeline, count)),
                              options);
    if (program.pipeline && program.pipeline->serves(count, element_type().size(), input.address(), 0)) {
        const Raw state{operator_state(call, *op_, options), op_->state() ? op_->state()->size() : 1};
        program.pipeline->launch(stream, workspace[0], count, input.address(), output.address(),
                                 selected_count.address(), state);
        return;
    }
    const TileStates::Parameter tiles = plan.states.parameter(workspace);
    init_tiles(stream, program, plan, tiles, selected_count);
    static constexpr core::DevicePointer none = 0;  // also an operator without a state
    const Raw stencil = flags_ ? Raw{flags->state(), flags_->state().size()} : Raw{&none, sizeof(none)};
    const Raw op =
        op_ ? Raw{operator_state(call, *op_, options), op_->state() ? op_->state()->size() : 1} : Raw{&none, 1};
    launch_kernel(stream, plan.tiles, program.threads, program.sweep, Raw{input.state(), input_.state().size()},
                  stencil, output_bytes(output, outputs_[0]), selected_count.address(), tiles.bytes(), op,
                  Offset{count, program.wide}, static_cast<int32_t>(plan.tiles), workspace[plan.shared]);
}

}  // namespace cuprum::parallel
