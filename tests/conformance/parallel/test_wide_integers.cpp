// Integers of 128 bits as elements, against the compiler's own.
#include <algorithm>
#include <numeric>
#include <random>

#include "cuprum/pathfinder/error.hpp"
#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

// Numbers of all sizes and both signs, some of which differ in the upper half alone.
template <class T>
std::vector<T> wide_numbers(uint64_t count) {
    std::mt19937_64 generator(count);
    std::vector<T> numbers(count);
    for (T& number : numbers) {
        const auto bits = (static_cast<uint128>(generator()) << 64) | generator();
        number = static_cast<T>(bits) >> (generator() % 4 * 31);
        if (generator() % 4 == 0) number = static_cast<T>((static_cast<uint128>(generator()) << 64) | 5);
    }
    return numbers;
}

class WideIntegers : public test::Parallel {
protected:
    template <class T>
    void expect_same(const core::BufferRef& found, const std::vector<T>& expected) const {
        EXPECT_TRUE(download<T>(found) == expected);
    }
};

TEST_F(WideIntegers, AreReducedAndScanned) {
    const Type type = Type::of<int128>();
    const Iterator numbers = Iterator::pointer(type);
    const Reduce sum(numbers, OpKind::plus, type);
    const Reduce largest(numbers, "a < b ? b : a", type);
    const Scan scan(ScanKind::exclusive, numbers, OpKind::plus, type);
    for (const uint64_t count : test::sizes()) {
        SCOPED_TRACE(count);
        const auto data = wide_numbers<int128>(count);
        const core::Buffer in = upload(data);
        const core::Buffer out = memory_for<int128>(1);
        const core::Buffer sums = memory_for<int128>(count);
        uint128 expected = 7;  // sums wrap around
        std::vector<int128> prefixes;
        for (const int128 number : data) {
            prefixes.push_back(static_cast<int128>(expected));
            expected += static_cast<uint128>(number);
        }
        sum(stream, in, out, count, int128{7});
        expect_same<int128>(out, {static_cast<int128>(expected)});
        scan(stream, in, sums, count, int128{7});
        expect_same(sums, prefixes);
        if (count == 0) continue;
        largest(stream, in, out, count);
        expect_same<int128>(out, {*std::max_element(data.begin(), data.end())});
    }
}

TEST_F(WideIntegers, AreSortedByTheirBits) {
    const auto expect_sorted = [&]<class T>(T, SortOrder order) {
        const RadixSort sort(order, Type::of<T>(), Type::of<uint32_t>());
        for (const uint64_t count : {0, 1, 33, 1000, 20011}) {
            SCOPED_TRACE(count);
            const auto keys = wide_numbers<T>(count);
            std::vector<uint32_t> places(count);
            std::iota(places.begin(), places.end(), 0U);
            const core::Buffer in = upload(keys), values = upload(places);
            const core::Buffer out = memory_for<T>(count), values_out = memory_for<uint32_t>(count);
            sort(stream, in, out, values, values_out, count);
            std::stable_sort(places.begin(), places.end(), [&](uint32_t a, uint32_t b) {
                return order == SortOrder::ascending ? keys[a] < keys[b] : keys[b] < keys[a];
            });
            std::vector<T> expected;
            for (const uint32_t place : places)
                expected.push_back(keys[place]);
            expect_same(out, expected);
            expect_same(values_out, places);
        }
    };
    expect_sorted(int128{}, SortOrder::ascending);
    expect_sorted(uint128{}, SortOrder::descending);
}

