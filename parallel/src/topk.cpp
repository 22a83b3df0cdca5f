// The k-th key is found digit by digit (radix select), from the highest on: count how often each digit occurs among the
// keys whose digits above it are those of the k-th, and pick that at which k keys are reached. Then all keys before the
// k-th are written, and as many that equal it as are left. For few keys one block does all of it, in one launch.
#include "topk.hpp"

#include <algorithm>
#include <initializer_list>

#include "cuprum/pathfinder/error.hpp"
#include "determinism.hpp"
#include "kernel_overlap.hpp"
#include "key_bits.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "selecting the top keys";

// CUB's own (from CCCL 3.2 on) gives its keys in no order, too. Keys are compared as unsigned numbers, as a radix sort
// does.
constexpr std::string_view kernels = R"(
constexpr int threads = 256;
constexpr int items = sizeof(key_t) >= 8 ? 4 : 8;
constexpr int tile_items = threads * items;
constexpr int key_bits = 8 * sizeof(key_t);
constexpr int digit_bits = key_bits < 11 ? key_bits : 11;
constexpr int digits = (key_bits + digit_bits - 1) / digit_bits;
constexpr int bins = 1 << digit_bits;
constexpr int bins_per_thread = bins / threads;
struct state_t {
    unsigned long long counts[bins];  // of the digit that is looked at
    unsigned long long left;          // keys that are to be taken of those with the prefix
    unsigned long long taken_before, taken_equal;
    bits_t prefix;                    // the digits of the k-th key that are known
    unsigned int ready;               // blocks that have counted, of all digits
};
__device__ __forceinline__ bits_t ordered(const key_t& key) {
    constexpr bits_t sign = static_cast<bits_t>(bits_t{1} << (key_bits - 1));
    bits_t bits = reinterpret_cast<const bits_t&>(key);
    if (is_float) {
        if (bits == sign) bits = 0;
        bits = static_cast<bits_t>((bits & sign) != 0 ? ~bits : bits | sign);
    } else if (is_signed) {
        bits ^= sign;
    }
    return is_largest ? static_cast<bits_t>(~bits) : bits;
}
// Of the digits from the highest on; the last may have fewer bits.
__device__ __forceinline__ int shift_of(int digit) {
    const int shift = key_bits - digit_bits * (digit + 1);
    return shift > 0 ? shift : 0;
}
__device__ __forceinline__ int width_of(int digit) { return key_bits - digit_bits * digit - shift_of(digit); }
__device__ __forceinline__ unsigned int digit_of(bits_t bits, int digit) {
    return static_cast<unsigned int>(bits >> shift_of(digit)) & ((1u << width_of(digit)) - 1);
}
__device__ __forceinline__ bool has_prefix(bits_t bits, bits_t prefix, int digit) {
    if (digit == 0) return true;
    const int known = shift_of(digit - 1);
    return (bits >> known) == (prefix >> known);
}
// The digit at which as many keys are reached as are left; its counts are 0 afterwards.
__device__ __forceinline__ void pick(state_t* state, int digit) {
    using scan_t = cub::BlockScan<unsigned long long, threads>;
    __shared__ typename scan_t::TempStorage storage;
    const unsigned long long left = state->left;
    unsigned long long own[bins_per_thread], sums[bins_per_thread];
    #pragma unroll
    for (int i = 0; i < bins_per_thread; ++i) {
        own[i] = state->counts[threadIdx.x * bins_per_thread + i];
        state->counts[threadIdx.x * bins_per_thread + i] = 0;
    }
    scan_t(storage).ExclusiveSum(own, sums);  // and all threads have read what is left
    #pragma unroll
    for (int i = 0; i < bins_per_thread; ++i) {
        if (sums[i] < left && left <= sums[i] + own[i]) {
            const bits_t found = static_cast<bits_t>(threadIdx.x * bins_per_thread + i);
            state->prefix = static_cast<bits_t>(state->prefix | static_cast<bits_t>(found << shift_of(digit)));
            state->left = left - sums[i];
        }
    }
}
// The next of the places that a counter gives out, for each thread of a warp that wants one.
__device__ __forceinline__ unsigned long long place_of(unsigned long long* counter, bool wants) {
    const unsigned int wanting = __ballot_sync(0xffffffffu, wants);
    if (wanting == 0) return 0;
    const int lane = threadIdx.x % 32;
    const int leader = __ffs(wanting) - 1;
    unsigned long long first = 0;
    if (lane == leader) first = atomicAdd(counter, static_cast<unsigned long long>(__popc(wanting)));
    first = __shfl_sync(0xffffffffu, first, leader);
    return first + __popc(wanting & ((1u << lane) - 1));
}
__global__ __launch_bounds__(threads) void cuprum_topk_init(state_t* state, unsigned long long k) {
    let_the_next_kernel_begin();
    for (int bin = threadIdx.x; bin < bins; bin += threads) state->counts[bin] = 0;
    if (threadIdx.x == 0) {
        state->left = k;
        state->taken_before = 0;
        state->taken_equal = 0;
        state->prefix = 0;
        state->ready = 0;
    }
}
// The last block to have counted picks the digit.
__global__ __launch_bounds__(threads) void cuprum_topk_count(keys_t keys, state_t* state, int digit, offset_t n) {
    __shared__ unsigned int counts[bins];
    __shared__ bool is_last;
    let_the_next_kernel_begin();
    for (int bin = threadIdx.x; bin < bins; bin += threads) counts[bin] = 0;
    wait_for_the_kernel_before();
    __syncthreads();
    const bits_t prefix = state->prefix;
    const offset_t step = static_cast<offset_t>(gridDim.x) * tile_items;
    for (offset_t begin = static_cast<offset_t>(blockIdx.x) * tile_items; begin < n; begin += step) {
        bits_t own[items];
        #pragma unroll
        for (int i = 0; i < items; ++i) {
            const offset_t at = begin + i * threads + threadIdx.x;
            own[i] = at < n ? ordered(keys[at]) : bits_t{0};
        }
        #pragma unroll
        for (int i = 0; i < items; ++i) {
            const offset_t at = begin + i * threads + threadIdx.x;
            if (at < n && has_prefix(own[i], prefix, digit)) atomicAdd(counts + digit_of(own[i], digit), 1u);
        }
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < bins; bin += threads) {
        if (counts[bin] != 0) atomicAdd(state->counts + bin, static_cast<unsigned long long>(counts[bin]));
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        is_last = atomicAdd(&state->ready, 1u) == gridDim.x * (digit + 1) - 1;
        __threadfence();
    }
    __syncthreads();
    if (is_last) pick(state, digit);
}
__global__ __launch_bounds__(threads) void cuprum_topk_write(
    keys_t keys, values_t values, key_t* keys_out, value_t* values_out, state_t* state, unsigned long long k, offset_t n) {
    wait_for_the_kernel_before();
    const bits_t last = state->prefix;
    const unsigned long long equal_places = state->left;
    const unsigned long long before_places = k - equal_places;
    const offset_t step = static_cast<offset_t>(gridDim.x) * tile_items;
    for (offset_t begin = static_cast<offset_t>(blockIdx.x) * tile_items; begin < n; begin += step) {
        key_t own[items];
        #pragma unroll
        for (int i = 0; i < items; ++i) {
            const offset_t at = begin + i * threads + threadIdx.x;
            own[i] = keys[at < n ? at : n - 1];
        }
        #pragma unroll
        for (int i = 0; i < items; ++i) {
            const offset_t at = begin + i * threads + threadIdx.x;
            const bits_t bits = ordered(own[i]);
            const bool is_before = at < n && bits < last;
            const unsigned long long before = place_of(&state->taken_before, is_before);
            const bool is_equal = at < n && bits == last;
            const unsigned long long equal = place_of(&state->taken_equal, is_equal);
            if (is_before || (is_equal && equal < equal_places)) {
                const unsigned long long to = is_before ? before : before_places + equal;
                keys_out[to] = own[i];
                if constexpr (has_values) values_out[to] = values[at];
            }
        }
    }
}
// All of it by one block, whose threads keep their keys.
constexpr int few_threads = 1024;
constexpr int few_items = sizeof(key_t) > 8 ? 2 : sizeof(key_t) > 4 ? 4 : 8;
constexpr int few_bins = (bins + few_threads - 1) / few_threads;
__global__ __launch_bounds__(few_threads) void cuprum_topk_of_few(
    keys_t keys, values_t values, key_t* keys_out, value_t* values_out, unsigned long long k, offset_t n) {
    using scan_t = cub::BlockScan<unsigned int, few_threads>;
    __shared__ typename scan_t::TempStorage storage;
    __shared__ unsigned int counts[few_bins * few_threads];
    __shared__ struct { bits_t prefix; unsigned int left; } found;
    __shared__ unsigned long long taken_before, taken_equal;
    if (threadIdx.x == 0) taken_before = taken_equal = 0;
    bits_t own[few_items];
    #pragma unroll
    for (int i = 0; i < few_items; ++i) {
        const int at = i * few_threads + threadIdx.x;
        own[i] = at < n ? ordered(keys[at]) : bits_t{0};
    }
    bits_t prefix = 0;
    unsigned int left = static_cast<unsigned int>(k);
    for (int digit = 0; digit < digits; ++digit) {
        #pragma unroll
        for (int i = 0; i < few_bins; ++i) counts[i * few_threads + threadIdx.x] = 0;
        __syncthreads();
        #pragma unroll
        for (int i = 0; i < few_items; ++i)
            if (i * few_threads + threadIdx.x < n && has_prefix(own[i], prefix, digit))
                atomicAdd(counts + digit_of(own[i], digit), 1u);
        __syncthreads();
        unsigned int of_bins[few_bins], sums[few_bins];
        #pragma unroll
        for (int i = 0; i < few_bins; ++i) of_bins[i] = counts[threadIdx.x * few_bins + i];
        scan_t(storage).ExclusiveSum(of_bins, sums);
        #pragma unroll
        for (int i = 0; i < few_bins; ++i) {
            if (sums[i] < left && left <= sums[i] + of_bins[i]) {
                const bits_t bin = static_cast<bits_t>(threadIdx.x * few_bins + i);
                found = {static_cast<bits_t>(prefix | static_cast<bits_t>(bin << shift_of(digit))), left - sums[i]};
            }
        }
        __syncthreads();
        prefix = found.prefix;
        left = found.left;
    }
    const unsigned long long before_places = k - left;
    #pragma unroll
    for (int i = 0; i < few_items; ++i) {
        const int at = i * few_threads + threadIdx.x;
        const bool is_before = at < n && own[i] < prefix;
        const unsigned long long before = place_of(&taken_before, is_before);
        const bool is_equal = at < n && own[i] == prefix;
        const unsigned long long equal = place_of(&taken_equal, is_equal);
        if (is_before || (is_equal && equal < left)) {
            const unsigned long long to = is_before ? before : before_places + equal;
            keys_out[to] = keys[at];
            if constexpr (has_values) values_out[to] = values[at];
        }
    }
})";

