// The host's cores against the C++ standard library: every algorithm, type and operator. No driver takes part.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <span>
#include <thread>

#include "host_fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Elements;
using test::host;
using test::host_sizes;
using test::Point;
using test::random_elements;
using test::refusal;
using test::Stored;
using testing::HasSubstr;

// What an operator does, as the standard library has it; sums wrap around.
template <class T>
T combined(OpKind op, T a, T b) {
    if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
        return op == OpKind::plus ? a + b : a * b;
    } else {
        using Wide = std::conditional_t<
            std::is_floating_point_v<T>, T,
            std::conditional_t<
                std::is_same_v<T, bool>, int,
                std::make_unsigned_t<std::conditional_t<std::is_same_v<T, bool>, int,
                                                        std::conditional_t<std::is_floating_point_v<T>, int, T>>>>>;
        switch (op) {
            case OpKind::plus:
                return static_cast<T>(static_cast<Wide>(a) + static_cast<Wide>(b));
            case OpKind::multiplies:
                return static_cast<T>(static_cast<std::conditional_t<std::is_floating_point_v<T>, T, uint64_t>>(a) *
                                      static_cast<std::conditional_t<std::is_floating_point_v<T>, T, uint64_t>>(b));
            case OpKind::minimum:
                return std::min(a, b);
            case OpKind::maximum:
                return std::max(a, b);
            case OpKind::logical_and:
                return static_cast<T>(a != T{} && b != T{});
            case OpKind::logical_or:
                return static_cast<T>(a != T{} || b != T{});
            default:
                break;
        }
        if constexpr (std::is_integral_v<T>) {
            if (op == OpKind::bit_and) return static_cast<T>(a & b);
            if (op == OpKind::bit_or) return static_cast<T>(a | b);
            if (op == OpKind::bit_xor) return static_cast<T>(a ^ b);
        }
        ADD_FAILURE() << "no reference";
        return a;
    }
}

template <class T>
std::vector<OpKind> operators_of() {
    if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
        return {OpKind::plus};
    } else if constexpr (std::is_floating_point_v<T>) {
        return {OpKind::plus, OpKind::minimum, OpKind::maximum, OpKind::logical_and, OpKind::logical_or};
    } else {
        return {OpKind::plus,   OpKind::multiplies, OpKind::minimum,     OpKind::maximum,   OpKind::bit_and,
                OpKind::bit_or, OpKind::bit_xor,    OpKind::logical_and, OpKind::logical_or};
    }
}

template <class T>
class OnHost : public testing::Test {};
using AllTypes = testing::Types<bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, float,
                                double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(OnHost, AllTypes);

template <class T>
class OrderedOnHost : public testing::Test {};
using OrderedTypes =
    testing::Types<bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, float, double>;
TYPED_TEST_SUITE(OrderedOnHost, OrderedTypes);

// The elements are small multiples of 1/4: every sum is exact, in any order.
TYPED_TEST(OnHost, ReducesWithEveryOperator) {
    using T = TypeParam;
    for (const OpKind op : operators_of<T>()) {
        for (const uint64_t count : host_sizes()) {
            const Elements<T> data(count);
            const T init = static_cast<T>(1);
            const T expected = std::accumulate(data.span().begin(), data.span().end(), init,
                                               [&](T a, T b) { return combined(op, a, b); });
            EXPECT_EQ(reduce(data.span(), init, op, host), expected) << to_string(op) << " of " << count;
        }
    }
}

TYPED_TEST(OnHost, ScansWithEveryOperator) {
    using T = TypeParam;
    for (const OpKind op : operators_of<T>()) {
        for (const uint64_t count : host_sizes()) {
            const Elements<T> data(count);
            const auto combine = [&](T a, T b) { return combined(op, a, b); };
            Elements<T> expected(count, 2);
            Elements<T> output(count, 2);
            std::inclusive_scan(data.span().begin(), data.span().end(), expected.span().begin(), combine);
            parallel::inclusive_scan(data.span(), output.span(), op, host);
            EXPECT_EQ(output.values, expected.values) << "inclusive " << to_string(op) << " of " << count;
            const T init = static_cast<T>(1);
            std::exclusive_scan(data.span().begin(), data.span().end(), expected.span().begin(), init, combine);
            parallel::exclusive_scan(data.span(), output.span(), init, op, host);
            EXPECT_EQ(output.values, expected.values) << "exclusive " << to_string(op) << " of " << count;
            // In place, and with a value before all.
            output = data;
            const Scan in_place(ScanKind::inclusive_with_init, Iterator::pointer(Type::of<T>()), op, Type::of<T>(),
                                host);
            in_place({}, output.span(), output.span(), count, init);
            std::inclusive_scan(data.span().begin(), data.span().end(), expected.span().begin(), combine, init);
            EXPECT_EQ(output.values, expected.values) << "in place " << to_string(op) << " of " << count;
        }
    }
}

