#include "tile_scan.hpp"

#include "../determinism.hpp"
#include "operator_bytes.hpp"

namespace cuprum::parallel::distributed {

namespace {

constexpr const char* operation = "scanning";

// Tiles of 16 KiB, as CUB scans them: enough blocks are on a multiprocessor at once to keep its loads busy. Where
// operands cannot be exchanged, each thread has neighbouring elements in both passes; else the first reads them as they
// come.
constexpr std::string_view kernels = R"(
constexpr int threads = sizeof(accum_t) <= 64 ? 256 : sizeof(accum_t) <= 256 ? 64 : 32;
constexpr int items = sizeof(accum_t) >= 64 ? 1 : sizeof(accum_t) >= 4 ? 64 / sizeof(accum_t) : 16;
constexpr int tile_items = threads * items;
__device__ __forceinline__ int count_of(unsigned long long begin, unsigned long long all) {
    return static_cast<int>(all - begin < tile_items ? all - begin : tile_items);
}
__global__ __launch_bounds__(threads) void cuprum_reduce_tiles(input_t in, accum_t* results, op_t op, unsigned long long n) {
    using load_t = cub::BlockLoad<accum_t, threads, items, keeps_order ? cub::BLOCK_LOAD_WARP_TRANSPOSE : cub::BLOCK_LOAD_STRIPED>;
    using reduce_t = cub::BlockReduce<accum_t, threads>;
    __shared__ union {
        typename load_t::TempStorage load;
        typename reduce_t::TempStorage reduce;
    } storage;
    const unsigned long long begin = static_cast<unsigned long long>(blockIdx.x) * tile_items;
    const int count = count_of(begin, n), thread = static_cast<int>(threadIdx.x);
    accum_t all;
    if (count == tile_items) {
        accum_t own[items];
        load_t(storage.load).Load(in + begin, own);
        __syncthreads();
        all = own[0];
        #pragma unroll
        for (int i = 1; i < items; ++i) all = static_cast<accum_t>(op(all, own[i]));
        all = reduce_t(storage.reduce).Reduce(all, op);
    } else {
        const int step = keeps_order ? 1 : threads, first = keeps_order ? thread * items : thread;
        all = static_cast<accum_t>(in[begin + (first < count ? first : 0)]);
        for (int i = 1; i < items && first + i * step < count; ++i)
            all = static_cast<accum_t>(op(all, static_cast<accum_t>(in[begin + first + i * step])));
        const int at_work = keeps_order ? (count + items - 1) / items : count < threads ? count : threads;
        all = reduce_t(storage.reduce).Reduce(all, op, at_work);
    }
    if (thread == 0) results[blockIdx.x] = all;
}
struct before_t {
    accum_t all;
    __device__ __forceinline__ accum_t operator()(const accum_t&) const { return all; }
};
// The last tiles first: they were read last, and some of them are in the cache still.
__global__ __launch_bounds__(threads) void cuprum_scan_tiles(
    input_t in, accum_t* out, const accum_t* results, const accum_t* carry, op_t op, unsigned long long n) {
    using load_t = cub::BlockLoad<accum_t, threads, items, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using scan_t = cub::BlockScan<accum_t, threads, cub::BLOCK_SCAN_WARP_SCANS>;
    using store_t = cub::BlockStore<accum_t, threads, items, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    __shared__ union {
        typename load_t::TempStorage load;
        typename scan_t::TempStorage scan;
        typename store_t::TempStorage store;
    } storage;
    const unsigned tile = gridDim.x - 1 - blockIdx.x;
    const unsigned long long begin = static_cast<unsigned long long>(tile) * tile_items;
    const int count = count_of(begin, n);
    // On their way while the elements are.
    before_t before;
    accum_t before_rank;
    if (tile > 0) before.all = results[tile - 1];
    if (carry != nullptr) before_rank = *carry;
    accum_t own[items];
    if (count == tile_items) load_t(storage.load).Load(in + begin, own);
    else load_t(storage.load).Load(in + begin, own, count, static_cast<accum_t>(in[begin]));
    __syncthreads();
    if (is_exclusive || tile > 0 || carry != nullptr) {
        if (carry != nullptr) before.all = tile > 0 ? static_cast<accum_t>(op(before_rank, before.all)) : before_rank;
        if constexpr (is_exclusive) scan_t(storage.scan).ExclusiveScan(own, own, op, before);
        else scan_t(storage.scan).InclusiveScan(own, own, op, before);
    } else {
        if constexpr (!is_exclusive) scan_t(storage.scan).InclusiveScan(own, own, op);
    }
    __syncthreads();
    if (count == tile_items) store_t(storage.store).Store(out + begin, own);
    else store_t(storage.store).Store(out + begin, own, count);
})";

BuildRequest make_request(ScanKind kind, const Type& input, const Operator& op, const Type& accumulator) {
    SourceBuilder source({"cub/block/block_load.cuh", "cub/block/block_reduce.cuh", "cub/block/block_scan.cuh",
                          "cub/block/block_store.cuh"});
    source.alias("accum_t", source.type(accumulator));
    source.alias("input_t", source.iterator(Iterator::pointer(input)));
    source.alias("op_t", source.op(op, {accumulator, accumulator}, accumulator));
    const auto flag = [&](const char* name, bool value) {
        source.line(std::string("constexpr bool ") + name + (value ? " = true;" : " = false;"));
    };
    flag("keeps_order", !is_commutative(op));
    flag("is_exclusive", kind == ScanKind::exclusive);
    source.line(kernels);
    BuildRequest request("scan", source);
    request.kernels = {"cuprum_reduce_tiles", "cuprum_scan_tiles"};
    request.constants = {{"threads", "threads"}, {"tile items", "tile_items"}};
    return request;
}

}  // namespace

TileScan::TileScan(ScanKind kind, const Type& input, const Operator& op, const Type& accumulator,
                   const core::Device& device)
    : input_(input),
      op_(op),
      accumulator_(accumulator),
      of_results_(ScanKind::inclusive, Iterator::pointer(accumulator), op, accumulator, device) {
    const BuildRequest request = make_request(kind, input, op, accumulator);
    const std::shared_ptr<const Build> build = get_build(architecture_of(device), request);
    const CompiledProgram compiled(*build, request);
    reduce_ = compiled.kernel(0);
    scan_ = compiled.kernel(1);
    threads_ = compiled.positive("threads");
    tile_items_ = compiled.positive_size("tile items");
}

uint64_t TileScan::tiles(uint64_t count) const {
    return ceil_divide(count, tile_items_);
}

void TileScan::check_overlap(const core::BufferRef& input, const core::BufferRef& output, uint64_t count) const {
    if (input.handle() == output.handle() && input_ == accumulator_) return;
    refuse_overlap(operation, {"input", input.handle(), count * input_.size()},
                   {"output", output.handle(), count * accumulator_.size()});
}

void TileScan::reduce(const core::StreamRef& stream, const core::BufferRef& input, const core::BufferRef& results,
                      uint64_t count) const {
    launch_kernel(stream, tiles(count), threads_, reduce_, input.handle(), results.handle(), operator_bytes(op_),
                  count);
}

void TileScan::scan(const core::StreamRef& stream, const core::BufferRef& input, const core::BufferRef& output,
                    const core::BufferRef& results, const core::BufferRef& carry, uint64_t count) const {
    const core::DevicePointer before = carry.is_valid() ? carry.handle() : 0;
    launch_kernel(stream, tiles(count), threads_, scan_, input.handle(), output.handle(), results.handle(), before,
                  operator_bytes(op_), count);
}

}  // namespace cuprum::parallel::distributed
