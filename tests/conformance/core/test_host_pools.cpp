// Pools of page-locked host memory and of managed memory.
#include <cstdint>
#include <numeric>
#include <vector>

#include "fixture.hpp"

namespace cuprum::core {
namespace {

using test::error_of;
using test::values_of;
using testing::HasSubstr;

template <class Resource>
class HostPool : public testing::Test {
protected:
    Device device{0};
    Stream stream = device.create_stream();
};

class OwnPinned : public PinnedMemoryResource {
public:
    OwnPinned() : PinnedMemoryResource(PinnedMemoryResourceOptions{}) {}
};
class OwnManaged : public ManagedMemoryResource {
public:
    OwnManaged() : ManagedMemoryResource(ManagedMemoryResourceOptions{}) {}
};
using Resources = testing::Types<PinnedMemoryResource, OwnPinned, ManagedMemoryResource, OwnManaged>;
TYPED_TEST_SUITE(HostPool, Resources);

TYPED_TEST(HostPool, IsMemoryThatHostAndDeviceShare) {
    const TypeParam pool;
    const Buffer buffer = pool.allocate(4 * sizeof(int), this->stream);
    EXPECT_TRUE(buffer.is_host_accessible());
    EXPECT_TRUE(buffer.is_device_accessible());
    EXPECT_EQ(buffer.is_managed(), pool.is_managed());
    EXPECT_EQ(BufferRef::from_handle(buffer.handle(), buffer.size()).is_managed(), pool.is_managed());
    this->stream.sync();
    const auto on_host = buffer.as_span<int>();
    std::iota(on_host.begin(), on_host.end(), 1);
    const Buffer on_device = this->device.allocate(buffer.size(), this->stream);
    on_device.copy_from(buffer, this->stream);
    buffer.fill(7, 4, this->stream);
    this->stream.sync();
    EXPECT_EQ(values_of<int>(on_device), (std::vector<int>{1, 2, 3, 4}));
    EXPECT_EQ(std::vector<int>(on_host.begin(), on_host.end()), std::vector<int>(4, 7));
    EXPECT_EQ(buffer.memory_resource(), pool);
    EXPECT_TRUE(pool.is_accessible_by(this->device));
    EXPECT_EQ(pool.device_id(), -1);
}

TYPED_TEST(HostPool, CountsAndFreesInTheOrderOfAStream) {
    const TypeParam pool;
    this->device.sync();  // frees of others, from the driver's pools
    const uint64_t before = pool.attribute(MemoryPoolAttribute::used_mem_current);
    {
        const Buffer buffer = pool.allocate(1 << 20, this->stream);
        EXPECT_GE(pool.attribute(MemoryPoolAttribute::used_mem_current), before + (1 << 20));
    }
    this->stream.sync();
    EXPECT_EQ(pool.attribute(MemoryPoolAttribute::used_mem_current), before);
    EXPECT_THROW(static_cast<void>(pool.allocate(16)), InvalidArgument);
    EXPECT_EQ(pool.allocate(0, this->stream).size(), 0U);
}

TEST(PinnedPool, IsTheDriversOrAnOwnOne) {
    EXPECT_EQ(PinnedMemoryResource(), PinnedMemoryResource());
    EXPECT_FALSE(PinnedMemoryResource().is_handle_owned());
    const PinnedMemoryResource own{PinnedMemoryResourceOptions{.max_size = 1 << 22}};
    EXPECT_TRUE(own.is_handle_owned());
    EXPECT_EQ(own.numa_id(), -1);
    EXPECT_NE(own, PinnedMemoryResource());
    EXPECT_EQ(own.location(), MemoryLocation::host());
    EXPECT_THROW(DeviceMemoryResource::of(own), InvalidArgument);
    EXPECT_THROW(PinnedMemoryResource(PinnedMemoryResourceOptions{.numa_id = -1}), InvalidArgument);
}

TEST(PinnedPool, CanBeANumaNodes) {
    if (Device(0).attribute(142) == 0) {  // CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED
        EXPECT_THROW(PinnedMemoryResource(PinnedMemoryResourceOptions{.numa_id = 0}), Unsupported);
        return;
    }
    const PinnedMemoryResource pool{PinnedMemoryResourceOptions{.numa_id = 0}};
    EXPECT_EQ(pool.numa_id(), 0);
    const Stream stream = Device(0).create_stream();
    EXPECT_TRUE(pool.allocate(16, stream).is_host_accessible());
}

TEST(ManagedPool, KnowsItsPreferredLocation) {
    EXPECT_EQ(ManagedMemoryResource().preferred_location(), std::nullopt);
    const ManagedMemoryResource on_device{ManagedMemoryResourceOptions{.preferred_location = Device(0)}};
    EXPECT_EQ(on_device.preferred_location(), MemoryLocation(Device(0)));
    EXPECT_EQ(on_device.device_id(), 0);
    const ManagedMemoryResource on_host{ManagedMemoryResourceOptions{.preferred_location = MemoryLocation::host()}};
    EXPECT_EQ(on_host.preferred_location(), MemoryLocation::host());
    EXPECT_EQ(on_host.device_id(), -1);
    EXPECT_TRUE(on_device.is_handle_owned());
    EXPECT_THROW(MemoryLocation::host_numa(-1), InvalidArgument);
    EXPECT_THROW(MemoryLocation::of(9, 0), InvalidArgument);
    EXPECT_THROW(MemoryLocation::of(1, 1000), InvalidArgument);
}

class ManagedBuffer : public testing::Test {
protected:
    Device device{0};
    Stream stream = device.create_stream();
    ManagedMemoryResource pool;
    Buffer buffer = pool.allocate(1 << 20, stream);
    void SetUp() override { stream.sync(); }
};

TEST_F(ManagedBuffer, TakesAdvice) {
    EXPECT_FALSE(buffer.is_read_mostly());
    try {
        buffer.set_read_mostly(true);
    } catch (const Unsupported& error) {
        ASSERT_FALSE(device.is_simulator()) << error.what();
        GTEST_SKIP() << "this driver takes no advice about memory of a pool";
    }
    EXPECT_TRUE(buffer.is_read_mostly());
    buffer.set_read_mostly(false);
    EXPECT_FALSE(buffer.is_read_mostly());
    EXPECT_EQ(buffer.preferred_location(), std::nullopt);
    buffer.set_preferred_location(device);
    EXPECT_EQ(buffer.preferred_location(), MemoryLocation(device));
    buffer.set_preferred_location(MemoryLocation::host());
    EXPECT_EQ(buffer.preferred_location(), MemoryLocation::host());
    buffer.set_preferred_location(std::nullopt);
    EXPECT_EQ(buffer.preferred_location(), std::nullopt);
    buffer.set_accessed_by(device, true);
    EXPECT_EQ(buffer.accessed_by(), std::vector<MemoryLocation>{device});
    buffer.set_accessed_by(device, false);
    EXPECT_EQ(buffer.accessed_by(), std::vector<MemoryLocation>());
}

TEST_F(ManagedBuffer, IsMovedWithItsContent) {
    buffer.fill(7, 4, stream);
    buffer.prefetch(MemoryLocation::host(), stream);
    buffer.prefetch(device, stream);
    stream.sync();
    EXPECT_EQ(buffer.as_span<int>()[1000], 7);
    buffer.discard(stream);
    buffer.discard_prefetch(device, stream);
    buffer.fill(8, 4, stream);
    stream.sync();
    EXPECT_EQ(buffer.as_span<int>()[1000], 8);
}

TEST_F(ManagedBuffer, IsTheOnlyKindThatMoves) {
    const Buffer other = device.allocate(16);
    EXPECT_THAT(error_of<InvalidArgument>([&] { other.prefetch(device, stream); }).what(),
                HasSubstr("only managed memory has pages that move"));
    EXPECT_THROW(other.set_read_mostly(true), InvalidArgument);
    EXPECT_THROW(other.discard(stream), InvalidArgument);
    EXPECT_THROW(static_cast<void>(other.accessed_by()), InvalidArgument);
    EXPECT_THROW(buffer.prefetch(device, StreamRef()), InvalidArgument);
    buffer.close();
    EXPECT_THROW(buffer.prefetch(device, stream), InvalidState);
    EXPECT_THROW(static_cast<void>(buffer.preferred_location()), InvalidState);
    const Buffer empty = pool.allocate(0, stream);
    empty.prefetch(device, stream);
    empty.discard(stream);
    empty.set_read_mostly(true);
    EXPECT_EQ(empty.preferred_location(), std::nullopt);
}

}  // namespace
}  // namespace cuprum::core
