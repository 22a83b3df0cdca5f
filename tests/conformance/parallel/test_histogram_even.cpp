// Histograms against a plain loop.
#include <limits>

#include "cuprum/pathfinder/error.hpp"
#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

class Histograms : public test::Parallel {
protected:
    // `bin_of`: -1 for a sample that is not counted.
    template <class Counter, class Sample, class Level, class BinOf>
    void expect_counts(const HistogramEven& histogram, uint64_t count, uint64_t bins, Level lower, Level upper,
                       const BinOf& bin_of) {
        SCOPED_TRACE(std::to_string(count) + " samples, " + std::to_string(bins) + " bins");
        const std::vector<Sample> samples = test::random_elements<Sample>(count);
        std::vector<Counter> expected(bins);
        for (const Sample& sample : samples) {
            const int64_t bin = bin_of(sample);
            if (bin >= 0) ++expected[static_cast<size_t>(bin)];
        }
        const core::Buffer in = upload(samples);
        const core::Buffer counts = upload(std::vector<Counter>(bins, Counter{77}));
        histogram(stream, in, counts, bins, lower, upper, count);
        EXPECT_EQ(download<Counter>(counts), expected);
    }
};

TEST_F(Histograms, CountFloatingPointSamplesInBinsOfOneWidth) {
    // Of -500 to 500 in quarters.
    const HistogramEven histogram(Iterator::pointer(Type::of<float>()), Type::of<float>());
    for (const uint64_t bins : {1, 10, 256, 257, 3000}) {
        const float scale = static_cast<float>(bins) / 700;
        for (const uint64_t count : test::sizes()) {
            expect_counts<uint32_t, float>(histogram, count, bins, -300.0F, 400.0F, [&](float sample) -> int64_t {
                if (!(sample >= -300 && sample < 400)) return -1;
                return std::min(static_cast<int64_t>((sample + 300) * scale), static_cast<int64_t>(bins) - 1);
            });
        }
    }
}

TEST_F(Histograms, CountIntegersExactlyInTheTypeOfBoth) {
    const HistogramEven bytes(Iterator::pointer(Type::of<int8_t>()), Type::of<int32_t>(), Type::of<int64_t>());
    expect_counts<int64_t, int8_t>(bytes, 20011, 256, -128, 128, [](int8_t sample) { return sample + 128; });
    expect_counts<int64_t, int8_t>(bytes, 20011, 3, -10, 100, [](int8_t sample) {
        return sample < -10 || sample >= 100 ? -1 : (sample + 10) * 3 / 110;
    });
    const HistogramEven wide(Iterator::pointer(Type::of<uint64_t>()), Type::of<uint64_t>(), Type::of<int32_t>(), {},
                             {.always_wide = true});
    constexpr uint64_t half = uint64_t{1} << 63;
    expect_counts<int32_t, uint64_t>(wide, 4097, 2, uint64_t{0}, half, [](uint64_t sample) {
        return sample >= half ? int64_t{-1} : static_cast<int64_t>(sample >> 62);
    });
}

TEST_F(Histograms, ReadAnyIteratorAndLeaveOutNaNs) {
    const Iterator counting = Iterator::counting(int32_t{0});
    const Iterator halves = Iterator::transform(counting, "a % 5 == 4 ? 0.0 / 0.0 : a % 5", Type::of<double>());
    const HistogramEven histogram(halves, Type::of<double>());
    const core::Buffer counts = memory_for<uint32_t>(4);
    histogram(stream, halves, counts, 4, 0.0, 4.0, 1000);
    EXPECT_THAT(download<uint32_t>(counts), Each(200));
    histogram(stream, halves, counts, 4, 0.0, 4.0, 0);
    EXPECT_THAT(download<uint32_t>(counts), ElementsAre(0, 0, 0, 0));
}

TEST_F(Histograms, RefuseWhatHasNoBins) {
    const auto reason = [](auto action) -> std::string {
        try {
            action();
        } catch (const InvalidArgument& error) {
            return error.what();
        }
        return "taken";
    };
    const Iterator samples = Iterator::pointer(Type::of<int64_t>());
    EXPECT_THAT(reason([&] { HistogramEven(Iterator::pointer(Type::of<test::Point>()), Type::of<int32_t>()); }),
                HasSubstr("samples of type Point"));
    EXPECT_THAT(reason([&] { HistogramEven(samples, Type::of<bool>()); }), HasSubstr("bounds of type bool"));
    EXPECT_THAT(reason([&] { HistogramEven(samples, Type::of<int64_t>(), Type::of<float>()); }),
                HasSubstr("counters of type float32"));
    const HistogramEven histogram(samples, Type::of<int64_t>());
    const core::Buffer in = upload(std::vector<int64_t>(16));
    const core::Buffer counts = memory_for<uint32_t>(8);
    const auto call = [&](uint64_t bins, int64_t lower, int64_t upper, const Output& output) {
        return reason([&] { histogram(stream, in, output, bins, lower, upper, 16); });
    };
    EXPECT_THAT(call(0, 0, 10, counts), HasSubstr("0 bins"));
    EXPECT_THAT(call(8, 10, 10, counts), HasSubstr("the lower one is 10 and the upper one 10"));
    EXPECT_THAT(call(9, 0, 10, counts), HasSubstr("histogram"));
    EXPECT_THAT(call(8, 0, 10, in), HasSubstr("overlap"));
    EXPECT_THAT(call(8, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(), counts),
                HasSubstr("their product exceeds 64 bits"));
    EXPECT_THAT(reason([&] { histogram(stream, in, counts, 8, int32_t{0}, int64_t{10}, 16); }), HasSubstr("int32"));
    EXPECT_EQ(call(8, 0, 10, counts), "taken");
    stream.sync();
}

}  // namespace
}  // namespace cuprum::parallel
