#include <cmath>
#include <tuple>

#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::host_kinds;
using test::HostElements;
using test::HostKind;
using test::Point;
using test::random_elements;
using test::refusal;
using testing::AllOf;
using testing::HasSubstr;

class OutOfCoreSort : public test::OutOfCore {
protected:
    // Values are the positions of their keys, so that it shows which of equal keys came first.
    static std::vector<uint32_t> places(uint64_t count) {
        std::vector<uint32_t> all(count);
        std::iota(all.begin(), all.end(), 0U);
        return all;
    }

    // In pieces as in one, bit by bit.
    template <class T>
    void expect_order_of_one_piece(const std::vector<T>& keys, SortOrder order) {
        const Type type = Type::of<T>(), places_type = Type::of<uint32_t>();
        SCOPED_TRACE(type.text());
        const std::vector<uint32_t> values = places(keys.size());
        std::array<HostElements<T>, 2> sorted{HostElements<T>(HostKind::pageable, keys.size()),
                                              HostElements<T>(HostKind::pageable, keys.size())};
        std::array<HostElements<uint32_t>, 2> moved{HostElements<uint32_t>(HostKind::pageable, keys.size()),
                                                    HostElements<uint32_t>(HostKind::pageable, keys.size())};
        const core::DeviceMemoryResource large(device, {.max_size = uint64_t{16} << 20});
        const std::array memories{memory(), out_of_core::DeviceMemory{device, uint64_t{16} << 20, large}};
        for (size_t i = 0; i < memories.size(); ++i) {
            const out_of_core::RadixSort sort(order, memories[i], type, places_type);
            sort({type, keys.data(), keys.size()}, sorted[i].output(), {places_type, values.data(), values.size()},
                 moved[i].output());
        }
        EXPECT_EQ(moved[0].get(), moved[1].get());
        EXPECT_EQ(std::memcmp(sorted[0].data(), sorted[1].data(), keys.size() * sizeof(T)), 0);
    }
    // Any bits: of floating-point numbers NaNs with both signs, infinities and numbers that are not normal.
    template <class T>
    std::vector<T> any_bits(uint64_t count) {
        std::vector<T> elements(count);
        for (T& element : elements) {
            const std::array<uint64_t, 2> bits{random(), random()};
            std::memcpy(static_cast<void*>(&element), bits.data(), sizeof(T));
        }
        return elements;
    }
};

TEST_F(OutOfCoreSort, SortsKeysOfAnyNumberInHostMemoryOfAnyKind) {
    const out_of_core::RadixSort sort(SortOrder::ascending, memory(), Type::of<uint32_t>());
    for (const HostKind kind : host_kinds) {
        // None, one, about as many as one piece has, twice the memory, and an odd tail.
        for (const uint64_t count :
             {uint64_t{0}, uint64_t{1}, uint64_t{5000}, uint64_t{7500}, 2 * limit / 4, twice(sizeof(uint32_t))}) {
            SCOPED_TRACE(testing::PrintToString(std::pair(static_cast<int>(kind), count)));
            std::vector<uint32_t> keys = random_elements<uint32_t>(count);
            HostElements<uint32_t> in(kind, keys), out(kind, count);
            sort(in.input(), out.output());
            EXPECT_EQ(in.get(), keys) << "the input has changed";
            std::sort(keys.begin(), keys.end());
            EXPECT_EQ(out.get(), keys);
        }
    }
}

TEST_F(OutOfCoreSort, IsStableWhateverTheKeysAre) {
    const uint64_t total = twice(sizeof(int64_t) + sizeof(uint32_t));
    const std::vector<int64_t> mixed = random_elements<int64_t>(total);
    std::array<std::vector<int64_t>, 5> cases;
    for (uint64_t i = 0; i < total; ++i) {
        cases[0].push_back(mixed[i] % 10);
        cases[1].push_back(-4);
        cases[2].push_back(static_cast<int64_t>(i / 3) - 1000);
        cases[3].push_back(1000 - static_cast<int64_t>(i));
        cases[4].push_back(i < total - 5 ? 7 : mixed[i]);
    }
    for (const SortOrder order : {SortOrder::ascending, SortOrder::descending}) {
        const out_of_core::RadixSort sort(order, memory(), Type::of<int64_t>(), Type::of<uint32_t>());
        for (size_t number = 0; number < cases.size(); ++number) {
            SCOPED_TRACE("case " + std::to_string(number));
            const std::vector<int64_t>& keys = cases[number];
            const HostKind kind = host_kinds[number % host_kinds.size()];
            HostElements<int64_t> in(kind, keys), out(kind, total);
            HostElements<uint32_t> values_in(kind, places(total)), values_out(kind, total);
            sort(in.input(), out.output(), values_in.input(), values_out.output());
            std::vector<uint32_t> expected = places(total);
            std::stable_sort(expected.begin(), expected.end(), [&](uint32_t a, uint32_t b) {
                return order == SortOrder::ascending ? keys[a] < keys[b] : keys[a] > keys[b];
            });
            EXPECT_EQ(values_out.get(), expected);
            std::vector<int64_t> expected_keys;
            for (const uint32_t place : expected)
                expected_keys.push_back(keys[place]);
            EXPECT_EQ(out.get(), expected_keys);
        }
    }
}

