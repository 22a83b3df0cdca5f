// Three launches, at the same time from compute capability 9.0 on: a few threads sort each short segment, a block
// merges each that it has room for, and blocks sort the longer ones; where segments are few, the launches for which
// most of them are too long are left out. CUB sorts the segments by their length first, and waits for the result on the
// host; a call here waits for nothing and can be captured in a graph. Threads and elements for short and long segments
// are those of CUB's tuning (cub/device/dispatch/tuning/tuning_segmented_sort.cuh, whose headers NVRTC does not take).
// CUB sorts up to 5,888 keys at once by radix; up to 2,176 are merged here, segments of 1,024 in a sixth of the time
// (benchmarks/results/h200-parallel.md).
#include "cuprum/parallel/segmented_sort.hpp"

#include <algorithm>

#include "call.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "host_execution.hpp"
#include "kernel_overlap.hpp"
#include "key_bits.hpp"
#include "over_arrays.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "sorting segments";
constexpr uint64_t max_value_bytes = 256;  // those of a block's threads fit into its shared memory

constexpr std::string_view policy = R"(
constexpr bool has_values = !::cuda::std::is_same_v<value_t, cub::NullType>;
using item_t = ::cuda::std::conditional_t<has_values, value_t, key_t>;
constexpr int item_size = sizeof(item_t) > sizeof(key_t) ? sizeof(item_t) : sizeof(key_t);
constexpr bool is_large = item_size > 4;
// So many elements of 4 bytes, or as many larger ones as take the same room.
constexpr int scaled(int items) {
    const int scaled = items * 4 / item_size;
    return scaled < 1 ? 1 : scaled > items ? items : scaled;
}
// A power of two: else some thread of CUB's scan over the digits' counts adds to them what threads without a digit have
// left unwritten, and takes it away again.
constexpr int most_threads(int items) {
    int threads = 256;
    while (threads * items * item_size > 40960) threads /= 2;
    return threads;
}
#if CUB_PTX_ARCH >= 860
constexpr int small_threads = is_large ? 8 : 2;
constexpr int small_items = scaled(is_large ? 7 : 9);
constexpr int medium_threads = 16;
constexpr int medium_items = scaled(is_large ? 9 : 7);
#elif CUB_PTX_ARCH >= 800
constexpr int small_threads = has_values ? 2 : 4;
constexpr int small_items = scaled(9);
constexpr int medium_threads = 32;
constexpr int medium_items = scaled(has_values ? 11 : 7);
#else
constexpr int small_threads = has_values ? 8 : 4;
constexpr int small_items = scaled(7);
constexpr int medium_threads = 32;
constexpr int medium_items = scaled(has_values ? 7 : 11);
#endif
constexpr int small_most = small_threads * small_items;
constexpr int medium_most = medium_threads * medium_items;
// Of the medium size, or as many small ones as its threads can sort.
constexpr int segments_per_group = medium_threads / small_threads;
struct large_t {
#if CUB_PTX_ARCH >= 800
    static constexpr int ITEMS_PER_THREAD = scaled(23);
    static constexpr cub::BlockLoadAlgorithm LOAD_ALGORITHM = cub::BLOCK_LOAD_TRANSPOSE;
#else
    static constexpr int ITEMS_PER_THREAD = scaled(19);
    static constexpr cub::BlockLoadAlgorithm LOAD_ALGORITHM = cub::BLOCK_LOAD_DIRECT;
#endif
    static constexpr int BLOCK_THREADS = most_threads(ITEMS_PER_THREAD);
    static constexpr int RADIX_BITS = sizeof(key_t) > 1 ? 6 : 4;
    static constexpr cub::CacheLoadModifier LOAD_MODIFIER = cub::LOAD_DEFAULT;
    static constexpr cub::RadixRankAlgorithm RANK_ALGORITHM = cub::RADIX_RANK_MEMOIZE;
    static constexpr cub::BlockScanAlgorithm SCAN_ALGORITHM = cub::BLOCK_SCAN_WARP_SCANS;
};
constexpr int large_items = large_t::BLOCK_THREADS * large_t::ITEMS_PER_THREAD;
// An odd number of elements a thread: with an even one threads meet in the banks of shared memory.
constexpr int middle_threads = 128;
constexpr int fitting(int items) {
    const int fit = 40960 / (middle_threads * item_size);
    return fit >= items ? items : fit % 2 == 1 ? fit : fit > 1 ? fit - 1 : 1;
}
constexpr int middle_most = middle_threads * fitting(17);
)";

