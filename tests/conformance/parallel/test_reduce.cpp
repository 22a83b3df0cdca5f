#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>

#include "cuprum/core/error.hpp"
#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Parallel;
using test::Point;
using test::random_elements;
using test::Scale;
using test::sizes;
using testing::HasSubstr;

class Reduction : public Parallel {
protected:
    // What the device makes of the elements.
    template <class Accumulator, class T>
    Accumulator reduce(const Reduce& reduce, const std::vector<T>& elements, Accumulator init) const {
        const core::Buffer input = upload(elements);
        const core::Buffer output = memory_for<Accumulator>(1);
        reduce(stream, input, output, elements.size(), init);
        return download_one<Accumulator>(output);
    }

    template <class T, class Accumulator, class Combine>
    void expect_exact(const Operator& op, Accumulator init, const Combine& combine) const {
        const Reduce built(Iterator::pointer(Type::of<T>()), op, Type::of<Accumulator>());
        for (const uint64_t count : sizes()) {
            const std::vector<T> elements = random_elements<T>(count);
            Accumulator expected = init;
            for (const T element : elements)
                expected = static_cast<Accumulator>(combine(expected, static_cast<Accumulator>(element)));
            EXPECT_EQ(reduce(built, elements, init), expected) << count << " elements";
        }
    }
};

TEST_F(Reduction, WithoutAnInitialValueIsOfTheElementsAlone) {
    const Reduce smallest(Iterator::pointer(Type::of<int16_t>()), "a < b ? a : b", Type::of<int32_t>());
    const Reduce lightest(Iterator::pointer(Type::of<Point>()), "a.weight < b.weight ? a : b", Type::of<Point>());
    for (const uint64_t count : sizes()) {
        std::vector<int16_t> elements = random_elements<int16_t>(count);
        for (int16_t& element : elements)
            element = static_cast<int16_t>(element / 2 + 20000);  // above what 0 would make of them
        const core::Buffer output = upload(std::vector<int32_t>{-7});
        smallest(stream, upload(elements), output, count);
        const int32_t expected = count == 0 ? -7 : *std::min_element(elements.begin(), elements.end());
        EXPECT_EQ(download_one<int32_t>(output), expected) << count << " elements";

        const std::vector<Point> points = random_elements<Point>(count);
        const core::Buffer point = upload(std::vector<Point>(1));
        lightest(stream, upload(points), point, count);
        int32_t weight = count == 0 ? 0 : points.front().weight;
        for (const Point& each : points)
            weight = std::min(weight, each.weight);
        EXPECT_EQ(download_one<Point>(point).weight, weight) << count << " points";
    }
}

TEST_F(Reduction, IsAsItWasAfterAMove) {
    const Type type = Type::of<uint32_t>();
    Reduce reduce(Iterator::pointer(type), OpKind::plus, type);
    const Reduce taken = std::move(reduce);
    const core::Buffer in = upload(std::vector<uint32_t>{1, 2, 3}), out = memory_for<uint32_t>(1);
    reduce(stream, in, out, 3, uint32_t{4});  // NOLINT(bugprone-use-after-move): that is what is tested
    EXPECT_EQ(download_one<uint32_t>(out), 10U);
}

TEST_F(Reduction, AddsFloats) {
    // Quarters up to 500: all partial sums are exact.
    expect_exact<float, float>(OpKind::plus, 0.5F, std::plus<>());
}
TEST_F(Reduction, AddsSmallIntegersInAWiderType) {
    expect_exact<int8_t, int64_t>(OpKind::plus, int64_t{7}, std::plus<>());
}
TEST_F(Reduction, WrapsAroundLikeTheTypeItself) {
    expect_exact<uint16_t, uint16_t>(OpKind::plus, uint16_t{1}, std::plus<>());
}
TEST_F(Reduction, FindsTheMaximumOf64Bits) {
    expect_exact<uint64_t, uint64_t>(OpKind::maximum, uint64_t{3},
                                     [](uint64_t a, uint64_t b) { return std::max(a, b); });
}
TEST_F(Reduction, CombinesBits) {
    expect_exact<int32_t, int32_t>("a ^ b", 0, std::bit_xor<>());
}
TEST_F(Reduction, AnswersWhetherAnyIsTrue) {
    expect_exact<bool, bool>(OpKind::logical_or, false, std::logical_or<>());
}

TEST_F(Reduction, TakesAnOperatorAsText) {
    const Reduce built(Iterator::pointer(Type::of<double>()), "const double m = fabs(a) > fabs(b) ? a : b;\nreturn m;",
                       Type::of<double>());
    const std::vector<double> elements = random_elements<double>(100003);
    double expected = 0;
    for (const double element : elements)
        expected = std::max(expected, std::fabs(element));
    EXPECT_EQ(std::fabs(reduce(built, elements, 0.0)), expected);
}

