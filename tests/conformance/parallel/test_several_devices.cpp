// The algorithms on a device whose context is not current to the thread, and one built object on two devices. A program
// of its own, with two simulated devices.
#include <algorithm>
#include <numeric>

#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Parallel;
using test::random_elements;

constexpr uint64_t count = 20011;

class SeveralDevices : public Parallel {
protected:
    void SetUp() override {
        if (core::Device::count() < 2) {
            ASSERT_FALSE(core::Device(0).is_simulator()) << "CUPRUM_SIM=devices=2 is missing";
            GTEST_SKIP() << "this machine has one GPU";
        }
        use(1);
    }
    // What the fixture's functions work with from now on; device 0 is current all the time.
    void use(int32_t ordinal) {
        device = core::Device(ordinal);
        stream = device.create_stream();
        core::Device(0).set_current();
    }
};

TEST_F(SeveralDevices, AReductionRunsWhereItsStreamIs) {
    const Type type = Type::of<uint32_t>();
    for (const int32_t ordinal : {1, 0, 1}) {
        use(ordinal);
        const Reduce reduce(Iterator::pointer(type), OpKind::plus, type, core::Device(ordinal));
        const std::vector<uint32_t> elements = random_elements<uint32_t>(count);
        const core::Buffer in = upload(elements), out = memory_for<uint32_t>(1);
        reduce(stream, in, out, count, uint32_t{7});
        EXPECT_EQ(download_one<uint32_t>(out), std::accumulate(elements.begin(), elements.end(), 7U)) << ordinal;
    }
}

TEST_F(SeveralDevices, ASortTakesItsStorageFromItsStreamsDevice) {
    for (const int32_t ordinal : {1, 0}) {
        use(ordinal);
        const RadixSort sort(SortOrder::ascending, Type::of<uint32_t>(), std::nullopt, core::Device(ordinal));
        std::vector<uint32_t> keys = random_elements<uint32_t>(count);
        const core::Buffer in = upload(keys), out = memory_for<uint32_t>(count);
        sort(stream, in, out, count);
        std::sort(keys.begin(), keys.end());
        EXPECT_EQ(download<uint32_t>(out), keys) << ordinal;
    }
}

TEST_F(SeveralDevices, AScanTakesStreamOrderedMemory) {
    const Type type = Type::of<int64_t>();
    const Scan scan(ScanKind::inclusive, Iterator::pointer(type), OpKind::plus, type, core::Device(1));
    const std::vector<int64_t> elements = random_elements<int64_t>(count);
    const core::Buffer in = device.allocate(count * 8, stream), out = device.allocate(count * 8, stream);
    in.copy_from_host(elements.data(), count * 8, stream);
    scan(stream, in, out, count);
    std::vector<int64_t> found(count), expected(count);
    out.copy_to_host(found.data(), count * 8, stream);
    stream.sync();
    std::partial_sum(elements.begin(), elements.end(), expected.begin(), [](int64_t a, int64_t b) {
        return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
    });
    EXPECT_EQ(found, expected);
}

TEST_F(SeveralDevices, AnAlgorithmIsOfOneDevice) {
    const Type type = Type::of<uint32_t>();
    const Reduce reduce(Iterator::pointer(type), OpKind::plus, type, core::Device(0));
    const core::Buffer in = memory_for<uint32_t>(1), out = memory_for<uint32_t>(1);
    EXPECT_THROW(reduce(stream, in, out, 1, uint32_t{0}), InvalidArgument);
}

}  // namespace
}  // namespace cuprum::parallel
