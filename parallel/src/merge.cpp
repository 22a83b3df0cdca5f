// Each block finds which elements of the two sequences its part of the result has (merge path), loads their keys into
// shared memory, and merges them there, a few for each thread. Values go the way that their keys went.
#include "merge.hpp"

#include <array>

#include "cuprum/pathfinder/error.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "merging";
constexpr uint64_t most_key_bytes = 512;  // a tile of keys is in shared memory
// So many searches keep memory busy, and fewer reads are then better than fewer waits.
constexpr uint64_t blocks_that_fill_memory = 16384;

// CUB's own kernels are in a header that NVRTC does not take (dispatch_merge.cuh). An odd number of keys for each
// thread spreads them over the banks of shared memory.
//
// Where more blocks are needed than run at once, each would wait for its own search in memory. So a kernel before finds
// the bounds of all of them, and leaves them where the block's part of the result will be, which needs no memory.
constexpr std::string_view kernels = R"(
constexpr int widest =
    has_values && sizeof(value_t) > sizeof(key_t) && sizeof(value_t) <= 16 ? sizeof(value_t) : sizeof(key_t);
// Small blocks, of which four are there at once; more for each thread where there are no values.
constexpr int threads = widest > 128 ? 64 : 256;
constexpr int items = widest >= 32 ? 1 : has_values ? (widest >= 16 ? 3 : widest >= 8 ? 7 : 15)
                                                    : (widest >= 16 ? 5 : widest >= 8 ? 11 : 25);
