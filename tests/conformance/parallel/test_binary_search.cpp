// Lower and upper bounds against the standard library's.
#include <algorithm>
#include <functional>

#include "cuprum/pathfinder/error.hpp"
#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Search : public test::Parallel {
protected:
    // Among as many sorted elements as values, and among few and many.
    template <class T, class Position, class Compare>
    void expect_bounds(const BinarySearch& search, Bound bound, const Compare& compare) {
        for (const uint64_t count : {0, 1, 2, 511, 20011}) {
            for (const uint64_t data_count : {uint64_t{0}, uint64_t{1}, count / 3, 2 * count}) {
                SCOPED_TRACE(std::to_string(count) + " values among " + std::to_string(data_count));
                std::vector<T> data = test::random_elements<T>(data_count);
                std::sort(data.begin(), data.end(), compare);
                const std::vector<T> values = test::random_elements<T>(count, 2);
                std::vector<Position> expected;
                for (const T& value : values) {
                    const auto at = bound == Bound::lower ? std::lower_bound(data.begin(), data.end(), value, compare)
                                                          : std::upper_bound(data.begin(), data.end(), value, compare);
                    expected.push_back(static_cast<Position>(at - data.begin()));
                }
                const core::Buffer elements = upload(data);
                const core::Buffer wanted = upload(values);
                const core::Buffer positions = memory_for<Position>(count);
                search(stream, elements, data_count, wanted, positions, count);
                EXPECT_EQ(download<Position>(positions), expected);
            }
        }
    }
};

TEST_F(Search, FindsTheFirstAndTheLastPlaceOfEachValue) {
    const Iterator numbers = Iterator::pointer(Type::of<int32_t>());
    expect_bounds<int32_t, uint64_t>(BinarySearch(Bound::lower, numbers, numbers), Bound::lower, std::less<>());
    expect_bounds<int32_t, int32_t>(
        BinarySearch(Bound::upper, numbers, numbers, OpKind::less, Type::of<int32_t>(), {}, {.always_wide = true}),
        Bound::upper, std::less<>());
}

// So many that each block has evenly spaced elements in shared memory.
TEST_F(Search, OfManyValuesBeginsAmongEvenlySpacedElements) {
    const auto expect_positions = [&]<class T>(T, Bound bound, uint64_t data_count, const BuildOptions& options) {
        SCOPED_TRACE(data_count);
        constexpr uint64_t count = (1 << 20) + 77;
        const Iterator numbers = Iterator::pointer(Type::of<T>());
        const BinarySearch search(bound, numbers, numbers, OpKind::less, Type::of<uint32_t>(), {}, options);
        std::vector<T> data = test::random_elements<T>(data_count);
        for (T& element : data)
            element /= 3;  // many more than once, and values before and behind them
        std::sort(data.begin(), data.end());
        const std::vector<T> values = test::random_elements<T>(count, 2);
        const core::Buffer positions = memory_for<uint32_t>(count);
        search(stream, upload(data), data_count, upload(values), positions, count);
        std::vector<uint32_t> expected(count);
        for (uint64_t i = 0; i < count; ++i) {
            const auto at = bound == Bound::lower ? std::lower_bound(data.begin(), data.end(), values[i])
                                                  : std::upper_bound(data.begin(), data.end(), values[i]);
            expected[i] = static_cast<uint32_t>(at - data.begin());
        }
        EXPECT_EQ(download<uint32_t>(positions), expected);
    };
    expect_positions(int32_t{}, Bound::lower, 65536, {});
    expect_positions(int32_t{}, Bound::upper, 100003, {});
    expect_positions(double{}, Bound::lower, 70001, {.always_wide = true});
}

TEST_F(Search, TakesTheComparisonThatTheElementsAreSortedBy) {
    const Iterator points = Iterator::pointer(Type::of<test::Point>());
    expect_bounds<test::Point, uint32_t>(
        BinarySearch(Bound::upper, points, points, "a.weight > b.weight", Type::of<uint32_t>()), Bound::upper,
        [](const test::Point& a, const test::Point& b) { return a.weight > b.weight; });
}

TEST_F(Search, ReadsAnyIteratorAndTakesAnOperatorWithTheStateOfTheCall) {
    const Iterator counting = Iterator::counting(int32_t{0});
    const Iterator squares = Iterator::transform(counting, "a * a", Type::of<int32_t>());
    const Operator within("a + offset < b", Value(test::Scale{0, 0}));
    const BinarySearch search(Bound::lower, squares, counting, within, Type::of<int64_t>());
    const core::Buffer positions = memory_for<int64_t>(10);
    search(stream, squares, 3, counting, positions, 6);
    EXPECT_THAT(download<int64_t>(positions.slice(0, 48)), ElementsAre(0, 1, 2, 2, 2, 3));
    stream.sync();
    const Operator closer = within.with_state(test::Scale{0, 1});
    search(stream, squares, 3, counting, positions, 6, {.op = &closer});
    EXPECT_THAT(download<int64_t>(positions.slice(0, 48)), ElementsAre(0, 0, 1, 2, 2, 2));
}

TEST_F(Search, WritesOverTheValuesAndOverNothingElse) {
    const Iterator numbers = Iterator::pointer(Type::of<int32_t>());
    const BinarySearch search(Bound::lower, numbers, numbers, OpKind::less, Type::of<int32_t>());
    const core::Buffer data = upload(std::vector<int32_t>{1, 3, 5, 7});
    const core::Buffer values = upload(std::vector<int32_t>{6, 0, 8, 3});
    search(stream, data, 4, values, values, 4);
    EXPECT_THAT(download<int32_t>(values), ElementsAre(3, 0, 4, 1));
    EXPECT_THROW(search(stream, data, 4, values, data, 4), InvalidArgument);
    EXPECT_THROW(search(stream, data, 4, values.slice(0, 8), values.slice(4, 8), 2), InvalidArgument);
    EXPECT_THROW(search(stream, data, 5, values, values, 4), InvalidArgument);
    EXPECT_THROW(search(stream, core::DevicePointer{0}, 4, values, values, 4), InvalidArgument);
}

TEST_F(Search, RefusesTypesThatDoNotFit) {
    const Iterator numbers = Iterator::pointer(Type::of<int32_t>());
    const Iterator others = Iterator::pointer(Type::of<float>());
    const auto reason = [](auto action) -> std::string {
        try {
            action();
        } catch (const InvalidArgument& error) {
            return error.what();
        }
        return "taken";
    };
    EXPECT_THAT(reason([&] { BinarySearch(Bound::lower, numbers, others); }), HasSubstr("the elements are of int32"));
    EXPECT_THAT(reason([&] { BinarySearch(Bound::lower, numbers, numbers, OpKind::less, Type::of<int16_t>()); }),
                HasSubstr("expected int32, uint32, int64 or uint64"));
    const Iterator counting = Iterator::counting(int32_t{0});
    const BinarySearch search(Bound::lower, counting, counting, OpKind::less, Type::of<int32_t>());
    const core::Buffer positions = memory_for<int32_t>(1);
    EXPECT_THAT(reason([&] { search(stream, counting, uint64_t{1} << 31, counting, positions, 1); }),
                HasSubstr("int32, which cannot hold positions up to 2147483648"));
}

}  // namespace
}  // namespace cuprum::parallel
