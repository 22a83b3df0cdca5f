// Histograms of several channels against those of each channel.
#include <algorithm>
#include <array>
#include <numeric>

#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::random_elements;
using test::refusal;
using testing::HasSubstr;

class Channels : public test::Parallel {
protected:
    // Counts of the channels' bins one behind the other; `bin_of`: -1 for a sample that is not counted.
    template <class Counter, class Sample, class BinOf>
    static std::vector<Counter> expected(const std::vector<Sample>& samples, size_t channels,
                                         const std::vector<uint64_t>& bins, const BinOf& bin_of) {
        std::vector<Counter> counts(std::accumulate(bins.begin(), bins.end(), uint64_t{0}));
        for (size_t pixel = 0; pixel < samples.size() / channels; ++pixel) {
            size_t first = 0;
            for (size_t channel = 0; channel < bins.size(); ++channel) {
                const int64_t bin = bin_of(channel, samples[pixel * channels + channel]);
                if (bin >= 0) ++counts[first + static_cast<size_t>(bin)];
                first += bins[channel];
            }
        }
        return counts;
    }
};

TEST_F(Channels, HaveBinsOfOneWidth) {
    for (const auto& [channels, active] :
         std::vector<std::pair<int32_t, int32_t>>{{1, 1}, {2, 1}, {2, 2}, {3, 3}, {4, 3}, {4, 4}}) {
        const MultiHistogramEven built(Iterator::pointer(Type::of<uint8_t>()), channels, active, Type::of<int32_t>());
        EXPECT_EQ(built.active_channels(), active);
        for (const bool are_many : {false, true}) {
            const std::array<uint64_t, 4> all_bins{10, 256, are_many ? uint64_t{300} : uint64_t{7}, 1};
            const std::array<int32_t, 4> all_lower{0, 0, 50, -5}, all_upper{250, 256, 1000, 17};
            const std::vector<uint64_t> bins(all_bins.begin(), all_bins.begin() + active);
            const std::vector<Value> lower(all_lower.begin(), all_lower.begin() + active),
                upper(all_upper.begin(), all_upper.begin() + active);
            for (const uint64_t count : {uint64_t{0}, uint64_t{1}, uint64_t{1000}, uint64_t{20011}}) {
                SCOPED_TRACE(std::to_string(active) + " of " + std::to_string(channels) + " channels, " +
                             std::to_string(count) + " pixels");
                const std::vector<uint8_t> samples = random_elements<uint8_t>(count * static_cast<uint64_t>(channels));
                const auto counts = expected<uint32_t>(
                    samples, static_cast<size_t>(channels), bins, [&](size_t channel, uint8_t sample) -> int64_t {
                        const int64_t low = all_lower[channel], high = all_upper[channel];
                        if (sample < low || sample >= high) return -1;
                        return (sample - low) * static_cast<int64_t>(all_bins[channel]) / (high - low);
                    });
                const core::Buffer out = upload(std::vector<uint32_t>(counts.size(), 77));
                built(stream, upload(samples), out, bins, lower, upper, count);
                EXPECT_EQ(download<uint32_t>(out), counts);
            }
        }
    }
}

