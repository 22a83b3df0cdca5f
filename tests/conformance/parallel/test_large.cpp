// Random elements, many of them: 2^28 on a GPU, and beyond 2^32; few on the simulator, where the same properties hold.
#include <algorithm>
#include <array>
#include <numeric>

#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

class Large : public test::Parallel {
protected:
    uint64_t many() const { return device.is_simulator() ? 30011 : (uint64_t{1} << 28) + 12345; }
    // Of bytes.
    uint64_t beyond_32_bits() const { return device.is_simulator() ? 50021 : (uint64_t{1} << 32) + 12345; }

    // Made in the same way on the device and on the host: a hash of the position.
    static constexpr const char* hash_text =
        "unsigned long long x = (unsigned long long)a * 0x9e3779b97f4a7c15ull; x ^= x >> 29; x *= "
        "0xbf58476d1ce4e5b9ull; "
        "return x >> 32;";
    static uint32_t hash(uint64_t position) {
        uint64_t x = position * 0x9e3779b97f4a7c15;
        x ^= x >> 29;
        x *= 0xbf58476d1ce4e5b9;
        return static_cast<uint32_t>(x >> 32);
    }
    template <class T>
    core::Buffer random_on_device(uint64_t count) const {
        const Iterator positions = Iterator::counting(int64_t{0});
        core::Buffer elements = memory_for<T>(count);
        Transform(positions, hash_text, Type::of<T>(), {}, wide)(stream, positions, elements, count);
        return elements;
    }
    // One program for either size.
    const BuildOptions wide{.always_wide = true};

    // The elements are the random ones, each as often as there, in ascending order.
    void expect_sorted_bytes(const core::BufferRef& buffer, uint64_t count) const {
        const std::vector<uint8_t> sorted = download<uint8_t>(buffer);
        EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
        std::array<uint64_t, 256> expected{};
        std::array<uint64_t, 256> actual{};
        for (uint64_t i = 0; i < count; ++i) {
            ++expected[static_cast<uint8_t>(hash(i))];
            ++actual[sorted[i]];
        }
        EXPECT_EQ(actual, expected);
    }
    void expect_sorted_words(const core::BufferRef& keys, const core::BufferRef& positions, uint64_t count) const {
        const std::vector<uint32_t> sorted = download<uint32_t>(keys);
        const std::vector<uint32_t> from = download<uint32_t>(positions);
        EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
        uint64_t wrong = 0;
        uint64_t unstable = 0;
        uint64_t sum = 0;
        for (uint64_t i = 0; i < count; ++i) {
            wrong += sorted[i] != hash(from[i]) ? 1 : 0;
            unstable += i > 0 && sorted[i] == sorted[i - 1] && from[i] < from[i - 1] ? 1 : 0;
            sum += from[i];
        }
        EXPECT_EQ(wrong, 0);
        EXPECT_EQ(unstable, 0);
        EXPECT_EQ(sum, count * (count - 1) / 2);
    }
};

TEST_F(Large, ReductionsScansAndTransformationsAreThoseOfTheHost) {
    const uint64_t count = many();
    const Type type = Type::of<uint32_t>();
    const Iterator pointer = Iterator::pointer(type);
    const core::Buffer elements = random_on_device<uint32_t>(count);
    const core::Buffer result = memory_for<uint32_t>(count);
    std::vector<uint32_t> expected(count);
    for (uint64_t i = 0; i < count; ++i)
        expected[i] = hash(i);
    EXPECT_EQ(download<uint32_t>(elements), expected);
    const auto smallest = std::min_element(expected.begin(), expected.end());
    const uint32_t sum = std::accumulate(expected.begin(), expected.end(), uint32_t{0});

    Reduce(pointer, OpKind::plus, type, {}, wide)(stream, elements, result, count, uint32_t{0});
    EXPECT_EQ(download_one<uint32_t>(result.slice(0, 4)), sum);
    ArgReduce(ArgKind::minimum, pointer, {}, wide)(stream, elements, result, count);
    EXPECT_EQ(download_one<int64_t>(result.slice(0, 8)), smallest - expected.begin());

    Scan(ScanKind::inclusive, pointer, OpKind::plus, type, {}, wide)(stream, elements, result, count);
    std::partial_sum(expected.begin(), expected.end(), expected.begin());
    EXPECT_EQ(download<uint32_t>(result), expected);
}

