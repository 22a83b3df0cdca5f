// Page-locked host memory: buffers of a resource, which the host and kernels use without a copy.
#include <cuda.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <thread>
#include <vector>

#include "cuprum/bindings/driver.hpp"
#include "fixture.hpp"

namespace cuprum::core {
namespace {

using test::buffer_of;
using test::error_of;
using test::kernel;
using test::one_thread_each;
using test::values_of;
using testing::AllOf;
using testing::HasSubstr;

namespace driver = bindings::driver;

constexpr int n = 1000;

class PinnedMemory : public testing::Test {
protected:
    Device device{0};
    Stream stream = device.create_stream();
    LegacyPinnedMemoryResource resource;

    Buffer of(const std::vector<int>& values) {
        Buffer buffer = resource.allocate(values.size() * sizeof(int));
        std::copy(values.begin(), values.end(), buffer.as_span<int>().begin());
        return buffer;
    }
    static std::vector<int> counted(int first = 0) {
        std::vector<int> values(n);
        std::iota(values.begin(), values.end(), first);
        return values;
    }
    static std::vector<int> values(const BufferRef& buffer) {
        const std::span<const int> span = buffer.as_span<int>();
        return {span.begin(), span.end()};
    }
};

// Stops streams of device 0 until it is opened.
class Gate {
public:
    explicit Gate(const Device& device) : value_(buffer_of(device, std::vector<uint32_t>{0})) {}
    ~Gate() { open(); }
    void stop(const Stream& stream) const {
        ASSERT_EQ(driver::cuStreamWaitValue32(stream.handle(), value_.handle(), 1, CU_STREAM_WAIT_VALUE_EQ),
                  CUDA_SUCCESS);
    }
    void open() const {
        const uint32_t one = 1;
        value_.copy_from_host(&one, sizeof(one));
    }

private:
    Buffer value_;
};

TEST_F(PinnedMemory, IsUsedByTheHostAndByKernelsWithoutACopy) {
    const Buffer buffer = of(counted());
    launch(stream, one_thread_each(n), kernel("increment"), buffer, n);
    stream.sync();
    EXPECT_EQ(values(buffer), counted(1));
}

TEST_F(PinnedMemory, SaysWhoCanUseItAndWhereItComesFrom) {
    const Buffer buffer = resource.allocate(16);
    EXPECT_TRUE(buffer.is_device_accessible());
    EXPECT_TRUE(buffer.is_host_accessible());
    EXPECT_FALSE(buffer.is_managed());
    EXPECT_EQ(buffer.memory_resource(), resource);
    EXPECT_NE(buffer.memory_resource(), LegacyPinnedMemoryResource());
    EXPECT_TRUE(resource.is_device_accessible());
    EXPECT_TRUE(resource.is_host_accessible());
    EXPECT_FALSE(resource.is_managed());
    EXPECT_EQ(resource.device_id(), -1);

    const Buffer of_device = device.allocate(16);
    EXPECT_TRUE(of_device.is_device_accessible());
    EXPECT_FALSE(of_device.is_host_accessible());
    EXPECT_FALSE(of_device.memory_resource().is_valid());
}

TEST_F(PinnedMemory, IsRecognisedWhereItIsBorrowed) {
    const Buffer buffer = of({1, 2, 3, 4});
    const BufferRef borrowed = BufferRef::from_handle(buffer.handle(), buffer.size());
    EXPECT_TRUE(borrowed.is_host_accessible());
    EXPECT_FALSE(borrowed.is_managed());
    EXPECT_EQ(values(borrowed.slice(4, 8)), (std::vector<int>{2, 3}));
    const Buffer of_device = device.allocate(16);
    EXPECT_FALSE(BufferRef::from_handle(of_device.handle(), 16).is_host_accessible());
}

TEST_F(PinnedMemory, IsCopiedToAndFromDevicesInAStream) {
    const Buffer source = of(counted());
    const Buffer target = resource.allocate(source.size());
    const Buffer of_device = device.allocate(source.size(), stream);
    of_device.copy_from(source, stream);
    launch(stream, one_thread_each(n), kernel("increment"), of_device, n);
    target.copy_from(of_device, stream);
    stream.sync();
    EXPECT_EQ(values(target), counted(1));

    of_device.copy_from_host(source.as_span<int>(), stream);
    of_device.copy_to_host(target.as_span<int>(), stream);
    stream.sync();
    EXPECT_EQ(values(target), counted());
}

TEST_F(PinnedMemory, IsCopiedToAndFromOtherHostMemory) {
    const std::vector<int> content = counted(5);
    const Buffer buffer = resource.allocate(content.size() * sizeof(int));
    buffer.copy_from_host(content);
    EXPECT_EQ(values_of<int>(buffer), content);
    const Buffer other = resource.allocate(buffer.size());
    other.copy_from(buffer, stream);
    std::vector<int> back(n);
    other.copy_to_host(back, stream);
    stream.sync();
    EXPECT_EQ(back, content);
    const std::vector<int> zeros(n);
    buffer.copy_from_host(zeros, stream);
    stream.sync();
    EXPECT_EQ(values(buffer), zeros);
    buffer.fill(0x01010101, 4, stream);
    stream.sync();
    EXPECT_EQ(values(buffer), std::vector<int>(n, 0x01010101));
}

// If a copy waited for the stream, this would never end: the stream goes on only after all of them.
TEST_F(PinnedMemory, CopiesInAStreamReturnBeforeTheStreamGetsToThem) {
    const Buffer source = of(counted());
    const Buffer target = resource.allocate(source.size());
    const Buffer of_device = device.allocate(source.size());
    const Gate gate(device);
    gate.stop(stream);
    of_device.copy_from(source, stream);
    of_device.slice(0, 4).copy_from_host(source.as_span<int>().data() + 1, 4, stream);
    target.copy_from(of_device, stream);
    of_device.copy_to_host(target.as_span<int>().data() + 1, 4, stream);
    EXPECT_FALSE(stream.is_done());
    gate.open();
    stream.sync();
    std::vector<int> expected = counted();
    expected[0] = expected[1] = 1;
    EXPECT_EQ(values(target), expected);
}

TEST_F(PinnedMemory, IsNotCopiedToOrFromWhatTheDriverDoesNotKnow) {
    const Buffer buffer = of({1, 2, 3, 4});
    const BufferRef unknown = BufferRef::from_handle(0x32607447c1ad7000, buffer.size());
    EXPECT_THROW(buffer.copy_from(unknown, stream), DriverError);
    EXPECT_THROW(unknown.copy_from(buffer, stream), DriverError);
    EXPECT_EQ(values(buffer), (std::vector<int>{1, 2, 3, 4}));
}

TEST_F(PinnedMemory, OutlivesItsResource) {
    Buffer buffer;
    {
        const LegacyPinnedMemoryResource short_lived;
        buffer = short_lived.allocate(n * sizeof(int));
    }
    EXPECT_TRUE(buffer.memory_resource().is_host_accessible());
    const Buffer another = buffer.memory_resource().allocate(4);
    another.as_span<int>()[0] = 7;
    EXPECT_EQ(values(another), std::vector<int>{7});
    buffer.as_span<int>()[n - 1] = 7;
}

TEST_F(PinnedMemory, IsViewedOnlyAsElementsThatFit) {
    const Buffer buffer = resource.allocate(18);
    EXPECT_EQ(buffer.as_span().size(), 18U);
    EXPECT_EQ(buffer.as_span<uint16_t>().size(), 9U);
    EXPECT_THROW(static_cast<void>(buffer.as_span<int>()), InvalidArgument) << "18 is not a multiple of 4";
    EXPECT_THROW(static_cast<void>(buffer.slice(1, 16).as_span<int>()), InvalidArgument) << "not aligned";
    EXPECT_EQ(buffer.slice(2, 4).as_span<uint16_t>().data(), buffer.as_span<uint16_t>().data() + 1);
    EXPECT_TRUE(resource.allocate(0).as_span<double>().empty());
}

TEST_F(PinnedMemory, CannotBeViewedWhereItIsADevices) {
    const Buffer of_device = device.allocate(16);
    const auto error = error_of<InvalidArgument>([&] { static_cast<void>(of_device.as_span()); });
    EXPECT_THAT(error.what(), AllOf(HasSubstr("viewing a buffer as host memory"), HasSubstr("(16 bytes) on device 0"),
                                    HasSubstr("pinned memory resource")));
}

TEST_F(PinnedMemory, IsRefusedOnceItIsClosed) {
    Buffer buffer = resource.allocate(16);
    buffer.close();
    buffer.close();
    buffer.close(stream);
    EXPECT_THROW(static_cast<void>(buffer.as_span()), InvalidState);
    EXPECT_THROW(static_cast<void>(buffer.is_host_accessible()), InvalidState);
    EXPECT_THROW(buffer.set_deallocation_stream(stream), InvalidState);
    EXPECT_THROW(static_cast<void>(buffer.memory_resource()), InvalidState);
    EXPECT_THROW(static_cast<void>(MemoryResource().allocate(1)), InvalidState);
    EXPECT_THROW(static_cast<void>(MemoryResource().is_managed()), InvalidState);
    EXPECT_THROW(MemoryResource().deallocate(0, 0), InvalidState);
}

TEST_F(PinnedMemory, OfMoreBytesThanThereAreIsRefused) {
    const uint64_t size = uint64_t{1} << 50;
    const auto error = error_of<OutOfMemory>([&] { static_cast<void>(resource.allocate(size)); });
    EXPECT_EQ(error.requested_bytes(), size);
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("allocating 1125899906842624 bytes"), HasSubstr("page-locked host memory")));
}

