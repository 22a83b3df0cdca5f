// A radix sort of structs on the host's cores, against one by comparison.
#include <algorithm>
#include <numeric>
#include <tuple>

#include "host_fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::host;
using test::host_sizes;
using test::Point;

TEST(HostExecution, SortsStructsByTheirFieldsInTheirOrder) {
    const auto fields = [](const Point& point) { return std::tuple(point.x, point.weight, point.tag); };
    for (const SortOrder order : {SortOrder::ascending, SortOrder::descending}) {
        for (const uint64_t count : host_sizes()) {
            SCOPED_TRACE(count);
            std::vector<Point> keys = test::random_elements<Point>(count);
            for (Point& point : keys)
                point = {static_cast<float>(point.weight % 5 - 2), point.weight % 7 - 3, point.tag};
            std::vector<uint32_t> places(count);
            std::iota(places.begin(), places.end(), 0U);
            std::vector<uint32_t> sorted = places;
            std::stable_sort(sorted.begin(), sorted.end(), [&](uint32_t a, uint32_t b) {
                return order == SortOrder::ascending ? fields(keys[a]) < fields(keys[b])
                                                     : fields(keys[b]) < fields(keys[a]);
            });
            std::vector<Point> expected;
            for (const uint32_t place : sorted)
                expected.push_back(keys[place]);
            sort_by_key(keys, places, order, host);
            EXPECT_EQ(places, sorted);
            EXPECT_EQ(keys, expected);
        }
    }
}

TEST(HostExecution, SortsStructsByChosenFieldsEachInItsOrder) {
    const MergeSort sort(Operator::by_fields(Type::of<Point>(), "-x, weight"), Type::of<Point>(), Type::of<uint32_t>(),
                         host);
    for (const uint64_t count : host_sizes()) {
        SCOPED_TRACE(count);
        std::vector<Point> keys = test::random_elements<Point>(count);
        for (Point& point : keys)
            point = {static_cast<float>(point.weight % 5 - 2), point.weight % 7 - 3, point.tag};
        std::vector<uint32_t> places(count);
        std::iota(places.begin(), places.end(), 0U);
        std::vector<uint32_t> sorted = places;
        std::stable_sort(sorted.begin(), sorted.end(), [&](uint32_t a, uint32_t b) {
            return std::tuple(keys[b].x, keys[a].weight) < std::tuple(keys[a].x, keys[b].weight);
        });
        std::vector<Point> out(count);
        std::vector<uint32_t> moved(count);
        sort({}, keys, out, places, moved, count);
        EXPECT_EQ(moved, sorted);
        for (size_t i = 0; i < count; ++i)
            ASSERT_EQ(out[i], keys[sorted[i]]) << i;
    }
}

TEST(HostExecution, SortsByRadixByChosenFieldsAsByComparison) {
    const Type type = Type::of<Point>();
    for (const char* const fields : {"-x, weight", "tag", "-tag, -x, weight"}) {
        const MergeSort reference(Operator::by_fields(type, fields), type, Type::of<uint32_t>(), host);
        const RadixSort sort(fields, type, Type::of<uint32_t>(), host);
        for (const uint64_t count : host_sizes()) {
            SCOPED_TRACE(std::string(fields) + ", " + std::to_string(count) + " keys");
            std::vector<Point> keys = test::random_elements<Point>(count);
            for (Point& point : keys)
                point = {static_cast<float>(point.weight % 5 - 2), point.weight % 7 - 3, point.tag};
            std::vector<uint32_t> places(count);
            std::iota(places.begin(), places.end(), 0U);
            std::vector<Point> expected(count), out(count);
            std::vector<uint32_t> expected_places(count), moved(count);
            reference({}, keys, expected, places, expected_places, count);
            sort({}, keys, out, places, moved, count);
            EXPECT_EQ(moved, expected_places);
            EXPECT_EQ(out, expected);
        }
    }
}

TEST(HostExecution, SortsStructsByBitsOfTheirFields) {
    std::vector<Point> keys = test::random_elements<Point>(5003);
    for (Point& point : keys)
        point.weight %= 8;
    std::vector<Point> out(keys.size());
    RadixSort(SortOrder::ascending, Type::of<Point>(), std::nullopt, host)({}, keys, out, keys.size(),
                                                                           {.begin = 4, .end = 48});
    std::stable_sort(keys.begin(), keys.end(), [](const Point& a, const Point& b) {
        return std::tuple(a.weight, a.tag >> 4) < std::tuple(b.weight, b.tag >> 4);
    });
    EXPECT_EQ(out, keys);
}

}  // namespace
}  // namespace cuprum::parallel
