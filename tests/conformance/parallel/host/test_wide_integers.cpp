// Integers of 128 bits on the host's cores, against the compiler's own.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "host_fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::host;
using test::host_sizes;

template <class T>
std::vector<T> wide_numbers(uint64_t count) {
    std::mt19937_64 generator(count);
    std::vector<T> numbers(count);
    for (T& number : numbers) {
        const auto bits = (static_cast<uint128>(generator()) << 64) | generator();
        number = static_cast<T>(bits) >> (generator() % 4 * 31);
        if (generator() % 4 == 0) number = static_cast<T>((static_cast<uint128>(generator()) << 64) | 5);
    }
    return numbers;
}

TEST(HostExecution, ReducesAndScansIntegersOf128Bits) {
    const Type type = Type::of<int128>();
    const Iterator numbers = Iterator::pointer(type);
    const Reduce sum(numbers, OpKind::plus, type, host);
    const Reduce largest(numbers, OpKind::maximum, type, host);
    const Scan scan(ScanKind::exclusive, numbers, OpKind::plus, type, host);
    for (const uint64_t count : host_sizes()) {
        SCOPED_TRACE(count);
        const auto data = wide_numbers<int128>(count);
        std::vector<int128> out(1), sums(count), prefixes;
        uint128 expected = 7;
        for (const int128 number : data) {
            prefixes.push_back(static_cast<int128>(expected));
            expected += static_cast<uint128>(number);
        }
        sum({}, data, out, count, int128{7});
        EXPECT_TRUE(out[0] == static_cast<int128>(expected));
        scan({}, data, sums, count, int128{7});
        EXPECT_TRUE(sums == prefixes);
        if (count == 0) continue;
        largest({}, data, out, count);
        EXPECT_TRUE(out[0] == *std::max_element(data.begin(), data.end()));
    }
}

TEST(HostExecution, SortsIntegersOf128BitsStably) {
    const auto expect_sorted = []<class T>(T, SortOrder order) {
        for (const uint64_t count : host_sizes()) {
            SCOPED_TRACE(count);
            auto keys = wide_numbers<T>(count);
            std::vector<uint32_t> places(count), sorted(count);
            std::iota(places.begin(), places.end(), 0U);
            sorted = places;
            std::stable_sort(sorted.begin(), sorted.end(), [&](uint32_t a, uint32_t b) {
                return order == SortOrder::ascending ? keys[a] < keys[b] : keys[b] < keys[a];
            });
            std::vector<T> expected;
            for (const uint32_t place : sorted)
                expected.push_back(keys[place]);
            sort_by_key(keys, places, order, host);
            EXPECT_TRUE(keys == expected);
            EXPECT_EQ(places, sorted);
        }
    };
    expect_sorted(int128{}, SortOrder::ascending);
    expect_sorted(uint128{}, SortOrder::descending);
}

TEST(HostExecution, ConvertsAndComparesIntegersOf128Bits) {
    const std::vector<double> doubles{1e30, -1e30, 1e300, -1e300, std::nan(""), -0.75, 12.9};
    std::vector<int128> integers(doubles.size());
    parallel::transform(doubles, integers, OpKind::identity, host);
    const auto largest = static_cast<int128>(~uint128{0} >> 1);
    const std::vector<int128> expected{
        static_cast<int128>(1e30), static_cast<int128>(-1e30), largest, -largest - 1, 0, 0, 12};
    EXPECT_TRUE(integers == expected);
    std::vector<uint128> unsigned_ones(doubles.size());
    parallel::transform(doubles, unsigned_ones, OpKind::identity, host);
    EXPECT_TRUE(unsigned_ones[2] == ~uint128{0} && unsigned_ones[1] == 0);
    std::vector<float> back(integers.size());
    parallel::transform(integers, back, OpKind::identity, host);
    EXPECT_EQ(back[0], 1e30F);

    const auto data = wide_numbers<int128>(40000);
    std::vector<int128> extremes(2);
    MinMax(Iterator::pointer(Type::of<int128>()), host)({}, data, extremes, data.size());
    EXPECT_TRUE(extremes[0] == *std::min_element(data.begin(), data.end()));
    EXPECT_TRUE(extremes[1] == *std::max_element(data.begin(), data.end()));
    EXPECT_EQ(argmax(data, host), std::max_element(data.begin(), data.end()) - data.begin());

    std::vector<int128> quotients(3);
    const std::vector<int128> dividends{7, -largest - 1, 5}, divisors{2, -1, 0};
    parallel::transform(dividends, divisors, quotients, OpKind::divides, host);
    EXPECT_TRUE(quotients == (std::vector<int128>{3, -largest - 1, 0}));
}

}  // namespace
}  // namespace cuprum::parallel
