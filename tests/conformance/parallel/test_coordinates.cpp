// The positions of arrays, and calls for each of them.
#include <array>

#include "cuprum/pathfinder/error.hpp"
#include "fixture.hpp"

namespace cuprum::test {
struct Target {
    uint64_t numbers;
};
}  // namespace cuprum::test

template <>
struct cuprum::parallel::TypeTraits<cuprum::test::Target> {
    static Type type() {
        using cuprum::test::Target;
        return Type::structure_of<Target>("Target", field("numbers", &Target::numbers));
    }
};

namespace cuprum::parallel {
namespace {

class Coordinates : public test::Parallel {};

TEST_F(Coordinates, AreThoseOfEachPosition) {
    const std::array<uint64_t, 3> extents{3, 5, 7};
    const Iterator positions = coordinates(extents);
    const uint64_t count = position_count(extents);
    ASSERT_EQ(count, 105U);
    const core::Buffer out = memory_for<std::array<int64_t, 4>>(count);
    Transform(positions, OpKind::identity, positions.value_type())(stream, positions, out, count);
    std::vector<std::array<int64_t, 4>> expected;
    for (int64_t i = 0; i < 3; ++i) {
        for (int64_t j = 0; j < 5; ++j) {
            for (int64_t k = 0; k < 7; ++k)
                expected.push_back({(i * 5 + j) * 7 + k, i, j, k});
        }
    }
    EXPECT_EQ((download<std::array<int64_t, 4>>(out)), expected);
}

TEST_F(Coordinates, AreCalledForOnceEach) {
    for (const auto& extents : {std::vector<uint64_t>{1000}, {33, 17}, {2, 3, 4, 5}, {4, 0, 5}}) {
        SCOPED_TRACE(extents.size());
        const uint64_t count = position_count(extents);
        const core::Buffer numbers = upload(std::vector<int32_t>(std::max<uint64_t>(count, 1), 0));
        const Operator add("atomicAdd(reinterpret_cast<int*>(numbers) + a.index, 1 + static_cast<int>(a.i0))",
                           test::Target{numbers.handle()});
        const Iterator positions = coordinates(extents);
        ForEach(positions, add)(stream, positions, count);
        const auto found = download<int32_t>(numbers);
        for (uint64_t i = 0; i < count; ++i)
            ASSERT_EQ(found[i], 1 + static_cast<int32_t>(i / (count / extents[0]))) << i;
    }
}

TEST_F(Coordinates, BeyondTheRangeOf32BitsAreRight) {
    const std::array<uint64_t, 2> extents{uint64_t{1} << 40, 10};
    const Iterator positions = coordinates(extents);
    const uint64_t begin = uint64_t{123456789012} * 10 + 7;
    const Iterator far = Iterator::strided(positions, 1, static_cast<int64_t>(begin));
    const core::Buffer out = memory_for<std::array<int64_t, 3>>(1);
    Transform(far, OpKind::identity, positions.value_type())(stream, far, out, 1);
    EXPECT_EQ((download<std::array<int64_t, 3>>(out).front()),
              (std::array<int64_t, 3>{static_cast<int64_t>(begin), 123456789012, 7}));
}

TEST(CoordinatesOf, WrongExtentsAreRefused) {
    const std::vector<uint64_t> none, nine(9, 1), many{uint64_t{1} << 40, uint64_t{1} << 40}, two{3, 4};
    EXPECT_THROW(coordinates(none), InvalidArgument);
    EXPECT_THROW(coordinates(nine), InvalidArgument);
    EXPECT_THROW(coordinates(many), InvalidArgument);
    EXPECT_THROW(coordinates(two, Type::parse("P{index:int64,x:int64}")), InvalidArgument);
    EXPECT_THROW(coordinates(two, Type::parse("P{index:int64,x:int64,y:int32}")), InvalidArgument);
    EXPECT_EQ(coordinates(two, Type::parse("P{index:int64,y:int64,x:int64}")).value_type().name(), "P");
    EXPECT_THROW(Select(coordinates(two), "a.i0", Execution::host()), Unsupported);
}

}  // namespace
}  // namespace cuprum::parallel
