// One sweep over the data per digit of 8 bits (CUB's onesweep): all digits' histograms first, then for each digit a
// kernel that ranks, waits for the counts of the tiles before it, and scatters.
#include "cuprum/parallel/radix_sort.hpp"

#include <span>
#include <utility>

#include "call.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "key_fields.hpp"
#include "tuning.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "sorting by radix";

constexpr std::string_view policy = R"(
#if CCCL_VERSION >= 3003000
using policy_t = cub::detail::radix_sort::policy_selector_from_types<key_t, value_t, offset_t>;
constexpr auto sort_policy = cuprum_policy<policy_t>;
constexpr int single_tile_threads = sort_policy.single_tile.CUPRUM_THREADS;
constexpr int single_tile_items = sort_policy.single_tile.items_per_thread;
constexpr int histogram_threads = sort_policy.histogram.CUPRUM_THREADS;
constexpr int exclusive_sum_threads = sort_policy.exclusive_sum.CUPRUM_THREADS;
constexpr int onesweep_threads = sort_policy.onesweep.CUPRUM_THREADS;
constexpr int onesweep_items = sort_policy.onesweep.items_per_thread;
constexpr int radix_bits = sort_policy.onesweep.radix_bits;
#else
using policy_t = cub::detail::radix::policy_hub<key_t, value_t, offset_t>::MaxPolicy;
using active_t = policy_t::ActivePolicy;
constexpr int single_tile_threads = active_t::SingleTilePolicy::BLOCK_THREADS;
constexpr int single_tile_items = active_t::SingleTilePolicy::ITEMS_PER_THREAD;
constexpr int histogram_threads = active_t::HistogramPolicy::BLOCK_THREADS;
constexpr int exclusive_sum_threads = active_t::ExclusiveSumPolicy::BLOCK_THREADS;
constexpr int onesweep_threads = active_t::OnesweepPolicy::BLOCK_THREADS;
constexpr int onesweep_items = active_t::OnesweepPolicy::ITEMS_PER_THREAD;
constexpr int radix_bits = active_t::ONESWEEP_RADIX_BITS;
#endif)";

// CUB's agents in the shapes of a table (tuning.hpp). `blocks` of a sweep share a multiprocessor, which bounds their
// registers. The digits are counted in as many copies as there are lanes, so that no two lanes' counters are in one
// bank: on an H200 2^28 keys of 4 bytes are counted in 0.55 of the time.
constexpr std::string_view tuned_kernels = R"(
#if defined(CUPRUM_IS_TUNED) && CCCL_VERSION >= 3000000
constexpr long long tuned_from = CUPRUM_TUNED_FROM;
struct tuned_onesweep_t {
    static constexpr int BLOCK_THREADS = CUPRUM_TUNED_THREADS, ITEMS_PER_THREAD = CUPRUM_TUNED_ITEMS;
    static constexpr int RADIX_BITS = radix_bits, RANK_NUM_PARTS = 1;
    static constexpr auto RANK_ALGORITHM = cub::RADIX_RANK_MATCH_EARLY_COUNTS_ANY;
    static constexpr auto SCAN_ALGORITHM = cub::BLOCK_SCAN_WARP_SCANS;
    static constexpr auto STORE_ALGORITHM = cub::RADIX_SORT_STORE_DIRECT;
};
using onesweep_agent_t = cub::detail::radix_sort::AgentRadixSortOnesweep<
    tuned_onesweep_t, is_descending, key_t, value_t, offset_t, int, tuned_decomposer_t>;
