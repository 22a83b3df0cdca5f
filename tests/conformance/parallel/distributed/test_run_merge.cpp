// How sorted runs are cut and merged where devices are peers: in any number of pieces, which a sort takes for large
// data alone.
#include <tuple>

#include "distributed/peer_splitting.hpp"
#include "distributed/run_merge.hpp"
#include "fixture.hpp"

namespace cuprum::parallel::distributed {
namespace {

using test::Spread;

class PeerMerge : public test::Distributed {
protected:
    void SetUp() override {
        test::Distributed::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        if (is_over_nccl()) GTEST_SKIP() << "NCCL asks for no peers";
        if (!of_devices(2).can_read_peers()) GTEST_SKIP() << "these devices are no peers";
    }

    struct Runs {
        std::vector<uint64_t> counts;
        std::vector<int32_t> keys;     // those of a rank are sorted
        std::vector<uint32_t> values;  // their positions
    };
    Runs runs_of(size_t ranks, uint64_t total, uint64_t different) {
        Runs runs{random_counts(total, ranks), {}, {}};
        for (const uint64_t count : runs.counts) {
            std::vector<int32_t> keys(count);
            for (int32_t& key : keys)
                key = static_cast<int32_t>(random() % different) - 5;
            std::sort(keys.begin(), keys.end());
            runs.keys.insert(runs.keys.end(), keys.begin(), keys.end());
        }
        runs.values.resize(total);
        std::iota(runs.values.begin(), runs.values.end(), 0U);
        return runs;
    }
    // By key, then by rank and position: a stable order of all.
    static std::vector<uint32_t> in_order(const Runs& runs) {
        std::vector<uint32_t> places = runs.values;
        std::stable_sort(places.begin(), places.end(),
                         [&](uint32_t a, uint32_t b) { return runs.keys[a] < runs.keys[b]; });
        return places;
    }
    // How many keys of each rank are among the first `target`.
    static std::vector<uint64_t> cut(const Runs& runs, const std::vector<uint32_t>& places, uint64_t target) {
        std::vector<uint64_t> ends(runs.counts.size()), cuts(runs.counts.size(), 0);
        std::partial_sum(runs.counts.begin(), runs.counts.end(), ends.begin());
        for (uint64_t i = 0; i < target; ++i)
            ++cuts[static_cast<size_t>(std::upper_bound(ends.begin(), ends.end(), places[i]) - ends.begin())];
        return cuts;
    }
    static std::vector<core::BufferRef> memory_of(const std::vector<Shard>& shards) {
        std::vector<core::BufferRef> memory;
        for (const Shard& shard : shards)
            memory.push_back(shard.memory);
        return memory;
    }

    const std::vector<uint64_t> differents{1, 2, 10, 100'000};
};

TEST_F(PeerMerge, CutsWhereAStableOrderDoes) {
    const Type type = Type::of<int32_t>();
    for (const Communicator& communicator : communicators()) {
        const size_t ranks = communicator.size();
        if (ranks == 1) continue;
        const PeerSplitting split(KeyComparison(SortOrder::ascending, type), communicator);
        for (const uint64_t different : differents) {
            const Runs runs = runs_of(ranks, 3001, different);
            const std::vector<uint64_t> shares = random_counts(3001, ranks);
            const size_t pieces = 1 + random() % PeerSplitting::most_pieces;
            SCOPED_TRACE(test::text(runs.counts) + " to " + test::text(shares) + " in " + std::to_string(pieces));
            const Spread<int32_t> keys(communicator, runs.counts, runs.keys);
            CollectiveCall call(communicator);
            const Boundaries boundaries = split(call, memory_of(keys.shards), runs.counts, shares, pieces);
            call.finish();
            ASSERT_EQ(boundaries.size(), ranks * pieces + 1);
            const std::vector<uint32_t> places = in_order(runs);
            uint64_t before = 0;
            for (size_t rank = 0; rank < ranks; ++rank) {
                for (size_t piece = 0; piece < pieces; ++piece) {
                    const std::vector<uint64_t>& cuts = boundaries[rank * pieces + piece];
                    const uint64_t target = std::accumulate(cuts.begin(), cuts.end(), uint64_t{0});
                    // The last piece is a quarter of the others.
                    EXPECT_EQ(target, before + shares[rank] * 4 * piece / (4 * pieces - 3));
                    EXPECT_EQ(cuts, cut(runs, places, target));
                }
                before += shares[rank];
            }
            EXPECT_EQ(boundaries.back(), runs.counts);
        }
    }
}

TEST_F(PeerMerge, InPiecesIsStableWhateverTheKeysAre) {
    const Type key_type = Type::of<int32_t>(), value_type = Type::of<uint32_t>();
    for (const Communicator& communicator : communicators()) {
        const size_t ranks = communicator.size();
        if (ranks == 1) continue;
        const PeerSplitting split(KeyComparison(SortOrder::ascending, key_type), communicator);
        const RunMerge merge(SortOrder::ascending, communicator, key_type, value_type);
        for (const uint64_t different : differents) {
            const Runs runs = runs_of(ranks, 6007, different);
            const std::vector<uint64_t> shares = random_counts(6007, ranks);
            const size_t pieces = 3 + random() % 4;
            SCOPED_TRACE(test::text(runs.counts) + " to " + test::text(shares) + " in " + std::to_string(pieces));
            const Spread<int32_t> keys(communicator, runs.counts, runs.keys), keys_out(communicator, shares);
            const Spread<uint32_t> values(communicator, runs.counts, runs.values), values_out(communicator, shares);
            std::vector<Pairs> sorted, outputs;
            for (size_t rank = 0; rank < ranks; ++rank) {
                sorted.push_back({keys.memory[rank], values.memory[rank]});
                outputs.push_back({keys_out.memory[rank], values_out.memory[rank]});
            }
            CollectiveCall call(communicator);
            const Boundaries boundaries = split(call, memory_of(keys.shards), runs.counts, shares, pieces);
            // Before the copies too.
            for (size_t rank = 0; rank < ranks; ++rank)
                keys_out.memory[rank].fill(0, 1, call.stream(rank));
            merge.in_pieces(call, boundaries, pieces, sorted, outputs);
            call.finish();
            const std::vector<uint32_t> places = in_order(runs);
            EXPECT_EQ(values_out.all(), places);
            std::vector<int32_t> expected;
            for (const uint32_t place : places)
                expected.push_back(runs.keys[place]);
            EXPECT_EQ(keys_out.all(), expected);
        }
    }
}

}  // namespace
}  // namespace cuprum::parallel::distributed
