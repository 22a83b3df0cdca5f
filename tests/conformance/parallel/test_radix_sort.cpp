#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <tuple>

#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Parallel;
using test::Point;
using test::random_elements;
using test::sizes;
using testing::HasSubstr;

template <class Key>
bool same_bits(Key left, Key right) {
    using Bits = std::array<std::byte, sizeof(Key)>;
    return std::bit_cast<Bits>(left) == std::bit_cast<Bits>(right);
}

class Radix : public Parallel {
protected:
    template <class Key>
    std::vector<Key> sort(const RadixSort& sort, const std::vector<Key>& keys, const BitRange& bits = {}) const {
        const core::Buffer input = upload(keys);
        const core::Buffer output = memory_for<Key>(keys.size());
        sort(stream, input, output, keys.size(), bits);
        const std::vector<Key> left = download<Key>(input);
        // Bit by bit: a NaN does not equal itself.
        EXPECT_TRUE(std::equal(left.begin(), left.end(), keys.begin(), same_bits<Key>)) << "the input was changed";
        return download<Key>(output);
    }

    template <class Key>
    void expect_sorted(SortOrder order) const {
        const RadixSort built(order, Type::of<Key>());
        for (const uint64_t count : sizes()) {
            const std::vector<Key> keys = random_elements<Key>(count);
            std::vector<Key> expected = keys;
            if (order == SortOrder::ascending) {
                std::sort(expected.begin(), expected.end());
            } else {
                std::sort(expected.begin(), expected.end(), std::greater<>());
            }
            EXPECT_EQ(sort(built, keys), expected) << count << " keys";
        }
    }
};

TEST_F(Radix, SortsUnsigned) {
    expect_sorted<uint32_t>(SortOrder::ascending);
}
TEST_F(Radix, SortsSignedDescending) {
    expect_sorted<int64_t>(SortOrder::descending);
}
TEST_F(Radix, SortsFloats) {
    expect_sorted<float>(SortOrder::ascending);
}
TEST_F(Radix, SortsBytesAndBools) {
    expect_sorted<int8_t>(SortOrder::ascending);
    expect_sorted<bool>(SortOrder::descending);
}

TEST_F(Radix, MovesValuesWithTheirKeysAndIsStable) {
    const RadixSort built(SortOrder::ascending, Type::of<uint16_t>(), Type::of<Point>());
    for (const uint64_t count : sizes()) {
        std::vector<uint16_t> keys = random_elements<uint16_t>(count);
        for (uint16_t& key : keys)
            key %= 300;
        std::vector<Point> values(count);
        for (size_t i = 0; i < count; ++i)
            values[i].weight = static_cast<int32_t>(i);
        std::vector<size_t> order(count);
        for (size_t i = 0; i < count; ++i)
            order[i] = i;
        std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return keys[a] < keys[b]; });

        const core::Buffer keys_out = memory_for<uint16_t>(count);
        const core::Buffer values_out = memory_for<Point>(count);
        built(stream, upload(keys), keys_out, upload(values), values_out, count);
        const auto sorted_keys = download<uint16_t>(keys_out);
        const auto sorted_values = download<Point>(values_out);
        for (size_t i = 0; i < count; ++i) {
            ASSERT_EQ(sorted_keys[i], keys[order[i]]) << i << " of " << count;
            ASSERT_EQ(sorted_values[i].weight, static_cast<int32_t>(order[i])) << i << " of " << count;
        }
    }
}

TEST_F(Radix, ComparesOnlyTheBitsAsked) {
    const RadixSort built(SortOrder::ascending, Type::of<uint32_t>());
    const std::vector<uint32_t> keys = random_elements<uint32_t>(20011);
    for (const auto& [begin, end] : {std::pair{4, 12}, std::pair{0, 20}, std::pair{31, 32}, std::pair{7, 7}}) {
        std::vector<uint32_t> expected = keys;
        const auto part = [begin = begin, end = end](uint32_t key) {
            return (uint64_t{key} >> begin) & ((uint64_t{1} << (end - begin)) - 1);
        };
        std::stable_sort(expected.begin(), expected.end(), [&](uint32_t a, uint32_t b) { return part(a) < part(b); });
        EXPECT_EQ(sort(built, keys, {begin, end}), expected) << begin << " to " << end;
    }
    const core::Buffer memory = memory_for<uint32_t>(8);
    EXPECT_THROW(built(stream, memory.slice(0, 16), memory.slice(16, 16), 4, {0, 33}), InvalidArgument);
    EXPECT_THROW(built(stream, memory.slice(0, 16), memory.slice(16, 16), 4, {5, 4}), InvalidArgument);
}