struct sweep_t : onesweep_agent_t {
    using onesweep_agent_t::onesweep_agent_t;
    // Adds up what the tiles before have counted. Several of them are asked at once, since an answer takes long.
    __device__ __forceinline__ void look_back(int (&bins)[BINS_PER_THREAD]) {
        constexpr int at_once = CUPRUM_TUNED_LOOK_BACK;
        for (int u = 0; u < BINS_PER_THREAD; ++u) {
            const int bin = this->ThreadBin(u);
            if (bin >= RADIX_DIGITS) continue;
            volatile int* const sums = this->d_lookback + bin;
            int sum = bins[u];
            bool is_whole = this->block_idx == 0;
            for (int tile = this->block_idx - 1; !is_whole;) {
                int found[at_once];
                for (int k = 0; k < at_once; ++k)
                    found[k] = k <= tile ? sums[(tile - k) * RADIX_DIGITS] : LOOKBACK_GLOBAL_MASK;
                int taken = 0;
                for (int k = 0; k < at_once; ++k) {
                    if (taken < k || is_whole || found[k] == 0) continue;  // 0: not counted yet
                    sum += found[k] & LOOKBACK_VALUE_MASK;
                    is_whole = (found[k] & LOOKBACK_GLOBAL_MASK) != 0;
                    ++taken;
                }
                tile -= taken;
            }
            sums[this->block_idx * RADIX_DIGITS] = sum | LOOKBACK_GLOBAL_MASK;
            this->s.global_offsets[bin] += sum - bins[u];
        }
    }
    __device__ __forceinline__ void sort_tile() {
        bit_ordered_type keys[ITEMS_PER_THREAD];
        this->LoadKeys(this->block_idx * TILE_ITEMS, keys);
        int ranks[ITEMS_PER_THREAD], prefix[BINS_PER_THREAD], bins[BINS_PER_THREAD];
        BlockRadixRankT(this->s.rank_temp_storage)
            .RankKeys(keys, ranks, this->digit_extractor(), prefix, CountsCallback(*this, bins, keys));
        __syncthreads();
        this->ScatterKeysShared(keys, ranks);
        this->LoadBinsToOffsetsGlobal(prefix);
        look_back(bins);
        this->UpdateBinsGlobal(bins, prefix);
        __syncthreads();
        this->ScatterKeysGlobal();
        this->GatherScatterValues(ranks, cuda::std::bool_constant<KEYS_ONLY != 0>{});
    }
};
#ifdef CUPRUM_TUNED_AHEAD
// Brings a tile that a later block reads into the level 2 cache. What is addressed are whole units of 16 bytes.
template <class T>
__device__ __forceinline__ void fetch_ahead(const T* elements, int n) {
    constexpr int tile = tuned_onesweep_t::BLOCK_THREADS * tuned_onesweep_t::ITEMS_PER_THREAD;
    const long long first = (static_cast<long long>(blockIdx.x) + CUPRUM_TUNED_AHEAD) * tile;
    if (first + tile > n) return;
    const auto begin = (__cvta_generic_to_global(elements + first) + 15) / 16 * 16;
    constexpr unsigned size = tile * sizeof(T) / 16 * 16 - 16;
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(begin), "r"(size));
}
#endif
__global__ __launch_bounds__(tuned_onesweep_t::BLOCK_THREADS, CUPRUM_TUNED_BLOCKS) void cuprum_onesweep(
    int* lookback, int* counters, offset_t* bins_out, const offset_t* bins_in, key_t* keys_out, const key_t* keys_in,
    value_t* values_out, const value_t* values_in, int n, int bit, int bits, tuned_decomposer_t decomposer) {
#ifdef CUPRUM_TUNED_AHEAD
    if (threadIdx.x == tuned_onesweep_t::BLOCK_THREADS - 1) {
        fetch_ahead(keys_in, n);
        if constexpr (!sweep_t::KEYS_ONLY) fetch_ahead(values_in, n);
    }
#endif
    __shared__ typename sweep_t::TempStorage storage;
    sweep_t(storage, lookback, counters, bins_out, bins_in, keys_out, keys_in, values_out, values_in, n, bit, bits,
            decomposer).sort_tile();
}
struct tuned_histogram_t {
    static constexpr int BLOCK_THREADS = CUPRUM_TUNED_HISTOGRAM_THREADS, RADIX_BITS = radix_bits;
    static constexpr int ITEMS_PER_THREAD = CUPRUM_TUNED_HISTOGRAM_ITEMS, NUM_PARTS = sizeof(key_t) > 8 ? 8 : sizeof(key_t) > 4 ? 16 : 32;
};
using histogram_agent_t = cub::detail::radix_sort::AgentRadixSortHistogram<
    tuned_histogram_t, is_descending, key_t, offset_t, tuned_decomposer_t>;
