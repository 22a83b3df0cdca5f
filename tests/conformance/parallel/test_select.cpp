#include <algorithm>

#include "cuprum/pathfinder/error.hpp"
#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

class Selection : public test::Parallel {
protected:
    template <class T, class Condition>
    void expect_selected(const Select& select, const std::vector<T>& elements, const Condition& condition,
                         const CallOptions& options = {}) {
        SCOPED_TRACE(elements.size());
        std::vector<T> expected;
        std::copy_if(elements.begin(), elements.end(), std::back_inserter(expected), condition);
        const core::Buffer in = upload(elements);
        const core::Buffer out = memory_for<T>(elements.size());
        const core::Buffer selected = memory_for<uint64_t>(1);
        select(stream, in, out, selected, elements.size(), options);
        ASSERT_EQ(download_one<uint64_t>(selected), expected.size());
        EXPECT_EQ(download<T>(out.slice(0, expected.size() * sizeof(T))), expected);
    }
};

TEST_F(Selection, KeepsWhatFulfilsTheConditionInItsOrder) {
    const Select odd(Iterator::pointer(Type::of<uint32_t>()), "a % 2 == 1");
    for (const uint64_t count : test::sizes())
        expect_selected(odd, test::random_elements<uint32_t>(count), [](uint32_t a) { return a % 2 == 1; });
    expect_selected(odd, std::vector<uint32_t>(5000, 1), [](uint32_t) { return true; });
    expect_selected(odd, std::vector<uint32_t>(5000, 2), [](uint32_t) { return false; });
}

TEST_F(Selection, TakesStructsAndAStateOfTheCall) {
    const Operator light("a.weight < factor", Value(test::Scale{100, 0}));
    const Select select(Iterator::pointer(Type::of<test::Point>()), light);
    const std::vector<test::Point> points = test::random_elements<test::Point>(20011);
    expect_selected(select, points, [](const test::Point& a) { return a.weight < 100; });
    const Operator lighter = light.with_state(test::Scale{10, 0});
    expect_selected(select, points, [](const test::Point& a) { return a.weight < 10; }, {.op = &lighter});
}

TEST_F(Selection, ReadsAnyIteratorAlsoBeyond32Bits) {
    const Iterator numbers = Iterator::counting(int64_t{0});
    const uint64_t count = device.is_simulator() ? 10007 : (uint64_t{1} << 32) + 7;
    const Select multiples(numbers, "a % 1000000007 == 3", {}, {.always_wide = true});
    const core::Buffer out = memory_for<int64_t>(count);
    const core::Buffer selected = memory_for<uint64_t>(1);
    multiples(stream, numbers, out, selected, count);
    std::vector<int64_t> expected;
    for (uint64_t number = 3; number < count; number += 1000000007)
        expected.push_back(static_cast<int64_t>(number));
    ASSERT_EQ(download_one<uint64_t>(selected), expected.size());
    EXPECT_EQ(download<int64_t>(out.slice(0, expected.size() * sizeof(int64_t))), expected);
}

TEST_F(Selection, TakesHostDataInOneCallAlsoInPlace) {
    for (const uint64_t count : {0, 1, 4999}) {
        SCOPED_TRACE(count);
        std::vector<int32_t> data = test::random_elements<int32_t>(count);
        std::vector<int32_t> expected;
        std::copy_if(data.begin(), data.end(), std::back_inserter(expected), [](int32_t a) { return a > 0; });
        std::vector<int32_t> output(data.size(), -1);
        ASSERT_EQ(select(std::span(data), std::span(output), "a > 0"), expected.size());
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), output.begin()));
        EXPECT_TRUE(std::all_of(output.begin() + static_cast<ptrdiff_t>(expected.size()), output.end(),
                                [](int32_t a) { return a == -1; }));
        ASSERT_EQ(select(std::span(data), std::span(data), "a > 0"), expected.size());
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), data.begin()));
    }
    std::vector<int32_t> data(3);
    std::vector<int32_t> small(2);
    EXPECT_THROW(select(std::span(data), std::span(small), "a > 0"), InvalidArgument);
}

TEST_F(Selection, RefusesToOverwriteItsInputAndTooLittleRoom) {
    const Select odd(Iterator::pointer(Type::of<uint32_t>()), "a % 2 == 1");
    const core::Buffer in = upload(std::vector<uint32_t>(1000, 1));
    const core::Buffer out = memory_for<uint32_t>(999);
    const core::Buffer selected = memory_for<uint64_t>(1);
    EXPECT_THROW(odd(stream, in, in, selected, 1000), InvalidArgument);
    EXPECT_THROW(odd(stream, in, out, selected, 1000), InvalidArgument);
    EXPECT_THROW(odd(stream, in, out, core::DevicePointer{0}, 999), InvalidArgument);
    EXPECT_NO_THROW(odd(stream, in, out, selected, 999));
    stream.sync();
}

}  // namespace
}  // namespace cuprum::parallel
