// The calls over host memory that read some arrays and write others, against the standard library.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

// On the device and on the host's cores, whose operators are the well-known ones.
const std::array executions{Execution(), Execution::host()};
constexpr std::array<uint64_t, 4> counts{0, 1, 777, 20011};

class OverArrays : public test::Parallel {
protected:
    template <class T = int32_t>
    std::vector<T> random(uint64_t count, int32_t low = -1000, int32_t high = 1000) {
        std::uniform_int_distribution<int32_t> number(low, high);
        std::vector<T> data(count);
        for (T& each : data)
            each = static_cast<T>(number(engine_));
        return data;
    }
    // Begins and ends of segments of these many elements, with gaps and empty ones among them.
    template <class Offset>
    std::pair<std::vector<Offset>, std::vector<Offset>> segments(uint64_t count) {
        std::vector<Offset> begins, ends;
        std::uniform_int_distribution<uint64_t> length(0, 300), gap(0, 2);
        for (uint64_t at = 0; at < count;) {
            const uint64_t end = std::min(count, at + length(engine_));
            begins.push_back(static_cast<Offset>(at));
            ends.push_back(static_cast<Offset>(end));
            at = end + gap(engine_);
        }
        return {begins, ends};
    }
    // `check` with each execution and number of elements.
    static void with_each(const std::function<void(const Execution&, uint64_t)>& check) {
        for (const Execution& execution : executions) {
            for (const uint64_t count : counts) {
                SCOPED_TRACE(testing::Message() << count << (execution.is_host() ? " on the host's cores" : ""));
                check(execution, count);
            }
        }
    }

    std::mt19937 engine_{20261128};
};

TEST_F(OverArrays, CountsInBinsOfOneWidth) {
    with_each([&](const Execution& execution, uint64_t count) {
        const std::vector<int32_t> samples = random(count);
        std::vector<int64_t> counted(37, -1), expected(37, 0);
        parallel::histogram_even(samples, counted, -740, 740, execution);
        for (const int32_t each : samples)
            if (each >= -740 && each < 740) ++expected[static_cast<size_t>(each + 740) / 40];
        EXPECT_EQ(counted, expected);
    });
    std::vector<int32_t> none;
    for (const Execution& execution : executions) {
        EXPECT_THROW(parallel::histogram_even(random(3), none, 0, 1, execution), InvalidArgument);
        std::vector<int32_t> two(2);
        EXPECT_THROW(parallel::histogram_even(random(3), two, 5, 5, execution), InvalidArgument);
        std::vector<int16_t> narrow(2);
        EXPECT_THROW(parallel::histogram_even(random(3), narrow, 0, 5, execution), InvalidArgument);
        EXPECT_THROW(histogram_even(host_input(none), Value(0), Value(1.0F), host_output(two), execution),
                     InvalidArgument);
    }
}

TEST_F(OverArrays, CountsInRanges) {
    const std::vector<float> levels{-900, -1, 0, 3.5F, 800};
    with_each([&](const Execution& execution, uint64_t count) {
        const std::vector<float> samples = random<float>(count);
        std::vector<uint32_t> counted(4, 9), expected(4, 0);
        parallel::histogram_range(samples, levels, counted, execution);
        for (const float each : samples) {
            const auto bin = std::upper_bound(levels.begin(), levels.end(), each) - levels.begin() - 1;
            if (bin >= 0 && bin < 4) ++expected[static_cast<size_t>(bin)];
        }
        EXPECT_EQ(counted, expected);
    });
    std::vector<uint32_t> five(5);
    for (const Execution& execution : executions)
        EXPECT_THROW(parallel::histogram_range(random(3), levels, five, execution), InvalidArgument);
}