struct counting_t : histogram_agent_t {
    using histogram_agent_t::histogram_agent_t;
    static constexpr int threads = tuned_histogram_t::BLOCK_THREADS, parts = tuned_histogram_t::NUM_PARTS;
    // Up to 2^30 keys at once, as CUB does: a counter has 32 bits.
    __device__ __forceinline__ void count_all() {
        constexpr offset_t portion = offset_t{1} << 30;
        unsigned* const bins = &this->s.bins[0][0][0];
        const int counters = this->num_passes * RADIX_DIGITS;
        for (offset_t begin = 0; begin < this->num_items; begin += portion) {
            const offset_t size = this->num_items - begin < portion ? this->num_items - begin : portion;
            for (int i = threadIdx.x; i < counters * parts; i += threads) bins[i] = 0;
            __syncthreads();
            for (offset_t tile = static_cast<offset_t>(blockIdx.x) * TILE_ITEMS; tile < size;
                 tile += static_cast<offset_t>(gridDim.x) * TILE_ITEMS) {
                bit_ordered_type keys[ITEMS_PER_THREAD];
                this->LoadTileKeys(begin + tile, keys);
                this->AccumulateSharedHistograms(begin + tile, keys);
            }
            __syncthreads();
            // A thread begins with a part that no other of its warp begins with, for the banks' sake.
            for (int i = threadIdx.x; i < counters; i += threads) {
                offset_t count = 0;
                for (int part = 0; part < parts; ++part) count += bins[i * parts + (part + i) % parts];
                if (count > 0) atomicAdd(&this->d_bins_out[i], count);
            }
            __syncthreads();
            if (size < portion) break;
        }
    }
};
__global__ __launch_bounds__(counting_t::threads) void cuprum_histogram(
    offset_t* bins, const key_t* keys, offset_t n, int begin_bit, int end_bit, tuned_decomposer_t decomposer) {
    extern __shared__ __align__(16) unsigned char shared[];
    counting_t(*reinterpret_cast<typename histogram_agent_t::TempStorage*>(shared), bins, keys, n, begin_bit, end_bit,
               decomposer).count_all();
}
constexpr int tuned_threads = tuned_onesweep_t::BLOCK_THREADS, tuned_items = tuned_onesweep_t::ITEMS_PER_THREAD;
constexpr int tuned_histogram_threads = counting_t::threads;
constexpr long long tuned_histogram_bytes = sizeof(typename histogram_agent_t::TempStorage);
#else
constexpr long long tuned_from = 0, tuned_histogram_bytes = 0;
constexpr int tuned_threads = 0, tuned_items = 0, tuned_histogram_threads = 0;
__global__ void cuprum_onesweep() {}
__global__ void cuprum_histogram() {}
#endif)";

BuildRequest make_request(SortOrder order, const Type& keys, const std::vector<KeyField>& fields,
                          const std::optional<Type>& values, Width width, const std::string& tuning) {
    const TuningCase what{
        "radix_sort",
        {{"key", {std::to_string(keys.size())}}, {"value", {std::to_string(values ? values->size() : 0)}}}};
    const Tunings tunings = keys.is_structure() ? Tunings{} : find_tunings(what, tuning);
    SourceBuilder source(
        {"cub/device/dispatch/kernels/radix_sort.cuh", "cub/device/dispatch/tuning/tuning_radix_sort.cuh"});
    source.alias("key_t", source.type(keys));
    source.alias("value_t", values ? source.type(*values) : "cub::NullType");
    source.alias("offset_t", offset_type(width));
    std::string decomposer;  // of numbers CUB's own, which its kernels take by default
    if (keys.is_structure()) {
        source.line(decomposer_text(source, fields, order));
        decomposer = ", decomposer_t";
    }
    source.line(policy);
    if (!tunings.empty()) {
        source.line(tuning_lines(tunings));
        source.alias("tuned_decomposer_t", "cub::detail::identity_decomposer_t");
        source.line(order == SortOrder::descending ? "constexpr bool is_descending = true;"
                                                   : "constexpr bool is_descending = false;");
        source.line(tuned_kernels);
    }
    BuildRequest request("radix_sort", source);
    const std::string sort_order =
        order == SortOrder::ascending ? "cub::SortOrder::Ascending" : "cub::SortOrder::Descending";
    const std::string kernels = "cub::detail::radix_sort::DeviceRadixSort";
    request.kernels = {
        kernels + "SingleTileKernel<policy_t, " + sort_order + ", key_t, value_t, offset_t" + decomposer + ">",
        kernels + "HistogramKernel<policy_t, " + sort_order + ", key_t, offset_t" + decomposer + ">",
        kernels + "ExclusiveSumKernel<policy_t, offset_t>",
        kernels + "OnesweepKernel<policy_t, " + sort_order + ", key_t, value_t, offset_t, int, int" + decomposer + ">"};
    request.constants = {{"single tile's threads", "single_tile_threads"},
                         {"single tile's items per thread", "single_tile_items"},
                         {"histogram's threads", "histogram_threads"},
                         {"exclusive sum's threads", "exclusive_sum_threads"},
                         {"onesweep's threads", "onesweep_threads"},
                         {"onesweep's items per thread", "onesweep_items"},
                         {"radix bits", "radix_bits"}};
    if (!tunings.empty()) {
        request.kernels.insert(request.kernels.end(), {"cuprum_histogram", "cuprum_onesweep"});
        request.constants.insert(request.constants.end(), {{"tuned from", "tuned_from"},
                                                           {"tuned threads", "tuned_threads"},
                                                           {"tuned items", "tuned_items"},
                                                           {"tuned histogram's threads", "tuned_histogram_threads"},
                                                           {"tuned histogram's bytes", "tuned_histogram_bytes"}});
    }
    return request;
}