TYPED_TEST(OrderedOnHost, SortsInBothOrdersAndByComparison) {
    using T = TypeParam;
    for (const uint64_t count : host_sizes()) {
        const Elements<T> data(count);
        auto expected = data.values;
        std::sort(expected.begin(), expected.end());
        Elements<T> keys = data;
        sort(keys.span(), SortOrder::ascending, host);
        EXPECT_EQ(keys.values, expected) << count;
        keys = data;
        sort(keys.span(), OpKind::less, host);
        EXPECT_EQ(keys.values, expected) << count;
        std::reverse(expected.begin(), expected.end());
        keys = data;
        sort(keys.span(), SortOrder::descending, host);
        EXPECT_EQ(keys.values, expected) << count;
        keys = data;
        sort(keys.span(), "a > b", host);
        EXPECT_EQ(keys.values, expected) << count;
    }
}

// Values of every size, of 12 and 40 bytes too, which are moved through an index.
template <class Value>
void expect_values_to_follow(bool in_place) {
    std::vector<uint64_t> sizes = host_sizes();
    sizes.insert(sizes.end(), {20, 48});  // few
    for (const uint64_t count : sizes) {
        std::vector<int16_t> keys = random_elements<int16_t>(count);
        for (int16_t& key : keys)
            key = static_cast<int16_t>(key % (count < 100 ? 5 : 100));
        std::vector<Value> values(count);
        for (size_t i = 0; i < count; ++i)
            std::memcpy(&values[i], &i, std::min(sizeof(Value), sizeof(i)));
        std::vector<size_t> order(count);
        std::iota(order.begin(), order.end(), size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return keys[a] > keys[b]; });

        const Type value_type = Type::parse(sizeof(Value) == 40 ? "Forty{a:float64,b:float64,c:float64,d:int64,e:int64}"
                                            : sizeof(Value) == 16 ? "Sixteen{a:int64,b:int64}"
                                            : sizeof(Value) == 12 ? "Twelve{a:int32,b:int32,c:int32}"
                                            : sizeof(Value) == 8  ? "int64"
                                            : sizeof(Value) == 4  ? "int32"
                                            : sizeof(Value) == 2  ? "int16"
                                                                  : "int8");
        const RadixSort sort(SortOrder::descending, Type::of<int16_t>(), value_type, host);
        std::vector<int16_t> keys_out = in_place ? keys : std::vector<int16_t>(count);
        std::vector<Value> values_out = in_place ? values : std::vector<Value>(count);
        sort({}, in_place ? keys_out.data() : keys.data(), keys_out.data(),
             in_place ? values_out.data() : values.data(), values_out.data(), count);
        for (size_t i = 0; i < count; ++i) {
            ASSERT_EQ(keys_out[i], keys[order[i]]) << i << " of " << count;
            ASSERT_EQ(std::memcmp(&values_out[i], &values[order[i]], sizeof(Value)), 0) << i << " of " << count;
        }
    }
}
TEST(SortOnHost, IsStableAndMovesValuesOfEverySize) {
    for (const bool in_place : {false, true}) {
        expect_values_to_follow<std::array<std::byte, 1>>(in_place);
        expect_values_to_follow<std::array<std::byte, 2>>(in_place);
        expect_values_to_follow<std::array<std::byte, 4>>(in_place);
        expect_values_to_follow<std::array<std::byte, 8>>(in_place);
        expect_values_to_follow<std::array<std::byte, 12>>(in_place);
        expect_values_to_follow<std::array<std::byte, 16>>(in_place);
        expect_values_to_follow<std::array<std::byte, 40>>(in_place);
    }
}