TEST_F(Reduction, ReducesStructs) {
    const Reduce built(Iterator::pointer(Type::of<Point>()),
                       "Point{a.x < b.x ? a.x : b.x, a.weight + b.weight, (unsigned short)(a.tag | b.tag)}",
                       Type::of<Point>());
    for (const uint64_t count : sizes()) {
        const std::vector<Point> elements = random_elements<Point>(count);
        Point expected{1e9F, 5, 0};
        for (const Point& element : elements) {
            expected = {std::min(expected.x, element.x), expected.weight + element.weight,
                        static_cast<uint16_t>(expected.tag | element.tag)};
        }
        EXPECT_EQ(reduce(built, elements, Point{1e9F, 5, 0}), expected) << count << " elements";
    }
}

TEST_F(Reduction, MultipliesComplexNumbersOfAbsoluteValueOne) {
    const Reduce built(Iterator::pointer(Type::of<std::complex<float>>()), OpKind::multiplies,
                       Type::of<std::complex<float>>());
    std::vector<std::complex<float>> elements(1001, {0, 1});
    const auto result = reduce(built, elements, std::complex<float>(1, 0));
    EXPECT_EQ(result, std::complex<float>(0, 1));  // i^1001
}

TEST_F(Reduction, AddsHalves) {
    // 0x3c00 is 1.0, 0x6400 is 1024.0 (IEEE 754 binary16); in bfloat16 0x3f80 and 0x4380 are 1.0 and 256.0.
    const Reduce halves(Iterator::pointer(Type::of<float16>()), OpKind::plus, Type::of<float16>());
    EXPECT_EQ(reduce(halves, std::vector<float16>(1024, {0x3c00}), float16{0}).bits, 0x6400);
    const Reduce brains(Iterator::pointer(Type::of<bfloat16>()), OpKind::plus, Type::of<bfloat16>());
    EXPECT_EQ(reduce(brains, std::vector<bfloat16>(256, {0x3f80}), bfloat16{0}).bits, 0x4380);
}

TEST_F(Reduction, ReadsConstantsAndCounters) {
    const Iterator counter = Iterator::transform(Iterator::counting(int64_t{1}), "a * a", Type::of<double>());
    const Reduce built(counter, OpKind::plus, Type::of<double>());
    const core::Buffer output = memory_for<double>(1);
    built(stream, counter, output, 1000, 0.0);
    EXPECT_EQ(download_one<double>(output), 333833500.0);
    // Another start of the same kind.
    built(stream, Iterator::transform(Iterator::counting(int64_t{2}), "a * a", Type::of<double>()), output, 999, 0.0);
    EXPECT_EQ(download_one<double>(output), 333833499.0);
}

TEST_F(Reduction, TransformsWithAStateOfTheCall) {
    const std::vector<int16_t> elements = random_elements<int16_t>(20011);
    const core::Buffer input = upload(elements);
    const core::Buffer output = memory_for<double>(1);
    const auto scaled = [&](const Scale& scale) {
        return Iterator::transform(Iterator::pointer<int16_t>(input), Operator("a * factor + offset", scale),
                                   Type::of<double>());
    };
    const Reduce built(scaled({}), OpKind::plus, Type::of<double>());
    for (const Scale scale : {Scale{2, 1}, Scale{-0.5, 0}}) {
        built(stream, scaled(scale), output, elements.size(), 0.0);
        double expected = 0;
        for (const int16_t element : elements)
            expected += element * scale.factor + scale.offset;
        EXPECT_EQ(download_one<double>(output), expected);
    }
}

TEST_F(Reduction, TakesTheOperatorsStateWithEachCall) {
    const Operator clamp("const double sum = a + b; return sum > factor ? factor : sum;", Scale{100, 0});
    const Reduce built(Iterator::pointer(Type::of<double>()), clamp, Type::of<double>());
    const core::Buffer input = upload(std::vector<double>(1000, 1.0));
    const core::Buffer output = memory_for<double>(1);
    built(stream, input, output, 1000, 0.0);
    EXPECT_EQ(download_one<double>(output), 100.0);
    const Operator wider = clamp.with_state(Scale{250, 0});
    built(stream, input, output, 1000, 0.0, {.op = &wider});
    EXPECT_EQ(download_one<double>(output), 250.0);
}

