#include "cuprum/parallel/unique_by_key.hpp"

#include <algorithm>

#include "call.hpp"
#include "compaction.hpp"
#include "host_execution.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "keeping the first of equal keys";

// CUB's own kernel is in headers with other names from CCCL 3.2 on: this one runs the same agent.
constexpr std::string_view kernel = R"(
template <class... Parameters> struct agent_t : cub::detail::unique_by_key::AgentUniqueByKey<Parameters...> {
    using cub::detail::unique_by_key::AgentUniqueByKey<Parameters...>::AgentUniqueByKey;
};
using helper_t = cub::detail::vsmem_helper_default_fallback_policy_t<
    policy_t::ActivePolicy::UniqueByKeyPolicyT, agent_t, keys_t, values_t, key_t*, value_t*, op_t, offset_t>;
__global__ __launch_bounds__(helper_t::agent_policy_t::BLOCK_THREADS) void cuprum_unique_by_key(
    keys_t keys, values_t values, key_t* keys_out, value_t* values_out, unsigned long long* selected, tiles_t tiles,
    op_t op, offset_t n, int tile_count, cub::detail::vsmem_t vsmem) {
    __shared__ helper_t::static_temp_storage_t static_storage;
    helper_t::agent_t::TempStorage& storage = helper_t::get_temp_storage(static_storage, vsmem);
    helper_t::agent_t(storage, keys, values, keys_out, values_out, op, n).ConsumeRange(tile_count, tiles, selected);
    helper_t::discard_temp_storage(storage);
})";

BuildRequest make_request(const Iterator& keys, const Iterator& values, const Operator& op, Width width) {
    BuildRequest request;
    request.algorithm = "unique_by_key";
    SourceBuilder source(
        {"cub/agent/agent_unique_by_key.cuh", "cub/device/dispatch/kernels/scan.cuh", "cub/util_vsmem.cuh"});
    source.line(policy_wrapper);
    source.line("#include <cub/device/dispatch/tuning/tuning_unique_by_key.cuh>");
    source.alias("key_t", source.type(keys.value_type()));
    source.alias("value_t", source.type(values.value_type()));
    source.alias("keys_t", source.iterator(keys));
    source.alias("values_t", source.iterator(values));
    source.alias("offset_t", width == Width::narrow ? "int" : "long long");
    source.alias("op_t", source.op(op, {keys.value_type(), keys.value_type()}, Type(TypeKind::boolean)));
    source.alias("tiles_t", "cub::ScanTileState<offset_t>");
    source.alias("policy_t", "cub::detail::unique_by_key::policy_hub<key_t, value_t>::MaxPolicy");
    source.line(kernel);
    request.source = source.text();
    request.kernels = {CompactionProgram::init_kernel, "cuprum_unique_by_key"};
    CompactionProgram::add_constants(request.constants);
    return request;
}

}  // namespace

struct UniqueByKey::State {
    Target target;
    Iterator keys, values;
    Operator op;
    Type count_type{TypeKind::uint64};
    Programs<CompactionProgram> programs;

    State(const Iterator& keys_, const Iterator& values_, const Operator& op_, const Execution& execution,
          const BuildOptions& options)
        : target(execution, options), keys(keys_), values(values_), op(op_), programs(target, [this](Width width) {
              return make_request(keys, values, op, width);
          }) {}
};

UniqueByKey::UniqueByKey(const Iterator& keys, const Iterator& values, const Operator& op, const Execution& execution,
                         const BuildOptions& options) {
    if (execution.is_host()) host_execution::check_unique_by_key(keys, values, op);
    state_ = std::make_shared<const State>(keys, values, op, execution, options);
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
        host_execution::unique_by_key({operation, stream, options, count}, state.keys, state.values, state.op, keys_in,
                                      values_in, keys_out, values_out, selected_count);
        return;
    }
    const Call call{operation, state.target.device(), stream, count};
    check_stream(call);
    check_input(call, "input keys", state.keys, keys_in);
    check_input(call, "input values", state.values, values_in);
    check_output(call, "output keys", key_type(), keys_out, count);
    check_output(call, "output values", value_type(), values_out, count);
    check_output(call, "number of selected keys", state.count_type, selected_count, 1);
    const uint64_t key_bytes = count * key_type().size();
    const uint64_t value_bytes = count * value_type().size();
    // Each input with each output, and the outputs with each other. Iterators that compute have the address 0.
    const auto refuse_overlap = [&](const char* first, core::DevicePointer left, uint64_t left_size, const char* second,
                                    core::DevicePointer right, uint64_t right_size) {
        if (left != 0 && overlap(left, left_size, right, right_size)) throw_overlap(call, first, second);
    };
    const core::DevicePointer to_keys = keys_out.address();
    const core::DevicePointer to_values = values_out.address();
    refuse_overlap("input keys", keys_in.address(), key_bytes, "output keys", to_keys, key_bytes);
    refuse_overlap("input keys", keys_in.address(), key_bytes, "output values", to_values, value_bytes);
    refuse_overlap("input values", values_in.address(), value_bytes, "output keys", to_keys, key_bytes);
    refuse_overlap("input values", values_in.address(), value_bytes, "output values", to_values, value_bytes);
    refuse_overlap("output keys", to_keys, key_bytes, "output values", to_values, value_bytes);
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
                  Raw{values_in.state(), state.values.state().size()}, to_keys, to_values, selected_count.address(),
                  tiles.bytes(), op, Offset{count, program.wide}, static_cast<int32_t>(plan.tiles),
                  workspace[plan.shared]);
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

}  // namespace cuprum::parallel
