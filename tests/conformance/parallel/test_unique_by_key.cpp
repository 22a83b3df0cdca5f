// The first of each run of equal keys, and its value, against a plain loop.
#include <functional>
#include <random>

#include "cuprum/pathfinder/error.hpp"
#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using testing::ElementsAre;

template <class Key, class Value>
struct Pairs {
    std::vector<Key> keys;
    std::vector<Value> values;
};

// Keys in runs of up to 6, so that there are long, short and single ones.
template <class Key, class Value>
Pairs<Key, Value> pairs_of(uint64_t count) {
    Pairs<Key, Value> result{test::random_elements<Key>(count), test::random_elements<Value>(count, 2)};
    std::mt19937 generator(static_cast<uint32_t>(count));
    for (size_t i = 1; i < count; ++i) {
        if (generator() % 3 != 0) result.keys[i] = result.keys[i - 1];
    }
    return result;
}

template <class Key, class Value, class Equal = std::equal_to<Key>>
Pairs<Key, Value> first_of_runs(const Pairs<Key, Value>& all, const Equal& equal = {}) {
    Pairs<Key, Value> result;
    for (size_t i = 0; i < all.keys.size(); ++i) {
        if (i > 0 && equal(all.keys[i - 1], all.keys[i])) continue;
        result.keys.push_back(all.keys[i]);
        result.values.push_back(all.values[i]);
    }
    return result;
}

class Uniqueness : public test::Parallel {
protected:
    template <class Key, class Value, class Equal = std::equal_to<Key>>
    void expect_first_of_runs(const UniqueByKey& unique, const Pairs<Key, Value>& all, const Equal& equal = {},
                              const CallOptions& options = {}) {
        SCOPED_TRACE(all.keys.size());
        const uint64_t count = all.keys.size();
        const Pairs<Key, Value> expected = first_of_runs(all, equal);
        const core::Buffer keys = upload(all.keys);
        const core::Buffer values = upload(all.values);
        const core::Buffer keys_out = memory_for<Key>(count);
        const core::Buffer values_out = memory_for<Value>(count);
        const core::Buffer selected = memory_for<uint64_t>(1);
        unique(stream, keys, values, keys_out, values_out, selected, count, options);
        ASSERT_EQ(download_one<uint64_t>(selected), expected.keys.size());
        EXPECT_EQ(download<Key>(keys_out.slice(0, expected.keys.size() * sizeof(Key))), expected.keys);
        EXPECT_EQ(download<Value>(values_out.slice(0, expected.keys.size() * sizeof(Value))), expected.values);
    }

    template <class Key, class Value>
    void expect_every_size() {
        const UniqueByKey unique(Iterator::pointer(Type::of<Key>()), Iterator::pointer(Type::of<Value>()));
        for (const uint64_t count : test::sizes())
            expect_first_of_runs(unique, pairs_of<Key, Value>(count));
    }
};

TEST_F(Uniqueness, KeepsTheFirstOfEachRunAndItsValue) {
    expect_every_size<int32_t, int32_t>();
}

TEST_F(Uniqueness, IsForKeysAndValuesOfManyTypes) {
    expect_every_size<uint8_t, double>();
    expect_every_size<int64_t, uint16_t>();
    expect_every_size<float, test::Point>();
}

TEST_F(Uniqueness, KeepsEverythingOrOneThing) {
    const UniqueByKey unique(Iterator::pointer(Type::of<int32_t>()), Iterator::pointer(Type::of<int32_t>()));
    Pairs<int32_t, int32_t> all{std::vector<int32_t>(20011, 7), test::random_elements<int32_t>(20011)};
    expect_first_of_runs(unique, all);
    for (size_t i = 0; i < all.keys.size(); ++i)
        all.keys[i] = static_cast<int32_t>(i);
    expect_first_of_runs(unique, all);
}

TEST_F(Uniqueness, TakesAnOperatorAsTextWithAStateOfTheCall) {
    const Iterator numbers = Iterator::pointer(Type::of<uint32_t>());
    const UniqueByKey by_tens(numbers, numbers, "a / 10 == b / 10");
    Pairs<uint32_t, uint32_t> all = pairs_of<uint32_t, uint32_t>(20011);
    for (uint32_t& key : all.keys)
        key %= 100;
    expect_first_of_runs(by_tens, all, [](uint32_t a, uint32_t b) { return a / 10 == b / 10; });

    const Operator near("a - b < factor || b - a < factor", Value(test::Scale{3, 0}));
    const UniqueByKey near_ones(Iterator::pointer(Type::of<int32_t>()), numbers, near);
    const Pairs<int32_t, uint32_t> steps{{1, 2, 4, 9, 9, 20}, {0, 1, 2, 3, 4, 5}};
    const auto within = [](int32_t limit) {
        return [limit](int32_t a, int32_t b) { return a - b < limit || b - a < limit; };
    };
    expect_first_of_runs(near_ones, steps, within(3));
    const Operator nearer = near.with_state(test::Scale{2, 0});
    expect_first_of_runs(near_ones, steps, within(2), {.op = &nearer});
}

