// Tiles are sorted each by one block, then merged in pairs, pass by pass; before each pass a small kernel finds where
// the blocks of a merge begin. From compute capability 9.0 on, a kernel starts while the one before it still runs, and
// waits in the kernel for its results (programmatic dependent launch).
#include "cuprum/parallel/merge_sort.hpp"

#include <bit>

#include "call.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "host_execution.hpp"
#include "kernel_overlap.hpp"
#include "key_fields.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "sorting by comparison";
constexpr int64_t partition_threads = 256;  // any number serves; CUB's own

constexpr std::string_view policy = R"(
#if CCCL_VERSION >= 3004000
using policy_t = cub::detail::merge_sort::policy_selector_from_types<key_t*>;
using helper_t = cub::detail::merge_sort::device_merge_sort_vsmem_helper_t<
    cub::detail::device_policy_getter<policy_t, cub::detail::current_tuning_cc().get()>, const key_t*, const value_t*,
    key_t*, value_t*, offset_t, op_t, key_t, value_t>;
constexpr int threads = helper_t::policy.CUPRUM_THREADS, tile_items = threads * helper_t::policy.items_per_thread;
#else
using policy_t = cub::detail::merge_sort::policy_hub<key_t*>::MaxPolicy;
using helper_t = cub::detail::merge_sort::merge_sort_vsmem_helper_t<
    policy_t::ActivePolicy::MergeSortPolicy, const key_t*, const value_t*, key_t*, value_t*, offset_t, op_t, key_t,
    value_t>;
constexpr int threads = helper_t::policy_t::BLOCK_THREADS, tile_items = helper_t::policy_t::ITEMS_PER_TILE;
#endif)";

BuildRequest make_request(const Operator& compare, const Type& keys, const std::optional<Type>& values, Width width) {
    SourceBuilder source(
        {"cub/device/dispatch/kernels/merge_sort.cuh", "cub/device/dispatch/tuning/tuning_merge_sort.cuh"});
    source.alias("key_t", source.type(keys));
    source.alias("value_t", values ? source.type(*values) : "cub::NullType");
    source.alias("offset_t", offset_type(width));
    source.alias("op_t", source.op(compare, {keys, keys}, Type(TypeKind::boolean), "compare"));
    source.line(policy);
    BuildRequest request("merge_sort", source);
    const std::string kernels = "cub::detail::merge_sort::DeviceMergeSort";
    const std::string types = "const key_t*, const value_t*, key_t*, value_t*, offset_t, op_t, key_t, value_t>";
    request.kernels = {kernels + "BlockSortKernel<policy_t, " + types,
                       kernels + "PartitionKernel<key_t*, offset_t, op_t, key_t>",
                       kernels + "MergeKernel<policy_t, " + types};
    request.constants = {
        {"threads", "threads"},
        {"tile items", "tile_items"},
        {"block sort's shared bytes", "cub::detail::vsmem_helper_impl<helper_t::block_sort_agent_t>::vsmem_per_block"},
        {"merge's shared bytes", "cub::detail::vsmem_helper_impl<helper_t::merge_agent_t>::vsmem_per_block"}};
    return request;
}

struct Program {
    core::Kernel block_sort, partition, merge;
    int64_t threads;
    uint64_t tile_items, shared_bytes;  // shared_bytes: per tile, of what does not fit into shared memory
    bool wide;
    bool overlaps;

    Program(const core::Device& device, const CompiledProgram& compiled, Width width)
        : block_sort(compiled.kernel(0)),
          partition(compiled.kernel(1)),
          merge(compiled.kernel(2)),
          threads(compiled.positive("threads")),
          tile_items(compiled.positive_size("tile items")),
          shared_bytes(std::max(compiled.size("block sort's shared bytes"), compiled.size("merge's shared bytes"))),
          wide(width == Width::wide),
          // CUB compiles griddepcontrol into the kernels from sm_90 on, the first one as well.
          overlaps(overlaps_kernels(device)) {}
};

struct Plan {
    uint64_t tiles;
    StorageLayout storage;
    uint64_t partitions, keys, values, shared;

