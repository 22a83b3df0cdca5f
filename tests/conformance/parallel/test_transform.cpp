#include <cmath>
#include <cstring>

#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Parallel;
using test::Point;
using test::random_elements;
using test::Scale;
using test::sizes;

class Transformation : public Parallel {};

TEST_F(Transformation, AppliesAFunctionToEveryElement) {
    const Transform built(Iterator::pointer(Type::of<int32_t>()), "sqrt((double)abs(a)) * 2", Type::of<double>());
    for (const uint64_t count : sizes()) {
        std::vector<int32_t> elements = random_elements<int32_t>(count);
        for (int32_t& element : elements)
            element /= 2;
        const core::Buffer output = memory_for<double>(count);
        built(stream, upload(elements), output, count);
        const std::vector<double> result = download<double>(output);
        for (size_t i = 0; i < count; ++i)
            ASSERT_EQ(result[i], std::sqrt(std::abs(static_cast<double>(elements[i]))) * 2) << i << " of " << count;
    }
}

TEST_F(Transformation, CombinesTwoInputsOfDifferentTypes) {
    const Transform built(Iterator::pointer(Type::of<Point>()), Iterator::pointer(Type::of<float>()),
                          "Point r = a; r.x = a.x * b; return r;", Type::of<Point>());
    for (const uint64_t count : sizes()) {
        const std::vector<Point> points = random_elements<Point>(count);
        const std::vector<float> factors = random_elements<float>(count);
        const core::Buffer output = memory_for<Point>(count);
        built(stream, upload(points), upload(factors), output, count);
        std::vector<Point> expected = points;
        for (size_t i = 0; i < count; ++i)
            expected[i].x *= factors[i];
        EXPECT_EQ(download<Point>(output), expected) << count << " elements";
    }
}

TEST_F(Transformation, ReadsAnyIteratorAndTakesItsStateWithTheCall) {
    const Operator line("a * factor + offset", Scale{1, 0});
    const Transform built(Iterator::counting(int32_t{0}), line, Type::of<double>());
    const core::Buffer output = memory_for<double>(1000);
    const Operator steep = line.with_state(Scale{2.5, -7});
    built(stream, Iterator::counting(int32_t{100}), output, 1000, {.op = &steep});
    const std::vector<double> result = download<double>(output);
    for (int i = 0; i < 1000; ++i)
        ASSERT_EQ(result[static_cast<size_t>(i)], (100 + i) * 2.5 - 7);
}

TEST_F(Transformation, WorksInPlaceWithAWellKnownOperator) {
    const Transform built(Iterator::pointer(Type::of<int64_t>()), Iterator::constant(int64_t{3}), OpKind::multiplies,
                          Type::of<int64_t>());
    const std::vector<int64_t> elements = random_elements<int64_t>(4097);
    const core::Buffer memory = upload(elements);
    built(stream, memory, Iterator::constant(int64_t{3}), memory, elements.size());
    const std::vector<int64_t> result = download<int64_t>(memory);
    for (size_t i = 0; i < elements.size(); ++i)
        ASSERT_EQ(static_cast<uint64_t>(result[i]), static_cast<uint64_t>(elements[i]) * 3);
    EXPECT_THROW(built(stream, memory, Iterator::constant(int64_t{3}), memory.slice(8, 8 * 100), 100), InvalidArgument);
    EXPECT_THROW(built(stream, memory, memory, 10), InvalidArgument);
}

TEST_F(Transformation, KnowsHalvesAndNumbersAboveTheRangeOfInt) {
    const Transform halves(Iterator::pointer(Type::of<float16>()), "(float)a * 3.0f", Type::of<float>());
    const core::Buffer sums = memory_for<float>(2);
    halves(stream, upload(std::vector<float16>{{0x3c00}, {0xc000}}), sums, 2);  // 1 and -2
    EXPECT_EQ(download<float>(sums), (std::vector<float>{3.0F, -6.0F}));

    const Transform wide(Iterator::counting(uint64_t{0xFFFFFFFF00000001}), OpKind::identity, Type::of<uint64_t>());
    const core::Buffer numbers = memory_for<uint64_t>(3);
    wide(stream, Iterator::counting(uint64_t{0xFFFFFFFF00000001}), numbers, 3);
    EXPECT_EQ(download<uint64_t>(numbers),
              (std::vector<uint64_t>{0xFFFFFFFF00000001, 0xFFFFFFFF00000002, 0xFFFFFFFF00000003}));
}

}  // namespace
}  // namespace cuprum::parallel
