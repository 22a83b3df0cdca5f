// Iterators made of each other, read and written, and what they refuse.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Parallel;
using test::random_elements;
using test::refusal;
using testing::ElementsAre;
using testing::HasSubstr;

class IteratorsOnDevice : public Parallel {
protected:
    Iterator memory(const core::BufferRef& buffer) const { return Iterator::pointer<int32_t>(buffer); }
};

// One program reads through all of them, and another writes.
TEST_F(IteratorsOnDevice, AreReadThroughEachOther) {
    const auto made_of = [&](core::DevicePointer first, core::DevicePointer second, uint64_t count) {
        const auto n = static_cast<int64_t>(count);
        const Iterator backwards = Iterator::reverse(
            Iterator::cache_modified(Type::of<int32_t>(), Iterator::CacheModifier::stream, first), n - 1);
        const Iterator every_other = Iterator::strided(Iterator::pointer(Type::of<int32_t>(), second), 2, 1);
        const Iterator shuffled = Iterator::permutation(every_other, Iterator::shuffle(count, 7));
        const Iterator negated =
            Iterator::transform(Iterator::counting(int16_t{5}), OpKind::negate, Type::of<int16_t>());
        return Iterator::zip(std::array{backwards, shuffled, negated});
    };
    const Transform built(made_of(0, 0, 1), "a.field_0 * 1000003LL + a.field_1 * 2LL + a.field_2", Type::of<int64_t>());
    for (const uint64_t count : {uint64_t{1}, uint64_t{2}, uint64_t{1000}, uint64_t{20011}}) {
        const std::vector<int32_t> first = random_elements<int32_t>(count);
        const std::vector<int32_t> second = random_elements<int32_t>(2 * count, 2);
        const core::Buffer first_memory = upload(first);
        const core::Buffer second_memory = upload(second);
        const core::Buffer output = memory_for<int64_t>(count);
        built(stream, made_of(first_memory.handle(), second_memory.handle(), count), output, count);
        // The order of the shuffle, from the device itself; that it is the host's too is shown below.
        const core::Buffer order_memory = memory_for<int64_t>(count);
        const Transform copy(Iterator::shuffle(1, 0), OpKind::identity, Type::of<int64_t>());
        copy(stream, Iterator::shuffle(count, 7), order_memory, count);
        std::vector<int64_t> order = download<int64_t>(order_memory);
        const std::vector<int64_t> result = download<int64_t>(output);
        for (size_t i = 0; i < count; ++i) {
            const int64_t expected = first[count - 1 - i] * int64_t{1000003} +
                                     second[static_cast<size_t>(order[i]) * 2 + 1] * int64_t{2} -
                                     static_cast<int16_t>(5 + i);
            ASSERT_EQ(result[i], expected) << i << " of " << count;
        }
        std::sort(order.begin(), order.end());
        for (size_t i = 0; i < count; ++i)
            ASSERT_EQ(order[i], static_cast<int64_t>(i)) << "not a permutation";
    }
}

TEST_F(IteratorsOnDevice, AreWrittenThroughEachOther) {
    const auto made_of = [&](core::DevicePointer first, core::DevicePointer second, core::DevicePointer indices,
                             uint64_t count) {
        const Type number = Type::of<int32_t>();
        const Iterator scattered =
            Iterator::permutation(Iterator::pointer(number, first), Iterator::pointer(Type::of<uint32_t>(), indices));
        const Iterator squared = Iterator::transform_output(
            Iterator::reverse(Iterator::pointer(Type::of<double>(), second), static_cast<int64_t>(count) - 1),
            "a * 0.5", number);
        return Iterator::zip(std::array{scattered, squared, Iterator::discard(Type::of<bool>())});
    };
    const Iterator output = made_of(0, 0, 0, 1);
    const std::string pair = output.value_type().name();
    const Transform built(Iterator::counting(int32_t{0}), ("return " + pair + "{a * 3, a - 1, true};").c_str(),
                          output.value_type(), {}, {.outputs = {output}});
    for (const uint64_t count : {uint64_t{1}, uint64_t{1000}, uint64_t{20011}}) {
        std::vector<uint32_t> indices(count);
        std::iota(indices.begin(), indices.end(), 0U);
        std::rotate(indices.begin(), indices.begin() + static_cast<int64_t>(count / 3), indices.end());
        const core::Buffer first = memory_for<int32_t>(count);
        const core::Buffer second = memory_for<double>(count);
        const core::Buffer index_memory = upload(indices);
        built(stream, Iterator::counting(int32_t{0}),
              made_of(first.handle(), second.handle(), index_memory.handle(), count), count);
        const std::vector<int32_t> scattered = download<int32_t>(first);
        const std::vector<double> halves = download<double>(second);
        for (size_t i = 0; i < count; ++i) {
            ASSERT_EQ(scattered[indices[i]], static_cast<int32_t>(i) * 3);
            ASSERT_EQ(halves[count - 1 - i], (static_cast<double>(i) - 1) * 0.5);
        }
    }
}