TEST_F(PinnedMemory, ThatWasGivenUpIsFreedByItsResource) {
    Buffer buffer = resource.allocate(16, stream);
    const DevicePointer address = buffer.release();
    EXPECT_FALSE(buffer.is_valid());
    resource.deallocate(address, 16, stream);
    EXPECT_THROW(resource.deallocate(address, 16), DriverError);
    resource.deallocate(0, 0);
    EXPECT_THROW(resource.deallocate(address, 16, StreamRef()), InvalidArgument);
}

TEST_F(PinnedMemory, IsFreedInTheStreamOfChoice) {
    const Stream second = device.create_stream();
    Buffer buffer = resource.allocate(16, stream);
    buffer.fill(1, 1, second);
    buffer.set_deallocation_stream(second);
    buffer.close();
    Buffer of_device = device.allocate(16, stream);
    stream.sync();
    of_device.fill(1, 1, second);
    of_device.close(second);
    Buffer without_stream = device.allocate(16);
    without_stream.fill(1, 1, second);
    without_stream.close(device.default_stream());
    second.sync();
    EXPECT_THROW(resource.allocate(16).set_deallocation_stream(StreamRef()), InvalidArgument);
    EXPECT_THROW(static_cast<void>(resource.allocate(16, Stream())), InvalidArgument);
}

