#include "cuprum/parallel/unique_by_key.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "call.hpp"
#include "compaction.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "host_execution.hpp"
#include "in_place.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "keeping the first of equal keys";

// CUB's own kernel is in headers with other names from CCCL 3.2 on: this one runs the same agent.
constexpr std::string_view kernel = R"(
template <class... Parameters> struct agent_t : cub::detail::unique_by_key::AgentUniqueByKey<Parameters...> {
    using cub::detail::unique_by_key::AgentUniqueByKey<Parameters...>::AgentUniqueByKey;
};
using helper_t = cub::detail::vsmem_helper_default_fallback_policy_t<
    policy_t::ActivePolicy::UniqueByKeyPolicyT, agent_t, keys_t, values_t, keys_out_t, values_out_t, op_t, offset_t>;
__global__ __launch_bounds__(helper_t::agent_policy_t::BLOCK_THREADS) void cuprum_unique_by_key(
    keys_t keys, values_t values, keys_out_t keys_out, values_out_t values_out, unsigned long long* selected,
    tiles_t tiles, op_t op, offset_t n, int tile_count, cub::detail::vsmem_t vsmem) {
    __shared__ helper_t::static_temp_storage_t static_storage;
    helper_t::agent_t::TempStorage& storage = helper_t::get_temp_storage(static_storage, vsmem);
    helper_t::agent_t(storage, keys, values, keys_out, values_out, op, n).ConsumeRange(tile_count, tiles, selected);
    helper_t::discard_temp_storage(storage);
})";

BuildRequest make_request(const Iterator& keys, const Iterator& values, const Operator& op,
                          const std::vector<Iterator>& outputs, Width width) {
    SourceBuilder source(
        {"cub/agent/agent_unique_by_key.cuh", "cub/device/dispatch/kernels/scan.cuh", "cub/util_vsmem.cuh"});
    source.line(policy_wrapper);
    source.line("#include <cub/device/dispatch/tuning/tuning_unique_by_key.cuh>");
    source.alias("key_t", source.type(keys.value_type()));
    source.alias("value_t", source.type(values.value_type()));
    source.alias("keys_t", source.iterator(keys));
    source.alias("values_t", source.iterator(values));
    source.alias("keys_out_t", source.output_iterator(outputs[0]));
    source.alias("values_out_t", source.output_iterator(outputs[1]));
    source.alias("offset_t", width == Width::narrow ? "int" : "long long");
    source.alias("op_t", source.op(op, {keys.value_type(), keys.value_type()}, Type(TypeKind::boolean)));
    source.alias("tiles_t", "cub::ScanTileState<offset_t>");
    source.alias("policy_t", "cub::detail::unique_by_key::policy_hub<key_t, value_t>::MaxPolicy");
    source.line(tile_states_helper);
    source.line(kernel);
    BuildRequest request("unique_by_key", source);
    request.kernels = {CompactionProgram::init_kernel, "cuprum_unique_by_key"};
    CompactionProgram::add_constants(request.constants);
    return request;
}

void check_for_host(const Iterator& keys, const Iterator& values, const Operator& op) {
    using namespace host_execution;
    constexpr const char* algorithm = "unique_by_key";
    check_available();
    check_iterator(algorithm, "keys", keys);
    check_moved(algorithm, "values", values);
    check_comparison(algorithm, op, keys.value_type());
}

void run_on_host(const HostCall& call, const Iterator& built_keys, const Iterator& built_values, const Operator& op,
                 const std::vector<Iterator>& outputs, const Input& keys_in, const Input& values_in,
                 const Output& keys_out, const Output& values_out, const Output& selected_count) {
    using namespace host_execution;
    check_call(call, &op);
    const Type& key_type = built_keys.value_type();
    const Type& value_type = built_values.value_type();
    const host::Source keys = source_of(call, "input keys", built_keys, keys_in, call.count);
    const host::Source values = source_of(call, "input values", built_values, values_in, call.count);
    const HostTarget to_keys(call, "output keys", outputs[0], keys_out, call.count);
    const HostTarget to_values(call, "output values", outputs[1], values_out, call.count);
    void* const selected = target_of(call, "number of selected keys", Type(TypeKind::uint64), selected_count, 1);
    const Extent from_keys = extent_of("input keys", keys, call.count);
    const Extent from_values = extent_of("input values", values, call.count);
    const Extent key_target = extent_of("output keys", keys_out, key_type, call.count);
    const Extent value_target = extent_of("output values", values_out, value_type, call.count);
    refuse_partial_overlap(call.operation, from_keys, key_target);
    refuse_partial_overlap(call.operation, from_values, value_target);
    refuse_overlap(call.operation, from_keys, value_target);
    refuse_overlap(call.operation, from_values, key_target);
    refuse_overlap(call.operation, key_target, value_target);
    uint64_t count = 0;
    check(host_functions().unique_by_key(&keys, &values, call.count, number_of(op), to_keys.memory(),
                                         to_values.memory(), &count),
          call);
    to_keys.deliver(count);
    to_values.deliver(count);
    std::memcpy(selected, &count, sizeof(count));
}

}  // namespace

