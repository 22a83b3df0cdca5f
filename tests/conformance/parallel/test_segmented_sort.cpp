// Each segment of the keys sorted, against the standard library.
#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <type_traits>

#include "cuprum/pathfinder/error.hpp"
#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class SortedSegments : public test::Parallel {
protected:
    // One after another, of lengths on each side of where the kernels change their way.
    static std::vector<int64_t> bounds(bool are_short_and_many) {
        std::vector<int64_t> result{0};
        for (const int64_t length : {0,   1,   2, 3,    17, 18, 19,  31,  36,  37,   63,   111,  112,  113,  224,
                                     225, 400, 0, 6000, 1,  9,  639, 640, 641, 1152, 1153, 2176, 2177, 5888, 5889})
            result.push_back(result.back() + length);
        for (int i = 0; are_short_and_many && i < 100; ++i)
            result.push_back(result.back() + i % 23);
        return result;
    }

    template <class Key, class Offset>
    void expect_sorted(SortOrder order, bool are_short_and_many = true) {
        const std::vector<int64_t> all = bounds(are_short_and_many);
        const std::vector<Offset> offsets(all.begin(), all.end());
        const auto count = static_cast<uint64_t>(all.back());
        const uint64_t segments = offsets.size() - 1;
        const std::vector<Key> keys = test::random_elements<Key>(count);
        std::vector<uint32_t> values(count);
        std::iota(values.begin(), values.end(), 0U);
        std::vector<uint32_t> expected = values;
        for (uint64_t i = 0; i < segments; ++i) {
            std::stable_sort(expected.begin() + offsets[i], expected.begin() + offsets[i + 1],
                             [&](uint32_t a, uint32_t b) {
                                 return order == SortOrder::ascending ? keys[a] < keys[b] : keys[b] < keys[a];
                             });
        }
        std::vector<Key> expected_keys;
        for (const uint32_t value : expected)
            expected_keys.push_back(keys[value]);

        const SegmentedSort sort(order, Type::of<Key>(), Type::of<uint32_t>(), Type::of<Offset>());
        const core::Buffer keys_in = upload(keys);
        const core::Buffer values_in = upload(values);
        const core::Buffer begins = upload(offsets);
        const core::Buffer keys_out = memory_for<Key>(count);
        const core::Buffer values_out = memory_for<uint32_t>(count);
        const core::DevicePointer ends = begins.handle() + sizeof(Offset);
        sort(stream, keys_in, keys_out, values_in, values_out, count, segments, begins, ends);
        EXPECT_EQ(download<Key>(keys_out), expected_keys);
        EXPECT_EQ(download<uint32_t>(values_out), expected);
    }
};

TEST_F(SortedSegments, AreSortedWithTheirValuesAndStable) {
    expect_sorted<int32_t, int64_t>(SortOrder::ascending);
    expect_sorted<uint8_t, int32_t>(SortOrder::descending);
    expect_sorted<double, int64_t>(SortOrder::descending);
}

// Most of them, but not all: blocks then sort those that are short as well.
TEST_F(SortedSegments, MayBeFewAndLong) {
    expect_sorted<int32_t, int32_t>(SortOrder::ascending, false);
    expect_sorted<float, int64_t>(SortOrder::descending, false);
    // So long that few fit into the memory of a block that merges.
    const SegmentedSort sort(SortOrder::descending, Type::of<int32_t>());
    const std::vector<int64_t> offsets{0, 3, 9000, 9000, 12000};
    std::vector<int32_t> keys = test::random_elements<int32_t>(12000);
    const core::Buffer on_device = upload(offsets), out = memory_for<int32_t>(12000);
    sort(stream, upload(keys), out, 12000, 4, on_device, core::DevicePointer(on_device.handle() + sizeof(int64_t)));
    for (size_t i = 0; i < 4; ++i)
        std::sort(keys.begin() + offsets[i], keys.begin() + offsets[i + 1], std::greater<>());
    EXPECT_EQ(download<int32_t>(out), keys);
}