TEST(SortOnHost, ComparesTheBitsThatAreAskedFor) {
    const RadixSort built(SortOrder::ascending, Type::of<uint32_t>(), std::nullopt, host);
    for (const auto& [begin, end] : {std::pair(0, 32), {5, 9}, {3, 20}, {31, 32}, {0, 1}, {7, 7}, {12, 32}}) {
        for (const uint64_t count : host_sizes()) {
            const std::vector<uint32_t> keys = random_elements<uint32_t>(count);
            std::vector<uint32_t> output(count);
            built({}, keys.data(), output.data(), count, BitRange{begin, end});
            std::vector<uint32_t> expected = keys;
            const auto part = [begin = begin, end = end](uint32_t key) {
                return static_cast<uint32_t>((key & ((uint64_t{1} << end) - 1)) >> begin);
            };
            std::stable_sort(expected.begin(), expected.end(),
                             [&](uint32_t a, uint32_t b) { return part(a) < part(b); });
            EXPECT_EQ(output, expected) << count << " keys, bits " << begin << " to " << end;
        }
    }
    std::vector<uint32_t> keys(3);
    EXPECT_THROW(built({}, keys.data(), keys.data(), 3, BitRange{0, 33}), InvalidArgument);
}

// What a sort does not like: all keys the same, sorted already, backwards, few values, one bucket that has nearly all.
TEST(SortOnHost, TakesKeysThatAreNotRandom) {
    constexpr uint64_t count = 400000;
    std::vector<std::vector<uint64_t>> cases(5, std::vector<uint64_t>(count));
    std::iota(cases[1].begin(), cases[1].end(), uint64_t{1} << 40);
    std::iota(cases[2].rbegin(), cases[2].rend(), uint64_t{7});
    for (uint64_t i = 0; i < count; ++i) {
        cases[3][i] = i * 2654435761 % 3 << 50;
        cases[4][i] = i == 5 ? UINT64_MAX : i * 2654435761 % 100000;
    }
    for (std::vector<uint64_t>& keys : cases) {
        std::vector<uint64_t> expected = keys;
        std::sort(expected.begin(), expected.end());
        sort(std::span(keys), SortOrder::ascending, host);
        EXPECT_EQ(keys, expected);
    }
}

TYPED_TEST(OrderedOnHost, FindsTheFirstExtreme) {
    using T = TypeParam;
    for (const uint64_t count : host_sizes()) {
        const Elements<T> data(count);
        const auto elements = data.span();
        const auto first = [&](auto found) { return count == 0 ? -1 : found - elements.begin(); };
        EXPECT_EQ(argmin(elements, host), first(std::min_element(elements.begin(), elements.end()))) << count;
        EXPECT_EQ(argmax(elements, host), first(std::max_element(elements.begin(), elements.end()))) << count;
    }
}

TEST(ArgReduceOnHost, GivesTheFirstNaN) {
    std::vector<double> data(100000, 1.0);
    data[77777] = data[99998] = std::nan("");
    data[5] = -1;
    EXPECT_EQ(argmin(std::span(data), host), 77777);
    EXPECT_EQ(argmax(std::span(data), host), 77777);
}

TEST(ArgReduceOnHost, WritesPositionAndValue) {
    const std::vector<int16_t> data{3, -4, 9, -4};
    const ArgReduce built(ArgKind::minimum, Iterator::pointer(Type::of<int16_t>()), host);
    Indexed<int16_t> result;
    built({}, std::span(data), &result, data.size());
    EXPECT_EQ(result, (Indexed<int16_t>{1, -4}));
    built({}, std::span(data), &result, 0);
    EXPECT_EQ(result, (Indexed<int16_t>{-1, 0}));
}