TEST_F(OverArrays, SelectsTheTopKeys) {
    with_each([&](const Execution& execution, uint64_t count) {
        const std::vector<int32_t> keys = random(count);
        std::vector<int32_t> sorted = keys;
        std::sort(sorted.begin(), sorted.end());
        for (const uint64_t k : {uint64_t{0}, std::min<uint64_t>(count, 1), count / 3, count}) {
            std::vector<int32_t> top(k);
            parallel::topk_keys(SortOrder::ascending, keys, top, execution);
            std::sort(top.begin(), top.end());
            EXPECT_TRUE(std::equal(top.begin(), top.end(), sorted.begin())) << k;
            parallel::topk_keys(SortOrder::descending, keys, top, execution);
            std::sort(top.begin(), top.end(), std::greater<>());
            EXPECT_TRUE(std::equal(top.begin(), top.end(), sorted.rbegin())) << k;
        }
        std::vector<int32_t> too_many(count + 1);
        EXPECT_THROW(parallel::topk_keys(SortOrder::ascending, keys, too_many, execution), InvalidArgument);
    });
    std::vector<float> floats(2);
    EXPECT_THROW(parallel::topk_keys(SortOrder::ascending, random(3), floats), InvalidArgument);
}

TEST_F(OverArrays, SelectsTheTopPairs) {
    with_each([&](const Execution& execution, uint64_t count) {
        const std::vector<int32_t> keys = random(count);
        std::vector<int64_t> places(count);
        std::iota(places.begin(), places.end(), 0);
        std::vector<int32_t> sorted = keys, top(count / 2);
        std::vector<int64_t> of_top(count / 2);
        std::sort(sorted.begin(), sorted.end());
        parallel::topk_pairs(SortOrder::ascending, keys, places, top, of_top, execution);
        for (size_t i = 0; i < top.size(); ++i)
            ASSERT_EQ(keys[static_cast<size_t>(of_top[i])], top[i]);
        std::sort(top.begin(), top.end());
        EXPECT_TRUE(std::equal(top.begin(), top.end(), sorted.begin()));
        std::sort(of_top.begin(), of_top.end());
        EXPECT_EQ(std::adjacent_find(of_top.begin(), of_top.end()), of_top.end()) << "each value comes once";
    });
    std::vector<int32_t> two(2), three(3);
    EXPECT_THROW(parallel::topk_pairs(SortOrder::ascending, three, two, two, two), InvalidArgument);
    EXPECT_THROW(parallel::topk_pairs(SortOrder::ascending, three, three, two, three), InvalidArgument);
}

TEST_F(OverArrays, FindsBothExtremes) {
    with_each([&](const Execution& execution, uint64_t count) {
        const std::vector<double> data = random<double>(count);
        if (count == 0) {
            EXPECT_THROW(parallel::min_max(data, execution), InvalidArgument);
            return;
        }
        const auto [smallest, largest] = parallel::min_max(data, execution);
        EXPECT_EQ(smallest, *std::min_element(data.begin(), data.end()));
        EXPECT_EQ(largest, *std::max_element(data.begin(), data.end()));
    });
    std::vector<double> with_nan{1, std::numeric_limits<double>::quiet_NaN(), 2};
    for (const Execution& execution : executions)
        EXPECT_TRUE(std::isnan(parallel::min_max(with_nan, execution)[1]));
}

