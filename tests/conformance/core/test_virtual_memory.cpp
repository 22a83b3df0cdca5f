// Buffers of a virtual memory resource, which can grow.
#include <cstdint>
#include <numeric>
#include <vector>

#include "fixture.hpp"

namespace cuprum::core {
namespace {

using test::error_of;
using test::kernel;
using test::one_thread_each;
using test::values_of;
using testing::HasSubstr;

class VirtualMemoryResources : public testing::Test {
protected:
    Device device{0};
    Stream stream = device.create_stream();
    VirtualMemoryResource resource{device};
    uint64_t unit = resource.granularity();
    static constexpr int n = 1000;
    static constexpr uint64_t size = n * sizeof(int);

    static std::vector<int> counted(int first) {
        std::vector<int> values(n);
        std::iota(values.begin(), values.end(), first);
        return values;
    }
    uint64_t free_bytes() const { return device.memory_info().free; }
};

TEST_F(VirtualMemoryResources, AllocateMemoryOfTheirDevice) {
    const Buffer buffer = resource.allocate(size);
    EXPECT_EQ(buffer.size(), size);
    EXPECT_EQ(buffer.handle() % unit, 0U);
    EXPECT_EQ(buffer.device_id(), 0);
    EXPECT_EQ(resource.device_id(), 0);
    EXPECT_TRUE(buffer.is_device_accessible());
    EXPECT_FALSE(buffer.is_host_accessible());
    EXPECT_EQ(buffer.memory_resource(), resource);
    buffer.copy_from_host(counted(0));
    launch(stream, one_thread_each(n), kernel("increment"), buffer, n);
    stream.sync();
    EXPECT_EQ(values_of<int>(buffer), counted(1));
    EXPECT_EQ(resource.allocate(0).size(), 0U);
}

TEST_F(VirtualMemoryResources, GiveTheMemoryBack) {
    const uint64_t before = free_bytes();
    {
        Buffer buffer = resource.allocate(3 * unit);
        EXPECT_LE(free_bytes(), before - 3 * unit);
        buffer.fill(1, 1, stream);
        buffer.close(stream);
        EXPECT_EQ(free_bytes(), before);
        Buffer released = resource.allocate(unit);
        const DevicePointer address = released.release();
        resource.deallocate(address, unit, stream);
        EXPECT_THROW(resource.deallocate(address, unit), InvalidArgument);
    }
    EXPECT_EQ(free_bytes(), before);
}

TEST_F(VirtualMemoryResources, GrowABufferWithItsContent) {
    const uint64_t before = free_bytes();
    {
        Buffer buffer = resource.allocate(size);
        buffer.copy_from_host(counted(5));
        const DevicePointer address = buffer.handle();
        resource.modify_allocation(buffer, unit);
        EXPECT_EQ(buffer.handle(), address) << "the bytes were there already";
        for (const uint64_t units : {2, 3, 7}) {
            resource.modify_allocation(buffer, units * unit);
            EXPECT_EQ(buffer.size(), units * unit);
            launch(stream, one_thread_each(n), kernel("increment"), buffer, n);
            buffer.slice(size, buffer.size() - size).fill(3, 1, stream);
            stream.sync();
        }
        EXPECT_EQ(values_of<int>(buffer.slice(0, size)), counted(8));
        EXPECT_EQ(values_of<int>(buffer.slice(7 * unit - 4, 4)), std::vector<int>{0x03030303});
        EXPECT_EQ(free_bytes(), before - 7 * unit);
    }
    EXPECT_EQ(free_bytes(), before);
}

TEST_F(VirtualMemoryResources, GrowOnlyWhatTheyHaveAllocated) {
    Buffer other = VirtualMemoryResource(device).allocate(16);
    Buffer of_device = device.allocate(16);
    Buffer closed = resource.allocate(16);
    closed.close();
    EXPECT_THROW(resource.modify_allocation(other, 32), InvalidArgument);
    EXPECT_THROW(resource.modify_allocation(of_device, 32), InvalidArgument);
    EXPECT_THROW(resource.modify_allocation(closed, 32), InvalidState);
    Buffer buffer = resource.allocate(16);
    const auto error = error_of<InvalidArgument>([&] { resource.modify_allocation(buffer, 8); });
    EXPECT_THAT(error.what(), HasSubstr("a buffer can only become larger"));
    EXPECT_THROW(resource.modify_allocation(buffer, uint64_t{1} << 60), OutOfMemory);
    EXPECT_EQ(buffer.size(), 16U);
    Buffer empty = resource.allocate(0);
    resource.modify_allocation(empty, 16);
    empty.fill(1, 1, stream);
    EXPECT_THROW(static_cast<void>(VirtualMemoryResource::of(LegacyPinnedMemoryResource())), InvalidArgument);
}

TEST_F(VirtualMemoryResources, TakeOptions) {
    VirtualMemoryResourceOptions options;
    options.granularity = MemoryGranularity::minimum;
    options.address_alignment = 2 * unit;
    options.peers = {device};
    const VirtualMemoryResource chosen(device, options);
    EXPECT_EQ(chosen.allocate(1).handle() % (2 * unit), 0U);
    options.address_alignment = 3;
    EXPECT_THROW(VirtualMemoryResource(device, options), InvalidArgument);
}

TEST_F(VirtualMemoryResources, OutliveTheirHandle) {
    Buffer buffer;
    {
        const VirtualMemoryResource short_lived(device);
        buffer = short_lived.allocate(16);
    }
    buffer.fill(7, 1, stream);
    buffer.close(stream);
}

}  // namespace
}  // namespace cuprum::core
