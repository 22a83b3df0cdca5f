// Pools of a device's memory.
#include <cstdint>
#include <vector>

#include "fixture.hpp"

namespace cuprum::core {
namespace {

using test::error_of;
using test::values_of;
using testing::HasSubstr;

constexpr uint64_t mebibyte = 1 << 20;

class DevicePool : public testing::Test {
protected:
    Device device{0};
    Stream stream = device.create_stream();
    DeviceMemoryResource pool{device, {}};

    uint64_t value(MemoryPoolAttribute which) const { return pool.attribute(which); }
};

TEST_F(DevicePool, AllocatesDeviceMemoryInAStream) {
    const Buffer buffer = pool.allocate(16, stream);
    buffer.fill(7, 4, stream);
    stream.sync();
    EXPECT_EQ(values_of<int>(buffer), std::vector<int>(4, 7));
    EXPECT_EQ(buffer.memory_resource(), pool);
    EXPECT_FALSE(buffer.is_host_accessible());
    EXPECT_TRUE(pool.is_device_accessible());
    EXPECT_FALSE(pool.is_host_accessible());
    EXPECT_FALSE(pool.is_managed());
    EXPECT_EQ(pool.device_id(), 0);
    EXPECT_TRUE(pool.is_handle_owned());
    EXPECT_EQ(pool.allocate(0, stream).size(), 0U);
}

TEST_F(DevicePool, CountsWhatIsInBuffersAndWhatItHolds) {
    EXPECT_EQ(value(MemoryPoolAttribute::used_mem_current), 0U);
    pool.set_attribute(MemoryPoolAttribute::release_threshold, UINT64_MAX);
    EXPECT_EQ(value(MemoryPoolAttribute::release_threshold), UINT64_MAX);
    {
        const Buffer buffer = pool.allocate(mebibyte, stream);
        EXPECT_GE(value(MemoryPoolAttribute::used_mem_current), mebibyte);
    }
    stream.sync();
    EXPECT_EQ(value(MemoryPoolAttribute::used_mem_current), 0U);
    EXPECT_GE(value(MemoryPoolAttribute::used_mem_high), mebibyte);
    EXPECT_GE(value(MemoryPoolAttribute::reserved_mem_current), mebibyte);
    EXPECT_GE(value(MemoryPoolAttribute::reserved_mem_high), value(MemoryPoolAttribute::reserved_mem_current));
    pool.set_attribute(MemoryPoolAttribute::used_mem_high, 0);
    EXPECT_EQ(value(MemoryPoolAttribute::used_mem_high), 0U);
    pool.set_attribute(MemoryPoolAttribute::reuse_allow_opportunistic, 0);
    EXPECT_EQ(value(MemoryPoolAttribute::reuse_allow_opportunistic), 0U);
    EXPECT_THROW(pool.set_attribute(MemoryPoolAttribute::used_mem_current, 1), DriverError);
    pool.trim_to(0);
    EXPECT_EQ(value(MemoryPoolAttribute::reserved_mem_current), 0U);
}

TEST_F(DevicePool, WithALimitHasNoMoreThanThat) {
    const DeviceMemoryResource limited(device, {.max_size = 4 * mebibyte});
    const auto error = error_of<OutOfMemory>([&] { static_cast<void>(limited.allocate(1024 * mebibyte, stream)); });
    EXPECT_EQ(error.requested_bytes(), 1024 * mebibyte);
    EXPECT_NO_THROW(static_cast<void>(limited.allocate(mebibyte, stream)));
}

TEST_F(DevicePool, NeedsAStreamOfItsDevice) {
    EXPECT_THAT(error_of<InvalidArgument>([&] { static_cast<void>(pool.allocate(16)); }).what(),
                HasSubstr("a pool allocates in a stream"));
    EXPECT_THROW(static_cast<void>(pool.allocate(16, StreamRef())), InvalidArgument);
    EXPECT_THROW(pool.deallocate(16, 16), InvalidArgument);
}

TEST_F(DevicePool, OutlivesItsResource) {
    Buffer buffer;
    {
        const DeviceMemoryResource short_lived(device, {});
        buffer = short_lived.allocate(16, stream);
    }
    buffer.fill(7, 4, stream);
    stream.sync();
    EXPECT_EQ(values_of<int>(buffer), std::vector<int>(4, 7));
    EXPECT_NO_THROW(static_cast<void>(buffer.memory_resource().allocate(16, stream)));
}

TEST_F(DevicePool, FreesWhatWasGivenUp) {
    Buffer buffer = pool.allocate(16, stream);
    pool.deallocate(buffer.release(), 16, stream);
    stream.sync();
    EXPECT_EQ(value(MemoryPoolAttribute::used_mem_current), 0U);
}

TEST_F(DevicePool, FreesNoMemoryThatIsNotItsOwn) {
    const DeviceMemoryResource other(device, {});
    const Buffer in_other = other.allocate(16, stream);
    const Buffer in_none = device.allocate(16);
    for (const Buffer* foreign : {&in_other, &in_none}) {
        EXPECT_THAT(error_of<InvalidArgument>([&] { pool.deallocate(foreign->handle(), 16, stream); }).what(),
                    HasSubstr("the memory was not allocated from the memory pool"));
    }
    in_other.fill(7, 4, stream);
    stream.sync();
    EXPECT_EQ(values_of<int>(in_other), std::vector<int>(4, 7));
}

TEST_F(DevicePool, FreesInTheStreamOfChoice) {
    const Stream second = device.create_stream();
    Buffer buffer = pool.allocate(16, stream);
    second.wait(stream);
    buffer.close(second);
    second.sync();
    EXPECT_EQ(value(MemoryPoolAttribute::used_mem_current), 0U);
}

TEST_F(DevicePool, IsItsDevicesAlone) {
    EXPECT_TRUE(pool.is_accessible_by(device));
    EXPECT_THAT(error_of<InvalidArgument>([&] { pool.set_accessible_by(device, false); }).what(),
                HasSubstr("device 0 can always use it"));
    EXPECT_EQ(pool.peer_accessible_by(), std::vector<Device>());
    pool.set_peer_accessible_by({device});
    EXPECT_EQ(pool.peer_accessible_by(), std::vector<Device>());
    EXPECT_EQ(pool.location(), MemoryLocation(device));
}

TEST(NoPool, IsAnErrorThatSaysSo) {
    const Stream stream = Device(0).create_stream();
    DeviceMemoryResource pool(Device(0), {});
    const DeviceMemoryResource moved = std::move(pool);
    EXPECT_THAT(error_of<InvalidState>([&] { static_cast<void>(pool.allocate(16, stream)); }).what(),
                HasSubstr("the memory resource is closed, moved-from or default-constructed"));
    EXPECT_THROW(pool.trim_to(0), InvalidState);
    EXPECT_THROW(static_cast<void>(pool.attribute(MemoryPoolAttribute::used_mem_current)), InvalidState);
    EXPECT_THROW(pool.set_accessible_by(Device(0), true), InvalidState);
    EXPECT_THROW(static_cast<void>(DeviceMemoryResource::of(MemoryResource())), InvalidState);
    EXPECT_NO_THROW(static_cast<void>(moved.allocate(16, stream)));
}

TEST_F(DevicePool, CanBecomeTheDevices) {
    const DeviceMemoryResource former(device);
    EXPECT_FALSE(former.is_handle_owned());
    EXPECT_EQ(device.memory_resource(), former);
    EXPECT_EQ(DeviceMemoryResource(device), former);
    device.set_memory_resource(pool);
    EXPECT_EQ(device.memory_resource(), pool);
    {
        const Buffer buffer = device.allocate(mebibyte, stream);
        EXPECT_GE(value(MemoryPoolAttribute::used_mem_current), mebibyte);
        EXPECT_EQ(buffer.memory_resource(), pool);
        device.set_memory_resource(former);
        EXPECT_EQ(DeviceMemoryResource::of(buffer.memory_resource()).handle(), pool.handle());
    }
    EXPECT_EQ(device.memory_resource(), former);
    EXPECT_EQ(device.allocate(16, stream).memory_resource(), former);
    EXPECT_FALSE(device.allocate(16).memory_resource().is_valid());
    EXPECT_THROW(DeviceMemoryResource::of(LegacyPinnedMemoryResource()), InvalidArgument);
}

}  // namespace
}  // namespace cuprum::core
