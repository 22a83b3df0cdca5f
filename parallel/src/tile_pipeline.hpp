// Kernels whose blocks stay and take tiles in turns, for compute capability 9.0 and newer, where a copy engine brings
// the next tile into shared memory (cp.async.bulk, PTX ISA 8.0) while the threads are at one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "call.hpp"
#include "kernel_overlap.hpp"
#include "tuning.hpp"

namespace cuprum::parallel {

// The blocks that run take turns: each has every so-manieth tile. How many there are is known once the first block has
// looked how many have begun; one that begins later has nothing to do. So no tile waits for a block that is not there,
// as it might be where others occupy the device, and a block's tiles are always as far apart: where each block takes
// the next free tile as soon as it can, some have tiles that are close together, and all wait for these (measured on an
// H200 for 2^28 floats: twice the time).
//
// A block looks for no tile that knows its prefix: it adds up what the tiles since its last one come to. So each waits
// for tiles to be read, and for nobody's waiting but that of the last tile of a group, which says what the group comes
// to.
constexpr std::string_view tile_pipeline = R"(
#ifdef CUPRUM_IS_TUNED
constexpr int pipeline_threads = CUPRUM_TUNED_THREADS, pipeline_vectors = CUPRUM_TUNED_VECTORS;
constexpr int pipeline_blocks = CUPRUM_TUNED_BLOCKS;
constexpr long long pipeline_from = CUPRUM_TUNED_FROM;
static_assert(pipeline_threads % 32 == 0 && pipeline_threads > 0, "threads must be a multiple of 32");
template <class T, int Threads, int Vectors> struct cuprum_tiles {
    static constexpr int items = Vectors * 16 / sizeof(T), tile_items = Threads * items;
    static constexpr unsigned are_counted = 1u << 31;
    struct storage_t {
        uint4 data[2][Threads * Vectors];
        unsigned long long full[2];  // mbarriers
        int tiles[2];
    };
    storage_t& storage;
    const T* in;
    unsigned* begun;  // blocks, with a mark once they are counted; behind it how many there are
    unsigned long long n;
    int tile_count;
    int taken = 0, blocks = 0;  // of the issuer: its newest tile, and how many blocks there are, once it has asked

    static __device__ __forceinline__ unsigned shared_address(const void* p) {
        return static_cast<unsigned>(__cvta_generic_to_shared(p));
    }
    static __device__ __forceinline__ bool is_issuer() { return threadIdx.x == Threads - 32; }
    __device__ __forceinline__ int size_of(int tile) const {
        const unsigned long long left = n - static_cast<unsigned long long>(tile) * tile_items;
        return left < tile_items ? static_cast<int>(left) : tile_items;
    }
    __device__ __forceinline__ const T* begin_of(int tile) const {
        return in + static_cast<unsigned long long>(tile) * tile_items;
    }
    // What a copy takes of it: a multiple of 16.
    __device__ __forceinline__ unsigned bytes_of(int tile) const {
        return static_cast<unsigned>(size_of(tile) * sizeof(T)) & ~15u;
    }
    // By the issuer: the block's next tile, into a stage that nobody uses.
    __device__ __forceinline__ void load(int stage) {
        storage.tiles[stage] = taken;
        if (taken >= tile_count) return;
        const unsigned bytes = bytes_of(taken);
        const unsigned full = shared_address(&storage.full[stage]);
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(full), "r"(bytes) : "memory");
        if (bytes == 0) return;
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                     ::"r"(shared_address(storage.data[stage])), "l"(begin_of(taken)), "r"(bytes), "r"(full)
                     : "memory");
    }
    __device__ __forceinline__ void take(int stage) {
        while (blocks == 0) asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(blocks) : "l"(begun + 1) : "memory");
        taken += blocks;
        load(stage);
    }
    // By the first block: those that have not begun when it ends stay without a tile. They all begin at once, unless
    // something else is on the device.
    __device__ __forceinline__ void count_blocks() {
        unsigned count = 1;
        for (int tries = 0; tries < 16 && count < gridDim.x; ++tries)
            asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(count) : "l"(begun) : "memory");
        blocks = static_cast<int>(atomicOr(begun, are_counted));
        asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(begun + 1), "r"(blocks) : "memory");
    }
    __device__ __forceinline__ void begin() {
        if (is_issuer()) {
            for (int stage = 0; stage < 2; ++stage)
                asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(&storage.full[stage])) : "memory");
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
            asm volatile("griddepcontrol.wait;" ::: "memory");
            const unsigned before = atomicAdd(begun, 1u);
            taken = before < are_counted ? static_cast<int>(before) : tile_count;
            load(0);
            if (before == 0) count_blocks();
        }
        __syncthreads();
        asm volatile("griddepcontrol.wait;" ::: "memory");
    }
    // This thread's items of a tile, at the stage's use of that parity; beyond the end the last one again.
    __device__ __forceinline__ void read(int stage, unsigned parity, int tile, int size, T (&x)[items]) {
        unsigned is_full;
        do {
            asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                         : "=r"(is_full) : "r"(shared_address(&storage.full[stage])), "r"(parity) : "memory");
        } while (is_full == 0);
        uint4 vectors[Vectors];