TEST_F(Uniqueness, TakesStructsAsKeys) {
    const UniqueByKey by_weight(Iterator::pointer(Type::of<test::Point>()), Iterator::pointer(Type::of<int32_t>()),
                                "a.weight == b.weight");
    expect_first_of_runs(by_weight, pairs_of<test::Point, int32_t>(4097),
                         [](const test::Point& a, const test::Point& b) { return a.weight == b.weight; });
}

TEST_F(Uniqueness, ReadsAnyIteratorWithTheCallersTemporaryStorage) {
    const Iterator counting = Iterator::counting(int32_t{0});
    const Iterator by_fours = Iterator::transform(counting, "a / 4", Type::of<int32_t>());
    const UniqueByKey unique(by_fours, counting, OpKind::equal_to, {}, {.always_wide = true});
    const uint64_t count = 10007;
    const core::Buffer keys = memory_for<int32_t>(count);
    const core::Buffer values = memory_for<int32_t>(count);
    const core::Buffer selected = memory_for<uint64_t>(1);
    const core::Buffer storage = device.allocate(unique.temp_storage_bytes(count));
    unique(stream, by_fours, counting, keys, values, selected, count, {.temp_storage = storage});
    ASSERT_EQ(download_one<uint64_t>(selected), 2502U);
    EXPECT_THAT(download<int32_t>(keys.slice(0, 16)), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(download<int32_t>(values.slice(0, 16)), ElementsAre(0, 4, 8, 12));
    EXPECT_THROW(unique(stream, counting, counting, keys, values, selected, count), InvalidArgument);
}

TEST_F(Uniqueness, TakesHostMemoryInOneCall) {
    for (const uint64_t count : {0, 1, 4999}) {
        Pairs<int32_t, double> all = pairs_of<int32_t, double>(count);
        const Pairs<int32_t, double> expected = first_of_runs(all);
        const Pairs<int32_t, double> before = all;
        const auto selected = static_cast<ptrdiff_t>(unique_by_key(all.keys, all.values));
        ASSERT_EQ(selected, std::ssize(expected.keys));
        EXPECT_TRUE(std::equal(expected.keys.begin(), expected.keys.end(), all.keys.begin()));
        EXPECT_TRUE(std::equal(expected.values.begin(), expected.values.end(), all.values.begin()));
        EXPECT_TRUE(std::equal(all.keys.begin() + selected, all.keys.end(), before.keys.begin() + selected));
    }
    std::vector<int32_t> keys(3);
    std::vector<int32_t> values(2);
    EXPECT_THROW(unique_by_key(keys, values), InvalidArgument);
}

TEST_F(Uniqueness, RefusesToOverwriteItsInputAndTooLittleRoom) {
    const UniqueByKey unique(Iterator::pointer(Type::of<uint32_t>()), Iterator::pointer(Type::of<uint32_t>()));
    const core::Buffer in = upload(std::vector<uint32_t>(1000, 1));
    const core::Buffer keys = memory_for<uint32_t>(1000);
    const core::Buffer values = memory_for<uint32_t>(1000);
    const core::Buffer small = memory_for<uint32_t>(999);
    const core::Buffer selected = memory_for<uint64_t>(1);
    EXPECT_THROW(unique(stream, in, in, in, values, selected, 1000), InvalidArgument);
    EXPECT_THROW(unique(stream, in, in, keys, in, selected, 1000), InvalidArgument);
    EXPECT_THROW(unique(stream, in, in, keys, keys, selected, 1000), InvalidArgument);
    EXPECT_THROW(unique(stream, in, in, small, values, selected, 1000), InvalidArgument);
    EXPECT_THROW(unique(stream, in, in, keys, small, selected, 1000), InvalidArgument);
    EXPECT_THROW(unique(stream, in, in, keys, values, core::DevicePointer{0}, 1000), InvalidArgument);
    EXPECT_NO_THROW(unique(stream, in, in, keys, values, selected, 1000));
    stream.sync();
}

}  // namespace
}  // namespace cuprum::parallel
