#include "rank_results.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <string_view>
#include <utility>

#include "operator_bytes.hpp"

namespace cuprum::parallel::distributed {

namespace {

// All loads before the first use, so that the thread waits once.
constexpr std::string_view ranks_kernel = R"(
struct results_t { const accum_t* of_rank[most_results]; };
__global__ void cuprum_combine_results(results_t results, int count, op_t op, accum_t init, int has_init, accum_t* out) {
    accum_t own[most_results];
    #pragma unroll
    for (int i = 0; i < most_results; ++i) {
        if (i < count) own[i] = *results.of_rank[i];
    }
    accum_t all = has_init != 0 ? init : own[0];
    #pragma unroll
    for (int i = 0; i < most_results; ++i) {
        if (i < count && (i > 0 || has_init != 0)) all = static_cast<accum_t>(op(all, own[i]));
    }
    *out = all;
})";

// As many threads for each rank: each combines every so manieth of its results, and then they combine what they have.
constexpr std::string_view blocks_kernel = R"(
struct blocks_t { const accum_t* of_rank[most_results]; int counts[most_results]; };
__global__ __launch_bounds__(threads) void cuprum_combine_blocks(blocks_t blocks, int ranks, int threads_of_rank,
                                                                 op_t op, accum_t init, int has_init, accum_t* out) {
    __shared__ __align__(alignof(accum_t)) unsigned char bytes[threads * sizeof(accum_t)];
    accum_t* const found = reinterpret_cast<accum_t*>(bytes);
    const int thread = static_cast<int>(threadIdx.x), rank = thread / threads_of_rank, lane = thread % threads_of_rank;
    const int count = rank < ranks ? blocks.counts[rank] : 0;
    if (lane < count) {
        const accum_t* const results = blocks.of_rank[rank];
        accum_t own = results[lane];
        for (int first = lane + threads_of_rank; first < count; first += loads * threads_of_rank) {
            accum_t next[loads];
            #pragma unroll
            for (int i = 0; i < loads; ++i) {
                if (first + i * threads_of_rank < count) next[i] = results[first + i * threads_of_rank];
            }
            #pragma unroll
            for (int i = 0; i < loads; ++i) {
                if (first + i * threads_of_rank < count) own = static_cast<accum_t>(op(own, next[i]));
            }
        }
        found[thread] = own;
    }
    for (int half = threads_of_rank / 2; half > 0; half /= 2) {
        __syncthreads();
        if (lane < half && lane + half < count) found[thread] = static_cast<accum_t>(op(found[thread], found[thread + half]));
    }
    __syncthreads();
    if (thread > 0) return;
    accum_t all = has_init != 0 ? init : found[0];
    for (int i = has_init != 0 ? 0 : 1; i < ranks; ++i) all = static_cast<accum_t>(op(all, found[i * threads_of_rank]));
    *out = all;
})";

// Of that kernel: each has an element in 32 KiB of shared memory.
uint64_t block_threads(uint64_t size) {
    return std::clamp<uint64_t>(std::bit_floor((uint64_t{32} << 10) / size), 1, 1024);
}
// Of a thread, under way at once, in few registers.
uint64_t loads_at_once(uint64_t size) {
    return std::clamp<uint64_t>(64 / size, 1, 16);
}
bool have_room(uint64_t size) {
    return block_threads(size) >= 4 * CombineResults::most;
}

BuildRequest make_request(const Operator& op, const Type& accumulator) {
    SourceBuilder source({});
    source.alias("accum_t", source.type(accumulator));
    source.alias("op_t", source.op(op, {accumulator, accumulator}, accumulator));
    source.line("constexpr int most_results = " + std::to_string(CombineResults::most) + ";");
    source.line(ranks_kernel);
    std::vector<std::string> kernels{"cuprum_combine_results"};
    if (have_room(accumulator.size())) {
        source.line("constexpr int threads = " + std::to_string(block_threads(accumulator.size())) +
                    ", loads = " + std::to_string(loads_at_once(accumulator.size())) + ";");
        source.line(blocks_kernel);
        kernels.emplace_back("cuprum_combine_blocks");
    }
    BuildRequest request("reduce", source);
    request.kernels = std::move(kernels);
    return request;
}

}  // namespace