constexpr int least_blocks = widest > 16 ? 1 : 4;
constexpr int tile_items = threads * items;
// Through shared memory, where it has room for those of a block: values are then read and written in their order.
constexpr bool stages_values = has_values && sizeof(value_t) * tile_items <= 47 * 1024;
constexpr int item_bytes = stages_values && sizeof(value_t) > sizeof(key_t) ? sizeof(value_t) : sizeof(key_t);
// Which elements of the first sequence a block has; the others are of the second.
struct bounds_t { offset_t begin, end; };
__device__ __forceinline__ int count_of(offset_t begin, offset_t all) {
    return static_cast<int>(all - begin < tile_items ? all - begin : tile_items);
}
__device__ __forceinline__ bool has_room_for_bounds(int count) { return count * sizeof(key_t) >= sizeof(bounds_t); }
// How many of the first `diagonal` elements of the result are of the first sequence. By one thread.
template <class First, class Second>
__device__ __forceinline__ int merge_path(const First& first, int first_count, const Second& second, int second_count,
                                          int diagonal, op_t& op) {
    int low = diagonal > second_count ? diagonal - second_count : 0;
    int high = diagonal < first_count ? diagonal : first_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (op(second[diagonal - 1 - middle], first[middle])) high = middle;
        else low = middle + 1;
    }
    return low;
}
// The same by neighbouring lanes of a warp, which look at as many places at once: they wait less often for memory, and
// read more of it.
__device__ __forceinline__ offset_t merge_path_by_lanes(int lanes, const first_keys_t& first, offset_t first_count,
                                                        const second_keys_t& second, offset_t second_count,
                                                        offset_t diagonal, op_t& op) {
    const offset_t lane = threadIdx.x % lanes;
    const int lowest = threadIdx.x % 32 / lanes * lanes;
    const unsigned mask = 0xffffffffU >> (32 - lanes) << lowest;
    offset_t low = diagonal > second_count ? diagonal - second_count : 0;
    offset_t high = diagonal < first_count ? diagonal : first_count;
    while (low < high) {
        const offset_t step = high - low <= lanes ? 1 : (high - low) / (lanes + 1);
        const offset_t place = low + (lane + 1) * step - 1;
        const bool is_beyond = place >= high || op(second[diagonal - 1 - place], first[place]);
        // The lanes' answers are no, no, ..., yes, yes.
        const offset_t before = __popc(__ballot_sync(mask, !is_beyond) & mask);
        if (before < lanes) {
            const offset_t beyond = low + (before + 1) * step - 1;
            if (beyond < high) high = beyond;
        }
        low += before * step;
    }
    return low;
}
// Some lanes for each block of the next kernel: 1, 2, 4 ... 32.
__global__ __launch_bounds__(threads) void cuprum_merge_bounds(first_keys_t first_keys, offset_t first_count,
                                                               second_keys_t second_keys, offset_t second_count,
                                                               op_t op, key_t* keys_out, int lanes) {
    const offset_t all = first_count + second_count;
    const offset_t block = (static_cast<offset_t>(blockIdx.x) * threads + threadIdx.x) / lanes;
    if (block > (all - 1) / tile_items) return;
    const offset_t begin = block * tile_items;
    const offset_t bound = merge_path_by_lanes(lanes, first_keys, first_count, second_keys, second_count, begin, op);
    if (threadIdx.x % lanes != 0) return;
    // The end of a block is the begin of the next. Keys may be aligned to less than offsets are.
    const auto end_of = [&](offset_t begin) { return reinterpret_cast<char*>(keys_out + begin) + sizeof(offset_t); };
    if (const int count = count_of(begin, all); has_room_for_bounds(count)) {
        memcpy(keys_out + begin, &bound, sizeof bound);
        if (begin + count == all) memcpy(end_of(begin), &first_count, sizeof first_count);
    }
    if (block > 0) memcpy(end_of(begin - tile_items), &bound, sizeof bound);
}
// A block's part of the result: `count` elements, which are tile_items where it is full, from `begin` on, `of_first` of
// them of the first sequence from `first_begin` on.
template <bool is_full> __device__ __forceinline__ void merge_tile(
    unsigned char* bytes, first_keys_t first_keys, first_values_t first_values, second_keys_t second_keys,
    second_values_t second_values, op_t op, key_t* keys_out, value_t* values_out, offset_t begin, int count,
    offset_t first_begin, int of_first) {
    key_t* const keys = reinterpret_cast<key_t*>(bytes);
    const int thread = static_cast<int>(threadIdx.x);
    const offset_t second_begin = begin - first_begin;
    // A warp's elements of the result lie together.
    const int of_warp = thread / 32 * 32 * items + thread % 32;
    // All loads of a thread before its stores, so that it waits once.
    key_t own[items];
    #pragma unroll
    for (int i = 0; i < items; ++i) {
        const int place = i * threads + thread;
        if (place < of_first) own[i] = first_keys[first_begin + place];
        else if (is_full || place < count) own[i] = second_keys[second_begin + (place - of_first)];
    }
    #pragma unroll
    for (int i = 0; i < items; ++i) {
        if (is_full || i * threads + thread < count) keys[i * threads + thread] = own[i];
    }
    // Read as the next of a sequence that has no more, and not used.
    if (thread == 0) keys[count] = own[0];
    __syncthreads();
    const int own_begin = is_full || thread * items < count ? thread * items : count;
    int first = merge_path(keys, of_first, keys + of_first, count - of_first, own_begin, op);
    int second = of_first + own_begin - first;
    key_t next_first = keys[first];
    key_t next_second = keys[second];
    int source[items];
    #pragma unroll
    for (int i = 0; i < items; ++i) {
        if (is_full || own_begin + i < count) {
            const bool is_second = second < count && (first >= of_first || op(next_second, next_first));
            own[i] = is_second ? next_second : next_first;
            source[i] = is_second ? second : first;
            const key_t key = keys[source[i] + 1];
            if (is_second) second = source[i] + 1, next_second = key;
            else first = source[i] + 1, next_first = key;
        }
    }
    __syncthreads();
    #pragma unroll
    for (int i = 0; i < items; ++i) {
        if (is_full || own_begin + i < count) keys[own_begin + i] = own[i];
    }
    __syncwarp();
    #pragma unroll
    for (int i = 0; i < items; ++i) {
        const int place = of_warp + i * 32;
        if (is_full || place < count) keys_out[begin + place] = keys[place];
    }
    if constexpr (stages_values) {
        value_t* const values = reinterpret_cast<value_t*>(bytes);
        value_t moved[items];
        #pragma unroll
        for (int i = 0; i < items; ++i) {
            const int place = i * threads + thread;
            if (place < of_first) moved[i] = first_values[first_begin + place];
            else if (is_full || place < count) moved[i] = second_values[second_begin + (place - of_first)];
        }
        __syncthreads();
        #pragma unroll
        for (int i = 0; i < items; ++i) {
            if (is_full || i * threads + thread < count) values[i * threads + thread] = moved[i];
        }
        __syncthreads();
        #pragma unroll
        for (int i = 0; i < items; ++i) {
            if (is_full || own_begin + i < count) moved[i] = values[source[i]];
        }
        __syncthreads();
        #pragma unroll
        for (int i = 0; i < items; ++i) {
            if (is_full || own_begin + i < count) values[own_begin + i] = moved[i];
        }
        __syncwarp();
        #pragma unroll
        for (int i = 0; i < items; ++i) {
            const int place = of_warp + i * 32;
            if (is_full || place < count) values_out[begin + place] = values[place];
        }
    } else if constexpr (has_values) {
        #pragma unroll
        for (int i = 0; i < items; ++i) {
            if (is_full || own_begin + i < count) {
                if (source[i] < of_first) values_out[begin + own_begin + i] = first_values[first_begin + source[i]];
                else values_out[begin + own_begin + i] = second_values[second_begin + (source[i] - of_first)];
            }
        }
    }
}
__global__ __launch_bounds__(threads, least_blocks) void cuprum_merge(
    first_keys_t first_keys, first_values_t first_values, offset_t first_count, second_keys_t second_keys,
    second_values_t second_values, offset_t second_count, op_t op, key_t* keys_out, value_t* values_out,
    bool has_bounds) {
    __shared__ alignas(key_t) alignas(value_t) unsigned char bytes[item_bytes * (tile_items + 1)];
    __shared__ bounds_t searched;
    const offset_t all = first_count + second_count;
    const offset_t begin = static_cast<offset_t>(blockIdx.x) * tile_items;
    const int count = count_of(begin, all);
    const int thread = static_cast<int>(threadIdx.x);
    bounds_t bounds;
    if (has_bounds && has_room_for_bounds(count)) {
        // As keys: memory is read by words of as many bytes as it is aligned to.
        key_t words[(sizeof(bounds) - 1) / sizeof(key_t) + 1];
        #pragma unroll
        for (int i = 0; i < sizeof(words) / sizeof(key_t); ++i) words[i] = keys_out[begin + i];
        memcpy(&bounds, words, sizeof bounds);
    } else {
        if (thread < 64) {
            const offset_t bound = merge_path_by_lanes(32, first_keys, first_count, second_keys, second_count,
                                                       thread < 32 ? begin : begin + count, op);
            if (thread == 0) searched.begin = bound;
            if (thread == 32) searched.end = bound;
        }
        __syncthreads();
        bounds = searched;
    }
    const int of_first = static_cast<int>(bounds.end - bounds.begin);
    const auto merge = [&](auto is_full) {
        merge_tile<decltype(is_full)::value>(bytes, first_keys, first_values, second_keys, second_values, op, keys_out,
                                             values_out, begin, count, bounds.begin, of_first);
    };
    if (count == tile_items) merge(::cuda::std::true_type{});
    else merge(::cuda::std::false_type{});
})";

