// Streams, events and buffers as values: moving, releasing, closing, sharing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <type_traits>
#include <utility>

#include "cuprum/cuprum.hpp"
#include "fake_driver.hpp"

namespace cuprum::core {
namespace {

using test::FakeDriver;
using testing::HasSubstr;

static_assert(!std::is_constructible_v<StreamRef, int>);
static_assert(!std::is_constructible_v<StreamRef, std::nullptr_t>);
static_assert(!std::is_constructible_v<EventRef, std::nullptr_t>);
static_assert(std::is_trivially_copyable_v<StreamRef>);
static_assert(!std::is_copy_constructible_v<Stream> && std::is_nothrow_move_constructible_v<Stream>);
static_assert(!std::is_copy_constructible_v<Event> && std::is_nothrow_move_constructible_v<Event>);
static_assert(!std::is_copy_constructible_v<Buffer> && std::is_nothrow_move_constructible_v<Buffer>);

class Owners : public testing::Test {
protected:
    FakeDriver driver;
    Device device{0};
};

TEST_F(Owners, AreDestroyedOnce) {
    {
        Stream stream = device.create_stream();
        Event event = device.create_event();
        Buffer buffer = device.allocate(16);
        EXPECT_EQ(driver.live(), 3U);
        stream.close();
        event.close();
        buffer.close();
        EXPECT_EQ(driver.live(), 0U);
        stream.close();
        event.close();
        buffer.close();
    }
    EXPECT_EQ(driver.count("cuStreamDestroy"), 1);
    EXPECT_EQ(driver.count("cuEventDestroy"), 1);
    EXPECT_EQ(driver.count("cuMemFree"), 1);
}

TEST_F(Owners, LeaveAnInvalidObjectBehindWhenMoved) {
    Stream stream = device.create_stream();
    const CUstream handle = stream.handle();
    Stream taker = std::move(stream);
    EXPECT_FALSE(stream.is_valid());
    EXPECT_EQ(taker.handle(), handle);
    EXPECT_THROW(stream.sync(), InvalidArgument);

    Event event = device.create_event({.timing_enabled = true});
    Event event_taker = std::move(event);
    EXPECT_FALSE(event.is_valid());
    EXPECT_FALSE(event.is_timing_enabled());
    EXPECT_TRUE(event_taker.is_timing_enabled());
    EXPECT_THROW(event.sync(), InvalidArgument);

    Buffer buffer = device.allocate(16);
    Buffer buffer_taker = std::move(buffer);
    EXPECT_FALSE(buffer.is_valid());
    EXPECT_EQ(buffer.size(), 0U);
    EXPECT_EQ(buffer_taker.size(), 16U);
    EXPECT_EQ(driver.live(), 3U);
}

TEST_F(Owners, DestroyWhatTheyHeldWhenAssignedTo) {
    Stream stream = device.create_stream();
    stream = device.create_stream();
    Event event = device.create_event();
    event = device.create_event();
    Buffer buffer = device.allocate(16);
    buffer = device.allocate(32);
    EXPECT_EQ(driver.live(), 3U);
    EXPECT_EQ(buffer.size(), 32U);
}

TEST_F(Owners, SurviveAssignmentToThemselves) {
    Stream stream = device.create_stream();
    Buffer buffer = device.allocate(16);
    Stream& same_stream = stream;
    Buffer& same_buffer = buffer;
    stream = std::move(same_stream);
    buffer = std::move(same_buffer);
    EXPECT_TRUE(stream.is_valid());
    EXPECT_TRUE(buffer.is_valid());
    EXPECT_EQ(driver.live(), 2U);
}

TEST_F(Owners, DoNotDestroyWhatTheyReleased) {
    Stream stream = device.create_stream();
    Event event = device.create_event();
    Buffer buffer = device.allocate(16);
    EXPECT_NE(stream.release(), nullptr);
    EXPECT_NE(event.release(), nullptr);
    EXPECT_NE(buffer.release(), 0U);
    EXPECT_FALSE(stream.is_valid() || event.is_valid() || buffer.is_valid());
    stream.close();
    EXPECT_EQ(driver.live(), 3U);
    EXPECT_THROW(static_cast<void>(stream.release()), InvalidArgument);
    EXPECT_THROW(static_cast<void>(buffer.release()), InvalidState);
}

TEST_F(Owners, OfStreamsOutliveTheBuffersThatAreFreedInThem) {
    Stream stream = device.create_stream();
    const CUstream handle = stream.handle();
    Buffer buffer = device.allocate(16, stream);
    stream.close();
    EXPECT_EQ(driver.live_streams(), 1U);
    buffer.close();
    EXPECT_EQ(driver.last_stream, handle);
    EXPECT_EQ(driver.live(), 0U);
    EXPECT_LT(driver.position_of("cuMemFreeAsync"), driver.position_of("cuStreamDestroy"));
}

TEST_F(Owners, AreNotMadeByAFailedCall) {
    for (const char* function : {"cuStreamCreateWithPriority", "cuEventCreate", "cuMemAlloc", "cuEventRecord"}) {
        driver.fail(function, CUDA_ERROR_UNKNOWN);
    }
    EXPECT_THROW(device.create_stream(), DriverError);
    EXPECT_THROW(device.create_event(), DriverError);
    EXPECT_THROW(device.allocate(16), DriverError);
    const Stream stream = device.create_stream();
    EXPECT_THROW(stream.record(), DriverError);
    EXPECT_EQ(driver.live(), 1U) << "only the stream: the event of the record that failed is gone";
    driver.fail("cuStreamWaitEvent", CUDA_ERROR_UNKNOWN);
    EXPECT_THROW(stream.wait(device.default_stream()), DriverError);
    EXPECT_EQ(driver.live(), 1U);
}

TEST_F(Owners, AreNotDoneWhileTheDriverSaysSo) {
    const Stream stream = device.create_stream();
    const Event event = stream.record({.timing_enabled = true});
    driver.fail("cuStreamQuery", CUDA_ERROR_NOT_READY);
    driver.fail("cuEventQuery", CUDA_ERROR_NOT_READY);
    driver.fail("cuEventElapsedTime", CUDA_ERROR_NOT_READY);
    EXPECT_FALSE(stream.is_done());
    EXPECT_FALSE(event.is_done());
    EXPECT_THROW(static_cast<void>(event - event), InvalidState);
    EXPECT_TRUE(stream.is_done());
    EXPECT_TRUE(event.is_done());
}

TEST_F(Owners, OfNothingSayWhatToUseInstead) {
    try {
        StreamRef().sync();
        FAIL();
    } catch (const InvalidArgument& error) {
        EXPECT_THAT(error.what(), HasSubstr("the stream is invalid (moved-from, closed or default-constructed)"));
        EXPECT_THAT(error.what(), HasSubstr("default stream"));
    }
}

TEST_F(Owners, LeakInAForkedChildWhichCannotUseTheDriver) {
    Stream stream = device.create_stream();
    driver.forget_calls();
    const pid_t child = fork();
    if (child == 0) {
        stream.close();
        bool refused = false;
        try {
            static_cast<void>(device.create_stream());
        } catch (const InvalidState&) {
            refused = true;
        }
        _exit(refused && driver.calls().empty() ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    stream.close();
    EXPECT_EQ(driver.live(), 0U);
}

TEST_F(Owners, BorrowStreamsOfTheDeviceThatTheDriverNames) {
    char anything = 0;
    const StreamRef stream = StreamRef::from_handle(reinterpret_cast<CUstream>(&anything));
    EXPECT_EQ(stream.device_id(), 1);
    EXPECT_EQ(stream.device(), Device(1));
    EXPECT_EQ(test::current_context(), nullptr);
}

TEST_F(Owners, BorrowDefaultStreamsOfTheDeviceThatTheCallerNames) {
    const StreamRef stream = StreamRef::from_handle(nullptr, 1);
    EXPECT_TRUE(stream.is_valid());
    EXPECT_EQ(stream, Device(1).default_stream());
    EXPECT_NE(stream, Device(0).default_stream());
    EXPECT_NE(stream, StreamRef());
    EXPECT_THROW(StreamRef::from_handle(nullptr, 7), InvalidArgument);
    EXPECT_THROW(EventRef::from_handle(nullptr), InvalidArgument);
}

}  // namespace
}  // namespace cuprum::core
