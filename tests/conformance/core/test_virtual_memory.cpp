// Buffers of a virtual memory resource, which can grow.
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "cuprum/bindings/driver.hpp"
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
    static MemoryAccess access_of(const BufferRef& buffer) {
        unsigned long long flags = 0;
        CUmemLocation of_device{};
        of_device.type = CU_MEM_LOCATION_TYPE_DEVICE;
        EXPECT_EQ(bindings::driver::cuMemGetAccess(&flags, &of_device, buffer.handle()), CUDA_SUCCESS);
        return static_cast<MemoryAccess>(flags);
    }
    uint64_t free_bytes() {
        device.sync();  // what tests before this one have freed in a stream's order
        return device.memory_info().free;
    }
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

TEST_F(VirtualMemoryResources, GrowABufferWithOtherOptions) {
    VirtualMemoryResourceOptions options;
    Buffer buffer = resource.allocate(size), other = resource.allocate(size);
    buffer.copy_from_host(counted(3));
    options.self_access = MemoryAccess::read;
    resource.modify_allocation(buffer, buffer.size(), options);
    EXPECT_EQ(buffer.size(), size);
    EXPECT_EQ(values_of<int>(buffer), counted(3));
    EXPECT_EQ(access_of(buffer), MemoryAccess::read);
    resource.modify_allocation(other, 2 * unit);
    EXPECT_EQ(access_of(other), MemoryAccess::read_write) << "other buffers stay as they are";
    EXPECT_EQ(access_of(resource.allocate(size)), MemoryAccess::read) << "the resource has them from then on";
    options.self_access = MemoryAccess::read_write;
    options.granularity = MemoryGranularity::minimum;
    options.handle_type = MemoryHandleType::posix_file_descriptor;
    resource.modify_allocation(buffer, 3 * unit, options);
    EXPECT_EQ(buffer.size(), 3 * unit);
    EXPECT_EQ(values_of<int>(buffer.slice(0, size)), counted(3));
    EXPECT_EQ(access_of(buffer), MemoryAccess::read_write);
    EXPECT_EQ(access_of(buffer.slice(2 * unit, unit)), MemoryAccess::read_write);
    buffer.fill(1, 1, stream);
    stream.sync();
}

TEST_F(VirtualMemoryResources, LieWhereTheyWere) {
    Buffer buffer = resource.allocate(size);
    VirtualMemoryResourceOptions options;
    options.location = MemoryLocation(device);
    resource.modify_allocation(buffer, 2 * unit, options);
    options.address_alignment = 3;
    EXPECT_THROW(resource.modify_allocation(buffer, 4 * unit, options), InvalidArgument);
    options.address_alignment = 0;
    options.location = MemoryLocation::host();
    try {
        const auto error = error_of<InvalidArgument>([&] { resource.modify_allocation(buffer, 4 * unit, options); });
        EXPECT_THAT(error.what(), HasSubstr("a buffer lies in one place"));
    } catch (const Unsupported&) {
        // a device that has no such memory at all
    }
    EXPECT_EQ(buffer.size(), 2 * unit);
    buffer.fill(1, 1, stream);
    stream.sync();
}

// Of the host as a whole, of a NUMA node, of the node of this thread.
class HostVirtualMemoryResources : public VirtualMemoryResources,
                                   public testing::WithParamInterface<MemoryLocation::Kind> {
protected:
    void SetUp() override {
        options.location = MemoryLocation::of(static_cast<int32_t>(GetParam()), 0);
        try {
            static_cast<void>(VirtualMemoryResource(device, options));
        } catch (const Unsupported& error) {
            GTEST_SKIP() << error.what();
        }
    }
    VirtualMemoryResourceOptions options;
};

TEST_P(HostVirtualMemoryResources, AreUsedByTheHostAndTheDevice) {
    const VirtualMemoryResource host(device, options);
    EXPECT_EQ(host.device_id(), -1);
    EXPECT_TRUE(host.is_host_accessible());
    EXPECT_TRUE(host.is_device_accessible());
    EXPECT_FALSE(host.is_managed());
    const Buffer buffer = host.allocate(size);
    EXPECT_TRUE(buffer.is_host_accessible());
    EXPECT_EQ(buffer.device_id(), 0);
    const std::span<int> values = buffer.as_span<int>();
    std::iota(values.begin(), values.end(), 0);
    launch(stream, one_thread_each(n), kernel("increment"), buffer, n);
    stream.sync();
    EXPECT_EQ(std::vector<int>(values.begin(), values.end()), counted(1));
    const Buffer on_device = device.allocate(size, stream);
    on_device.copy_from(buffer, stream);
    stream.sync();
    EXPECT_EQ(values_of<int>(on_device), counted(1));
}

TEST_P(HostVirtualMemoryResources, GrowABufferWithItsContent) {
    const VirtualMemoryResource host(device, options);
    Buffer buffer = host.allocate(size);
    buffer.copy_from_host(counted(5));
    for (const uint64_t units : {2, 3, 7}) {
        host.modify_allocation(buffer, units * host.granularity());
        launch(stream, one_thread_each(n), kernel("increment"), buffer, n);
        stream.sync();
        buffer.as_span<int>().back() = 9;
    }
    const std::span<const int> values = buffer.as_span<int>();
    EXPECT_EQ(std::vector<int>(values.begin(), values.begin() + n), counted(8));
    EXPECT_EQ(values.back(), 9);
    EXPECT_TRUE(BufferRef::from_handle(buffer.handle(), size).is_host_accessible()) << "so says the driver, too";
}

TEST_P(HostVirtualMemoryResources, AreExportedOnlyFromANode) {
    options.handle_type = MemoryHandleType::posix_file_descriptor;
    if (GetParam() == MemoryLocation::Kind::host) {
        const auto error =
            error_of<InvalidArgument>([&] { static_cast<void>(VirtualMemoryResource(device, options)); });
        EXPECT_THAT(error.what(), HasSubstr("unless it is that of a NUMA node"));
    } else {
        EXPECT_EQ(VirtualMemoryResource(device, options).allocate(1).size(), 1U);
    }
}

INSTANTIATE_TEST_SUITE_P(Locations, HostVirtualMemoryResources,
                         testing::Values(MemoryLocation::Kind::host, MemoryLocation::Kind::host_numa,
                                         MemoryLocation::Kind::host_numa_current),
                         [](const auto& kind) { return "Kind" + std::to_string(static_cast<int>(kind.param)); });

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
