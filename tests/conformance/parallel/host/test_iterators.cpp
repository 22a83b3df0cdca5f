#include <algorithm>
#include <array>
#include <numeric>

#include "host_fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::host;
using test::host_sizes;
using test::random_elements;
using test::refusal;
using testing::ElementsAre;
using testing::HasSubstr;

template <class T>
Iterator over(const std::vector<T>& elements) {
    return Iterator::pointer(Type::of<T>(), reinterpret_cast<uintptr_t>(elements.data()));
}

template <class T>
std::vector<T> read(const Iterator& iterator, uint64_t count) {
    const Transform copy(iterator, OpKind::identity, Type::of<T>(), host);
    std::vector<T> result(count);
    copy({}, iterator, result, count);
    return result;
}

TEST(IteratorsOnHost, GoBackwardsAndInSteps) {
    for (const uint64_t count : host_sizes()) {
        const std::vector<int32_t> elements = random_elements<int32_t>(3 * count + 1);
        const auto n = static_cast<int64_t>(count);
        std::vector<int32_t> expected(elements.rend() - n, elements.rend());
        EXPECT_EQ(read<int32_t>(Iterator::reverse(over(elements), n - 1), count), expected);
        EXPECT_EQ(read<int32_t>(Iterator::reverse(Iterator::reverse(over(elements), n - 1), n - 1), count),
                  std::vector<int32_t>(elements.begin(), elements.begin() + n));
        for (size_t i = 0; i < count; ++i)
            expected[i] = elements[3 * i + 1];
        EXPECT_EQ(read<int32_t>(Iterator::strided(over(elements), 3, 1), count), expected);
        const Iterator negated = Iterator::transform(over(elements), OpKind::bit_not, Type::of<int32_t>());
        for (int32_t& element : expected)
            element = ~element;
        EXPECT_EQ(read<int32_t>(Iterator::strided(negated, 3, 1), count), expected);
    }
}

TEST(IteratorsOnHost, ShuffleAsOnADevice) {
    // The device's own are compared with these in Agreement.
    EXPECT_THAT(read<int64_t>(Iterator::shuffle(1, 5), 3), ElementsAre(0, 0, 0));
    for (const uint64_t count : {uint64_t{2}, uint64_t{3}, uint64_t{64}, uint64_t{1000}, uint64_t{40000}}) {
        std::vector<int64_t> order = read<int64_t>(Iterator::shuffle(count, count), count);
        EXPECT_TRUE(count < 64 || order != read<int64_t>(Iterator::shuffle(count, count + 2), count))
            << "the seed changes nothing";
        EXPECT_TRUE(count <= 3 || !std::is_sorted(order.begin(), order.end()));
        EXPECT_EQ(
            read<int64_t>(Iterator::strided(Iterator::shuffle(count, count), 1, static_cast<int64_t>(count)), count),
            order)
            << "positions from n on begin again";
        std::sort(order.begin(), order.end());
        for (size_t i = 0; i < count; ++i)
            ASSERT_EQ(order[i], static_cast<int64_t>(i)) << "of " << count;
    }
}

TEST(IteratorsOnHost, PermuteWhatIsReadAndWritten) {
    for (const uint64_t count : host_sizes()) {
        const std::vector<double> values = random_elements<double>(count);
        std::vector<uint16_t> small(count);
        std::vector<int64_t> order(count);
        for (size_t i = 0; i < count; ++i) {
            order[i] = static_cast<int64_t>(i * 40009 % std::max<uint64_t>(count, 1));
            small[i] = static_cast<uint16_t>(i % std::min<uint64_t>(count, 60000));
        }
        std::vector<double> gathered(count);
        for (size_t i = 0; i < count; ++i)
            gathered[i] = values[static_cast<size_t>(order[i])];
        EXPECT_EQ(read<double>(Iterator::permutation(over(values), over(order)), count), gathered);
        for (size_t i = 0; i < count; ++i)
            gathered[i] = values[small[i]];
        EXPECT_EQ(read<double>(Iterator::permutation(over(values), over(small)), count), gathered);

        std::vector<double> scattered(count);
        const Iterator output = Iterator::permutation(over(scattered), over(order));
        const Transform write(over(values), OpKind::negate, Type::of<double>(), host, {.outputs = {output}});
        write({}, values, output, count);
        for (size_t i = 0; i < count; ++i)
            ASSERT_EQ(scattered[static_cast<size_t>(order[i])], -values[i]);
    }
}

struct Pair {
    int32_t number;
    double value;
    friend bool operator==(const Pair&, const Pair&) = default;
};

}  // namespace

