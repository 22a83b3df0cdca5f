// Sorted sequences as one, against the standard library.
#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "cuprum/pathfinder/error.hpp"
#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using testing::ElementsAre;

class MergedSequences : public test::Parallel {
protected:
    template <class Key, class Compare>
    static std::vector<Key> sorted(uint64_t count, uint32_t seed, Compare compare) {
        std::vector<Key> keys = test::random_elements<Key>(count, seed);
        std::stable_sort(keys.begin(), keys.end(), compare);
        return keys;
    }

    template <class Key, class Compare>
    void expect_merged(uint64_t first_count, uint64_t second_count, const Operator& op, Compare compare,
                       const BuildOptions& options = {}) {
        SCOPED_TRACE(std::to_string(first_count) + " and " + std::to_string(second_count));
        const std::vector<Key> first = sorted<Key>(first_count, 1, compare);
        const std::vector<Key> second = sorted<Key>(second_count, 2, compare);
        const uint64_t count = first_count + second_count;
        // Values are positions: which of equal keys came first shows.
        std::vector<uint32_t> values(count);
        std::iota(values.begin(), values.end(), 0U);
        std::vector<Key> keys = first;
        keys.insert(keys.end(), second.begin(), second.end());
        std::vector<uint32_t> expected = values;
        std::stable_sort(expected.begin(), expected.end(),
                         [&](uint32_t a, uint32_t b) { return compare(keys[a], keys[b]); });
        std::vector<Key> expected_keys;
        for (const uint32_t value : expected)
            expected_keys.push_back(keys[value]);

        const Iterator of_keys = Iterator::pointer(Type::of<Key>());
        const Iterator of_values = Iterator::pointer(Type::of<uint32_t>());
        const MergeKeys merge_keys(of_keys, of_keys, op, {}, options);
        const MergePairs merge_pairs(of_keys, of_values, of_keys, of_values, op, {}, options);
        const core::Buffer first_in = upload(first);
        const core::Buffer second_in = upload(second);
        const core::Buffer values_in = upload(values);
        const core::DevicePointer second_values = values_in.handle() + first_count * sizeof(uint32_t);
        const core::Buffer keys_out = memory_for<Key>(count);
        const core::Buffer values_out = memory_for<uint32_t>(count);
        merge_keys(stream, first_in, first_count, second_in, second_count, keys_out);
        EXPECT_EQ(download<Key>(keys_out), expected_keys);
        const core::Buffer keys_of_pairs = memory_for<Key>(count);
        merge_pairs(stream, first_in, values_in, first_count, second_in, second_values, second_count, keys_of_pairs,
                    values_out);
        EXPECT_EQ(download<Key>(keys_of_pairs), expected_keys);
        EXPECT_EQ(download<uint32_t>(values_out), expected);
    }
};

TEST_F(MergedSequences, AreInOrderWithTheirValuesAndStable) {
    for (const uint64_t count : test::sizes()) {
        expect_merged<int32_t>(count, 4097, OpKind::less, std::less<>());
        expect_merged<int32_t>(1000, count, OpKind::less, std::less<>());
    }
    expect_merged<uint8_t>(20011, 20011, OpKind::greater, std::greater<>());
    expect_merged<double>(20011, 31, "b > a", std::less<>(), {.always_wide = true});
    expect_merged<test::Point>(5000, 3000, "a.weight < b.weight",
                               [](const test::Point& a, const test::Point& b) { return a.weight < b.weight; });
}

// Their bounds are then found before, and lie in the result: in its last part only if there is room.
TEST_F(MergedSequences, MayNeedMoreBlocksThanRunAtOnce) {
    constexpr uint64_t most_per_block = 15 * 512, most_blocks_per_multiprocessor = 4;
    const auto multiprocessors = static_cast<uint64_t>(device.properties().multiprocessor_count);
    const uint64_t full = most_per_block * (most_blocks_per_multiprocessor * multiprocessors + 1);
    expect_merged<int32_t>(full / 2, full - full / 2, OpKind::less, std::less<>());
    expect_merged<int32_t>(full - 100, 101, OpKind::less, std::less<>(), {.always_wide = true});
    expect_merged<uint8_t>(7, full, OpKind::less, std::less<>());
}

