// Merges on the host's cores against the standard library.
#include <algorithm>
#include <functional>
#include <numeric>

#include "host_fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::host;
using test::host_sizes;
using test::refusal;
using testing::HasSubstr;

void expect_merged(uint64_t first_count, uint64_t second_count) {
    SCOPED_TRACE(std::to_string(first_count) + " and " + std::to_string(second_count));
    std::vector<int16_t> first = test::random_elements<int16_t>(first_count, 1);
    std::vector<int16_t> second = test::random_elements<int16_t>(second_count, 2);
    std::sort(first.begin(), first.end(), std::greater<>());
    std::sort(second.begin(), second.end(), std::greater<>());
    const uint64_t count = first_count + second_count;
    std::vector<int16_t> keys = first;
    keys.insert(keys.end(), second.begin(), second.end());
    std::vector<double> values(count);
    std::iota(values.begin(), values.end(), 0.0);
    std::vector<uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return keys[a] > keys[b]; });
    std::vector<int16_t> expected_keys;
    std::vector<double> expected;
    for (const uint32_t position : order) {
        expected_keys.push_back(keys[position]);
        expected.push_back(position);
    }

    const Iterator of_keys = Iterator::pointer(Type::of<int16_t>());
    const Iterator of_values = Iterator::pointer(Type::of<double>());
    const MergeKeys merge_keys(of_keys, of_keys, OpKind::greater, host);
    const MergePairs merge_pairs(of_keys, of_values, of_keys, of_values, OpKind::greater, host);
    std::vector<int16_t> keys_out(count);
    merge_keys({}, first, first_count, second, second_count, keys_out);
    EXPECT_EQ(keys_out, expected_keys);
    std::vector<int16_t> keys_of_pairs(count);
    std::vector<double> values_out(count);
    merge_pairs({}, first, values, first_count, second, std::span(values).subspan(first_count), second_count,
                keys_of_pairs, values_out);
    EXPECT_EQ(keys_of_pairs, expected_keys);
    EXPECT_EQ(values_out, expected);
}

TEST(HostExecution, MergesSortedSequences) {
    for (const uint64_t count : host_sizes()) {
        expect_merged(count, 40000);
        expect_merged(49, count);
    }
}

TEST(HostExecution, MergesWhatIteratorsMakeAndRefusesWhatDoesNotFit) {
    const Iterator counting = Iterator::counting(int32_t{0});
    const Iterator constant = Iterator::constant(int32_t{2});
    const MergeKeys merge(counting, constant, OpKind::less, host);
    std::vector<int32_t> out(6);
    merge({}, counting, 4, constant, 2, out);
    EXPECT_EQ(out, (std::vector<int32_t>{0, 1, 2, 2, 2, 3}));
    EXPECT_THAT(refusal<InvalidArgument>([&] { merge({}, counting, 4, constant, 3, out); }), HasSubstr("7"));
    const Iterator numbers = Iterator::pointer(Type::of<int32_t>());
    EXPECT_THAT(refusal<Unsupported>([&] { MergeKeys(numbers, numbers, "a < 2 * b", host); }),
                HasSubstr("'a < 2 * b'"));
    EXPECT_THAT(refusal<InvalidArgument>([&] { MergeKeys(numbers, counting, OpKind::negate, host); }),
                HasSubstr("operand"));
    const MergeKeys of_memory(numbers, numbers, OpKind::less, host);
    EXPECT_THAT(refusal<InvalidArgument>([&] { of_memory({}, out, 3, out, 3, out); }), HasSubstr("overlap"));
}

}  // namespace
}  // namespace cuprum::parallel