TEST_F(OverArrays, ScansRunsOfEqualKeys) {
    with_each([&](const Execution& execution, uint64_t count) {
        const std::vector<int32_t> keys = random(count, 0, 2);
        const std::vector<int16_t> values = random<int16_t>(count);
        std::vector<int64_t> inclusive(count), exclusive(count), expected(count), before(count);
        for (uint64_t i = 0; i < count; ++i) {
            const bool begins = i == 0 || keys[i] != keys[i - 1];
            before[i] = begins ? 5 : before[i - 1] + values[i - 1];
            expected[i] = (begins ? 0 : expected[i - 1]) + values[i];
        }
        parallel::inclusive_scan_by_key(keys, values, inclusive, OpKind::plus, OpKind::equal_to, execution);
        parallel::exclusive_scan_by_key(keys, values, exclusive, 5, OpKind::plus, OpKind::equal_to, execution);
        EXPECT_EQ(inclusive, expected);
        EXPECT_EQ(exclusive, before);
        std::vector<int16_t> in_place = values;
        parallel::inclusive_scan_by_key(keys, in_place, in_place, OpKind::maximum, OpKind::equal_to, execution);
        for (uint64_t i = 0; i < count; ++i) {
            const bool begins = i == 0 || keys[i] != keys[i - 1];
            ASSERT_EQ(in_place[i], begins ? values[i] : std::max(in_place[i - 1], values[i])) << i;
        }
    });
    std::vector<int32_t> three(3), two(2);
    for (const Execution& execution : executions) {
        EXPECT_THROW(parallel::inclusive_scan_by_key(three, two, three, OpKind::plus, OpKind::equal_to, execution),
                     InvalidArgument);
        EXPECT_THROW(parallel::exclusive_scan_by_key(three, three, two, 0, OpKind::plus, OpKind::equal_to, execution),
                     InvalidArgument);
    }
}

TEST_F(OverArrays, TakesTheStatesOfBothOperators) {
    const std::vector<int32_t> keys{1, 9, 12, 57}, values{1, 2, 3, 4};
    for (const int32_t factor : {10, 100}) {
        std::vector<int32_t> sums(4);
        const Operator equal("(int)(a / factor) == (int)(b / factor)", test::Scale{static_cast<double>(factor), 0});
        const Operator sum("a + b + offset", test::Scale{0, factor});
        parallel::inclusive_scan_by_key(keys, values, sums, sum, equal);
        if (factor == 10) {
            EXPECT_THAT(sums, testing::ElementsAre(1, 13, 3, 4));
        } else {
            EXPECT_THAT(sums, testing::ElementsAre(1, 103, 206, 310));
        }
    }
}

TEST_F(OverArrays, MergesSortedSequences) {
    with_each([&](const Execution& execution, uint64_t count) {
        std::vector<int32_t> first = random(count, 0, 99), second = random(count / 2 + 1, 0, 99);
        std::sort(first.begin(), first.end());
        std::sort(second.begin(), second.end());
        std::vector<int32_t> merged(first.size() + second.size()), expected(merged.size());
        std::merge(first.begin(), first.end(), second.begin(), second.end(), expected.begin());
        parallel::merge_keys(first, second, merged, OpKind::less, execution);
        EXPECT_EQ(merged, expected);

        std::vector<int64_t> of_first(first.size()), of_second(second.size()), values(merged.size());
        std::iota(of_first.begin(), of_first.end(), 0);
        std::iota(of_second.begin(), of_second.end(), 1000000);
        std::fill(merged.begin(), merged.end(), -1);
        parallel::merge_pairs(first, of_first, second, of_second, merged, values, OpKind::less, execution);
        EXPECT_EQ(merged, expected);
        for (size_t i = 0; i < values.size(); ++i) {
            const int32_t key = values[i] < 1000000 ? first[static_cast<size_t>(values[i])]
                                                    : second[static_cast<size_t>(values[i] - 1000000)];
            ASSERT_EQ(key, merged[i]);
            if (i > 0 && merged[i] == merged[i - 1]) {
                ASSERT_LT(values[i - 1], values[i]) << "the first sequence's first";
            }
        }
        merged.pop_back();
        EXPECT_THROW(parallel::merge_keys(first, second, merged, OpKind::less, execution), InvalidArgument);
    });
    std::vector<int32_t> down{9, 4, 1}, other{8, 0}, merged(5);
    parallel::merge_keys(down, other, merged, "a > b");
    EXPECT_THAT(merged, testing::ElementsAre(9, 8, 4, 1, 0));
    EXPECT_THROW(parallel::merge_keys(down, std::vector{1.0F, 2.0F}, merged), InvalidArgument);
    EXPECT_THROW(parallel::merge_pairs(down, other, other, other, merged, merged), InvalidArgument);
}

