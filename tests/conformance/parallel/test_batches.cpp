// Histograms of ranges, calls for each element and batches of copies, against plain loops.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cuprum/pathfinder/error.hpp"
#include "fixture.hpp"

namespace cuprum::test {

// Where an operator writes.
struct Sink {
    uint64_t counts;
    int32_t modulus;
};

}  // namespace cuprum::test

template <>
struct cuprum::parallel::TypeTraits<cuprum::test::Sink> {
    static Type type() {
        using cuprum::test::Sink;
        return Type::structure_of<Sink>("Sink", field("counts", &Sink::counts), field("modulus", &Sink::modulus));
    }
};

namespace cuprum::parallel {
namespace {

using testing::Each;
using testing::ElementsAre;

class Batches : public test::Parallel {
protected:
    template <class T, class Level, class Counter>
    void expect_counts(uint64_t count, uint64_t bins, const BuildOptions& options = {}) {
        SCOPED_TRACE(std::to_string(count) + " in " + std::to_string(bins));
        std::vector<T> samples;
        for (const int16_t element : test::random_elements<int16_t>(count))
            samples.push_back(static_cast<T>(element % 3000));
        std::vector<Level> levels;
        for (uint64_t i = 0; i <= bins; ++i)
            levels.push_back(static_cast<Level>(-40 + static_cast<int64_t>(i * i * 3000 / (bins * bins + 1))));
        std::vector<Counter> expected(bins);
        for (const T sample : samples) {
            for (uint64_t bin = 0; bin < bins; ++bin) {
                const auto value = static_cast<double>(sample);
                if (value >= static_cast<double>(levels[bin]) && value < static_cast<double>(levels[bin + 1]))
                    ++expected[bin];
            }
        }
        const HistogramRange histogram(Iterator::pointer(Type::of<T>()), Type::of<Level>(), Type::of<Counter>(), {},
                                       options);
        const core::Buffer in = upload(samples);
        const core::Buffer levels_in = upload(levels);
        const core::Buffer out = upload(std::vector<Counter>(bins, 9));
        histogram(stream, in, levels_in, out, bins, count);
        EXPECT_EQ(download<Counter>(out), expected);
    }
};

TEST_F(Batches, CountWhatIsInEachRange) {
    for (const uint64_t count : {0, 1, 1000, 20011})
        expect_counts<int32_t, int32_t, int32_t>(count, 17);
    expect_counts<int16_t, double, uint64_t>(4097, 1);
    expect_counts<float, int32_t, int64_t>(4097, 1500);
    expect_counts<double, float, uint32_t>(4097, 100, {.always_wide = true});
    // Of several channels, one after another.
    const core::Buffer pixels = upload(std::vector<uint8_t>{1, 200, 2, 100, 3, 200});
    const core::Buffer levels = upload(std::vector<int32_t>{0, 3, 150, 256});
    const core::Buffer out = memory_for<int32_t>(3);
    const Iterator channel = Iterator::strided(Iterator::pointer<uint8_t>(pixels), 2, 1);
    const HistogramRange histogram(channel, Type::of<int32_t>());
    histogram(stream, channel, levels, out, 3, 3);
    EXPECT_THAT(download<int32_t>(out), ElementsAre(0, 1, 2));
    const core::Buffer floats = upload(std::vector<float>{std::nanf(""), 1, -HUGE_VALF, HUGE_VALF});
    const HistogramRange of_floats(Iterator::pointer(Type::of<float>()), Type::of<int32_t>());
    of_floats(stream, floats, levels, out, 3, 4);
    EXPECT_THAT(download<int32_t>(out), ElementsAre(1, 0, 0));
}

TEST_F(Batches, CallAnOperatorForEachElement) {
    const core::Buffer counts = upload(std::vector<int32_t>(7, 0));
    const Operator count_remainder("atomicAdd(reinterpret_cast<int*>(counts) + a % modulus, 1)",
                                   Value(test::Sink{counts.handle(), 7}));
    const Iterator positions = Iterator::counting(int32_t{0});
    const ForEach for_each(positions, count_remainder);
    for_each(stream, positions, 7000);
    EXPECT_THAT(download<int32_t>(counts), Each(1000));
    for_each(stream, positions, 0);
    const core::Buffer others = upload(std::vector<int32_t>(7, 0));
    const Operator of_call = count_remainder.with_state(test::Sink{others.handle(), 1});
    for_each(stream, positions, 70, {.op = &of_call});
    EXPECT_THAT(download<int32_t>(others), ElementsAre(70, 0, 0, 0, 0, 0, 0));
    EXPECT_THROW(ForEach(positions, count_remainder, Execution::host()), Unsupported);
    EXPECT_THROW(ForEach(positions, OpKind::plus), InvalidArgument);
}

TEST_F(Batches, CopyPiecesOfAllSizes) {
    std::vector<uint8_t> bytes = test::random_elements<uint8_t>(300000);
    const core::Buffer in = upload(bytes);
    const core::Buffer out = upload(std::vector<uint8_t>(bytes.size(), 0));
    std::vector<uint64_t> sources;
    std::vector<uint64_t> targets;
    std::vector<int32_t> sizes;
    std::vector<uint8_t> expected(bytes.size(), 0);
    uint64_t from = 0;
    uint64_t to = 3;
    for (const int32_t size : {0, 1, 2, 3, 15, 16, 17, 31, 32, 100, 8191, 8192, 8193, 100000, 7, 0, 4096, 12000}) {
        sources.push_back(in.handle() + from);
        targets.push_back(out.handle() + to);
        sizes.push_back(size);
        std::copy_n(bytes.begin() + static_cast<int64_t>(from), size, expected.begin() + static_cast<int64_t>(to));
        from += static_cast<uint64_t>(size) + sources.size() % 5 * 4;
        to += static_cast<uint64_t>(size) + sources.size() % 3;
    }
    const Iterator addresses = Iterator::pointer(Type::of<uint64_t>());
    const BatchedMemcpy copies(addresses, addresses, Iterator::pointer(Type::of<int32_t>()));
    const core::Buffer sources_in = upload(sources);
    const core::Buffer targets_in = upload(targets);
    const core::Buffer sizes_in = upload(sizes);
    const core::Buffer storage = device.allocate(copies.temp_storage_bytes(sizes.size()));
    copies(stream, sources_in, targets_in, sizes_in, sizes.size(), {.temp_storage = storage});
    EXPECT_EQ(download<uint8_t>(out), expected);
    copies(stream, sources_in, targets_in, sizes_in, 0);
}

TEST_F(Batches, RefuseWhatDoesNotFit) {
    const Iterator numbers = Iterator::pointer(Type::of<int32_t>());
    const core::Buffer data = upload(std::vector<int32_t>(100, 1));
    const core::Buffer out = memory_for<int32_t>(10);
    const HistogramRange histogram(numbers, Type::of<int32_t>());
    EXPECT_THROW(histogram(stream, data, data, out, 0, 100), InvalidArgument);
    EXPECT_THROW(histogram(stream, data, data, out, 11, 100), InvalidArgument);
    EXPECT_THROW(histogram(stream, data, data.slice(0, 40), out, 10, 100), InvalidArgument);
    EXPECT_THROW(histogram(stream, data, out, out, 9, 100), InvalidArgument);
    EXPECT_THROW(histogram(stream, out, data, out, 10, 10), InvalidArgument);
    EXPECT_THROW(HistogramRange(numbers, Type::of<bool>()), InvalidArgument);
    EXPECT_THROW(HistogramRange(numbers, Type::of<int32_t>(), Type::of<float>()), InvalidArgument);
    const ForEach for_each(numbers, "a");
    EXPECT_THROW(for_each(stream, data, 101), InvalidArgument);
    const Iterator addresses = Iterator::pointer(Type::of<uint64_t>());
    EXPECT_THROW(BatchedMemcpy(addresses, numbers, numbers), InvalidArgument);
    EXPECT_THROW(BatchedMemcpy(addresses, addresses, Iterator::pointer(Type::of<int16_t>())), InvalidArgument);
    const BatchedMemcpy copies(addresses, addresses, addresses);
    EXPECT_THROW(copies(stream, data, data, data, 51), InvalidArgument);
    const core::Buffer little = device.allocate(16);
    EXPECT_THROW(copies(stream, data, data, data, 50, {.temp_storage = little}), InvalidArgument);
}

}  // namespace
}  // namespace cuprum::parallel