// The order of the keys' bits. cub::WarpMergeSort compares; with < it would have no place for NaNs.
constexpr std::string_view order = R"(
__device__ __forceinline__ bits_t place_of(const key_t& key) {
    bits_t bits;
    memcpy(&bits, &key, sizeof(bits));
    constexpr bits_t sign = static_cast<bits_t>(bits_t{1} << (8 * sizeof(bits_t) - 1));
    if (is_float && bits == sign) bits = 0;  // -0
    const bool flips_all = is_float && (bits & sign) != 0;
    return static_cast<bits_t>(flips_all ? ~bits : is_signed ? bits ^ sign : bits);
}
struct comes_before_t {
    __device__ __forceinline__ bool operator()(const key_t& a, const key_t& b) const {
        return is_descending ? place_of(b) < place_of(a) : place_of(a) < place_of(b);
    }
};
// The key that comes last of all.
__device__ __forceinline__ key_t last_key() {
    constexpr bits_t sign = static_cast<bits_t>(bits_t{1} << (8 * sizeof(bits_t) - 1));
    constexpr bits_t ones = static_cast<bits_t>(~bits_t{0});
    constexpr bits_t largest = is_bool ? bits_t{1} : is_signed ? static_cast<bits_t>(ones ^ sign) : ones;
    constexpr bits_t smallest = is_float ? ones : is_signed ? sign : bits_t{0};
    const bits_t bits = is_descending ? smallest : largest;
    key_t key;
    memcpy(&key, &bits, sizeof(bits));
    return key;
}
)";