void check_types(const char* algorithm, const Iterator& first_keys, const std::optional<Iterator>& first_values,
                 const Iterator& second_keys, const std::optional<Iterator>& second_values) {
    const std::string building = std::string("building ") + algorithm;
    const auto require_same = [&](const char* what, const Iterator& first, const Iterator& second) {
        if (first.value_type() == second.value_type()) return;
        throw InvalidArgument(building, std::string("second ") + what + " of type " + second.value_type().text(),
                              "the first are of " + first.value_type().text() + ", expected the same type",
                              "read one through a transform iterator that converts it");
    };
    require_same("keys", first_keys, second_keys);
    if (first_values) require_same("values", *first_values, *second_values);
    if (first_keys.value_type().size() > most_key_bytes) {
        throw Unsupported(building, "keys",
                          "they have " + std::to_string(first_keys.value_type().size()) + " bytes, expected at most " +
                              std::to_string(most_key_bytes),
                          "merge smaller keys, and positions as their values");
    }
}

void check_for_host(const char* algorithm, const Iterator& first_keys, const std::optional<Iterator>& first_values,
                    const Iterator& second_keys, const std::optional<Iterator>& second_values,
                    const Operator& compare) {
    using namespace host_execution;
    check_available();
    check_iterator(algorithm, "first keys", first_keys);
    check_iterator(algorithm, "second keys", second_keys);
    check_comparison(algorithm, compare, first_keys.value_type());
    if (first_values) {
        check_moved(algorithm, "first values", *first_values);
        check_moved(algorithm, "second values", *second_values);
    }
}

