// Elements in three parts on the host's cores against a plain loop.
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
    // The zeros, and of the others those that are not zero: none are left over.
    const ThreeWayPartition zeros(Iterator::pointer(Type::of<T>()), OpKind::logical_not, OpKind::identity, host);
    // The zeros, twice: the others are left over.
    const ThreeWayPartition others(Iterator::pointer(Type::of<T>()), OpKind::logical_not, OpKind::logical_not, host);
    for (const uint64_t count : host_sizes()) {
        SCOPED_TRACE(std::to_string(count) + ' ' + Type::of<T>().name());
        Elements<T> data(count);
        for (size_t i = 0; i < count; ++i) {
            if (i % 3 == 0) data.values[i] = 0;
        }
        decltype(data.values) expected_first;
        decltype(data.values) expected_rest;
        for (const auto& element : data.values)
            (element == 0 ? expected_first : expected_rest).push_back(element);
        for (const bool has_rest : {false, true}) {
            std::array<Elements<T>, 3> outputs{Elements<T>(count, 7), Elements<T>(count, 8), Elements<T>(count, 9)};
            std::array<uint64_t, 2> counts{};
            (has_rest ? others : zeros)({}, data.span(), outputs[0].span(), outputs[1].span(), outputs[2].span(),
                                        counts, count);
            ASSERT_EQ(counts[0], expected_first.size());
            ASSERT_EQ(counts[1], has_rest ? 0U : expected_rest.size());
            auto& second = outputs[has_rest ? 2 : 1].values;
            outputs[0].values.resize(expected_first.size());
            second.resize(expected_rest.size());
            EXPECT_EQ(outputs[0].values, expected_first);
            EXPECT_EQ(second, expected_rest);
        }
    }
}

TEST(HostExecution, PutsElementsIntoThreePartsInTheirOrder) {
    expect_parts<bool>();
    expect_parts<int8_t>();
    expect_parts<float>();
    expect_parts<uint64_t>();
}

TEST(HostExecution, RefusesWhatAPartitionCannotDo) {
    const Iterator numbers = Iterator::pointer(Type::of<int32_t>());
    EXPECT_THAT(refusal<Unsupported>([&] { ThreeWayPartition(numbers, "a > 2", OpKind::identity, host); }),
                HasSubstr("'a > 2'"));
    EXPECT_THAT(refusal<InvalidArgument>([&] { ThreeWayPartition(numbers, OpKind::identity, OpKind::plus, host); }),
                HasSubstr("2 operand(s)"));
    const ThreeWayPartition partition(numbers, OpKind::identity, OpKind::logical_not, host);
    std::vector<int32_t> in(16, 1);
    std::vector<int32_t> a(16);
    std::vector<int32_t> b(16);
    std::array<uint64_t, 2> counts{};
    EXPECT_THAT(refusal<InvalidArgument>([&] { partition({}, in, a, b, in, counts, 16); }), HasSubstr("overlap"));
    EXPECT_THAT(refusal<InvalidArgument>([&] { partition({}, in, a, b, b, counts, 16); }), HasSubstr("overlap"));
    std::vector<int32_t> c(16);
    const Operator other(OpKind::negate);
    EXPECT_THAT(refusal<InvalidArgument>([&] { partition({}, in, a, b, c, counts, 16, {.second_op = &other}); }),
                HasSubstr("second one"));
}

}  // namespace
}  // namespace cuprum::parallel
