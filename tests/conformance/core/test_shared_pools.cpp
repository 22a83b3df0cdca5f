// Pools that processes share. That another process sees the same bytes is tested from Python, which starts one
// (tests/languages/python/test_shared_memory.py).
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "fixture.hpp"

namespace cuprum::core {
namespace {

using test::error_of;
using test::values_of;
using testing::AllOf;
using testing::HasSubstr;

class SharedPools : public testing::Test {
protected:
    ~SharedPools() override { close(file); }

    Device device{0};
    Stream stream = device.create_stream();
    DeviceMemoryResource pool{device, {.max_size = 1 << 22, .ipc_enabled = true}};
    int file = pool.allocation_handle();
};

TEST_F(SharedPools, HaveFileDescriptors) {
    EXPECT_NE(fcntl(file, F_GETFD), -1);
    EXPECT_TRUE(pool.is_ipc_enabled());
    EXPECT_FALSE(pool.is_mapped());
    const int again = pool.allocation_handle();
    EXPECT_NE(again, file);
    close(again);
}

TEST_F(SharedPools, AreMadeForIt) {
    const DeviceMemoryResource alone(device, DeviceMemoryResourceOptions{});
    EXPECT_FALSE(alone.is_ipc_enabled());
    EXPECT_THAT(error_of<InvalidState>([&] { static_cast<void>(alone.allocation_handle()); }).what(),
                AllOf(HasSubstr("sharing a memory pool"), HasSubstr("without the IPC option")));
    const Buffer of_device = device.allocate(16);
    for (const BufferRef& other : {static_cast<BufferRef>(of_device), BufferRef(alone.allocate(16, stream))}) {
        EXPECT_THAT(error_of<InvalidArgument>([&] { static_cast<void>(other.ipc_descriptor()); }).what(),
                    HasSubstr("pool that was made with the IPC option"));
    }
    EXPECT_THROW(static_cast<void>(BufferRef().ipc_descriptor()), InvalidState);
}

TEST_F(SharedPools, ShareTheirBuffersWhoeverHasAskedForThePool) {
    const DeviceMemoryResource new_pool(device, {.max_size = 1 << 22, .ipc_enabled = true});
    EXPECT_EQ(new_pool.allocate(4, stream).ipc_descriptor().size, 4U);
}

TEST_F(SharedPools, OfTheProcessItselfHaveNothingToOpen) {
    const Buffer buffer = pool.allocate(64, stream);
    const IPCBufferDescriptor descriptor = buffer.ipc_descriptor();
    EXPECT_EQ(descriptor.size, 64U);
    EXPECT_THAT(error_of<InvalidArgument>([&] { Buffer::from_ipc_descriptor(pool, descriptor, stream); }).what(),
                HasSubstr("not one that another process shares"));
    EXPECT_THROW(Buffer::from_ipc_descriptor(pool, descriptor, StreamRef()), InvalidArgument);
    for (const int wrong : {-1, INT32_MAX}) {
        EXPECT_THAT(
            error_of<InvalidArgument>([&] { DeviceMemoryResource::from_allocation_handle(device, wrong); }).what(),
            HasSubstr("no open file of that number"));
    }
}

// The simulator lets a process open its own pool, as another one does.
TEST_F(SharedPools, AreOpenedWithTheirBuffers) {
    if (!device.is_simulator()) return;
    const Buffer buffer = pool.allocate(64, stream);
    buffer.fill(7, 1, stream);
    stream.sync();
    const DeviceMemoryResource mapped = DeviceMemoryResource::from_allocation_handle(device, file);
    EXPECT_NE(fcntl(file, F_GETFD), -1) << "the descriptor is the caller's";
    EXPECT_TRUE(mapped.is_mapped());
    EXPECT_TRUE(mapped.is_ipc_enabled());
    IPCBufferDescriptor descriptor = buffer.ipc_descriptor();
    {
        const Buffer opened = Buffer::from_ipc_descriptor(mapped, descriptor, stream);
        EXPECT_EQ(values_of<uint8_t>(opened), std::vector<uint8_t>(64, 7));
        EXPECT_EQ(opened.memory_resource(), mapped);
        {
            const Stream other = device.create_stream();
            const Buffer again = Buffer::from_ipc_descriptor(mapped, descriptor, other);
            EXPECT_EQ(again.handle(), opened.handle());
        }
        EXPECT_EQ(values_of<uint8_t>(opened), std::vector<uint8_t>(64, 7)) << "the other one is closed";
    }
    EXPECT_EQ(values_of<uint8_t>(Buffer::from_ipc_descriptor(mapped, descriptor, stream)), std::vector<uint8_t>(64, 7))
        << "both are closed, in the order of the stream";
    EXPECT_THAT(error_of<InvalidState>([&] { mapped.allocate(16, stream); }).what(),
                HasSubstr("only that one allocates from it"));
    EXPECT_THROW(static_cast<void>(mapped.allocation_handle()), InvalidState);
    descriptor.size = uint64_t{1} << 40;
    EXPECT_THAT(error_of<InvalidArgument>([&] { Buffer::from_ipc_descriptor(mapped, descriptor, stream); }).what(),
                HasSubstr("fewer than its descriptor says"));
    stream.sync();
}

// Of page-locked host memory, on the node that is nearest to the device.
class SharedHostPools : public testing::Test {
protected:
    void SetUp() override {
        try {
            pool = PinnedMemoryResource({.max_size = 1 << 22, .ipc_enabled = true});
        } catch (const Unsupported& error) {
            GTEST_SKIP() << error.what();
        }
        file = pool->allocation_handle();
    }
    ~SharedHostPools() override { close(file); }

