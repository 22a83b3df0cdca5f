// Elements that are selected by flags or because they differ from the one before, and elements in two parts, on the
// host's cores against plain loops.
#include "host_fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Elements;
using test::host;
using test::host_sizes;
using test::refusal;
using testing::HasSubstr;

template <class T>
void expect_parts() {
    const Iterator elements = Iterator::pointer(Type::of<T>());
    const Iterator of_flags = Iterator::pointer(Type::of<bool>());
    const SelectFlagged select(elements, of_flags, host);
    const PartitionFlagged partition_flagged(elements, of_flags, host);
    const Partition partition(elements, OpKind::logical_not, host);
    const Unique unique(elements, OpKind::equal_to, host);
    for (const uint64_t count : host_sizes()) {
        SCOPED_TRACE(std::to_string(count) + ' ' + Type::of<T>().name());
        Elements<T> data(count);
        for (size_t i = 0; i < count; ++i) {
            if (i % 7 < 4) data.values[i] = 0;
        }
        const Elements<bool> flags(count, 2);
        const auto check = [&](bool has_parts, const auto& is_selected, const auto& call) {
            decltype(data.values) expected;
            decltype(data.values) rest;
            for (size_t i = 0; i < count; ++i)
                (is_selected(i) ? expected : rest).push_back(data.values[i]);
            const uint64_t expected_count = expected.size();
            if (has_parts) expected.insert(expected.end(), rest.rbegin(), rest.rend());
            Elements<T> out(count, 9);
            uint64_t selected = 99;
            call(out.span(), &selected);
            ASSERT_EQ(selected, expected_count);
            out.values.resize(expected.size());
            EXPECT_EQ(out.values, expected);
        };
        const auto is_flagged = [&](size_t i) { return flags.values[i] != 0; };
        const auto in = data.span();
        check(false, is_flagged, [&](auto out, auto* n) { select({}, in, flags.span(), out, n, count); });
        check(true, is_flagged, [&](auto out, auto* n) { partition_flagged({}, in, flags.span(), out, n, count); });
        check(
            true, [&](size_t i) { return data.values[i] == 0; },
            [&](auto out, auto* n) { partition({}, in, out, n, count); });
        const auto is_first = [&](size_t i) { return i == 0 || data.values[i - 1] != data.values[i]; };
        check(false, is_first, [&](auto out, auto* n) { unique({}, in, out, n, count); });
        const auto original = data.values;
        // In place.
        check(false, is_first, [&](auto out, auto* n) {
            unique({}, in, in, n, count);
            std::copy(in.begin(), in.end(), out.begin());
            data.values = original;
        });
    }
}

TEST(HostExecution, PutsFlaggedElementsFirstAndKeepsUniqueOnes) {
    expect_parts<int8_t>();
    expect_parts<float>();
    expect_parts<uint64_t>();
}

TEST(HostExecution, KeepsUniqueElementsInOneCall) {
    std::vector<int16_t> data{5, 5, 0, 3, 3, 3, 0};
    std::vector<int16_t> output(data.size(), 9);
    EXPECT_EQ(parallel::unique(data, output, OpKind::equal_to, host), 4U);
    EXPECT_THAT(output, testing::ElementsAre(5, 0, 3, 0, 9, 9, 9));
    EXPECT_EQ(parallel::unique(data, data, OpKind::less_equal, host), 3U);
    EXPECT_THAT(data, testing::ElementsAre(5, 0, 0, 3, 3, 3, 0));
    EXPECT_EQ(parallel::unique(std::span(data).first(0), std::span(output).first(0), OpKind::equal_to, host), 0U);
    EXPECT_THAT(
        refusal<InvalidArgument>([&] { parallel::unique(data, std::span(output).first(3), OpKind::equal_to, host); }),
        HasSubstr("3"));
}

TEST(HostExecution, RefusesWhatPartitionsCannotDo) {
    const Iterator numbers = Iterator::pointer(Type::of<int32_t>());
    EXPECT_THAT(refusal<Unsupported>([&] { Partition(numbers, "a > 2", host); }), HasSubstr("'a > 2'"));
    EXPECT_THAT(refusal<Unsupported>([&] { Unique(numbers, OpKind::plus, host); }), HasSubstr("comparison"));
    EXPECT_THAT(refusal<InvalidArgument>(
                    [&] { SelectFlagged(numbers, Iterator::pointer(Type::of<std::complex<double>>()), host); }),
                HasSubstr("complex128"));
    const PartitionFlagged partition(numbers, numbers, host);
    std::vector<int32_t> in(16, 1);
    std::vector<int32_t> flags(16, 1);
    uint64_t count = 0;
    EXPECT_THAT(refusal<InvalidArgument>([&] { partition({}, in, flags, in, &count, 16); }), HasSubstr("overlap"));
    EXPECT_THAT(refusal<InvalidArgument>([&] { partition({}, in, flags, flags, &count, 16); }), HasSubstr("overlap"));
    std::vector<int32_t> out(15);
    EXPECT_THAT(refusal<InvalidArgument>([&] { partition({}, in, flags, out, &count, 16); }), HasSubstr("60 bytes"));
}

}  // namespace
}  // namespace cuprum::parallel
