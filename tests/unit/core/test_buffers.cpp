// The bounds of buffers, checked before the driver is asked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>

#include "cuprum/cuprum.hpp"
#include "fake_driver.hpp"

namespace cuprum::core {
namespace {

using test::FakeDriver;
using testing::AllOf;
using testing::HasSubstr;

class Buffers : public testing::Test {
protected:
    FakeDriver driver;
    Device device{0};
    Stream stream = device.create_stream();
    std::array<char, 64> host{};
};

TEST_F(Buffers, RefuseCopiesThatDoNotFit) {
    const Buffer buffer = device.allocate(63);
    const Buffer larger = device.allocate(64);
    driver.forget_calls();
    EXPECT_THROW(buffer.copy_to_host(host.data(), host.size()), InvalidArgument);
    EXPECT_THROW(buffer.copy_to_host(host.data(), host.size(), stream), InvalidArgument);
    EXPECT_THROW(buffer.copy_from_host(host.data(), host.size()), InvalidArgument);
    EXPECT_THROW(buffer.copy_from_host(host.data(), host.size(), stream), InvalidArgument);
    EXPECT_THROW(buffer.copy_from(larger, stream), InvalidArgument);
    EXPECT_TRUE(driver.calls().empty());
}

TEST_F(Buffers, SayHowMuchWouldNotFitWhere) {
    const Buffer buffer = device.allocate(4096);
    try {
        buffer.copy_to_host(host.data(), 8192);
        FAIL();
    } catch (const InvalidArgument& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("copying 8192 bytes to host memory"), HasSubstr("Buffer 0x"),
                                        HasSubstr("(4096 bytes) on device 0"), HasSubstr("only 4096 bytes")));
    }
}

TEST_F(Buffers, RefuseNullHostAddresses) {
    const Buffer buffer = device.allocate(16);
    EXPECT_THROW(buffer.copy_to_host(nullptr, 16), InvalidArgument);
    EXPECT_THROW(buffer.copy_from_host(nullptr, 16, stream), InvalidArgument);
    EXPECT_NO_THROW(buffer.copy_from_host(nullptr, 0));
}

TEST_F(Buffers, OfNoBytesNeedNoDriver) {
    driver.forget_calls();
    const Buffer buffer = device.allocate(0);
    EXPECT_TRUE(buffer.is_valid());
    buffer.copy_from_host(host.data(), 0);
    buffer.copy_to_host(host.data(), 0, stream);
    buffer.copy_from(buffer, stream);
    buffer.fill(7, 4, stream);
    EXPECT_THROW(buffer.copy_to_host(host.data(), 1), InvalidArgument);
    EXPECT_TRUE(driver.calls().empty());
}

TEST_F(Buffers, AreRefusedAfterClose) {
    Buffer buffer = device.allocate(16);
    buffer.close();
    EXPECT_THROW(buffer.copy_to_host(host.data(), 16), InvalidState);
    EXPECT_THROW(buffer.fill(0, 1, stream), InvalidState);
    EXPECT_THROW(static_cast<void>(buffer.slice(0, 0)), InvalidState);
    EXPECT_THROW(device.allocate(16).copy_from(buffer, stream), InvalidState);
    EXPECT_NO_THROW(buffer.copy_to_host(host.data(), 0));
}

TEST_F(Buffers, RefuseInvalidStreams) {
    const Buffer buffer = device.allocate(16);
    EXPECT_THROW(buffer.copy_to_host(host.data(), 16, StreamRef()), InvalidArgument);
    EXPECT_THROW(buffer.fill(0, 1, StreamRef()), InvalidArgument);
    EXPECT_THROW(static_cast<void>(device.allocate(16, Stream())), InvalidArgument);
    EXPECT_THROW(static_cast<void>(Device(1).allocate(16, stream)), InvalidArgument);
}

TEST_F(Buffers, HaveSlicesInsideOfThem) {
    const Buffer buffer = device.allocate(16);
    const BufferRef slice = buffer.slice(4, 8);
    EXPECT_EQ(slice.handle(), buffer.handle() + 4);
    EXPECT_EQ(slice.size(), 8U);
    EXPECT_EQ(buffer.slice(16, 0).size(), 0U);
    EXPECT_THROW(slice.copy_to_host(host.data(), 9), InvalidArgument);
    EXPECT_THROW(static_cast<void>(buffer.slice(17, 0)), InvalidArgument);
    EXPECT_THROW(static_cast<void>(buffer.slice(9, 8)), InvalidArgument);
    EXPECT_THROW(static_cast<void>(buffer.slice(1, std::numeric_limits<uint64_t>::max())), InvalidArgument);
}

