// Each tile counts its elements of the first and of the second part, learns from the tiles before it where they go
// (decoupled look-back), and writes all three parts.
#include "cuprum/parallel/three_way_partition.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "call.hpp"
#include "compaction.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "host_execution.hpp"
#include "one_shot.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "partitioning in three";

// CUB's own kernel is in a header that NVRTC does not take before CCCL 3.1 (dispatch_three_way_partition.cuh): this one
// runs the same agent. As with CUB, positions are of 32 bits, and more elements than these can count take several
// launches, each of which learns from the one before where it goes on.
constexpr std::string_view kernel = R"(
struct position_t {
    long long offset;
    const unsigned long long* before;  // in the first part, in the second, in neither; null at the beginning
    unsigned long long* after;         // the same, or the result
    bool is_last;
    using total_num_items_t = unsigned long long;
    __device__ __forceinline__ long long input_offset() const { return offset; }
    __device__ __forceinline__ long long num_previously_selected_first() const { return at(0); }
    __device__ __forceinline__ long long num_previously_selected_second() const { return at(1); }
    __device__ __forceinline__ long long num_previously_rejected() const { return at(2); }
    __device__ __forceinline__ long long at(int i) const { return before == nullptr ? 0 : static_cast<long long>(before[i]); }
    template <class Count> __device__ __forceinline__ void update_num_selected(
        unsigned long long*, Count first, Count second, Count n) const {
        after[0] = at(0) + first;
        after[1] = at(1) + second;
        if (!is_last) after[2] = at(2) + (n - first - second);
    }
};
// The agent counts what the conditions return.
template <class Op> struct condition_t {
    Op op;
    __device__ __forceinline__ bool operator()(const value_t& element) { return static_cast<bool>(op(element)); }
};
#define CUPRUM_TYPES \
    policy_t, input_t, value_t*, value_t*, value_t*, condition_t<first_op_t>, condition_t<second_op_t>, int
#if CCCL_VERSION >= 3000000
using agent_t = cub::detail::three_way_partition::AgentThreeWayPartition<CUPRUM_TYPES, position_t>;
#else
// This agent knows nothing of other launches: it begins where they have ended, and what it counts is added. It assigns
// the two numbers one after the other, in one thread.
using agent_t = cub::AgentThreeWayPartition<CUPRUM_TYPES>;
struct counted_t {
    const position_t& position;
    int n;
    struct place_t {
        const position_t& position;
        int part, n;
        __device__ __forceinline__ void operator=(int count) const {
            position.after[part] = position.at(part) + count;
            if (position.is_last) return;
            position.after[2] = (part == 0 ? position.at(2) + n : static_cast<long long>(position.after[2])) - count;
        }
    };
    __device__ __forceinline__ place_t operator[](int part) const { return {position, part, n}; }
};
#endif
__global__ __launch_bounds__(policy_t::BLOCK_THREADS) void cuprum_three_way_partition(
    input_t in, value_t* first, value_t* second, value_t* rest, tiles_t tiles,
    condition_t<first_op_t> first_op, condition_t<second_op_t> second_op, int n, int tile_count,
    const position_t position) {
    __shared__ agent_t::TempStorage storage;
#if CCCL_VERSION >= 3000000
    agent_t(storage, in, first, second, rest, first_op, second_op, n, position)
        .ConsumeRange(tile_count, tiles, static_cast<unsigned long long*>(nullptr));
#else
    agent_t(storage, in + position.offset, first + position.at(0), second + position.at(1), rest + position.at(2),
            first_op, second_op, n)
        .ConsumeRange(tile_count, tiles, counted_t{position, n});
#endif
})";

BuildRequest make_request(const Iterator& input, const Operator& first, const Operator& second) {
    SourceBuilder source({"cub/agent/agent_three_way_partition.cuh", "cub/device/dispatch/kernels/scan.cuh",
                          "cub/device/dispatch/tuning/tuning_three_way_partition.cuh"});
    source.alias("value_t", source.type(input.value_type()));
    source.alias("input_t", source.iterator(input));
    source.alias("first_op_t", source.op(first, {input.value_type()}, Type(TypeKind::boolean), "first condition"));
    source.alias("second_op_t", source.op(second, {input.value_type()}, Type(TypeKind::boolean), "second condition"));
    source.line("namespace partition = cub::detail::three_way_partition;");
    source.alias("tiles_t", "cub::ScanTileState<partition::accumulator_pack_t<int>::pack_t>");
    source.alias("policy_t", "partition::policy_hub<value_t, int>::MaxPolicy::ActivePolicy::ThreeWayPartitionPolicy");
    source.line(tile_states_helper);
    source.line(kernel);
    BuildRequest request("three_way_partition", source);
    request.kernels = {CompactionProgram::init_kernel, "cuprum_three_way_partition"};
    request.constants = {{"threads", "policy_t::BLOCK_THREADS"}, {"items per thread", "policy_t::ITEMS_PER_THREAD"}};
    TileStateSizes::add_constants(request.constants);
    return request;
}

