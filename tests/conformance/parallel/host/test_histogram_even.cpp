// Histograms on the host's cores against a plain loop.
#include "host_fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Elements;
using test::host;
using test::host_sizes;
using test::refusal;
using testing::Each;
using testing::HasSubstr;

template <class Sample, class Counter, class Level, class BinOf>
void expect_counts(uint64_t bins, Level lower, Level upper, const BinOf& bin_of) {
    const HistogramEven histogram(Iterator::pointer(Type::of<Sample>()), Type::of<Level>(), Type::of<Counter>(), host);
    for (const uint64_t count : host_sizes()) {
        SCOPED_TRACE(std::to_string(count) + ' ' + Type::of<Sample>().name());
        const Elements<Sample> samples(count);
        std::vector<Counter> expected(bins);
        for (const auto& sample : samples.values) {
            const int64_t bin = bin_of(sample);
            if (bin >= 0) ++expected[static_cast<size_t>(bin)];
        }
        std::vector<Counter> counts(bins, Counter{77});
        histogram({}, samples.span(), counts, bins, lower, upper, count);
        EXPECT_EQ(counts, expected);
    }
}

TEST(HostExecution, CountsSamplesInBinsOfOneWidth) {
    expect_counts<float, uint32_t>(100, -300.0F, 400.0F, [](float sample) -> int64_t {
        if (!(sample >= -300 && sample < 400)) return -1;
        return std::min<int64_t>(static_cast<int64_t>((sample + 300) * (100 / 700.0F)), 99);
    });
    expect_counts<double, int64_t>(5000, -500, 500, [](double sample) -> int64_t {
        return sample >= 500 ? -1 : static_cast<int64_t>((sample + 500) * 5);
    });
    expect_counts<int8_t, uint64_t>(256, -128, 128, [](int8_t sample) { return int64_t{sample} + 128; });
    expect_counts<uint64_t, int32_t>(2, uint64_t{0}, uint64_t{1} << 63, [](uint64_t sample) {
        return sample >> 63 != 0 ? int64_t{-1} : static_cast<int64_t>(sample >> 62);
    });
}

TEST(HostExecution, CountsWhatIteratorsGive) {
    const Iterator counting = Iterator::counting(int32_t{-50});
    const Iterator falling = Iterator::transform(counting, OpKind::negate, Type::of<int32_t>());
    const HistogramEven histogram(falling, Type::of<int32_t>(), Type::of<uint32_t>(), host);
    std::vector<uint32_t> counts(10);
    histogram({}, falling, counts, 10, int32_t{-49}, int32_t{51}, 100);
    EXPECT_THAT(counts, Each(10));
}

TEST(HostExecution, RefusesWhatHasNoBins) {
    const Iterator samples = Iterator::pointer(Type::of<float>());
    const HistogramEven histogram(samples, Type::of<float>(), Type::of<uint32_t>(), host);
    const std::vector<float> in(16, 1.0F);
    std::vector<uint32_t> counts(8);
    const auto call = [&](uint64_t bins, float lower, float upper) {
        return refusal<InvalidArgument>([&] { histogram({}, in, counts, bins, lower, upper, 16); });
    };
    EXPECT_THAT(call(8, 1, 1), HasSubstr("lower"));
    EXPECT_THAT(call(8, 0, std::numeric_limits<float>::quiet_NaN()), HasSubstr("lower"));
    EXPECT_THAT(call(8, 0, std::numeric_limits<float>::infinity()), HasSubstr("no finite distance"));
    EXPECT_THAT(call(9, 0, 1), HasSubstr("histogram"));
    EXPECT_EQ(call(8, 0, 2), "taken");
}

}  // namespace
}  // namespace cuprum::parallel