#pragma unroll
        for (int v = 0; v < Vectors; ++v) vectors[v] = storage.data[stage][threadIdx.x * Vectors + v];
        memcpy(x, vectors, sizeof(x));
        if (size == tile_items) return;
        const int copied = static_cast<int>((size * sizeof(T) & ~15ull) / sizeof(T));
#pragma unroll
        for (int i = 0; i < items; ++i) {
            const int at = threadIdx.x * items + i;
            if (at >= copied)
                x[i] = begin_of(tile)[at < size ? at : size - 1];
        }
    }
};
// What tiles come to, or groups of tiles, for all blocks: words of 32 bits, each beside a mark that it is there, so that
// word and mark are one access. A line of the cache has those of tiles that are far apart: while blocks ask for one of
// them, another cannot be written (on an H200 2^24 floats took 0.8 of the time then).
template <class T> struct cuprum_totals {
    static constexpr int words = (sizeof(T) + 3) / 4, of_line = 16 / words;
    unsigned long long* marked;
    int log2_lines;  // 2^10 at least, and enough
    __device__ __forceinline__ unsigned long long* place_of(int which) const {
        const int line = which & ((1 << log2_lines) - 1), in_line = which >> log2_lines;
        return marked + static_cast<unsigned long long>(line) * 16 + in_line * words;
    }
    __device__ __forceinline__ void put(int which, const T& total) const {
        unsigned word[words] = {};
        memcpy(word, &total, sizeof(T));
#pragma unroll
        for (int w = 0; w < words; ++w)
            asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(place_of(which) + w), "l"(1ull << 32 | word[w]) : "memory");
    }
    // Waits for it.
    __device__ __forceinline__ T get(int which) const {
        unsigned word[words];
#pragma unroll
        for (int w = 0; w < words; ++w) {
            unsigned long long found;
            do {
                asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(found) : "l"(place_of(which) + w) : "memory");
            } while (found >> 32 == 0);
            word[w] = static_cast<unsigned>(found);
        }
        T total;
        memcpy(&total, word, sizeof(T));
        return total;
    }
};
// What all tiles before a block's come to, in order. Groups of tiles whose totals are long known are read as one number
// each; of the last ones, for which blocks would wait at one place, the tiles are. A warp adds up 32 numbers.
template <class T, class Op, int Threads> struct cuprum_prefix {
    static constexpr int group_tiles = 32, groups_by_tiles = 5, parts = groups_by_tiles + 1;
    static constexpr int warps = Threads / 32;
    struct storage_t {
        T of_parts[parts];
        typename cub::WarpReduce<T>::TempStorage reduce[warps];
    };
    storage_t& storage;
    cuprum_totals<T> tiles, groups;
    Op op;
    T value;  // of what is before all tiles and of the groups before `group`; after reach(), of all before the tile
    bool has_value;
    T of_groups_before;
    bool has_groups_before;
    int group;

    // `first`: what is before all tiles, if `has_first`. `marked`: of the tiles, then of the groups.
    __device__ __forceinline__ cuprum_prefix(storage_t& storage_, unsigned long long* marked, int log2_tile_lines,
                                             int log2_group_lines, Op op_, const T& first, bool has_first)
        : storage(storage_), tiles{marked, log2_tile_lines},
          groups{marked + (16ull << log2_tile_lines), log2_group_lines}, op(op_), of_groups_before(first),
          has_groups_before(has_first), group(0) {}
    // Of `count` totals from `first` on; 1 to 32. By a whole warp, its first lane has the sum.
    __device__ __forceinline__ T sum_of(const cuprum_totals<T>& totals, int first, int count) const {
        const int lane = threadIdx.x % 32;
        const T total = totals.get(first + (lane < count ? lane : count - 1));
        cub::WarpReduce<T> reduce(storage.reduce[threadIdx.x / 32]);
        const T sum = count == 32 ? reduce.Reduce(total, op) : reduce.Reduce(total, op, count);
        __syncwarp();
        return sum;
    }
    static __device__ __forceinline__ int up_to_32(int count) { return count < 32 ? count : 32; }
    // By all threads of a block, after `tiles` has been given the total of `tile`.
    __device__ __forceinline__ void reach(int tile, const T& total) {
        const int lane = threadIdx.x % 32;
        const int own = tile / group_tiles, known = own < groups_by_tiles - 1 ? 0 : own - (groups_by_tiles - 1);
        // The last part first: others wait for what the group comes to.
        for (int part = parts - 1 - static_cast<int>(threadIdx.x) / 32; part >= 0; part -= warps) {
            if (part == 0) {
                if (group == known) continue;
                T sum = sum_of(groups, group, up_to_32(known - group));
                for (int next = group + 32; next < known; next += 32)
                    sum = op(sum, sum_of(groups, next, up_to_32(known - next)));
                if (lane == 0) storage.of_parts[0] = sum;
                continue;
            }
            const int first = (known + part - 1) * group_tiles;
            const bool is_own = first <= tile && tile < first + group_tiles;
            T sum = total;
            if (first < tile) {
                sum = sum_of(tiles, first, up_to_32(tile - first));
                if (lane == 0) storage.of_parts[part] = sum;
                sum = op(sum, total);
            }
            if (is_own && lane == 0 && tile == first + group_tiles - 1) groups.put(own, sum);
        }
        __syncthreads();
        if (group < known) {
            of_groups_before = has_groups_before ? op(of_groups_before, storage.of_parts[0]) : storage.of_parts[0];
            has_groups_before = true;
            group = known;
        }
        value = of_groups_before;
        has_value = has_groups_before;
#pragma unroll
        for (int part = 1; part < parts; ++part) {
            if ((known + part - 1) * group_tiles < tile) {
                value = has_value ? op(value, storage.of_parts[part]) : storage.of_parts[part];
                has_value = true;
            }
        }
    }
};
__global__ void cuprum_init_pipeline(unsigned long long* words, unsigned long long count) {
    asm volatile("griddepcontrol.launch_dependents;");
    const unsigned long long i = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) words[i] = 0;
}
#else
constexpr int pipeline_threads = 0, pipeline_vectors = 0, pipeline_blocks = 0;
constexpr long long pipeline_from = 0;
__global__ void cuprum_init_pipeline() {}
#endif
)";