    Plan(const Program& program, uint64_t count, uint64_t key_size, uint64_t value_size)
        : tiles(ceil_divide(count, program.tile_items)),
          partitions(storage.add((tiles + 1) * (program.wide ? sizeof(uint64_t) : sizeof(uint32_t)))),
          keys(storage.add(tiles > 1 ? count * key_size : 0)),
          values(storage.add(tiles > 1 ? count * value_size : 0)),
          shared(storage.add(tiles * program.shared_bytes)) {}
};

void check_for_host(const Operator& compare, const Type& keys) {
    using namespace host_execution;
    constexpr const char* algorithm = "merge_sort";
    check_available();
    if (const FieldComparison* const comparison = compare.field_comparison()) {
        if (keys == comparison->type) return;
        throw InvalidArgument("building merge_sort", "comparison by the fields " + comparison->fields,
                              "it is of " + comparison->type.text() + ", and the keys are " + keys.text());
    }
    require_number(algorithm, "keys", keys);
    require_operands(algorithm, compare, 2);
    if (*compare.kind() != OpKind::less && *compare.kind() != OpKind::greater) {
        refuse(algorithm, "operator '" + compare.text() + "'", "it is not a strict weak ordering",
               "use the operator less or greater");
    }
    if (keys.is_complex()) {
        refuse(algorithm, "operator '" + compare.text() + "'", "it is not defined for " + keys.name());
    }
}

void run_on_host(const HostCall& call, const SortMemory& memory, const Operator& compare) {
    using namespace host_execution;
    check_call(call, &compare);
    if (const FieldComparison* const comparison = compare.field_comparison()) {
        const std::vector<KeyField> fields = chosen_fields(operation, comparison->type, comparison->fields);
        sort_fields_on_host(call, memory, fields, 0, INT32_MAX);
        return;
    }
    // The bits of numbers have the numbers' order, and radix sort is stable.
    const SortOrder order = *compare.kind() == OpKind::less ? SortOrder::ascending : SortOrder::descending;
    sort_on_host(call, memory, order, 0, static_cast<int32_t>(memory.keys.size() * 8));
}

}  // namespace

struct MergeSort::State {
    Target target;
    Operator compare;
    Type keys;
    std::optional<Type> values;
    Iterator key_input;
    std::optional<Iterator> value_input;
    Programs<Program> programs;

    State(const Operator& compare_, const Type& keys_, const std::optional<Type>& values_, const Execution& execution,
          const BuildOptions& options)
        : target(execution, options),
          compare(compare_),
          keys(keys_),
          values(values_),
          key_input(Iterator::pointer(keys_)),
          value_input(values_ ? std::optional(Iterator::pointer(*values_)) : std::nullopt),
          programs(target, [this](Width width) { return make_request(compare, keys, values, width); }) {}

    uint64_t value_size() const { return values ? values->size() : 0; }
};

MergeSort::MergeSort(const Operator& compare, const Type& keys, const std::optional<Type>& values,
                     const Execution& execution, const BuildOptions& options)
    : state_(std::make_shared<const State>(compare, keys, values, execution, options)) {
    if (state_->target.is_host()) check_for_host(compare, keys);
}

uint64_t MergeSort::temp_storage_bytes(uint64_t count) const {
    if (count == 0 || state_->target.is_host()) return 0;
    check_count(operation, count, std::max(state_->keys.size(), state_->value_size()));
    return Plan(state_->programs.for_count(count), count, state_->keys.size(), state_->value_size()).storage.size();
}

void MergeSort::operator()(core::StreamRef stream, const Input& keys_in, const Output& keys_out, uint64_t count,
                           const CallOptions& options) const {
    if (state_->values) {
        throw InvalidArgument(operation, "values", "none are given, but this sort was built for keys and values");
    }
    run(stream, keys_in, keys_out, nullptr, nullptr, count, options);
}

void MergeSort::operator()(core::StreamRef stream, const Input& keys_in, const Output& keys_out, const Input& values_in,
                           const Output& values_out, uint64_t count, const CallOptions& options) const {
    if (!state_->values) {
        throw InvalidArgument(operation, "values", "they are given, but this sort was built for keys alone");
    }
    run(stream, keys_in, keys_out, &values_in, &values_out, count, options);
}

