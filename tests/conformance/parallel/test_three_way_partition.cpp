// Elements in three parts against a plain loop.
#include <functional>

#include "cuprum/pathfinder/error.hpp"
#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using testing::ElementsAre;

class Partition : public test::Parallel {
protected:
    template <class T, class First, class Second>
    void expect_parts(const ThreeWayPartition& partition, const std::vector<T>& data, const First& is_first,
                      const Second& is_second, const CallOptions& options = {}) {
        SCOPED_TRACE(data.size());
        std::vector<T> first;
        std::vector<T> second;
        std::vector<T> rest;
        for (const T& element : data)
            (is_first(element) ? first : is_second(element) ? second : rest).push_back(element);
        const core::Buffer first_out = memory_for<T>(data.size());
        const core::Buffer second_out = memory_for<T>(data.size());
        const core::Buffer rest_out = memory_for<T>(data.size());
        const core::Buffer counts = memory_for<uint64_t>(2);
        const core::Buffer in = upload(data);
        partition(stream, in, first_out, second_out, rest_out, counts, data.size(), options);
        ASSERT_THAT(download<uint64_t>(counts), ElementsAre(first.size(), second.size()));
        const auto part = [&](const core::Buffer& memory, size_t count) {
            return download<T>(memory.slice(0, count * sizeof(T)));
        };
        EXPECT_EQ(part(first_out, first.size()), first);
        EXPECT_EQ(part(second_out, second.size()), second);
        EXPECT_EQ(part(rest_out, rest.size()), rest);
    }
};

TEST_F(Partition, PutsElementsIntoThreePartsInTheirOrder) {
    const ThreeWayPartition partition(Iterator::pointer(Type::of<int32_t>()), "a % 3 == 0", "a % 2 == 0");
    for (const uint64_t count : test::sizes()) {
        expect_parts(
            partition, test::random_elements<int32_t>(count), [](int32_t a) { return a % 3 == 0; },
            [](int32_t a) { return a % 2 == 0; });
    }
    // All in one part.
    for (const int32_t element : {3, 2, 1}) {
        expect_parts(
            partition, std::vector<int32_t>(10007, element), [](int32_t a) { return a % 3 == 0; },
            [](int32_t a) { return a % 2 == 0; });
    }
}

TEST_F(Partition, TakesStructsAndOperatorsWithTheStateOfTheCall) {
    const Operator heavy("a.weight > factor", Value(test::Scale{700, 0}));
    const Operator light("a.weight < factor", Value(test::Scale{300, 0}));
    const ThreeWayPartition partition(Iterator::pointer(Type::of<test::Point>()), heavy, light);
    const auto above = [](int32_t limit) { return [limit](const test::Point& a) { return a.weight > limit; }; };
    const auto below = [](int32_t limit) { return [limit](const test::Point& a) { return a.weight < limit; }; };
    const std::vector<test::Point> points = test::random_elements<test::Point>(4097);
    expect_parts(partition, points, above(700), below(300));
    const Operator heavier = heavy.with_state(test::Scale{900, 0});
    const Operator lighter = light.with_state(test::Scale{100, 0});
    expect_parts(partition, points, above(900), below(300), {.op = &heavier});
    expect_parts(partition, points, above(700), below(100), {.second_op = &lighter});
    expect_parts(partition, points, above(900), below(100), {.op = &heavier, .second_op = &lighter});
    const Operator other("a.weight > 1");
    EXPECT_THROW(expect_parts(partition, points, above(1), below(1), {.second_op = &other}), InvalidArgument);
}

TEST_F(Partition, ReadsAnyIteratorWithTheCallersTemporaryStorage) {
    const Iterator counting = Iterator::counting(uint8_t{0});
    const ThreeWayPartition partition(counting, "a % 4 == 1", OpKind::identity);
    const uint64_t count = 10007;
    const core::Buffer first = memory_for<uint8_t>(count);
    const core::Buffer second = memory_for<uint8_t>(count);
    const core::Buffer rest = memory_for<uint8_t>(count);
    const core::Buffer counts = memory_for<uint64_t>(2);
    const core::Buffer storage = device.allocate(partition.temp_storage_bytes(count));
    partition(stream, counting, first, second, rest, counts, count, {.temp_storage = storage});
    EXPECT_THAT(download<uint64_t>(counts), ElementsAre(2502U, 7465U));
    EXPECT_THAT(download<uint8_t>(first.slice(0, 3)), ElementsAre(1, 5, 9));
    EXPECT_THAT(download<uint8_t>(second.slice(0, 4)), ElementsAre(2, 3, 4, 6));
    EXPECT_THAT(download<uint8_t>(rest.slice(0, 3)), ElementsAre(0, 0, 0));
    EXPECT_THROW(partition(stream, counting, first, second, rest, counts, count, {.temp_storage = storage.slice(0, 1)}),
                 InvalidArgument);
}

TEST_F(Partition, RefusesToOverwriteItsInputAndTooLittleRoom) {
    const ThreeWayPartition partition(Iterator::pointer(Type::of<int32_t>()), "a % 3 == 0", "a % 2 == 0");
    const core::Buffer in = upload(std::vector<int32_t>(1000, 1));
    const core::Buffer a = memory_for<int32_t>(1000);
    const core::Buffer b = memory_for<int32_t>(1000);
    const core::Buffer c = memory_for<int32_t>(1000);
    const core::Buffer counts = memory_for<uint64_t>(2);
    EXPECT_THROW(partition(stream, in, in, b, c, counts, 1000), InvalidArgument);
    EXPECT_THROW(partition(stream, in, a, b, in, counts, 1000), InvalidArgument);
    EXPECT_THROW(partition(stream, in, a, a, c, counts, 1000), InvalidArgument);
    EXPECT_THROW(partition(stream, in, a, b, a, counts, 1000), InvalidArgument);
    EXPECT_THROW(partition(stream, in, a, b, c, counts.slice(0, 8), 1000), InvalidArgument);
    EXPECT_THROW(partition(stream, in, a, b, c.slice(0, 3996), counts, 1000), InvalidArgument);
    EXPECT_NO_THROW(partition(stream, in, a, b, c, counts, 1000));
    stream.sync();
}

}  // namespace
}  // namespace cuprum::parallel
