// The k smallest or largest keys on the host's cores against the standard library.
#include <algorithm>
#include <functional>

#include "host_fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Elements;
using test::host;
using test::host_sizes;
using test::refusal;
using testing::HasSubstr;

TEST(HostExecution, SelectsTheTopKeysWithTheirValues) {
    const Iterator positions = Iterator::counting(int32_t{0});
    const TopkPairs top(SortOrder::descending, Iterator::pointer(Type::of<int16_t>()), positions, host);
    const TopkKeys bottom(SortOrder::ascending, Iterator::pointer(Type::of<int16_t>()), host);
    for (const uint64_t count : host_sizes()) {
        for (const uint64_t k : {uint64_t{0}, std::min<uint64_t>(count, 1), count / 3, count}) {
            SCOPED_TRACE(std::to_string(k) + " of " + std::to_string(count));
            const Elements<int16_t> data(count);
            std::vector<int16_t> expected = data.values;
            std::sort(expected.begin(), expected.end());
            std::vector<int16_t> keys(k);
            std::vector<int32_t> values(k);
            bottom({}, data.span(), keys, k, count);
            std::sort(keys.begin(), keys.end());
            EXPECT_TRUE(std::equal(keys.begin(), keys.end(), expected.begin()));
            top({}, data.span(), positions, keys, values, k, count);
            for (size_t i = 0; i < k; ++i)
                ASSERT_EQ(data.values[static_cast<size_t>(values[i])], keys[i]);
            std::sort(keys.begin(), keys.end(), std::greater<>());
            EXPECT_TRUE(std::equal(keys.begin(), keys.end(), expected.rbegin()));
        }
    }
}

TEST(HostExecution, RefusesTopKeysThatDoNotFit) {
    const Iterator numbers = Iterator::pointer(Type::of<int32_t>());
    const TopkKeys top(SortOrder::ascending, numbers, host);
    std::vector<int32_t> data(8, 1);
    std::vector<int32_t> out(4);
    EXPECT_THAT(refusal<InvalidArgument>([&] { top({}, data, out, 9, 8); }), HasSubstr("k = 9"));
    EXPECT_THAT(refusal<InvalidArgument>([&] { top({}, data, out, 5, 8); }), HasSubstr("5"));
    EXPECT_THAT(refusal<InvalidArgument>([&] { top({}, data, data, 8, 8); }), HasSubstr("overlap"));
}

}  // namespace
}  // namespace cuprum::parallel
