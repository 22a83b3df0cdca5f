#include <algorithm>
#include <numeric>
#include <span>

#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Point;
using test::random_elements;

TEST(HostData, IsReducedToAValue) {
    const std::vector<float> data(1000, 0.25F);
    EXPECT_EQ(reduce(std::span(data), 1.0, "a + b"), 251.0);
    EXPECT_EQ(reduce(std::span(data).first(0), 1.0), 1.0);
}

TEST(HostData, IsScannedSortedAndTransformed) {
    std::vector<int32_t> data = random_elements<int32_t>(5000);
    for (int32_t& element : data)
        element %= 1000;
    std::vector<int64_t> sums(data.size());
    std::vector<int64_t> expected(data.size());
    inclusive_scan(std::span(data), std::span(sums));
    std::partial_sum(data.begin(), data.end(), expected.begin(), std::plus<int64_t>());
    EXPECT_EQ(sums, expected);
    exclusive_scan(std::span(data), std::span(sums), int64_t{5});
    std::exclusive_scan(data.begin(), data.end(), expected.begin(), int64_t{5});
    EXPECT_EQ(sums, expected);

    EXPECT_EQ(argmin(std::span(data)), std::min_element(data.begin(), data.end()) - data.begin());
    EXPECT_EQ(argmax(std::span(data)), std::max_element(data.begin(), data.end()) - data.begin());

    transform(std::span(data), std::span(sums), "(long long)a * a");
    for (size_t i = 0; i < data.size(); ++i)
        ASSERT_EQ(sums[i], static_cast<int64_t>(data[i]) * data[i]);

    std::vector<int32_t> keys = data;
    std::vector<int32_t> values(data.size());
    std::iota(values.begin(), values.end(), 0);
    sort_by_key(std::span(keys), std::span(values), SortOrder::descending);
    EXPECT_TRUE(std::is_sorted(keys.rbegin(), keys.rend()));
    for (size_t i = 0; i < keys.size(); ++i)
        ASSERT_EQ(data[static_cast<size_t>(values[i])], keys[i]);
    sort(std::span(data), "a % 10 < b % 10");
    EXPECT_TRUE(std::is_sorted(data.begin(), data.end(), [](int32_t a, int32_t b) { return a % 10 < b % 10; }));
}

TEST(HostData, MustBeOfOneLength) {
    const std::vector<float> data(3);
    std::vector<float> output(4);
    EXPECT_THROW(inclusive_scan(std::span(data), std::span(output)), InvalidArgument);
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
    EXPECT_THAT(reason("P{x:float32}:6:4"), HasSubstr("no multiple"));
    EXPECT_THAT(reason("P{x:float32,x:int8}"), HasSubstr("two fields 'x'"));
    EXPECT_THAT(reason("float32 4"), HasSubstr("nothing more"));
}

}  // namespace
}  // namespace cuprum::parallel