// The kernels of a sort by several tiles, in one shape.
struct Shape {
    core::Kernel histogram, onesweep;
    int64_t histogram_threads, onesweep_threads;
    uint64_t tile_items;
    uint32_t histogram_bytes = 0;  // of dynamic shared memory
    uint64_t histogram_blocks = 0;

    void fit(const core::Device& device) {
        if (histogram_bytes > 0) histogram.set_max_dynamic_shared_size(device, static_cast<int32_t>(histogram_bytes));
        histogram_blocks = resident_blocks(device, histogram, histogram_threads, histogram_bytes);
    }
};

struct Program {
    core::Kernel single_tile, exclusive_sum;
    int64_t single_tile_threads, exclusive_sum_threads;
    uint64_t single_tile_items, radix_bits, digits;
    Shape shape;                 // CUB's own
    std::optional<Shape> tuned;  // of a table, for at least tuned_bytes of keys
    uint64_t tuned_bytes = 0;
    bool wide;
    uint64_t offset_size;

    Program(const core::Device& device, const CompiledProgram& compiled, Width width)
        : single_tile(compiled.kernel(0)),
          exclusive_sum(compiled.kernel(2)),
          single_tile_threads(compiled.positive("single tile's threads")),
          exclusive_sum_threads(compiled.positive("exclusive sum's threads")),
          single_tile_items(compiled.positive_size("single tile's threads") *
                            compiled.positive_size("single tile's items per thread")),
          radix_bits(static_cast<uint64_t>(compiled.positive("radix bits", 16))),
          digits(uint64_t{1} << radix_bits),
          shape{compiled.kernel(1), compiled.kernel(3), compiled.positive("histogram's threads"),
                compiled.positive("onesweep's threads"),
                compiled.positive_size("onesweep's threads") * compiled.positive_size("onesweep's items per thread")},
          wide(width == Width::wide),
          offset_size(wide ? sizeof(uint64_t) : sizeof(uint32_t)) {
        shape.fit(device);
        if (!compiled.has_constant("tuned threads") || compiled.size("tuned threads") == 0) return;
        tuned = Shape{compiled.kernel(4),
                      compiled.kernel(5),
                      compiled.positive("tuned histogram's threads"),
                      compiled.positive("tuned threads"),
                      compiled.positive_size("tuned threads") * compiled.positive_size("tuned items"),
                      static_cast<uint32_t>(compiled.positive_size("tuned histogram's bytes"))};
        tuned->fit(device);
        tuned_bytes = compiled.size("tuned from");
    }

    const Shape& shape_for(uint64_t count, uint64_t key_size) const {
        return tuned && count * key_size >= tuned_bytes ? *tuned : shape;
    }
};

// The temporary storage of one sort by several tiles.
struct Plan {
    const Shape& shape;
    uint64_t passes, portion_items, portions;
    uint64_t lookback_bytes;  // of one pass over one portion
    bool clears_all_at_once;
    StorageLayout storage;
    // In `storage`; what must be zero lies together, from `bins` to the end of `counters` (and of `lookback`).
    uint64_t bins, counters, lookback, keys, values;