// What a program with such a kernel has compiled. `total`: the C++ type of what a tile comes to, `element` of what it
// reads.
struct TilePipeline {
    core::Kernel init, sweep;
    uint64_t threads, tile_items, words_per_tile, blocks, least_bytes;

    // Elements that a thread reads 16 bytes of at a time.
    static bool takes(const Iterator& iterator) {
        const uint64_t size = iterator.value_type().size();
        return iterator.kind() == Iterator::Kind::pointer && (size == 4 || size == 8 || size == 16);
    }
    // `kernel`: the text of the sweep.
    static void add_source(SourceBuilder& source, const Tunings& tunings, std::string_view kernel) {
        source.line(tuning_lines(tunings));
        source.line(tile_pipeline);
        source.line(kernel);
    }
    static void add(BuildRequest& request, const std::string& sweep, const std::string& total,
                    const std::string& element) {
        request.kernels.emplace_back("cuprum_init_pipeline");
        request.kernels.push_back(sweep);
        request.constants.push_back({"pipeline's threads", "pipeline_threads"});
        request.constants.push_back({"pipeline's blocks", "pipeline_blocks"});
        request.constants.push_back({"pipeline's least bytes", "pipeline_from"});
        request.constants.push_back({"pipeline's items", "pipeline_vectors * 16 / sizeof(" + element + ")"});
        request.constants.push_back({"pipeline's words", "(sizeof(" + total + ") + 3) / 4"});
    }
    // The program's last two kernels are of it; none where it has not been added, or the architecture has no row.
    static std::optional<TilePipeline> of(const core::Device& device, const CompiledProgram& compiled) {
        constexpr std::string_view threads = "pipeline's threads";
        if (!compiled.has_constant(threads) || compiled.size(threads) == 0) return std::nullopt;
        const size_t last = compiled.kernel_count() - 1;
        TilePipeline pipeline{compiled.kernel(last - 1),
                              compiled.kernel(last),
                              compiled.positive_size("pipeline's threads"),
                              compiled.positive_size("pipeline's items") * compiled.positive_size("pipeline's threads"),
                              compiled.positive_size("pipeline's words"),
                              compiled.positive_size("pipeline's blocks"),
                              compiled.size("pipeline's least bytes")};
        const auto processors = static_cast<uint64_t>(device.properties().multiprocessor_count);
        pipeline.blocks = std::min(pipeline.blocks * processors,
                                   resident_blocks(device, pipeline.sweep, static_cast<int64_t>(pipeline.threads)));
        return pipeline;
    }
    // `first`, `second`: what is read and written; 0 for what need not be aligned. A tile's number is an int.
    bool serves(uint64_t count, uint64_t element_size, core::DevicePointer first, core::DevicePointer second) const {
        constexpr uint64_t vector = 16;
        return count * element_size >= least_bytes && first % vector == 0 && second % vector == 0 &&
               tiles(count) < uint64_t{1} << 30;
    }
    uint64_t tiles(uint64_t count) const { return ceil_divide(count, tile_items); }