TEST_F(SortedSegments, MoveValuesOfAnySize) {
    const auto check = [&]<size_t Words>(std::integral_constant<size_t, Words>) {
        struct Value {
            std::array<int64_t, Words> of;
            bool operator==(const Value&) const = default;
        };
        std::vector<Type::Field> fields;
        for (uint64_t i = 0; i < Words; ++i)
            fields.push_back({"f" + std::to_string(i), Type::of<int64_t>(), 8 * i});
        const Type type = Type::structure("Value" + std::to_string(Words), fields, sizeof(Value), 8);
        const std::vector<int64_t> offsets{0, 200, 201, 320, 700, 705, 3000};
        std::vector<uint16_t> keys(3000);
        std::mt19937 generator(Words);
        for (uint16_t& key : keys)
            key = static_cast<uint16_t>(generator());
        std::vector<Value> values(keys.size());
        for (size_t i = 0; i < values.size(); ++i)
            values[i].of.fill(static_cast<int64_t>(i));
        std::vector<Value> expected = values;
        for (size_t i = 0; i + 1 < offsets.size(); ++i) {
            std::stable_sort(expected.begin() + offsets[i], expected.begin() + offsets[i + 1],
                             [&](const Value& a, const Value& b) {
                                 return keys[static_cast<size_t>(a.of[0])] < keys[static_cast<size_t>(b.of[0])];
                             });
        }
        const SegmentedSort sort(SortOrder::ascending, Type::of<uint16_t>(), type);
        const core::Buffer on_device = upload(offsets), out = memory_for<Value>(keys.size());
        sort(stream, upload(keys), memory_for<uint16_t>(keys.size()), upload(values), out, keys.size(), 6, on_device,
             core::DevicePointer(on_device.handle() + sizeof(int64_t)));
        EXPECT_TRUE(download<Value>(out) == expected) << sizeof(Value) << " bytes";
    };
    check(std::integral_constant<size_t, 8>());
    // Of which a block has no room for 256.
    check(std::integral_constant<size_t, 25>());
    check(std::integral_constant<size_t, 32>());
}

TEST_F(SortedSegments, OfKeysAloneLeaveGapsAndAreMany) {
    const SegmentedSort sort(SortOrder::ascending, Type::of<int16_t>(), std::nullopt, Type::of<int32_t>());
    const core::Buffer keys_in = upload(std::vector<int16_t>{5, 4, 3, 2, 1, 0});
    const core::Buffer keys_out = upload(std::vector<int16_t>(6, 9));
    const core::Buffer begins = upload(std::vector<int32_t>{4, 0, 3});
    const core::Buffer ends = upload(std::vector<int32_t>{6, 2, 3});
    sort(stream, keys_in, keys_out, 6, 3, begins, ends);
    EXPECT_THAT(download<int16_t>(keys_out), ElementsAre(4, 5, 9, 9, 0, 1));
    sort(stream, keys_in, keys_out, 0, 0, begins, ends);

    // More than there are blocks for the long ones.
    const uint64_t segments = 70001;
    std::vector<int16_t> keys = test::random_elements<int16_t>(2 * segments);
    std::vector<int32_t> offsets(segments + 1);
    for (size_t i = 0; i <= segments; ++i)
        offsets[i] = static_cast<int32_t>(2 * i);
    const core::Buffer in = upload(keys);
    const core::Buffer out = memory_for<int16_t>(keys.size());
    const core::Buffer positions = upload(offsets);
    sort(stream, in, out, keys.size(), segments, positions, core::DevicePointer(positions.handle() + sizeof(int32_t)));
    for (size_t i = 0; i < keys.size(); i += 2)
        std::sort(keys.begin() + static_cast<ptrdiff_t>(i), keys.begin() + static_cast<ptrdiff_t>(i) + 2);
    EXPECT_EQ(download<int16_t>(out), keys);
}

