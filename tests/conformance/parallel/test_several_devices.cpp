// The algorithms on a device whose context is not current to the thread, and one built object on two devices. A program
// of its own, with two simulated devices.
#include <algorithm>
#include <numeric>
#include <string>

#include <gmock/gmock.h>

#include "cuprum/bindings/driver.hpp"
#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Parallel;
using test::random_elements;
using testing::AllOf;
using testing::HasSubstr;

constexpr uint64_t count = 20011;

// What a call says that is refused.
template <class Action>
std::string refusal(const Action& action) {
    try {
        action();
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "it was not refused";
}

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
    EXPECT_THAT(refusal([&] { reduce(stream, in, out, 1, uint32_t{0}); }),
                AllOf(HasSubstr("stream"), HasSubstr("one of device 1"), HasSubstr("built for device 0")));
}

// What would otherwise fail in a kernel, and with it the device's context.
TEST_F(SeveralDevices, MemoryOfAnotherDeviceIsRefusedBeforeTheLaunch) {
    const Type type = Type::of<uint32_t>();
    const core::Device here(0), there(1);
    use(0);
    const Reduce reduce(Iterator::pointer(type), OpKind::plus, type, here);
    const Iterator doubled = Iterator::transform(Iterator::pointer(type), Operator("2 * a"), type);
    const Reduce reduce_doubled(doubled, OpKind::plus, type, here);
    const std::vector<uint32_t> elements(count, 1);
    const core::Buffer in = upload(elements), out = memory_for<uint32_t>(1);
    const core::Stream foreign = there.create_stream();
    const core::Buffer far = there.allocate(count * 4), far_in_order = there.allocate(count * 4, foreign);
    foreign.sync();
    const auto names_both = [](const char* what) {
        return AllOf(HasSubstr("reducing"), HasSubstr(what), HasSubstr("memory of device 1"),
                     HasSubstr("built for device 0"));
    };
    for (const core::BufferRef& other : {core::BufferRef(far), core::BufferRef(far_in_order)}) {
        EXPECT_THAT(refusal([&] { reduce(stream, other, out, count, uint32_t{0}); }), names_both("input"));
        EXPECT_THAT(refusal([&] { reduce(stream, in, other, count, uint32_t{0}); }), names_both("output"));
        // By its address alone, which the driver is asked about.
        EXPECT_THAT(refusal([&] { reduce(stream, Iterator::pointer(type, other.handle()), out, count, uint32_t{0}); }),
                    names_both("input"));
        const Iterator within = Iterator::transform(Iterator::pointer(type, other.handle()), Operator("2 * a"), type);
        EXPECT_THAT(refusal([&] { reduce_doubled(stream, within, out, count, uint32_t{0}); }), names_both("input"));
        EXPECT_THAT(refusal([&] { reduce(stream, in, out, count, uint32_t{0}, {.temp_storage = other}); }),
                    names_both("temporary storage"));
    }
    // Nothing was launched: the device works on.
    reduce(stream, in, out, count, uint32_t{0});
    EXPECT_EQ(download_one<uint32_t>(out), count);
}

TEST_F(SeveralDevices, MemoryThatADeviceCanUseIsTaken) {
    const Type type = Type::of<uint32_t>();
    const core::Device here(0), there(1);
    use(0);
    const Reduce reduce(Iterator::pointer(type), OpKind::plus, type, here);
    const core::Buffer out = memory_for<uint32_t>(1);
    const std::vector<uint32_t> elements(count, 1);
    const core::Stream foreign = there.create_stream();
    const core::LegacyPinnedMemoryResource pinned;
    const core::Buffer everybodys = pinned.allocate(count * 4, foreign);
    everybodys.copy_from_host(elements);
    reduce(stream, everybodys, out, count, uint32_t{0});
    EXPECT_EQ(download_one<uint32_t>(out), count);
    const core::DeviceMemoryResource pool(there, core::DeviceMemoryResourceOptions{});
    const core::Buffer shared = pool.allocate(count * 4, foreign);
    shared.copy_from_host(elements.data(), count * 4, foreign);
    foreign.sync();
    EXPECT_THAT(refusal([&] { reduce(stream, shared, out, count, uint32_t{0}); }), HasSubstr("memory of device 1"));
    int possible = 0;
    ASSERT_EQ(bindings::driver::cuDeviceCanAccessPeer(&possible, 0, 1), CUDA_SUCCESS);
    if (possible == 0) return;
    pool.set_peer_accessible_by({here});
    reduce(stream, shared, out, count, uint32_t{3});
    EXPECT_EQ(download_one<uint32_t>(out), count + 3);
}

}  // namespace
}  // namespace cuprum::parallel
