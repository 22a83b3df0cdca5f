// Each segment of the keys sorted on the host's cores, against the standard library.
#include <algorithm>
#include <numeric>

#include "host_fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::host;
using test::random_elements;
using test::refusal;
using testing::ElementsAre;
using testing::HasSubstr;

template <class Key, class Offset>
void expect_sorted_segments(SortOrder order) {
    std::vector<Offset> offsets{0};
    for (int i = 0; i < 300; ++i)
        offsets.push_back(offsets.back() + static_cast<Offset>(i % 7 == 0 ? 0 : i % 61));
    for (const int length : {20000, 0, 40001, 5})
        offsets.push_back(offsets.back() + static_cast<Offset>(length));
    const auto count = static_cast<uint64_t>(offsets.back());
    const uint64_t segments = offsets.size() - 1;
    std::vector<Key> keys = random_elements<Key>(count);
    std::vector<int64_t> values(count);
    std::iota(values.begin(), values.end(), int64_t{0});
    std::vector<int64_t> expected = values;
    for (uint64_t i = 0; i < segments; ++i) {
        std::stable_sort(expected.begin() + offsets[i], expected.begin() + offsets[i + 1], [&](int64_t a, int64_t b) {
            const auto left = static_cast<size_t>(a);
            const auto right = static_cast<size_t>(b);
            return order == SortOrder::ascending ? keys[left] < keys[right] : keys[right] < keys[left];
        });
    }
    const SegmentedSort sort(order, Type::of<Key>(), Type::of<int64_t>(), Type::of<Offset>(), host);
    EXPECT_EQ(sort.temp_storage_bytes(count), 0U);
    std::vector<Key> keys_out(count);
    std::vector<int64_t> values_out(count);
    const std::span<const Offset> all(offsets);
    sort({}, keys, keys_out, values, values_out, count, segments, all.data(), all.data() + 1);
    EXPECT_EQ(values_out, expected);
    sort({}, keys, keys, values, values, count, segments, all.data(), all.data() + 1);
    EXPECT_EQ(values, expected) << "in place";
    EXPECT_EQ(keys, keys_out);
}

TEST(HostExecution, SortsEachSegmentWithItsValues) {
    expect_sorted_segments<int32_t, int64_t>(SortOrder::ascending);
    expect_sorted_segments<uint8_t, int32_t>(SortOrder::descending);
    expect_sorted_segments<double, int32_t>(SortOrder::ascending);
}

TEST(HostExecution, SortsSegmentsOfKeysAloneAndChecksTheMemory) {
    const SegmentedSort sort(SortOrder::ascending, Type::of<int16_t>(), std::nullopt, Type::of<int32_t>(), host);
    const std::vector<int16_t> keys{5, 4, 3, 2, 1, 0};
    std::vector<int16_t> sorted(6, 9);
    const std::vector<int32_t> begins{4, 0, 3};
    const std::vector<int32_t> ends{6, 2, 3};
    sort({}, keys, sorted, 6, 3, begins, ends);
    EXPECT_THAT(sorted, ElementsAre(4, 5, 9, 9, 0, 1));
    EXPECT_THAT(refusal<InvalidArgument>([&] { sort({}, keys, sorted, 6, 4, begins, ends); }), HasSubstr("starts"));
    EXPECT_THAT(refusal<InvalidArgument>([&] { sort({}, keys, sorted, 7, 3, begins, ends); }), HasSubstr("keys"));
}

}  // namespace
}  // namespace cuprum::parallel