TEST_F(Radix, PutsNaNsAtTheEndsByTheirSignAndTakesBothZerosForEqual) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> keys{1,
                                  nan,
                                  -0.0F,
                                  -std::numeric_limits<float>::infinity(),
                                  std::copysign(nan, -1.0F),
                                  0.0F,
                                  std::numeric_limits<float>::infinity()};
    const std::vector<float> sorted = sort(RadixSort(SortOrder::ascending, Type::of<float>()), keys);
    EXPECT_TRUE(std::isnan(sorted[0]) && std::signbit(sorted[0]));
    EXPECT_EQ(sorted[1], -std::numeric_limits<float>::infinity());
    EXPECT_TRUE(sorted[2] == 0 && std::signbit(sorted[2])) << "-0 came before +0";
    EXPECT_TRUE(sorted[3] == 0 && !std::signbit(sorted[3]));
    EXPECT_TRUE(std::isnan(sorted[6]) && !std::signbit(sorted[6]));
}

// Of few weights and tags, so that later fields decide.
std::vector<Point> points_with_ties(uint64_t count) {
    std::vector<Point> points = test::random_elements<Point>(count);
    for (Point& point : points)
        point = {static_cast<float>(point.weight % 5 - 2), point.weight % 7 - 3,
                 static_cast<uint16_t>(point.tag % 3000)};
    return points;
}

TEST_F(Radix, SortsStructsByTheirFieldsInTheirOrder) {
    const auto fields = [](const Point& point) { return std::tuple(point.x, point.weight, point.tag); };
    for (const SortOrder order : {SortOrder::ascending, SortOrder::descending}) {
        const RadixSort sort(order, Type::of<Point>(), Type::of<uint32_t>());
        for (const uint64_t count : {0, 1, 33, 1000, 20011}) {
            SCOPED_TRACE(count);
            const std::vector<Point> keys = points_with_ties(count);
            std::vector<uint32_t> places(count);
            std::iota(places.begin(), places.end(), 0U);
            const core::Buffer in = upload(keys), values = upload(places);
            const core::Buffer out = memory_for<Point>(count), values_out = memory_for<uint32_t>(count);
            sort(stream, in, out, values, values_out, count);
            std::stable_sort(places.begin(), places.end(), [&](uint32_t a, uint32_t b) {
                return order == SortOrder::ascending ? fields(keys[a]) < fields(keys[b])
                                                     : fields(keys[b]) < fields(keys[a]);
            });
            EXPECT_EQ(download<uint32_t>(values_out), places);
            std::vector<Point> expected;
            for (const uint32_t place : places)
                expected.push_back(keys[place]);
            EXPECT_EQ(download<Point>(out), expected);
        }
    }
}

TEST_F(Radix, SortsStructsByBitsOfTheirFields) {
    // x has bits 48 to 79, weight 16 to 47, tag 0 to 15: padding is not counted.
    const RadixSort sort(SortOrder::ascending, Type::of<Point>());
    std::vector<Point> keys = points_with_ties(4097);
    const core::Buffer in = upload(keys), out = memory_for<Point>(keys.size());
    sort(stream, in, out, keys.size(), {.begin = 4, .end = 48});
    std::stable_sort(keys.begin(), keys.end(), [](const Point& a, const Point& b) {
        return std::tuple(a.weight, a.tag >> 4) < std::tuple(b.weight, b.tag >> 4);
    });
    EXPECT_EQ(download<Point>(out), keys);
    EXPECT_THROW(sort(stream, in, out, keys.size(), {.begin = 0, .end = 81}), InvalidArgument);
}

