// Searches on the host's cores against plain loops.
#include <algorithm>
#include <cmath>

#include "host_fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Elements;
using test::host;
using test::host_sizes;
using test::refusal;
using testing::HasSubstr;

TEST(HostExecution, FindsTheFirstElementAndComparesInputs) {
    const Iterator numbers = Iterator::pointer(Type::of<int16_t>());
    EXPECT_EQ(parallel::find_if(std::vector<int32_t>{0, 0, 7, 8}, OpKind::identity, host), 2);
    EXPECT_EQ(parallel::find_if(std::vector<int32_t>(5), OpKind::identity, host), -1);
    EXPECT_EQ(parallel::find_if(std::vector<int32_t>(), OpKind::identity, host), -1);
    const FindIf find(numbers, OpKind::identity, Type::of<int32_t>(), host);
    const Equal equal(numbers, numbers, OpKind::equal_to, host);
    for (const uint64_t count : host_sizes()) {
        for (const uint64_t first : {uint64_t{0}, count / 2, count}) {
            SCOPED_TRACE(std::to_string(first) + " of " + std::to_string(count));
            std::vector<int16_t> data(count, 0);
            for (uint64_t i = first; i < count; i += 1 + (i - first) % 700)
                data[i] = 7;
            std::vector<int32_t> out(1, -5);
            find({}, data, out, count);
            EXPECT_EQ(out[0], static_cast<int32_t>(first));
            const std::vector<int16_t> zeros(count, 0);
            bool is_equal = first != count;
            equal({}, data, zeros, std::span(&is_equal, 1), count);
            EXPECT_EQ(is_equal, first == count);
        }
    }
    EXPECT_THAT(refusal<Unsupported>([&] { FindIf(numbers, "a == 7", Type::of<int32_t>(), host); }),
                HasSubstr("'a == 7'"));
    EXPECT_THAT(refusal<InvalidArgument>([&] { FindIf(numbers, OpKind::identity, Type::of<int8_t>(), host); }),
                HasSubstr("int8"));
    EXPECT_THAT(
        refusal<InvalidArgument>([&] { Equal(numbers, Iterator::pointer(Type::of<float>()), OpKind::equal_to, host); }),
        HasSubstr("expected the same type"));
}

TEST(HostExecution, FindsBothExtremes) {
    const auto expect_extremes = [](auto element, uint64_t count) {
        using T = decltype(element);
        SCOPED_TRACE(count);
        const Elements<T> data(count);
        const MinMax extremes(Iterator::pointer(Type::of<T>()), host);
        std::vector<T> out(2, T{1});
        extremes({}, data.span(), out, count);
        if (count == 0) {
            EXPECT_EQ(out, (std::vector<T>{T{1}, T{1}}));
            return;
        }
        EXPECT_EQ(out[0], *std::min_element(data.values.begin(), data.values.end()));
        EXPECT_EQ(out[1], *std::max_element(data.values.begin(), data.values.end()));
    };
    for (const uint64_t count : host_sizes()) {
        expect_extremes(int16_t{}, count);
        expect_extremes(double{}, count);
    }
    const MinMax of_floats(Iterator::pointer(Type::of<float>()), host);
    for (const size_t place : {0, 70000, 99999}) {
        std::vector<float> data(100000, 1.0F);
        data[place] = std::nanf("");
        std::vector<float> out(2);
        of_floats({}, data, out, data.size());
        EXPECT_TRUE(std::isnan(out[0]) && std::isnan(out[1]));
        EXPECT_THAT(refusal<InvalidArgument>([&] { of_floats({}, data, data, data.size()); }), HasSubstr("overlap"));
    }
}

}  // namespace
}  // namespace cuprum::parallel