// Of both sequences. Throws InvalidArgument where it does not fit.
uint64_t total(uint64_t first, uint64_t second) {
    check_count(operation, first, 1);
    check_count(operation, second, 1);
    return first + second;
}

// The outputs overlap nothing.
void check_extents(std::initializer_list<Extent> inputs, std::initializer_list<Extent> outputs) {
    for (const Extent& output : outputs) {
        for (const Extent& input : inputs)
            refuse_overlap(operation, input, output);
    }
    if (outputs.size() == 2) refuse_overlap(operation, *outputs.begin(), *(outputs.begin() + 1));
}

}  // namespace

Merge::Program::Program(const core::Device& device, const CompiledProgram& compiled, Width width)
    : bounds(compiled.kernel(0)),
      merge(compiled.kernel(1)),
      threads(compiled.positive("threads")),
      tile_items(compiled.positive_size("tile items")),
      blocks_at_once(resident_blocks(device, merge, threads)),
      wide(width == Width::wide) {}

Merge::Merge(const char* algorithm, const Iterator& first_keys, const std::optional<Iterator>& first_values,
             const Iterator& second_keys, const std::optional<Iterator>& second_values, const Operator& compare,
             const Execution& execution, const BuildOptions& options)
    : algorithm_(algorithm),
      target_([&] {
          check_types(algorithm, first_keys, first_values, second_keys, second_values);
          if (execution.is_host())
              check_for_host(algorithm, first_keys, first_values, second_keys, second_values, compare);
          return Target(execution, options);
      }()),
      first_keys_(first_keys),
      second_keys_(second_keys),
      first_values_(first_values),
      second_values_(second_values),
      compare_(compare),
      programs_(target_, [this](Width width) { return make_request(width); }) {}

BuildRequest Merge::make_request(Width width) const {
    SourceBuilder source({});
    source.alias("key_t", source.type(first_keys_.value_type()));
    source.alias("first_keys_t", source.iterator(first_keys_));
    source.alias("second_keys_t", source.iterator(second_keys_));
    const bool has_values = first_values_.has_value();
    // Stands for values where there are none.
    source.line("struct nothing_t { __device__ char operator[](unsigned long long) const { return 0; } };");
    source.alias("value_t", has_values ? source.type(first_values_->value_type()) : "char");
    source.alias("first_values_t", has_values ? source.iterator(*first_values_) : "nothing_t");
    source.alias("second_values_t", has_values ? source.iterator(*second_values_) : "nothing_t");
    source.line(has_values ? "constexpr bool has_values = true;" : "constexpr bool has_values = false;");
    source.alias("offset_t", offset_type(width));
    source.alias("op_t", source.op(compare_, {first_keys_.value_type(), first_keys_.value_type()},
                                   Type(TypeKind::boolean), "compare"));
    source.line(kernels);
    BuildRequest request(algorithm_, source);
    request.kernels = {"cuprum_merge_bounds", "cuprum_merge"};
    request.constants = {{"threads", "threads"}, {"tile items", "tile_items"}};
    return request;
}

