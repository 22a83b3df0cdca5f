// What the blocks of a pipeline know of the tiles before theirs, also where a block has not seen more groups of tiles
// than a warp has lanes: then the others have gone far ahead.
#include <span>

#include "cccl.hpp"
#include "fixture.hpp"
#include "tile_pipeline.hpp"

namespace cuprum::parallel {
namespace {

using test::Parallel;

// x -> p x + q, two of them after each other: an order that shows.
struct Affine {
    uint32_t p, q;
    bool operator==(const Affine&) const = default;
};
Affine then(const Affine& a, const Affine& b) {
    return {a.p * b.p, a.q * b.p + b.q};
}

constexpr const char* kernel = R"(
struct Affine { unsigned p, q; };
struct then_t {
    __device__ Affine operator()(const Affine& a, const Affine& b) const { return {a.p * b.p, a.q * b.p + b.q}; }
};
extern "C" __global__ void reach_tiles(unsigned long long* marked, int log2_tile_lines, int log2_group_lines,
                                       const int* tiles, const Affine* totals, int steps, Affine first, Affine* out) {
    using prefix_t = cuprum_prefix<Affine, then_t, pipeline_threads>;
    __shared__ typename prefix_t::storage_t storage;
    prefix_t before(storage, marked, log2_tile_lines, log2_group_lines, then_t{}, first, true);
    for (int i = 0; i < steps; ++i) {
        before.reach(tiles[i], totals[i]);
        if (threadIdx.x == 0) out[i] = before.value;
        __syncthreads();
    }
}
)";

class TilePrefix : public Parallel {
protected:
    using Storage = TilePipeline::Storage;
    // The words of a total, each with its mark, into its line of the cache.
    static void put(std::span<uint64_t> marked, int32_t log2_lines, size_t which, const Affine& total) {
        const size_t lines = size_t{1} << log2_lines;
        uint64_t* const words = &marked[which % lines * Storage::line_words + which / lines * 2];
        words[0] = uint64_t{1} << 32 | total.p;
        words[1] = uint64_t{1} << 32 | total.q;
    }
    core::ObjectCode compiled(const std::string& threads) const {
        core::ProgramOptions options;
        options.arch = "sm_" + device.arch();
        if (const std::string folder = find_cccl("reduce").folder; !folder.empty()) options.include_path = {folder};
        const std::string text = "#include <cub/warp/warp_reduce.cuh>\n" +
                                 tuning_lines(find_tunings({}, "threads=" + threads + " vectors=1 blocks=1")) +
                                 std::string(tile_pipeline) + kernel;
        return core::Program(text, core::SourceType::cxx, options)
            .compile(device.is_simulator() ? core::CodeType::ptx : core::CodeType::cubin);
    }
};

TEST_F(TilePrefix, IsWhatAllTilesBeforeComeToInOrder) {
    if (device.compute_capability().major < 9) return;  // has no pipelines
    constexpr uint32_t tile_count = 20000;
    std::vector<Affine> totals;
    for (uint32_t i = 0; i < tile_count; ++i)
        totals.push_back({i * 2654435761U | 1U, i * 40503U});
    const Storage storage(tile_count, 2);
    std::vector<uint64_t> marked(storage.words() - Storage::line_words);
    const auto of_groups = [&](std::vector<uint64_t>& words) {
        return std::span(words).subspan(Storage::line_words << storage.log2_tile_lines);
    };
    for (size_t group = 0; group < tile_count / 32; ++group) {
        Affine all = totals[32 * group];
        for (size_t i = 0; i < 32; ++i) {
            put(marked, storage.log2_tile_lines, 32 * group + i, totals[32 * group + i]);
            if (i > 0) all = then(all, totals[32 * group + i]);
        }
        // The block itself has the last tile of group 0, and says what the group comes to.
        if (group > 0) put(of_groups(marked), storage.log2_group_lines, group, all);
    }
    const std::vector<int32_t> tiles{0, 5, 31, 32, 33, 63, 64, 200, 1400, 1401, 19999};
    std::vector<Affine> of_tiles, expected;
    const Affine first{7, 3};
    for (const int32_t tile : tiles) {
        of_tiles.push_back(totals[static_cast<size_t>(tile)]);
        expected.push_back(first);
        for (size_t i = 0; i < static_cast<size_t>(tile); ++i)
            expected.back() = then(expected.back(), totals[i]);
    }
    for (const std::string threads : {"32", "64", "160"}) {
        const core::ObjectCode code = compiled(threads);
        const core::Kernel reach_tiles = code.get_kernel("reach_tiles");
        const core::Buffer on_device = upload(marked), out = memory_for<Affine>(tiles.size());
        core::launch(stream, {1, static_cast<uint32_t>(std::stoul(threads))}, reach_tiles, on_device,
                     storage.log2_tile_lines, storage.log2_group_lines, upload(tiles), upload(of_tiles),
                     static_cast<int32_t>(tiles.size()), first, out);
        EXPECT_EQ(download<Affine>(out), expected) << threads << " threads";
        std::vector<uint64_t> complete = marked;
        Affine all = totals[0];
        for (size_t i = 1; i < 32; ++i)
            all = then(all, totals[i]);
        put(of_groups(complete), storage.log2_group_lines, 0, all);
        EXPECT_EQ(download<uint64_t>(on_device), complete) << threads << " threads";
    }
}

}  // namespace
}  // namespace cuprum::parallel