TEST_F(OutOfCoreSort, OrdersEveryTypeAsASortInOnePiece) {
    const auto all = [this]<class... Types>(std::tuple<Types...>) {
        (expect_order_of_one_piece(any_bits<Types>(twice(sizeof(Types) + 4)), SortOrder::ascending), ...);
    };
    all(std::tuple<int8_t, uint16_t, int32_t, uint64_t, float16, bfloat16, float, double, int128, uint128>());
    expect_order_of_one_piece(any_bits<int16_t>(20000), SortOrder::descending);
    expect_order_of_one_piece(any_bits<float>(20000), SortOrder::descending);
    std::vector<double> few(12000);
    for (double& each : few)
        each = std::array{0.0, -0.0, std::nan(""), -std::nan(""), 1.0}[random() % 5];
    expect_order_of_one_piece(few, SortOrder::ascending);
    std::vector<Point> points = random_elements<Point>(10000);
    for (Point& point : points)
        point = {std::array{0.0F, -0.0F, 2.0F}[random() % 3], point.weight % 7, static_cast<uint16_t>(point.tag % 9)};
    expect_order_of_one_piece(points, SortOrder::ascending);
    expect_order_of_one_piece(points, SortOrder::descending);
}

TEST_F(OutOfCoreSort, SortsBools) {
    std::vector<uint8_t> keys(twice(1));
    for (uint8_t& key : keys)
        key = random() % 2;
    const out_of_core::RadixSort sort(SortOrder::ascending, memory(), Type::of<bool>());
    const HostOutput elements{Type::of<bool>(), keys.data(), keys.size()};
    const auto ones = std::count(keys.begin(), keys.end(), uint8_t{1});
    sort({elements.type, elements.data, elements.count}, elements);
    EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
    EXPECT_EQ(std::count(keys.begin(), keys.end(), uint8_t{1}), ones);
}

TEST_F(OutOfCoreSort, TakesScratchMemoryAndTheInputsOwn) {
    const uint64_t count = twice(8);
    const Type type = Type::of<uint32_t>();
    const out_of_core::RadixSort sort(SortOrder::descending, memory(), type, type);
    std::vector<uint32_t> keys = random_elements<uint32_t>(count);
    std::vector<uint32_t> sorted = keys;
    std::sort(sorted.rbegin(), sorted.rend());
    for (const HostKind kind : host_kinds) {
        for (const bool is_own : {true, false}) {
            SCOPED_TRACE(testing::PrintToString(std::pair(static_cast<int>(kind), is_own)));
            HostElements<uint32_t> in(kind, keys), values_in(kind, keys), out(kind, count), values_out(kind, count);
            HostElements<uint32_t> scratch(kind, count), values_scratch(kind, count);
            sort(in.input(), out.output(), values_in.input(), values_out.output(), (is_own ? in : scratch).output(),
                 (is_own ? values_in : values_scratch).output());
            EXPECT_EQ(out.get(), sorted);
            EXPECT_EQ(values_out.get(), sorted);
            EXPECT_EQ(in.get() == keys, !is_own);
        }
    }
}

TEST_F(OutOfCoreSort, WorksInPlaceAndIntoWhatOverlaps) {
    const uint64_t count = twice(4);
    const Type type = Type::of<uint32_t>();
    const out_of_core::RadixSort sort(SortOrder::ascending, memory(), type);
    for (const uint64_t shift : {0, 100}) {
        std::vector<uint32_t> keys = random_elements<uint32_t>(count + shift);
        std::vector<uint32_t> expected(keys.begin(), keys.end() - static_cast<std::ptrdiff_t>(shift));
        sort({type, keys.data(), count}, {type, keys.data() + shift, count});
        std::sort(expected.begin(), expected.end());
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), keys.begin() + static_cast<std::ptrdiff_t>(shift)));
    }
}

