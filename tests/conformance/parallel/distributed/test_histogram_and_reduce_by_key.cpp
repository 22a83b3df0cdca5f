#include <array>
#include <functional>
#include <map>

#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using distributed::Communicator;
using distributed::ReducedShard;
using test::random_elements;
using test::refusal;
using test::Spread;
using testing::AllOf;
using testing::HasSubstr;

class DistributedHistogram : public test::Distributed {};

TEST_F(DistributedHistogram, CountsTheSamplesOfAllRanksOnEveryRank) {
    for (const Communicator& communicator : communicators()) {
        const size_t ranks = communicator.size();
        const distributed::HistogramEven count_samples(communicator, Type::of<int32_t>(), Type::of<int32_t>());
        for (const uint64_t total : {0, 2000}) {
            for (const uint64_t bins : {1, 7, 300}) {
                SCOPED_TRACE(std::to_string(total) + " samples, " + std::to_string(bins) + " bins");
                std::vector<int32_t> samples = random_elements<int32_t>(total);
                std::vector<uint32_t> expected(bins, 0);
                const auto upper = static_cast<int32_t>(2 * bins);
                for (int32_t& sample : samples) {
                    sample %= 1000;
                    if (sample >= 0 && sample < upper) ++expected[static_cast<size_t>(sample / 2)];
                }
                const Spread<int32_t> in(communicator, random_counts(total, ranks), samples);
                const Spread<uint32_t> out(communicator, std::vector<uint64_t>(ranks, bins));
                count_samples(in.shards, out.shards, bins, 0, upper);
                for (size_t rank = 0; rank < ranks; ++rank)
                    EXPECT_EQ(out.of_rank(rank), expected) << "rank " << rank;
            }
        }
    }
}

TEST_F(DistributedHistogram, RefusesWhatDoesNotFit) {
    const Communicator communicator = of_devices(2);
    const distributed::HistogramEven count_samples(communicator, Type::of<float>(), Type::of<float>());
    const Spread<float> in(communicator, {3, 3}, std::vector<float>(6, 1.0F));
    const Spread<uint32_t> out(communicator, {5, 4});
    EXPECT_THAT(refusal([&] { count_samples(in.shards, out.shards, 5, 0.0F, 1.0F); }),
                AllOf(HasSubstr("rank 1 (device 0): histogram"), HasSubstr("5 elements")));
    EXPECT_THAT(refusal([&] { count_samples(in.shards, out.shards, 4, 1.0F, 1.0F); }), HasSubstr("making a histogram"));
    EXPECT_THAT(refusal([&] { count_samples(in.shards, out.shards, 0, 0.0F, 1.0F); }), HasSubstr("bins"));
}

class DistributedReductionByKey : public test::Distributed {
protected:
    template <class T>
    static std::vector<T> download(const core::Buffer& memory) {
        std::vector<T> elements(memory.size() / sizeof(T));
        memory.copy_to_host(elements);
        return elements;
    }
};

constexpr uint64_t total = 2503;

