// Each segment scanned, against plain loops.
#include "cuprum/pathfinder/error.hpp"
#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using testing::ElementsAre;

class ScannedSegments : public test::Parallel {
protected:
    // One after another, of lengths on each side of a tile.
    template <class Offset>
    static std::vector<Offset> bounds() {
        std::vector<Offset> result{0};
        for (const int length : {0, 1, 2, 31, 128, 129, 1023, 1024, 1025, 1535, 1536, 1537, 0, 9000, 3})
            result.push_back(static_cast<Offset>(result.back() + length));
        for (int i = 0; i < 100; ++i)
            result.push_back(static_cast<Offset>(result.back() + i % 23));
        return result;
    }

    template <class T, class Sum, class Offset>
    void expect_sums(ScanKind kind, const Operator& op, Sum init, const BuildOptions& options = {}) {
        const std::vector<Offset> offsets = bounds<Offset>();
        const auto count = static_cast<uint64_t>(offsets.back());
        const std::vector<T> data = test::random_elements<T>(count);
        std::vector<Sum> expected(count);
        for (size_t segment = 0; segment + 1 < offsets.size(); ++segment) {
            Sum sum = kind == ScanKind::inclusive ? Sum{} : init;
            for (auto i = static_cast<size_t>(offsets[segment]); i < static_cast<size_t>(offsets[segment + 1]); ++i) {
                const Sum before = sum;
                sum = static_cast<Sum>(sum + static_cast<Sum>(data[i]));
                expected[i] = kind == ScanKind::exclusive ? before : sum;
            }
        }
        const SegmentedScan scan(kind, Iterator::pointer(Type::of<T>()), op, Type::of<Sum>(), Type::of<Offset>(), {},
                                 options);
        const core::Buffer in = upload(data);
        const core::Buffer out = memory_for<Sum>(count);
        const core::Buffer begins = upload(offsets);
        const core::DevicePointer ends = begins.handle() + sizeof(Offset);
        const uint64_t segments = offsets.size() - 1;
        if (kind == ScanKind::inclusive) {
            scan(stream, in, out, count, segments, begins, ends);
        } else {
            scan(stream, in, out, count, segments, begins, ends, init);
        }
        EXPECT_EQ(download<Sum>(out), expected);
    }
};

TEST_F(ScannedSegments, AreAddedUp) {
    for (const ScanKind kind : {ScanKind::exclusive, ScanKind::inclusive, ScanKind::inclusive_with_init}) {
        SCOPED_TRACE(static_cast<int>(kind));
        expect_sums<int32_t, int64_t, int64_t>(kind, OpKind::plus, 7);
        expect_sums<uint8_t, uint8_t, int32_t>(kind, "b + a", 3);
    }
    expect_sums<double, double, int32_t>(ScanKind::inclusive, OpKind::plus, 0, {.always_wide = true});
}

TEST_F(ScannedSegments, LeaveGapsWorkInPlaceAndTakeOperatorsWithAState) {
    const Operator op("Point{a.x, a.weight + offset > b.weight + offset ? a.weight : b.weight, a.tag}",
                      Value(test::Scale{0, 1}));
    const SegmentedScan largest(ScanKind::inclusive, Iterator::pointer(Type::of<test::Point>()), op,
                                Type::of<test::Point>(), Type::of<int32_t>());
    const std::vector<test::Point> points = test::random_elements<test::Point>(4097);
    const core::Buffer data = upload(points);
    const core::Buffer begins = upload(std::vector<int32_t>{3000, 0, 9});
    const core::Buffer ends = upload(std::vector<int32_t>{4097, 2000, 9});
    const Operator of_call = op.with_state(test::Scale{0, 1000});
    largest(stream, data, data, points.size(), 3, begins, ends, {.op = &of_call});
    const std::vector<test::Point> found = download<test::Point>(data);
    int32_t expected = 0;
    for (size_t i = 0; i < points.size(); ++i) {
        const bool is_first = i == 0 || i == 3000;
        expected = is_first || (i >= 2000 && i < 3000) ? points[i].weight : std::max(expected, points[i].weight);
        ASSERT_EQ(found[i].weight, expected) << i;
    }

    const Iterator counting = Iterator::counting(int64_t{1});
    const SegmentedScan of_numbers(ScanKind::exclusive, counting, OpKind::multiplies, Type::of<int64_t>(),
                                   Type::of<int32_t>());
    const core::Buffer out = upload(std::vector<int64_t>(6, -1));
    const core::Buffer starts = upload(std::vector<int32_t>{4, 0});
    const core::Buffer stops = upload(std::vector<int32_t>{6, 3});
    of_numbers(stream, counting, out, 6, 2, starts, stops, int64_t{10});
    EXPECT_THAT(download<int64_t>(out), ElementsAre(10, 10, 20, -1, 10, 50));
    of_numbers(stream, counting, out, 0, 0, starts, stops, int64_t{10});
}

TEST_F(ScannedSegments, RefuseWhatDoesNotFit) {
    const Iterator numbers = Iterator::pointer(Type::of<int32_t>());
    const SegmentedScan scan(ScanKind::exclusive, numbers, OpKind::plus, Type::of<int32_t>(), Type::of<int32_t>());
    const core::Buffer data = upload(std::vector<int32_t>(100, 1));
    const core::Buffer out = memory_for<int32_t>(100);
    const core::Buffer begins = upload(std::vector<int32_t>{0, 50});
    EXPECT_THROW(scan(stream, data, out, 100, 2, begins, begins), InvalidArgument);
    EXPECT_THROW(scan(stream, data, out, 100, 2, begins, begins, 0.5), InvalidArgument);
    EXPECT_THROW(scan(stream, data, data.slice(4, 396), 99, 2, begins, begins, int32_t{0}), InvalidArgument);
    EXPECT_THROW(scan(stream, data, out.slice(0, 396), 100, 2, begins, begins, int32_t{0}), InvalidArgument);
    EXPECT_THROW(scan(stream, data, out, 100, 3, begins, begins, int32_t{0}), InvalidArgument);
    EXPECT_THROW(scan(stream, data, out, 100, 2, out, begins, int32_t{0}), InvalidArgument);
    EXPECT_THROW(scan(stream, data, core::DevicePointer{0}, 100, 2, begins, begins, int32_t{0}), InvalidArgument);
    EXPECT_NO_THROW(scan(stream, data, data, 100, 2, begins, begins, int32_t{0}));
    stream.sync();
    const SegmentedScan inclusive(ScanKind::inclusive, numbers, OpKind::plus, Type::of<int32_t>(), Type::of<int32_t>());
    EXPECT_THROW(inclusive(stream, data, out, 100, 2, begins, begins, int32_t{0}), InvalidArgument);
    EXPECT_THROW(SegmentedScan(static_cast<ScanKind>(7), numbers, OpKind::plus, Type::of<int32_t>()), InvalidArgument);
    EXPECT_THROW(SegmentedScan(ScanKind::inclusive, numbers, OpKind::plus, Type::of<int32_t>(), Type::of<uint32_t>()),
                 InvalidArgument);
    std::string fields = "Large{";
    for (int i = 0; i < 33; ++i)
        fields += (i == 0 ? "f" : ",f") + std::to_string(i) + ":int64";
    const Type large = Type::parse(fields + "}");
    EXPECT_THROW(SegmentedScan(ScanKind::inclusive, Iterator::pointer(large), "a", large), Unsupported);
}

}  // namespace
}  // namespace cuprum::parallel
