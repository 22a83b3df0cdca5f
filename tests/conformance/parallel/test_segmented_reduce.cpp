#include <numeric>

#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Parallel;
using test::random_elements;

class Segments : public Parallel {};

TEST_F(Segments, AreReducedEachByItself) {
    const SegmentedReduce built(Iterator::pointer(Type::of<int32_t>()), OpKind::plus, Type::of<int64_t>());
    const std::vector<int32_t> elements = random_elements<int32_t>(50000);
    // Empty ones, one of one element, one of many tiles, and one that overlaps others.
    const std::vector<int64_t> begins{0, 0, 1, 1, 300, 20000, 10};
    const std::vector<int64_t> ends{0, 1, 300, 1, 20000, 50000, 49999};
    const core::Buffer output = memory_for<int64_t>(begins.size());
    built(stream, upload(elements), output, begins.size(), upload(begins), upload(ends), int64_t{5});
    const std::vector<int64_t> result = download<int64_t>(output);
    for (size_t i = 0; i < begins.size(); ++i) {
        EXPECT_EQ(result[i], std::accumulate(elements.begin() + begins[i], elements.begin() + ends[i], int64_t{5}))
            << "segment " << i;
    }
}

TEST_F(Segments, MayShareOneListOfOffsets) {
    const SegmentedReduce built(Iterator::pointer(Type::of<float>()), "a > b ? a : b", Type::of<float>(),
                                Type::of<int32_t>());
    const std::vector<float> elements = random_elements<float>(3000);
    std::vector<int32_t> offsets(301);
    for (size_t i = 0; i < offsets.size(); ++i)
        offsets[i] = static_cast<int32_t>(i) * 10;
    const core::Buffer on_device = upload(offsets);
    const core::Buffer output = memory_for<float>(300);
    built(stream, upload(elements), output, 300, on_device, on_device.slice(4, 300 * 4), -1e9F);
    const std::vector<float> result = download<float>(output);
    for (size_t i = 0; i < 300; ++i)
        ASSERT_EQ(result[i], *std::max_element(elements.begin() + offsets[i], elements.begin() + offsets[i + 1]));
}

// From 16 segments a multiprocessor on a warp has one, and up to 32 where there are so many; of small ones each lane,
// or eight lanes, has one, and those of more than 8,192 elements are left to the block.
class ManySegments : public Parallel {
protected:
    // `sizes`: of the segments, again and again.
    template <class T, class Offset>
    void expect_sums(uint64_t segments, const std::vector<uint64_t>& sizes) {
        std::vector<Offset> offsets{0};
        for (uint64_t i = 0; i < segments; ++i)
            offsets.push_back(static_cast<Offset>(offsets.back() + static_cast<Offset>(sizes[i % sizes.size()])));
        const std::vector<T> elements = random_elements<T>(static_cast<uint64_t>(std::max<Offset>(offsets.back(), 1)));
        const SegmentedReduce built(Iterator::pointer(Type::of<T>()), OpKind::plus, Type::of<int64_t>(),
                                    Type::of<Offset>());
        const core::Buffer on_device = upload(offsets), output = memory_for<int64_t>(segments);
        output.fill(0xff, 1, stream);
        built(stream, upload(elements), output, segments, on_device,
              on_device.slice(sizeof(Offset), segments * sizeof(Offset)), int64_t{7});
        std::vector<int64_t> expected(segments);
        for (uint64_t i = 0; i < segments; ++i)
            expected[i] = std::accumulate(elements.begin() + offsets[i], elements.begin() + offsets[i + 1], int64_t{7});
        EXPECT_EQ(download<int64_t>(output), expected) << segments << " segments";
    }
    uint64_t multiprocessors() const { return static_cast<uint64_t>(device.properties().multiprocessor_count); }
};

TEST_F(ManySegments, OfFewElementsAreReducedByALaneEach) {
    for (const uint64_t each : {uint64_t{16}, uint64_t{64}, uint64_t{1100}})
        expect_sums<int32_t, int32_t>(each * multiprocessors() + 3, {0, 1, 5, 16, 0, 15});
}

TEST_F(ManySegments, OfSomeElementsAreReducedByEightLanesEach) {
    for (const uint64_t each : {uint64_t{16}, uint64_t{100}})
        expect_sums<int16_t, int64_t>(each * multiprocessors() + 5, {17, 0, 128, 1, 3, 100, 8, 9, 127});
}

TEST_F(ManySegments, OfAnySizeAreReducedByAWarpOrByTheBlock) {
    std::vector<uint64_t> sizes(97, 40);
    sizes[3] = 8192;
    sizes[4] = 8193;
    sizes[5] = 20011;
    sizes[40] = 1023;
    sizes[41] = 0;
    for (const uint64_t each : {uint64_t{15}, uint64_t{16}, uint64_t{70}})
        expect_sums<int8_t, int32_t>(each * multiprocessors() + 1, sizes);
}

TEST_F(ManySegments, AreReducedThroughIteratorsAndOverStructures) {
    struct Extent {
        double low, high;
        int64_t count;
        bool operator==(const Extent&) const = default;
    };
    const Type extent = Type::structure_of<Extent>("Extent", field("low", &Extent::low), field("high", &Extent::high),
                                                   field("count", &Extent::count));
    const uint64_t segments = 40 * multiprocessors(), size = 21;
    std::vector<Extent> elements(segments * size);
    std::vector<int64_t> offsets(segments + 1);
    for (uint64_t i = 0; i < elements.size(); ++i) {
        const auto x = static_cast<double>(i * 2654435761U % 10007);
        elements[i] = {x, x, 1};
    }
    for (uint64_t i = 0; i <= segments; ++i)
        offsets[i] = static_cast<int64_t>(i * size);
    const SegmentedReduce built(Iterator::pointer(extent),
                                "Extent{a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high, "
                                "a.count + b.count}",
                                extent);
    const core::Buffer on_device = upload(offsets), output = memory_for<Extent>(segments);
    const Extent none{1e9, -1e9, 0};
    built(stream, upload(elements), output, segments, on_device, on_device.slice(8, segments * 8),
          Value(extent, &none));
    const std::vector<Extent> result = download<Extent>(output);
    for (uint64_t i = 0; i < segments; ++i) {
        const auto [low, high] = std::minmax_element(elements.begin() + offsets[i], elements.begin() + offsets[i + 1],
                                                     [](const Extent& a, const Extent& b) { return a.low < b.low; });
        ASSERT_EQ(result[i], (Extent{low->low, high->low, static_cast<int64_t>(size)})) << "segment " << i;
    }
    const SegmentedReduce squares(Iterator::transform(Iterator::counting(int32_t{0}), "a % 7", Type::of<int32_t>()),
                                  OpKind::plus, Type::of<int64_t>());
    const core::Buffer sums = memory_for<int64_t>(segments);
    squares(stream, Iterator::transform(Iterator::counting(int32_t{0}), "a % 7", Type::of<int32_t>()), sums, segments,
            on_device, on_device.slice(8, segments * 8), int64_t{0});
    EXPECT_EQ(download<int64_t>(sums), std::vector<int64_t>(segments, 3 * 21)) << "three times 0 to 6";
}

TEST_F(Segments, NeedOffsetsOfAKnownType) {
    EXPECT_THROW(
        SegmentedReduce(Iterator::pointer(Type::of<float>()), OpKind::plus, Type::of<float>(), Type::of<float>()),
        InvalidArgument);
}

}  // namespace
}  // namespace cuprum::parallel
