#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <tuple>

#include "cuprum/core/error.hpp"
#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Parallel;
using test::Point;
using test::random_elements;
using test::sizes;

class Merge : public Parallel {};

TEST_F(Merge, SortsKeysByTheCallersComparisonInPlace) {
    const MergeSort built("(a & 0xff) < (b & 0xff)", Type::of<uint32_t>());
    for (const uint64_t count : sizes()) {
        const std::vector<uint32_t> keys = random_elements<uint32_t>(count);
        std::vector<uint32_t> expected = keys;
        std::stable_sort(expected.begin(), expected.end(),
                         [](uint32_t a, uint32_t b) { return (a & 0xff) < (b & 0xff); });
        const core::Buffer memory = upload(keys);
        built(stream, memory, memory, count);
        EXPECT_EQ(download<uint32_t>(memory), expected) << count << " keys";
    }
}

TEST_F(Merge, SortsStructsByChosenFieldsEachInItsOrder) {
    struct Case {
        const char* fields;
        bool (*comes_before)(const Point& a, const Point& b);
    };
    const std::array<Case, 4> cases{{
        {"weight", [](const Point& a, const Point& b) { return a.weight < b.weight; }},
        {"-x", [](const Point& a, const Point& b) { return a.x > b.x; }},
        {" weight , - x",
         [](const Point& a, const Point& b) { return std::tuple(a.weight, b.x) < std::tuple(b.weight, a.x); }},
        {"-tag,x,-weight",
         [](const Point& a, const Point& b) {
             return std::tuple(b.tag, a.x, b.weight) < std::tuple(a.tag, b.x, a.weight);
         }},
    }};
    for (const Case& each : cases) {
        const MergeSort sort(Operator::by_fields(Type::of<Point>(), each.fields), Type::of<Point>(),
                             Type::of<uint32_t>());
        for (const uint64_t count : {uint64_t{1}, uint64_t{1000}, uint64_t{20011}}) {
            SCOPED_TRACE(std::string(each.fields) + ", " + std::to_string(count) + " keys");
            std::vector<Point> keys = random_elements<Point>(count);
            for (Point& point : keys)
                point = {static_cast<float>(point.weight % 5 - 2), point.weight % 7 - 3,
                         static_cast<uint16_t>(point.tag % 3)};
            std::vector<uint32_t> expected(count);
            std::iota(expected.begin(), expected.end(), 0U);
            const core::Buffer in = upload(keys), places = upload(expected);
            std::stable_sort(expected.begin(), expected.end(),
                             [&](uint32_t a, uint32_t b) { return each.comes_before(keys[a], keys[b]); });
            const core::Buffer out = memory_for<Point>(count), moved = memory_for<uint32_t>(count);
            sort(stream, in, out, places, moved, count);
            EXPECT_EQ(download<uint32_t>(moved), expected);
        }
    }
}

TEST_F(Merge, OrdersNumbersByFieldsAsARadixSortDoes) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const std::vector<float> numbers{1, nan, -0.0F, -infinity, 0.0F, -nan, -1, infinity, 2.5F, -0.0F};
    std::vector<Point> keys;
    for (const float number : numbers)
        keys.push_back({number, static_cast<int32_t>(keys.size()), 0});
    const core::Buffer in = upload(keys), out = memory_for<Point>(keys.size());
    const auto places = [&] {
        std::vector<int32_t> found;
        for (const Point& point : download<Point>(out))
            found.push_back(point.weight);
        return found;
    };
    MergeSort(Operator::by_fields(Type::of<Point>(), "x"), Type::of<Point>())(stream, in, out, keys.size());
    EXPECT_THAT(places(), testing::ElementsAre(5, 3, 6, 2, 4, 9, 0, 8, 7, 1));
    MergeSort(Operator::by_fields(Type::of<Point>(), "-x"), Type::of<Point>())(stream, in, out, keys.size());
    EXPECT_THAT(places(), testing::ElementsAre(1, 7, 8, 0, 2, 4, 9, 6, 3, 5));
}

TEST_F(Merge, RefusesFieldsThatThereAreNot) {
    using test::refusal;
    using testing::HasSubstr;
    const Type point = Type::of<Point>();
    const auto said = [&](const Type& type, const char* fields) {
        return refusal([&] { Operator::by_fields(type, fields); });
    };
    EXPECT_THAT(said(point, "z"), HasSubstr("'Point' has x, weight, tag"));
    EXPECT_THAT(said(point, "x, x"), HasSubstr("field 'x'): it is named twice"));
    for (const char* const wrong : {"x.y", "x."})
        EXPECT_THAT(said(point, wrong), HasSubstr("float32 has no fields")) << wrong;
    for (const char* const wrong : {"", "x,", ",", "-", "--x"})
        EXPECT_THAT(said(point, wrong), HasSubstr("'Point' has x, weight, tag")) << wrong;
    EXPECT_THAT(said(Type::of<int>(), "x"), HasSubstr("it is no struct"));
    EXPECT_THAT(said(Type::parse("C{z:complex64}"), "z"), HasSubstr("complex"));
    const Operator by_x = Operator::by_fields(point, "x");
    EXPECT_THAT(refusal([&] { MergeSort(by_x, Type::parse("Q{x:float32,y:int32}")); }),
                HasSubstr("the elements are Q{x:float32"));
    EXPECT_THAT(refusal([&] { MergeSort(by_x, Type::parse("Q{x:float32,y:int32}"), std::nullopt, Execution::host()); }),
                HasSubstr("the keys are Q{x:float32"));
}

TEST_F(Merge, SortsStructsAndMovesValuesStably) {
    const MergeSort built("a.x < b.x", Type::of<Point>(), Type::of<int64_t>());
    for (const uint64_t count : sizes()) {
        const std::vector<Point> keys = random_elements<Point>(count);
        std::vector<int64_t> values(count);
        std::iota(values.begin(), values.end(), 0);
        std::vector<int64_t> expected = values;
        std::stable_sort(expected.begin(), expected.end(), [&](int64_t a, int64_t b) {
            return keys[static_cast<size_t>(a)].x < keys[static_cast<size_t>(b)].x;
        });
        const core::Buffer keys_in = upload(keys);
        const core::Buffer keys_out = memory_for<Point>(count);
        const core::Buffer values_out = memory_for<int64_t>(count);
        built(stream, keys_in, keys_out, upload(values), values_out, count);
        EXPECT_EQ(download<int64_t>(values_out), expected) << count << " pairs";
        EXPECT_EQ(download<Point>(keys_in), keys) << "the input was changed";
        const std::vector<Point> sorted = download<Point>(keys_out);
        for (size_t i = 0; i < count; ++i)
            ASSERT_EQ(sorted[i], keys[static_cast<size_t>(expected[i])]);
    }
}

TEST_F(Merge, SortsDescendingWithAWellKnownComparison) {
    const MergeSort built(OpKind::greater, Type::of<double>());
    std::vector<double> keys = random_elements<double>(20011);
    const core::Buffer output = memory_for<double>(keys.size());
    built(stream, upload(keys), output, keys.size());
    std::sort(keys.begin(), keys.end(), std::greater<>());
    EXPECT_EQ(download<double>(output), keys);
}

TEST_F(Merge, NamesTheComparisonThatDoesNotCompile) {
    try {
        const MergeSort built("a.x < b.z", Type::of<Point>());
        FAIL() << "it compiled";
    } catch (const CompileError& error) {
        EXPECT_THAT(error.log(), testing::HasSubstr("compare(1)"));
        EXPECT_THAT(error.log(), testing::HasSubstr("\"z\""));
    }
}

}  // namespace
}  // namespace cuprum::parallel
