// Lower and upper bounds on the host's cores against the standard library's.
#include <algorithm>
#include <functional>

#include "host_fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Elements;
using test::host;
using test::host_sizes;
using test::refusal;
using testing::ElementsAre;
using testing::HasSubstr;

template <class T, class Position, class Compare>
void expect_bounds(Bound bound, OpKind op, const Compare& compare) {
    const Iterator numbers = Iterator::pointer(Type::of<T>());
    const BinarySearch search(bound, numbers, numbers, op, Type::of<Position>(), host);
    for (const uint64_t count : host_sizes()) {
        SCOPED_TRACE(std::to_string(count) + ' ' + Type::of<T>().name());
        Elements<T> data(count / 2);
        std::sort(data.values.begin(), data.values.end(), compare);
        const Elements<T> values(count, 2);
        std::vector<Position> expected;
        for (const auto& value : values.values) {
            const auto begin = data.values.begin();
            const auto at = bound == Bound::lower ? std::lower_bound(begin, data.values.end(), value, compare)
                                                  : std::upper_bound(begin, data.values.end(), value, compare);
            expected.push_back(static_cast<Position>(at - begin));
        }
        std::vector<Position> positions(count);
        search({}, data.span(), count / 2, values.span(), positions, count);
        EXPECT_EQ(positions, expected);
    }
}

TEST(HostExecution, FindsTheFirstAndTheLastPlaceOfEachValue) {
    expect_bounds<bool, uint64_t>(Bound::lower, OpKind::less, std::less<>());
    expect_bounds<int8_t, int64_t>(Bound::upper, OpKind::less, std::less<>());
    expect_bounds<double, int32_t>(Bound::upper, OpKind::greater, std::greater<>());
    expect_bounds<uint64_t, uint32_t>(Bound::lower, OpKind::greater, std::greater<>());
}

TEST(HostExecution, SearchesWhatIteratorsGive) {
    const Iterator counting = Iterator::counting(int32_t{-2});
    const Iterator falling = Iterator::transform(counting, OpKind::negate, Type::of<int32_t>());
    const BinarySearch search(Bound::lower, falling, counting, OpKind::greater, Type::of<int32_t>(), host);
    std::vector<int32_t> positions(5);
    search({}, falling, 3, counting, positions, 5);
    EXPECT_THAT(positions, ElementsAre(3, 3, 2, 1, 0));
}

TEST(HostExecution, RefusesWhatABinarySearchCannotDo) {
    const Iterator numbers = Iterator::pointer(Type::of<int32_t>());
    EXPECT_THAT(refusal<Unsupported>(
                    [&] { BinarySearch(Bound::lower, numbers, numbers, "a / 2 < b / 2", Type::of<int32_t>(), host); }),
                HasSubstr("'a / 2 < b / 2'"));
    EXPECT_THAT(refusal<Unsupported>(
                    [&] { BinarySearch(Bound::lower, numbers, numbers, OpKind::plus, Type::of<int32_t>(), host); }),
                HasSubstr("expected a comparison"));
    const BinarySearch search(Bound::lower, numbers, numbers, OpKind::less, Type::of<int32_t>(), host);
    std::vector<int32_t> data{1, 3, 5, 7};
    std::vector<int32_t> values{6, 0, 8, 3};
    EXPECT_THAT(refusal<InvalidArgument>([&] { search({}, data, 4, values, data, 4); }), HasSubstr("overlap"));
    EXPECT_THAT(refusal<InvalidArgument>([&] { search({}, data, 5, values, values, 4); }), HasSubstr("16 bytes"));
    search({}, data, 4, values, values, 4);
    EXPECT_THAT(values, ElementsAre(3, 0, 4, 1)) << "in place";
}

}  // namespace
}  // namespace cuprum::parallel
