#include "ordered_reduce.hpp"

#include <algorithm>

#include "cuprum/pathfinder/error.hpp"
#include "vector_tiles.hpp"

namespace cuprum::parallel {

namespace {

// Some times as many as run at once, so that no processor is idle at the end, and few enough for one block to combine
// their results.
constexpr uint64_t most_blocks = 4096;
constexpr uint64_t max_accumulator = 128;  // bytes

// The order, all of whose numbers are fixed, also where one block has all tiles and writes the result: block b takes
// tiles b, b + blocks and so on; of each tile thread t takes 16 bytes of elements, and once more from 256 threads times
// 16 bytes on, and so on, also where they are not in plain memory; the results of a block's threads are combined in
// halves, and so are those of the blocks, each thread taking every 256th of them first.
constexpr std::string_view kernels = R"(
constexpr int threads = 256;
constexpr int items = sizeof(accum_t) >= 64 ? 1 : sizeof(accum_t) <= 4 ? 16 : 64 / sizeof(accum_t);
constexpr int tile_items = threads * items;
constexpr int vector = vector_of<value_t, items>();
using tile_t = vector_tile<value_t, input_t, threads, items, vector>;
// Of the first `valid` threads' results; thread 0 has the sum.
__device__ __forceinline__ accum_t combine_halves(accum_t own, int valid, op_t op) {
    __shared__ alignas(accum_t) unsigned char memory[threads * sizeof(accum_t)];
    accum_t* const results = reinterpret_cast<accum_t*>(memory);
    const int thread = static_cast<int>(threadIdx.x);
    if (thread < valid) results[thread] = own;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (thread < half && thread + half < valid) {
            own = op(own, results[thread + half]);
            results[thread] = own;
        }
        __syncthreads();
    }
    return own;
}
// Of a block's tiles; thread 0 has it.
__device__ __forceinline__ accum_t result_of_block(const input_t& in, op_t op, offset_t n) {
    const offset_t step = static_cast<offset_t>(gridDim.x) * tile_items;
    offset_t begin = static_cast<offset_t>(blockIdx.x) * tile_items;
    // The threads that have an element of the block's first tile.
    const int valid = n - begin >= threads * vector ? threads : static_cast<int>((n - begin + vector - 1) / vector);
    const offset_t first = begin + tile_t::place(0);
    accum_t own = static_cast<accum_t>(in[first < n ? first : n - 1]);
    bool has_own = false;
    const auto add = [&](const value_t& element) {
        own = has_own ? static_cast<accum_t>(op(own, static_cast<accum_t>(element))) : static_cast<accum_t>(element);
        has_own = true;
    };
    for (; begin < n; begin += step) {
        if (n - begin >= tile_items) {
            value_t elements[items];
            tile_t::read(in, begin, elements);
            #pragma unroll
            for (int i = 0; i < items; ++i) add(elements[i]);
        } else {
            for (int i = 0; i < items && begin + tile_t::place(i) < n; ++i) add(in[begin + tile_t::place(i)]);
        }
    }
    return combine_halves(own, valid, op);
}
__global__ __launch_bounds__(threads) void cuprum_ordered_reduce(input_t in, accum_t* of_blocks, op_t op, offset_t n) {
    const accum_t own = result_of_block(in, op, n);
    if (threadIdx.x == 0) of_blocks[blockIdx.x] = own;
}
__global__ __launch_bounds__(threads) void cuprum_ordered_reduce_in_one_block(input_t in, output_t out, op_t op,
                                                                              accum_t init, int has_init, offset_t n) {
    const accum_t own = result_of_block(in, op, n);
    if (threadIdx.x == 0) *out = has_init != 0 ? static_cast<accum_t>(op(init, own)) : own;
}
__global__ __launch_bounds__(threads) void cuprum_ordered_reduce_of_blocks(
    const accum_t* of_blocks, output_t out, op_t op, accum_t init, int has_init, int n) {
    accum_t own = init;
    for (int i = threadIdx.x; i < n; i += threads) own = i == threadIdx.x ? of_blocks[i] : static_cast<accum_t>(op(own, of_blocks[i]));
    own = combine_halves(own, n < threads ? n : threads, op);
    if (threadIdx.x == 0) *out = n == 0 ? init : has_init != 0 ? static_cast<accum_t>(op(init, own)) : own;
})";