TYPED_TEST(OrderedOnHost, ReducesSegments) {
    using T = TypeParam;
    // Many small ones, and few large ones; some empty, some overlapping.
    for (const uint64_t segments : {0, 1, 3, 5000}) {
        const Elements<T> data(100003);
        std::vector<int32_t> begins(segments);
        std::vector<int32_t> ends(segments);
        for (uint64_t i = 0; i < segments; ++i) {
            begins[i] = static_cast<int32_t>(i * 7919 % 100003);
            const uint64_t length = segments < 10 ? 60000 : i * 31 % 300;
            ends[i] = static_cast<int32_t>(std::min<uint64_t>(static_cast<uint64_t>(begins[i]) + length, 100003));
        }
        if (segments > 2) ends[2] = begins[2] - 1;
        const SegmentedReduce built(Iterator::pointer(Type::of<T>()), OpKind::plus, Type::of<int64_t>(),
                                    Type::of<int32_t>(), host);
        std::vector<int64_t> output(segments, -1);
        built({}, data.span(), std::span(output), segments, std::span(begins), std::span(ends), int64_t{10});
        for (uint64_t i = 0; i < segments; ++i) {
            int64_t expected = 10;
            for (int32_t k = begins[i]; k < ends[i]; ++k)
                expected = static_cast<int64_t>(
                    static_cast<uint64_t>(expected) +
                    static_cast<uint64_t>(static_cast<int64_t>(data.values[static_cast<size_t>(k)])));
            ASSERT_EQ(output[i], expected) << "segment " << i << " of " << segments;
        }
    }
}

template <class Result, class T, class Function>
void expect_binary(OpKind op, const Elements<T>& first, const Elements<T>& second, Function reference) {
    std::vector<Stored<Result>> output(first.values.size());
    parallel::transform(HostInput{Type::of<T>(), first.values.data(), first.values.size()},
                        HostInput{Type::of<T>(), second.values.data(), second.values.size()}, op,
                        HostOutput{Type::of<Result>(), output.data(), output.size()}, host);
    for (size_t i = 0; i < output.size(); ++i) {
        ASSERT_EQ(static_cast<Result>(output[i]), static_cast<Result>(reference(first.span()[i], second.span()[i])))
            << to_string(op) << " at " << i;
    }
}

TYPED_TEST(OrderedOnHost, TransformsWithEveryOperator) {
    using T = TypeParam;
    for (const uint64_t count : host_sizes()) {
        const Elements<T> first(count);
        Elements<T> second(count, 2);
        // Arithmetic that fits: undefined is undefined.
        expect_binary<bool>(OpKind::less, first, second, std::less<>());
        expect_binary<bool>(OpKind::less_equal, first, second, std::less_equal<>());
        expect_binary<bool>(OpKind::greater, first, second, std::greater<>());
        expect_binary<bool>(OpKind::greater_equal, first, second, std::greater_equal<>());
        expect_binary<bool>(OpKind::equal_to, first, second, std::equal_to<>());
        expect_binary<int32_t>(OpKind::not_equal_to, first, second, std::not_equal_to<>());
        expect_binary<T>(OpKind::minimum, first, second, [](T a, T b) { return std::min(a, b); });
        expect_binary<T>(OpKind::maximum, first, second, [](T a, T b) { return std::max(a, b); });
        expect_binary<uint8_t>(OpKind::logical_and, first, second, std::logical_and<>());
        expect_binary<double>(OpKind::logical_or, first, second, std::logical_or<>());
        if constexpr (sizeof(T) < 4 || !std::is_integral_v<T>) {
            using Wide = decltype(T{} + T{});  // a byte and a byte are an int
            expect_binary<Wide>(OpKind::plus, first, second, std::plus<>());
            expect_binary<Wide>(OpKind::minus, first, second, std::minus<>());
            // Two 16-bit numbers may have a product that an int has no room for: it wraps around.
            expect_binary<Wide>(OpKind::multiplies, first, second, [](Wide a, Wide b) -> Wide {
                if constexpr (std::is_integral_v<Wide>) {
                    return static_cast<Wide>(static_cast<unsigned>(a) * static_cast<unsigned>(b));
                } else {
                    return a * b;
                }
            });
        }
        for (auto& divisor : second.values) {
            if (divisor == Stored<T>{}) divisor = Stored<T>{1};
            if constexpr (std::is_signed_v<T> && std::is_integral_v<T>) {
                if (divisor == -1) divisor = 3;
            }
        }
        expect_binary<double>(OpKind::divides, first, second, std::divides<>());
        if constexpr (std::is_integral_v<T>) {
            expect_binary<int64_t>(OpKind::modulus, first, second, std::modulus<>());
            expect_binary<int64_t>(OpKind::bit_and, first, second, std::bit_and<>());
            expect_binary<T>(OpKind::bit_or, first, second, std::bit_or<>());
            expect_binary<T>(OpKind::bit_xor, first, second, std::bit_xor<>());
        }
    }
}

