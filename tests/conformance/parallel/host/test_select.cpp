// Selection on the host's cores against a plain loop.
#include <algorithm>
#include <complex>
#include <random>

#include "host_fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Elements;
using test::host;
using test::host_sizes;
using test::Point;
using test::refusal;
using test::Stored;
using testing::HasSubstr;

// What a well-known operator of one operand makes of an element, as a condition.
template <class T>
bool is_true(OpKind op, T element) {
    switch (op) {
        case OpKind::logical_not:
            return element == T{};
        case OpKind::bit_not:
            if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
                const auto promoted = +element;  // to an int, as in C++
                return ~promoted != 0;
            }
            [[fallthrough]];
        default:
            return element != T{};
    }
}

template <class T>
void check_selection(std::vector<OpKind> conditions) {
    for (const uint64_t count : host_sizes()) {
        Elements<T> data(count);
        std::mt19937 generator(static_cast<uint32_t>(count));
        for (auto& value : data.values) {
            if (generator() % 3 == 0) value = Stored<T>{};
        }
        for (const OpKind condition : conditions) {
            std::vector<Stored<T>> expected;
            for (const T& element : data.span()) {
                if (is_true(condition, element)) expected.push_back(element);
            }
            Elements<T> output(count, 2);
            const Elements<T> before = output;
            ASSERT_EQ(parallel::select(data.span(), output.span(), condition, host), expected.size());
            EXPECT_TRUE(std::equal(expected.begin(), expected.end(), output.values.begin()))
                << to_string(condition) << " of " << count << ' ' << Type::of<T>().name();
            const auto rest = static_cast<ptrdiff_t>(expected.size());
            EXPECT_TRUE(std::equal(output.values.begin() + rest, output.values.end(), before.values.begin() + rest));
            Elements<T> own = data;
            ASSERT_EQ(parallel::select(own.span(), own.span(), condition, host), expected.size());
            EXPECT_TRUE(std::equal(expected.begin(), expected.end(), own.values.begin())) << "in place, of " << count;
        }
    }
}

TEST(HostExecution, SelectsWhatAConditionIsTrueOf) {
    const std::vector<OpKind> numbers{OpKind::identity, OpKind::negate, OpKind::logical_not};
    const std::vector<OpKind> integers{OpKind::identity, OpKind::logical_not, OpKind::bit_not};
    check_selection<bool>({OpKind::identity, OpKind::logical_not});
    check_selection<int8_t>(integers);
    check_selection<uint16_t>(integers);
    check_selection<int32_t>(integers);
    check_selection<uint64_t>(integers);
    check_selection<float>(numbers);
    check_selection<double>(numbers);
}

TEST(HostExecution, SelectsThroughIterators) {
    // 0, 1, ... of which bit_and 1 cannot be asked: negated, 0 alone is false.
    const Iterator counting = Iterator::counting(int32_t{-2});
    const Iterator negated = Iterator::transform(counting, OpKind::negate, Type::of<int64_t>());
    const Select built(negated, OpKind::identity, host);
    EXPECT_EQ(built.temp_storage_bytes(1000), 0U);
    std::vector<int64_t> output(5, -9);
    uint64_t selected = 99;
    built({}, negated, std::span(output), &selected, 5);
    EXPECT_EQ(selected, 4U);
    EXPECT_THAT(output, testing::ElementsAre(2, 1, -1, -2, -9));
    built({}, negated, std::span(output), &selected, 0);
    EXPECT_EQ(selected, 0U);
    EXPECT_THROW(built.save(), Unsupported);
}

TEST(HostExecution, RefusesWhatASelectionCannotDo) {
    const Iterator numbers = Iterator::pointer(Type::of<int32_t>());
    EXPECT_THAT(refusal<Unsupported>([&] { Select(numbers, "a > 1", host); }), HasSubstr("'a > 1'"));
    EXPECT_THAT(refusal<InvalidArgument>([&] { Select(numbers, OpKind::less, host); }), HasSubstr("2 operand(s)"));
    EXPECT_THAT(refusal<Unsupported>([&] { Select(Iterator::pointer(Type::of<Point>()), OpKind::identity, host); }),
                HasSubstr("Point"));
    EXPECT_THAT(refusal<Unsupported>([&] { Select(Iterator::pointer(Type::of<float>()), OpKind::bit_not, host); }),
                HasSubstr("not defined for float32"));
    EXPECT_THAT(refusal<Unsupported>(
                    [&] { Select(Iterator::pointer(Type::of<std::complex<float>>()), OpKind::identity, host); }),
                HasSubstr("complex64 does not become bool"));
    const Select built(numbers, OpKind::identity, host);
    std::vector<int32_t> data(8, 1);
    uint64_t selected = 99;
    const std::span all(data);
    EXPECT_THAT(refusal<InvalidArgument>([&] { built({}, all.first(7), all.subspan(1), &selected, 7); }),
                HasSubstr("overlap"));
    EXPECT_THAT(refusal<InvalidArgument>([&] { built({}, all, all.first(7), &selected, 8); }), HasSubstr("output"));
    EXPECT_THAT(refusal<InvalidArgument>([&] { built({}, all, all, static_cast<uint64_t*>(nullptr), 8); }),
                HasSubstr("number of selected elements"));
    EXPECT_EQ(selected, 99U);
}

}  // namespace
}  // namespace cuprum::parallel
