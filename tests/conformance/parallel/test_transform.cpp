#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <span>

#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Parallel;
using test::Point;
using test::random_elements;
using test::refusal;
using test::Scale;
using test::sizes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

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

TEST_F(Transformation, CombinesAsManyInputsAsAnOperatorHasOperands) {
    // Of several types, in memory and not: each operand is the element of its own input.
    const std::array built_for{Iterator::pointer(Type::of<int32_t>()), Iterator::counting(int64_t{0}),
                               Iterator::pointer(Type::of<float>()),   Iterator::constant(int16_t{0}),
                               Iterator::pointer(Type::of<uint8_t>()), Iterator::pointer(Type::of<int64_t>()),
                               Iterator::pointer(Type::of<double>()),  Iterator::pointer(Type::of<int32_t>())};
    static_assert(built_for.size() == Transform::max_inputs);
    const std::string terms = "a * 2.0 + b * 3.0 + c * 5.0 + d * 7.0 + e * 11.0 + f * 13.0 + g * 17.0 + h * 19.0";
    const auto small = [](auto elements) {
        using T = typename decltype(elements)::value_type;
        for (T& each : elements)
            each = static_cast<T>(static_cast<int64_t>(each) % 100);
        return elements;
    };
    for (size_t given = 1; given <= built_for.size(); ++given) {
        std::string text = terms;
        if (given < built_for.size()) text.resize(text.find(std::string(" + ") + static_cast<char>('a' + given)));
        const Transform built{std::span(built_for).first(given), text, Type::of<double>()};
        EXPECT_EQ(built.input_count(), given);
        for (const uint64_t count : sizes()) {
            const auto a = small(random_elements<int32_t>(count));
            const std::vector<float> c(count, 4.5F);
            const auto e = random_elements<uint8_t>(count);
            const auto f = small(random_elements<int64_t>(count));
            const std::vector<double> g(count, -2.25);
            const auto h = small(random_elements<int32_t>(count));
            const core::Buffer memory_a = upload(a), memory_c = upload(c), memory_e = upload(e), memory_f = upload(f),
                               memory_g = upload(g), memory_h = upload(h);
            const Iterator b = Iterator::counting(int64_t{-7});
            const Iterator d = Iterator::constant(int16_t{-3});
            const std::array<Input, Transform::max_inputs> inputs{memory_a, b,        memory_c, d,
                                                                  memory_e, memory_f, memory_g, memory_h};
            const core::Buffer output = memory_for<double>(count);
            built(stream, std::span(inputs).first(given), output, count);
            const std::vector<double> result = download<double>(output);
            for (size_t i = 0; i < count; ++i) {
                const std::array<double, Transform::max_inputs> products{
                    a[i] * 2.0,  (static_cast<double>(i) - 7) * 3.0, c[i] * 5.0,  -21.0,
                    e[i] * 11.0, static_cast<double>(f[i]) * 13.0,   g[i] * 17.0, h[i] * 19.0};
                const double expected = std::accumulate(products.begin(), products.begin() + given, 0.0);
                ASSERT_EQ(result[i], expected) << i << " of " << count << ", " << given << " inputs";
            }
        }
    }
}

