// The first element of a kind, whether two inputs are equal, and both extremes, against plain loops.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cuprum/pathfinder/error.hpp"
#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using testing::ElementsAre;

class Searches : public test::Parallel {};

TEST_F(Searches, FindTheFirstElementOfAKind) {
    const Iterator numbers = Iterator::pointer(Type::of<int32_t>());
    const FindIf find(numbers, "a == 7", Type::of<int32_t>());
    const FindIf wide(numbers, "a == 7", Type::of<uint64_t>(), {}, {.always_wide = true});
    for (const uint64_t count : test::sizes()) {
        for (const uint64_t first : {uint64_t{0}, count / 2, count - 1, count}) {
            if (first > count) continue;
            SCOPED_TRACE(std::to_string(first) + " of " + std::to_string(count));
            std::vector<int32_t> data(count, 1);
            for (uint64_t i = first; i < count; i += 1 + (i - first) % 700)
                data[i] = 7;
            const core::Buffer in = upload(data);
            const core::Buffer out = upload(std::vector<int32_t>(1, -5));
            const core::Buffer wide_out = memory_for<uint64_t>(1);
            find(stream, in, out, count);
            wide(stream, in, wide_out, count);
            EXPECT_EQ(download_one<int32_t>(out), static_cast<int32_t>(first));
            EXPECT_EQ(download_one<uint64_t>(wide_out), first);
        }
    }
    const core::Buffer out = memory_for<uint32_t>(1);
    const Iterator counting = Iterator::counting(int64_t{0});
    const Operator is_beyond("a > offset", Value(test::Scale{0, 1}));
    const FindIf beyond(counting, is_beyond, Type::of<uint32_t>());
    const Operator of_call = is_beyond.with_state(test::Scale{0, 123456});
    beyond(stream, counting, out, 1000000, {.op = &of_call});
    EXPECT_EQ(download_one<uint32_t>(out), 123457U);
}

TEST_F(Searches, TellWhetherAllPairsAreEqual) {
    const Iterator points = Iterator::pointer(Type::of<test::Point>());
    const Equal same_weights(points, points, "a.weight == b.weight");
    for (const uint64_t count : test::sizes()) {
        SCOPED_TRACE(count);
        std::vector<test::Point> points_in = test::random_elements<test::Point>(count);
        const core::Buffer first = upload(points_in);
        const core::Buffer out = memory_for<bool>(1);
        for (test::Point& point : points_in)
            point.x += 1;
        const core::Buffer other = upload(points_in);
        same_weights(stream, first, other, out, count);
        EXPECT_EQ(download<bool>(out).front(), true);
        if (count == 0) continue;
        points_in[count * 2 / 3].weight -= 1;
        const core::Buffer different = upload(points_in);
        same_weights(stream, first, different, out, count);
        EXPECT_EQ(download<bool>(out).front(), false);
    }
    const Iterator numbers = Iterator::pointer(Type::of<float>());
    const Equal equal(numbers, numbers);
    const core::Buffer data = upload(std::vector<float>{1, std::nanf("")});
    const core::Buffer out = memory_for<bool>(1);
    equal(stream, data, data, out, 1);
    EXPECT_EQ(download<bool>(out).front(), true);
    equal(stream, data, data, out, 2);
    EXPECT_EQ(download<bool>(out).front(), false) << "a NaN equals nothing";
}

TEST_F(Searches, FindBothExtremes) {
    const auto expect_extremes = [&]<class T>(T, uint64_t count, const BuildOptions& options) {
        SCOPED_TRACE(count);
        const std::vector<T> data = test::random_elements<T>(count);
        const MinMax extremes(Iterator::pointer(Type::of<T>()), {}, options);
        const core::Buffer in = upload(data);
        const core::Buffer out = upload(std::vector<T>(2, T{1}));
        const core::Buffer storage = device.allocate(std::max<uint64_t>(extremes.temp_storage_bytes(count), 1));
        extremes(stream, in, out, count, {.temp_storage = storage});
        std::vector<T> expected{T{1}, T{1}};
        if (count > 0)
            expected = {*std::min_element(data.begin(), data.end()), *std::max_element(data.begin(), data.end())};
        EXPECT_EQ(download<T>(out), expected);
    };
    for (const uint64_t count : test::sizes())
        expect_extremes(int32_t{}, count, {});
    expect_extremes(uint8_t{}, 20011, {});
    expect_extremes(double{}, 20011, {.always_wide = true});
    const core::Buffer data = upload(std::vector<float>{1, std::nanf(""), 7, -3});
    const core::Buffer out = memory_for<float>(2);
    const MinMax of_floats(Iterator::pointer(Type::of<float>()));
    of_floats(stream, data, out, 4);
    const std::vector<float> found = download<float>(out);
    EXPECT_TRUE(std::isnan(found[0]) && std::isnan(found[1]));
    const Iterator counting = Iterator::counting(int64_t{-5});
    const MinMax of_numbers(counting);
    const core::Buffer wide = memory_for<int64_t>(2);
    of_numbers(stream, counting, wide, 1000000);
    EXPECT_THAT(download<int64_t>(wide), ElementsAre(-5, 999994));
}

