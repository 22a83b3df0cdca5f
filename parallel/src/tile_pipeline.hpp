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

// Tiles are taken one at a time, by a block that knows all tiles before its last one: as these become known in their
// order, blocks take tiles in that order too, and all move on together. A block that takes its next tile as soon as the
// last one has arrived may have two that are close together, and everyone waits for the second (measured on an H200 for
// 2^28 floats: 1.08 of the time).
//
// Each block adds up what the tiles since its last one come to, rather than to look for a tile that knows its prefix:
// each waits for tiles to be read, and for nobody's waiting. Its threads ask for as many totals as they are, and then
// for the next: to ask for all at once, or for fewer that stand for several tiles, takes longer, since most are not
// there yet, and a line of the cache that is asked for can be written the later (up to 6 times).
constexpr std::string_view tile_pipeline = R"(
#ifdef CUPRUM_IS_TUNED
constexpr int pipeline_threads = CUPRUM_TUNED_THREADS, pipeline_vectors = CUPRUM_TUNED_VECTORS;
constexpr int pipeline_blocks = CUPRUM_TUNED_BLOCKS;
constexpr long long pipeline_from = CUPRUM_TUNED_FROM;
static_assert(pipeline_threads % 32 == 0 && pipeline_threads > 0, "threads must be a multiple of 32");
template <class T, int Threads, int Vectors> struct cuprum_tiles {
    static constexpr int items = Vectors * 16 / sizeof(T), tile_items = Threads * items;
    struct storage_t {
        uint4 data[2][Threads * Vectors];
        unsigned long long full[2];  // mbarriers
        int tiles[2];
    };
    storage_t& storage;
    const T* in;
    unsigned* counter;
    unsigned long long n;
    int tile_count;

    static __device__ __forceinline__ unsigned shared_address(const void* p) {
        return static_cast<unsigned>(__cvta_generic_to_shared(p));
    }
    static __device__ __forceinline__ bool is_issuer() { return threadIdx.x == Threads - 32; }
    __device__ __forceinline__ int size_of(int tile) const {
        const unsigned long long left = n - static_cast<unsigned long long>(tile) * tile_items;
        return left < tile_items ? static_cast<int>(left) : tile_items;
    }
    // By the issuer: the next tile that nobody has, into a stage that nobody uses. The copy takes multiples of 16 bytes.
    __device__ __forceinline__ void take(int stage) {
        const int tile = static_cast<int>(atomicAdd(counter, 1u));
        storage.tiles[stage] = tile;
        if (tile >= tile_count) return;
        const unsigned bytes = static_cast<unsigned>(size_of(tile) * sizeof(T)) & ~15u;
        const unsigned full = shared_address(&storage.full[stage]);
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(full), "r"(bytes) : "memory");
        if (bytes == 0) return;
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                     ::"r"(shared_address(storage.data[stage])),
                       "l"(in + static_cast<unsigned long long>(tile) * tile_items), "r"(bytes), "r"(full) : "memory");
    }
    __device__ __forceinline__ void begin() {
        if (is_issuer()) {
            for (int stage = 0; stage < 2; ++stage)
                asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(&storage.full[stage])) : "memory");
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
            asm volatile("griddepcontrol.wait;" ::: "memory");
            take(0);
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
                x[i] = in[static_cast<unsigned long long>(tile) * tile_items + (at < size ? at : size - 1)];
        }
    }
};
// What the tiles come to, for all blocks: words of 32 bits, each beside a mark that it is there, so that word and mark
// are one access.
template <class T> struct cuprum_totals {
    static constexpr int words = (sizeof(T) + 3) / 4;
    unsigned long long* marked;
    __device__ __forceinline__ void put(int tile, const T& total) const {
        unsigned word[words] = {};
        memcpy(word, &total, sizeof(T));
#pragma unroll
        for (int w = 0; w < words; ++w)
            asm volatile("st.relaxed.gpu.u64 [%0], %1;"
                         ::"l"(marked + static_cast<unsigned long long>(tile) * words + w), "l"(1ull << 32 | word[w])
                         : "memory");
    }
    // Waits for it.
    __device__ __forceinline__ T get(int tile) const {
        unsigned word[words];
#pragma unroll
        for (int w = 0; w < words; ++w) {
            unsigned long long found;  // its upper half is the mark
            do {
                asm volatile("ld.relaxed.gpu.u64 %0, [%1];"
                             : "=l"(found) : "l"(marked + static_cast<unsigned long long>(tile) * words + w) : "memory");
            } while (found >> 32 == 0);
            word[w] = static_cast<unsigned>(found);
        }
        T total;
        memcpy(&total, word, sizeof(T));
        return total;
    }
};
// The totals of all tiles before a block's, added up by all its threads, in order.
template <class T, class Op, int Threads> struct cuprum_prefix {
    static constexpr int warps = Threads / 32;
    struct storage_t {
        T of_warp[warps];
        typename cub::WarpReduce<T>::TempStorage reduce[warps];
    };
    storage_t& storage;
    cuprum_totals<T> totals;
    Op op;
    T value;  // of the tiles before `end`, and of what is before all of them
    bool has_value;
    int end;
    __device__ __forceinline__ void add(const T& next) {
        value = has_value ? op(value, next) : next;
        has_value = true;
    }
    __device__ __forceinline__ void reach(int tile) {
        const int warp = threadIdx.x / 32;
        while (end < tile) {
            const int left = tile - (end + warp * 32);
            if (left > 0) {
                const int mine = end + static_cast<int>(threadIdx.x);
                const T total = totals.get(mine < tile ? mine : tile - 1);
                cub::WarpReduce<T> reduce(storage.reduce[warp]);
                const T sum = left >= 32 ? reduce.Reduce(total, op) : reduce.Reduce(total, op, left);
                if (threadIdx.x % 32 == 0) storage.of_warp[warp] = sum;
            }
            __syncthreads();
#pragma unroll
            for (int w = 0; w < warps; ++w)
                if (end + w * 32 < tile) add(storage.of_warp[w]);
            end += Threads;
            if (end < tile) __syncthreads();
        }
        end = tile;
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
    // The counter of tiles, then what they come to.
    static constexpr uint64_t counter_words = 2;
    uint64_t storage_bytes(uint64_t count) const {
        return (counter_words + tiles(count) * words_per_tile) * sizeof(uint64_t);
    }

    static uint64_t storage_bytes(const std::optional<TilePipeline>& pipeline, uint64_t count) {
        return pipeline ? pipeline->storage_bytes(count) : 0;
    }

    // `parameters`: the kernel's, which end with the counter, the marked words, the count and the number of tiles.
    template <class... Parameters>
    void launch(const core::StreamRef& stream, core::DevicePointer storage, uint64_t count,
                const Parameters&... parameters) const {
        constexpr int64_t init_threads = 256;
        const uint64_t words = storage_bytes(count) / sizeof(uint64_t);
        launch_kernel(stream, ceil_divide(words, static_cast<uint64_t>(init_threads)), init_threads, init, storage,
                      words);
        launch_kernel(stream, overlapping(std::min(blocks, tiles(count)), static_cast<int64_t>(threads), true), sweep,
                      parameters..., storage, storage + counter_words * sizeof(uint64_t), count,
                      static_cast<int32_t>(tiles(count)));
    }
};

}  // namespace cuprum::parallel