// As the kernel has it.
struct Position {
    uint64_t offset;
    core::DevicePointer before, after;
    uint8_t is_last;
};

// One for all counts.
struct Program {
    core::Kernel init, sweep;
    int64_t threads;
    uint64_t tile_items;
    TileStateSizes sizes;

    Program(const core::Device&, const CompiledProgram& compiled, Width)
        : init(compiled.kernel(0)),
          sweep(compiled.kernel(1)),
          threads(compiled.positive("threads")),
          tile_items(compiled.positive_size("threads") * compiled.positive_size("items per thread")),
          sizes(compiled) {}
};

// The temporary storage of one call: the states of one launch's tiles, and the counts after two launches in a row.
struct Plan {
    static constexpr uint64_t counts_bytes = 3 * sizeof(uint64_t);
    uint64_t launch_items, launches;
    StorageLayout storage;
    TileStates states;
    std::array<uint64_t, 2> counts;

    Plan(const Program& program, uint64_t count)
        : launch_items(narrow_limit / program.tile_items * program.tile_items),
          launches(ceil_divide(count, launch_items)),
          states(program.sizes, ceil_divide(std::min(count, launch_items), program.tile_items), storage),
          counts{storage.add(launches > 1 ? counts_bytes : 0), storage.add(launches > 1 ? counts_bytes : 0)} {}
};

void check_for_host(const Iterator& input, const Operator& first, const Operator& second) {
    using namespace host_execution;
    constexpr const char* algorithm = "three_way_partition";
    check_elements(algorithm, input);
    check_condition(algorithm, first, input.value_type());
    check_condition(algorithm, second, input.value_type());
}

// Input, outputs and each other.
void check_extents(const Extent& input, const std::array<Extent, 3>& outputs) {
    for (size_t i = 0; i < outputs.size(); ++i) {
        refuse_overlap(operation, input, outputs[i]);
        for (size_t other = 0; other < i; ++other)
            refuse_overlap(operation, outputs[other], outputs[i]);
    }
}

}  // namespace

struct ThreeWayPartition::State {
    Target target;
    Iterator input;
    Operator first, second;
    Type count_type{TypeKind::uint64};
    Programs<Program> programs;

    State(const Iterator& input_, const Operator& first_, const Operator& second_, const Execution& execution,
          const BuildOptions& options)
        : target(execution, options), input(input_), first(first_), second(second_), programs(target, [this](Width) {
              return make_request(input, first, second);
          }) {}

    const Program& program() const { return programs.for_count(0); }

    std::array<Extent, 3> outputs(const Output& first_out, const Output& second_out, const Output& unselected,
                                  uint64_t count) const {
        const Type& type = input.value_type();
        return {extent_of("first part", first_out, type, count), extent_of("second part", second_out, type, count),
                extent_of("unselected elements", unselected, type, count)};
    }

    void run_on_host(const HostCall& call, const Input& in, const Output& first_out, const Output& second_out,
                     const Output& unselected, const Output& selected_counts) const {
        using namespace host_execution;
        check_call(call, &first);
        check_second_op(call, second);
        const Type& type = input.value_type();
        const host::Source source = source_of(call, "input", input, in, call.count);
        void* const to_first = target_of(call, "first part", type, first_out, call.count);
        void* const to_second = target_of(call, "second part", type, second_out, call.count);
        void* const to_rest = target_of(call, "unselected elements", type, unselected, call.count);
        void* const selected = target_of(call, "numbers of selected elements", count_type, selected_counts, 2);
        check_extents(extent_of("input", source, call.count), outputs(first_out, second_out, unselected, call.count));
        std::array<uint64_t, 2> counts{};
        check(host_functions().three_way_partition(&source, call.count, number_of(first), number_of(second), to_first,
                                                   to_second, to_rest, counts.data()),
              call);
        std::memcpy(selected, counts.data(), sizeof(counts));
    }
};

ThreeWayPartition::ThreeWayPartition(const Iterator& input, const Operator& first_condition,
                                     const Operator& second_condition, const Execution& execution,
                                     const BuildOptions& options) {
    if (execution.is_host()) check_for_host(input, first_condition, second_condition);
    state_ = std::make_shared<const State>(input, first_condition, second_condition, execution, options);
}

uint64_t ThreeWayPartition::temp_storage_bytes(uint64_t count) const {
    if (count == 0 || state_->target.is_host()) return 0;
    check_count(operation, count, element_type().size());
    return Plan(state_->program(), count).storage.size();
}

