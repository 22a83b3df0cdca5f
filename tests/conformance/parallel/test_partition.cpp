// Elements that are selected by flags or because they differ from the one before, and elements in two parts, against
// plain loops.
#include <functional>

#include "cuprum/pathfinder/error.hpp"
#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using testing::HasSubstr;

class Partitions : public test::Parallel {
protected:
    // What an algorithm makes of elements: call(output, selected_count). Parts: the elements in reverse order behind
    // it.
    template <class T>
    void expect(const std::vector<T>& data, const std::vector<bool>& is_selected, bool has_parts,
                const std::function<void(const core::Buffer&, const core::Buffer&)>& call) {
        SCOPED_TRACE(data.size());
        std::vector<T> expected;
        std::vector<T> rest;
        for (size_t i = 0; i < data.size(); ++i)
            (is_selected[i] ? expected : rest).push_back(data[i]);
        const uint64_t count = expected.size();
        if (has_parts) expected.insert(expected.end(), rest.rbegin(), rest.rend());
        const core::Buffer out = memory_for<T>(data.size());
        const core::Buffer selected = memory_for<uint64_t>(1);
        call(out, selected);
        ASSERT_EQ(download_one<uint64_t>(selected), count);
        EXPECT_EQ(download<T>(out.slice(0, expected.size() * sizeof(T))), expected);
    }

    template <class T, class Flag>
    void expect_flagged(const std::vector<T>& data, const std::vector<Flag>& flags) {
        const Iterator elements = Iterator::pointer(Type::of<T>());
        const Iterator of_flags = Iterator::pointer(Type::of<Flag>());
        const SelectFlagged select(elements, of_flags);
        const PartitionFlagged partition(elements, of_flags);
        const std::vector<bool> selected(flags.begin(), flags.end());
        const core::Buffer in = upload(data);
        const core::Buffer flags_in = upload(flags);
        expect(data, selected, false,
               [&](const auto& out, const auto& count) { select(stream, in, flags_in, out, count, data.size()); });
        expect(data, selected, true,
               [&](const auto& out, const auto& count) { partition(stream, in, flags_in, out, count, data.size()); });
    }
};

TEST_F(Partitions, AreOfTheElementsThatAreFlagged) {
    for (const uint64_t count : test::sizes())
        expect_flagged(test::random_elements<int32_t>(count), test::random_elements<bool>(count, 2));
    std::vector<float> flags = test::random_elements<float>(4097);
    std::replace_if(flags.begin(), flags.end(), [](float flag) { return flag > 100; }, 0.0F);
    expect_flagged(test::random_elements<test::Point>(4097), flags);
    expect_flagged(test::random_elements<uint8_t>(20011), std::vector<int64_t>(20011, int64_t{1} << 40));
}

TEST_F(Partitions, AreOfTheElementsWithACondition) {
    const Operator condition("a > factor", Value(test::Scale{0, 0}));
    const Partition partition(Iterator::pointer(Type::of<int32_t>()), condition);
    const auto expect_above = [&](const std::vector<int32_t>& data, int32_t limit, const CallOptions& options) {
        std::vector<bool> selected;
        for (const int32_t element : data)
            selected.push_back(element > limit);
        const core::Buffer in = upload(data);
        expect(data, selected, true,
               [&](const auto& out, const auto& count) { partition(stream, in, out, count, data.size(), options); });
    };
    for (const uint64_t count : test::sizes())
        expect_above(test::random_elements<int32_t>(count), 0, {});
    const Operator above = condition.with_state(test::Scale{1000000000, 0});
    const core::Buffer storage = device.allocate(partition.temp_storage_bytes(20011));
    expect_above(test::random_elements<int32_t>(20011), 1000000000, {.temp_storage = storage, .op = &above});
    expect_above(std::vector<int32_t>(10007, 1), 0, {});
    expect_above(std::vector<int32_t>(10007, -1), 0, {});
}