TEST_F(Channels, HaveRanges) {
    for (const auto& [channels, active] : std::vector<std::pair<int32_t, int32_t>>{{1, 1}, {3, 2}, {3, 3}, {4, 3}}) {
        const MultiHistogramRange built(Iterator::pointer(Type::of<float>()), channels, active, Type::of<double>(),
                                        Type::of<int64_t>());
        for (const uint64_t most : {uint64_t{5}, uint64_t{2000}}) {
            const std::array<uint64_t, 3> all_bins{most, 1, 40};
            const std::vector<uint64_t> bins(all_bins.begin(), all_bins.begin() + active);
            std::vector<std::vector<double>> levels;
            std::vector<double> all_levels;
            for (size_t channel = 0; channel < bins.size(); ++channel) {
                std::vector<double> own(bins[channel] + 1);
                for (size_t i = 0; i < own.size(); ++i)
                    own[i] = -300.0 + static_cast<double>(channel) * 50 + static_cast<double>(i * i) / 100;
                all_levels.insert(all_levels.end(), own.begin(), own.end());
                levels.push_back(own);
            }
            for (const uint64_t count : {uint64_t{1}, uint64_t{1000}, uint64_t{20011}}) {
                SCOPED_TRACE(std::to_string(active) + " of " + std::to_string(channels) + " channels, " +
                             std::to_string(count) + " pixels, " + std::to_string(most) + " bins");
                const std::vector<float> samples = random_elements<float>(count * static_cast<uint64_t>(channels));
                const auto counts = expected<int64_t>(
                    samples, static_cast<size_t>(channels), bins, [&](size_t channel, float sample) -> int64_t {
                        const std::vector<double>& own = levels[channel];
                        if (sample < own.front() || sample >= own.back()) return -1;
                        return std::upper_bound(own.begin(), own.end(), static_cast<double>(sample)) - own.begin() - 1;
                    });
                const core::Buffer out = upload(std::vector<int64_t>(counts.size(), 77));
                built(stream, upload(samples), upload(all_levels), out, bins, count);
                EXPECT_EQ(download<int64_t>(out), counts);
            }
        }
    }
}

TEST_F(Channels, ReadAnyIterator) {
    const Iterator samples = Iterator::transform(Iterator::counting(int64_t{0}), "a % 3", Type::of<int64_t>());
    const MultiHistogramEven built(samples, 3, 3, Type::of<int64_t>(), Type::of<int64_t>());
    const core::Buffer out = memory_for<int64_t>(9);
    const std::vector<uint64_t> bins(3, 3);
    built(stream, samples, out, bins, std::vector<Value>(3, int64_t{0}), std::vector<Value>(3, int64_t{3}), 1000);
    EXPECT_THAT(download<int64_t>(out), testing::ElementsAre(1000, 0, 0, 0, 1000, 0, 0, 0, 1000));
}

TEST_F(Channels, RefuseWhatDoesNotGoTogether) {
    const Iterator bytes = Iterator::pointer(Type::of<uint8_t>());
    for (const auto& [channels, active] :
         std::vector<std::pair<int32_t, int32_t>>{{0, 0}, {5, 1}, {2, 3}, {3, 0}, {-1, -1}}) {
        EXPECT_THAT(refusal([&] { MultiHistogramEven(bytes, channels, active, Type::of<int>()); }),
                    HasSubstr("expected 1 to 4"));
        EXPECT_THAT(refusal([&] { MultiHistogramRange(bytes, channels, active, Type::of<int>()); }),
                    HasSubstr("expected 1 to 4"));
    }
    const MultiHistogramEven built(bytes, 3, 2, Type::of<int32_t>());
    const core::Buffer in = upload(std::vector<uint8_t>(30)), out = memory_for<uint32_t>(8);
    const std::vector<Value> lower(2, 0), upper(2, 10);
    const std::vector<uint64_t> four(2, 4);
    EXPECT_THAT(refusal([&] { built(stream, in, out, std::vector<uint64_t>{4}, lower, upper, 10); }),
                HasSubstr("1 given, and the algorithm was built for 2 channels"));
    EXPECT_THAT(refusal([&] { built(stream, in, out, four, std::vector<Value>(3, 0), upper, 10); }),
                HasSubstr("lower bounds"));
    EXPECT_THAT(refusal([&] { built(stream, in, out, four, lower, std::vector<Value>{10, 0}, 10); }),
                HasSubstr("the lower one is 0 and the upper one 0"));
    EXPECT_THAT(refusal([&] { built(stream, in, out, four, lower, upper, 11); }), HasSubstr("samples"));
    EXPECT_THAT(refusal([&] { built(stream, in, out, std::vector<uint64_t>{4, 5}, lower, upper, 10); }),
                HasSubstr("histogram"));
    EXPECT_THAT(refusal([&] { built(stream, in, out, four, lower, upper, UINT64_MAX / 2); }), HasSubstr("elements"));
    built(stream, in, out, four, lower, upper, 10);
    EXPECT_THAT(download<uint32_t>(out), testing::ElementsAre(10, 0, 0, 0, 10, 0, 0, 0));
}

}  // namespace
}  // namespace cuprum::parallel
