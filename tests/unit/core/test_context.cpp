// The caller's current context, and what is current inside of the driver's calls.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <thread>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "fake_driver.hpp"

namespace cuprum::core {
namespace {

using test::FakeDriver;

// One call of nearly every member, with whatever objects they need.
void use_everything(const Device& device) {
    std::array<char, 16> host{};
    Stream stream = device.create_stream();
    Event event = stream.record();
    stream.record(event);
    stream.wait(event);
    stream.wait(device.default_stream());
    stream.sync();
    static_cast<void>(stream.is_done());
    static_cast<void>(stream.is_nonblocking());
    static_cast<void>(stream.priority());
    event.sync();
    static_cast<void>(event.is_done());
    static_cast<void>(elapsed_time(event, event));
    Buffer buffer = device.allocate(16);
    Buffer ordered = device.allocate(16, stream);
    buffer.copy_from_host(host.data(), host.size());
    buffer.copy_from_host(host.data(), host.size(), stream);
    buffer.copy_to_host(host.data(), host.size());
    buffer.copy_to_host(host.data(), host.size(), stream);
    buffer.copy_from(ordered, stream);
    buffer.fill(1, 1, stream);
    static_cast<void>(device.free_memory());
    device.sync();
    const Kernel kernel = ObjectCode::from_ptx("ptx").get_kernel("saxpy");
    launch(stream, {1, 1}, kernel, 2.0F, buffer, ordered, 4);
    launch(device.default_stream(), {1, 1}, kernel, 2.0F, buffer, ordered, 4);
    static_cast<void>(kernel.attributes(device));
}

class CallersContext : public testing::Test {
protected:
    FakeDriver driver;
};

TEST_F(CallersContext, StaysNone) {
    use_everything(Device(0));
    EXPECT_EQ(test::current_context(), nullptr);
    EXPECT_EQ(driver.count("cuCtxPushCurrent"), driver.count("cuCtxPopCurrent"));
}

TEST_F(CallersContext, StaysAForeignOne) {
    test::make_current(FakeDriver::foreign_context());
    use_everything(Device(0));
    EXPECT_EQ(test::current_context(), FakeDriver::foreign_context());
}

TEST_F(CallersContext, StaysAnotherDevices) {
    test::make_current(FakeDriver::primary_context(0));
    use_everything(Device(1));
    EXPECT_EQ(test::current_context(), FakeDriver::primary_context(0));
}

TEST_F(CallersContext, IsLeftAloneWhenItIsThePrimaryOne) {
    test::make_current(FakeDriver::primary_context(0));
    use_everything(Device(0));
    EXPECT_EQ(driver.count("cuCtxPushCurrent"), 0);
    EXPECT_EQ(test::current_context(), FakeDriver::primary_context(0));
}

TEST_F(CallersContext, StaysWhenACallFails) {
    test::make_current(FakeDriver::foreign_context());
    const Device device(0);
    const Buffer buffer = device.allocate(16);
    for (const char* function : {"cuStreamCreateWithPriority", "cuEventCreate", "cuMemAlloc", "cuMemcpyDtoH"}) {
        driver.fail(function, CUDA_ERROR_UNKNOWN);
    }
    char host = 0;
    EXPECT_THROW(device.create_stream(), DriverError);
    EXPECT_THROW(device.create_event(), DriverError);
    EXPECT_THROW(device.allocate(1), DriverError);
    EXPECT_THROW(buffer.copy_to_host(&host, 1), DriverError);
    EXPECT_EQ(test::current_context(), FakeDriver::foreign_context());
}

TEST_F(CallersContext, StaysWhenAPushFails) {
    test::make_current(FakeDriver::foreign_context());
    driver.fail("cuCtxPushCurrent", CUDA_ERROR_UNKNOWN);
    EXPECT_THROW(Device(0).create_stream(), DriverError);
    EXPECT_EQ(test::current_context(), FakeDriver::foreign_context());
    EXPECT_EQ(driver.live(), 0U);
}

TEST_F(CallersContext, ChangesWithSetCurrentOnly) {
    test::make_current(FakeDriver::foreign_context());
    Device(1).set_current();
    EXPECT_EQ(test::current_context(), FakeDriver::primary_context(1));
}

TEST_F(CallersContext, IsTheDevicesWhereTheDriverNeedsOne) {
    use_everything(Device(1));
    for (const test::Call& call : driver.calls()) {
        for (const char* function : {"cuStreamCreateWithPriority", "cuStreamGetFlags", "cuStreamGetPriority",
                                     "cuEventCreate", "cuEventElapsedTime", "cuMemAlloc", "cuMemFree", "cuMemcpyHtoD",
                                     "cuMemcpyDtoH", "cuMemGetInfo", "cuCtxSynchronize"}) {
            if (call.function == function) {
                EXPECT_EQ(call.current, FakeDriver::primary_context(1)) << function;
            }
        }
    }
}

// What work in a stream calls.
std::vector<test::Call> calls_of_work_in(StreamRef stream, FakeDriver& driver) {
    const Device device = stream.device();
    std::array<char, 16> host{};
    const Buffer buffer = device.allocate(16);
    const Buffer source = device.allocate(16);
    const Event event = device.create_event();
    driver.forget_calls();
    stream.record(event);
    stream.wait(event);
    static_cast<void>(stream.is_done());
    stream.sync();
    buffer.fill(1, 1, stream);
    buffer.copy_from(source, stream);
    buffer.copy_from_host(host.data(), host.size(), stream);
    buffer.copy_to_host(host.data(), host.size(), stream);
    return driver.calls();
}

TEST_F(CallersContext, IsNotAskedForByWorkInAnOwnStream) {
    const Stream stream = Device(0).create_stream();
    for (const test::Call& call : calls_of_work_in(stream, driver)) {
        if (call.function.rfind("cuCtx", 0) == 0 || call.function.rfind("cuMem", 0) == 0) continue;
        EXPECT_EQ(call.current, nullptr) << call.function;
    }
}

// The driver asks whether the current one's device may touch the memory, and without one where memory of several
// mappings ends.
TEST_F(CallersContext, IsTheMemorysForCopiesAndFillsInAnyStream) {
    const Stream stream = Device(0).create_stream();
    int copies = 0;
    for (const test::Call& call : calls_of_work_in(stream, driver)) {
        if (call.function.rfind("cuMem", 0) != 0) continue;
        EXPECT_EQ(call.current, FakeDriver::primary_context(0)) << call.function;
        ++copies;
    }
    EXPECT_EQ(copies, 4);
    EXPECT_EQ(test::current_context(), nullptr);
}

TEST_F(CallersContext, IsTheDevicesForWorkInItsDefaultStream) {
    for (const CUstream handle : {CUstream{}, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD}) {
        for (const test::Call& call : calls_of_work_in(StreamRef::from_handle(handle, 1), driver)) {
            if (call.function.rfind("cuCtx", 0) == 0) continue;
            EXPECT_EQ(call.current, FakeDriver::primary_context(1)) << call.function;
        }
    }
}

TEST_F(CallersContext, IsNotAskedForByWaitingForAnEvent) {
    const Event event = Device(0).default_stream().record();
    driver.forget_calls();
    event.sync();
    static_cast<void>(event.is_done());
    EXPECT_EQ(driver.calls().size(), 2U);
}

TEST_F(CallersContext, IsNotAskedForByALaunchInAnOwnStream) {
    const Device device(0);
    const Stream stream = device.create_stream();
    const Kernel kernel = ObjectCode::from_ptx("ptx").get_kernel("saxpy");
    launch(stream, {1, 1}, kernel, 2.0F, DevicePointer{1}, DevicePointer{2}, 4);  // device limits are read here
    driver.forget_calls();
    launch(stream, {1, 1}, kernel, 2.0F, DevicePointer{1}, DevicePointer{2}, 4);
    ASSERT_EQ(driver.calls().size(), 1U);
    EXPECT_EQ(driver.calls()[0].function, "cuLaunchKernelEx");
}

// The driver is asked once for what the kernel is in a device's primary context, and launches that. Of a borrowed
// stream it is not known which context it is in.
TEST_F(CallersContext, IsThatOfTheFunctionThatALaunchNeeds) {
    const Device device(1);
    const Kernel kernel = ObjectCode::from_ptx("ptx").get_kernel("saxpy");
    const auto run = [&](const StreamRef& stream) {
        launch(stream, {1, 1}, kernel, 2.0F, DevicePointer{1}, DevicePointer{2}, 4);
        return driver.last_was_function;
    };
    const Stream stream = device.create_stream();
    EXPECT_TRUE(run(stream));
    EXPECT_EQ(driver.calls().at(static_cast<size_t>(driver.position_of("cuKernelGetFunction"))).current,
              FakeDriver::primary_context(1));
    EXPECT_TRUE(run(device.default_stream()));
    EXPECT_TRUE(run(StreamRef(device.create_stream())));
    EXPECT_FALSE(run(StreamRef::from_handle(stream.handle())));
    EXPECT_EQ(driver.count("cuKernelGetFunction"), 1);
}

TEST_F(CallersContext, IsTheDevicesForALaunchInItsDefaultStream) {
    const Device device(1);
    const Kernel kernel = ObjectCode::from_ptx("ptx").get_kernel("saxpy");
    launch(device.default_stream(), {1, 1}, kernel, 2.0F, DevicePointer{1}, DevicePointer{2}, 4);
    const std::vector<test::Call> calls = driver.calls();
    const auto position = static_cast<size_t>(driver.position_of("cuLaunchKernelEx"));
    EXPECT_EQ(calls.at(position).current, FakeDriver::primary_context(1));
}

TEST_F(CallersContext, DoesNotMatterToDestructorsInOtherThreads) {
    const Device device(1);
    Stream stream = device.create_stream();
    Buffer buffer = device.allocate(16);
    Event event = device.create_event();
    std::thread([stream = std::move(stream), buffer = std::move(buffer), event = std::move(event)]() mutable {
        stream.close();
        buffer.close();
        event.close();
        EXPECT_EQ(test::current_context(), nullptr);
    }).join();
    EXPECT_EQ(driver.live(), 0U);
}

TEST_F(CallersContext, IsTheSamePrimaryOneForAllThreads) {
    std::vector<std::thread> threads;
    std::array<CUcontext, 8> contexts{};
    for (CUcontext& context : contexts) {
        threads.emplace_back([&context] { context = Device(0).context().handle(); });
    }
    for (std::thread& thread : threads)
        thread.join();
    for (const CUcontext context : contexts)
        EXPECT_EQ(context, FakeDriver::primary_context(0));
    EXPECT_LE(driver.count("cuDevicePrimaryCtxRetain"), 1);
}

}  // namespace
}  // namespace cuprum::core