TEST_F(OverArrays, TakesDifferencesOfNeighbours) {
    with_each([&](const Execution& execution, uint64_t count) {
        const std::vector<int32_t> data = random(count);
        std::vector<int32_t> left(count), right(count), expected(count);
        parallel::adjacent_difference(Neighbour::left, data, left, OpKind::minus, execution);
        parallel::adjacent_difference(Neighbour::right, data, right, OpKind::minus, execution);
        std::adjacent_difference(data.begin(), data.end(), expected.begin());
        EXPECT_EQ(left, expected);
        for (uint64_t i = 0; i < count; ++i)
            ASSERT_EQ(right[i], i + 1 < count ? data[i] - data[i + 1] : data[i]);
    });
    std::vector<int32_t> three(3), two(2);
    for (const Execution& execution : executions)
        EXPECT_THROW(parallel::adjacent_difference(Neighbour::left, three, two, OpKind::minus, execution),
                     InvalidArgument);
}

TEST_F(OverArrays, FindsBoundsAmongSortedElements) {
    with_each([&](const Execution& execution, uint64_t count) {
        std::vector<int32_t> data = random(count, 0, 400);
        std::sort(data.begin(), data.end());
        const std::vector<int32_t> values = random(count / 2 + 1, -10, 410);
        std::vector<int64_t> lower(values.size()), upper(values.size());
        parallel::lower_bound(data, values, lower, OpKind::less, execution);
        parallel::upper_bound(data, values, upper, OpKind::less, execution);
        for (size_t i = 0; i < values.size(); ++i) {
            ASSERT_EQ(lower[i], std::lower_bound(data.begin(), data.end(), values[i]) - data.begin());
            ASSERT_EQ(upper[i], std::upper_bound(data.begin(), data.end(), values[i]) - data.begin());
        }
    });
    std::vector<int32_t> three(3), two(2);
    std::vector<float> floats(3);
    for (const Execution& execution : executions) {
        EXPECT_THROW(parallel::lower_bound(three, three, two, OpKind::less, execution), InvalidArgument);
        EXPECT_THROW(parallel::lower_bound(three, floats, three, OpKind::less, execution), InvalidArgument);
        EXPECT_THROW(parallel::lower_bound(three, three, floats, OpKind::less, execution), InvalidArgument);
    }
}

TEST_F(OverArrays, ReducesScansAndSortsSegments) {
    with_each([&](const Execution& execution, uint64_t count) {
        const std::vector<int32_t> data = random(count);
        const auto [begins, ends] = segments<int32_t>(count);
        std::vector<int64_t> sums(begins.size()), expected_sums(begins.size());
        std::vector<int32_t> inclusive(count, 77), exclusive = inclusive, scanned = inclusive, before = inclusive;
        std::vector<int32_t> sorted = data, keys = data, expected_places(count);
        std::vector<int64_t> places(count);
        std::iota(places.begin(), places.end(), 0);
        for (size_t i = 0; i < begins.size(); ++i) {
            const auto begin = data.begin() + begins[i], end = data.begin() + ends[i];
            expected_sums[i] = std::accumulate(begin, end, int64_t{3});
            std::inclusive_scan(begin, end, scanned.begin() + begins[i]);
            std::exclusive_scan(begin, end, before.begin() + begins[i], 4);
            std::sort(sorted.begin() + begins[i], sorted.begin() + ends[i], std::greater<>());
        }
        parallel::segmented_reduce(data, sums, begins, ends, 3, OpKind::plus, execution);
        EXPECT_EQ(sums, expected_sums);
        parallel::inclusive_segmented_scan(data, inclusive, begins, ends, OpKind::plus, execution);
        EXPECT_EQ(inclusive, scanned) << "what is in no segment stays as it is";
        parallel::exclusive_segmented_scan(data, exclusive, begins, ends, 4, OpKind::plus, execution);
        EXPECT_EQ(exclusive, before);
        parallel::segmented_sort(SortOrder::descending, keys, begins, ends, execution);
        EXPECT_EQ(keys, sorted);
        keys = data;
        parallel::segmented_sort_by_key(SortOrder::descending, keys, places, begins, ends, execution);
        EXPECT_EQ(keys, sorted);
        for (uint64_t i = 0; i < count; ++i)
            ASSERT_EQ(data[static_cast<size_t>(places[i])], keys[i]);
    });
}