constexpr std::string_view kernels = R"(
template <int Threads> __device__ __forceinline__ unsigned mask_of() {
    return (0xffffffffu >> (32 - Threads)) << (threadIdx.x % 32 / Threads * Threads);
}
// Who sorts: some lanes of a warp, or a block.
template <int Items_, int Threads> struct lanes_t {
    static constexpr int items = Items_;
    template <class T> using load_t = cub::WarpLoad<T, items, cub::WARP_LOAD_TRANSPOSE, Threads>;
    template <class T> using store_t = cub::WarpStore<T, items, cub::WARP_STORE_TRANSPOSE, Threads>;
    using sort_t = cub::WarpMergeSort<key_t, items, Threads, value_t>;
    unsigned mask = mask_of<Threads>();
    __device__ __forceinline__ void sync() const { __syncwarp(mask); }
};
template <int Items_, int Threads> struct block_t {
    static constexpr int items = Items_;
    template <class T> using load_t = cub::BlockLoad<T, Threads, items, cub::BLOCK_LOAD_TRANSPOSE>;
    template <class T> using store_t = cub::BlockStore<T, Threads, items, cub::BLOCK_STORE_TRANSPOSE>;
    using sort_t = cub::BlockMergeSort<key_t, Threads, items, value_t>;
    __device__ __forceinline__ void sync() const { __syncthreads(); }
};
template <class Who> struct segment_sort {
    using keys_in_t = typename Who::template load_t<key_t>;
    using items_in_t = typename Who::template load_t<item_t>;
    using keys_out_t = typename Who::template store_t<key_t>;
    using items_out_t = typename Who::template store_t<item_t>;
    using sort_t = typename Who::sort_t;
    union storage_t {
        typename keys_in_t::TempStorage keys_in;
        typename items_in_t::TempStorage items_in;
        typename keys_out_t::TempStorage keys_out;
        typename items_out_t::TempStorage items_out;
        typename sort_t::TempStorage sort;
    };
    static __device__ __forceinline__ void run(
        storage_t& storage, int n, const key_t* in, key_t* out, const value_t* values_in, value_t* values_out) {
        const Who who;
        key_t keys[Who::items];
        keys_in_t(storage.keys_in).Load(in, keys, n, last_key());
        who.sync();
        if constexpr (has_values) {
            value_t values[Who::items];
            items_in_t(storage.items_in).Load(values_in, values, n);
            who.sync();
            sort_t(storage.sort).StableSort(keys, values, comes_before_t{}, n, last_key());
            who.sync();
            items_out_t(storage.items_out).Store(values_out, values, n);
        } else {
            sort_t(storage.sort).StableSort(keys, comes_before_t{}, n, last_key());
        }
        who.sync();
        keys_out_t(storage.keys_out).Store(out, keys, n);
    }
};
using small_t = segment_sort<lanes_t<small_items, small_threads>>;
using medium_t = segment_sort<lanes_t<medium_items, medium_threads>>;
template <int Items> using middle_t = segment_sort<block_t<Items, middle_threads>>;
union group_storage_t {
    small_t::storage_t small[segments_per_group];
    medium_t::storage_t medium;
};
// As many whole warps as fit into 48 KiB, at most 256 threads.
constexpr int groups_of_warp = 32 / medium_threads;
constexpr int fitting_groups = 49152 / sizeof(group_storage_t), most_groups = 256 / medium_threads;
constexpr int groups = (fitting_groups < most_groups ? fitting_groups : most_groups) / groups_of_warp * groups_of_warp;
constexpr int threads = groups * medium_threads;
// The three kernels write different segments, so that none waits for the one before it until its end: what comes after
// the last one comes after all of them.
__global__ __launch_bounds__(threads) void cuprum_sort_short_segments(
    const key_t* keys_in, key_t* keys_out, const value_t* values_in, value_t* values_out, const offset_t* begins,
    const offset_t* ends, unsigned long long segments) {
    __shared__ group_storage_t storage[groups];
    const int group = threadIdx.x / medium_threads;
    const unsigned long long first = (static_cast<unsigned long long>(blockIdx.x) * groups + group) * segments_per_group;
    const int own = threadIdx.x % medium_threads / small_threads;
    if (first + own < segments) {
        const offset_t begin = begins[first + own];
        const offset_t n = ends[first + own] - begin;
        if (n > 0 && n <= small_most) {
            small_t::run(storage[group].small[own], static_cast<int>(n), keys_in + begin, keys_out + begin,
                         values_in + begin, values_out + begin);
            __syncwarp(mask_of<small_threads>());
        }
    }
    __syncwarp(mask_of<medium_threads>());
    for (int i = 0; i < segments_per_group && first + i < segments; ++i) {
        const offset_t begin = begins[first + i];
        const offset_t n = ends[first + i] - begin;
        if (n > small_most && n <= medium_most) {
            medium_t::run(storage[group].medium, static_cast<int>(n), keys_in + begin, keys_out + begin,
                          values_in + begin, values_out + begin);
            __syncwarp(mask_of<medium_threads>());
        }
    }
    wait_for_the_kernel_before();
}
__global__ __launch_bounds__(middle_threads) void cuprum_sort_middle_segments(
    const key_t* keys_in, key_t* keys_out, const value_t* values_in, value_t* values_out, const offset_t* begins,
    const offset_t* ends, unsigned long long segments, unsigned long long segments_per_block, int most_skipped,
    int is_last) {
    constexpr int few = fitting(5), some = fitting(9), many = fitting(17);
    __shared__ union {
        middle_t<few>::storage_t few;
        middle_t<some>::storage_t some;
        middle_t<many>::storage_t many;
    } storage;
    if (!is_last) let_the_next_kernel_begin();
    const unsigned long long first = blockIdx.x * segments_per_block;
    for (unsigned long long i = first; i < segments && i < first + segments_per_block; ++i) {
        const offset_t begin = begins[i];
        const offset_t n = ends[i] - begin;
        if (n <= most_skipped || n > middle_most) continue;
        __syncthreads();
        const auto run = [&](auto sort, auto& memory) {
            sort.run(memory, static_cast<int>(n), keys_in + begin, keys_out + begin, values_in + begin, values_out + begin);
        };
        if (n <= few * middle_threads) run(middle_t<few>{}, storage.few);
        else if (n <= some * middle_threads) run(middle_t<some>{}, storage.some);
        else run(middle_t<many>{}, storage.many);
    }
    wait_for_the_kernel_before();
}
__global__ __launch_bounds__(large_t::BLOCK_THREADS) void cuprum_sort_long_segments(
    const key_t* keys_in, key_t* keys_out, key_t* keys_between, const value_t* values_in, value_t* values_out,
    value_t* values_between, const offset_t* begins, const offset_t* ends, unsigned long long segments,
    unsigned long long segments_per_block, int most_skipped, int is_last) {
    if (!is_last) let_the_next_kernel_begin();
    using agent_t = cub::detail::radix_sort::AgentSegmentedRadixSort<is_descending, large_t, key_t, value_t, offset_t>;
    __shared__ typename agent_t::TempStorage storage;
    constexpr int bits = 8 * sizeof(key_t);
    constexpr int passes = (bits + large_t::RADIX_BITS - 1) / large_t::RADIX_BITS;
    const unsigned long long first = blockIdx.x * segments_per_block;
    for (unsigned long long i = first; i < segments && i < first + segments_per_block; ++i) {
        const offset_t begin = begins[i];
        const offset_t n = ends[i] - begin;
        if (n <= most_skipped) continue;
        __syncthreads();
        agent_t agent(n, storage);
        if (n <= large_items) {
            agent.ProcessSinglePass(0, bits, keys_in + begin, values_in + begin, keys_out + begin, values_out + begin);
            continue;
        }
        // The first pass leaves the input; the last one ends in the output.
        const key_t* from = keys_in + begin;
        const value_t* values_from = values_in + begin;
#pragma unroll 1
        for (int pass = 0; pass < passes; ++pass) {
            const bool is_to_output = (passes - 1 - pass) % 2 == 0;
            key_t* const to = (is_to_output ? keys_out : keys_between) + begin;
            value_t* const values_to = (is_to_output ? values_out : values_between) + begin;
            const int bit = pass * large_t::RADIX_BITS;
            if (pass > 0) __syncthreads();
            agent.ProcessIterative(bit, bits - bit < large_t::RADIX_BITS ? bits - bit : large_t::RADIX_BITS, from,
                                   values_from, to, values_to);
            from = to;
            values_from = values_to;
        }
    }
})";