    Device device{0};
    Stream stream = device.create_stream();
    std::optional<PinnedMemoryResource> pool;
    int file = -1;
};

TEST_F(SharedHostPools, HaveFileDescriptors) {
    EXPECT_NE(fcntl(file, F_GETFD), -1);
    EXPECT_TRUE(pool->is_ipc_enabled());
    EXPECT_FALSE(pool->is_mapped());
    EXPECT_GE(pool->numa_id(), 0);
    const Buffer buffer = pool->allocate(64, stream);
    EXPECT_EQ(buffer.ipc_descriptor().size, 64U);
    EXPECT_THROW(static_cast<void>(PinnedMemoryResource(PinnedMemoryResourceOptions{}).allocation_handle()),
                 InvalidState);
    EXPECT_THAT(
        error_of<InvalidArgument>([&] { Buffer::from_ipc_descriptor(*pool, buffer.ipc_descriptor(), stream); }).what(),
        HasSubstr("not one that another process shares"));
    EXPECT_THROW(PinnedMemoryResource::from_allocation_handle(-1), InvalidArgument);
    EXPECT_EQ(PinnedMemoryResource::of(*pool), *pool);
    EXPECT_THROW(PinnedMemoryResource::of(DeviceMemoryResource(device)), InvalidArgument);
}

// The simulator lets a process open its own pool, as another one does.
TEST_F(SharedHostPools, AreOpenedWithTheirBuffers) {
    if (!device.is_simulator()) return;
    const Buffer buffer = pool->allocate(64, stream);
    stream.sync();
    const PinnedMemoryResource mapped = PinnedMemoryResource::from_allocation_handle(file);
    EXPECT_TRUE(mapped.is_mapped());
    {
        const Buffer opened = Buffer::from_ipc_descriptor(mapped, buffer.ipc_descriptor(), stream);
        EXPECT_EQ(Buffer::from_ipc_descriptor(mapped, buffer.ipc_descriptor(), stream).handle(), opened.handle());
        EXPECT_TRUE(opened.is_host_accessible());
        opened.fill(7, 1, stream);
        stream.sync();
        EXPECT_EQ(buffer.as_span<uint8_t>()[63], 7);
        opened.as_span<uint8_t>()[0] = 8;
        EXPECT_EQ(values_of<uint8_t>(buffer)[0], 8);
    }
    EXPECT_THROW(mapped.allocate(16, stream), InvalidState);
    stream.sync();
}

// A file descriptor does not say what kind of pool it stands for.
TEST_F(SharedHostPools, AreNotOpenedAsPoolsOfADevice) {
    if (!device.is_simulator()) return;
    const Buffer buffer = pool->allocate(64, stream);
    const DeviceMemoryResource mistaken = DeviceMemoryResource::from_allocation_handle(device, file);
    EXPECT_THAT(error_of<InvalidArgument>([&] {
                    Buffer::from_ipc_descriptor(mistaken, buffer.ipc_descriptor(), stream);
                }).what(),
                HasSubstr("open the pool as a pinned memory resource"));
    const DeviceMemoryResource of_device(device, {.max_size = 1 << 22, .ipc_enabled = true});
    const Buffer on_device = of_device.allocate(64, stream);
    const int its_file = of_device.allocation_handle();
    const PinnedMemoryResource other = PinnedMemoryResource::from_allocation_handle(its_file);
    close(its_file);
    EXPECT_THAT(error_of<InvalidArgument>([&] {
                    Buffer::from_ipc_descriptor(other, on_device.ipc_descriptor(), stream);
                }).what(),
                HasSubstr("open the pool as a device memory resource"));
}

}  // namespace
}  // namespace cuprum::core
