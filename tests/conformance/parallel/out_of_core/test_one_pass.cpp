// Reduction, scan and histogram.
#include <cmath>
#include <limits>

#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::host_kinds;
using test::HostElements;
using test::HostKind;
using test::Point;
using test::random_elements;
using test::refusal;
using testing::AllOf;
using testing::HasSubstr;

class OutOfCorePass : public test::OutOfCore {
protected:
    template <class T>
    static HostOutput one(T& value) {
        return {Type::of<T>(), &value, 1};
    }
    // None, one, one piece, exactly twice the memory, an odd tail, many pieces.
    static std::vector<uint64_t> counts(uint64_t size) {
        return {0, 1, limit / size / 4, 2 * limit / size, twice(size), 5 * limit / size + 3};
    }
};

TEST_F(OutOfCorePass, ReducesElementsOfAnyNumber) {
    const Type input = Type::of<int32_t>(), accumulator = Type::of<int64_t>();
    const out_of_core::Reduce sum(memory(), input, OpKind::plus, accumulator);
    const out_of_core::Reduce largest(memory(), input, "a < b ? b : a", input);
    for (const HostKind kind : host_kinds) {
        for (const uint64_t count : counts(sizeof(int32_t))) {
            SCOPED_TRACE(testing::PrintToString(std::pair(static_cast<int>(kind), count)));
            const std::vector<int32_t> elements = random_elements<int32_t>(count);
            HostElements<int32_t> in(kind, elements);
            int64_t result = -1;
            sum(in.input(), one(result), int64_t{1000});
            EXPECT_EQ(result, std::accumulate(elements.begin(), elements.end(), int64_t{1000}));
            result = -1;
            sum(in.input(), one(result));
            EXPECT_EQ(result, count == 0 ? -1 : std::accumulate(elements.begin(), elements.end(), int64_t{0}));
            int32_t most = -1;
            largest(in.input(), one(most));
            EXPECT_EQ(most, count == 0 ? -1 : *std::max_element(elements.begin(), elements.end()));
        }
    }
}

TEST_F(OutOfCorePass, SumsOfFloatingPointNumbersAreTheSameEachTime) {
    const std::vector<float> elements = random_elements<float>(twice(sizeof(float)));
    const out_of_core::Reduce sum(memory(), Type::of<float>(), OpKind::plus, Type::of<float>());
    float first = 0, second = 0;
    sum(host_input(elements), one(first), 0.5F);
    sum(host_input(elements), one(second), 0.5F);
    EXPECT_EQ(first, second);
    EXPECT_NEAR(first, std::accumulate(elements.begin(), elements.end(), 0.5), 1);
}

TEST_F(OutOfCorePass, ScansElementsOfAnyNumber) {
    const Type input = Type::of<int32_t>(), accumulator = Type::of<int64_t>();
    for (const ScanKind scan_kind : {ScanKind::inclusive, ScanKind::exclusive, ScanKind::inclusive_with_init}) {
        const out_of_core::Scan scan(scan_kind, memory(), input, OpKind::plus, accumulator);
        for (const HostKind kind : host_kinds) {
            for (const uint64_t count : counts(sizeof(int32_t) + sizeof(int64_t))) {
                SCOPED_TRACE(
                    testing::PrintToString(std::tuple(static_cast<int>(scan_kind), static_cast<int>(kind), count)));
                const std::vector<int32_t> elements = random_elements<int32_t>(count);
                HostElements<int32_t> in(kind, elements);
                HostElements<int64_t> out(kind, count);
                int64_t sum = scan_kind == ScanKind::inclusive ? 0 : 70;
                if (scan_kind == ScanKind::inclusive) {
                    scan(in.input(), out.output());
                } else {
                    scan(in.input(), out.output(), sum);
                }
                std::vector<int64_t> expected;
                for (const int32_t element : elements) {
                    if (scan_kind == ScanKind::exclusive) expected.push_back(sum);
                    sum += element;
                    if (scan_kind != ScanKind::exclusive) expected.push_back(sum);
                }
                EXPECT_EQ(out.get(), expected);
            }
        }
    }
}

TEST_F(OutOfCorePass, ScansInPlaceAndInOrder) {
    const uint64_t count = twice(8);
    const Type type = Type::of<uint32_t>();
    std::vector<uint32_t> elements = random_elements<uint32_t>(count);
    const std::vector<uint32_t> before = elements;
    const out_of_core::Scan sum(ScanKind::exclusive, memory(), type, OpKind::plus, type);
    sum(host_input(elements), host_output(elements), uint32_t{5});
    std::vector<uint32_t> expected(count);
    std::exclusive_scan(before.begin(), before.end(), expected.begin(), uint32_t{5});
    EXPECT_EQ(elements, expected);
    // Not commutative: the last operand, or the first.
    const out_of_core::Scan last(ScanKind::inclusive, memory(), type, "b", type);
    const out_of_core::Scan first(ScanKind::inclusive_with_init, memory(), type, "a", type);
    std::vector<uint32_t> results(count);
    last(host_input(before), host_output(results));
    EXPECT_EQ(results, before);
    first(host_input(before), host_output(results), uint32_t{9});
    EXPECT_EQ(results, std::vector<uint32_t>(count, 9));
}