void Merge::run_on_host(const HostCall& call, const Part& first, const Part& second, const Output& keys_out,
                        const Output* values_out) const {
    using namespace host_execution;
    check_call(call, &compare_);
    const Type& keys = first_keys_.value_type();
    const host::Source of_first = source_of(call, "first keys", first_keys_, first.keys, first.count);
    const host::Source of_second = source_of(call, "second keys", second_keys_, second.keys, second.count);
    void* const keys_target = target_of(call, "output keys", keys, keys_out, call.count);
    const Extent first_extent = extent_of("first keys", of_first, first.count);
    const Extent second_extent = extent_of("second keys", of_second, second.count);
    const Extent keys_extent = extent_of("output keys", keys_out, keys, call.count);
    const auto merge = [&](const host::Source* first_values, const host::Source* second_values, void* target) {
        check(host_functions().merge(&of_first, first_values, first.count, &of_second, second_values, second.count,
                                     number_of(compare_), keys_target, target),
              call);
    };
    if (!first_values_) {
        check_extents({first_extent, second_extent}, {keys_extent});
        merge(nullptr, nullptr, nullptr);
        return;
    }
    const Type& values = first_values_->value_type();
    const host::Source first_values = source_of(call, "first values", *first_values_, *first.values, first.count);
    const host::Source second_values = source_of(call, "second values", *second_values_, *second.values, second.count);
    void* const values_target = target_of(call, "output values", values, *values_out, call.count);
    check_extents({first_extent, second_extent, extent_of("first values", first_values, first.count),
                   extent_of("second values", second_values, second.count)},
                  {keys_extent, extent_of("output values", *values_out, values, call.count)});
    merge(&first_values, &second_values, values_target);
}

void Merge::operator()(const core::StreamRef& stream, const Part& first, const Part& second, const Output& keys_out,
                       const Output* values_out, const CallOptions& options) const {
    const uint64_t count = total(first.count, second.count);
    if (target_.is_host()) {
        run_on_host({operation, stream, options, count}, first, second, keys_out, values_out);
        return;
    }
    const Call call{operation, target_.device(), stream, count};
    const Call of_first{operation, target_.device(), stream, first.count};
    const Call of_second{operation, target_.device(), stream, second.count};
    const Type& keys = first_keys_.value_type();
    check_stream(call);
    check_input(of_first, "first keys", first_keys_, first.keys);
    check_input(of_second, "second keys", second_keys_, second.keys);
    check_output(call, "output keys", keys, keys_out, count);
    const Extent first_extent = extent_of("first keys", first.keys, keys, first.count);
    const Extent second_extent = extent_of("second keys", second.keys, keys, second.count);
    const Extent keys_extent = extent_of("output keys", keys_out, keys, count);
    static constexpr char nothing = 0;
    Raw first_values{&nothing, 1};
    Raw second_values{&nothing, 1};
    core::DevicePointer values_target = 0;
    if (first_values_) {
        const Type& values = first_values_->value_type();
        check_input(of_first, "first values", *first_values_, *first.values);
        check_input(of_second, "second values", *second_values_, *second.values);
        check_output(call, "output values", values, *values_out, count);
        check_extents({first_extent, second_extent, extent_of("first values", *first.values, values, first.count),
                       extent_of("second values", *second.values, values, second.count)},
                      {keys_extent, extent_of("output values", *values_out, values, count)});
        first_values = {first.values->state(), first_values_->state().size()};
        second_values = {second.values->state(), second_values_->state().size()};
        values_target = values_out->address();
    } else {
        check_extents({first_extent, second_extent}, {keys_extent});
    }
    if (count == 0) return;
    const Program& program = programs_.for_count(count);
    const Raw op{operator_state(call, compare_, options), compare_.state() ? compare_.state()->size() : 1};
    const uint64_t blocks = ceil_divide(count, program.tile_items);
    const bool has_bounds = blocks > program.blocks_at_once;
    const Raw first_keys{first.keys.state(), first_keys_.state().size()};
    const Raw second_keys{second.keys.state(), second_keys_.state().size()};
    const Offset first_count{first.count, program.wide}, second_count{second.count, program.wide};
    if (has_bounds) {
        const uint64_t lanes = blocks < blocks_that_fill_memory ? 4 : 1;
        launch_kernel(stream, ceil_divide(blocks * lanes, static_cast<uint64_t>(program.threads)), program.threads,
                      program.bounds, first_keys, first_count, second_keys, second_count, op, keys_out.address(),
                      static_cast<int32_t>(lanes));
    }
    launch_kernel(stream, blocks, program.threads, program.merge, first_keys, first_values, first_count, second_keys,
                  second_values, second_count, op, keys_out.address(), values_target, has_bounds);
}

}  // namespace cuprum::parallel