TEST_F(OverArrays, RefusesSegmentsThatAreNotWithinTheElements) {
    std::vector<int32_t> data = random(10);
    std::vector<int32_t> results(2), scanned(10);
    const std::vector<int64_t> begins{0, 5};
    const std::vector<std::vector<int64_t>> wrong{{5, 11}, {5, 4}, {5, -1}};
    for (const Execution& execution : executions) {
        for (const std::vector<int64_t>& ends : wrong) {
            EXPECT_THROW(parallel::segmented_reduce(data, results, begins, ends, 0, OpKind::plus, execution),
                         InvalidArgument);
            EXPECT_THROW(parallel::inclusive_segmented_scan(data, scanned, begins, ends, OpKind::plus, execution),
                         InvalidArgument);
            EXPECT_THROW(parallel::segmented_sort(SortOrder::ascending, data, begins, ends, execution),
                         InvalidArgument);
        }
        const std::vector<int64_t> negative{-1, 5}, good{5, 10}, one{5};
        EXPECT_THROW(parallel::segmented_reduce(data, results, negative, good, 0, OpKind::plus, execution),
                     InvalidArgument);
        EXPECT_THROW(parallel::segmented_reduce(data, results, begins, one, 0, OpKind::plus, execution),
                     InvalidArgument);
        EXPECT_THROW(parallel::segmented_reduce(data, scanned, begins, good, 0, OpKind::plus, execution),
                     InvalidArgument)
            << "there are two segments and ten results";
        const std::vector<int32_t> narrow{5, 10};
        EXPECT_THROW(parallel::segmented_reduce(data, results, begins, narrow, 0, OpKind::plus, execution),
                     InvalidArgument);
        const std::vector<uint64_t> unsigned_begins{0, 5}, unsigned_ends{5, 10};
        EXPECT_THROW(
            parallel::segmented_reduce(data, results, unsigned_begins, unsigned_ends, 0, OpKind::plus, execution),
            InvalidArgument);
        EXPECT_THROW(segmented_scan(ScanKind::inclusive, host_input(data), host_input(begins), host_input(good),
                                    Value(1), OpKind::plus, host_output(scanned), execution),
                     InvalidArgument);
        EXPECT_THROW(segmented_scan(ScanKind::exclusive, host_input(data), host_input(begins), host_input(good),
                                    std::nullopt, OpKind::plus, host_output(scanned), execution),
                     InvalidArgument);
    }
}

TEST_F(OverArrays, RefusesMemoryThatIsNotThere) {
    std::vector<int32_t> three(3);
    const Type type = Type::of<int32_t>();
    const HostInput none{type, nullptr, 3};
    const HostOutput nowhere{type, nullptr, 3};
    for (const Execution& execution : executions) {
        EXPECT_THROW(adjacent_difference(Neighbour::left, none, OpKind::minus, host_output(three), execution),
                     InvalidArgument);
        EXPECT_THROW(adjacent_difference(Neighbour::left, host_input(three), OpKind::minus, nowhere, execution),
                     InvalidArgument);
        EXPECT_THROW(binary_search(Bound::lower, host_input(three), none, OpKind::less, host_output(three), execution),
                     InvalidArgument);
    }
    EXPECT_THROW(parallel::adjacent_difference(Neighbour::left, three, three, OpKind::minus,
                                               Execution::ahead_of_time({"sm_90"})),
                 InvalidArgument);
}

}  // namespace
}  // namespace cuprum::parallel