TEST_F(MergedSequences, MayHaveValuesThatFillTheSharedMemory) {
    struct Wide {
        std::array<int64_t, 5> numbers;
    };
    const Iterator of_keys = Iterator::pointer(Type::of<int32_t>());
    const Iterator of_values = Iterator::pointer(Type::parse("Wide{a:int64,b:int64,c:int64,d:int64,e:int64}"));
    const MergePairs merge(of_keys, of_values, of_keys, of_values);
    constexpr int32_t count = 9001;
    std::vector<int32_t> keys(count);
    std::vector<Wide> values(count);
    // Even keys first, then odd ones: two sequences in one array.
    constexpr int32_t evens = (count + 1) / 2;
    for (int32_t i = 0; i < count; ++i) {
        keys[i] = i < evens ? 2 * i : 2 * (i - evens) + 1;
        values[i].numbers = {keys[i], keys[i] + 1, keys[i] + 2, keys[i] + 3, keys[i] + 4};
    }
    const core::Buffer keys_in = upload(keys), values_in = upload(values);
    const core::Buffer keys_out = memory_for<int32_t>(count), values_out = memory_for<Wide>(count);
    merge(stream, keys_in, values_in, evens, keys_in.handle() + evens * sizeof(int32_t),
          values_in.handle() + evens * sizeof(Wide), count - evens, keys_out, values_out);
    const std::vector<int32_t> merged_keys = download<int32_t>(keys_out);
    const std::vector<Wide> merged_values = download<Wide>(values_out);
    for (int32_t i = 0; i < count; ++i) {
        ASSERT_EQ(merged_keys[i], i);
        ASSERT_EQ(merged_values[i].numbers, (std::array<int64_t, 5>{i, i + 1, i + 2, i + 3, i + 4}));
    }
}

TEST_F(MergedSequences, AreReadThroughIteratorsAndComparedWithAState) {
    const Iterator counting = Iterator::counting(int32_t{0});
    const Iterator odd = Iterator::transform(Iterator::counting(int32_t{0}), "2 * a + 1", Type::of<int32_t>());
    const Operator op("a * offset < b * offset", Value(test::Scale{0, 7}));
    const MergeKeys merge(counting, odd, op);
    const core::Buffer out = memory_for<int32_t>(7);
    const Operator of_call = op.with_state(test::Scale{0, 1});
    merge(stream, counting, 4, odd, 3, out, {.op = &of_call});
    EXPECT_THAT(download<int32_t>(out), ElementsAre(0, 1, 1, 2, 3, 3, 5));
}

TEST_F(MergedSequences, RefuseWhatDoesNotFit) {
    const Iterator numbers = Iterator::pointer(Type::of<int32_t>());
    const MergePairs merge(numbers, numbers, numbers, numbers);
    const core::Buffer keys = upload(std::vector<int32_t>(100, 1));
    const core::Buffer out = memory_for<int32_t>(200);
    const core::Buffer values_out = memory_for<int32_t>(200);
    EXPECT_THROW(merge(stream, keys, keys, 100, keys, keys, 101, out, values_out), InvalidArgument);
    EXPECT_THROW(merge(stream, keys, keys, 100, keys, keys, 100, out, out), InvalidArgument);
    EXPECT_THROW(merge(stream, out, keys, 100, keys, keys, 100, out, values_out), InvalidArgument);
    EXPECT_THROW(merge(stream, keys, keys, 100, keys, values_out, 100, out, values_out), InvalidArgument);
    EXPECT_THROW(merge(stream, keys, keys, 100, keys, keys, 100, out, values_out.slice(0, 796)), InvalidArgument);
    EXPECT_THROW(merge(stream, keys, keys, 100, keys, keys, 100, core::DevicePointer{0}, values_out), InvalidArgument);
    EXPECT_THROW(merge(stream, keys, keys, UINT64_MAX, keys, keys, 2, out, values_out), InvalidArgument);
    EXPECT_NO_THROW(merge(stream, keys, keys, 100, keys, keys, 100, out, values_out));
    stream.sync();
    EXPECT_THROW(MergeKeys(numbers, Iterator::pointer(Type::of<int64_t>())), InvalidArgument);
    EXPECT_THROW(MergePairs(numbers, numbers, numbers, Iterator::pointer(Type::of<float>())), InvalidArgument);
    std::string fields = "Large{";
    for (int i = 0; i < 65; ++i)
        fields += (i == 0 ? "f" : ",f") + std::to_string(i) + ":int64";
    const Iterator large = Iterator::pointer(Type::parse(fields + "}"));
    EXPECT_THROW(MergeKeys(large, large, "a.f0 < b.f0"), Unsupported);
}

}  // namespace
}  // namespace cuprum::parallel
