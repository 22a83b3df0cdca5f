#include <numeric>

#include "cuprum/parallel/reduce.hpp"
#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Parallel;
using test::Point;
using test::random_elements;
using test::sizes;

class PrefixScan : public Parallel {
protected:
    template <class Accumulator, class T>
    std::vector<Accumulator> scan(const Scan& scan, const std::vector<T>& elements, Accumulator init) const {
        const core::Buffer input = upload(elements);
        const core::Buffer output = memory_for<Accumulator>(elements.size());
        scan(stream, input, output, elements.size(), init);
        return download<Accumulator>(output);
    }

    template <class T, class Accumulator, class Combine>
    void expect_exact(ScanKind kind, const Operator& op, Accumulator init, const Combine& combine) const {
        const Scan built(kind, Iterator::pointer(Type::of<T>()), op, Type::of<Accumulator>());
        for (const uint64_t count : sizes()) {
            const std::vector<T> elements = random_elements<T>(count);
            std::vector<Accumulator> expected(count);
            Accumulator sum = init;
            for (size_t i = 0; i < count; ++i) {
                const auto element = static_cast<Accumulator>(elements[i]);
                const Accumulator next =
                    i == 0 && kind == ScanKind::inclusive ? element : static_cast<Accumulator>(combine(sum, element));
                expected[i] = kind == ScanKind::exclusive ? sum : next;
                sum = next;
            }
            EXPECT_EQ(scan(built, elements, init), expected) << count << " elements";
        }
    }
};

TEST_F(PrefixScan, AddsExclusively) {
    expect_exact<int32_t, int32_t>(ScanKind::exclusive, OpKind::plus, 100, [](int32_t a, int32_t b) {
        return static_cast<uint32_t>(a) + static_cast<uint32_t>(b);
    });
}
TEST_F(PrefixScan, AddsInclusively) {
    expect_exact<float, float>(ScanKind::inclusive, OpKind::plus, 0.0F, std::plus<>());
}
TEST_F(PrefixScan, AddsInclusivelyAfterAnInitialValue) {
    expect_exact<uint8_t, uint64_t>(ScanKind::inclusive_with_init, OpKind::plus, uint64_t{1000}, std::plus<>());
}
TEST_F(PrefixScan, TakesAnOperatorAsText) {
    // 16 bytes of status and value are one access on the device.
    expect_exact<double, double>(ScanKind::inclusive, "a > b ? a : b", 0.0,
                                 [](double a, double b) { return std::max(a, b); });
}

TEST_F(PrefixScan, TakesAnOperatorAsTextForLittleAndForMuch) {
    // Up to 16 MiB of elements are scanned in smaller tiles; both kernels are in one build. In CUB's own shape.
    BuildOptions options;
    options.tuning = "cub";
    const Scan built(ScanKind::exclusive, Iterator::pointer(Type::of<int32_t>()), "const int c = a ^ b; return c;",
                     Type::of<int32_t>(), {}, options);
    constexpr uint64_t most = uint64_t{4} << 20;
    for (const uint64_t count : {most, most + 1}) {
        const std::vector<int32_t> elements = random_elements<int32_t>(count);
        std::vector<int32_t> expected(count);
        std::exclusive_scan(elements.begin(), elements.end(), expected.begin(), 5, std::bit_xor<>());
        EXPECT_TRUE(scan(built, elements, int32_t{5}) == expected) << count << " elements";
    }
    if (device.compute_capability().major != 9) return;  // others tune both alike
    EXPECT_GT(built.temp_storage_bytes(most), built.temp_storage_bytes(most + 1)) << "the tiles are of one size";
}

TEST_F(PrefixScan, ScansStructsAndComplexNumbers) {
    const Scan last(ScanKind::inclusive, Iterator::pointer(Type::of<Point>()), "Point{b.x, a.weight + b.weight, b.tag}",
                    Type::of<Point>());
    const Scan sums(ScanKind::exclusive, Iterator::pointer(Type::of<std::complex<float>>()), "a + b",
                    Type::of<std::complex<double>>());
    for (const uint64_t count : {uint64_t{1}, uint64_t{4097}, uint64_t{20011}}) {
        const std::vector<Point> elements = random_elements<Point>(count);
        std::vector<Point> expected = elements;
        for (size_t i = 1; i < count; ++i)
            expected[i].weight += expected[i - 1].weight;
        EXPECT_EQ(scan(last, elements, Point{}), expected) << count;

        const auto numbers = random_elements<std::complex<float>>(count);
        std::vector<std::complex<double>> prefix(count);
        std::complex<double> sum(1, -1);
        for (size_t i = 0; i < count; ++i) {
            prefix[i] = sum;
            sum += std::complex<double>(numbers[i]);
        }
        EXPECT_EQ(scan(sums, numbers, std::complex<double>(1, -1)), prefix) << count;
    }
}

