// What MinMax and ArgReduce have in common: the blocks of one kernel find the extremes of their elements, and one block
// of the next those of the blocks, unless there was one block alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "call.hpp"
#include "kernel_overlap.hpp"
#include "vector_tiles.hpp"

namespace cuprum::parallel {

// The second kernel's block is there, and waits, while the first kernel is at work.
constexpr std::string_view block_extremes = R"(
constexpr int threads = 256;
constexpr int items = sizeof(value_t) >= 4 ? 64 / sizeof(value_t) : 16;
constexpr int tile_items = threads * items;
using tile_t = vector_tile<value_t, input_t, threads, items>;
// A thread's elements from its block's first tile on, in their order: look(element, position).
template <class Look> __device__ __forceinline__ void look_at_elements(const input_t& in, offset_t begin, offset_t n, Look look) {
    const offset_t step = static_cast<offset_t>(gridDim.x) * tile_items;
    for (; begin < n; begin += step) {
        if (n - begin < tile_items) {
            for (offset_t at = begin + threadIdx.x; at < n; at += threads) look(in[at], at);
            break;
        }
        value_t elements[items];
        tile_t::read(in, begin, elements);
        #pragma unroll
        for (int i = 0; i < items; ++i) look(elements[i], begin + tile_t::place(i));
    }
}
// A thread's part of the results of `n` blocks, at least one.
template <class T, class Get, class Op> __device__ __forceinline__ T combine_blocks(int n, Get get, Op op) {
    constexpr int at_once = 8;
    T found = get(0);
    for (int begin = threadIdx.x; begin < n; begin += threads * at_once) {
        T next[at_once];
        #pragma unroll
        for (int i = 0; i < at_once; ++i) next[i] = get(begin + i * threads < n ? begin + i * threads : begin);
        #pragma unroll
        for (int i = 0; i < at_once; ++i) found = op(found, next[i]);
    }
    return found;
}
)";

struct BlockExtremes {
    core::Kernel sweep, of_blocks;
    int64_t threads;
    uint64_t tile_items, most_blocks;
    bool wide, overlaps;

    // `kernels`: the algorithm's text; `sweep` and `of_blocks` are their names.
    static BuildRequest request(const char* algorithm, SourceBuilder& source, std::string_view kernels,
                                const char* sweep, const char* of_blocks) {
        source.line(vector_tiles);
        source.line(kernel_overlap);
        source.line(block_extremes);
        source.line(kernels);
        BuildRequest request(algorithm, source);
        request.kernels = {sweep, of_blocks};
        request.constants = {{"threads", "threads"}, {"tile items", "tile_items"}};
        return request;
    }

    BlockExtremes(const core::Device& device, const CompiledProgram& compiled, Width width)
        : sweep(compiled.kernel(0)),
          of_blocks(compiled.kernel(1)),
          threads(compiled.positive("threads")),
          tile_items(compiled.positive_size("tile items")),
          most_blocks(resident_blocks(device, sweep, threads)),
          wide(width == Width::wide),
          overlaps(overlaps_kernels(device)) {}

    uint64_t blocks(uint64_t count) const { return std::min(ceil_divide(count, tile_items), most_blocks); }

    // Memory for a result of each block, of `result_size` bytes.
    uint64_t storage_bytes(uint64_t count, uint64_t result_size) const {
        return blocks(count) > 1 ? blocks(count) * result_size : 0;
    }

    // `results`: that memory.
    void launch(const core::StreamRef& stream, const Raw& input, core::DevicePointer results,
                core::DevicePointer output, uint64_t count) const {
        const uint64_t block_count = blocks(count);
        if (block_count > 0) {
            launch_kernel(stream, block_count, threads, sweep, input, block_count == 1 ? output : results,
                          Offset{count, wide});
        }
        if (block_count == 1) return;
        launch_kernel(stream, overlapping(1, threads, overlaps && block_count > 0), of_blocks, results, output,
                      static_cast<int32_t>(block_count));
    }
};

}  // namespace cuprum::parallel