TEST_F(OutOfCoreSort, SaysHowMuchMemoryIsNeeded) {
    const Type type = Type::of<uint64_t>();
    std::vector<uint64_t> keys = random_elements<uint64_t>(20000), expected = keys;
    std::sort(expected.begin(), expected.end());
    const auto sort = [&](uint64_t bytes) {
        const out_of_core::RadixSort built(SortOrder::ascending, {device, bytes, pool}, type);
        built({type, keys.data(), keys.size()}, {type, keys.data(), keys.size()});
    };
    const std::string message = refusal([&] { sort(8000); });
    EXPECT_THAT(message, AllOf(HasSubstr("memory of device 0"), HasSubstr("8000 bytes may be taken"),
                               HasSubstr("20000 elements need at least ")));
    const std::string_view before = "need at least ";
    const uint64_t needed = std::stoull(message.substr(message.find(before) + before.size()));
    EXPECT_THAT(refusal([&] { sort(needed - 1); }), HasSubstr("need at least " + std::to_string(needed)));
    EXPECT_FALSE(std::is_sorted(keys.begin(), keys.end()));
    sort(needed);
    EXPECT_EQ(keys, expected);
}

TEST_F(OutOfCoreSort, TakesWhatIsFreeWhereNoLimitIsGiven) {
    std::vector<uint32_t> keys = random_elements<uint32_t>(20000), expected = keys;
    std::sort(expected.begin(), expected.end());
    const Type type = Type::of<uint32_t>();
    // All in one piece, which the small pool has no room for.
    const out_of_core::RadixSort sort(SortOrder::ascending, {device, 0, core::VirtualMemoryResource(device)}, type);
    sort({type, keys.data(), keys.size()}, {type, keys.data(), keys.size()});
    EXPECT_EQ(keys, expected);
}

TEST_F(OutOfCoreSort, RefusesWhatDoesNotFit) {
    const Type type = Type::of<uint32_t>();
    const out_of_core::RadixSort alone(SortOrder::ascending, memory(), type);
    const out_of_core::RadixSort pairs(SortOrder::ascending, memory(), type, type);
    std::vector<uint32_t> in{4, 3, 2, 1}, out(4), more(5);
    std::vector<int32_t> other(4);
    const HostInput keys = host_input(in);
    const HostOutput sorted = host_output(out);
    EXPECT_THAT(refusal([&] { alone(keys, host_output(more)); }),
                AllOf(HasSubstr("sorting"), HasSubstr("output keys"), HasSubstr("there are 5"), HasSubstr("4 input")));
    EXPECT_THAT(refusal([&] { alone(keys, host_output(other)); }), AllOf(HasSubstr("int32"), HasSubstr("uint32")));
    EXPECT_THAT(refusal([&] { alone({type, nullptr, 4}, sorted); }), HasSubstr("null, expected 4 elements"));
    EXPECT_THAT(refusal([&] { alone({type, in.data(), UINT64_MAX}, {type, out.data(), UINT64_MAX}); }),
                HasSubstr("18446744073709551615"));
    EXPECT_THAT(refusal([&] { alone(keys, sorted, keys, host_output(more)); }), HasSubstr("built without values"));
    EXPECT_THAT(refusal([&] { pairs(keys, sorted); }), HasSubstr("built with values"));
    EXPECT_THAT(refusal([&] { pairs(keys, sorted, host_input(more), host_output(more)); }),
                AllOf(HasSubstr("input values"), HasSubstr("there are 5")));
    EXPECT_THAT(refusal([&] { pairs(keys, sorted, keys, sorted); }), HasSubstr("overlap"));
    std::vector<uint32_t> values(4);
    const HostOutput moved = host_output(values);
    EXPECT_THAT(refusal([&] { pairs(keys, sorted, keys, moved, host_output(more)); }),
                AllOf(HasSubstr("values' scratch memory"), HasSubstr("the other column has some")));
    EXPECT_THAT(refusal([&] { alone(keys, sorted, sorted); }), AllOf(HasSubstr("scratch"), HasSubstr("overlap")));
    EXPECT_THAT(refusal([&] { alone(keys, sorted, HostOutput{type, more.data(), 3}); }),
                AllOf(HasSubstr("scratch"), HasSubstr("room for 3 elements")));
    EXPECT_THAT(refusal([&] { pairs(keys, sorted, host_input(values), moved, host_output(more), moved); }),
                AllOf(HasSubstr("scratch"), HasSubstr("overlap")));
    EXPECT_THAT(refusal([&] {
                    out_of_core::RadixSort(SortOrder::ascending, {device, limit, core::LegacyPinnedMemoryResource()},
                                           type);
                }),
                AllOf(HasSubstr("memory resource"), HasSubstr("device 0")));
    EXPECT_EQ(in, (std::vector<uint32_t>{4, 3, 2, 1}));
}

}  // namespace
}  // namespace cuprum::parallel
