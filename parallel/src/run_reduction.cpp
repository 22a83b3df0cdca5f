// Each tile reduces its runs, learns from the tiles before it where these go and what its first run begins with
// (decoupled look-back), and writes them there.
#include "run_reduction.hpp"

#include <algorithm>
#include <cstring>

#include "cuprum/pathfinder/error.hpp"
#include "determinism.hpp"
#include "runs.hpp"

namespace cuprum::parallel {

namespace {

constexpr uint64_t most_bytes = 256;  // of a key and an accumulator: CUB keeps a tile's in shared memory

// CUB's own kernel is in a header that NVRTC does not take (dispatch_reduce_by_key.cuh): this one runs the same agent,
// which from CCCL 3.1 on can also be one of several launches. `compared_t` and the like: what CUB is given.
constexpr std::string_view kernel = R"(
CUB_NAMESPACE_BEGIN
namespace detail { namespace reduce {} namespace reduce_by_key {} }
CUB_NAMESPACE_END
#if CCCL_VERSION >= 3001000
#define CUPRUM_ONE_LAUNCH , cub::NullType
#define CUPRUM_THE_LAUNCH , cub::NullType{}
#else
#define CUPRUM_ONE_LAUNCH
#define CUPRUM_THE_LAUNCH
#endif
namespace cuprum_agents {
using namespace cub::detail::reduce;
using namespace cub::detail::reduce_by_key;
using agent_t = AgentReduceByKey<policy_t, placed_t, written_t, loaded_t, accumulator_t*, unsigned long long*, compared_t, op_t,
                                 offset_t, accumulator_t CUPRUM_ONE_LAUNCH>;
}
using cuprum_agents::agent_t;
__global__ __launch_bounds__(policy_t::BLOCK_THREADS) void cuprum_reduce_by_key(
    keys_t keys, key_t* keys_out, values_t values, accumulator_t* out, unsigned long long* runs, tiles_t tiles,
    equal_t equal, op_t op, offset_t n) {
    __shared__ agent_t::TempStorage storage;
    agent_t(storage, placed(keys), written(keys, keys_out, n), loaded_t(values), out, runs, compared_t{equal},
            op CUPRUM_THE_LAUNCH).ConsumeRange(n, tiles, 0);
})";

// Of keys that are the same where they are equal CUB writes any.
constexpr std::string_view same_keys = R"(
using tuned_t = key_t;
using placed_t = keys_t;
using written_t = key_t*;
using compared_t = equal_t;
__device__ __forceinline__ placed_t placed(const keys_t& keys) { return keys; }
__device__ __forceinline__ written_t written(const keys_t&, key_t* out, offset_t) { return out; }
)";

// CUB writes the last key of each run. Where a caller's operator holds different keys for equal, keys go with their
// positions, which cost no more bytes than the count needs: behind the last one of a run is the first one of the next.
constexpr std::string_view first_keys = R"(
struct tuned_t {
    offset_t position;
    key_t key;
};
struct place_reader {
    using value_type = tuned_t;
    keys_t keys;
    __device__ __forceinline__ tuned_t operator()(long long i) const { return {static_cast<offset_t>(i), keys[i]}; }
};
struct next_writer {
    using value_type = tuned_t;
    keys_t keys;
    key_t* out;
    long long n;
    __device__ __forceinline__ void write(long long i, const tuned_t& last) const {
        const long long next = static_cast<long long>(last.position) + 1;
        if (next < n) out[i + 1] = keys[next];
    }
};
struct compared_t {
    equal_t equal;
    __device__ __forceinline__ bool operator()(const tuned_t& a, const tuned_t& b) const { return equal(a.key, b.key); }
};
using placed_t = cuprum_iterators::at<place_reader>;
using written_t = cuprum_iterators::to<next_writer>;
__device__ __forceinline__ placed_t placed(const keys_t& keys) { return {{keys}, 0}; }
__device__ __forceinline__ written_t written(const keys_t& keys, key_t* out, offset_t n) {
    if (blockIdx.x == 0 && threadIdx.x == 0) out[0] = keys[0];
    return {{keys, out, n}, 0};
}
)";

BuildRequest make_request(const char* algorithm, const Iterator& keys, const Iterator& values, const Operator& op,
                          const Type& accumulator, const Operator& equal, Width width) {
    SourceBuilder source({"cub/agent/agent_reduce_by_key.cuh", "cub/device/dispatch/kernels/scan.cuh"});
    source.line(policy_wrapper);
    source.line("#include <cub/device/dispatch/tuning/tuning_reduce_by_key.cuh>");
    source.alias("key_t", source.type(keys.value_type()));
    source.alias("accumulator_t", source.type(accumulator));
    source.alias("keys_t", source.iterator(keys));
    source.alias("values_t", source.iterator(values));
    source.alias("offset_t", width == Width::narrow ? "int" : "long long");
    const std::string functor = source.op(op, {accumulator, accumulator}, accumulator);
    source.alias("op_t", functor);
    source.alias_for("loaded_t", "values_t", op);
    source.alias("equal_t",
                 source.op(equal, {keys.value_type(), keys.value_type()}, Type(TypeKind::boolean), "compare"));
    if (!equal.kind()) source.declare_iterators();
    source.line(equal.kind() ? same_keys : first_keys);
    source.alias("tiles_t", "cub::ReduceByKeyScanTileState<accumulator_t, offset_t>");
    source.alias("policy_t", "cub::detail::reduce_by_key::policy_hub<" + tuning_operator(op, accumulator, functor) +
                                 ", accumulator_t, tuned_t>::MaxPolicy::ActivePolicy::ReduceByKeyPolicyT");
    source.line(tile_states_helper);
    source.line(kernel);
    BuildRequest request(algorithm, source);
    request.kernels = {CompactionProgram::init_kernel, "cuprum_reduce_by_key"};
    add_run_constants(request.constants);
    return request;
}

