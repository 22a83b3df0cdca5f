// Memory that graphs allocate. Other code begins and ends captures: here the test does.
#include <cstdint>
#include <functional>
#include <vector>

#include <cuda.h>

#include "cuprum/bindings/driver.hpp"
#include "fixture.hpp"

namespace cuprum::core {
namespace {

namespace driver = bindings::driver;
using test::error_of;
using test::values_of;
using testing::HasSubstr;

constexpr uint64_t size = 64;

class GraphMemoryResources : public testing::Test {
protected:
    void SetUp() override {
        device.set_current();  // the driver makes graphs in the current context
        resource.trim();
    }
    void TearDown() override {
        stream.sync();
        for (CUgraphExec each : executables)
            EXPECT_EQ(driver::cuGraphExecDestroy(each), CUDA_SUCCESS);
        resource.trim();
    }
    // The work of the action, as a graph that can be launched.
    CUgraphExec captured(const std::function<void()>& action) {
        CUgraph graph = nullptr;
        CUgraphExec executable = nullptr;
        EXPECT_EQ(driver::cuStreamBeginCapture(stream.handle(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), CUDA_SUCCESS);
        action();
        EXPECT_EQ(driver::cuStreamEndCapture(stream.handle(), &graph), CUDA_SUCCESS);
        EXPECT_EQ(driver::cuGraphInstantiate(&executable, graph, 0), CUDA_SUCCESS);
        EXPECT_EQ(driver::cuGraphDestroy(graph), CUDA_SUCCESS);
        executables.push_back(executable);
        return executable;
    }
    void launch_graph(CUgraphExec executable) const {
        EXPECT_EQ(driver::cuGraphLaunch(executable, stream.handle()), CUDA_SUCCESS);
    }

    Device device{0};
    Stream stream = device.create_stream();
    GraphMemoryResource resource{device};
    std::vector<CUgraphExec> executables;
};

TEST_F(GraphMemoryResources, AllocateInAGraph) {
    const Buffer result = device.allocate(size);
    CUgraphExec graph = captured([&] {
        Buffer buffer = resource.allocate(size, stream);
        EXPECT_EQ(buffer.memory_resource(), resource);
        EXPECT_EQ(buffer.size(), size);
        EXPECT_EQ(buffer.device_id(), 0);
        EXPECT_NE(buffer.handle(), 0U);
        buffer.fill(7, 4, stream);
        result.copy_from(buffer, stream);
        buffer.close();  // the graph frees it
    });
    for (int launch = 0; launch < 2; ++launch) {
        result.fill(0, 4, stream);
        launch_graph(graph);
        stream.sync();
        EXPECT_EQ(values_of<int>(result), std::vector<int>(size / sizeof(int), 7));
    }
}

TEST_F(GraphMemoryResources, LeaveTheirMemoryToTheBuffer) {
    Buffer buffer;
    DevicePointer address = 0;
    CUgraphExec graph = captured([&] {
        buffer = resource.allocate(size, StreamRef(stream));
        address = buffer.handle();
        buffer.fill(7, 4, stream);
    });
    launch_graph(graph);
    stream.sync();
    EXPECT_EQ(values_of<int>(buffer), std::vector<int>(size / sizeof(int), 7));
    EXPECT_NE(driver::cuGraphLaunch(graph, stream.handle()), CUDA_SUCCESS)
        << "the memory of the first launch is not freed";
    buffer.close();
    launch_graph(graph);
    // Of that launch, which nobody else frees.
    resource.deallocate(address, size, stream);
}

TEST_F(GraphMemoryResources, NeedACapture) {
    EXPECT_THAT(error_of<InvalidState>([&] { static_cast<void>(resource.allocate(size, stream)); }).what(),
                HasSubstr("the stream's work is not captured into a graph"));
    EXPECT_THAT(error_of<InvalidArgument>([&] { static_cast<void>(resource.allocate(size)); }).what(),
                HasSubstr("it is allocated in a stream whose work is captured"));
    EXPECT_THROW(static_cast<void>(resource.allocate(0, stream)), InvalidState);
    EXPECT_THROW(resource.deallocate(16, 16), InvalidArgument);
    const Buffer plain = device.allocate(size);
    const Buffer pooled = device.allocate(size, stream);
    for (const BufferRef other : {BufferRef(plain), BufferRef(pooled)}) {
        EXPECT_THAT(error_of<InvalidArgument>([&] { resource.deallocate(other.handle(), size, stream); }).what(),
                    HasSubstr("the memory is not a graph's"));
        EXPECT_THROW(Buffer::from_handle(other.handle(), size, resource, stream), InvalidArgument);
    }
    EXPECT_THROW(device.set_memory_resource(resource), InvalidArgument);
}

TEST_F(GraphMemoryResources, GiveEmptyBuffers) {
    captured([&] { EXPECT_EQ(resource.allocate(0, stream).size(), 0U); });
}

TEST_F(GraphMemoryResources, CountWhatGraphsHold) {
    const auto value = [&](GraphMemoryAttribute which) { return resource.attribute(which); };
    EXPECT_EQ(value(GraphMemoryAttribute::reserved_mem_current), 0U);
    Buffer buffer;
    CUgraphExec graph = captured([&] { buffer = resource.allocate(size, stream); });
    launch_graph(graph);
    stream.sync();
    EXPECT_GE(value(GraphMemoryAttribute::used_mem_current), size);
    EXPECT_GE(value(GraphMemoryAttribute::reserved_mem_current), size);
    EXPECT_GE(value(GraphMemoryAttribute::used_mem_high), value(GraphMemoryAttribute::used_mem_current));
    EXPECT_GE(value(GraphMemoryAttribute::reserved_mem_high), value(GraphMemoryAttribute::reserved_mem_current));
    buffer.close();
    stream.sync();
    resource.trim();
    EXPECT_EQ(value(GraphMemoryAttribute::reserved_mem_current), 0U);
    EXPECT_GE(value(GraphMemoryAttribute::reserved_mem_high), size);
    resource.set_attribute(GraphMemoryAttribute::reserved_mem_high, 0);
    resource.set_attribute(GraphMemoryAttribute::used_mem_high, 0);
    EXPECT_EQ(value(GraphMemoryAttribute::reserved_mem_high), 0U);
    EXPECT_EQ(value(GraphMemoryAttribute::used_mem_high), 0U);
    EXPECT_THROW(resource.set_attribute(GraphMemoryAttribute::used_mem_current, 0), DriverError);
}

TEST_F(GraphMemoryResources, OfADeviceAreEqual) {
    EXPECT_EQ(GraphMemoryResource(device), resource);
    EXPECT_NE(MemoryResource(DeviceMemoryResource(device)), resource);
    EXPECT_NE(MemoryResource(resource), DeviceMemoryResource(device));
    EXPECT_EQ(GraphMemoryResource::of(resource), resource);
    EXPECT_THAT(error_of<InvalidArgument>([&] { GraphMemoryResource::of(LegacyPinnedMemoryResource()); }).what(),
                HasSubstr("this memory resource is of another kind"));
    EXPECT_TRUE(resource.is_device_accessible());
    EXPECT_FALSE(resource.is_host_accessible());
    EXPECT_FALSE(resource.has_pool());
    EXPECT_EQ(resource.device_id(), 0);
}

}  // namespace
}  // namespace cuprum::core