TEST_F(Radix, TakesKeysOfAtMost48BytesOnADevice) {
    EXPECT_NO_THROW(RadixSort("c", Type::parse("Key{a:int128,b:int128,c:int128}")));
    const Type wide = Type::parse("Key{a:int128,b:int128,c:int128,d:int8}");
    EXPECT_THROW(RadixSort("d", wide), InvalidArgument);
    EXPECT_THROW(RadixSort(SortOrder::ascending, wide), InvalidArgument);
}

// Numbers of every kind, in and between which there is padding; names of numbers and of structs of them.
constexpr const char* mixed_text =
    "Mixed{flag:bool,half:float16,place:Place{x:int16,y:float32},small:int8,big:int128,far:float64}";
constexpr std::array mixed_fields{"flag", "half", "place", "place.x", "place.y", "small", "big", "far"};

std::string random_fields(std::mt19937& random) {
    std::vector<const char*> names(mixed_fields.begin(), mixed_fields.end());
    std::shuffle(names.begin(), names.end(), random);
    std::string fields;
    bool has_place = false;
    for (const std::string name : std::span(names).first(1 + random() % 4)) {
        const bool is_of_place = name.starts_with("place");
        if (is_of_place && has_place) continue;
        has_place |= is_of_place;
        fields += (fields.empty() ? "" : ", ") + std::string(random() % 2 == 0 ? "-" : "") + name;
    }
    return fields;
}

// The numbers of a struct, and where they are: what lies between them is nobody's.
void for_each_number(const Type& type, uint64_t offset, const std::function<void(const Type&, uint64_t)>& visit) {
    if (!type.is_structure()) return visit(type, offset);
    for (const Type::Field& field : type.fields())
        for_each_number(field.type, offset + field.offset, visit);
}

// Of few bytes: with ties, zeros of both signs, infinities and NaNs.
std::vector<std::byte> mixed_keys(const Type& type, uint64_t count, std::mt19937& random) {
    constexpr std::array<uint8_t, 6> bytes{0, 0, 0, 0x80, 0x7f, 0xff};
    std::vector<std::byte> keys(count * type.size());
    for (uint64_t i = 0; i < count; ++i) {
        for_each_number(type, i * type.size(), [&](const Type& number, uint64_t at) {
            for (uint64_t byte = at; byte < at + number.size(); ++byte)
                keys[byte] = std::byte{bytes[random() % bytes.size()]};
            if (number == Type(TypeKind::boolean)) keys[at] &= std::byte{1};
        });
    }
    return keys;
}

TEST_F(Radix, GoesByChosenFieldsAsAMergeSortDoes) {
    const Type type = Type::parse(mixed_text);
    std::mt19937 random(20261);
    for (int round = 0; round < 3; ++round) {
        const std::string fields = round == 0 ? "-flag, far" : random_fields(random);
        const RadixSort sort(fields, type, Type::of<uint32_t>());
        const MergeSort reference(Operator::by_fields(type, fields), type, Type::of<uint32_t>());
        EXPECT_EQ(sort.fields(), fields);
        for (const uint64_t count : {0, 1, 700, 5003}) {
            SCOPED_TRACE(fields + ", " + std::to_string(count) + " keys");
            const std::vector<std::byte> keys = mixed_keys(type, count, random);
            std::vector<uint32_t> places(count);
            std::iota(places.begin(), places.end(), 0U);
            const core::Buffer in = upload(keys), values = upload(places);
            const core::Buffer out = memory_for<std::byte>(keys.size()), moved = memory_for<uint32_t>(count);
            reference(stream, in, out, values, moved, count);
            const std::vector<uint32_t> expected = download<uint32_t>(moved);
            sort(stream, in, out, values, moved, count);
            ASSERT_EQ(download<uint32_t>(moved), expected);
            const std::vector<std::byte> sorted = download<std::byte>(out);
            for (uint64_t i = 0; i < count; ++i) {
                for_each_number(type, 0, [&](const Type& number, uint64_t at) {
                    ASSERT_EQ(std::memcmp(&sorted[i * type.size() + at], &keys[expected[i] * type.size() + at],
                                          number.size()),
                              0)
                        << "key " << i << ", the number at byte " << at;
                });
            }
        }
    }
}