void check_types(const char* algorithm, SortOrder order, const Iterator& keys) {
    const std::string building = std::string("building ") + algorithm;
    if (order != SortOrder::ascending && order != SortOrder::descending) {
        throw InvalidArgument(building, "order " + std::to_string(static_cast<int>(order)),
                              "expected ascending or descending");
    }
    const Type& type = keys.value_type();
    if (type.is_structure() || type.is_complex()) {
        throw InvalidArgument(building, "keys of type " + type.name(), "only numbers and bool have an order of bits",
                              "sort them by a comparison of your own");
    }
}

void check_for_host(const char* algorithm, const Iterator& keys, const std::optional<Iterator>& values) {
    using namespace host_execution;
    check_available();
    check_iterator(algorithm, "input keys", keys);
    if (values) check_moved(algorithm, "input values", *values);
}

void check_k(uint64_t k, uint64_t count) {
    if (k <= count) return;
    throw InvalidArgument(operation, "k = " + std::to_string(k),
                          "there are " + std::to_string(count) + " keys, of which no more can be selected");
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

Topk::Program::Program(const core::Device& device, const CompiledProgram& compiled, Width width)
    : of_few(compiled.kernel(0)),
      init(compiled.kernel(1)),
      count(compiled.kernel(2)),
      write(compiled.kernel(3)),
      threads(compiled.positive("threads")),
      tile_items(compiled.positive_size("tile items")),
      count_blocks(resident_blocks(device, count, threads)),
      write_blocks(resident_blocks(device, write, threads)),
      state_bytes(compiled.positive_size("state bytes")),
      digits(static_cast<int32_t>(compiled.positive("digits"))),
      wide(width == Width::wide),
      few_threads(compiled.positive("few threads")),
      few(compiled.positive_size("few")),
      overlaps(overlaps_kernels(device)) {}

Topk::Topk(const char* algorithm, SortOrder order, const Iterator& keys, const std::optional<Iterator>& values,
           const Execution& execution, const BuildOptions& options)
    : algorithm_(algorithm),
      target_([&] {
          check_types(algorithm, order, keys);
          if (execution.is_host()) check_for_host(algorithm, keys, values);
          if (!execution.is_host()) {
              refuse_determinism(algorithm, execution,
                                 "the selected keys are in the order in which blocks are ready, and of equal ones any "
                                 "are selected");
          }
          return Target(execution, options);
      }()),
      order_(order),
      keys_(keys),
      values_(values),
      programs_(target_, [this](Width width) { return make_request(width); }) {}

BuildRequest Topk::make_request(Width width) const {
    SourceBuilder source({"cub/block/block_scan.cuh"});
    const Type& type = keys_.value_type();
    source.alias("key_t", source.type(type));
    source.alias("bits_t", bits_of(type.size()));
    source.alias("keys_t", source.iterator(keys_));
    // Stands for values where there are none.
    source.line("struct nothing_t { __device__ char operator[](unsigned long long) const { return 0; } };");
    source.alias("value_t", values_ ? source.type(values_->value_type()) : "char");
    source.alias("values_t", values_ ? source.iterator(*values_) : "nothing_t");
    source.alias("offset_t", offset_type(width));
    add_flag(source, "has_values", values_.has_value());
    add_flag(source, "is_float", is_float_kind(type.kind()));
    add_flag(source, "is_signed", is_signed_kind(type.kind()));
    add_flag(source, "is_largest", order_ == SortOrder::descending);
    source.line(kernel_overlap);
    source.line(kernels);
    BuildRequest request(algorithm_, source);
    request.kernels = {"cuprum_topk_of_few", "cuprum_topk_init", "cuprum_topk_count", "cuprum_topk_write"};
    request.constants = {{"threads", "threads"}, {"tile items", "tile_items"},   {"state bytes", "sizeof(state_t)"},
                         {"digits", "digits"},   {"few threads", "few_threads"}, {"few", "few_threads * few_items"}};
    return request;
}

uint64_t Topk::temp_storage_bytes(uint64_t count) const {
    if (count == 0 || target_.is_host()) return 0;
    check_count(operation, count, keys_.value_type().size());
    const Program& program = programs_.for_count(count);
    return count <= program.few ? 0 : program.state_bytes;
}

void Topk::run_on_host(const HostCall& call, const Input& keys, const Input* values, const Output& keys_out,
                       const Output* values_out, uint64_t k) const {
    using namespace host_execution;
    check_call(call, call.options.op);
    const Type& type = keys_.value_type();
    const int32_t is_largest = order_ == SortOrder::descending ? 1 : 0;
    const host::Source of_keys = source_of(call, "input keys", keys_, keys, call.count);
    void* const keys_target = target_of(call, "output keys", type, keys_out, k);
    const Extent keys_extent = extent_of("output keys", keys_out, type, k);
    if (!values_) {
        check_extents({extent_of("input keys", of_keys, call.count)}, {keys_extent});
        check(host_functions().topk(&of_keys, nullptr, call.count, k, is_largest, keys_target, nullptr), call);
        return;
    }
    const host::Source of_values = source_of(call, "input values", *values_, *values, call.count);
    void* const values_target = target_of(call, "output values", values_->value_type(), *values_out, k);
    check_extents({extent_of("input keys", of_keys, call.count), extent_of("input values", of_values, call.count)},
                  {keys_extent, extent_of("output values", *values_out, values_->value_type(), k)});
    check(host_functions().topk(&of_keys, &of_values, call.count, k, is_largest, keys_target, values_target), call);
}

void Topk::operator()(const core::StreamRef& stream, const Input& keys, const Input* values, const Output& keys_out,
                      const Output* values_out, uint64_t k, uint64_t count, const CallOptions& options) const {
    check_k(k, count);
    if (target_.is_host()) {
        run_on_host({operation, stream, options, count}, keys, values, keys_out, values_out, k);
        return;
    }
    const Call call{operation, target_.device(), stream, count};
    const Type& type = keys_.value_type();
    check_stream(call);
    check_input(call, "input keys", keys_, keys);
    check_output(call, "output keys", type, keys_out, k);
    const Extent keys_extent = extent_of("output keys", keys_out, type, k);
    static constexpr char nothing = 0;
    Raw of_values{&nothing, 1};
    core::DevicePointer values_target = 0;
    if (values_) {
        const Type& value_type = values_->value_type();
        check_input(call, "input values", *values_, *values);
        check_output(call, "output values", value_type, *values_out, k);
        check_extents(
            {extent_of("input keys", keys, type, count), extent_of("input values", *values, value_type, count)},
            {keys_extent, extent_of("output values", *values_out, value_type, k)});
        of_values = {values->state(), values_->state().size()};
        values_target = values_out->address();
    } else {
        check_extents({extent_of("input keys", keys, type, count)}, {keys_extent});
    }
    if (k == 0) return;
    const Program& program = programs_.for_count(count);
    const Raw of_keys{keys.state(), keys_.state().size()};
    const Offset all{count, program.wide};
    if (count <= program.few) {
        launch_kernel(stream, 1, program.few_threads, program.of_few, of_keys, of_values, keys_out.address(),
                      values_target, k, all);
        return;
    }
    const Workspace workspace(call, program.state_bytes, options);
    const core::DevicePointer state = workspace[0];
    const uint64_t tiles = ceil_divide(count, program.tile_items);
    launch_kernel(stream, 1, program.threads, program.init, state, k);
    const auto config = [&](uint64_t most_blocks) {
        return overlapping(std::min(tiles, most_blocks), program.threads, program.overlaps);
    };
    for (int32_t digit = 0; digit < program.digits; ++digit)
        launch_kernel(stream, config(program.count_blocks), program.count, of_keys, state, digit, all);
    launch_kernel(stream, config(program.write_blocks), program.write, of_keys, of_values, keys_out.address(),
                  values_target, state, k, all);
}

}  // namespace cuprum::parallel
