#include "peer_splitting.hpp"

#include <array>
#include <string>
#include <string_view>

#include "operator_bytes.hpp"

namespace cuprum::parallel::distributed {

namespace {

constexpr int64_t threads = 1024;

// All keys have one order: by key, then by rank, then by position; a boundary is a number of keys that come before it.
// A block for each boundary. It knows of each rank how many of its keys come before the boundary at least, and at most,
// and takes 32 of the keys between, at even distances, of the rank with most of them: one for each warp, which finds
// how many keys of every rank come before that key. So it knows on which side of the boundary the key is. (A search
// between the two limits alone finds too few before keys of one side, or too many before those of the other, and never
// more or less than are before the boundary, so the side is right.)
constexpr std::string_view source_text = R"(
constexpr int warps = 32;
struct runs_t { const key_t* keys[most_ranks]; unsigned long long counts[most_ranks]; };
struct targets_t { unsigned long long before[most_pieces]; };
__global__ __launch_bounds__(warps * 32) void cuprum_split(runs_t runs, int ranks, targets_t targets, op_t op,
                                                           unsigned long long* boundaries) {
    __shared__ unsigned long long lower[most_ranks], upper[most_ranks], counts[warps][most_ranks];
    __shared__ bool is_before[warps];
    const int thread = static_cast<int>(threadIdx.x), warp = thread / 32, lane = thread % 32;
    const unsigned long long target = targets.before[blockIdx.x];
    if (thread < ranks) {
        unsigned long long elsewhere = 0;
        for (int rank = 0; rank < ranks; ++rank) elsewhere += rank == thread ? 0 : runs.counts[rank];
        lower[thread] = target > elsewhere ? target - elsewhere : 0;
        upper[thread] = target < runs.counts[thread] ? target : runs.counts[thread];
    }
    // Lanes for each rank, as many for all.
    int lanes = 32;
    while (lanes * ranks > 32) lanes /= 2;
    const int rank = lane / lanes, own_lane = lane % lanes;
    const unsigned mask = 0xffffffffU >> (32 - lanes) << (rank * lanes);
    while (true) {
        __syncthreads();
        int widest = 0;
        for (int other = 1; other < ranks; ++other) {
            if (upper[other] - lower[other] > upper[widest] - lower[widest]) widest = other;
        }
        const unsigned long long width = upper[widest] - lower[widest];
        if (width == 0) break;
        const unsigned long long position = lower[widest] + width / warps * warp + width % warps * warp / warps;
        if (rank < ranks) {
            const key_t key = runs.keys[widest][position];
            unsigned long long low = lower[rank], high = upper[rank];
            if (rank == widest) low = high = position;
            while (low < high) {
                const unsigned long long step = high - low <= lanes ? 1 : (high - low) / (lanes + 1);
                const unsigned long long place = low + (own_lane + 1) * step - 1;
                bool comes_before = false;
                if (place < high) {
                    const key_t other = runs.keys[rank][place];
                    comes_before = rank < widest ? !op(key, other) : op(other, key);
                }
                // The lanes' answers are yes, yes, ..., no, no.
                const unsigned long long answers = __popc(__ballot_sync(mask, comes_before));
                if (answers < lanes) {
                    const unsigned long long beyond = low + (answers + 1) * step - 1;
                    if (beyond < high) high = beyond;
                }
                low += answers * step;
            }
            if (own_lane == 0) counts[warp][rank] = low;
        }
        __syncwarp();
        if (lane == 0) {
            unsigned long long all = 0;
            for (int other = 0; other < ranks; ++other) all += counts[warp][other];
            is_before[warp] = all < target;
        }
        __syncthreads();
        // The warps' keys are in their order.
        if (thread < ranks) {
            int before = 0;
            while (before < warps && is_before[before]) ++before;
            if (before > 0) lower[thread] = counts[before - 1][thread] + (thread == widest ? 1 : 0);
            if (before < warps) upper[thread] = counts[before][thread];
        }
    }
    if (thread < ranks) boundaries[blockIdx.x * ranks + thread] = lower[thread];
})";

BuildRequest make_request(const KeyComparison& comparison) {
    SourceBuilder source({});
    source.alias("key_t", source.type(comparison.type));
    source.alias("op_t",
                 source.op(comparison.before, {comparison.type, comparison.type}, Type(TypeKind::boolean), "compare"));
    source.line("constexpr int most_ranks = " + std::to_string(PeerSplitting::most_ranks) +
                ", most_pieces = " + std::to_string(PeerSplitting::most_pieces) + ";");
    source.line(source_text);
    BuildRequest request("radix_sort", source);
    request.kernels = {"cuprum_split"};
    return request;
}

// The last piece is a quarter of the others: its merge alone has no copy beside it.
uint64_t begin_of_piece(uint64_t share, size_t piece, size_t pieces) {
    const uint64_t quarters = 4 * (pieces - 1) + 1;
    return share / quarters * 4 * piece + share % quarters * 4 * piece / quarters;
}

struct Runs {
    std::array<core::DevicePointer, PeerSplitting::most_ranks> keys{};
    std::array<uint64_t, PeerSplitting::most_ranks> counts{};
};

}  // namespace

PeerSplitting::PeerSplitting(const KeyComparison& comparison, const Communicator& communicator)
    : before_(comparison.before), kernels_(communicator) {
    const BuildRequest request = make_request(comparison);
    for_each_local_rank(communicator, [&](size_t rank) {
        const Architecture architecture = architecture_of(communicator.device(rank));
        kernels_.push_back(CompiledProgram(*get_build(architecture, request), request).kernel(0));
    });
}

Boundaries PeerSplitting::operator()(CollectiveCall& call, std::span<const core::BufferRef> sorted,
                                     std::span<const uint64_t> counts, std::span<const uint64_t> shares,
                                     size_t pieces) const {
    const size_t ranks = call.size();
    Runs runs;
    for (size_t rank = 0; rank < ranks; ++rank) {
        runs.keys.at(rank) = sorted[rank].handle();
        runs.counts.at(rank) = counts[rank];
    }
    call.wait_for_each_other();
    std::vector<core::BufferRef> on_device(ranks);
    uint64_t before = 0;
    call.on_each_rank([&](size_t rank) {
        std::array<uint64_t, most_pieces> targets{};
        for (size_t piece = 0; piece < pieces; ++piece)
            targets.at(piece) = before + begin_of_piece(shares[rank], piece, pieces);
        before += shares[rank];
        on_device[rank] = call.allocate(rank, pieces * ranks * sizeof(uint64_t));
        launch_kernel(call.stream(rank), pieces, threads, kernels_[rank], runs, static_cast<int32_t>(ranks), targets,
                      operator_bytes(before_), on_device[rank].handle());
    });
    // Not before all kernels are launched: a copy to pageable memory may wait for the kernel before it.
    std::vector<std::span<const uint64_t>> found(ranks);
    call.on_each_rank([&](size_t rank) { found[rank] = call.download<uint64_t>(rank, on_device[rank]); });
    call.wait();
    Boundaries boundaries;
    for (const std::span<const uint64_t> of_rank : found) {
        for (size_t piece = 0; piece < pieces; ++piece) {
            const std::span<const uint64_t> cuts = of_rank.subspan(piece * ranks, ranks);
            boundaries.emplace_back(cuts.begin(), cuts.end());
        }
    }
    boundaries.emplace_back(counts.begin(), counts.end());
    return boundaries;
}

}  // namespace cuprum::parallel::distributed