TEST_F(Radix, GoesByBitsOfChosenFieldsAndBetweenTwoArrays) {
    // weight has bits 16 to 47, tag, inverted, 0 to 15.
    const RadixSort sort("weight, -tag", Type::of<Point>());
    std::vector<Point> keys = points_with_ties(4097);
    const core::Buffer in = upload(keys), out = memory_for<Point>(keys.size());
    sort(stream, in, out, keys.size(), {.begin = 4, .end = 20});
    std::vector<Point> expected = keys;
    std::stable_sort(expected.begin(), expected.end(), [](const Point& a, const Point& b) {
        return std::tuple(a.weight & 15, b.tag >> 4) < std::tuple(b.weight & 15, a.tag >> 4);
    });
    EXPECT_EQ(download<Point>(out), expected);
    EXPECT_THAT(test::refusal([&] { sort(stream, in, out, keys.size(), {.end = 49}); }),
                HasSubstr("the 48 bits of the fields 'weight, -tag'"));

    DoubleBuffer between(in, out);
    sort(stream, between, keys.size());
    std::stable_sort(keys.begin(), keys.end(), [](const Point& a, const Point& b) {
        return std::tuple(a.weight, b.tag) < std::tuple(b.weight, a.tag);
    });
    EXPECT_EQ(download<Point>(between.selector() == 0 ? in : out), keys);
}

TEST_F(Radix, RefusesFieldsThatThereAreNot) {
    const auto said = [](const char* fields, const Type& type) {
        return test::refusal([&] { RadixSort(fields, type); });
    };
    EXPECT_THAT(said("z", Type::of<Point>()), HasSubstr("'Point' has x, weight, tag"));
    EXPECT_THAT(said("x, x", Type::of<Point>()), HasSubstr("field 'x'): it is named twice"));
    EXPECT_THAT(said("", Type::of<Point>()), HasSubstr("'Point' has x, weight, tag"));
    EXPECT_THAT(said("x", Type::of<int>()), HasSubstr("it is no struct"));
    EXPECT_THAT(said("z", Type::parse("C{z:complex64}")), HasSubstr("complex"));
    std::string many;
    for (int i = 0; i < 65; ++i)
        many += (i == 0 ? "f" : ",f") + std::to_string(i) + ":int8";
    EXPECT_THAT(said("-all", Type::parse("Outer{all:Many{" + many + "}}")), HasSubstr("it has 65 numbers"));
}

TEST_F(Radix, RefusesWhatHasNoOrderAndWhatOverlaps) {
    EXPECT_THROW(RadixSort(SortOrder::ascending, Type::of<std::complex<float>>()), InvalidArgument);
    EXPECT_THROW(RadixSort(SortOrder::ascending, Type::parse("P{x:int32,part:complex64}")), InvalidArgument);
    std::string many;
    for (int i = 0; i < 65; ++i)
        many += (i == 0 ? "f" : ",f") + std::to_string(i) + ":int8";
    EXPECT_THROW(RadixSort(SortOrder::ascending, Type::parse("Many{" + many + "}")), InvalidArgument);
    const RadixSort built(SortOrder::ascending, Type::of<uint32_t>());
    const core::Buffer memory = memory_for<uint32_t>(8);
    try {
        built(stream, memory.slice(0, 16), memory.slice(12, 16), 4);
        FAIL() << "overlapping memory was taken";
    } catch (const InvalidArgument& error) {
        EXPECT_THAT(error.object(), HasSubstr("input keys and output keys"));
    }
}

// Products of such counts and sizes wrap around: what would be compared with memory and storage is a small number.
TEST_F(Radix, RefusesCountsThatNoMemoryHolds) {
    const RadixSort sort(SortOrder::ascending, Type::of<uint64_t>());
    const Reduce reduce(Iterator::pointer(Type::of<int32_t>()), OpKind::plus, Type::of<int32_t>());
    const core::Buffer memory = memory_for<uint64_t>(8);
    for (const uint64_t count : {uint64_t{1} << 60, (uint64_t{1} << 61) + 1, UINT64_MAX}) {
        EXPECT_THROW(sort.temp_storage_bytes(count), InvalidArgument) << count;
        EXPECT_THROW(sort(stream, memory.handle(), memory.handle() + 32, count), InvalidArgument) << count;
        EXPECT_THROW(reduce.temp_storage_bytes(count), InvalidArgument) << count;
        EXPECT_THROW(reduce(stream, memory.handle(), memory, count, 0), InvalidArgument) << count;
    }
}

