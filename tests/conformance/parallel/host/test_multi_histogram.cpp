// Histograms of several channels on the host's cores.
#include <array>

#include "host_fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::host;

TEST(HostExecution, MakesHistogramsOfSeveralChannels) {
    for (const uint64_t count : test::host_sizes()) {
        SCOPED_TRACE(count);
        const std::vector<uint8_t> samples = test::random_elements<uint8_t>(count * 4);
        const std::vector<uint64_t> bins{256, 10, 3};
        std::vector<uint32_t> expected(269), counts(269, 7);
        for (uint64_t pixel = 0; pixel < count; ++pixel) {
            ++expected[samples[pixel * 4]];
            if (samples[pixel * 4 + 1] < 100) ++expected[256 + samples[pixel * 4 + 1] / 10U];
            if (samples[pixel * 4 + 2] >= 50 && samples[pixel * 4 + 2] < 80)
                ++expected[266 + (samples[pixel * 4 + 2] - 50U) / 10];
        }
        const MultiHistogramEven even(Iterator::pointer(Type::of<uint8_t>()), 4, 3, Type::of<int32_t>(),
                                      Type::of<uint32_t>(), host);
        even({}, samples, counts, bins, std::vector<Value>{0, 0, 50}, std::vector<Value>{256, 100, 80}, count);
        EXPECT_EQ(counts, expected);

        std::vector<int32_t> levels;
        for (const auto& [first, last, step] :
             std::array<std::array<int32_t, 3>, 3>{{{0, 256, 1}, {0, 100, 10}, {50, 80, 10}}})
            for (int32_t level = first; level <= last; level += step)
                levels.push_back(level);
        std::fill(counts.begin(), counts.end(), 7);
        const MultiHistogramRange ranges(Iterator::pointer(Type::of<uint8_t>()), 4, 3, Type::of<int32_t>(),
                                         Type::of<uint32_t>(), host);
        ranges({}, samples, levels, counts, bins, count);
        EXPECT_EQ(counts, expected);
    }
}

}  // namespace
}  // namespace cuprum::parallel