TEST_F(OutOfCorePass, ScansStructs) {
    const std::vector<Point> elements = random_elements<Point>(twice(2 * sizeof(Point)));
    const Type type = Type::of<Point>();
    const out_of_core::Scan scan(ScanKind::exclusive, memory(), type,
                                 "Point{a.x < b.x ? b.x : a.x, a.weight + b.weight, b.tag}", type);
    std::vector<Point> results(elements.size());
    scan(host_input(elements), host_output(results), Point{-1, 2, 3});
    std::vector<Point> expected;
    Point so_far{-1, 2, 3};
    for (const Point& each : elements) {
        expected.push_back(so_far);
        so_far = {std::max(so_far.x, each.x), so_far.weight + each.weight, each.tag};
    }
    EXPECT_EQ(results, expected);
}

TEST_F(OutOfCorePass, CountsSamplesOfAnyNumber) {
    constexpr uint64_t bins = 300;
    const out_of_core::HistogramEven histogram(memory(), Type::of<float>(), Type::of<float>(), Type::of<uint64_t>());
    for (const HostKind kind : host_kinds) {
        for (const uint64_t count : counts(sizeof(float))) {
            SCOPED_TRACE(testing::PrintToString(std::pair(static_cast<int>(kind), count)));
            std::vector<float> samples = random_elements<float>(count);
            if (count > 9) samples[9] = std::numeric_limits<float>::quiet_NaN();
            std::vector<uint64_t> expected(bins);
            for (const float sample : samples) {
                if (sample >= -300 && sample < 300) ++expected[static_cast<size_t>((sample + 300) / 2)];
            }
            HostElements<float> in(kind, samples);
            HostElements<uint64_t> out(kind, std::vector<uint64_t>(bins, 77));
            histogram(in.input(), out.output(), bins, -300.0F, 300.0F);
            EXPECT_EQ(out.get(), expected);
        }
    }
}

TEST_F(OutOfCorePass, RefusesWhatDoesNotFit) {
    const Type type = Type::of<int32_t>();
    std::vector<int32_t> in(100), out(100);
    int32_t result = 0;
    const out_of_core::Reduce sum(memory(), type, OpKind::plus, type);
    EXPECT_THAT(refusal([&] { sum(host_input(in), {type, &result, 0}, 1); }),
                AllOf(HasSubstr("result"), HasSubstr("room for 0 elements, expected 1")));
    EXPECT_THAT(refusal([&] { sum(host_input(in), one(result), 1.0F); }), HasSubstr("initial value"));
    const out_of_core::Reduce small({device, 512, pool}, type, OpKind::plus, type);
    EXPECT_THAT(refusal([&] { small(host_input(in), one(result)); }),
                AllOf(HasSubstr("512 bytes may be taken"), HasSubstr("need at least 768")));
    const out_of_core::Scan scan(ScanKind::exclusive, memory(), type, OpKind::plus, type);
    EXPECT_THAT(refusal([&] { scan(host_input(in), host_output(out)); }), HasSubstr("none is given"));
    EXPECT_THAT(refusal([&] { scan(host_input(in), HostOutput{type, out.data(), 99}, 0); }),
                AllOf(HasSubstr("results"), HasSubstr("there are 99")));
    EXPECT_THAT(refusal([&] { scan({type, in.data(), 99}, {type, in.data() + 1, 99}, 0); }), HasSubstr("overlap"));
    const out_of_core::HistogramEven histogram(memory(), type, type);
    std::vector<uint32_t> counts(100000);
    EXPECT_THAT(refusal([&] { histogram(host_input(in), host_output(counts), 100000, 0, 1000000); }),
                AllOf(HasSubstr("65536 bytes may be taken"), HasSubstr("need at least")));
    EXPECT_THAT(refusal([&] { histogram(host_input(in), host_output(counts), 0, 0, 10); }), HasSubstr("0 bins"));
    EXPECT_THAT(refusal([&] { histogram(host_input(in), host_output(counts), 10, 10, 0); }), HasSubstr("bound"));
    EXPECT_THAT(refusal([&] { histogram(host_input(in), {Type::of<uint32_t>(), counts.data(), 9}, 10, 0, 10); }),
                HasSubstr("room for 9 elements, expected 10"));
}

}  // namespace
}  // namespace cuprum::parallel
