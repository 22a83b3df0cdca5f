// Histograms of ranges and batches of copies on the host's cores against plain loops.
#include <algorithm>

#include "host_fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Elements;
using test::host;
using test::host_sizes;
using test::refusal;
using testing::HasSubstr;

TEST(HostExecution, CountsWhatIsInEachRange) {
    const std::vector<double> levels{-20000, -500.5, 0, 0, 7, 20000};
    const HistogramRange histogram(Iterator::pointer(Type::of<int16_t>()), Type::of<double>(), Type::of<uint32_t>(),
                                   host);
    for (const uint64_t count : host_sizes()) {
        SCOPED_TRACE(count);
        const Elements<int16_t> data(count);
        std::vector<uint32_t> expected(5);
        for (const int16_t sample : data.values) {
            for (size_t bin = 0; bin < 5; ++bin)
                expected[bin] += sample >= levels[bin] && sample < levels[bin + 1] ? 1 : 0;
        }
        std::vector<uint32_t> out(5, 9);
        histogram({}, data.span(), levels, out, 5, count);
        EXPECT_EQ(out, expected);
    }
    std::vector<uint32_t> out(6);
    const std::vector<int16_t> one{1};
    EXPECT_THAT(refusal<InvalidArgument>([&] { histogram({}, one, levels, out, 6, 1); }), HasSubstr("levels"));
}

TEST(HostExecution, CopiesPiecesOfAllSizes) {
    std::vector<uint8_t> bytes = test::random_elements<uint8_t>(200000);
    std::vector<uint8_t> out(bytes.size());
    std::vector<uint64_t> sources;
    std::vector<uint64_t> targets;
    std::vector<int64_t> sizes;
    uint64_t at = 0;
    for (int64_t size = -1; at + 700 < bytes.size(); size = (size + 13) % 600) {
        sources.push_back(reinterpret_cast<uintptr_t>(bytes.data() + at));
        targets.push_back(reinterpret_cast<uintptr_t>(out.data() + at));
        sizes.push_back(size);
        at += static_cast<uint64_t>(std::max<int64_t>(size, 0));
    }
    const Iterator addresses = Iterator::pointer(Type::of<uint64_t>());
    const BatchedMemcpy copies(addresses, addresses, Iterator::pointer(Type::of<int64_t>()), host);
    copies({}, sources, targets, sizes, sizes.size());
    EXPECT_TRUE(std::equal(out.begin(), out.begin() + static_cast<int64_t>(at), bytes.begin()));
    EXPECT_TRUE(std::all_of(out.begin() + static_cast<int64_t>(at), out.end(), [](uint8_t byte) { return byte == 0; }));
}

}  // namespace
}  // namespace cuprum::parallel
