// Runs of equal elements on the host's cores: reduced, counted and found, against plain loops.
#include "host_fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Elements;
using test::host;
using test::host_sizes;
using test::refusal;
using testing::HasSubstr;

template <class T>
void expect_runs(bool are_long) {
    const Iterator elements = Iterator::pointer(Type::of<T>());
    const ReduceByKey reduce(elements, Iterator::pointer(Type::of<int8_t>()), OpKind::plus, Type::of<int32_t>(),
                             OpKind::equal_to, host);
    const RunLengthEncode encode(elements, Type::of<uint32_t>(), OpKind::equal_to, host);
    const NonTrivialRuns find(elements, Type::of<int64_t>(), OpKind::equal_to, host);
    for (const uint64_t count : host_sizes()) {
        SCOPED_TRACE(std::to_string(count) + ' ' + Type::of<T>().name());
        Elements<T> keys(count);
        for (size_t i = 0; i < count; ++i) {
            // Long ones reach over several threads' parts.
            keys.values[i] = static_cast<test::Stored<T>>(are_long ? i / 60000 : i * i / 7 % 3 % 2);
        }
        const Elements<int8_t> values(count, 2);
        decltype(keys.values) expected_keys;
        std::vector<int32_t> sums;
        std::vector<uint32_t> lengths;
        std::vector<int64_t> offsets;
        for (size_t i = 0; i < count; ++i) {
            if (i == 0 || keys.values[i] != keys.values[i - 1]) {
                expected_keys.push_back(keys.values[i]);
                sums.push_back(0);
                lengths.push_back(0);
                offsets.push_back(static_cast<int64_t>(i));
            }
            sums.back() += values.values[i];
            ++lengths.back();
        }
        Elements<T> keys_out(count, 9);
        std::vector<int32_t> sums_out(count);
        std::vector<uint32_t> lengths_out(count);
        std::vector<int64_t> offsets_out(count);
        std::vector<int64_t> repeats(count);
        uint64_t runs = 99;
        reduce({}, keys.span(), values.span(), keys_out.span(), sums_out, &runs, count);
        ASSERT_EQ(runs, sums.size());
        sums_out.resize(runs);
        EXPECT_EQ(sums_out, sums);
        encode({}, keys.span(), keys_out.span(), lengths_out, &runs, count);
        ASSERT_EQ(runs, lengths.size());
        lengths_out.resize(runs);
        keys_out.values.resize(runs);
        EXPECT_EQ(lengths_out, lengths);
        EXPECT_EQ(keys_out.values, expected_keys);
        std::vector<int64_t> expected_offsets;
        std::vector<int64_t> expected_repeats;
        for (size_t i = 0; i < lengths.size(); ++i) {
            if (lengths[i] == 1) continue;
            expected_offsets.push_back(offsets[i]);
            expected_repeats.push_back(lengths[i]);
        }
        find({}, keys.span(), offsets_out, repeats, &runs, count);
        ASSERT_EQ(runs, expected_offsets.size());
        offsets_out.resize(runs);
        repeats.resize(runs);
        EXPECT_EQ(offsets_out, expected_offsets);
        EXPECT_EQ(repeats, expected_repeats);
    }
}

TEST(HostExecution, ReducesEncodesAndFindsRuns) {
    expect_runs<uint8_t>(false);
    expect_runs<double>(false);
    expect_runs<int32_t>(true);
}

TEST(HostExecution, RefusesWhatRunsCannotBe) {
    const Iterator numbers = Iterator::pointer(Type::of<int32_t>());
    EXPECT_THAT(refusal<Unsupported>(
                    [&] { ReduceByKey(numbers, numbers, OpKind::minus, Type::of<int32_t>(), OpKind::equal_to, host); }),
                HasSubstr("cannot be combined"));
    EXPECT_THAT(refusal<Unsupported>([&] { RunLengthEncode(numbers, Type::of<int32_t>(), "a == b + 1", host); }),
                HasSubstr("'a == b + 1'"));
    EXPECT_THAT(refusal<InvalidArgument>([&] { NonTrivialRuns(numbers, Type::of<bool>(), OpKind::equal_to, host); }),
                HasSubstr("positions of type bool"));
    const NonTrivialRuns find(numbers, Type::of<int32_t>(), OpKind::equal_to, host);
    std::vector<int32_t> in(16, 1);
    std::vector<int32_t> out(16);
    uint64_t runs = 0;
    EXPECT_THAT(refusal<InvalidArgument>([&] { find({}, in, out, out, &runs, 16); }), HasSubstr("overlap"));
    EXPECT_THAT(refusal<InvalidArgument>([&] { find({}, in, out, in, &runs, 16); }), HasSubstr("overlap"));
}

}  // namespace
}  // namespace cuprum::parallel