TEST_F(PrefixScan, WorksInPlaceAndRefusesToOverlapOtherwise) {
    const Scan built(ScanKind::exclusive, Iterator::pointer(Type::of<int32_t>()), OpKind::plus, Type::of<int32_t>());
    const core::Buffer memory = upload(std::vector<int32_t>(5000, 1));
    built(stream, memory, memory, 5000, 0);
    const std::vector<int32_t> result = download<int32_t>(memory);
    for (int32_t i = 0; i < 5000; ++i)
        ASSERT_EQ(result[static_cast<size_t>(i)], i);
    EXPECT_THROW(built(stream, memory, memory.slice(4, 4 * 4999), 4999, 0), InvalidArgument);
}

TEST_F(PrefixScan, ReadsAnInitialValueInDeviceMemoryInTheStreamsOrder) {
    const Reduce sum(Iterator::pointer(Type::of<int32_t>()), OpKind::plus, Type::of<int64_t>());
    for (const ScanKind kind : {ScanKind::exclusive, ScanKind::inclusive_with_init}) {
        const Scan built(kind, Iterator::pointer(Type::of<int32_t>()), OpKind::plus, Type::of<int64_t>());
        for (const uint64_t count : sizes()) {
            const std::vector<int32_t> elements = random_elements<int32_t>(count);
            const core::Buffer input = upload(elements);
            const core::Buffer first = memory_for<int64_t>(1);
            const core::Buffer output = memory_for<int64_t>(count);
            sum(stream, input, first, count, int64_t{3});
            built(stream, input, output, count, first);
            int64_t before = std::accumulate(elements.begin(), elements.end(), int64_t{3});
            std::vector<int64_t> expected(count);
            for (size_t i = 0; i < count; ++i) {
                expected[i] = before + (kind == ScanKind::exclusive ? 0 : elements[i]);
                before += elements[i];
            }
            EXPECT_EQ(download<int64_t>(output), expected) << count << " elements";
        }
    }
    const Scan points(ScanKind::exclusive, Iterator::pointer(Type::of<Point>()), "b", Type::of<Point>());
    const std::vector<Point> elements = random_elements<Point>(3);
    const core::Buffer output = memory_for<Point>(2);
    points(stream, upload(elements), output, 2, upload(elements).slice(2 * sizeof(Point), sizeof(Point)));
    EXPECT_EQ(download<Point>(output), (std::vector<Point>{elements[2], elements[0]}));
}

TEST_F(PrefixScan, RefusesAnInitialValueInDeviceMemoryThatItCannotTake) {
    const Iterator input = Iterator::pointer(Type::of<int32_t>());
    const Type type = Type::of<int32_t>();
    const Scan built(ScanKind::exclusive, input, OpKind::plus, type);
    const core::Buffer memory = memory_for<int32_t>(4);
    EXPECT_THROW(built(stream, memory, memory, 4, memory.slice(4, 4)), InvalidArgument) << "overlaps the output";
    EXPECT_THROW(built(stream, memory, memory, 4, memory_for<uint16_t>(1)), InvalidArgument) << "too small";
    EXPECT_THROW(built(stream, memory, memory, 4, core::BufferRef()), InvalidArgument) << "no buffer";
    const core::Buffer first = memory_for<int32_t>(1);
    const Scan without(ScanKind::inclusive, input, OpKind::plus, type);
    EXPECT_THROW(without(stream, memory, memory, 4, first), InvalidArgument);
    const Scan on_host(ScanKind::exclusive, input, OpKind::plus, type, Execution::host());
    std::vector<int32_t> elements(4);
    EXPECT_THROW(on_host({}, elements, elements, 4, first), InvalidArgument);
}

TEST_F(PrefixScan, NeedsItsInitialValue) {
    const Scan built(ScanKind::exclusive, Iterator::pointer(Type::of<int32_t>()), OpKind::plus, Type::of<int32_t>());
    const core::Buffer memory = memory_for<int32_t>(4);
    EXPECT_THROW(built(stream, memory, memory, 4), InvalidArgument);
    EXPECT_THROW(built(stream, memory, memory, 4, 0.0F), InvalidArgument);
}

}  // namespace
}  // namespace cuprum::parallel
