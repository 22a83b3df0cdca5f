#include <algorithm>
#include <array>
#include <concepts>
#include <numeric>
#include <span>

#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Point;
using test::random_elements;

TEST(HostData, IsReducedToAValue) {
    const std::vector<float> data(1000, 0.25F);
    EXPECT_EQ(reduce(data, 1.0, "a + b"), 251.0);
    EXPECT_EQ(reduce(std::span(data).first(0), 1.0), 1.0);
}

TEST(HostData, IsScannedSortedAndTransformed) {
    std::vector<int32_t> data = random_elements<int32_t>(5000);
    for (int32_t& element : data)
        element %= 1000;
    std::vector<int64_t> sums(data.size());
    std::vector<int64_t> expected(data.size());
    inclusive_scan(data, sums);
    std::partial_sum(data.begin(), data.end(), expected.begin(), std::plus<int64_t>());
    EXPECT_EQ(sums, expected);
    exclusive_scan(data, sums, int64_t{5});
    std::exclusive_scan(data.begin(), data.end(), expected.begin(), int64_t{5});
    EXPECT_EQ(sums, expected);

    EXPECT_EQ(argmin(data), std::min_element(data.begin(), data.end()) - data.begin());
    EXPECT_EQ(argmax(data), std::max_element(data.begin(), data.end()) - data.begin());

    transform(data, sums, "(long long)a * a");
    for (size_t i = 0; i < data.size(); ++i)
        ASSERT_EQ(sums[i], static_cast<int64_t>(data[i]) * data[i]);

    std::vector<int32_t> keys = data;
    std::vector<int32_t> values(data.size());
    std::iota(values.begin(), values.end(), 0);
    sort_by_key(keys, values, SortOrder::descending);
    EXPECT_TRUE(std::is_sorted(keys.rbegin(), keys.rend()));
    for (size_t i = 0; i < keys.size(); ++i)
        ASSERT_EQ(data[static_cast<size_t>(values[i])], keys[i]);
    sort(data, "a % 10 < b % 10");
    EXPECT_TRUE(std::is_sorted(data.begin(), data.end(), [](int32_t a, int32_t b) { return a % 10 < b % 10; }));
}

TEST(HostData, MayLieInAnyContiguousRange) {
    std::vector<int32_t> vector{3, 1, 2};
    std::array<int32_t, 3> array{3, 1, 2};
    int32_t plain[] = {3, 1, 2};
    sort(vector);
    sort(array);
    sort(plain);
    const std::vector<int32_t> sorted{1, 2, 3};
    EXPECT_EQ(vector, sorted);
    EXPECT_TRUE(std::ranges::equal(array, sorted));
    EXPECT_TRUE(std::ranges::equal(plain, sorted));
    sort(std::span(plain).first(2), SortOrder::descending);
    EXPECT_EQ(plain[0], 2);

    EXPECT_EQ(reduce(sorted, int64_t{0}), 6);
    EXPECT_EQ(reduce(array, int64_t{0}), 6);
    EXPECT_EQ(reduce(plain, int64_t{0}), 6);
    EXPECT_EQ(reduce(std::vector<int32_t>{4, 5}, int64_t{0}), 9);  // done before the temporary goes
    std::array<int64_t, 3> sums{};
    exclusive_scan(vector, sums, 10);
    EXPECT_EQ(sums, (std::array<int64_t, 3>{10, 11, 13}));
    parallel::transform(vector, array, sums, "a * b", Execution());
    EXPECT_EQ(sums, (std::array<int64_t, 3>{1, 4, 9}));
    EXPECT_EQ(argmax(plain), 2);
}

