// The calls over host memory that read some arrays and write others, against the standard library.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <tuple>
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

TEST_F(OverArrays, SelectsAndPartitionsByFlags) {
    with_each([&](const Execution& execution, uint64_t count) {
        const std::vector<int32_t> data = random(count), flags = random(count, -1, 1);
        std::vector<uint8_t> narrow(count);
        std::transform(flags.begin(), flags.end(), narrow.begin(),
                       [](int32_t flag) { return static_cast<uint8_t>(flag != 0 ? 4 : 0); });
        std::vector<int32_t> kept, rest;
        for (uint64_t i = 0; i < count; ++i)
            (flags[i] != 0 ? kept : rest).push_back(data[i]);
        std::vector<int32_t> selected(count, -7), in_place = data, parts = data;
        EXPECT_EQ(parallel::select_flagged(data, flags, selected, execution), kept.size());
        EXPECT_EQ(parallel::select_flagged(in_place, narrow, in_place, execution), kept.size());
        EXPECT_TRUE(std::equal(kept.begin(), kept.end(), selected.begin()));
        EXPECT_TRUE(std::equal(kept.begin(), kept.end(), in_place.begin()));
        EXPECT_EQ(std::count(selected.begin() + static_cast<ptrdiff_t>(kept.size()), selected.end(), -7),
                  static_cast<ptrdiff_t>(rest.size()))
            << "what follows is the caller's";
        EXPECT_EQ(parallel::partition_flagged(parts, flags, execution), kept.size());
        kept.insert(kept.end(), rest.rbegin(), rest.rend());
        EXPECT_EQ(parts, kept);
        std::vector<int32_t> one_more(count + 1);
        EXPECT_THROW(parallel::select_flagged(data, one_more, selected, execution), InvalidArgument);
        EXPECT_THROW(parallel::select_flagged(data, flags, one_more, execution), InvalidArgument);
        EXPECT_THROW(parallel::partition_flagged(parts, one_more, execution), InvalidArgument);
    });
}

TEST_F(OverArrays, PartitionsInThree) {
    with_each([&](const Execution& execution, uint64_t count) {
        const std::vector<int32_t> data = random(count, -1, 1);
        std::vector<int32_t> parts = data;
        const auto zeros = static_cast<uint64_t>(std::count(data.begin(), data.end(), 0));
        std::vector<int32_t> expected(zeros, 0);
        std::copy_if(data.begin(), data.end(), std::back_inserter(expected), [](int32_t each) { return each != 0; });
        // All others are in the second part.
        EXPECT_EQ(parallel::three_way_partition(parts, "logical_not", "identity", execution),
                  std::pair(zeros, count - zeros));
        EXPECT_EQ(parts, expected);
        // None are in the second part.
        parts = data;
        EXPECT_EQ(parallel::three_way_partition(parts, "logical_not", "logical_not", execution),
                  std::pair(zeros, uint64_t{0}));
        EXPECT_EQ(parts, expected);
    });
    std::vector<int32_t> parts = random(20011);
    std::vector<int32_t> expected = parts;
    const auto second = std::stable_partition(expected.begin(), expected.end(), [](int32_t a) { return a < -300; });
    const auto rest = std::stable_partition(second, expected.end(), [](int32_t a) { return a % 2 == 0; });
    const Operator is_below("a < offset", test::Scale{0, -300}), is_multiple("a % (int)factor == 0", test::Scale{2, 0});
    EXPECT_EQ(parallel::three_way_partition(parts, is_below, is_multiple),
              std::pair(static_cast<uint64_t>(second - expected.begin()), static_cast<uint64_t>(rest - second)));
    EXPECT_EQ(parts, expected);
}

TEST_F(OverArrays, FindsRunsOfTwoAndMore) {
    with_each([&](const Execution& execution, uint64_t count) {
        const std::vector<int32_t> data = random(count, 0, 2);
        std::vector<int64_t> offsets(count, -7), lengths(count, -7), found_offsets = offsets, found_lengths = lengths;
        uint64_t runs = 0;
        for (uint64_t begin = 0; begin < count;) {
            uint64_t end = begin + 1;
            while (end < count && data[end] == data[begin])
                ++end;
            if (end > begin + 1) {
                offsets[runs] = static_cast<int64_t>(begin);
                lengths[runs++] = static_cast<int64_t>(end - begin);
            }
            begin = end;
        }
        EXPECT_EQ(parallel::non_trivial_runs(data, found_offsets, found_lengths, OpKind::equal_to, execution), runs);
        EXPECT_EQ(found_offsets, offsets) << "what follows the last run is the caller's";
        EXPECT_EQ(found_lengths, lengths);
        std::vector<int64_t> one_more(count + 1);
        EXPECT_THROW(parallel::non_trivial_runs(data, found_offsets, one_more, OpKind::equal_to, execution),
                     InvalidArgument);
    });
    std::vector<uint32_t> offsets(6), lengths(6);
    EXPECT_EQ(parallel::non_trivial_runs(std::vector{11, 15, 29, 30, 31, 37}, offsets, lengths, "a / 10 == b / 10"),
              2U);
    EXPECT_EQ(std::vector(offsets.begin(), offsets.begin() + 2), (std::vector<uint32_t>{0, 3}));
    EXPECT_EQ(std::vector(lengths.begin(), lengths.begin() + 2), (std::vector<uint32_t>{2, 3}));
}