TYPED_TEST(OrderedOnHost, TransformsWithEveryUnaryOperator) {
    using T = TypeParam;
    for (const uint64_t count : host_sizes()) {
        const Elements<T> data(count);
        const auto expect = [&]<class Result>(OpKind op, Result, auto reference) {
            std::vector<Stored<Result>> output(count);
            parallel::transform(HostInput{Type::of<T>(), data.values.data(), count}, op,
                                HostOutput{Type::of<Result>(), output.data(), count}, host);
            for (size_t i = 0; i < count; ++i)
                ASSERT_EQ(static_cast<Result>(output[i]), static_cast<Result>(reference(data.span()[i])))
                    << to_string(op);
        };
        expect(OpKind::identity, double{}, std::identity());
        expect(OpKind::identity, T{}, std::identity());
        expect(OpKind::logical_not, bool{}, std::logical_not<>());
        if constexpr (std::is_integral_v<T>) {
            if constexpr (!std::is_same_v<T, bool>) expect(OpKind::bit_not, int64_t{}, std::bit_not<>());
            expect(OpKind::negate, int64_t{},
                   [](T value) { return static_cast<decltype(-value)>(uint64_t{0} - static_cast<uint64_t>(value)); });
        } else {
            expect(OpKind::negate, T{}, std::negate<>());
        }
    }
}

TEST(TransformOnHost, WorksInPlaceAndAcrossTypes) {
    std::vector<int32_t> data = random_elements<int32_t>(5000);
    const std::vector<int32_t> original = data;
    parallel::transform(std::span(data), std::span(data), OpKind::bit_not, host);
    for (size_t i = 0; i < data.size(); ++i)
        ASSERT_EQ(data[i], ~original[i]);
    // In place with another type of the same size.
    parallel::transform(HostInput{Type::of<int32_t>(), data.data(), data.size()}, OpKind::identity,
                        HostOutput{Type::of<float>(), data.data(), data.size()}, host);
    for (size_t i = 0; i < data.size(); ++i)
        ASSERT_EQ(std::bit_cast<float>(data[i]), static_cast<float>(~original[i]));
    // C++'s common type of int8 and uint16 is int.
    const std::vector<int8_t> first{-1, 100};
    const std::vector<uint16_t> second{65535, 1000};
    std::vector<int64_t> output(2);
    parallel::transform(HostInput{Type::of<int8_t>(), first.data(), 2},
                        HostInput{Type::of<uint16_t>(), second.data(), 2}, OpKind::multiplies,
                        HostOutput{Type::of<int64_t>(), output.data(), 2}, host);
    EXPECT_EQ(output, (std::vector<int64_t>{-65535, 100000}));
}

TEST(TransformOnHost, DividesByZeroWithoutATrap) {
    const std::vector<int32_t> first{7, INT32_MIN, 0};
    const std::vector<int32_t> second{0, -1, 0};
    std::vector<int32_t> output(3);
    for (const OpKind op : {OpKind::divides, OpKind::modulus}) {
        parallel::transform(HostInput{Type::of<int32_t>(), first.data(), 3},
                            HostInput{Type::of<int32_t>(), second.data(), 3}, op,
                            HostOutput{Type::of<int32_t>(), output.data(), 3}, host);
        EXPECT_EQ(output[0], 0);
        EXPECT_EQ(output[1], op == OpKind::divides ? INT32_MIN : 0);
    }
}