BuildRequest make_request(SortOrder direction, const Type& keys, const std::optional<Type>& values,
                          const Type& offsets) {
    SourceBuilder source({"cub/agent/agent_segmented_radix_sort.cuh", "cub/block/block_load.cuh",
                          "cub/block/block_merge_sort.cuh", "cub/block/block_store.cuh", "cub/warp/warp_load.cuh",
                          "cub/warp/warp_merge_sort.cuh", "cub/warp/warp_store.cuh"});
    source.alias("key_t", source.type(keys));
    source.alias("value_t", values ? source.type(*values) : "cub::NullType");
    source.alias("offset_t", source.type(offsets));
    const TypeKind kind = keys.kind();
    source.alias("bits_t", bits_of(keys.size()));
    add_flag(source, "is_descending", direction == SortOrder::descending);
    add_flag(source, "is_float", is_float_kind(kind));
    add_flag(source, "is_signed", is_float_kind(kind) || is_signed_kind(kind));
    add_flag(source, "is_bool", kind == TypeKind::boolean);
    source.line(policy);
    source.line(order);
    source.line(kernel_overlap);
    source.line(kernels);
    BuildRequest request("segmented_sort", source);
    request.kernels = {"cuprum_sort_short_segments", "cuprum_sort_middle_segments", "cuprum_sort_long_segments"};
    request.constants = {{"short threads", "threads"},   {"short segments per block", "groups * segments_per_group"},
                         {"short most", "medium_most"},  {"middle threads", "middle_threads"},
                         {"middle most", "middle_most"}, {"long threads", "large_t::BLOCK_THREADS"},
                         {"long items", "large_items"}};
    return request;
}