TEST_F(OverArrays, CountsTheSamplesOfSeveralChannels) {
    constexpr int32_t channels = 3;
    const std::vector<uint64_t> bins{37, 3};
    const std::vector<int32_t> lower{-740, -900}, upper{740, 900};
    std::vector<int32_t> levels(38);
    for (int32_t i = 0; i < 38; ++i)
        levels[static_cast<size_t>(i)] = -740 + 40 * i;
    levels.insert(levels.end(), {-900, -300, 300, 900});
    with_each([&](const Execution& execution, uint64_t count) {
        const std::vector<int32_t> samples = random(count * channels);
        std::vector<int64_t> expected(40, 0), even(40, -1), ranges(40, -1);
        for (uint64_t i = 0; i < count; ++i) {
            const int32_t first = samples[i * channels], second = samples[i * channels + 1];
            if (first >= -740 && first < 740) ++expected[static_cast<size_t>(first + 740) / 40];
            if (second >= -900 && second < 900) ++expected[37 + static_cast<size_t>(second + 900) / 600];
        }
        parallel::multi_histogram_even(samples, channels, even, bins, lower, upper, execution);
        parallel::multi_histogram_range(samples, channels, ranges, bins, levels, execution);
        EXPECT_EQ(even, expected);
        EXPECT_EQ(ranges, expected);
    });
    std::vector<int32_t> histogram(40), too_few(39);
    const std::vector<float> floats(2);
    const std::vector<int32_t> pixels = random(6), not_pixels = random(7);
    for (const Execution& execution : executions) {
        const auto count_even = [&](const auto& samples, int32_t of, auto& into, const auto& bounds) {
            parallel::multi_histogram_even(samples, of, into, bins, bounds, upper, execution);
        };
        EXPECT_THROW(count_even(not_pixels, channels, histogram, lower), InvalidArgument);
        EXPECT_THROW(count_even(pixels, channels, too_few, lower), InvalidArgument);
        EXPECT_THROW(count_even(pixels, 0, histogram, lower), InvalidArgument);
        EXPECT_THROW(count_even(pixels, 1, histogram, lower), InvalidArgument) << "two are counted";
        EXPECT_THROW(count_even(pixels, channels, histogram, std::vector{0}), InvalidArgument);
        EXPECT_THROW(multi_histogram_even(host_input(pixels), channels, bins, host_input(floats), host_input(upper),
                                          host_output(histogram), execution),
                     InvalidArgument);
        const auto count_ranges = [&](const auto& samples, auto& into, const auto& bounds) {
            parallel::multi_histogram_range(samples, channels, into, bins, bounds, execution);
        };
        EXPECT_THROW(count_ranges(not_pixels, histogram, levels), InvalidArgument);
        EXPECT_THROW(count_ranges(pixels, too_few, levels), InvalidArgument);
        EXPECT_THROW(count_ranges(pixels, histogram, std::vector(41, 0)), InvalidArgument);
        const std::array<uint64_t, 2> wrapping{UINT64_MAX, 41};
        EXPECT_THROW(parallel::multi_histogram_even(pixels, channels, histogram, wrapping, lower, upper, execution),
                     InvalidArgument);
    }
}

TEST_F(OverArrays, TransformsSeveralInputs) {
    for (const uint64_t count : counts) {
        const std::vector<int32_t> first = random(count), second = random(count);
        const std::vector<double> third = random<double>(count);
        std::vector<double> sums(count), expected(count);
        parallel::transform(std::tie(first, second, third), sums, "a * b + c");
        for (uint64_t i = 0; i < count; ++i)
            expected[i] = first[i] * second[i] + third[i];
        EXPECT_EQ(sums, expected);
    }
    const std::vector<int32_t> data{1, 2, 3}, others{10, 20, 30};
    const std::vector<int32_t> one{1};
    std::vector<int32_t> results(3), eight(3, -1);
    const std::vector<HostInput> inputs(8, host_input(data));
    transform(inputs, "a + b + c + d + e + f + g + h", host_output(eight));
    EXPECT_EQ(eight, (std::vector{8, 16, 24}));
    EXPECT_THROW(transform(std::span<const HostInput>(), "1", host_output(eight)), InvalidArgument);
    EXPECT_THROW(transform(std::vector(9, inputs[0]), "a + b", host_output(eight)), InvalidArgument);
    for (const Execution& execution : executions) {
        parallel::transform(std::tie(data, others), results, "a + b", execution);
        EXPECT_EQ(results, (std::vector{11, 22, 33}));
        EXPECT_THROW(parallel::transform(std::tie(data, one), results, "a + b", execution), InvalidArgument);
    }
    try {
        parallel::transform(std::tie(data, others, data), results, "a * b + c", Execution::host());
        FAIL() << "well-known operators have two operands";
    } catch (const Unsupported& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("transform two of them"));
    }
}