TEST(IteratorsOnHost, AreReadThroughFunctions) {
    // -(1 + 2 + ... + n), as doubles, of int32 that are counted.
    constexpr uint64_t count = 100000;
    const Iterator negated = Iterator::transform(Iterator::counting(int32_t{1}), OpKind::negate, Type::of<double>());
    const Reduce sum(negated, OpKind::plus, Type::of<double>(), host);
    double result = 0;
    sum({}, negated, &result, count, 0.5);
    EXPECT_EQ(result, 0.5 - 100000.0 * 100001 / 2);
    // Bound per call: another start.
    sum({}, Iterator::transform(Iterator::counting(int32_t{-2}), OpKind::negate, Type::of<double>()), &result, 5, 0.0);
    EXPECT_EQ(result, 0);

    const Iterator threes = Iterator::constant(uint8_t{3});
    const Scan positions(ScanKind::exclusive, threes, OpKind::plus, Type::of<int64_t>(), host);
    std::vector<int64_t> output(count);
    positions({}, threes, std::span(output), count, int64_t{1});
    for (size_t i = 0; i < count; ++i)
        ASSERT_EQ(output[i], 1 + 3 * static_cast<int64_t>(i));

    std::vector<float> data(count);
    std::iota(data.begin(), data.end(), -500.0F);
    const Iterator is_zero =
        Iterator::transform(Iterator::pointer(Type::of<float>(), reinterpret_cast<uintptr_t>(data.data())),
                            OpKind::logical_not, Type::of<int32_t>());
    const ArgReduce find(ArgKind::maximum, is_zero, host);
    Indexed<int32_t> found;
    find({}, is_zero, &found, count);
    EXPECT_EQ(found, (Indexed<int32_t>{500, 1}));
}

TEST(FloatsOnHost, AreSummedAsCloselyAsAnyOrderGives) {
    std::mt19937_64 generator(7);
    std::uniform_real_distribution<float> distribution(-1, 1);
    std::vector<float> data(1 << 20);
    double exact = 0;
    double magnitude = 0;
    for (float& element : data) {
        element = distribution(generator);
        exact += element;
        magnitude += std::abs(element);
    }
    const float sum = reduce(std::span(data), 0.0F, OpKind::plus, host);
    EXPECT_NEAR(sum, exact, magnitude * 1e-6);
    // And always the same bits.
    for (int i = 0; i < 20; ++i)
        ASSERT_EQ(reduce(std::span(data), 0.0F, OpKind::plus, host), sum);
    EXPECT_NEAR(reduce(std::span(data), 0.0, OpKind::plus, host), exact, magnitude * 1e-14);
}

// Which thread does what is chance, and must not be seen in the last bits.
TEST(FloatsOnHost, GiveTheSameBitsEachTime) {
    const uint64_t count = 1000003;
    std::mt19937 generator(1);
    std::vector<float> data(count);
    for (float& element : data)
        element = std::uniform_real_distribution<float>(-1, 1)(generator);
    const auto sum = [&] { return reduce(std::span(data), 0.0F, OpKind::plus, host); };
    const auto sums = [&] {
        std::vector<float> output(count);
        parallel::inclusive_scan(std::span<const float>(data), std::span(output), OpKind::plus, host);
        return output;
    };
    const float first_sum = sum();
    const std::vector<float> first_sums = sums();
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(sum(), first_sum);
        EXPECT_EQ(sums(), first_sums);
    }
}