uint64_t blocks_of(uint64_t count, uint64_t tile_items) {
    return std::min(ceil_divide(count, tile_items), most_blocks);
}

// For the results of so many blocks.
uint64_t bytes_for(uint64_t blocks, const Type& accumulator) {
    return blocks > 1 ? align_up(blocks * accumulator.size(), 256) : 0;
}

}  // namespace

OrderedReduce::Program::Program(const core::Device& /*device*/, const CompiledProgram& compiled, Width width)
    : of_elements(compiled.kernel(0)),
      of_block_results(compiled.kernel(1)),
      in_one_block(compiled.kernel(2)),
      threads(compiled.positive("threads")),
      tile_items(compiled.positive_size("tile items")),
      wide(width == Width::wide) {}

OrderedReduce::OrderedReduce(const Target& target, const Iterator& input, const Operator& op, const Iterator& output)
    : input_(input), op_(op), output_(output), programs_(target, [this](Width width) { return make_request(width); }) {}

BuildRequest OrderedReduce::make_request(Width width) const {
    const Type& accumulator = output_.value_type();
    if (accumulator.size() > max_accumulator) {
        throw Unsupported("building reduce", "determinism gpu_to_gpu",
                          "the accumulator has " + std::to_string(accumulator.size()) + " bytes, expected at most " +
                              std::to_string(max_accumulator));
    }
    SourceBuilder source({});
    source.alias("accum_t", source.type(accumulator));
    source.alias("value_t", source.type(input_.value_type()));
    source.alias("input_t", source.iterator(input_));
    source.alias("output_t", source.output_iterator(output_));
    source.alias("op_t", source.op(op_, {accumulator, accumulator}, accumulator));
    source.alias("offset_t", offset_type(width));
    source.line(vector_tiles);
    source.line(kernels);
    BuildRequest request("reduce", source);
    request.kernels = {"cuprum_ordered_reduce", "cuprum_ordered_reduce_of_blocks",
                       "cuprum_ordered_reduce_in_one_block"};
    request.constants = {{"threads", "threads"}, {"tile items", "tile_items"}};
    return request;
}

uint64_t OrderedReduce::temp_storage_bytes(uint64_t count) const {
    return bytes_for(blocks_of(count, programs_.for_count(count).tile_items), output_.value_type());
}

void OrderedReduce::run(const Call& call, const Input& input, const Output& output, const Value* init,
                        const CallOptions& options) const {
    const Type& accumulator = output_.value_type();
    const Program& program = programs_.for_count(call.count);
    const Raw op{operator_state(call, op_, options), op_.state() ? op_.state()->size() : 1};
    const uint64_t blocks = blocks_of(call.count, program.tile_items);
    const Workspace workspace(call, bytes_for(blocks, accumulator), options);
    const Raw elements{input.state(), input_.state().size()};
    const Offset count{call.count, program.wide};
    const Bytes no_init(init == nullptr ? accumulator.size() : 0);
    const Raw init_bytes{init == nullptr ? no_init.data() : init->data(), accumulator.size()};
    const int32_t has_init{init != nullptr};
    if (blocks == 1) {
        launch_kernel(call.stream, 1, program.threads, program.in_one_block, elements, output_bytes(output, output_),
                      op, init_bytes, has_init, count);
        return;
    }
    if (blocks > 0)
        launch_kernel(call.stream, blocks, program.threads, program.of_elements, elements, workspace[0], op, count);
    launch_kernel(call.stream, 1, program.threads, program.of_block_results, workspace[0],
                  output_bytes(output, output_), op, init_bytes, has_init, static_cast<int32_t>(blocks));
}

}  // namespace cuprum::parallel
