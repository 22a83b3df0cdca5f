// Scans by key and differences of neighbours on the host's cores against plain loops.
#include "host_fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Elements;
using test::host;
using test::host_sizes;
using test::refusal;
using testing::HasSubstr;

void expect_scans(uint64_t count, uint64_t run) {
    SCOPED_TRACE(std::to_string(count) + " in runs of " + std::to_string(run));
    const Iterator keys = Iterator::pointer(Type::of<int32_t>());
    const Iterator values = Iterator::pointer(Type::of<int16_t>());
    const InclusiveScanByKey inclusive(keys, values, OpKind::plus, Type::of<int64_t>(), OpKind::equal_to, host);
    const ExclusiveScanByKey exclusive(keys, values, OpKind::maximum, Type::of<int16_t>(), OpKind::equal_to, host);
    std::vector<int32_t> key_values(count);
    for (size_t i = 0; i < count; ++i)
        key_values[i] = static_cast<int32_t>(i / run);
    Elements<int16_t> data(count);
    std::vector<int64_t> sums(count);
    std::vector<int16_t> largest(count);
    for (size_t i = 0; i < count; ++i) {
        sums[i] = (i % run == 0 ? 0 : sums[i - 1]) + data.values[i];
        largest[i] = i % run == 0 ? int16_t{-5000} : std::max(largest[i - 1], data.values[i - 1]);
    }
    std::vector<int64_t> out(count, 9);
    inclusive({}, key_values, data.span(), out, count);
    EXPECT_EQ(out, sums);
    // In place.
    exclusive({}, key_values, data.span(), data.span(), count, int16_t{-5000});
    EXPECT_EQ(data.values, largest);
}

TEST(HostExecution, ScansEachRun) {
    for (const uint64_t count : host_sizes()) {
        for (const uint64_t run : {1, 3, 70000})
            expect_scans(count, run);
    }
}

TEST(HostExecution, TakesDifferencesOfNeighbours) {
    for (const Neighbour neighbour : {Neighbour::left, Neighbour::right}) {
        const AdjacentDifference same(neighbour, Iterator::pointer(Type::of<int8_t>()), OpKind::minus,
                                      Type::of<int8_t>(), host);
        const AdjacentDifference wider(neighbour, Iterator::pointer(Type::of<int8_t>()), OpKind::minus,
                                       Type::of<double>(), host);
        for (const uint64_t count : host_sizes()) {
            SCOPED_TRACE(count);
            const Elements<int8_t> data(count);
            std::vector<int8_t> expected;
            std::vector<double> expected_wide;
            for (size_t i = 0; i < count; ++i) {
                const bool is_alone = i == (neighbour == Neighbour::left ? 0 : count - 1);
                const int difference = is_alone
                                           ? data.values[i]
                                           : data.values[i] - data.values[neighbour == Neighbour::left ? i - 1 : i + 1];
                expected.push_back(static_cast<int8_t>(difference));
                expected_wide.push_back(difference);
            }
            std::vector<int8_t> out(count);
            std::vector<double> wide(count);
            same({}, data.span(), out, count);
            wider({}, data.span(), wide, count);
            EXPECT_EQ(out, expected);
            EXPECT_EQ(wide, expected_wide);
        }
    }
}

TEST(HostExecution, RefusesWhatScansByKeyAndDifferencesCannotDo) {
    const Iterator numbers = Iterator::pointer(Type::of<int32_t>());
    EXPECT_THAT(refusal<Unsupported>([&] {
                    InclusiveScanByKey(numbers, numbers, OpKind::minus, Type::of<int32_t>(), OpKind::equal_to, host);
                }),
                HasSubstr("cannot be combined"));
    EXPECT_THAT(refusal<Unsupported>(
                    [&] { AdjacentDifference(Neighbour::left, numbers, "a - 2 * b", Type::of<int32_t>(), host); }),
                HasSubstr("'a - 2 * b'"));
    EXPECT_THAT(refusal<InvalidArgument>([&] {
                    AdjacentDifference(static_cast<Neighbour>(7), numbers, OpKind::minus, Type::of<int32_t>(), host);
                }),
                HasSubstr("expected left or right"));
    const ExclusiveScanByKey scan(numbers, numbers, OpKind::plus, Type::of<int32_t>(), OpKind::equal_to, host);
    std::vector<int32_t> keys(16, 1);
    std::vector<int32_t> out(16);
    EXPECT_THAT(refusal<InvalidArgument>([&] { scan({}, keys, out, keys, 16, int32_t{0}); }), HasSubstr("overlap"));
    EXPECT_THAT(refusal<InvalidArgument>([&] { scan({}, keys, keys, out, 16, 0.5F); }), HasSubstr("float32"));
    const AdjacentDifference difference(Neighbour::right, numbers, OpKind::minus, Type::of<int32_t>(), host);
    EXPECT_THAT(refusal<InvalidArgument>([&] { difference({}, keys, keys, 16); }), HasSubstr("overlap"));
}

}  // namespace
}  // namespace cuprum::parallel
