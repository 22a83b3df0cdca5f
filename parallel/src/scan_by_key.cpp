// Each tile scans its runs, learns from the tiles before it what its first run begins with (decoupled look-back), and
// writes them. The key in front of each tile is kept before any tile writes.
#include "scan_by_key.hpp"

#include <algorithm>

#include "cuprum/pathfinder/error.hpp"
#include "determinism.hpp"
#include "runs.hpp"

namespace cuprum::parallel {

namespace {

constexpr uint64_t most_bytes = 128;  // of a key, and of an accumulator: CUB keeps a tile's in shared memory

// CUB's own kernels are in a header that NVRTC does not take (dispatch_scan_by_key.cuh): these run the same agent.
constexpr std::string_view kernels = R"(
using agent_t = cub::detail::scan_by_key::AgentScanByKey<policy_t, keys_t, values_t, accumulator_t*, equal_t, op_t, init_t,
                                                         offset_t, accumulator_t>;
__global__ void cuprum_scan_by_key_init(tiles_t tiles, keys_t keys, key_t* before, offset_t tile_items, int tile_count) {
    tiles.InitializeStatus(tile_count);
    const int tile = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (tile > 0 && tile < tile_count) before[tile] = keys[tile_items * tile - 1];
}
__global__ __launch_bounds__(policy_t::BLOCK_THREADS) void cuprum_scan_by_key(
    keys_t keys, key_t* before, values_t values, accumulator_t* out, tiles_t tiles, equal_t equal, op_t op, init_t init,
    offset_t n) {
    __shared__ agent_t::TempStorage storage;
    agent_t(storage, keys, before, values, out, equal, op, init).ConsumeRange(n, tiles, 0);
})";

BuildRequest make_request(const ScanByKey::Kind& kind, const Iterator& keys, const Iterator& values, const Operator& op,
                          const Type& accumulator, const Operator& equal, Width width) {
    SourceBuilder source({"cub/agent/agent_scan_by_key.cuh"});
    source.line(policy_wrapper);
    source.line("#include <cub/device/dispatch/tuning/tuning_scan_by_key.cuh>");
    source.alias("key_t", source.type(keys.value_type()));
    source.alias("value_t", source.type(values.value_type()));
    source.alias("accumulator_t", source.type(accumulator));
    source.alias("keys_t", source.iterator(keys));
    source.alias("values_t", source.iterator(values));
    source.alias("offset_t", width == Width::narrow ? "int" : "long long");
    source.alias("init_t", kind.is_exclusive ? "accumulator_t" : "cub::NullType");
    const std::string functor = source.op(op, {accumulator, accumulator}, accumulator);
    source.alias("op_t", functor);
    source.alias("equal_t",
                 source.op(equal, {keys.value_type(), keys.value_type()}, Type(TypeKind::boolean), "compare"));
    source.alias("tiles_t", "cub::ReduceByKeyScanTileState<accumulator_t, int>");
    source.alias("policy_t", "cub::detail::scan_by_key::policy_hub<keys_t, accumulator_t, value_t, " +
                                 tuning_operator(op, accumulator, functor) +
                                 ">::MaxPolicy::ActivePolicy::ScanByKeyPolicyT");
    source.line(tile_states_helper);
    source.line(kernels);
    BuildRequest request(kind.algorithm, source);
    request.kernels = {"cuprum_scan_by_key_init", "cuprum_scan_by_key"};
    add_run_constants(request.constants);
    request.constants.push_back({"key bytes", "sizeof(key_t)"});
    return request;
}

void check_sizes(const char* algorithm, const Type& keys, const Type& accumulator) {
    if (std::max(keys.size(), accumulator.size()) <= most_bytes) return;
    throw Unsupported(std::string("building ") + algorithm, "types",
                      "a key has " + std::to_string(keys.size()) + " bytes and a result " +
                          std::to_string(accumulator.size()) + ", expected at most " + std::to_string(most_bytes) +
                          " each",
                      "take positions, or smaller parts of the structs");
}

void check_for_host(const ScanByKey::Kind& kind, const Iterator& keys, const Iterator& values, const Operator& op,
                    const Type& accumulator, const Operator& equal) {
    using namespace host_execution;
    check_available();
    check_iterator(kind.algorithm, "input keys", keys);
    check_combination(kind.algorithm, values, op, accumulator);
    check_comparison(kind.algorithm, equal, keys.value_type());
}

}  // namespace

ScanByKey::Program::Program(const core::Device& /*device*/, const CompiledProgram& compiled, Width width)
    : init(compiled.kernel(0)),
      sweep(compiled.kernel(1)),
      threads(compiled.positive("threads")),
      tile_items(compiled.positive_size("threads") * compiled.positive_size("items per thread")),
      key_bytes(compiled.positive_size("key bytes")),
      sizes(compiled),
      wide(width == Width::wide) {}