TEST_F(Reduction, TakesTemporaryStorageFromTheCaller) {
    const Reduce built(Iterator::pointer(Type::of<float>()), OpKind::plus, Type::of<float>());
    const core::Buffer input = upload(std::vector<float>(100003, 1.0F));
    const core::Buffer output = memory_for<float>(1);
    const uint64_t needed = built.temp_storage_bytes(100003);
    ASSERT_GT(needed, 0U);
    const core::Buffer storage = device.allocate(needed);
    built(stream, input, output, 100003, 0.0F, {.temp_storage = storage});
    EXPECT_EQ(download_one<float>(output), 100003.0F);
    try {
        built(stream, input, output, 100003, 0.0F, {.temp_storage = storage.slice(0, needed - 1)});
        FAIL() << "too little temporary storage was taken";
    } catch (const InvalidArgument& error) {
        EXPECT_THAT(error.detail(),
                    HasSubstr(std::to_string(needed) + " bytes needed, " + std::to_string(needed - 1) + " given"));
    }
}

TEST_F(Reduction, GivesTheSameBitsAgain) {
    const Reduce built(Iterator::pointer(Type::of<float>()), OpKind::plus, Type::of<float>());
    std::vector<float> elements(100003);
    std::mt19937 generator(5);
    for (float& element : elements)
        element = static_cast<float>(generator()) * 1e-6F;
    const float first = reduce(built, elements, 0.0F);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(reduce(built, elements, 0.0F), first);
}

TEST_F(Reduction, IsCalledByThreadsAtOnceAndBuiltOnce) {
    std::vector<std::thread> threads;
    std::vector<int64_t> sums(4);
    for (size_t i = 0; i < sums.size(); ++i) {
        threads.emplace_back([this, i, &sums] {
            const Reduce built(Iterator::pointer(Type::of<int32_t>()), "a + b + 0 * a", Type::of<int64_t>());
            const core::Stream own = device.create_stream();
            const core::Buffer input = upload(std::vector<int32_t>(5000, static_cast<int32_t>(i)));
            const core::Buffer output = memory_for<int64_t>(1);
            built(own, input, output, 5000, int64_t{0});
            own.sync();
            output.copy_to_host(&sums[i], sizeof(int64_t));
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_THAT(sums, testing::ElementsAre(0, 5000, 10000, 15000));
}

TEST_F(Reduction, SaysWhatIsWrongWithACall) {
    const Reduce built(Iterator::pointer(Type::of<float>()), OpKind::plus, Type::of<float>());
    const core::Buffer memory = memory_for<float>(4);
    const auto refused = [&](const auto& call) {
        try {
            call();
        } catch (const InvalidArgument& error) {
            return error.object() + ": " + error.detail();
        }
        return std::string("nothing");
    };
    EXPECT_THAT(refused([&] { built(stream, core::DevicePointer{0}, memory, 4, 0.0F); }),
                HasSubstr("input: it is null"));
    EXPECT_THAT(refused([&] { built(stream, memory, core::DevicePointer{0}, 4, 0.0F); }),
                HasSubstr("output: it is null"));
    EXPECT_THAT(refused([&] { built(stream, memory, memory, 5, 0.0F); }), HasSubstr("it has 16 bytes, expected 5"));
    EXPECT_THAT(refused([&] { built(stream, memory.handle() + 2, memory, 1, 0.0F); }), HasSubstr("aligned to 4"));
    EXPECT_THAT(refused([&] { built(stream, memory, memory, 4, 0.0); }), HasSubstr("float64, the algorithm was built"));
    EXPECT_THAT(refused([&] { built(stream, Iterator::constant(1.0F), memory, 4, 0.0F); }),
                HasSubstr("constant<float32>, the algorithm was built for pointer<float32>"));
    EXPECT_THAT(refused([&] { built(core::StreamRef(), memory, memory, 4, 0.0F); }), HasSubstr("invalid"));
    const Operator other("a * b - 1");
    EXPECT_THAT(refused([&] { built(stream, memory, memory, 4, 0.0F, {.op = &other}); }),
                HasSubstr("built for 'plus'"));
}

TEST_F(Reduction, ShowsTheCallersOwnLinesWhenAnOperatorDoesNotCompile) {
    try {
        const Reduce built(Iterator::pointer(Type::of<float>()), "float c = a;\nc += unknown;\nreturn c;",
                           Type::of<float>());
        FAIL() << "it compiled";
    } catch (const CompileError& error) {
        EXPECT_THAT(error.log(), HasSubstr("operator(2)"));
        EXPECT_THAT(error.log(), HasSubstr("\"unknown\" is undefined"));
        EXPECT_THAT(error.log(), testing::Not(HasSubstr("cub")));
    }
    EXPECT_THROW(Reduce(Iterator::pointer(Type::of<Point>()), OpKind::plus, Type::of<Point>()), InvalidArgument);
    EXPECT_THROW(Reduce(Iterator::pointer(Type::of<float>()), OpKind::negate, Type::of<float>()), InvalidArgument);
}

}  // namespace
}  // namespace cuprum::parallel
