// Unique by key on the host's cores against a plain loop.
#include <algorithm>
#include <functional>
#include <random>

#include "host_fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Elements;
using test::host;
using test::host_sizes;
using test::Point;
using test::refusal;
using test::Stored;
using testing::HasSubstr;

template <class Key, class Value, class Equal>
void expect_first_of_runs(OpKind op, const Equal& equal) {
    for (const uint64_t count : host_sizes()) {
        SCOPED_TRACE(std::to_string(count) + ' ' + Type::of<Key>().name());
        Elements<Key> keys(count);
        Elements<Value> values(count, 2);
        std::mt19937 generator(static_cast<uint32_t>(count));
        for (size_t i = 1; i < count; ++i) {
            if (generator() % 3 != 0) keys.values[i] = keys.values[i - 1];
        }
        Elements<Key> expected_keys = keys;
        Elements<Value> expected_values = values;
        size_t expected = 0;
        for (size_t i = 0; i < count; ++i) {
            if (i > 0 && equal(keys.values[i - 1], keys.values[i])) continue;
            expected_keys.values[expected] = keys.values[i];
            expected_values.values[expected] = values.values[i];
            ++expected;
        }
        // What follows the selected ones stays.
        std::copy(keys.values.begin() + static_cast<ptrdiff_t>(expected), keys.values.end(),
                  expected_keys.values.begin() + static_cast<ptrdiff_t>(expected));
        std::copy(values.values.begin() + static_cast<ptrdiff_t>(expected), values.values.end(),
                  expected_values.values.begin() + static_cast<ptrdiff_t>(expected));

        const UniqueByKey built(Iterator::pointer(Type::of<Key>()), Iterator::pointer(Type::of<Value>()), op, host);
        EXPECT_EQ(built.temp_storage_bytes(count), 0U);
        Elements<Key> keys_out = keys;
        Elements<Value> values_out = values;
        uint64_t selected = 99;
        built({}, keys.span(), values.span(), keys_out.span(), values_out.span(), &selected, count);
        ASSERT_EQ(selected, expected);
        EXPECT_EQ(keys_out.values, expected_keys.values);
        EXPECT_EQ(values_out.values, expected_values.values);

        ASSERT_EQ(unique_by_key(keys.span(), values.span(), op, host), expected) << "in place";
        EXPECT_EQ(keys.values, expected_keys.values);
        EXPECT_EQ(values.values, expected_values.values);
    }
}

TEST(HostExecution, KeepsTheFirstOfEachRunOfEqualKeys) {
    expect_first_of_runs<bool, int32_t>(OpKind::equal_to, std::equal_to<>());
    expect_first_of_runs<int8_t, double>(OpKind::equal_to, std::equal_to<>());
    expect_first_of_runs<uint64_t, uint16_t>(OpKind::equal_to, std::equal_to<>());
    expect_first_of_runs<float, std::complex<double>>(OpKind::equal_to, std::equal_to<>());
    expect_first_of_runs<double, bool>(OpKind::less_equal, std::less_equal<>());
    expect_first_of_runs<int32_t, int64_t>(OpKind::greater, std::greater<>());
}

TEST(HostExecution, KeepsTheFirstOfRunsOfWhatIteratorsGive) {
    const Iterator counting = Iterator::counting(int32_t{5});
    const Iterator zeros = Iterator::transform(counting, OpKind::logical_not, Type::of<int32_t>());
    const UniqueByKey built(zeros, counting, OpKind::equal_to, host);
    std::vector<int32_t> keys(100, -1);
    std::vector<int32_t> values(100, -1);
    uint64_t selected = 99;
    built({}, zeros, counting, keys, values, &selected, 100);
    EXPECT_EQ(selected, 1U);
    EXPECT_EQ(keys[0], 0);
    EXPECT_EQ(values[0], 5);
    EXPECT_EQ(values[1], -1);
}

TEST(HostExecution, MovesStructsWithUniqueKeys) {
    const std::vector<int32_t> keys{1, 1, 2, 3, 3};
    const std::vector<Point> points = test::random_elements<Point>(5);
    const UniqueByKey built(Iterator::pointer(Type::of<int32_t>()), Iterator::pointer(Type::of<Point>()),
                            OpKind::equal_to, host);
    std::vector<int32_t> first_keys(5);
    std::vector<Point> first_points(5);
    uint64_t selected = 0;
    built({}, keys, points, first_keys, first_points, &selected, 5);
    EXPECT_EQ(selected, 3U);
    EXPECT_EQ(first_points, (std::vector<Point>{points[0], points[2], points[3], {}, {}}));
}

TEST(HostExecution, RefusesWhatUniqueByKeyCannotDo) {
    const Iterator numbers = Iterator::pointer(Type::of<int32_t>());
    EXPECT_THAT(refusal<Unsupported>([&] { UniqueByKey(numbers, numbers, "a / 2 == b / 2", host); }),
                HasSubstr("'a / 2 == b / 2'"));
    EXPECT_THAT(refusal<Unsupported>([&] { UniqueByKey(numbers, numbers, OpKind::plus, host); }),
                HasSubstr("expected a comparison"));
    EXPECT_THAT(refusal<InvalidArgument>([&] { UniqueByKey(numbers, numbers, OpKind::negate, host); }),
                HasSubstr("1 operand(s)"));
    const Iterator points = Iterator::pointer(Type::of<Point>());
    EXPECT_THAT(refusal<Unsupported>([&] { UniqueByKey(points, numbers, OpKind::equal_to, host); }),
                HasSubstr("Point"));
    const Iterator wide = Iterator::pointer(
        Type::structure("Wide", {{"first", Type::of<double>(), 0}, {"last", Type::of<double>(), 16}}, 24, 8));
    EXPECT_THAT(refusal<Unsupported>([&] { UniqueByKey(numbers, wide, OpKind::equal_to, host); }),
                HasSubstr("24 bytes; on the host's cores they have at most 16"));
    const UniqueByKey built(numbers, numbers, OpKind::equal_to, host);
    std::vector<int32_t> data(16, 1);
    std::vector<int32_t> other(16, 1);
    uint64_t selected = 99;
    const std::span all(data);
    EXPECT_THAT(refusal<InvalidArgument>([&] { built({}, all.first(7), other, all.subspan(1), other, &selected, 7); }),
                HasSubstr("overlap"));
    EXPECT_THAT(refusal<InvalidArgument>([&] { built({}, data, other, other, data, &selected, 16); }),
                HasSubstr("overlap"));
    EXPECT_EQ(selected, 99U);
}

}  // namespace
}  // namespace cuprum::parallel