class RegisteredMemory : public testing::Test {
protected:
    // Pages of its own: the driver may refuse memory that shares a page with what is registered already.
    static constexpr size_t page = 4096;
    Device device{0};
    Stream stream = device.create_stream();
    std::vector<int> memory = std::vector<int>(4 * page, 5);
    std::span<int> values = values_from(memory);

    static std::span<int> values_from(std::vector<int>& memory) {
        void* begin = memory.data();
        size_t space = memory.size() * sizeof(int);
        return {static_cast<int*>(std::align(page, 2 * page, begin, space)), n};
    }
    std::vector<int> content() const { return {values.begin(), values.end()}; }
};

TEST_F(RegisteredMemory, IsUsedByTheHostAndByKernelsWhereItIs) {
    const Buffer buffer = Buffer::register_host_memory(values);
    EXPECT_EQ(buffer.handle(), reinterpret_cast<uintptr_t>(values.data()));
    EXPECT_EQ(buffer.size(), values.size_bytes());
    EXPECT_TRUE(buffer.is_host_accessible());
    EXPECT_TRUE(buffer.is_device_accessible());
    EXPECT_FALSE(buffer.is_managed());
    EXPECT_FALSE(buffer.memory_resource().is_valid());
    EXPECT_TRUE(BufferRef::from_handle(buffer.handle(), buffer.size()).is_host_accessible());
    launch(stream, one_thread_each(n), kernel("increment"), buffer, n);
    const Buffer on_device = device.allocate(buffer.size(), stream);
    on_device.copy_from(buffer, stream);
    buffer.fill(7, 4, stream);
    stream.sync();
    EXPECT_EQ(values_of<int>(on_device), std::vector<int>(n, 6));
    EXPECT_EQ(content(), std::vector<int>(n, 7));
}

