// Each tile counts its selected elements, learns from the tiles before it where they go (decoupled look-back), and
// writes them there.
#include "cuprum/parallel/select.hpp"

#include <cstring>

#include "call.hpp"
#include "compaction.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "host_execution.hpp"
#include "one_shot.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "selecting";

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
template <class... Parameters> struct agent_t : cub::detail::select::AgentSelectIf<Parameters..., cub::SelectImpl::Select> {
    using cub::detail::select::AgentSelectIf<Parameters..., cub::SelectImpl::Select>::AgentSelectIf;
};
using helper_t = cub::detail::vsmem_helper_default_fallback_policy_t<
    policy_t::ActivePolicy::SelectIfPolicyT, agent_t, input_t, cub::NullType*, output_t, op_t, cub::NullType, offset_t, whole_t>;
__global__ __launch_bounds__(helper_t::agent_policy_t::BLOCK_THREADS) void cuprum_select(
    input_t in, output_t out, unsigned long long* selected, tiles_t tiles, op_t op, offset_t n, int tile_count,
    cub::detail::vsmem_t vsmem) {
    __shared__ helper_t::static_temp_storage_t static_storage;
    helper_t::agent_t::TempStorage& storage = helper_t::get_temp_storage(static_storage, vsmem);
    const whole_t whole;
    helper_t::agent_t(storage, in, nullptr, out, op, cub::NullType{}, n, whole).ConsumeRange(tile_count, tiles, selected);
    helper_t::discard_temp_storage(storage);
})";

BuildRequest make_request(const Iterator& input, const Operator& condition, const Iterator& output, Width width) {
    BuildRequest request;
    request.algorithm = "select";
    SourceBuilder source({"cub/agent/agent_select_if.cuh", "cub/device/dispatch/kernels/scan.cuh",
                          "cub/device/dispatch/tuning/tuning_select_if.cuh", "cub/util_vsmem.cuh"});
    source.alias("value_t", source.type(input.value_type()));
    source.alias("input_t", source.iterator(input));
    source.alias("output_t", source.output_iterator(output));
    source.alias("offset_t", width == Width::narrow ? "int" : "long long");
    source.alias("op_t", source.op(condition, {input.value_type()}, Type(TypeKind::boolean)));
    source.alias("tiles_t", "cub::ScanTileState<offset_t>");
    source.alias("policy_t",
                 "cub::detail::select::policy_hub<value_t, cub::NullType, offset_t, false, "
                 "cub::SelectImpl::Select>::MaxPolicy");
    source.line(kernel);
    request.source = source.text();
    request.kernels = {CompactionProgram::init_kernel, "cuprum_select"};
    CompactionProgram::add_constants(request.constants);
    return request;
}

void check_for_host(const Iterator& input, const Operator& condition) {
    using namespace host_execution;
    constexpr const char* algorithm = "select";
    check_elements(algorithm, input);
    check_condition(algorithm, condition, input.value_type());
}

void run_on_host(const HostCall& call, const Iterator& built, const Operator& condition, const Iterator& built_output,
                 const Input& input, const Output& output, const Output& selected_count) {
    using namespace host_execution;
    check_call(call, &condition);
    const host::Source source = source_of(call, "input", built, input, call.count);
    const HostTarget target(call, "output", built_output, output, call.count);
    void* const selected = target_of(call, "number of selected elements", Type(TypeKind::uint64), selected_count, 1);
    check_overlap(call, "input", source, target.memory(), built.value_type());
    uint64_t count = 0;
    check(host_functions().select(&source, call.count, number_of(condition), target.memory(), &count), call);
    target.deliver(count);
    std::memcpy(selected, &count, sizeof(count));
}

}  // namespace

struct Select::State {
    Target target;
    Iterator input;
    Operator condition;
    std::vector<Iterator> outputs;
    Type count_type{TypeKind::uint64};
    Programs<CompactionProgram> programs;

    State(const Iterator& input_, const Operator& condition_, const Execution& execution, const BuildOptions& options)
        : target(execution, options, true),
          input(input_),
          condition(condition_),
          outputs(output_iterators(options, {input.value_type()})),
          programs(target, [this](Width width) { return make_request(input, condition, outputs[0], width); }) {}
};

Select::Select(const Iterator& input, const Operator& condition, const Execution& execution,
               const BuildOptions& options) {
    if (execution.is_host()) check_for_host(input, condition);
    state_ = std::make_shared<const State>(input, condition, execution, options);
    if (execution.is_host()) host_execution::check_outputs("select", state_->outputs);
}

uint64_t Select::temp_storage_bytes(uint64_t count) const {
    if (count == 0 || state_->target.is_host()) return 0;
    check_count(operation, count, state_->input.value_type().size());
    return CompactionPlan(state_->programs.for_count(count), count).storage.size();
}

void Select::operator()(core::StreamRef stream, const Input& input, const Output& output, const Output& selected_count,
                        uint64_t count, const CallOptions& options) const {
    const State& state = *state_;
    if (state.target.is_host()) {
        run_on_host({operation, stream, options, count}, state.input, state.condition, state.outputs[0], input, output,
                    selected_count);
        return;
    }
    const Call call{operation, state.target.device(), stream, count};
    check_stream(call);
    check_input(call, "input", state.input, input);
    const Type& type = state.input.value_type();
    check_output(call, "output", state.outputs[0], output, count);
    check_output(call, "number of selected elements", state.count_type, selected_count, 1);
    refuse_overlap(call.operation, extent_of("input", input, type, count), extent_of("output", output, type, count));
    if (count == 0) {
        write_zero(stream, selected_count, state.target.device());
        return;
    }
    const CompactionProgram& program = state.programs.for_count(count);
    const CompactionPlan plan(program, count);
    const Workspace workspace(call, plan.storage.size(), options);
    const TileStates::Parameter tiles = plan.states.parameter(workspace);
    const auto tile_count = static_cast<int32_t>(plan.tiles);
    init_tiles(stream, program, plan, tiles, selected_count);
    const Raw op{operator_state(call, state.condition, options),
                 state.condition.state() ? state.condition.state()->size() : 1};
    launch_kernel(stream, plan.tiles, program.threads, program.sweep, Raw{input.state(), state.input.state().size()},
                  output_bytes(output, state.outputs[0]), selected_count.address(), tiles.bytes(), op,
                  Offset{count, program.wide}, tile_count, workspace[plan.shared]);
}

const Type& Select::element_type() const {
    return state_->input.value_type();
}

std::string Select::save() const {
    return state_->programs.save();
}

uint64_t select(const HostInput& data, const Operator& condition, const HostOutput& output,
                const Execution& execution) {
    if (output.type != data.type) {
        throw InvalidArgument(operation, "output",
                              "it is of " + output.type.name() + ", the input of " + data.type.name());
    }
    require_same_count(operation, data.count, output.count);
    const Select built(Iterator::pointer(data.type), condition, runnable("selecting", execution));
    if (execution.is_host()) {
        uint64_t count = 0;
        built({}, in_place(data), in_place(output), &count, data.count);
        return count;
    }
    const Job job(execution.device_id());
    const core::Buffer input = job.upload(data.type, data.data, data.count);
    const core::Buffer selected = job.memory_for(data.type, data.count);
    const core::Buffer selected_count = job.memory_for(Type(TypeKind::uint64), 1);
    built(job.stream(), input, selected, selected_count, data.count);
    uint64_t count = 0;
    job.download(selected_count, &count);
    job.wait();
    if (count > 0) job.download(selected.slice(0, count * data.type.size()), output.data);
    job.wait();
    return count;
}

}  // namespace cuprum::parallel
