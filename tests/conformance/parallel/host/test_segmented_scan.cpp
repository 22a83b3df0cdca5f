// Scans of segments on the host's cores against plain loops.
#include "host_fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Elements;
using test::host;
using test::refusal;
using testing::HasSubstr;

void expect_segments(uint64_t length, uint64_t segments) {
    SCOPED_TRACE(std::to_string(segments) + " of " + std::to_string(length));
    const uint64_t count = length * segments;
    const Iterator numbers = Iterator::pointer(Type::of<int16_t>());
    const SegmentedScan inclusive(ScanKind::inclusive, numbers, OpKind::plus, Type::of<int64_t>(), Type::of<int32_t>(),
                                  host);
    const SegmentedScan exclusive(ScanKind::exclusive, numbers, OpKind::maximum, Type::of<int16_t>(),
                                  Type::of<int64_t>(), host);
    Elements<int16_t> data(count);
    std::vector<int32_t> bounds(segments + 1);
    std::vector<int64_t> wide_bounds(segments + 1);
    for (uint64_t i = 0; i <= segments; ++i) {
        bounds[i] = static_cast<int32_t>(i * length);
        wide_bounds[i] = bounds[i];
    }
    std::vector<int64_t> sums(count);
    std::vector<int16_t> largest(count);
    for (size_t i = 0; i < count; ++i) {
        const bool is_first = i % length == 0;
        sums[i] = (is_first ? 0 : sums[i - 1]) + data.values[i];
        largest[i] = is_first ? int16_t{-5000} : std::max(largest[i - 1], data.values[i - 1]);
    }
    std::vector<int64_t> out(count, 9);
    inclusive({}, data.span(), out, count, segments, bounds, std::span(bounds).subspan(1));
    EXPECT_EQ(out, sums);
    // In place.
    exclusive({}, data.span(), data.span(), count, segments, wide_bounds, std::span(wide_bounds).subspan(1),
              int16_t{-5000});
    EXPECT_EQ(data.values, largest);
}

TEST(HostExecution, ScansEachSegment) {
    expect_segments(1, 0);
    expect_segments(1, 1);
    expect_segments(150001, 1);
    expect_segments(40000, 3);
    expect_segments(3, 20000);
    expect_segments(1500, 100);
}

TEST(HostExecution, LeavesWhatIsInNoSegmentAsItIs) {
    const SegmentedScan scan(ScanKind::inclusive, Iterator::pointer(Type::of<int32_t>()), OpKind::plus,
                             Type::of<int32_t>(), Type::of<int32_t>(), host);
    std::vector<int32_t> data{1, 2, 3, 4, 5, 6};
    std::vector<int32_t> out(6, -1);
    const std::vector<int32_t> begins{4, 0, 3};
    const std::vector<int32_t> ends{6, 2, 3};
    scan({}, data, out, 6, 3, begins, ends);
    EXPECT_EQ(out, (std::vector<int32_t>{1, 3, -1, -1, 5, 11}));
    EXPECT_THAT(refusal<InvalidArgument>([&] { scan({}, data, out, 7, 3, begins, ends); }), HasSubstr("7"));
    EXPECT_THAT(refusal<InvalidArgument>([&] { scan({}, data, out, 6, 3, out, ends); }), HasSubstr("overlap"));
    EXPECT_THAT(refusal<InvalidArgument>([&] { scan({}, data, out, 6, 3, begins, ends, int32_t{0}); }),
                HasSubstr("built without one"));
    EXPECT_THAT(refusal<Unsupported>([&] {
                    SegmentedScan(ScanKind::inclusive, Iterator::pointer(Type::of<int32_t>()), OpKind::minus,
                                  Type::of<int32_t>(), Type::of<int32_t>(), host);
                }),
                HasSubstr("cannot be combined"));
}

}  // namespace
}  // namespace cuprum::parallel