void MergeSort::run(const core::StreamRef& stream, const Input& keys_in, const Output& keys_out, const Input* values_in,
                    const Output* values_out, uint64_t count, const CallOptions& options) const {
    const State& state = *state_;
    if (state.target.is_host()) {
        run_on_host({operation, stream, options, count},
                    {state.keys, state.values ? &*state.values : nullptr, keys_in, keys_out, values_in, values_out},
                    state.compare);
        return;
    }
    const Call call{operation, state.target.device(), stream, count};
    check_stream(call);
    const auto check = [&](const char* in_name, const char* out_name, const Iterator& expected, const Type& type,
                           const Input& in, const Output& out) {
        check_input(call, in_name, expected, in);
        check_output(call, out_name, type, out, count);
        const uint64_t size = count * type.size();
        if (in.address() != out.address() && overlap(in.address(), size, out.address(), size)) {
            throw_overlap(call.operation, in_name, out_name);
        }
    };
    check("input keys", "output keys", state.key_input, state.keys, keys_in, keys_out);
    if (state.values) {
        check("input values", "output values", *state.value_input, *state.values, *values_in, *values_out);
    }
    if (count == 0) return;
    const core::DevicePointer values_from = state.values ? values_in->address() : 0;
    const core::DevicePointer values_to = state.values ? values_out->address() : 0;
    const Program& program = state.programs.for_count(count);
    const Plan plan(program, count, state.keys.size(), state.value_size());
    const Workspace workspace(call, plan.storage.size(), options);
    const Raw compare{operator_state(call, state.compare, options),
                      state.compare.state() ? state.compare.state()->size() : 1};
    const Offset n{count, program.wide};
    const core::DevicePointer shared = workspace[plan.shared];

    // `in_output`: where the sorted tiles are, in the output or in the temporary storage; each pass changes that, and
    // the last one ends in the output.
    const auto passes = static_cast<int>(std::bit_width(plan.tiles - 1));
    bool in_output = passes % 2 == 0;
    const core::LaunchConfig tiles = overlapping(plan.tiles, program.threads, program.overlaps);
    launch_kernel(stream, tiles, program.block_sort, in_output, keys_in.address(), values_from, keys_out.address(),
                  values_to, n, workspace[plan.keys], workspace[plan.values], compare, shared);
    const uint64_t partitions = plan.tiles + 1;
    const core::LaunchConfig partition_blocks =
        overlapping(ceil_divide(partitions, partition_threads), partition_threads, program.overlaps);
    for (int pass = 0; pass < passes; ++pass, in_output = !in_output) {
        const Offset merged_tiles{uint64_t{2} << pass, program.wide};
        launch_kernel(stream, partition_blocks, program.partition, in_output, keys_out.address(), workspace[plan.keys],
                      n, Offset{partitions, program.wide}, workspace[plan.partitions], compare, merged_tiles,
                      static_cast<int32_t>(program.tile_items));
        launch_kernel(stream, tiles, program.merge, in_output, keys_out.address(), values_to, n, workspace[plan.keys],
                      workspace[plan.values], compare, workspace[plan.partitions], merged_tiles, shared);
    }
}

const Type& MergeSort::key_type() const {
    return state_->keys;
}
const std::optional<Type>& MergeSort::value_type() const {
    return state_->values;
}

std::string MergeSort::save() const {
    return state_->programs.save();
}

namespace {

void sort_by(const HostSort& what, const Operator& compare, const Execution& execution) {
    const Execution target = runnable("sorting", execution);
    what.check();
    const MergeSort built =
        kept_or_built(CallKey("merge_sort", target).add(compare).add(what.keys.type).add(what.value_type()),
                      [&] { return MergeSort(compare, what.keys.type, what.value_type(), target); });
    sort_elements(built, what, &compare, target);
}

}  // namespace

void sort(const HostOutput& keys, const std::optional<HostOutput>& values, const Operator& compare,
          const Execution& execution) {
    sort_by(HostSort::in_place(keys, values), compare, execution);
}

void sort(const HostInput& keys, const HostOutput& sorted, const std::optional<HostInput>& values,
          const std::optional<HostOutput>& moved, const Operator& compare, const Execution& execution) {
    sort_by({keys, sorted, values, moved}, compare, execution);
}

}  // namespace cuprum::parallel