CombineResults::CombineResults(const Operator& op, const Type& accumulator, const core::Device& device)
    : op_(op), size_(accumulator.size()) {
    const BuildRequest request = make_request(op, accumulator);
    const CompiledProgram program(*get_build(architecture_of(device), request), request);
    of_ranks_ = program.kernel(0);
    if (can_combine_blocks()) of_blocks_ = program.kernel(1);
}

void CombineResults::operator()(const core::StreamRef& stream, std::span<const core::BufferRef> results,
                                const Value* init, const core::BufferRef& output) const {
    std::array<core::DevicePointer, most> addresses{};
    for (size_t i = 0; i < results.size(); ++i)
        addresses.at(i) = results[i].handle();
    const Bytes no_init(init == nullptr ? size_ : 0);
    launch_kernel(stream, 1, 1, of_ranks_, addresses, static_cast<int32_t>(results.size()), operator_bytes(op_),
                  Raw{init == nullptr ? no_init.data() : init->data(), size_}, int32_t{init != nullptr},
                  output.handle());
}

bool CombineResults::can_combine_blocks() const {
    return have_room(size_);
}

void CombineResults::of_blocks(const core::StreamRef& stream, std::span<const BlockResults> ranks, const Value* init,
                               const core::BufferRef& output) const {
    struct {
        std::array<core::DevicePointer, most> of_rank{};
        std::array<int32_t, most> counts{};
    } blocks;
    for (size_t i = 0; i < ranks.size(); ++i) {
        blocks.of_rank.at(i) = ranks[i].memory.handle();
        blocks.counts.at(i) = ranks[i].count;
    }
    const uint64_t threads = block_threads(size_), threads_of_rank = threads / std::bit_ceil(ranks.size());
    const Bytes no_init(init == nullptr ? size_ : 0);
    launch_kernel(stream, 1, static_cast<int64_t>(threads), of_blocks_, blocks, static_cast<int32_t>(ranks.size()),
                  static_cast<int32_t>(threads_of_rank), operator_bytes(op_),
                  Raw{init == nullptr ? no_init.data() : init->data(), size_}, int32_t{init != nullptr},
                  output.handle());
}

namespace {

std::vector<ReadableResults> read_at_peers(CollectiveCall& call, std::span<const RankResult> results,
                                           std::span<const ResultReader> readers) {
    std::vector<core::Event> ready(results.size());
    for (size_t i = 0; i < results.size(); ++i)
        call.on_one_rank(results[i].rank, [&] { ready[i] = call.stream(results[i].rank).record(); });
    std::vector<ReadableResults> readable(readers.size());
    for (size_t reader = 0; reader < readers.size(); ++reader) {
        const size_t rank = readers[reader].rank;
        call.on_one_rank(rank, [&] {
            for (size_t i = 0; i < readers[reader].count; ++i) {
                if (results[i].rank != rank) call.stream(rank).wait(ready[i]);
                readable[reader].each.push_back(results[i].memory);
            }
        });
    }
    return readable;
}

}  // namespace

std::vector<ReadableResults> make_readable(CollectiveCall& call, std::span<const RankResult> results,
                                           std::span<const ResultReader> readers, uint64_t size) {
    if (results.size() <= CombineResults::most && call.can_read_peers()) return read_at_peers(call, results, readers);
    std::vector<ReadableResults> readable(readers.size());
    std::vector<Message> messages;
    for (size_t reader = 0; reader < readers.size(); ++reader) {
        const auto [rank, count] = readers[reader];
        core::BufferRef& together = readable[reader].together;
        if (count > 0) call.on_one_rank(rank, [&] { together = call.allocate(rank, count * size); });
        for (size_t i = 0; i < count; ++i) {
            const RankResult& result = results[i];
            if (result.rank == rank) {
                readable[reader].each.push_back(result.memory);
                continue;
            }
            readable[reader].each.push_back(part(together, i * size, size));
            messages.push_back({result.rank, rank, result.memory, readable[reader].each.back()});
        }
    }
    call.exchange(messages);
    return readable;
}

}  // namespace cuprum::parallel::distributed