TEST_F(Large, SortsAreStablePermutations) {
    const uint64_t count = many();
    const Type type = Type::of<uint32_t>();
    const core::Buffer keys = random_on_device<uint32_t>(count);
    const core::Buffer positions = memory_for<uint32_t>(count);
    const core::Buffer sorted = memory_for<uint32_t>(count);
    const core::Buffer moved = memory_for<uint32_t>(count);
    const Iterator counting = Iterator::counting(uint32_t{0});
    Transform(counting, OpKind::identity, type, {}, wide)(stream, counting, positions, count);

    RadixSort(SortOrder::ascending, type, type, {}, wide)(stream, keys, sorted, positions, moved, count);
    expect_sorted_words(sorted, moved, count);
    MergeSort(OpKind::less, type, type, {}, wide)(stream, keys, sorted, positions, moved, count);
    expect_sorted_words(sorted, moved, count);
}

TEST_F(Large, BytesAreCountedBeyond32Bits) {
    const uint64_t count = beyond_32_bits();
    const Type type = Type::of<uint8_t>();
    const Iterator pointer = Iterator::pointer(type);
    const core::Buffer bytes = random_on_device<uint8_t>(count);
    const core::Buffer result = memory_for<uint8_t>(count);

    RadixSort(SortOrder::ascending, type, std::nullopt, {}, wide)(stream, bytes, result, count);
    expect_sorted_bytes(result, count);
    MergeSort(OpKind::less, type, std::nullopt, {}, wide)(stream, bytes, result, count);
    expect_sorted_bytes(result, count);

    Transform(pointer, pointer, "a ^ b", type, {}, wide)(stream, bytes, bytes, result, count);
    const core::Buffer any = memory_for<uint8_t>(16);
    Reduce(pointer, OpKind::bit_or, type, {}, wide)(stream, result, any, count, uint8_t{0});
    EXPECT_EQ(download_one<uint8_t>(any.slice(0, 1)), 0);
    const uint8_t one = 1;
    result.slice(count - 2, 1).copy_from_host(&one, 1);
    ArgReduce(ArgKind::maximum, pointer, {}, wide)(stream, result, any, count);
    EXPECT_EQ(download_one<int64_t>(any.slice(0, 8)), static_cast<int64_t>(count) - 2);

    const Iterator ones = Iterator::constant(uint8_t{1});
    const core::Buffer sums = memory_for<uint8_t>(count);
    Scan(ScanKind::inclusive, ones, OpKind::plus, type, {}, wide)(stream, ones, sums, count);
    EXPECT_EQ(download_one<uint8_t>(sums.slice(count - 1, 1)), static_cast<uint8_t>(count));
    Reduce(ones, OpKind::plus, Type::of<uint64_t>(), {}, wide)(stream, ones, any, count, uint64_t{0});
    EXPECT_EQ(download_one<uint64_t>(any.slice(0, 8)), count);

    const std::vector<int64_t> offsets{0, static_cast<int64_t>(count) - 2, static_cast<int64_t>(count)};
    const core::Buffer begins = upload(offsets);
    SegmentedReduce(pointer, OpKind::plus, type, Type::of<int64_t>())(
        stream, result, any, 2, begins, core::DevicePointer(begins.handle() + sizeof(int64_t)), uint8_t{0});
    EXPECT_EQ(download<uint8_t>(any.slice(0, 2)), (std::vector<uint8_t>{0, 1}));
}

// More than the positions of one launch can count.
TEST_F(Large, PartsAreOfMoreElementsThan31BitsCount) {
    const uint64_t count = beyond_32_bits();
    const Type type = Type::of<uint8_t>();
    const Iterator pointer = Iterator::pointer(type);
    const core::Buffer bytes = random_on_device<uint8_t>(count);
    const core::Buffer first = memory_for<uint8_t>(count);
    const core::Buffer second = memory_for<uint8_t>(count);
    const core::Buffer rest = memory_for<uint8_t>(count);
    const core::Buffer counts = memory_for<uint64_t>(2);
    ThreeWayPartition(pointer, "a < 20", "a >= 200")(stream, bytes, first, second, rest, counts, count);
    const std::vector<uint64_t> found = download<uint64_t>(counts);
    std::array<std::vector<uint8_t>, 3> expected;
    for (uint64_t i = 0; i < count; ++i) {
        const auto byte = static_cast<uint8_t>(hash(i));
        expected[byte < 20 ? 0 : byte >= 200 ? 1 : 2].push_back(byte);
    }
    ASSERT_THAT(found, testing::ElementsAre(expected[0].size(), expected[1].size()));
    EXPECT_TRUE(download<uint8_t>(first.slice(0, found[0])) == expected[0]);
    EXPECT_TRUE(download<uint8_t>(second.slice(0, found[1])) == expected[1]);
    EXPECT_TRUE(download<uint8_t>(rest.slice(0, count - found[0] - found[1])) == expected[2]);
}

}  // namespace
}  // namespace cuprum::parallel