    // A kernel counts in int, and a tile's status word has two bits of its own (cub::AgentRadixSortOnesweep): hence the
    // portions, of 2^30 keys (CUB's own have 2^28). For small sorts one large fill costs less than several small ones;
    // for large ones the memory counts. `has_room`: elements may go back to where they came from, so that a pass needs
    // no other memory for them.
    Plan(const Program& program, uint64_t count, uint64_t bits, uint64_t key_size, uint64_t value_size, bool has_room)
        : shape(program.shape_for(count, key_size)),
          passes(ceil_divide(bits, program.radix_bits)),
          portion_items(((uint64_t{1} << 30) - 1) / shape.tile_items * shape.tile_items),
          portions(ceil_divide(count, portion_items)),
          lookback_bytes(ceil_divide(std::min(count, portion_items), shape.tile_items) * program.digits *
                         sizeof(int32_t)),
          clears_all_at_once(portions == 1 && passes * lookback_bytes <= uint64_t{16} << 20),
          bins(storage.add(portions * passes * program.digits * program.offset_size)),
          counters(storage.add(portions * passes * sizeof(int32_t))),
          lookback(storage.add((clears_all_at_once ? passes : 1) * lookback_bytes)),
          keys(storage.add(passes > 1 && !has_room ? count * key_size : 0)),
          values(storage.add(passes > 1 && !has_room ? count * value_size : 0)) {}
};

// A double buffer's array as what is read.
Input input_of(const Output& array) {
    if (array.buffer() != nullptr) return *array.buffer();
    if (!array.host_bytes()) return array.address();
    const auto* const bytes = reinterpret_cast<const std::byte*>(array.address());
    if (*array.host_bytes() == UINT64_MAX) return bytes;
    return std::span(bytes, *array.host_bytes());
}

void clear(const core::StreamRef& stream, core::DevicePointer address, uint64_t size, int32_t device_id) {
    core::BufferRef::from_handle(address, size, device_id).fill(0, 4, stream);
}

// CUB counts the digits of all bytes of a key, whichever are compared, in at most 48 KiB of shared memory, 1 KiB for
// each byte (cub::AgentRadixSortHistogram).
std::vector<KeyField> fields_to_compare(const Type& keys, const std::optional<std::string>& chosen, SortOrder order,
                                        const Execution& execution) {
    constexpr uint64_t most = 48;
    std::vector<KeyField> fields = radix_fields(keys, chosen, order);
    if (execution.is_host() || keys.size() <= most) return fields;
    throw InvalidArgument(operation, "keys of type " + keys.name(),
                          "they have " + std::to_string(keys.size()) + " bytes, and on a device at most " +
                              std::to_string(most) + " can be sorted by their bits",
                          "use a merge sort, with an operator made from the chosen fields");
}

}  // namespace

struct RadixSort::State {
    Target target;
    SortOrder order;
    Type keys;
    std::optional<std::string> chosen;  // as they were given
    std::vector<KeyField> fields;       // that are compared
    std::optional<Type> values;
    uint64_t all_bits;
    Iterator key_input;
    std::optional<Iterator> value_input;
    Programs<Program> programs;

    State(SortOrder order_, const Type& keys_, std::optional<std::string> chosen_, const std::optional<Type>& values_,
          const Execution& execution, const BuildOptions& options)
        : target(execution, options),
          order(order_),
          keys(keys_),
          chosen(std::move(chosen_)),
          fields(fields_to_compare(keys, chosen, order, execution)),
          values(values_),
          all_bits(compared_bits(fields)),
          key_input(Iterator::pointer(keys_)),
          value_input(values_ ? std::optional(Iterator::pointer(*values_)) : std::nullopt),
          programs(target,
                   [this](Width width) { return make_request(order, keys, fields, values, width, target.tuning()); }) {}

    uint64_t value_size() const { return values ? values->size() : 0; }

    // The number of bits compared; `call` for the error.
    uint64_t check_bits(const BitRange& bits, int32_t& end) const {
        const auto all = static_cast<int32_t>(all_bits);
        end = bits.end.value_or(all);
        if (bits.begin < 0 || end > all || bits.begin > end) {
            throw InvalidArgument(operation, "bits [" + std::to_string(bits.begin) + ", " + std::to_string(end) + ")",
                                  "expected a range within the " + std::to_string(all) + " bits of " +
                                      (chosen ? "the fields '" + *chosen + "'" : keys.name()));
        }
        return static_cast<uint64_t>(end - bits.begin);
    }