// The temporary storage of one call: the tiles' states, and the key before each tile.
struct ScanByKey::Plan {
    uint64_t tiles;
    StorageLayout storage;
    TileStates states;
    uint64_t before;

    Plan(const Program& program, uint64_t count)
        : tiles(ceil_divide(count, program.tile_items)),
          states(program.sizes, tiles, storage),
          before(storage.add(tiles * program.key_bytes)) {}
};

ScanByKey::ScanByKey(const Kind& kind, const Iterator& keys, const Iterator& values, const Operator& op,
                     const Type& accumulator, const Operator& equal, const Execution& execution,
                     const BuildOptions& options)
    : kind_(kind),
      target_([&] {
          check_sizes(kind.algorithm, keys.value_type(), accumulator);
          if (execution.is_host()) check_for_host(kind, keys, values, op, accumulator, equal);
          require_determinism_of_sums(kind.algorithm, execution, op, accumulator);
          return Target(execution, options);
      }()),
      keys_(keys),
      values_(values),
      op_(op),
      equal_(equal),
      accumulator_(accumulator),
      programs_(target_,
                [this](Width width) { return make_request(kind_, keys_, values_, op_, accumulator_, equal_, width); }) {
}

uint64_t ScanByKey::temp_storage_bytes(uint64_t count) const {
    if (count == 0 || target_.is_host()) return 0;
    check_count(kind_.operation, count, std::max(keys_.value_type().size(), accumulator_.size()));
    return Plan(programs_.for_count(count), count).storage.size();
}

// The output may be the values' memory, where the types are the same.
void ScanByKey::check_extents(const Extent& keys, const Extent& values, const Output& output, uint64_t count) const {
    const Extent target = extent_of("output", output, accumulator_, count);
    refuse_overlap(kind_.operation, keys, target);
    if (values_.value_type() == accumulator_) {
        refuse_partial_overlap(kind_.operation, values, target);
    } else {
        refuse_overlap(kind_.operation, values, target);
    }
}

void ScanByKey::run_on_host(const HostCall& call, const Input& keys_in, const Input& values_in, const Output& output,
                            const Value* init) const {
    using namespace host_execution;
    check_call(call, &op_);
    check_second_op(call, equal_);
    const host::Source keys = source_of(call, "input keys", keys_, keys_in, call.count);
    const host::Source values = source_of(call, "input values", values_, values_in, call.count);
    void* const target = target_of(call, "output", accumulator_, output, call.count);
    if (init != nullptr) check_init(call, accumulator_, *init);
    check_extents(extent_of("input keys", keys, call.count), extent_of("input values", values, call.count), output,
                  call.count);
    check(host_functions().scan_by_key(&keys, &values, call.count, number_of(equal_), number_of(op_),
                                       number_of(accumulator_), init == nullptr ? nullptr : init->data(), target),
          call);
}

void ScanByKey::operator()(const core::StreamRef& stream, const Input& keys_in, const Input& values_in,
                           const Output& output, uint64_t count, const Value* init, const CallOptions& options) const {
    if (target_.is_host()) {
        run_on_host({kind_.operation, stream, options, count}, keys_in, values_in, output, init);
        return;
    }
    const Call call{kind_.operation, target_.device(), stream, count};
    check_stream(call);
    check_input(call, "input keys", keys_, keys_in);
    check_input(call, "input values", values_, values_in);
    check_output(call, "output", accumulator_, output, count);
    if (init != nullptr) check_value(call, "initial value", accumulator_, *init);
    check_extents(extent_of("input keys", keys_in, keys_.value_type(), count),
                  extent_of("input values", values_in, values_.value_type(), count), output, count);
    if (count == 0) return;
    const Program& program = programs_.for_count(count);
    const Plan plan(program, count);
    const Workspace workspace(call, plan.storage.size(), options);
    const TileStates::Parameter tiles = plan.states.parameter(workspace);
    const auto tile_count = static_cast<int32_t>(plan.tiles);
    const Raw keys{keys_in.state(), keys_.state().size()};
    launch_kernel(stream, ceil_divide(plan.tiles, tile_states_init_threads), tile_states_init_threads, program.init,
                  tiles.bytes(), keys, workspace[plan.before], Offset{program.tile_items, program.wide}, tile_count);
    static constexpr uint8_t none = 0;
    const Raw equal{operator_state(call, equal_, options.second_op), equal_.state() ? equal_.state()->size() : 1};
    const Raw op{operator_state(call, op_, options), op_.state() ? op_.state()->size() : 1};
    const Raw first = init != nullptr ? Raw{init->data(), init->size()} : Raw{&none, sizeof(none)};
    launch_kernel(stream, plan.tiles, program.threads, program.sweep, keys, workspace[plan.before],
                  Raw{values_in.state(), values_.state().size()}, output.address(), tiles.bytes(), equal, op, first,
                  Offset{count, program.wide});
}

}  // namespace cuprum::parallel