struct UniqueByKey::State {
    Target target;
    Iterator keys, values;
    Operator op;
    std::vector<Iterator> outputs;
    Type count_type{TypeKind::uint64};
    Programs<CompactionProgram> programs;

    State(const Iterator& keys_, const Iterator& values_, const Operator& op_, const Execution& execution,
          const BuildOptions& options)
        : target(execution, options, true),
          keys(keys_),
          values(values_),
          op(op_),
          outputs(output_iterators(options, {keys.value_type(), values.value_type()})),
          programs(target, [this](Width width) { return make_request(keys, values, op, outputs, width); }) {}
};

UniqueByKey::UniqueByKey(const Iterator& keys, const Iterator& values, const Operator& op, const Execution& execution,
                         const BuildOptions& options) {
    if (execution.is_host()) check_for_host(keys, values, op);
    state_ = std::make_shared<const State>(keys, values, op, execution, options);
    if (execution.is_host()) host_execution::check_outputs("unique_by_key", state_->outputs);
}

uint64_t UniqueByKey::temp_storage_bytes(uint64_t count) const {
    if (count == 0 || state_->target.is_host()) return 0;
    check_count(operation, count, std::max(key_type().size(), value_type().size()));
    return CompactionPlan(state_->programs.for_count(count), count).storage.size();
}

void UniqueByKey::operator()(core::StreamRef stream, const Input& keys_in, const Input& values_in,
                             const Output& keys_out, const Output& values_out, const Output& selected_count,
                             uint64_t count, const CallOptions& options) const {
    const State& state = *state_;
    if (state.target.is_host()) {
        run_on_host({operation, stream, options, count}, state.keys, state.values, state.op, state.outputs, keys_in,
                    values_in, keys_out, values_out, selected_count);
        return;
    }
    const Call call{operation, state.target.device(), stream, count};
    check_stream(call);
    check_input(call, "input keys", state.keys, keys_in);
    check_input(call, "input values", state.values, values_in);
    check_output(call, "output keys", state.outputs[0], keys_out, count);
    check_output(call, "output values", state.outputs[1], values_out, count);
    check_output(call, "number of selected keys", state.count_type, selected_count, 1);
    const Extent targets[] = {extent_of("output keys", keys_out, key_type(), count),
                              extent_of("output values", values_out, value_type(), count)};
    for (const Extent& target : targets) {
        refuse_overlap(operation, extent_of("input keys", keys_in, key_type(), count), target);
        refuse_overlap(operation, extent_of("input values", values_in, value_type(), count), target);
    }
    refuse_overlap(operation, targets[0], targets[1]);
    if (count == 0) {
        write_zero(stream, selected_count, state.target.device());
        return;
    }
    const CompactionProgram& program = state.programs.for_count(count);
    const CompactionPlan plan(program, count);
    const Workspace workspace(call, plan.storage.size(), options);
    const TileStates::Parameter tiles = plan.states.parameter(workspace);
    init_tiles(stream, program, plan, tiles, selected_count);
    const Raw op{operator_state(call, state.op, options), state.op.state() ? state.op.state()->size() : 1};
    launch_kernel(stream, plan.tiles, program.threads, program.sweep, Raw{keys_in.state(), state.keys.state().size()},
                  Raw{values_in.state(), state.values.state().size()}, output_bytes(keys_out, state.outputs[0]),
                  output_bytes(values_out, state.outputs[1]), selected_count.address(), tiles.bytes(), op,
                  Offset{count, program.wide}, static_cast<int32_t>(plan.tiles), workspace[plan.shared]);
}

const Type& UniqueByKey::key_type() const {
    return state_->keys.value_type();
}

const Type& UniqueByKey::value_type() const {
    return state_->values.value_type();
}

std::string UniqueByKey::save() const {
    return state_->programs.save();
}

uint64_t unique_by_key(const HostOutput& keys, const HostOutput& values, const Operator& op,
                       const Execution& execution) {
    require_same_count(operation, keys.count, values.count);
    const Execution target = runnable(operation, execution);
    const UniqueByKey built = kept_or_built(
        CallKey("unique_by_key", target).add(keys.type).add(values.type).add(op),
        [&] { return UniqueByKey(Iterator::pointer(keys.type), Iterator::pointer(values.type), op, target); });
    return run_in_place(operation, built, {.parts = {keys, values}, .read_parts = 2, .reads_what_it_writes = true}, &op,
                        target,
                        [&](const core::StreamRef& stream, const std::vector<Input>& inputs,
                            const std::vector<Output>& outputs, const Output& number, const CallOptions& options) {
                            built(stream, inputs[0], inputs[1], outputs[0], outputs[1], number, keys.count, options);
                        });
}

}  // namespace cuprum::parallel