    uint64_t storage_bytes(uint64_t count, const BitRange& bits, bool is_between) const;
    // `is_between`: the input may be overwritten. Returns whether the result is where the output goes; else, between
    // two arrays, it is where the input was.
    bool run(const core::StreamRef& stream, const Input& keys_in, const Output& keys_out, const Input* values_in,
             const Output* values_out, uint64_t count, const BitRange& bits, const CallOptions& options,
             bool is_between) const;
    void run_between(const core::StreamRef& stream, DoubleBuffer& keys, DoubleBuffer* values, uint64_t count,
                     const BitRange& bits, const CallOptions& options) const;
    bool run_sweeps(const Call& call, const Program& program, core::DevicePointer keys_in, core::DevicePointer keys_out,
                    core::DevicePointer values_in, core::DevicePointer values_out, int32_t begin_bit, int32_t end_bit,
                    const CallOptions& options, bool is_between) const;
    void require_values(bool are_given) const;
};

RadixSort::RadixSort(SortOrder order, const Type& keys, const std::optional<Type>& values, const Execution& execution,
                     const BuildOptions& options) {
    state_ = std::make_shared<const State>(order, keys, std::nullopt, values, execution, options);
    if (state_->target.is_host()) host_execution::check_available();
}

RadixSort::RadixSort(std::string_view fields, const Type& keys, const std::optional<Type>& values,
                     const Execution& execution, const BuildOptions& options) {
    state_ = std::make_shared<const State>(SortOrder::ascending, keys, std::string(fields), values, execution, options);
    if (state_->target.is_host()) host_execution::check_available();
}

uint64_t RadixSort::temp_storage_bytes(uint64_t count, const BitRange& bits) const {
    return state_->storage_bytes(count, bits, false);
}

uint64_t RadixSort::double_buffer_storage_bytes(uint64_t count, const BitRange& bits) const {
    return state_->storage_bytes(count, bits, true);
}

uint64_t RadixSort::State::storage_bytes(uint64_t count, const BitRange& bits, bool is_between) const {
    int32_t end = 0;
    const uint64_t number = check_bits(bits, end);
    if (target.is_host()) return 0;
    check_count(operation, count, std::max(keys.size(), value_size()));
    const Program& program = programs.for_count(count);
    if (number == 0 || count <= program.single_tile_items) return 0;
    return Plan(program, count, number, keys.size(), value_size(), is_between).storage.size();
}

void RadixSort::State::require_values(bool are_given) const {
    if (are_given == values.has_value()) return;
    throw InvalidArgument(operation, "values",
                          are_given ? "they are given, but this sort was built for keys alone"
                                    : "none are given, but this sort was built for keys and values");
}

void RadixSort::operator()(core::StreamRef stream, const Input& keys_in, const Output& keys_out, uint64_t count,
                           const BitRange& bits, const CallOptions& options) const {
    state_->require_values(false);
    state_->run(stream, keys_in, keys_out, nullptr, nullptr, count, bits, options, false);
}

void RadixSort::operator()(core::StreamRef stream, const Input& keys_in, const Output& keys_out, const Input& values_in,
                           const Output& values_out, uint64_t count, const BitRange& bits,
                           const CallOptions& options) const {
    state_->require_values(true);
    state_->run(stream, keys_in, keys_out, &values_in, &values_out, count, bits, options, false);
}

void RadixSort::operator()(core::StreamRef stream, DoubleBuffer& keys, uint64_t count, const BitRange& bits,
                           const CallOptions& options) const {
    state_->require_values(false);
    state_->run_between(stream, keys, nullptr, count, bits, options);
}

void RadixSort::operator()(core::StreamRef stream, DoubleBuffer& keys, DoubleBuffer& values, uint64_t count,
                           const BitRange& bits, const CallOptions& options) const {
    state_->require_values(true);
    state_->run_between(stream, keys, &values, count, bits, options);
}