TEST_F(WideIntegers, AreSortedInPartAndBySegments) {
    const auto keys = wide_numbers<uint128>(4097);
    const core::Buffer in = upload(keys), out = memory_for<uint128>(keys.size());
    RadixSort(SortOrder::ascending, Type::of<uint128>())(stream, in, out, keys.size(), {.begin = 60, .end = 70});
    std::vector<uint128> expected = keys;
    const auto middle = [](uint128 key) { return static_cast<int>((key >> 60) & 0x3ff); };
    std::stable_sort(expected.begin(), expected.end(), [&](uint128 a, uint128 b) { return middle(a) < middle(b); });
    expect_same(out, expected);

    const auto numbers = wide_numbers<int128>(3000);
    const core::Buffer segments = upload(std::vector<int32_t>{0, 5, 40, 3000}), sorted = memory_for<int128>(3000);
    const SegmentedSort sort(SortOrder::ascending, Type::of<int128>(), std::nullopt, Type::of<int32_t>());
    sort(stream, upload(numbers), sorted, 3000, 3, segments, core::DevicePointer(segments.handle() + 4));
    std::vector<int128> in_segments = numbers;
    for (const auto& [begin, end] : {std::pair{0, 5}, {5, 40}, {40, 3000}})
        std::sort(in_segments.begin() + begin, in_segments.begin() + end);
    expect_same(sorted, in_segments);
}

TEST_F(WideIntegers, AreComparedTransformedAndSelected) {
    const Type type = Type::of<int128>();
    const Iterator numbers = Iterator::pointer(type);
    const auto data = wide_numbers<int128>(5003);
    const auto sorted = [&] {
        auto all = data;
        std::sort(all.begin(), all.end());
        return all;
    }();
    const core::Buffer in = upload(data), out = memory_for<int128>(data.size());

    MinMax{numbers}(stream, in, out, data.size());
    std::vector<int128> extremes(2);
    stream.sync();
    out.slice(0, 32).copy_to_host(extremes.data(), 32);
    EXPECT_TRUE(extremes[0] == sorted.front() && extremes[1] == sorted.back());

    const core::Buffer extreme = memory_for<Indexed<int128>>(1);
    ArgReduce(ArgKind::minimum, numbers)(stream, in, extreme, data.size());
    const auto first = download_one<Indexed<int128>>(extreme);
    EXPECT_EQ(first.index, std::min_element(data.begin(), data.end()) - data.begin());
    EXPECT_TRUE(first.value == sorted.front());

    constexpr uint64_t k = 100;
    TopkKeys(SortOrder::descending, numbers)(stream, in, out, k, data.size());
    std::vector<int128> top = download<int128>(out.slice(0, k * 16));
    std::sort(top.begin(), top.end());
    EXPECT_TRUE(std::equal(top.begin(), top.end(), sorted.end() - k));

    Transform(numbers, "a * 3 - (a >> 5)", type)(stream, in, out, data.size());
    std::vector<int128> expected;
    for (const int128 number : data)
        expected.push_back(static_cast<int128>(static_cast<uint128>(number) * 3 - static_cast<uint128>(number >> 5)));
    expect_same(out, expected);

    const Iterator counting = Iterator::counting(int128{1} << 100);
    Transform(counting, OpKind::identity, type)(stream, counting, out, 3);
    const auto counted = download<int128>(out.slice(0, 48));
    EXPECT_TRUE(counted[2] == (int128{1} << 100) + 2);

    const core::Buffer selected = memory_for<uint64_t>(1);
    Select(numbers, "a < 0")(stream, in, out, selected, data.size());
    const auto negative =
        static_cast<uint64_t>(std::count_if(data.begin(), data.end(), [](int128 x) { return x < 0; }));
    EXPECT_EQ(download_one<uint64_t>(selected), negative);

    MergeSort(OpKind::greater, type)(stream, in, out, data.size());
    expect_same(out, std::vector<int128>(sorted.rbegin(), sorted.rend()));
}

TEST(WideIntegerTypes, AreDescribedAndRefusedWhereNothingCountsThem) {
    EXPECT_EQ(Type::parse("uint128").size(), 16U);
    EXPECT_EQ(Type::parse("P{x:int8,y:int128}").fields()[1].offset, 16U);
    EXPECT_EQ(Type::of<uint128>().text(), "uint128");
    const Iterator numbers = Iterator::pointer(Type::of<int128>());
    EXPECT_THROW(HistogramEven(numbers, Type::of<int128>(), Type::of<uint32_t>()), InvalidArgument);
    EXPECT_THROW(HistogramRange(numbers, Type::of<double>(), Type::of<uint32_t>()), InvalidArgument);
    EXPECT_THROW(RunLengthEncode(numbers, Type::of<int128>()), InvalidArgument);
}

}  // namespace
}  // namespace cuprum::parallel