TEST(HostData, OnTheHostsCoresMayLieInAnyContiguousRange) {
    const std::vector<int32_t> vector{3, 1, 2};
    int32_t plain[] = {3, 1, 2};
    const Iterator elements = Iterator::pointer(Type::of<int32_t>());
    const Reduce sum(elements, OpKind::plus, Type::of<int32_t>(), Execution::host());
    std::array<int32_t, 1> result{};
    sum({}, vector, result, 3, 0);
    EXPECT_EQ(result[0], 6);
    sum({}, plain, result, 2, 0);
    EXPECT_EQ(result[0], 4);
    // A C array has a size too, and is not only an address.
    EXPECT_THROW(sum({}, plain, result, 4, 0), InvalidArgument);
}

template <class Keys>
concept Sortable = requires(Keys&& keys) { parallel::sort(static_cast<Keys&&>(keys)); };
static_assert(Sortable<std::vector<int>&> && Sortable<std::span<int>> && Sortable<int (&)[3]>);
static_assert(!Sortable<std::vector<int>>, "the result would be lost");
static_assert(!Sortable<const std::vector<int>&> && !Sortable<std::span<const int>>);
template <class Init>
concept InitialValueOfInts =
    requires(std::vector<int>& ints, const Init& init) { parallel::exclusive_scan(ints, ints, init); };
static_assert(InitialValueOfInts<int> && InitialValueOfInts<short>);
static_assert(!InitialValueOfInts<double> && !InitialValueOfInts<int64_t>, "it would lose some of its value");
static_assert(std::convertible_to<std::vector<int>&, Input> && std::convertible_to<const std::vector<int>&, Input>);
static_assert(!std::convertible_to<std::vector<int>, Input>, "an Input only borrows");
static_assert(!std::convertible_to<const int (&)[3], Output> && !std::convertible_to<const int*, Output>);

TEST(HostData, MustBeOfOneLength) {
    const std::vector<float> data(3);
    std::vector<float> output(4);
    EXPECT_THROW(inclusive_scan(data, output), InvalidArgument);
    EXPECT_THROW(reduce({Type::of<float>(), nullptr, 3}, 0.0F, OpKind::plus, output.data()), InvalidArgument);
}

TEST(Types, AreTheSameFromCxxAndFromText) {
    EXPECT_EQ(Type::of<Point>(), Type::parse("Point{x:float32, weight:int32, tag:uint16}"));
    EXPECT_EQ(Type::of<Point>().text(), "Point{x:float32@0,weight:int32@4,tag:uint16@8}:12:4");
    EXPECT_EQ(Type::parse(Type::of<Point>().text()), Type::of<Point>());
    EXPECT_EQ(Type::of<unsigned long>(), Type(TypeKind::uint64));
    EXPECT_EQ(Type::of<std::complex<double>>(), Type::parse("complex128"));
    const Type nested = Type::parse("Outer{id:uint8,inner:Inner{a:float64,b:bool}}");
    EXPECT_EQ(nested.size(), 24U);
    EXPECT_EQ(nested.fields()[1].offset, 8U);
}

TEST(Types, AreRefusedWithTheReason) {
    const auto reason = [](const char* text) {
        try {
            Type::parse(text);
        } catch (const InvalidArgument& error) {
            return error.detail();
        }
        return std::string("taken");
    };
    using testing::HasSubstr;
    EXPECT_THAT(reason("float"), HasSubstr("at character 1"));
    EXPECT_THAT(reason("P{x:float32"), HasSubstr("or '}'"));
    EXPECT_THAT(reason("P{x:float32@0,y:int32@2}"), HasSubstr("overlaps"));
    EXPECT_THAT(reason("P{x:int8@0,y:int32@2}"), HasSubstr("not aligned to 4"));
    EXPECT_THAT(reason("P{x:float32}:2:2"), HasSubstr("alignment of 2 is less than"));
    EXPECT_THAT(reason("P{x:float32}:6:4"), HasSubstr("not a multiple"));
    EXPECT_THAT(reason("P{x:float32,x:int8}"), HasSubstr("two fields 'x'"));
    EXPECT_THAT(reason("float32 4"), HasSubstr("nothing more"));
}

}  // namespace
}  // namespace cuprum::parallel