void RadixSort::State::run_between(const core::StreamRef& stream, DoubleBuffer& keys_, DoubleBuffer* values_,
                                   uint64_t count, const BitRange& bits, const CallOptions& options) const {
    for (const DoubleBuffer* const buffer :
         {static_cast<const DoubleBuffer*>(&keys_), static_cast<const DoubleBuffer*>(values_)}) {
        if (buffer == nullptr) continue;
        if (buffer->current().iterator() == nullptr && buffer->alternate().iterator() == nullptr) continue;
        throw InvalidArgument(operation, buffer == values_ ? "values" : "keys",
                              "an iterator is in a double buffer, expected memory");
    }
    const Input keys_in = input_of(keys_.current());
    const Input values_in = values_ != nullptr ? input_of(values_->current()) : keys_in;
    const Output* const values_out = values_ != nullptr ? &values_->alternate() : nullptr;
    if (!run(stream, keys_in, keys_.alternate(), values_ != nullptr ? &values_in : nullptr, values_out, count, bits,
             options, true)) {
        return;
    }
    keys_.swap();
    if (values_ != nullptr) values_->swap();
}

bool RadixSort::State::run(const core::StreamRef& stream, const Input& keys_in, const Output& keys_out,
                           const Input* values_in, const Output* values_out, uint64_t count, const BitRange& bits,
                           const CallOptions& options, bool is_between) const {
    if (target.is_host()) {
        int32_t end = 0;
        check_bits(bits, end);
        const HostCall call{operation, stream, options, count};
        const SortMemory memory{keys, values ? &*values : nullptr, keys_in, keys_out, values_in, values_out};
        if (keys.is_structure()) {
            sort_fields_on_host(call, memory, fields, bits.begin, end);
        } else {
            sort_on_host(call, memory, order, bits.begin, end);
        }
        return true;
    }
    const Call call{operation, target.device(), stream, count};
    check_stream(call);
    check_input(call, "input keys", key_input, keys_in);
    check_output(call, "output keys", keys, keys_out, count);
    if (values) {
        check_input(call, "input values", *value_input, *values_in);
        check_output(call, "output values", *values, *values_out, count);
    }
    int32_t end_bit = 0;
    const uint64_t number = check_bits(bits, end_bit);
    if (count == 0) return true;
    const core::DevicePointer key_source = keys_in.address();
    const core::DevicePointer value_source = values ? values_in->address() : 0;
    const core::DevicePointer value_target = values ? values_out->address() : 0;
    if (overlap(key_source, count * keys.size(), keys_out.address(), count * keys.size())) {
        throw_overlap(call.operation, "input keys", "output keys");
    }
    if (overlap(value_source, count * value_size(), value_target, count * value_size())) {
        throw_overlap(call.operation, "input values", "output values");
    }
    const Program& program = programs.for_count(count);
    if (number == 0) {
        if (is_between) return false;
        const auto copy = [&](core::DevicePointer from, core::DevicePointer to, uint64_t size) {
            core::BufferRef::from_handle(to, size, target.device().device_id())
                .copy_from(core::BufferRef::from_handle(from, size, target.device().device_id()), stream);
        };
        copy(key_source, keys_out.address(), count * keys.size());
        if (values) copy(value_source, value_target, count * value_size());
    } else if (count <= program.single_tile_items) {
        launch_kernel(stream, 1, program.single_tile_threads, program.single_tile, key_source, keys_out.address(),
                      value_source, value_target, Offset{count, program.wide}, bits.begin, end_bit, uint8_t{0});
    } else {
        return run_sweeps(call, program, key_source, keys_out.address(), value_source, value_target, bits.begin,
                          end_bit, options, is_between);
    }
    return true;
}

