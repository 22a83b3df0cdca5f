// Where sorted runs are cut, against a merge of them, whatever the keys are.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "out_of_core/sorted_runs.hpp"

namespace cuprum::parallel::out_of_core {
namespace {

using Keys = std::vector<std::vector<int32_t>>;

SortedRuns runs_of(const Keys& keys) {
    std::vector<Run> runs;
    for (const std::vector<int32_t>& run : keys)
        runs.push_back({reinterpret_cast<const std::byte*>(run.data()), run.size()});
    return {KeyOrder(SortOrder::ascending, Type::of<int32_t>()), sizeof(int32_t), std::move(runs)};
}

// The runs of all keys, in their order.
std::vector<std::tuple<int32_t, size_t, uint64_t>> merged(const Keys& keys) {
    std::vector<std::tuple<int32_t, size_t, uint64_t>> all;
    for (size_t run = 0; run < keys.size(); ++run) {
        for (uint64_t position = 0; position < keys[run].size(); ++position)
            all.emplace_back(keys[run][position], run, position);
    }
    std::sort(all.begin(), all.end());
    return all;
}

// Runs of random lengths, none among them, with keys of a kind.
class RandomRuns {
public:
    Keys next() {
        Keys keys(1 + random_() % 7);
        const std::array<std::function<int32_t(uint64_t)>, 4> kinds{
            [this](uint64_t) { return static_cast<int32_t>(random_()); },
            [this](uint64_t) { return static_cast<int32_t>(random_() % 4); }, [](uint64_t) { return 7; },
            [this](uint64_t place) { return place % 50 == 0 ? static_cast<int32_t>(random_() % 100) : 3; }};
        for (std::vector<int32_t>& run : keys) {
            const auto& kind = kinds[random_() % kinds.size()];
            run.resize(random_() % 4 == 0 ? 0 : random_() % 200);
            for (uint64_t place = 0; place < run.size(); ++place)
                run[place] = kind(place);
            std::sort(run.begin(), run.end());
        }
        return keys;
    }

private:
    std::mt19937_64 random_{20261128};
};

TEST(SortedRuns, AreCutWhereAMergeWouldCutThem) {
    RandomRuns random;
    for (int repeat = 0; repeat < 300; ++repeat) {
        const Keys keys = random.next();
        const SortedRuns runs = runs_of(keys);
        const auto all = merged(keys);
        ASSERT_EQ(runs.count(), all.size());
        Cut expected(keys.size(), 0), before = runs.begin();
        for (uint64_t rank = 0; rank <= all.size(); ++rank) {
            ASSERT_EQ(runs.at(rank, runs.begin()), expected) << rank;
            if (rank % 17 == 0) {
                before = runs.at(rank, before);  // from one cut to the next
                ASSERT_EQ(before, expected);
            }
            if (rank < all.size()) ++expected[std::get<1>(all[rank])];
        }
    }
}

TEST(SortedRuns, AreCutBetweenKeys) {
    RandomRuns random;
    for (int repeat = 0; repeat < 100; ++repeat) {
        const Keys keys = random.next();
        const SortedRuns runs = runs_of(keys);
        const auto all = merged(keys);
        for (uint64_t rank = 0; rank <= all.size(); rank += 5) {
            const Cut cut = runs.between_keys(runs.at(rank, runs.begin()), runs.begin());
            // As many keys as are less than the first one behind.
            uint64_t expected = rank;
            while (rank < all.size() && expected > 0 && std::get<0>(all[expected - 1]) == std::get<0>(all[rank]))
                --expected;
            ASSERT_EQ(std::accumulate(cut.begin(), cut.end(), uint64_t{0}), expected);
            ASSERT_EQ(cut, runs.at(expected, runs.begin()));
        }
    }
}

}  // namespace
}  // namespace cuprum::parallel::out_of_core
