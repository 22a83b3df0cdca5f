// Streams, events, and the order of work.
#include <cuda.h>

#include <atomic>
#include <numeric>
#include <thread>

#include "cuprum/bindings/driver.hpp"
#include "fixture.hpp"

namespace cuprum::core {
namespace {

namespace driver = cuprum::bindings::driver;
using test::buffer_of;
using test::error_of;
using test::kernel;
using test::one_thread_each;
using test::values_of;
using testing::HasSubstr;

constexpr int many_rounds = 300000;

class Streams : public testing::Test {
protected:
    Device device{0};
    Stream stream = device.create_stream();
    Kernel slow_step = kernel("slow_step");
};

unsigned int stepped(unsigned int value, unsigned int factor, int rounds) {
    for (int i = 0; i < rounds; ++i)
        value = value * factor + 1U;
    return value;
}

TEST_F(Streams, TellWhatTheyWereMadeWith) {
    EXPECT_TRUE(stream.is_nonblocking());
    EXPECT_FALSE(device.create_stream({.nonblocking = false}).is_nonblocking());
    EXPECT_EQ(stream.priority(), 0);
    EXPECT_EQ(stream.device(), device);
    EXPECT_FALSE(device.default_stream().is_nonblocking());
    EXPECT_TRUE(stream.is_done());
}

TEST_F(Streams, TellWhetherTheyAreCapturing) {
    EXPECT_FALSE(stream.is_capturing());
    EXPECT_FALSE(device.default_stream().is_capturing());
    device.set_current();  // the driver makes graphs in the current context
    ASSERT_EQ(driver::cuStreamBeginCapture(stream.handle(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), CUDA_SUCCESS);
    EXPECT_TRUE(stream.is_capturing());
    EXPECT_FALSE(device.create_stream().is_capturing());
    EXPECT_THROW(stream.sync(), DriverError);  // which the capture does not survive
    EXPECT_TRUE(stream.is_capturing());
    CUgraph graph = nullptr;
    EXPECT_EQ(driver::cuStreamEndCapture(stream.handle(), &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    EXPECT_FALSE(stream.is_capturing());
    EXPECT_THAT(error_of<InvalidArgument>([] { static_cast<void>(Stream().is_capturing()); }).operation(),
                HasSubstr("asking whether a stream is capturing"));
}

TEST_F(Streams, ShareTheirEventsWithOtherProcesses) {
    // Opened in another process by the tests of Python, Java and C#.
    const Event shared = stream.record({.blocking_sync = true, .ipc_enabled = true});
    stream.sync();
    EXPECT_TRUE(shared.is_ipc_enabled());
    EXPECT_TRUE(shared.ipc_descriptor().is_blocking_sync);
    EXPECT_EQ(shared.ipc_descriptor(), shared.ipc_descriptor());
    EXPECT_THAT(error_of<DriverError>([&] { Event::from_ipc_descriptor(shared.ipc_descriptor(), device); }).what(),
                HasSubstr("opening another process's event"));
    const Event alone = device.create_event();
    EXPECT_FALSE(alone.is_ipc_enabled());
    EXPECT_THAT(error_of<InvalidState>([&] { static_cast<void>(alone.ipc_descriptor()); }).what(),
                HasSubstr("sharing an event"));
    EXPECT_THROW(static_cast<void>(Event().ipc_descriptor()), InvalidArgument);
    EXPECT_THROW(device.create_event({.timing_enabled = true, .ipc_enabled = true}), InvalidArgument);
}

TEST_F(Streams, RunTheirWorkInOrder) {
    const Buffer x = buffer_of(device, std::vector<unsigned int>{1});
    launch(stream, {1, 1}, slow_step, x, 3U, 20000);
    launch(stream, {1, 1}, slow_step, x, 5U, 1);
    launch(stream, {1, 1}, slow_step, x, 7U, 10);
    stream.sync();
    EXPECT_EQ(values_of<unsigned int>(x)[0], stepped(stepped(stepped(1, 3, 20000), 5, 1), 7, 10));
    EXPECT_TRUE(stream.is_done());
}

TEST_F(Streams, CopyInOrderWithTheirKernels) {
    std::vector<int> host(1000);
    std::iota(host.begin(), host.end(), 0);
    std::vector<int> back(1000, -1);
    const Buffer x = device.allocate(4000);
    x.copy_from_host(host.data(), 4000, stream);
    launch(stream, one_thread_each(1000), kernel("increment"), x, 1000);
    x.copy_to_host(back.data(), 4000, stream);
    stream.sync();
    for (int i = 0; i < 1000; ++i)
        ASSERT_EQ(back[static_cast<size_t>(i)], i + 1);
}

TEST_F(Streams, WaitForEachOther) {
    const Stream second = device.create_stream();
    const Buffer x = buffer_of(device, std::vector<unsigned int>{1});
    launch(stream, {1, 1}, slow_step, x, 3U, many_rounds);
    second.wait(stream);
    launch(second, {1, 1}, slow_step, x, 5U, 1);
    second.sync();
    EXPECT_EQ(values_of<unsigned int>(x)[0], stepped(stepped(1, 3, many_rounds), 5, 1));
}

TEST_F(Streams, WaitForEvents) {
    const Stream second = device.create_stream();
    const Buffer x = buffer_of(device, std::vector<unsigned int>{1});
    launch(stream, {1, 1}, slow_step, x, 3U, many_rounds);
    const Event halfway = stream.record();
    second.wait(halfway);
    launch(second, {1, 1}, slow_step, x, 5U, 1);
    second.sync();
    EXPECT_TRUE(halfway.is_done());
    EXPECT_EQ(values_of<unsigned int>(x)[0], stepped(stepped(1, 3, many_rounds), 5, 1));
}

TEST_F(Streams, OfTheDefaultKindWorkToo) {
    const StreamRef default_stream = device.default_stream();
    const Buffer x = buffer_of(device, std::vector<unsigned int>{1});
    launch(default_stream, {1, 1}, slow_step, x, 3U, many_rounds);
    const Event done = default_stream.record();
    // Without a sync: a copy without a stream comes after the default stream's work.
    EXPECT_EQ(values_of<unsigned int>(x)[0], stepped(1, 3, many_rounds));
    EXPECT_TRUE(done.is_done());
    default_stream.sync();
    EXPECT_EQ(StreamRef::from_handle(nullptr), default_stream);
}

TEST_F(Streams, ThatBlockComeAfterTheDefaultStream) {
    const Stream blocking = device.create_stream({.nonblocking = false});
    const Buffer x = buffer_of(device, std::vector<unsigned int>{1});
    launch(device.default_stream(), {1, 1}, slow_step, x, 3U, many_rounds);
    launch(blocking, {1, 1}, slow_step, x, 5U, 1);
    blocking.sync();
    EXPECT_EQ(values_of<unsigned int>(x)[0], stepped(stepped(1, 3, many_rounds), 5, 1));
}

TEST_F(Streams, CanBeBorrowed) {
    const StreamRef borrowed = StreamRef::from_handle(stream.handle());
    EXPECT_EQ(borrowed.device(), device);
    const Buffer x = buffer_of(device, std::vector<unsigned int>{1});
    launch(borrowed, {1, 1}, slow_step, x, 3U, 2);
    borrowed.sync();
    EXPECT_EQ(values_of<unsigned int>(x)[0], 13U);
}

TEST_F(Streams, FinishTheirWorkAfterTheyAreClosed) {
    const Buffer x = buffer_of(device, std::vector<unsigned int>{1});
    launch(stream, {1, 1}, slow_step, x, 3U, many_rounds);
    stream.close();
    device.sync();
    EXPECT_EQ(values_of<unsigned int>(x)[0], stepped(1, 3, many_rounds));
}

TEST_F(Streams, AreUsedFromManyThreads) {
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (int t = 0; t < 6; ++t) {
        threads.emplace_back([this, t, &wrong] {
            // No context is current on this thread.
            const Stream own = device.create_stream();
            const Buffer x = buffer_of(device, std::vector<int>(1000, t));
            for (int i = 0; i < 20; ++i)
                launch(own, one_thread_each(1000), kernel("increment"), x, 1000);
            own.sync();
            if (values_of<int>(x) != std::vector<int>(1000, t + 20)) ++wrong;
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(wrong, 0);
}

TEST_F(Streams, TakeLaunchesOfManyThreadsAtOnce) {
    const Buffer x = buffer_of(device, std::vector<int>(256, 0));
    const Kernel increment = kernel("increment");
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 50; ++i)
                launch(stream, {1, 256}, increment, x, 256);
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    stream.sync();
    EXPECT_EQ(values_of<int>(x), std::vector<int>(256, 200));
}

TEST_F(Streams, ThatAreClosedOrMovedFromAreRefused) {
    Stream taken = std::move(stream);
    EXPECT_THROW(stream.sync(), InvalidArgument);
    taken.close();
    EXPECT_THAT(error_of<InvalidArgument>([&] { launch(taken, {1, 1}, kernel("nothing")); }).what(),
                HasSubstr("the device's default stream"));
}

class Events : public Streams {};

TEST_F(Events, AreDoneWhenTheWorkBeforeThemIs) {
    const Buffer x = buffer_of(device, std::vector<unsigned int>{1});
    launch(stream, {1, 1}, slow_step, x, 3U, many_rounds);
    const Event event = stream.record();
    event.sync();
    EXPECT_TRUE(event.is_done());
    EXPECT_EQ(values_of<unsigned int>(x)[0], stepped(1, 3, many_rounds));
}

TEST_F(Events, ThatWereNeverRecordedAreDone) {
    const Event event = device.create_event();
    EXPECT_TRUE(event.is_done());
    EXPECT_NO_THROW(event.sync());
}

TEST_F(Events, MeasureTheTimeBetweenThem) {
    const Buffer x = buffer_of(device, std::vector<unsigned int>{1});
    const Event start = stream.record({.timing_enabled = true});
    launch(stream, {1, 1}, slow_step, x, 3U, many_rounds);
    const Event middle = stream.record({.timing_enabled = true, .blocking_sync = true});
    launch(stream, {1, 1}, slow_step, x, 3U, many_rounds);
    const Event end = stream.record({.timing_enabled = true});
    EXPECT_TRUE(middle.is_timing_enabled() && middle.is_blocking_sync());
    end.sync();
    EXPECT_GT(middle - start, 0.0F);
    EXPECT_GT(end - middle, 0.0F);
    EXPECT_NEAR(end - start, (end - middle) + (middle - start), 0.1F);
    EXPECT_LE(start - end, 0.0F);
}

TEST_F(Events, WithoutTimingOrRecordMeasureNothing) {
    const Event timed = stream.record({.timing_enabled = true});
    const Event untimed = stream.record();
    const Event never = device.create_event({.timing_enabled = true});
    EXPECT_FALSE(untimed.is_timing_enabled());
    stream.sync();
    EXPECT_THAT(error_of<InvalidState>([&] { static_cast<void>(untimed - timed); }).what(),
                HasSubstr("with the timing option enabled"));
    EXPECT_THROW(static_cast<void>(never - timed), InvalidState);
    EXPECT_THROW(static_cast<void>(elapsed_time(timed, EventRef())), InvalidArgument);
}

}  // namespace
}  // namespace cuprum::core