TEST_F(RegisteredMemory, IsRegisteredOnceAndAgainWhenTheBufferIsClosed) {
    Buffer buffer = Buffer::register_host_memory(values);
    for (const size_t first : {size_t{0}, size_t{8}}) {
        const auto error =
            error_of<DriverError>([&] { static_cast<void>(Buffer::register_host_memory(values.subspan(first))); });
        EXPECT_THAT(error.what(), AllOf(HasSubstr("registering " + std::to_string(4 * (n - first)) + " bytes"),
                                        HasSubstr("CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED"),
                                        HasSubstr("use the buffer that this memory is registered with")));
    }
    buffer.close();
    buffer.close();
    EXPECT_THROW(static_cast<void>(buffer.as_span()), InvalidState);
    buffer = Buffer::register_host_memory(values);
    const Buffer moved = std::move(buffer);
    EXPECT_EQ(moved.as_span<int>()[n - 1], 5);
}

TEST_F(RegisteredMemory, IsTheCallersToUnregisterOnceReleased) {
    Buffer buffer = Buffer::register_host_memory(values);
    const DevicePointer address = buffer.release();
    EXPECT_THROW(static_cast<void>(Buffer::register_host_memory(values)), DriverError);
    // What the buffer holds next is freed as its own kind is, not as what it has held.
    buffer = device.allocate(16);
    buffer.close();
    CUcontext context = device.context().handle();
    ASSERT_EQ(driver::cuCtxPushCurrent(context), CUDA_SUCCESS);
    EXPECT_EQ(driver::cuMemHostUnregister(reinterpret_cast<void*>(address)), CUDA_SUCCESS);
    EXPECT_EQ(driver::cuCtxPopCurrent(&context), CUDA_SUCCESS);
}

TEST_F(RegisteredMemory, IsRefusedWhereThereIsNone) {
    const auto null = error_of<InvalidArgument>([] { static_cast<void>(Buffer::register_host_memory(nullptr, 16)); });
    EXPECT_THAT(null.what(), AllOf(HasSubstr("registering 16 bytes of host memory"), HasSubstr("the address is null")));
    const auto empty =
        error_of<InvalidArgument>([&] { static_cast<void>(Buffer::register_host_memory(values.data(), 0)); });
    EXPECT_THAT(empty.what(), HasSubstr("there is nothing to register"));
}