bool RadixSort::State::run_sweeps(const Call& call, const Program& program, core::DevicePointer keys_in,
                                  core::DevicePointer keys_out, core::DevicePointer values_in,
                                  core::DevicePointer values_out, int32_t begin_bit, int32_t end_bit,
                                  const CallOptions& options, bool is_between) const {
    const core::StreamRef& stream = call.stream;
    const uint64_t count = call.count;
    const uint64_t value_bytes = value_size();
    const Plan plan(program, count, static_cast<uint64_t>(end_bit - begin_bit), keys.size(), value_bytes, is_between);
    const Workspace workspace(call, plan.storage.size(), options);
    constexpr uint8_t decomposer = 0;  // an empty struct, CUB's own or decomposer_t

    const uint64_t cleared_to = plan.clears_all_at_once ? plan.lookback + plan.passes * plan.lookback_bytes
                                                        : plan.counters + plan.portions * plan.passes * sizeof(int32_t);
    clear(stream, workspace[plan.bins], cleared_to - plan.bins, target.device().device_id());
    const Shape& shape = plan.shape;
    const core::LaunchConfig histogram{grid_of(shape.histogram_blocks), static_cast<uint32_t>(shape.histogram_threads),
                                       shape.histogram_bytes};
    launch_kernel(stream, histogram, shape.histogram, workspace[plan.bins], keys_in, Offset{count, program.wide},
                  begin_bit, end_bit, decomposer);
    launch_kernel(stream, plan.passes, program.exclusive_sum_threads, program.exclusive_sum, workspace[plan.bins]);

    // The first pass leaves the input; the last one ends in the output. Between two arrays each pass goes to the other.
    const auto destination = [&](uint64_t pass, core::DevicePointer input, core::DevicePointer output,
                                 uint64_t temporary) {
        if (is_between) return pass % 2 == 0 ? output : input;
        return (plan.passes - 1 - pass) % 2 == 0 ? output : workspace[temporary];
    };
    core::DevicePointer key_source = keys_in;
    core::DevicePointer value_source = values_in;
    const uint64_t bins_bytes = program.digits * program.offset_size;
    for (uint64_t pass = 0; pass < plan.passes; ++pass) {
        const core::DevicePointer key_target = destination(pass, keys_in, keys_out, plan.keys);
        const core::DevicePointer value_target = destination(pass, values_in, values_out, plan.values);
        const int32_t bit = begin_bit + static_cast<int32_t>(pass * program.radix_bits);
        const int32_t bits = std::min(end_bit - bit, static_cast<int32_t>(program.radix_bits));
        for (uint64_t portion = 0; portion < plan.portions; ++portion) {
            const uint64_t first = portion * plan.portion_items;
            const uint64_t items = std::min(count - first, plan.portion_items);
            const uint64_t blocks = ceil_divide(items, shape.tile_items);
            uint64_t lookback = plan.lookback;
            if (plan.clears_all_at_once) {
                lookback += pass * plan.lookback_bytes;
            } else {
                clear(stream, workspace[lookback], blocks * program.digits * sizeof(int32_t),
                      target.device().device_id());
            }
            const uint64_t index = portion * plan.passes + pass;
            const core::DevicePointer next_bins =
                portion + 1 < plan.portions ? workspace[plan.bins + (index + plan.passes) * bins_bytes] : 0;
            launch_kernel(stream, blocks, shape.onesweep_threads, shape.onesweep, workspace[lookback],
                          workspace[plan.counters + index * sizeof(int32_t)], next_bins,
                          workspace[plan.bins + index * bins_bytes], key_target, key_source + first * keys.size(),
                          value_target, value_source + first * value_bytes, static_cast<int32_t>(items), bit, bits,
                          decomposer);
        }
        key_source = key_target;
        value_source = value_target;
    }
    return key_source == keys_out;
}

SortOrder RadixSort::order() const {
    return state_->order;
}
const std::optional<std::string>& RadixSort::fields() const {
    return state_->chosen;
}
const Type& RadixSort::key_type() const {
    return state_->keys;
}
const std::optional<Type>& RadixSort::value_type() const {
    return state_->values;
}

std::string RadixSort::save() const {
    return state_->programs.save();
}

namespace {

void sort_by(const HostSort& what, SortOrder order, const Execution& execution) {
    const Execution target = runnable("sorting", execution);
    what.check();
    const RadixSort built = kept_or_built(
        CallKey("radix_sort", target).add(static_cast<int32_t>(order)).add(what.keys.type).add(what.value_type()),
        [&] { return RadixSort(order, what.keys.type, what.value_type(), target); });
    sort_elements(built, what, nullptr, target);
}

}  // namespace

void sort(const HostOutput& keys, const std::optional<HostOutput>& values, SortOrder order,
          const Execution& execution) {
    sort_by(HostSort::in_place(keys, values), order, execution);
}

void sort(const HostInput& keys, const HostOutput& sorted, const std::optional<HostInput>& values,
          const std::optional<HostOutput>& moved, SortOrder order, const Execution& execution) {
    sort_by({keys, sorted, values, moved}, order, execution);
}

}  // namespace cuprum::parallel