    // The temporary storage of a call, in words of 64 bits: the blocks that have begun, then what tiles come to and
    // what whole groups of them do, in lines of the cache.
    struct Storage {
        static constexpr uint64_t line_words = 16, group_tiles = 32;
        int32_t log2_tile_lines, log2_group_lines;

        // More lines than tiles, or groups, that are looked at around the same time.
        Storage(uint64_t tiles, uint64_t words_per_tile)
            : log2_tile_lines(log2_lines(tiles, words_per_tile, 10)),
              log2_group_lines(log2_lines(tiles / group_tiles, words_per_tile, 6)) {}
        uint64_t words() const {
            return line_words * (1 + (uint64_t{1} << log2_tile_lines) + (uint64_t{1} << log2_group_lines));
        }
        static int32_t log2_lines(uint64_t totals, uint64_t words_of_one, int32_t least) {
            const uint64_t of_line = line_words / words_of_one;
            int32_t log2 = least;
            while ((of_line << log2) < totals)
                ++log2;
            return log2;
        }
    };
    uint64_t storage_bytes(uint64_t count) const {
        return Storage(tiles(count), words_per_tile).words() * sizeof(uint64_t);
    }

    static uint64_t storage_bytes(const std::optional<TilePipeline>& pipeline, uint64_t count) {
        return pipeline ? pipeline->storage_bytes(count) : 0;
    }

    // `parameters`: the kernel's, which end with where blocks are counted, the marked words, the count, the number of
    // tiles and the logarithms of the lines.
    template <class... Parameters>
    void launch(const core::StreamRef& stream, core::DevicePointer memory, uint64_t count,
                const Parameters&... parameters) const {
        constexpr int64_t init_threads = 256;
        const uint64_t tile_count = tiles(count);
        const Storage storage(tile_count, words_per_tile);
        launch_kernel(stream, ceil_divide(storage.words(), static_cast<uint64_t>(init_threads)), init_threads, init,
                      memory, storage.words());
        launch_kernel(stream, overlapping(std::min(blocks, tile_count), static_cast<int64_t>(threads), true), sweep,
                      parameters..., memory, memory + Storage::line_words * sizeof(uint64_t), count,
                      static_cast<int32_t>(tile_count), storage.log2_tile_lines, storage.log2_group_lines);
    }
};

}  // namespace cuprum::parallel