// One for all counts: positions are of the offsets' type.
struct Program {
    core::Kernel short_segments, middle_segments, long_segments;
    int64_t short_threads, middle_threads, long_threads;
    uint64_t short_per_block, short_most, middle_most, long_items;
    bool overlaps;

    Program(const core::Device& device, const CompiledProgram& compiled, Width)
        : short_segments(compiled.kernel(0)),
          middle_segments(compiled.kernel(1)),
          long_segments(compiled.kernel(2)),
          short_threads(compiled.positive("short threads")),
          middle_threads(compiled.positive("middle threads")),
          long_threads(compiled.positive("long threads")),
          short_per_block(compiled.positive_size("short segments per block")),
          short_most(compiled.positive_size("short most")),
          middle_most(compiled.positive_size("middle most")),
          long_items(compiled.positive_size("long items")),
          overlaps(overlaps_kernels(device)) {}
};

// The temporary storage of one call: where the keys and values are between two passes over a segment that does not fit
// into a block's shared memory.
struct Plan {
    StorageLayout storage;
    uint64_t keys, values;

    Plan(const Program& program, uint64_t count, uint64_t key_size, uint64_t value_size)
        : keys(storage.add(count > program.long_items ? count * key_size : 0)),
          values(storage.add(count > program.long_items ? count * value_size : 0)) {}
};

}  // namespace

struct SegmentedSort::State {
    Target target;
    SortOrder order;
    Type keys;
    std::optional<Type> values;
    Type offsets;
    Iterator key_input, offset_input;
    std::optional<Iterator> value_input;
    Programs<Program> programs;

    State(SortOrder order_, const Type& keys_, const std::optional<Type>& values_, const Type& offsets_,
          const Execution& execution, const BuildOptions& options)
        : target(execution, options),
          order(order_),
          keys(keys_),
          values(values_),
          offsets(offsets_),
          key_input(Iterator::pointer(keys)),
          offset_input(Iterator::pointer(offsets)),
          value_input(values ? std::optional(Iterator::pointer(*values)) : std::nullopt),
          programs(target, [this](Width) { return make_request(order, keys, values, offsets); }) {}

    const Program& program() const { return programs.for_count(0); }
    uint64_t value_size() const { return values ? values->size() : 0; }

    void run(const core::StreamRef& stream, const Input& keys_in, const Output& keys_out, const Input* values_in,
             const Output* values_out, uint64_t count, uint64_t segments, const Input& begins, const Input& ends,
             const CallOptions& options) const;
    void run_on_host(const HostCall& call, const Input& keys_in, const Output& keys_out, const Input* values_in,
                     const Output* values_out, uint64_t segments, const Input& begins, const Input& ends) const;
};

SegmentedSort::SegmentedSort(SortOrder order, const Type& keys, const std::optional<Type>& values, const Type& offsets,
                             const Execution& execution, const BuildOptions& options) {
    constexpr const char* building = "building segmented_sort";
    if (keys.is_structure() || keys.is_complex()) {
        throw InvalidArgument(building, "keys of type " + keys.name(),
                              "only numbers and bool have an order of their bits");
    }
    if (offsets.kind() != TypeKind::int32 && offsets.kind() != TypeKind::int64) {
        throw InvalidArgument(building, "offsets of type " + offsets.name(), "expected int32 or int64");
    }
    if (values && values->size() > max_value_bytes) {
        throw InvalidArgument(building, "values of type " + values->name(),
                              "they have " + std::to_string(values->size()) + " bytes, expected at most " +
                                  std::to_string(max_value_bytes),
                              "sort their positions, and read the values through them");
    }
    state_ = std::make_shared<const State>(order, keys, values, offsets, execution, options);
    if (state_->target.is_host()) host_execution::check_available();
}

