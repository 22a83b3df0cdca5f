#include <algorithm>
#include <numeric>

#include "cuprum/core/error.hpp"
#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Parallel;
using test::Point;
using test::random_elements;
using test::sizes;

class Merge : public Parallel {};

TEST_F(Merge, SortsKeysByTheCallersComparisonInPlace) {
    const MergeSort built("(a & 0xff) < (b & 0xff)", Type::of<uint32_t>());
    for (const uint64_t count : sizes()) {
        const std::vector<uint32_t> keys = random_elements<uint32_t>(count);
        std::vector<uint32_t> expected = keys;
        std::stable_sort(expected.begin(), expected.end(),
                         [](uint32_t a, uint32_t b) { return (a & 0xff) < (b & 0xff); });
        const core::Buffer memory = upload(keys);
        built(stream, memory, memory, count);
        EXPECT_EQ(download<uint32_t>(memory), expected) << count << " keys";
    }
}

TEST_F(Merge, SortsStructsAndMovesValuesStably) {
    const MergeSort built("a.x < b.x", Type::of<Point>(), Type::of<int64_t>());
    for (const uint64_t count : sizes()) {
        const std::vector<Point> keys = random_elements<Point>(count);
        std::vector<int64_t> values(count);
        std::iota(values.begin(), values.end(), 0);
        std::vector<int64_t> expected = values;
        std::stable_sort(expected.begin(), expected.end(), [&](int64_t a, int64_t b) {
            return keys[static_cast<size_t>(a)].x < keys[static_cast<size_t>(b)].x;
        });
        const core::Buffer keys_in = upload(keys);
        const core::Buffer keys_out = memory_for<Point>(count);
        const core::Buffer values_out = memory_for<int64_t>(count);
        built(stream, keys_in, keys_out, upload(values), values_out, count);
        EXPECT_EQ(download<int64_t>(values_out), expected) << count << " pairs";
        EXPECT_EQ(download<Point>(keys_in), keys) << "the input was changed";
        const std::vector<Point> sorted = download<Point>(keys_out);
        for (size_t i = 0; i < count; ++i)
            ASSERT_EQ(sorted[i], keys[static_cast<size_t>(expected[i])]);
    }
}

TEST_F(Merge, SortsDescendingWithAWellKnownComparison) {
    const MergeSort built(OpKind::greater, Type::of<double>());
    std::vector<double> keys = random_elements<double>(20011);
    const core::Buffer output = memory_for<double>(keys.size());
    built(stream, upload(keys), output, keys.size());
    std::sort(keys.begin(), keys.end(), std::greater<>());
    EXPECT_EQ(download<double>(output), keys);
}

TEST_F(Merge, NamesTheComparisonThatDoesNotCompile) {
    try {
        const MergeSort built("a.x < b.z", Type::of<Point>());
        FAIL() << "it compiled";
    } catch (const CompileError& error) {
        EXPECT_THAT(error.log(), testing::HasSubstr("compare(1)"));
        EXPECT_THAT(error.log(), testing::HasSubstr("\"z\""));
    }
}

}  // namespace
}  // namespace cuprum::parallel
