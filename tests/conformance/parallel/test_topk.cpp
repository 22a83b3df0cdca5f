// The k smallest or largest keys, against the standard library.
#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "cuprum/pathfinder/error.hpp"
#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

class TopOnes : public test::Parallel {
protected:
    template <class Key>
    void expect_top(SortOrder order, uint64_t count, uint64_t k, const BuildOptions& options = {}) {
        SCOPED_TRACE(std::to_string(k) + " of " + std::to_string(count));
        const std::vector<Key> keys = test::random_elements<Key>(count);
        std::vector<Key> expected = keys;
        if (order == SortOrder::ascending) {
            std::sort(expected.begin(), expected.end());
        } else {
            std::sort(expected.begin(), expected.end(), std::greater<>());
        }
        expected.resize(k);
        const TopkPairs top(order, Iterator::pointer(Type::of<Key>()), Iterator::counting(int32_t{0}), {}, options);
        const core::Buffer in = upload(keys);
        const core::Buffer keys_out = memory_for<Key>(k);
        const core::Buffer values_out = memory_for<int32_t>(k);
        const core::Buffer storage = device.allocate(std::max<uint64_t>(top.temp_storage_bytes(count), 1));
        top(stream, in, Iterator::counting(int32_t{0}), keys_out, values_out, k, count, {.temp_storage = storage});
        std::vector<Key> found = download<Key>(keys_out);
        std::vector<int32_t> positions = download<int32_t>(values_out);
        for (size_t i = 0; i < k; ++i)
            ASSERT_EQ(keys[static_cast<size_t>(positions[i])], found[i]) << i;
        std::sort(positions.begin(), positions.end());
        EXPECT_EQ(std::adjacent_find(positions.begin(), positions.end()), positions.end()) << "a key is there twice";
        std::sort(found.begin(), found.end());
        std::sort(expected.begin(), expected.end());
        EXPECT_EQ(found, expected);
    }
};

TEST_F(TopOnes, AreThoseThatASortPutsInFront) {
    for (const uint64_t count : test::sizes()) {
        for (const uint64_t k : {uint64_t{0}, std::min<uint64_t>(count, 1), count / 3, count})
            expect_top<int32_t>(SortOrder::descending, count, k);
    }
    // In one block and in several: up to 8192 keys of 4 bytes, 4096 of 8, and above.
    for (const uint64_t count : {uint64_t{4096}, uint64_t{4097}, uint64_t{8192}, uint64_t{8193}, uint64_t{20011}}) {
        expect_top<uint8_t>(SortOrder::ascending, count, 4000);
        expect_top<int16_t>(SortOrder::ascending, count, 100);
        expect_top<float>(SortOrder::descending, count, 100);
        expect_top<double>(SortOrder::ascending, count, 3000, {.always_wide = true});
        expect_top<int64_t>(SortOrder::descending, count, count - 1);
    }
}

TEST_F(TopOnes, OfFewNeedNoTemporaryStorage) {
    const TopkKeys top(SortOrder::ascending, Iterator::pointer(Type::of<int32_t>()));
    EXPECT_EQ(top.temp_storage_bytes(8192), 0U);
    EXPECT_GT(top.temp_storage_bytes(8193), 0U);
}

TEST_F(TopOnes, OrderNaNsAndZerosAsARadixSort) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const core::Buffer in = upload(std::vector<float>{0.0F, -1.0F, nan, -0.0F, 5.0F, -0.0F});
    const core::Buffer out = memory_for<float>(2);
    const TopkKeys largest(SortOrder::descending, Iterator::pointer(Type::of<float>()));
    largest(stream, in, out, 2, 6);
    const std::vector<float> found = download<float>(out);
    EXPECT_EQ(std::count(found.begin(), found.end(), 5.0F), 1);
    EXPECT_EQ(std::count_if(found.begin(), found.end(), [](float each) { return each != each; }), 1);
    const TopkKeys smallest(SortOrder::ascending, Iterator::pointer(Type::of<float>()));
    smallest(stream, in, out, 2, 6);
    EXPECT_THAT(download<float>(out), UnorderedElementsAre(-1.0F, 0.0F));
    const core::Buffer same = upload(std::vector<bool>(5000, true));
    const TopkKeys of_bool(SortOrder::ascending, Iterator::pointer(Type::of<bool>()));
    const core::Buffer truths = memory_for<bool>(3);
    of_bool(stream, same, truths, 3, 5000);
    EXPECT_THAT(download<bool>(truths), ElementsAre(true, true, true));
}

TEST_F(TopOnes, RefuseWhatDoesNotFit) {
    const Iterator numbers = Iterator::pointer(Type::of<int32_t>());
    const TopkPairs top(SortOrder::ascending, numbers, numbers);
    const core::Buffer data = upload(std::vector<int32_t>(100, 1));
    const core::Buffer keys_out = memory_for<int32_t>(10);
    const core::Buffer values_out = memory_for<int32_t>(10);
    EXPECT_THROW(top(stream, data, data, keys_out, values_out, 101, 100), InvalidArgument);
    EXPECT_THROW(top(stream, data, data, keys_out, values_out, 11, 100), InvalidArgument);
    EXPECT_THROW(top(stream, data, data, keys_out, keys_out, 10, 100), InvalidArgument);
    EXPECT_THROW(top(stream, data, data, data, values_out, 10, 100), InvalidArgument);
    EXPECT_THROW(top(stream, data, data, keys_out, core::DevicePointer{0}, 10, 100), InvalidArgument);
    EXPECT_NO_THROW(top(stream, data, data, keys_out, values_out, 10, 100));
    const core::Buffer little = device.allocate(16);
    const core::Buffer many = upload(std::vector<int32_t>(10000, 1));
    EXPECT_THROW(top(stream, many, many, keys_out, values_out, 10, 10000, {.temp_storage = little}), InvalidArgument);
    EXPECT_NO_THROW(top(stream, many, many, keys_out, values_out, 10, 10000));
    stream.sync();
    EXPECT_THROW(TopkKeys(SortOrder::ascending, Iterator::pointer(Type::of<test::Point>())), InvalidArgument);
    EXPECT_THROW(TopkKeys(SortOrder::ascending, Iterator::pointer(Type::of<std::complex<float>>())), InvalidArgument);
    EXPECT_THROW(TopkKeys(static_cast<SortOrder>(7), numbers), InvalidArgument);
}

}  // namespace
}  // namespace cuprum::parallel
