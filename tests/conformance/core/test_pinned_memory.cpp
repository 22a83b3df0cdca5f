// Page-locked host memory: buffers of a resource, which the host and kernels use without a copy.
#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
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
    EXPECT_FALSE(buffer.memory_resource().is_valid());
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

}  // namespace
}  // namespace cuprum::core