TEST_F(IteratorsOnDevice, TakeTheResultsOfEveryAlgorithmThatWritesThroughThem) {
    const std::vector<int32_t> elements{3, 3, 1, 4, 4, 4, 2, 9};
    const core::Buffer input = upload(elements);
    const Type number = Type::of<int32_t>();
    const auto backwards = [&](core::DevicePointer address) {
        return Iterator::reverse(Iterator::pointer(number, address), 7);
    };
    {
        const core::Buffer norm = memory_for<double>(1);
        const auto root = [&](core::DevicePointer address) {
            return Iterator::transform_output(Iterator::pointer(Type::of<double>(), address), "sqrt((double)a)",
                                              number);
        };
        const Reduce built(memory(input), OpKind::plus, number, {}, {.outputs = {root(0)}});
        built(stream, memory(input), root(norm.handle()), 8, 6);
        EXPECT_EQ(download_one<double>(norm), 6);
        // Of many tiles too, the last kernel alone writes.
        const std::vector<int32_t> ones(1 << 18, 1);
        const core::Buffer many = upload(ones);
        built(stream, many, root(norm.handle()), ones.size(), 0);
        EXPECT_EQ(download_one<double>(norm), 512);
    }
    const core::Buffer output = memory_for<int32_t>(8);
    {
        const Scan built(ScanKind::inclusive, memory(input), OpKind::plus, number, {}, {.outputs = {backwards(0)}});
        built(stream, memory(input), backwards(output.handle()), 8);
        EXPECT_THAT(download<int32_t>(output), ElementsAre(30, 21, 19, 15, 11, 7, 6, 3));
    }
    const core::Buffer selected = memory_for<uint64_t>(1);
    {
        const Select built(memory(input), "a > 2", {}, {.outputs = {backwards(0)}});
        output.fill(0, 1, stream);
        built(stream, memory(input), backwards(output.handle()), selected, 8);
        EXPECT_EQ(download_one<uint64_t>(selected), 6U);
        EXPECT_THAT(download<int32_t>(output), ElementsAre(0, 0, 9, 4, 4, 4, 3, 3));
    }
    {
        const Iterator nowhere = Iterator::discard(number);
        const Iterator positions = Iterator::counting(int32_t{0});
        const UniqueByKey built(memory(input), positions, OpKind::equal_to, {}, {.outputs = {nowhere, backwards(0)}});
        output.fill(0, 1, stream);
        built(stream, memory(input), positions, nowhere, backwards(output.handle()), selected, 8);
        EXPECT_EQ(download_one<uint64_t>(selected), 5U);
        EXPECT_THAT(download<int32_t>(output), ElementsAre(0, 0, 0, 7, 6, 3, 2, 0));
    }
}