TEST_F(Partitions, OfUniqueElementsBeginEachRun) {
    const auto expect_unique = [&]<class T>(const Unique& unique, const std::vector<T>& data, const auto& are_equal) {
        std::vector<bool> selected;
        for (size_t i = 0; i < data.size(); ++i)
            selected.push_back(i == 0 || !are_equal(data[i - 1], data[i]));
        const core::Buffer in = upload(data);
        expect(data, selected, false,
               [&](const auto& out, const auto& count) { unique(stream, in, out, count, data.size()); });
    };
    const Unique unique(Iterator::pointer(Type::of<int32_t>()));
    const Unique of_tens(Iterator::pointer(Type::of<int32_t>()), "a / 10 == b / 10");
    for (const uint64_t count : test::sizes()) {
        std::vector<int32_t> data = test::random_elements<int32_t>(count);
        for (int32_t& element : data)
            element &= 3;
        expect_unique(unique, data, std::equal_to<>());
        std::sort(data.begin(), data.end());
        expect_unique(unique, data, std::equal_to<>());
        expect_unique(of_tens, test::random_elements<int32_t>(count),
                      [](int32_t a, int32_t b) { return a / 10 == b / 10; });
    }
    const Unique of_points(Iterator::pointer(Type::of<test::Point>()), "a.weight / 500 == b.weight / 500");
    expect_unique(of_points, test::random_elements<test::Point>(4097),
                  [](const test::Point& a, const test::Point& b) { return a.weight / 500 == b.weight / 500; });
    // An operator that branches, also on what is behind the end of the last tile.
    const Unique branching(
        Iterator::pointer(Type::of<test::Point>()),
        "for (int i = 0; i < (a.weight & 3); ++i) if ((b.weight & 3) == i) return false; return true;");
    expect_unique(branching, test::random_elements<test::Point>(4097),
                  [](const test::Point& a, const test::Point& b) { return (b.weight & 3) >= (a.weight & 3); });
}

TEST_F(Partitions, ReadAnyIteratorBeyond31BitsToo) {
    const Iterator counting = Iterator::counting(int64_t{0});
    const Iterator odd = Iterator::transform(counting, "a % 2 == 1", Type::of<bool>());
    const PartitionFlagged partition(counting, odd, {}, {.always_wide = true});
    const Unique unique(counting, "a / 100 == b / 100", {}, {.always_wide = true});
    const core::Buffer out = memory_for<int64_t>(10001);
    const core::Buffer selected = memory_for<uint64_t>(1);
    partition(stream, counting, odd, out, selected, 10001);
    EXPECT_EQ(download_one<uint64_t>(selected), 5000U);
    const std::vector<int64_t> parts = download<int64_t>(out);
    EXPECT_EQ(parts[4999], 9999);
    EXPECT_EQ(parts[5000], 10000);
    EXPECT_EQ(parts[10000], 0);
    unique(stream, counting, out, selected, 10001);
    EXPECT_EQ(download_one<uint64_t>(selected), 101U);
    EXPECT_EQ(download<int64_t>(out)[100], 10000);
}

TEST_F(Partitions, RefuseFlagsAndMemoryThatDoNotFit) {
    const Iterator numbers = Iterator::pointer(Type::of<int32_t>());
    try {
        const SelectFlagged refused(numbers, Iterator::pointer(Type::of<std::complex<float>>()));
        FAIL();
    } catch (const InvalidArgument& error) {
        EXPECT_THAT(error.what(), HasSubstr("they are of complex64, expected bool or numbers"));
    }
    EXPECT_THROW(PartitionFlagged(numbers, Iterator::pointer(Type::of<test::Point>())), InvalidArgument);
    EXPECT_THROW(Unique(numbers, OpKind::identity), InvalidArgument);
    EXPECT_THROW(Partition(numbers, OpKind::less), InvalidArgument);

    const SelectFlagged select(numbers, numbers);
    const Partition partition(numbers, OpKind::identity);
    const core::Buffer in = upload(std::vector<int32_t>(1000, 1));
    const core::Buffer flags = upload(std::vector<int32_t>(1000, 1));
    const core::Buffer out = memory_for<int32_t>(1000);
    const core::Buffer count = memory_for<uint64_t>(1);
    EXPECT_THROW(select(stream, in, flags, in, count, 1000), InvalidArgument);
    EXPECT_THROW(select(stream, in, flags, flags, count, 1000), InvalidArgument);
    EXPECT_THROW(select(stream, in, flags.slice(0, 3996), out, count, 1000), InvalidArgument);
    EXPECT_THROW(partition(stream, in, out.slice(0, 3996), count, 1000), InvalidArgument);
    EXPECT_THROW(partition(stream, in, out, count.slice(0, 4), 1000), InvalidArgument);
    const core::Buffer storage = device.allocate(partition.temp_storage_bytes(1000));
    EXPECT_THROW(partition(stream, in, out, count, 1000, {.temp_storage = storage.slice(0, 1)}), InvalidArgument);
    EXPECT_NO_THROW(partition(stream, in, out, count, 1000, {.temp_storage = storage}));
    stream.sync();
}

}  // namespace
}  // namespace cuprum::parallel