TEST_F(DistributedReductionByKey, BringsEqualKeysTogether) {
    const std::array<std::function<int32_t(uint64_t)>, 6> cases{
        [this](uint64_t) { return static_cast<int32_t>(random() % 50) - 25; },
        [this](uint64_t) { return static_cast<int32_t>(random()); },
        [](uint64_t) { return 3; },
        [](uint64_t i) { return static_cast<int32_t>(i); },
        [](uint64_t i) { return static_cast<int32_t>(total - i / 100); },
        [this](uint64_t) { return random() % 10 != 0 ? 0 : static_cast<int32_t>(random() % 5000); },
    };
    for (const Communicator& communicator : communicators()) {
        const size_t ranks = communicator.size();
        const Type keys_type = Type::of<int32_t>(), values_type = Type::of<int16_t>();
        const distributed::ReduceByKey sum(communicator, keys_type, values_type, OpKind::plus, Type::of<int64_t>());
        const distributed::ReduceByKey last(communicator, keys_type, values_type, "b", values_type);
        for (size_t number = 0; number < (ranks == 1 ? 1 : cases.size()); ++number) {
            std::vector<int32_t> keys(total);
            for (uint64_t i = 0; i < total; ++i)
                keys[i] = cases[number](i);
            const std::vector<int16_t> values = random_elements<int16_t>(total, static_cast<uint32_t>(number));
            std::map<int32_t, int64_t> sums;
            std::map<int32_t, int16_t> latest;
            for (uint64_t i = 0; i < total; ++i) {
                sums[keys[i]] += values[i];
                latest[keys[i]] = values[i];
            }
            const std::vector<uint64_t> counts = random_counts(total, ranks);
            SCOPED_TRACE("case " + std::to_string(number) + ", " + test::text(counts));
            const Spread<int32_t> key_shards(communicator, counts, keys);
            const Spread<int16_t> value_shards(communicator, counts, values);
            std::vector<std::pair<int32_t, int64_t>> found;
            for (const ReducedShard& shard : sum(key_shards.shards, value_shards.shards)) {
                const auto of_keys = download<int32_t>(shard.keys);
                const auto of_values = download<int64_t>(shard.values);
                ASSERT_EQ(of_keys.size(), shard.count);
                ASSERT_EQ(of_values.size(), shard.count);
                for (size_t i = 0; i < shard.count; ++i)
                    found.emplace_back(of_keys[i], of_values[i]);
                // A stretch between samples more than its share, at most, and a key that every rank has.
                EXPECT_LE(shard.count, sums.size() / ranks + sums.size() / 64 + 2 * ranks);
            }
            EXPECT_EQ(found, (std::vector<std::pair<int32_t, int64_t>>(sums.begin(), sums.end())));
            if (number != 0) continue;
            // Values are combined in the order of the ranks.
            std::vector<int16_t> found_latest, expected_latest;
            for (const ReducedShard& shard : last(key_shards.shards, value_shards.shards)) {
                const auto of_values = download<int16_t>(shard.values);
                found_latest.insert(found_latest.end(), of_values.begin(), of_values.end());
            }
            for (const auto& [key, value] : latest)
                expected_latest.push_back(value);
            EXPECT_EQ(found_latest, expected_latest);
        }
    }
}

TEST_F(DistributedReductionByKey, OfNothingAndOfOneElement) {
    for (const Communicator& communicator : communicators()) {
        const size_t ranks = communicator.size();
        const Type type = Type::of<uint64_t>();
        const distributed::ReduceByKey sum(communicator, type, type, OpKind::plus, type);
        for (const uint64_t count : {0, 1}) {
            const Spread<uint64_t> data(communicator, all_on(ranks - 1, count, ranks), std::vector<uint64_t>(count, 6));
            uint64_t found = 0;
            for (const ReducedShard& shard : sum(data.shards, data.shards)) {
                found += shard.count;
                EXPECT_EQ(download<uint64_t>(shard.values), std::vector<uint64_t>(shard.count, 6));
            }
            EXPECT_EQ(found, count);
        }
    }
}

TEST_F(DistributedReductionByKey, RefusesWhatDoesNotFit) {
    const Communicator communicator = of_devices(2);
    const Type type = Type::of<int32_t>();
    const distributed::ReduceByKey sum(communicator, type, type, OpKind::plus, type);
    const Spread<int32_t> keys(communicator, {1, 2}, {1, 2, 3}), values(communicator, {2, 1}, {1, 2, 3});
    EXPECT_THAT(refusal([&] { sum(keys.shards, values.shards); }),
                AllOf(HasSubstr("reducing by key"), HasSubstr("rank 0 (device 1): values"),
                      HasSubstr("it has 2 elements, and the keys have 1")));
}

}  // namespace
}  // namespace cuprum::parallel