// On a device they are copies, and nothing would be wrong; but the same call is to run on the host's cores.
TEST_F(OverArrays, RefusesToWriteWhereItReads) {
    std::vector<int32_t> data = random(64), keys = random(32);
    std::vector<int64_t> wide(32);
    const std::span first(data.data(), 32), second(data.data() + 32, 32), between(data.data() + 16, 32);
    const std::vector<int32_t> begins{0}, ends{32};
    const std::vector<uint64_t> bins{16, 16};
    const std::vector<int32_t> lower{0, 0}, upper{32, 32};
    const std::vector<std::pair<const char*, std::function<void(const Execution&)>>> refused{
        {"scan", [&](const Execution& on) { parallel::inclusive_scan(first, between, OpKind::plus, on); }},
        {"transform", [&](const Execution& on) { parallel::transform(first, between, OpKind::negate, on); }},
        {"transform of two",
         [&](const Execution& on) { parallel::transform(first, second, between, OpKind::plus, on); }},
        {"select", [&](const Execution& on) { parallel::select(first, between, OpKind::identity, on); }},
        {"select by flags", [&](const Execution& on) { parallel::select_flagged(keys, first, first, on); }},
        {"partition by flags", [&](const Execution& on) { parallel::partition_flagged(first, between, on); }},
        {"runs", [&](const Execution& on) { parallel::non_trivial_runs(keys, first, between, OpKind::equal_to, on); }},
        {"runs of themselves",
         [&](const Execution& on) { parallel::non_trivial_runs(first, first, second, OpKind::equal_to, on); }},
        {"sort by key", [&](const Execution& on) { sort_by_key(first, between, SortOrder::ascending, on); }},
        {"reduce by key",
         [&](const Execution& on) { reduce_by_key(first, between, OpKind::plus, OpKind::equal_to, on); }},
        {"run-length encode", [&](const Execution& on) { run_length_encode(first, first, OpKind::equal_to, on); }},
        {"unique by key", [&](const Execution& on) { unique_by_key(first, between, OpKind::equal_to, on); }},
        {"top pairs",
         [&](const Execution& on) { parallel::topk_pairs(SortOrder::ascending, keys, keys, first, between, on); }},
        {"top keys", [&](const Execution& on) { parallel::topk_keys(SortOrder::ascending, first, first, on); }},
        {"merge", [&](const Execution& on) { parallel::merge_keys(first, keys, data, OpKind::less, on); }},
        {"differences",
         [&](const Execution& on) { parallel::adjacent_difference(Neighbour::left, first, first, OpKind::minus, on); }},
        {"search", [&](const Execution& on) { parallel::lower_bound(first, keys, between, OpKind::less, on); }},
        {"scan by key over the keys",
         [&](const Execution& on) {
             parallel::inclusive_scan_by_key(first, keys, first, OpKind::plus, OpKind::equal_to, on);
         }},
        {"histogram", [&](const Execution& on) { parallel::histogram_even(first, between, 0, 32, on); }},
        {"histogram of channels",
         [&](const Execution& on) { parallel::multi_histogram_even(first, 2, between, bins, lower, upper, on); }},
        {"segmented scan",
         [&](const Execution& on) {
             parallel::inclusive_segmented_scan(first, between, begins, ends, OpKind::plus, on);
         }},
    };
    for (const Execution& execution : executions) {
        for (const auto& [name, call] : refused) {
            SCOPED_TRACE(testing::Message() << name << (execution.is_host() ? " on the host's cores" : ""));
            const std::vector<int32_t> before = data;
            EXPECT_THROW(call(execution), InvalidArgument);
            EXPECT_EQ(data, before);
        }
        // Of no elements nothing overlaps.
        const std::span nothing(data.data() + 40, 0);
        parallel::histogram_even(nothing, second, 0, 32, execution);
        // The very memory that is read.
        const std::vector<int32_t> before = data;
        parallel::inclusive_scan(first, first, OpKind::plus, execution);
        EXPECT_EQ(first[1], before[0] + before[1]);
        parallel::transform(first, second, second, OpKind::plus, execution);
        EXPECT_EQ(second[0], before[0] + before[32]);
        parallel::inclusive_scan_by_key(keys, first, first, OpKind::plus, OpKind::equal_to, execution);
        std::iota(keys.begin(), keys.end(), 0);
        std::iota(second.begin(), second.end(), 4);
        parallel::lower_bound(keys, second, second, OpKind::less, execution);
        EXPECT_EQ(second[0], 4);
        parallel::inclusive_segmented_scan(keys, keys, begins, ends, OpKind::plus, execution);
        EXPECT_EQ(keys[2], 3);
    }
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