TEST(HostExecution, IsForSeveralThreadsAtOnce) {
    const Reduce sum(Iterator::pointer(Type::of<int32_t>()), OpKind::plus, Type::of<int64_t>(), host);
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (uint32_t i = 0; i < 8; ++i) {
        threads.emplace_back([&, i] {
            const std::vector<int32_t> data = random_elements<int32_t>(100000, i);
            const int64_t expected = std::accumulate(data.begin(), data.end(), int64_t{0});
            for (int k = 0; k < 20; ++k) {
                int64_t result = 0;
                sum({}, std::span(data), &result, data.size(), int64_t{0});
                std::vector<int32_t> sorted = data;
                sort(std::span(sorted), SortOrder::ascending, host);
                if (result != expected || !std::is_sorted(sorted.begin(), sorted.end())) ++wrong;
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(wrong, 0);
}

TEST(HostExecution, RefusesWhatItCannotDo) {
    const std::vector<float> data(10, 1.0F);
    const std::span<const float> elements(data);
    EXPECT_THAT(refusal<Unsupported>([&] { reduce(elements, 0.0F, "a + b * 2", host); }),
                testing::AllOf(HasSubstr("'a + b * 2'"), HasSubstr("well-known"), HasSubstr("CUPRUM_DRIVER=sim")));
    EXPECT_THAT(refusal<Unsupported>([&] { reduce(elements, 0.0F, OpKind::minus, host); }), HasSubstr("in any order"));
    EXPECT_THAT(refusal<Unsupported>([&] { reduce(elements, 0.0F, OpKind::bit_and, host); }),
                HasSubstr("not defined for float32"));
    EXPECT_THAT(refusal<InvalidArgument>([&] { reduce(elements, 0.0F, OpKind::negate, host); }),
                HasSubstr("1 operand"));
    EXPECT_THAT(
        refusal<Unsupported>([&] { reduce({Type::of<Point>(), data.data(), 1}, 0.0F, OpKind::plus, nullptr, host); }),
        HasSubstr("struct"));
    EXPECT_THAT(refusal<Unsupported>([&] {
                    std::vector<std::complex<float>> numbers(2);
                    reduce(std::span(numbers), 0.0F, OpKind::plus, host);
                }),
                HasSubstr("complex64 does not become float32"));
    EXPECT_THAT(refusal<Unsupported>([&] {
                    std::vector<float> keys(2);
                    sort(std::span(keys), OpKind::less_equal, host);
                }),
                HasSubstr("strict weak ordering"));
    EXPECT_THAT(refusal<Unsupported>([&] {
                    Reduce(Iterator::transform(Iterator::counting(0), "a * a", Type::of<int>()), OpKind::plus,
                           Type::of<int>(), host);
                }),
                HasSubstr("'a * a'"));
    EXPECT_THAT(refusal<Unsupported>([&] {
                    Transform(Iterator::pointer(Type::of<float16>()), Iterator::pointer(Type::of<float>()),
                              OpKind::plus, Type::of<float>(), host);
                }),
                HasSubstr("common type"));
    EXPECT_THAT(
        refusal<Unsupported>([&] { RadixSort(SortOrder::ascending, Type::of<int>(), std::nullopt, host).save(); }),
        HasSubstr("nothing is compiled"));
}

TEST(HostExecution, NamesTheArgumentThatIsWrong) {
    const Reduce sum(Iterator::pointer(Type::of<double>()), OpKind::plus, Type::of<double>(), host);
    const std::vector<double> data(10, 1.0);
    double result = 0;
    const auto call = [&](const Input& input, const Output& output, uint64_t count, const Value& init) {
        return refusal<InvalidArgument>([&] { sum({}, input, output, count, init); });
    };
    EXPECT_THAT(call(static_cast<const double*>(nullptr), &result, 1, 0.0),
                testing::AllOf(HasSubstr("input"), HasSubstr("null")));
    EXPECT_THAT(call(std::span(data), static_cast<double*>(nullptr), 1, 0.0),
                testing::AllOf(HasSubstr("output"), HasSubstr("null")));
    EXPECT_THAT(call(std::span(data), &result, 11, 0.0), HasSubstr("it has 80 bytes, expected 11"));
    EXPECT_THAT(call(data.data(), &result, UINT64_MAX, 0.0), HasSubstr("more than any memory holds"));
    EXPECT_THAT(call(reinterpret_cast<const char*>(data.data()) + 1, &result, 1, 0.0), HasSubstr("not aligned to 8"));
    EXPECT_THAT(call(std::span(data), &result, 1, 0.0F), HasSubstr("initial value"));
    EXPECT_THAT(call(Iterator::counting(0.0), &result, 1, 0.0), HasSubstr("counting<float64>"));
    EXPECT_EQ(result, 0.0) << "a refused call wrote";
    EXPECT_EQ(call(static_cast<const double*>(nullptr), &result, 0, 2.0), "taken");
    EXPECT_EQ(result, 2.0);

    std::vector<int32_t> numbers(10);
    const std::span<int32_t> all(numbers);
    EXPECT_THAT(
        refusal<InvalidArgument>([&] { parallel::inclusive_scan(all.first(9), all.subspan(1), OpKind::plus, host); }),
        HasSubstr("overlap"));
    const RadixSort sort(SortOrder::ascending, Type::of<int32_t>(), std::nullopt, host);
    EXPECT_THAT(refusal<InvalidArgument>([&] { sort({}, all.first(9), all.subspan(1), 9); }), HasSubstr("overlap"));
    EXPECT_EQ(sort.temp_storage_bytes(1 << 20), 0U);
}

}  // namespace
}  // namespace cuprum::parallel