TEST_F(Radix, GoesBetweenTheArraysOfADoubleBuffer) {
    const RadixSort built(SortOrder::ascending, Type::of<uint32_t>(), Type::of<int32_t>());
    const RadixSort alone(SortOrder::ascending, Type::of<uint32_t>());
    for (const uint64_t count : sizes()) {
        const std::vector<uint32_t> keys = random_elements<uint32_t>(count);
        std::vector<int32_t> positions(count);
        for (size_t i = 0; i < count; ++i)
            positions[i] = static_cast<int32_t>(i);
        // Of 32 bits there are 4 passes, of 24 there are 3; of 0 there is none.
        for (const int32_t end : {32, 24, 0}) {
            const core::Buffer first = upload(keys), second = memory_for<uint32_t>(count);
            const core::Buffer values = upload(positions), other_values = memory_for<int32_t>(count);
            DoubleBuffer key_buffer(first, second), value_buffer(values, other_values);
            const BitRange bits{0, end};
            const uint64_t needed = built.double_buffer_storage_bytes(count, bits);
            EXPECT_LE(needed, built.temp_storage_bytes(count, bits));
            const core::Buffer storage = device.allocate(std::max<uint64_t>(needed, 1));
            built(stream, key_buffer, value_buffer, count, bits, {.temp_storage = storage});
            EXPECT_EQ(key_buffer.selector(), value_buffer.selector());
            EXPECT_EQ(key_buffer.current().address(), key_buffer.selector() == 0 ? first.handle() : second.handle());
            std::vector<int32_t> order = positions;
            const uint32_t mask = end == 32 ? ~0U : (1U << end) - 1;
            std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
                return (keys[static_cast<size_t>(a)] & mask) < (keys[static_cast<size_t>(b)] & mask);
            });
            EXPECT_EQ(download<int32_t>(value_buffer.selector() == 0 ? values : other_values), order)
                << count << " keys, " << end << " bits";
            std::vector<uint32_t> expected(count);
            for (size_t i = 0; i < count; ++i)
                expected[i] = keys[static_cast<size_t>(order[i])];
            EXPECT_EQ(download<uint32_t>(key_buffer.selector() == 0 ? first : second), expected);
            // And on from there.
            DoubleBuffer again(key_buffer.current(), key_buffer.alternate());
            alone(stream, again, count);
            std::sort(expected.begin(), expected.end());
            const bool is_first = again.current().address() == first.handle();
            EXPECT_EQ(download<uint32_t>(is_first ? first : second), expected);
        }
    }
}

TEST_F(Radix, NeedsNoMemoryForTheElementsBetweenTwoArrays) {
    const RadixSort built(SortOrder::ascending, Type::of<uint32_t>());
    constexpr uint64_t count = 1 << 20;
    EXPECT_GE(built.temp_storage_bytes(count), built.double_buffer_storage_bytes(count) + 4 * count);
}

TEST_F(Radix, RefusesADoubleBufferOfOneArrayOrOfIterators) {
    const RadixSort built(SortOrder::ascending, Type::of<int32_t>());
    const core::Buffer memory = upload(std::vector<int32_t>{3, 1, 2});
    DoubleBuffer same(memory, memory);
    const Iterator iterator = Iterator::pointer<int32_t>(memory);
    DoubleBuffer iterators(iterator, memory);
    const auto object_of_error = [&](DoubleBuffer& keys) -> std::string {
        try {
            built(stream, keys, 3);
        } catch (const InvalidArgument& error) {
            return error.what();
        }
        return "none";
    };
    EXPECT_THAT(object_of_error(same), HasSubstr("input keys and output keys"));
    EXPECT_THAT(object_of_error(iterators), HasSubstr("an iterator is in a double buffer, expected memory"));
    EXPECT_EQ(same.selector(), 0) << "a failed call changes nothing";
}

}  // namespace
}  // namespace cuprum::parallel
