#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using distributed::Communicator;
using test::Point;
using test::random_elements;
using test::refusal;
using test::Spread;
using testing::AllOf;
using testing::HasSubstr;

class DistributedSort : public test::Distributed {};

TEST_F(DistributedSort, SortsKeysIntoSharesOfAnySize) {
    for (const Communicator& communicator : communicators()) {
        const size_t ranks = communicator.size();
        const distributed::RadixSort sort(SortOrder::ascending, communicator, Type::of<uint32_t>());
        for (const uint64_t total : {0, 1, 300, 3001}) {
            std::vector<uint32_t> keys = random_elements<uint32_t>(total);
            const std::vector<uint64_t> before = random_counts(total, ranks), after = random_counts(total, ranks);
            SCOPED_TRACE(test::text(before) + " to " + test::text(after));
            const Spread<uint32_t> in(communicator, before, keys), out(communicator, after);
            sort(in.shards, out.shards);
            EXPECT_EQ(in.all(), keys) << "the input has changed";
            std::sort(keys.begin(), keys.end());
            EXPECT_EQ(out.all(), keys);
        }
    }
}

// Values are the positions of their keys, so that it shows which of equal keys came first.
TEST_F(DistributedSort, IsStableWhateverTheKeysAreAndWhoHasThem) {
    constexpr uint64_t total = 2003;
    const std::vector<int64_t> mixed = random_elements<int64_t>(total);
    std::array<std::vector<int64_t>, 5> cases;
    for (uint64_t i = 0; i < total; ++i) {
        cases[0].push_back(mixed[i] % 10);
        cases[1].push_back(-4);
        cases[2].push_back(static_cast<int64_t>(i / 3) - 1000);
        cases[3].push_back(1000 - static_cast<int64_t>(i));
        cases[4].push_back(i < total - 5 ? 7 : mixed[i]);
    }
    std::vector<uint32_t> places(total);
    std::iota(places.begin(), places.end(), 0U);
    for (const Communicator& communicator : communicators()) {
        const size_t ranks = communicator.size();
        if (ranks == 1) continue;
        const SortOrder order = ranks == 3 ? SortOrder::descending : SortOrder::ascending;
        const distributed::RadixSort sort(order, communicator, Type::of<int64_t>(), Type::of<uint32_t>());
        for (size_t number = 0; number < cases.size(); ++number) {
            const std::vector<int64_t>& keys = cases[number];
            const std::array before{even_counts(total, ranks), random_counts(total, ranks),
                                    all_on(ranks - 1, total, ranks)};
            const std::vector<uint64_t>& counts = before[(number + ranks) % before.size()];
            const std::vector<uint64_t> after = even_counts(total, ranks);
            SCOPED_TRACE(test::text(counts) + ", case " + std::to_string(number));
            const Spread<int64_t> in(communicator, counts, keys), out(communicator, after);
            const Spread<uint32_t> values_in(communicator, counts, places), values_out(communicator, after);
            sort(in.shards, out.shards, values_in.shards, values_out.shards);
            std::vector<uint32_t> expected = places;
            std::stable_sort(expected.begin(), expected.end(), [&](uint32_t a, uint32_t b) {
                return order == SortOrder::ascending ? keys[a] < keys[b] : keys[a] > keys[b];
            });
            EXPECT_EQ(values_out.all(), expected);
            std::vector<int64_t> expected_keys;
            for (const uint32_t place : expected)
                expected_keys.push_back(keys[place]);
            EXPECT_EQ(out.all(), expected_keys);
        }
    }
}

TEST_F(DistributedSort, OrdersNumbersByTheirBits) {
    const Communicator communicator = of_devices(core::Device::count() >= 3 ? 3 : 2);
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const std::array<float, 8> special{nan, std::copysign(nan, -1.0F), infinity, -infinity, 0.0F, -0.0F, 1.5F, -1.5F};
    std::vector<float> keys(2000);
    for (float& key : keys)
        key = special[random() % special.size()];
    // -NaN, -inf, -1.5, both zeros, 1.5, inf, NaN.
    const auto place = [](float key) {
        if (std::isnan(key)) return std::signbit(key) ? -9 : 9;
        return std::isinf(key) ? (key < 0 ? -8 : 8) : static_cast<int>(key * 2);
    };
    const auto text = [](const std::vector<float>& all) {
        std::string bits;
        for (const float each : all)
            bits += std::to_string(each) + ' ';
        return bits;
    };
    const distributed::RadixSort sort(SortOrder::descending, communicator, Type::of<float>());
    const Spread<float> data(communicator, random_counts(keys.size(), communicator.size()), keys);
    sort(data.shards, data.shards);
    std::stable_sort(keys.begin(), keys.end(), [&](float a, float b) { return place(a) > place(b); });
    EXPECT_EQ(text(data.all()), text(keys));
}

TEST_F(DistributedSort, SortsStructsByTheirFields) {
    const Communicator communicator = of_devices(2);
    const distributed::RadixSort sort(SortOrder::ascending, communicator, Type::of<Point>());
    std::vector<Point> keys = random_elements<Point>(3000);
    for (Point& key : keys)
        key = {static_cast<float>(key.weight % 3), key.weight % 7, static_cast<uint16_t>(key.tag % 100)};
    const Spread<Point> data(communicator, {100, 2900}, keys);
    sort(data.shards, data.shards);
    std::sort(keys.begin(), keys.end(), [](const Point& a, const Point& b) {
        return std::tie(a.x, a.weight, a.tag) < std::tie(b.x, b.weight, b.tag);
    });
    EXPECT_EQ(data.all(), keys);
}

TEST_F(DistributedSort, RefusesWhatDoesNotFit) {
    const Communicator communicator = of_devices(2);
    const Type type = Type::of<uint32_t>();
    const distributed::RadixSort keys_alone(SortOrder::ascending, communicator, type);
    const distributed::RadixSort pairs(SortOrder::ascending, communicator, type, type);
    const Spread<uint32_t> in(communicator, {2, 2}, {4, 3, 2, 1}), out(communicator, {1, 3}),
        more(communicator, {2, 3});
    EXPECT_THAT(refusal([&] { keys_alone(in.shards, more.shards); }),
                AllOf(HasSubstr("sorting"), HasSubstr("output keys"), HasSubstr("5 elements"), HasSubstr("have 4")));
    EXPECT_THAT(refusal([&] { keys_alone(in.shards, out.shards, in.shards, out.shards); }),
                HasSubstr("built without values"));
    EXPECT_THAT(refusal([&] { pairs(in.shards, out.shards); }), HasSubstr("built with values"));
    EXPECT_THAT(refusal([&] { pairs(in.shards, out.shards, out.shards, out.shards); }),
                AllOf(HasSubstr("rank 0 (device 1): input values"), HasSubstr("it has 1 elements")));
    EXPECT_THAT(refusal([&] { pairs(in.shards, out.shards, in.shards, out.shards); }),
                AllOf(HasSubstr("rank 0 (device 1): output keys and output values"), HasSubstr("overlap")));
    EXPECT_EQ(in.all(), (std::vector<uint32_t>{4, 3, 2, 1}));
}

}  // namespace
}  // namespace cuprum::parallel