// Threads read 16 bytes at a time where the memory begins at a multiple of as many.
TEST_F(Searches, ReadMemoryThatBeginsAnywhere) {
    constexpr uint64_t count = 20011;
    const Iterator numbers = Iterator::pointer(Type::of<int32_t>());
    const FindIf find(numbers, "a == 7", Type::of<int32_t>());
    const Equal equal(numbers, numbers);
    const Equal equal_to_computed(numbers, Iterator::constant(int32_t{1}));
    const MinMax extremes(numbers);
    const ArgReduce largest(ArgKind::maximum, numbers);
    std::vector<int32_t> data(count + 8, 1);
    const core::Buffer other = upload(data);
    for (uint64_t begin = 0; begin < 5; ++begin) {
        SCOPED_TRACE(begin);
        data[begin + 17001] = data[begin + 19003] = 7;
        const core::Buffer in = upload(data);
        const core::BufferRef part = in.slice(begin * sizeof(int32_t), count * sizeof(int32_t));
        const core::Buffer out = memory_for<int32_t>(2);
        find(stream, part, out, count);
        EXPECT_EQ(download<int32_t>(out)[0], 17001);
        extremes(stream, part, out, count);
        EXPECT_THAT(download<int32_t>(out), ElementsAre(1, 7));
        const core::Buffer place = memory_for<Indexed<int32_t>>(1);
        largest(stream, part, place, count);
        EXPECT_EQ(download_one<Indexed<int32_t>>(place), (Indexed<int32_t>{17001, 7}));
        const core::Buffer answer = memory_for<bool>(1);
        for (const uint64_t at : {0, 1, 4}) {
            const core::BufferRef ones = other.slice(at * sizeof(int32_t), count * sizeof(int32_t));
            equal(stream, part, ones, answer, count);
            EXPECT_EQ(download<bool>(answer).front(), false);
            equal(stream, part, ones, answer, 17001);
            EXPECT_EQ(download<bool>(answer).front(), true);
        }
        equal_to_computed(stream, part, Iterator::constant(int32_t{1}), answer, 17001);
        EXPECT_EQ(download<bool>(answer).front(), true);
        equal_to_computed(stream, part, Iterator::constant(int32_t{1}), answer, 17002);
        EXPECT_EQ(download<bool>(answer).front(), false);
        data[begin + 17001] = data[begin + 19003] = 1;
    }
}

TEST_F(Searches, RefuseWhatDoesNotFit) {
    const Iterator numbers = Iterator::pointer(Type::of<int32_t>());
    const core::Buffer data = upload(std::vector<int32_t>(100, 1));
    const core::Buffer out = memory_for<int32_t>(2);
    const FindIf find(numbers, "a == 7", Type::of<int32_t>());
    EXPECT_THROW(find(stream, data, data, 100), InvalidArgument);
    EXPECT_THROW(find(stream, data, out, 101), InvalidArgument);
    EXPECT_THROW(find(stream, data, core::DevicePointer{0}, 100), InvalidArgument);
    EXPECT_THROW(find(stream, data, out.slice(0, 2), 100), InvalidArgument);
    const Iterator counting = Iterator::counting(int32_t{0});
    const FindIf among_many(counting, "a == 7", Type::of<int32_t>());
    EXPECT_THROW(among_many(stream, counting, out, uint64_t{1} << 31), InvalidArgument);
    EXPECT_THROW(FindIf(numbers, "a == 7", Type::of<float>()), InvalidArgument);
    EXPECT_THROW(FindIf(numbers, OpKind::plus, Type::of<int32_t>()), InvalidArgument);
    EXPECT_THROW(Equal(numbers, Iterator::pointer(Type::of<int64_t>())), InvalidArgument);
    const MinMax extremes(numbers);
    EXPECT_THROW(extremes(stream, data, data, 100), InvalidArgument);
    EXPECT_THROW(extremes(stream, data, out.slice(0, 4), 100), InvalidArgument);
    const core::Buffer little = device.allocate(4);
    const core::Buffer many = upload(std::vector<int32_t>(10000, 1));
    EXPECT_THROW(extremes(stream, many, out, 10000, {.temp_storage = little}), InvalidArgument);
    EXPECT_EQ(extremes.temp_storage_bytes(100), 0U) << "one block writes the result itself";
    EXPECT_THROW(MinMax(Iterator::pointer(Type::of<test::Point>())), InvalidArgument);
}

}  // namespace
}  // namespace cuprum::parallel
