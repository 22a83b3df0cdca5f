// What the blocks of a pipeline know of the tiles before theirs, whose totals they add up in as many steps as it takes.
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
extern "C" __global__ void reach_tiles(unsigned long long* marked, const int* tiles, int count, Affine first,
                                       Affine* out) {
    using prefix_t = cuprum_prefix<Affine, then_t, pipeline_threads>;
    __shared__ typename prefix_t::storage_t storage;
    prefix_t before{storage, {marked}, then_t{}, first, true, 0};
    for (int i = 0; i < count; ++i) {
        before.reach(tiles[i]);
        if (threadIdx.x == 0) out[i] = before.value;
        __syncthreads();
    }
}
)";

class TilePrefix : public Parallel {
protected:
    core::ObjectCode compiled(const std::string& threads) const {
        core::ProgramOptions options;
        options.arch = "sm_" + device.arch();
        if (const std::string folder = find_cccl("scan").folder; !folder.empty()) options.include_path = {folder};
        const std::string text =
            "#include <cub/warp/warp_reduce.cuh>\n" +
            tuning_lines(find_tunings({"scan", {}}, "threads=" + threads + " vectors=1 blocks=1")) +
            std::string(tile_pipeline) + kernel;
        return core::Program(text, core::SourceType::cxx, options)
            .compile(device.is_simulator() ? core::CodeType::ptx : core::CodeType::cubin);
    }
};

TEST_F(TilePrefix, IsWhatAllTilesBeforeComeToInOrder) {
    if (device.compute_capability().major < 9) return;  // has no pipelines
    std::vector<Affine> totals;
    std::vector<uint64_t> marked;  // the words of each, with their marks
    for (uint32_t i = 0; i < 3000; ++i) {
        totals.push_back({i * 2654435761U | 1U, i * 40503U});
        marked.push_back(uint64_t{1} << 32 | totals.back().p);
        marked.push_back(uint64_t{1} << 32 | totals.back().q);
    }
    const std::vector<int32_t> tiles{0, 1, 5, 31, 32, 33, 63, 64, 224, 225, 1400, 3000};
    const Affine first{7, 3};
    std::vector<Affine> expected;
    for (const int32_t tile : tiles) {
        Affine prefix = first;
        for (size_t i = 0; i < static_cast<size_t>(tile); ++i)
            prefix = then(prefix, totals[i]);
        expected.push_back(prefix);
    }
    for (const std::string threads : {"32", "64", "160"}) {
        const core::ObjectCode code = compiled(threads);
        const core::Buffer out = memory_for<Affine>(tiles.size());
        core::launch(stream, {1, static_cast<uint32_t>(std::stoul(threads))}, code.get_kernel("reach_tiles"),
                     upload(marked), upload(tiles), static_cast<int32_t>(tiles.size()), first, out);
        EXPECT_EQ(download<Affine>(out), expected) << threads << " threads";
    }
}

}  // namespace
}  // namespace cuprum::parallel