TEST_F(RegisteredMemory, IsUnregisteredAfterTheWorkThatUsesIt) {
    for (const bool in_stream : {false, true}) {
        Buffer buffer = Buffer::register_host_memory(values);
        buffer.fill(0, 4, stream);
        stream.launch_host_function([] { std::this_thread::sleep_for(std::chrono::milliseconds(30)); });
        buffer.fill(9, 4, stream);
        if (in_stream) {
            buffer.close(stream);
        } else {
            buffer.close();
        }
        EXPECT_EQ(content(), std::vector<int>(n, 9));
    }
}

// Neither are they part of the capture, nor does the capture end because of them.
TEST_F(RegisteredMemory, AndOtherMemoryIsClosedBesideACapture) {
    static int failures = 0;
    const auto former = set_cleanup_error_handler([](const Error&) noexcept { ++failures; });
    const VirtualMemoryResource growing(device);
    const Stream other = device.create_stream();
    device.set_current();  // the driver makes graphs in the current context
    for (const CUstreamCaptureMode mode :
         {CU_STREAM_CAPTURE_MODE_GLOBAL, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL, CU_STREAM_CAPTURE_MODE_RELAXED}) {
        for (const StreamRef freed_in : {StreamRef(), StreamRef(stream), StreamRef(other)}) {
            SCOPED_TRACE(mode);
            std::vector<Buffer> buffers;
            buffers.push_back(Buffer::register_host_memory(values));
            buffers.push_back(device.allocate(4096));
            buffers.push_back(LegacyPinnedMemoryResource().allocate(4096));
            buffers.push_back(growing.allocate(4096));
            for (Buffer& buffer : buffers) {
                if (freed_in.is_valid()) buffer.set_deallocation_stream(freed_in);
                launch(other, one_thread_each(n), kernel("increment"), buffer, n);
            }
            ASSERT_EQ(driver::cuStreamBeginCapture(stream.handle(), mode), CUDA_SUCCESS);
            for (Buffer& buffer : buffers)
                buffer.close();
            CUgraph graph = nullptr;
            EXPECT_EQ(driver::cuStreamEndCapture(stream.handle(), &graph), CUDA_SUCCESS);
            EXPECT_EQ(driver::cuGraphDestroy(graph), CUDA_SUCCESS);
            EXPECT_EQ(failures, 0);
        }
    }
    EXPECT_EQ(content(), std::vector<int>(n, 5 + 9)) << "incremented before each end of the registration";
    set_cleanup_error_handler(former);
    driver::cuCtxSetCurrent(nullptr);
}

// What waits for the end of a capture is freed after all work where its stream, another owner's, is gone by then.
TEST_F(RegisteredMemory, WaitsForTheEndOfACaptureWithoutAnothersStream) {
    static int failures = 0;
    const auto former = set_cleanup_error_handler([](const Error&) noexcept { ++failures; });
    device.set_current();
    CUstream other = nullptr;
    ASSERT_EQ(driver::cuStreamCreate(&other, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    Buffer buffer = LegacyPinnedMemoryResource().allocate(4096);
    buffer.set_deallocation_stream(StreamRef::from_handle(other));
    ASSERT_EQ(driver::cuStreamBeginCapture(stream.handle(), CU_STREAM_CAPTURE_MODE_RELAXED), CUDA_SUCCESS);
    ASSERT_EQ(driver::cuStreamBeginCapture(other, CU_STREAM_CAPTURE_MODE_RELAXED), CUDA_SUCCESS);
    buffer.close();
    for (const CUstream captured : {stream.handle(), other}) {
        CUgraph graph = nullptr;
        EXPECT_EQ(driver::cuStreamEndCapture(captured, &graph), CUDA_SUCCESS);
        EXPECT_EQ(driver::cuGraphDestroy(graph), CUDA_SUCCESS);
    }
    EXPECT_EQ(driver::cuStreamDestroy(other), CUDA_SUCCESS);
    device.sync();
    EXPECT_EQ(failures, 0);
    set_cleanup_error_handler(former);
    driver::cuCtxSetCurrent(nullptr);
}

}  // namespace
}  // namespace cuprum::core
