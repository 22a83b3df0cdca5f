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

TEST_F(Segments, NeedOffsetsOfAKnownType) {
    EXPECT_THROW(
        SegmentedReduce(Iterator::pointer(Type::of<float>()), OpKind::plus, Type::of<float>(), Type::of<float>()),
        InvalidArgument);
}

}  // namespace
}  // namespace cuprum::parallel