template <>
struct TypeTraits<Pair> {
    static Type type() {
        return Type::structure_of<Pair>("Pair", field("number", &Pair::number), field("value", &Pair::value));
    }
};

namespace {

TEST(IteratorsOnHost, ZipWhatMovesTogether) {
    for (const uint64_t count : host_sizes()) {
        const std::vector<double> values = random_elements<double>(count);
        const Iterator zipped =
            Iterator::zip(std::array{Iterator::counting(int32_t{7}), over(values)}, Type::of<Pair>());
        const std::vector<Pair> pairs = read<Pair>(zipped, count);
        for (size_t i = 0; i < count; ++i)
            ASSERT_EQ(pairs[i], (Pair{static_cast<int32_t>(7 + i), values[i]}));

        std::vector<int32_t> numbers(count);
        std::vector<float> halves(count);
        const Iterator apart = Iterator::zip(
            std::array{over(numbers), Iterator::transform_output(over(halves), OpKind::negate, Type::of<double>())},
            Type::of<Pair>());
        const Transform split(zipped, OpKind::identity, Type::of<Pair>(), host, {.outputs = {apart}});
        split({}, zipped, apart, count);
        for (size_t i = 0; i < count; ++i) {
            ASSERT_EQ(numbers[i], static_cast<int32_t>(7 + i));
            ASSERT_EQ(halves[i], -static_cast<float>(values[i]));
        }
    }
}

TEST(IteratorsOnHost, TakeTheResultsOfEveryAlgorithmThatWritesThroughThem) {
    const std::vector<int32_t> elements{3, 3, 0, 4, 4, 4, 0, 9};
    const Type number = Type::of<int32_t>();
    std::vector<int32_t> results(8);
    const Iterator backwards = Iterator::reverse(over(results), 7);
    Reduce(over(elements), OpKind::plus, number, host, {.outputs = {backwards}})({}, elements, backwards, 8, 1);
    EXPECT_EQ(results[7], 28);
    Scan(ScanKind::inclusive, over(elements), OpKind::plus, number, host, {.outputs = {backwards}})({}, elements,
                                                                                                    backwards, 8);
    EXPECT_THAT(results, ElementsAre(27, 18, 18, 14, 10, 6, 6, 3));
    results.assign(8, -1);
    uint64_t selected = 0;
    Select(over(elements), OpKind::identity, host, {.outputs = {backwards}})({}, elements, backwards, &selected, 8);
    EXPECT_EQ(selected, 6U);
    EXPECT_THAT(results, ElementsAre(-1, -1, 9, 4, 4, 4, 3, 3));
    const Iterator nowhere = Iterator::discard(number);
    const Iterator positions = Iterator::counting(int32_t{0});
    UniqueByKey(over(elements), positions, OpKind::equal_to, host, {.outputs = {nowhere, backwards}})(
        {}, elements, positions, nowhere, backwards, &selected, 8);
    EXPECT_EQ(selected, 5U);
    EXPECT_THAT(results, ElementsAre(-1, -1, 9, 7, 6, 3, 2, 0));
}

TEST(IteratorsOnHost, AreRefusedWithTheReason) {
    const Type number = Type::of<int32_t>();
    const std::vector<int32_t> elements(4);
    EXPECT_THAT(refusal<InvalidArgument>([&] { Transform(Iterator::discard(number), OpKind::identity, number, host); }),
                HasSubstr("can only be written to"));
    EXPECT_THAT(refusal<InvalidArgument>([&] {
                    Transform(over(elements), OpKind::identity, number, host,
                              {.outputs = {Iterator::constant(int32_t{1})}});
                }),
                HasSubstr("can only be read"));
    Iterator deep = over(elements);
    for (int i = 0; i < 9; ++i)
        deep = Iterator::reverse(deep, 3);
    EXPECT_THAT(refusal<Unsupported>([&] { Transform(deep, OpKind::identity, number, host); }),
                HasSubstr("more than 8 nested iterators"));
    const Iterator values = Iterator::constant(1.0);
    const Iterator wide = Iterator::zip(std::array{values, values, values});
    EXPECT_THAT(refusal<Unsupported>([&] { Transform(wide, OpKind::identity, wide.value_type(), host); }),
                HasSubstr("24 bytes; on the host's cores they have at most 16"));
    const Transform built(Iterator::permutation(over(elements), Iterator::pointer(number)), OpKind::identity, number,
                          host);
    std::vector<int32_t> results(4);
    EXPECT_THAT(refusal<InvalidArgument>(
                    [&] { built({}, Iterator::permutation(over(elements), Iterator::pointer(number)), results, 4); }),
                HasSubstr("it is null"));
}

}  // namespace
}  // namespace cuprum::parallel