// The last tile of these reads no element behind the end.
TEST_F(IteratorsOnDevice, AreReadByAlgorithmsWithTheCallersOperators) {
    const std::vector<int32_t> elements{3, 3, 1, 4, 4, 4, 2, 9};
    const core::Buffer input = upload(elements);
    const Type number = Type::of<int32_t>();
    const core::Buffer counted = memory_for<uint64_t>(1);
    {
        const Iterator doubled = Iterator::transform(Iterator::reverse(memory(input), 7), "a * 2", Type::of<int64_t>());
        const Iterator keys = Iterator::reverse(memory(input), 7);
        const ReduceByKey built(keys, doubled, "a + b", Type::of<int64_t>(), "a == b");
        const core::Buffer runs = memory_for<int32_t>(8);
        const core::Buffer sums = memory_for<int64_t>(8);
        built(stream, keys, doubled, runs, sums, counted, 8);
        EXPECT_EQ(download_one<uint64_t>(counted), 5U);
        EXPECT_THAT(download<int32_t>(runs.slice(0, 20)), ElementsAre(9, 2, 4, 1, 3));
        EXPECT_THAT(download<int64_t>(sums.slice(0, 40)), ElementsAre(18, 4, 24, 2, 12));
    }
    {
        const Iterator pairs = Iterator::zip(std::array{memory(input), Iterator::counting(int32_t{0})});
        const Unique built(pairs, "a.field_0 == b.field_0");
        const core::Buffer kept = memory_for<int32_t>(16);
        built(stream, pairs, kept, counted, 8);
        EXPECT_EQ(download_one<uint64_t>(counted), 5U);
        EXPECT_THAT(download<int32_t>(kept.slice(0, 40)), ElementsAre(3, 0, 1, 2, 4, 3, 2, 6, 9, 7));
    }
    {
        const Iterator odd = Iterator::transform(memory(input), "a % 2 == 1", Type(TypeKind::boolean));
        const SelectFlagged built(Iterator::counting(int32_t{0}), odd);
        const core::Buffer kept = memory_for<int32_t>(8);
        built(stream, Iterator::counting(int32_t{0}), odd, kept, counted, 8);
        EXPECT_EQ(download_one<uint64_t>(counted), 4U);
        EXPECT_THAT(download<int32_t>(kept.slice(0, 16)), ElementsAre(0, 1, 2, 7));
    }
}

TEST_F(IteratorsOnDevice, RefuseWhatTheyCannotDo) {
    const Type number = Type::of<int32_t>();
    const Iterator input = Iterator::pointer(number);
    const Iterator constant = Iterator::constant(int32_t{1});
    const Iterator nowhere = Iterator::discard(number);
    EXPECT_THAT(refusal([&] { Transform(nowhere, OpKind::identity, number); }), HasSubstr("can only be written to"));
    EXPECT_THAT(refusal([&] { Transform(input, OpKind::identity, number, {}, {.outputs = {constant}}); }),
                HasSubstr("can only be read"));
    EXPECT_THAT(refusal([&] { Transform(input, OpKind::identity, Type::of<float>(), {}, {.outputs = {nowhere}}); }),
                HasSubstr("takes elements of int32, the results are of float32"));
    EXPECT_THAT(refusal([&] { Transform(input, OpKind::identity, number, {}, {.outputs = {nowhere, nowhere}}); }),
                HasSubstr("2 iterators are given, expected 1"));
    EXPECT_THAT(refusal([&] { RadixSort(SortOrder::ascending, number, std::nullopt, {}, {.outputs = {nowhere}}); }),
                HasSubstr("writes to memory only"));
    EXPECT_THAT(refusal([&] { Partition(input, OpKind::identity, {}, {.outputs = {nowhere}}); }),
                HasSubstr("writes to memory only"));
    EXPECT_THAT(refusal([&] { Unique(input, OpKind::equal_to, {}, {.outputs = {nowhere}}); }),
                HasSubstr("writes to memory only"));
    const Transform built(input, OpKind::identity, number, {}, {.outputs = {nowhere}});
    const core::Buffer memory = memory_for<int32_t>(4);
    EXPECT_THAT(refusal([&] { built(stream, memory, memory, 4); }),
                HasSubstr("it is plain memory, the algorithm was built for discard<int32>"));
}

}  // namespace
}  // namespace cuprum::parallel