void check_sizes(const char* algorithm, const Type& keys, const Type& accumulator) {
    if (keys.size() + accumulator.size() <= most_bytes) return;
    throw Unsupported(std::string("building ") + algorithm, "types",
                      "a key has " + std::to_string(keys.size()) + " bytes and a result " +
                          std::to_string(accumulator.size()) + ", expected at most " + std::to_string(most_bytes) +
                          " together",
                      "take positions, or smaller parts of the structs");
}

void check_for_host(const RunReduction::Names& names, const Iterator& keys, const Iterator& values, const Operator& op,
                    const Type& accumulator, const Operator& equal) {
    using namespace host_execution;
    check_available();
    check_iterator(names.algorithm, names.keys, keys);
    check_combination(names.algorithm, values, op, accumulator);
    check_comparison(names.algorithm, equal, keys.value_type());
}

}  // namespace

RunReduction::RunReduction(const Names& names, const Iterator& keys, const Iterator& values, const Operator& op,
                           const Type& accumulator, const Operator& equal, const Execution& execution,
                           const BuildOptions& options)
    : names_(names),
      target_([&] {
          check_sizes(names.algorithm, keys.value_type(), accumulator);
          if (execution.is_host()) check_for_host(names, keys, values, op, accumulator, equal);
          require_determinism_of_sums(names.algorithm, execution, op, accumulator);
          return Target(execution, options);
      }()),
      keys_(keys),
      values_(values),
      op_(op),
      equal_(equal),
      accumulator_(accumulator),
      programs_(target_, [this](Width width) {
          return make_request(names_.algorithm, keys_, values_, op_, accumulator_, equal_, width);
      }) {}

uint64_t RunReduction::temp_storage_bytes(uint64_t count) const {
    if (count == 0 || target_.is_host()) return 0;
    check_count(names_.operation, count, std::max(key_type().size(), accumulator_.size()));
    return CompactionPlan(programs_.for_count(count), count).storage.size();
}

// Neither output may overlap an input or the other.
void RunReduction::check_extents(const std::array<Extent, 2>& inputs, const Output& keys_out, const Output& values_out,
                                 uint64_t count) const {
    const Extent outputs[] = {extent_of(names_.keys_out, keys_out, key_type(), count),
                              extent_of(names_.values_out, values_out, accumulator_, count)};
    for (const Extent& output : outputs) {
        for (const Extent& input : inputs)
            refuse_overlap(names_.operation, input, output);
    }
    refuse_overlap(names_.operation, outputs[0], outputs[1]);
}

void RunReduction::run_on_host(const HostCall& call, const Input& keys_in, const Input& values_in,
                               const Output& keys_out, const Output& values_out, const Output& run_count) const {
    using namespace host_execution;
    check_call(call, &op_);
    check_second_op(call, equal_);
    const host::Source keys = source_of(call, names_.keys, keys_, keys_in, call.count);
    const host::Source values = source_of(call, "input values", values_, values_in, call.count);
    void* const to_keys = target_of(call, names_.keys_out, key_type(), keys_out, call.count);
    void* const to_values = target_of(call, names_.values_out, accumulator_, values_out, call.count);
    void* const to_count = target_of(call, "number of runs", count_type_, run_count, 1);
    check_extents({extent_of(names_.keys, keys, call.count), extent_of("input values", values, call.count)}, keys_out,
                  values_out, call.count);
    uint64_t runs = 0;
    check(host_functions().reduce_by_key(&keys, &values, call.count, number_of(equal_), number_of(op_),
                                         number_of(accumulator_), to_keys, to_values, &runs),
          call);
    std::memcpy(to_count, &runs, sizeof(runs));
}

void RunReduction::operator()(const core::StreamRef& stream, const Input& keys_in, const Input& values_in,
                              const Output& keys_out, const Output& values_out, const Output& run_count, uint64_t count,
                              const CallOptions& options) const {
    if (target_.is_host()) {
        run_on_host({names_.operation, stream, options, count}, keys_in, values_in, keys_out, values_out, run_count);
        return;
    }
    const Call call{names_.operation, target_.device(), stream, count};
    check_stream(call);
    check_input(call, names_.keys, keys_, keys_in);
    check_input(call, "input values", values_, values_in);
    check_output(call, names_.keys_out, key_type(), keys_out, count);
    check_output(call, names_.values_out, accumulator_, values_out, count);
    check_output(call, "number of runs", count_type_, run_count, 1);
    check_extents({extent_of(names_.keys, keys_in, key_type(), count),
                   extent_of("input values", values_in, values_.value_type(), count)},
                  keys_out, values_out, count);
    if (count == 0) {
        write_zero(stream, run_count, target_.device());
        return;
    }
    const CompactionProgram& program = programs_.for_count(count);
    const CompactionPlan plan(program, count);
    const Workspace workspace(call, plan.storage.size(), options);
    const TileStates::Parameter tiles = plan.states.parameter(workspace);
    init_tiles(stream, program, plan, tiles, run_count);
    const Raw equal{operator_state(call, equal_, options.second_op), equal_.state() ? equal_.state()->size() : 1};
    const Raw op{operator_state(call, op_, options), op_.state() ? op_.state()->size() : 1};
    launch_kernel(stream, plan.tiles, program.threads, program.sweep, Raw{keys_in.state(), keys_.state().size()},
                  keys_out.address(), Raw{values_in.state(), values_.state().size()}, values_out.address(),
                  run_count.address(), tiles.bytes(), equal, op, Offset{count, program.wide});
}

}  // namespace cuprum::parallel