uint64_t SegmentedSort::temp_storage_bytes(uint64_t count) const {
    const State& state = *state_;
    if (state.target.is_host()) return 0;
    check_count(operation, count, std::max(state.keys.size(), state.value_size()));
    return Plan(state.program(), count, state.keys.size(), state.value_size()).storage.size();
}

void SegmentedSort::operator()(core::StreamRef stream, const Input& keys_in, const Output& keys_out, uint64_t count,
                               uint64_t segments, const Input& begins, const Input& ends,
                               const CallOptions& options) const {
    if (state_->values) {
        throw InvalidArgument(operation, "values", "none are given, but this sort was built for keys and values");
    }
    state_->run(stream, keys_in, keys_out, nullptr, nullptr, count, segments, begins, ends, options);
}

void SegmentedSort::operator()(core::StreamRef stream, const Input& keys_in, const Output& keys_out,
                               const Input& values_in, const Output& values_out, uint64_t count, uint64_t segments,
                               const Input& begins, const Input& ends, const CallOptions& options) const {
    if (!state_->values) {
        throw InvalidArgument(operation, "values", "they are given, but this sort was built for keys alone");
    }
    state_->run(stream, keys_in, keys_out, &values_in, &values_out, count, segments, begins, ends, options);
}

void SegmentedSort::State::run_on_host(const HostCall& call, const Input& keys_in, const Output& keys_out,
                                       const Input* values_in, const Output* values_out, uint64_t segments,
                                       const Input& begins, const Input& ends) const {
    using namespace host_execution;
    check_call(call, call.options.op);
    check_memory(call, memory_of("input keys", keys_in), keys, call.count);
    check_memory(call, memory_of("output keys", keys_out), keys, call.count);
    refuse_partial_overlap(operation, extent_of("input keys", keys_in, keys, call.count),
                           extent_of("output keys", keys_out, keys, call.count));
    if (values) {
        check_memory(call, memory_of("input values", *values_in), *values, call.count);
        check_memory(call, memory_of("output values", *values_out), *values, call.count);
        refuse_partial_overlap(operation, extent_of("input values", *values_in, *values, call.count),
                               extent_of("output values", *values_out, *values, call.count));
    }
    check_memory(call, memory_of("segments' starts", begins), offsets, segments);
    check_memory(call, memory_of("segments' ends", ends), offsets, segments);
    const auto in = [](const Input& input) { return reinterpret_cast<const void*>(input.address()); };
    const auto out = [](const Output& output) { return reinterpret_cast<void*>(output.address()); };
    check(host_functions().segmented_sort(number_of(keys), order == SortOrder::descending ? 1 : 0, in(keys_in),
                                          out(keys_out), value_size(), values ? in(*values_in) : nullptr,
                                          values ? out(*values_out) : nullptr, segments, in(begins), in(ends),
                                          offsets.size()),
          call);
}