TEST_F(SortedSegments, PutNaNsWhereTheirBitsAre) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const SegmentedSort sort(SortOrder::ascending, Type::of<float>(), Type::of<int32_t>());
    std::vector<float> keys{2, nan, -0.0F, -nan, 0.0F, 1};
    keys.resize(306, nan);  // a segment of the medium size
    keys[300] = -1;
    std::vector<int32_t> values(keys.size());
    std::iota(values.begin(), values.end(), 0);
    const core::Buffer keys_in = upload(keys);
    const core::Buffer values_in = upload(values);
    const core::Buffer offsets = upload(std::vector<int64_t>{0, 6, 106, 306});
    const core::Buffer keys_out = memory_for<float>(keys.size());
    const core::Buffer values_out = memory_for<int32_t>(keys.size());
    sort(stream, keys_in, keys_out, values_in, values_out, keys.size(), 3, offsets,
         core::DevicePointer(offsets.handle() + sizeof(int64_t)));
    const std::vector<int32_t> order = download<int32_t>(values_out);
    EXPECT_THAT(std::vector(order.begin(), order.begin() + 6), ElementsAre(3, 2, 4, 5, 0, 1));
    EXPECT_EQ(order[6], 6);
    EXPECT_EQ(order[105], 105);
    EXPECT_EQ(order[106], 300);
    EXPECT_EQ(order[107], 106);
}

TEST_F(SortedSegments, TakeTemporaryStorageFromTheCaller) {
    const SegmentedSort sort(SortOrder::ascending, Type::of<int32_t>(), Type::of<uint32_t>());
    EXPECT_EQ(sort.temp_storage_bytes(100), 0U);
    const uint64_t count = 20000;
    const uint64_t needed = sort.temp_storage_bytes(count);
    EXPECT_GE(needed, count * 8);
    std::vector<int32_t> keys = test::random_elements<int32_t>(count);
    const core::Buffer keys_in = upload(keys);
    const core::Buffer values = upload(std::vector<uint32_t>(count));
    const core::Buffer values_out = memory_for<uint32_t>(count);
    const core::Buffer keys_out = memory_for<int32_t>(count);
    const core::Buffer offsets = upload(std::vector<int64_t>{0, static_cast<int64_t>(count)});
    const core::DevicePointer ends = offsets.handle() + sizeof(int64_t);
    const core::Buffer storage = device.allocate(needed);
    sort(stream, keys_in, keys_out, values, values_out, count, 1, offsets, ends, {.temp_storage = storage});
    std::sort(keys.begin(), keys.end());
    EXPECT_EQ(download<int32_t>(keys_out), keys);
    const core::BufferRef less = storage.slice(0, needed - 256);
    EXPECT_THROW(sort(stream, keys_in, keys_out, values, values_out, count, 1, offsets, ends, {.temp_storage = less}),
                 InvalidArgument);
    EXPECT_THROW(sort(stream, keys_in, keys_in, values, values_out, count, 1, offsets, ends), InvalidArgument);
    EXPECT_THROW(sort(stream, keys_in, keys_out, values, values, count, 1, offsets, ends), InvalidArgument);
    EXPECT_THROW(sort(stream, keys_in, keys_out, count, 1, offsets, ends), InvalidArgument);
    EXPECT_THROW(sort(stream, keys_in, keys_out, values, values_out, count, 3, offsets, ends), InvalidArgument);
}

TEST_F(SortedSegments, RefuseTypesThatHaveNoOrderAndLargeValues) {
    const auto reason = [](auto action) -> std::string {
        try {
            action();
        } catch (const InvalidArgument& error) {
            return error.what();
        }
        return "taken";
    };
    EXPECT_THAT(reason([] { SegmentedSort(SortOrder::ascending, Type::of<test::Point>()); }), HasSubstr("Point"));
    EXPECT_THAT(
        reason([] { SegmentedSort(SortOrder::ascending, Type::of<int32_t>(), std::nullopt, Type::of<uint32_t>()); }),
        HasSubstr("expected int32 or int64"));
    EXPECT_THAT(
        reason([] { SegmentedSort(SortOrder::ascending, Type::of<int32_t>(), Type::parse("Row{x:uint8@0}:257:1")); }),
        HasSubstr("257 bytes, expected at most 256"));
}

}  // namespace
}  // namespace cuprum::parallel