void ThreeWayPartition::operator()(core::StreamRef stream, const Input& input, const Output& first,
                                   const Output& second, const Output& unselected, const Output& selected_counts,
                                   uint64_t count, const CallOptions& options) const {
    const State& state = *state_;
    if (state.target.is_host()) {
        state.run_on_host({operation, stream, options, count}, input, first, second, unselected, selected_counts);
        return;
    }
    const Call call{operation, state.target.device(), stream, count};
    const Type& type = state.input.value_type();
    check_stream(call);
    check_input(call, "input", state.input, input);
    check_output(call, "first part", type, first, count);
    check_output(call, "second part", type, second, count);
    check_output(call, "unselected elements", type, unselected, count);
    check_output(call, "numbers of selected elements", state.count_type, selected_counts, 2);
    check_extents(extent_of("input", input, type, count), state.outputs(first, second, unselected, count));
    if (count == 0) {
        core::BufferRef::from_handle(selected_counts.address(), 2 * sizeof(uint64_t), call.device.device_id())
            .fill(0, 4, stream);
        return;
    }
    const Program& program = state.program();
    const Plan plan(program, count);
    const Workspace workspace(call, plan.storage.size(), options);
    const TileStates::Parameter tiles = plan.states.parameter(workspace);
    const Raw first_op{operator_state(call, state.first, options),
                       state.first.state() ? state.first.state()->size() : 1};
    const Raw second_op{operator_state(call, state.second, options.second_op),
                        state.second.state() ? state.second.state()->size() : 1};
    for (uint64_t i = 0; i < plan.launches; ++i) {
        const uint64_t begin = i * plan.launch_items;
        const uint64_t items = std::min(count - begin, plan.launch_items);
        const auto tile_count = static_cast<int32_t>(ceil_divide(items, program.tile_items));
        const bool is_last = i + 1 == plan.launches;
        const Position position{begin, i == 0 ? 0 : workspace[plan.counts[(i + 1) % 2]],
                                is_last ? selected_counts.address() : workspace[plan.counts[i % 2]],
                                is_last ? uint8_t{1} : uint8_t{0}};
        launch_kernel(stream, ceil_divide(tile_count, tile_states_init_threads), tile_states_init_threads, program.init,
                      tiles.bytes(), tile_count, selected_counts.address());
        launch_kernel(stream, static_cast<uint64_t>(tile_count), program.threads, program.sweep,
                      Raw{input.state(), state.input.state().size()}, first.address(), second.address(),
                      unselected.address(), tiles.bytes(), first_op, second_op, static_cast<int32_t>(items), tile_count,
                      position);
    }
}

const Type& ThreeWayPartition::element_type() const {
    return state_->input.value_type();
}

std::string ThreeWayPartition::save() const {
    return state_->programs.save();
}

std::pair<uint64_t, uint64_t> three_way_partition(const HostOutput& data, const Operator& first_condition,
                                                  const Operator& second_condition, const Execution& execution) {
    const Execution target = runnable(operation, execution);
    const ThreeWayPartition built = kept_or_built(
        CallKey("three_way_partition", target).add(data.type).add(first_condition).add(second_condition),
        [&] { return ThreeWayPartition(Iterator::pointer(data.type), first_condition, second_condition, target); });
    const uint64_t element = data.type.size();
    auto* const elements = static_cast<std::byte*>(data.data);
    std::array<uint64_t, 2> counts{};
    if (target.is_host()) {
        require_memory(operation, data);
        const std::vector<std::byte> read(elements, elements + data.count * element);
        std::vector<std::byte> second(read.size()), rest(read.size());
        built({}, Input(read.data()), in_place(data), Output(second.data()), Output(rest.data()), Output(counts.data()),
              data.count);
        const uint64_t first_bytes = counts[0] * element, second_bytes = counts[1] * element;
        std::copy_n(second.data(), second_bytes, elements + first_bytes);
        std::copy_n(rest.data(), read.size() - first_bytes - second_bytes, elements + first_bytes + second_bytes);
        return {counts[0], counts[1]};
    }
    Job job(target.device_id());
    const core::BufferRef read = job.upload(data.type, data.data, data.count);
    const std::array parts{job.memory_for(data.type, data.count), job.memory_for(data.type, data.count),
                           job.memory_for(data.type, data.count)};
    const core::BufferRef counted = job.memory_for(Type(TypeKind::uint64), counts.size());
    CallOptions options = job.options(built.temp_storage_bytes(data.count), &first_condition);
    if (second_condition.state()) options.second_op = &second_condition;
    built(job.stream(), read, parts[0], parts[1], parts[2], counted, data.count, options);
    job.download(counted, counts.data());
    job.wait();
    const std::array sizes{counts[0], counts[1], data.count - counts[0] - counts[1]};
    uint64_t begin = 0;
    for (size_t i = 0; i < parts.size(); ++i) {
        if (sizes[i] > 0) job.download(parts[i].slice(0, sizes[i] * element), elements + begin * element);
        begin += sizes[i];
    }
    job.wait();
    return {counts[0], counts[1]};
}

}  // namespace cuprum::parallel