void SegmentedSort::State::run(const core::StreamRef& stream, const Input& keys_in, const Output& keys_out,
                               const Input* values_in, const Output* values_out, uint64_t count, uint64_t segments,
                               const Input& begins, const Input& ends, const CallOptions& options) const {
    if (target.is_host()) {
        run_on_host({operation, stream, options, count}, keys_in, keys_out, values_in, values_out, segments, begins,
                    ends);
        return;
    }
    const Call call{operation, target.device(), stream, count};
    check_stream(call);
    check_input(call, "input keys", key_input, keys_in);
    check_output(call, "output keys", keys, keys_out, count);
    refuse_overlap(operation, extent_of("input keys", keys_in, keys, count),
                   extent_of("output keys", keys_out, keys, count));
    if (values) {
        check_input(call, "input values", *value_input, *values_in);
        check_output(call, "output values", *values, *values_out, count);
        refuse_overlap(operation, extent_of("input values", *values_in, *values, count),
                       extent_of("output values", *values_out, *values, count));
    }
    const Call segments_call{operation, target.device(), stream, segments};
    check_input(segments_call, "segments' starts", offset_input, begins);
    check_input(segments_call, "segments' ends", offset_input, ends);
    if (count == 0 || segments == 0) return;
    const Program& program = this->program();
    const Plan plan(program, count, keys.size(), value_size());
    const Workspace workspace(call, plan.storage.size(), options);
    const core::DevicePointer values_from = values ? values_in->address() : 0;
    const core::DevicePointer values_to = values ? values_out->address() : 0;
    // CUB's own number. Then the launches for shorter ones would take longer than blocks take with them.
    constexpr uint64_t few = 500;
    const uint64_t average = count / segments;
    const bool has_short = segments > few || average <= program.short_most;
    const bool has_middle = segments > few || average <= program.middle_most;
    const uint64_t least_for_middle = has_short ? program.short_most : 0;
    const uint64_t least_for_long = has_middle ? std::max(program.middle_most, least_for_middle) : least_for_middle;
    // Of very many segments most are short: blocks that look at several of them in vain cost less than as many blocks.
    constexpr uint64_t most_blocks = uint64_t{1} << 16;
    const uint64_t per_block = ceil_divide(segments, most_blocks);
    const uint64_t blocks = ceil_divide(segments, per_block);
    launch_kernel(stream, blocks, program.long_threads, program.long_segments, keys_in.address(), keys_out.address(),
                  workspace[plan.keys], values_from, values_to, workspace[plan.values], begins.address(),
                  ends.address(), segments, per_block, static_cast<int32_t>(least_for_long),
                  int32_t{!has_middle && !has_short});
    if (has_middle) {
        launch_kernel(stream, overlapping(blocks, program.middle_threads, program.overlaps), program.middle_segments,
                      keys_in.address(), keys_out.address(), values_from, values_to, begins.address(), ends.address(),
                      segments, per_block, static_cast<int32_t>(least_for_middle), int32_t{!has_short});
    }
    if (has_short) {
        launch_kernel(
            stream,
            overlapping(ceil_divide(segments, program.short_per_block), program.short_threads, program.overlaps),
            program.short_segments, keys_in.address(), keys_out.address(), values_from, values_to, begins.address(),
            ends.address(), segments);
    }
}

const Type& SegmentedSort::key_type() const {
    return state_->keys;
}

const std::optional<Type>& SegmentedSort::value_type() const {
    return state_->values;
}

std::string SegmentedSort::save() const {
    return state_->programs.save();
}

void segmented_sort(SortOrder order, const HostOutput& keys, const std::optional<HostOutput>& values,
                    const HostInput& begins, const HostInput& ends, const Execution& execution) {
    const Execution target = runnable(operation, execution);
    const uint64_t segments = require_segments(operation, begins, ends, keys.count);
    const std::optional<Type> value_type = values ? std::optional(values->type) : std::nullopt;
    ReadAndWritten arrays{.read = {begins, ends, {keys.type, keys.data, keys.count}},
                          .written = {keys},
                          .in_place = {2, 3},
                          .keeps_rest = true};
    if (values) {
        require_same_count(operation, keys.count, values->count);
        arrays.read.push_back({values->type, values->data, values->count});
        arrays.written.push_back(*values);
    }
    const SegmentedSort built =
        kept_or_built(CallKey("segmented_sort", target)
                          .add(static_cast<int32_t>(order))
                          .add(keys.type)
                          .add(value_type)
                          .add(begins.type),
                      [&] { return SegmentedSort(order, keys.type, value_type, begins.type, target); });
    run_over_arrays(operation, arrays, built.temp_storage_bytes(keys.count), nullptr, target,
                    [&](const core::StreamRef& stream, const std::vector<Input>& in, const std::vector<Output>& out,
                        const CallOptions& options) {
                        if (values) {
                            built(stream, in[2], out[0], in[3], out[1], keys.count, segments, in[0], in[1], options);
                        } else {
                            built(stream, in[2], out[0], keys.count, segments, in[0], in[1], options);
                        }
                    });
}

}  // namespace cuprum::parallel