TEST_F(Transformation, WritesOverOneOfItsInputsAndRefusesWrongOnes) {
    const std::vector<Iterator> ints(3, Iterator::pointer(Type::of<int32_t>()));
    const Transform built(ints, "return a < b ? b : a + c;", Type::of<int32_t>());
    const std::vector<int32_t> first = random_elements<int32_t>(1000), second = random_elements<int32_t>(1000);
    const core::Buffer a = upload(first), b = upload(second), c = upload(std::vector<int32_t>(1000, 0));
    built(stream, std::vector<Input>{a, b, c}, c, 1000);
    const std::vector<int32_t> result = download<int32_t>(c);
    for (size_t i = 0; i < result.size(); ++i)
        ASSERT_EQ(result[i], std::max(first[i], second[i]));

    EXPECT_THAT(refusal([&] { built(stream, std::vector<Input>{a, b}, c, 10); }),
                HasSubstr("2 given, but it was built for 3"));
    EXPECT_THAT(refusal([&] { built(stream, std::vector<Input>{a, b, c}, c.slice(4, 40), 10); }),
                HasSubstr("third input"));
    EXPECT_THAT(refusal([&] { Transform(std::vector<Iterator>{}, "1", Type::of<int32_t>()); }),
                HasSubstr("expected at least 1"));
    EXPECT_THAT(refusal([&] { Transform(std::vector<Iterator>(9, ints[0]), "a", Type::of<int32_t>()); }),
                HasSubstr("an operator has names for 8 operands"));
    EXPECT_THAT(refusal([&] { Transform(ints, OpKind::plus, Type::of<int32_t>()); }),
                HasSubstr("it takes 2 operand(s), expected an operator of 3"));
    EXPECT_THROW(Transform(ints, "a + b + d", Type::of<int32_t>()), CompileError);
}

TEST_F(Transformation, TakesAnExpressionThatDoesNotUseAllOfItsInputs) {
    const std::vector<Iterator> ints(3, Iterator::pointer(Type::of<int32_t>()));
    const core::Buffer a = upload(std::vector<int32_t>{1, 2, 3}), b = upload(std::vector<int32_t>{10, 20, 30}),
                       c = upload(std::vector<int32_t>{100, 200, 300}), output = memory_for<int32_t>(3);
    const auto made = [&](const char* text, size_t inputs) {
        const Transform built{std::span(ints).first(inputs), text, Type::of<int32_t>()};
        const std::array<Input, 3> memory{a, b, c};
        const Operator again(text);
        built(stream, std::span(memory).first(inputs), output, 3, {.op = &again});
        return download<int32_t>(output);
    };
    EXPECT_THAT(made("a + b", 3), ElementsAre(11, 22, 33));
    EXPECT_THAT(made("(b - a)", 3), ElementsAre(9, 18, 27));
    EXPECT_THAT(made("-a", 3), ElementsAre(-1, -2, -3));
    EXPECT_THAT(made("a", 2), ElementsAre(1, 2, 3));
    // Fewer inputs than it needs, and one by its name, are mistakes.
    EXPECT_THAT(refusal([&] { made("a + b", 1); }), HasSubstr("it takes 2 operand(s), expected an operator of 1"));
    EXPECT_THAT(refusal([&] { made("plus", 3); }), HasSubstr("it takes 2 operand(s), expected an operator of 3"));

    // What was kept of a call with an expression is not for the operator by its name.
    const std::vector<int32_t> first{1, 2}, second{3, 4};
    std::vector<int32_t> result(2);
    parallel::transform(first, second, result, "a");
    EXPECT_THAT(result, ElementsAre(1, 2));
    EXPECT_THAT(refusal([&] { parallel::transform(first, second, result, OpKind::identity); }),
                HasSubstr("it takes 1 operand(s)"));
}

TEST_F(Transformation, OfManyInputsIsNotForTheHostsCores) {
    const std::vector<Iterator> ints(3, Iterator::pointer(Type::of<int32_t>()));
    EXPECT_THROW(Transform(ints, OpKind::plus, Type::of<int32_t>(), Execution::host()), Unsupported);
    for (const char* const text : {"a + b", "a * b + c"}) {
        EXPECT_THAT([&] { Transform(ints, text, Type::of<int32_t>(), Execution::host()); },
                    testing::ThrowsMessage<Unsupported>(
                        HasSubstr("there are 3, and well-known operators have at most 2 operands")));
    }
    const Transform built{std::span(ints).first(2), OpKind::plus, Type::of<int32_t>(), Execution::host()};
    const std::vector<int32_t> left{1, 2, 3}, right{10, 20, 30};
    std::vector<int32_t> sums(3);
    built({}, std::vector<Input>{left, right}, sums, 3);
    EXPECT_THAT(sums, ElementsAre(11, 22, 33));
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