TEST_F(Buffers, TakePatternsThatDivideThem) {
    const Buffer buffer = device.allocate(18);
    EXPECT_NO_THROW(buffer.fill(255, 1, stream));
    EXPECT_THROW(buffer.fill(256, 1, stream), InvalidArgument);
    EXPECT_THROW(buffer.fill(65536, 2, stream), InvalidArgument);
    EXPECT_THROW(buffer.fill(0, 4, stream), InvalidArgument) << "18 is no multiple of 4";
    EXPECT_THROW(buffer.fill(0, 3, stream), InvalidArgument);
    EXPECT_THROW(buffer.fill(0, 0, stream), InvalidArgument);
    EXPECT_THROW(buffer.slice(1, 4).fill(0, 4, stream), InvalidArgument) << "not aligned";
}

TEST_F(Buffers, AreBorrowedWithTheirDevice) {
    const BufferRef buffer = BufferRef::from_handle(0x1000, 32, 1);
    EXPECT_EQ(buffer.device_id(), 1);
    EXPECT_THROW(BufferRef::from_handle(0, 32), InvalidArgument);
    EXPECT_THROW(BufferRef::from_handle(0xffffffffffffff00, 0x1000), InvalidArgument);
    EXPECT_THROW(BufferRef::from_handle(0x1000, 32, 9), InvalidArgument);
}

TEST_F(Buffers, AreFilledBeforeASynchronousCopyReturns) {
    const Buffer buffer = device.allocate(64);
    driver.forget_calls();
    buffer.copy_from_host(host.data(), host.size());
    EXPECT_LT(driver.position_of("cuMemcpyHtoD"), driver.position_of("cuStreamSynchronize"));
}

TEST_F(Buffers, OfHostMemoryAreFreedOnceTheirStreamHasPassed) {
    for (const bool is_set_later : {false, true}) {
        const LegacyPinnedMemoryResource resource;
        Buffer buffer = is_set_later ? resource.allocate(16) : resource.allocate(16, stream);
        if (is_set_later) buffer.set_deallocation_stream(stream);
        driver.forget_calls();
        buffer.close();
        EXPECT_EQ(driver.count("cuStreamSynchronize"), 1);
        EXPECT_LT(driver.position_of("cuStreamSynchronize"), driver.position_of("cuMemFreeHost"));
        EXPECT_EQ(driver.live_allocations(), 0U);
    }
}

TEST_F(Buffers, OfHostMemoryAreFreedAlsoWhereTheirStreamFails) {
    Buffer buffer = LegacyPinnedMemoryResource().allocate(16, stream);
    driver.fail("cuStreamSynchronize", CUDA_ERROR_LAUNCH_FAILED);
    buffer.close();
    EXPECT_EQ(driver.live_allocations(), 0U);
}

TEST_F(Buffers, KeepTheStreamInWhichTheyAreFreed) {
    Buffer buffer = device.allocate(16);
    {
        const Stream last = device.create_stream();
        buffer.set_deallocation_stream(last);
    }
    EXPECT_EQ(driver.live_streams(), 2U);
    driver.forget_calls();
    buffer.close();
    EXPECT_LT(driver.position_of("cuStreamSynchronize"), driver.position_of("cuMemFree"));
    EXPECT_EQ(driver.live_streams(), 1U);
}

TEST_F(Buffers, OfADeviceAreNotFreedInAnothersStream) {
    const Stream of_another = Device(1).create_stream();
    Buffer buffer = device.allocate(16, stream);
    EXPECT_THROW(buffer.set_deallocation_stream(of_another), InvalidArgument);
    EXPECT_THROW(buffer.close(of_another), InvalidArgument);
    EXPECT_TRUE(buffer.is_valid());
    EXPECT_NO_THROW(LegacyPinnedMemoryResource().allocate(16).close(of_another));
}

TEST_F(Buffers, HaveTheirResourceAlsoWhenTheyWereMoved) {
    const LegacyPinnedMemoryResource resource;
    Buffer buffer = resource.allocate(16);
    Buffer moved = std::move(buffer);
    buffer = device.allocate(16);
    EXPECT_FALSE(buffer.memory_resource().is_valid());
    EXPECT_EQ(moved.memory_resource(), resource);
    buffer = std::move(moved);
    EXPECT_EQ(buffer.memory_resource(), resource);
}

}  // namespace
}  // namespace cuprum::core
