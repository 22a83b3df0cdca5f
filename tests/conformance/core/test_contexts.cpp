// Contexts, and green ones: parts of a device's multiprocessors. On the simulator of a device that has enough of them.
#include <cuda.h>

#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "cuprum/bindings/driver.hpp"
#include "fixture.hpp"

namespace cuprum::core {
namespace {

namespace driver = cuprum::bindings::driver;
using test::error_of;
using test::values_of;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* source = R"(
extern "C" __global__ void where(unsigned int* numbers) {
    unsigned int number;
    asm("mov.u32 %0, %%smid;" : "=r"(number));
    numbers[blockIdx.x] = number;
}
)";

constexpr uint32_t blocks = 512;

class Contexts : public testing::Test {
protected:
    // The numbers of the multiprocessors that a stream's kernels run on.
    std::set<uint32_t> multiprocessors_of(const StreamRef& stream) const {
        const Buffer numbers = device.allocate(blocks * sizeof(uint32_t));
        launch(stream, {blocks, 1024}, where, numbers);
        stream.sync();
        const std::vector<uint32_t> seen = values_of<uint32_t>(numbers);
        return {seen.begin(), seen.end()};
    }

    Device device{0};
    Kernel where = Program(source).compile().get_kernel("where");
    SMResource all = SMResource::of(device);
    SMResourceSplit split = all.split({.count = 8, .groups = 2});
};

TEST_F(Contexts, ADevicesIsItsPrimaryOne) {
    const Context primary = device.context();
    EXPECT_TRUE(primary.is_valid());
    EXPECT_FALSE(primary.is_green());
    EXPECT_EQ(primary.device(), device);
    EXPECT_EQ(primary, device.context());
    EXPECT_EQ(primary, device.create_stream().context());
    EXPECT_EQ(primary, device.default_stream().context());
    EXPECT_EQ(primary.sm_resource().sm_count(), device.properties().multiprocessor_count);
    EXPECT_EQ(primary, Context::from_handle(primary.handle()));
    EXPECT_TRUE(primary.create_stream({.nonblocking = false}).is_valid());
}

TEST_F(Contexts, OfOtherCodeHaveStreamsOfTheirOwn) {
    static_cast<void>(device.context());
    CUcontext foreign = nullptr;
    ASSERT_EQ(driver::cuCtxCreate(&foreign, nullptr, 0, 0), CUDA_SUCCESS);
    CUcontext popped = nullptr;
    ASSERT_EQ(driver::cuCtxPopCurrent(&popped), CUDA_SUCCESS);
    {
        const Context borrowed = Context::from_handle(foreign);
        EXPECT_NE(borrowed, device.context());
        const Stream stream = borrowed.create_stream();
        EXPECT_EQ(stream.context(), borrowed);
        EXPECT_EQ(stream.device(), device);
        stream.sync();
    }
    EXPECT_FALSE(Context::current().is_valid());
    EXPECT_EQ(driver::cuCtxDestroy(foreign), CUDA_SUCCESS);
}

TEST_F(Contexts, AreCurrentOnTheThreadThatMakesThemSo) {
    const Context green = device.create_context({.resources = {split.groups[0]}});
    std::thread([&] {
        EXPECT_FALSE(Context::current().is_valid());
        device.set_current();
        EXPECT_EQ(Context::current(), device.context());
        green.set_current();
        EXPECT_EQ(Context::current(), green);
        EXPECT_TRUE(Context::current().is_green());
        EXPECT_EQ(Device::current(), device);
        // Nothing but set_current changes it, and work goes to the primary context all the same.
        EXPECT_GT(multiprocessors_of(device.default_stream()).size(),
                  static_cast<size_t>(green.sm_resource().sm_count()));
        EXPECT_EQ(Context::current(), green);
        device.set_current();
    }).join();
}

TEST_F(Contexts, GreenOnesHaveTheirMultiprocessorsToThemselves) {
    const Context first = device.create_context({.resources = {split.groups[0]}});
    const Context second = device.create_context({.resources = {split.groups[1], split.remainder}});
    EXPECT_TRUE(first.is_green());
    EXPECT_EQ(first.device(), device);
    EXPECT_EQ(first.sm_resource().sm_count(), split.groups[0].sm_count());
    EXPECT_EQ(second.sm_resource().sm_count(), all.sm_count() - split.groups[0].sm_count());
    EXPECT_NE(first, second);
    EXPECT_NE(first, device.context());
    const Stream in_first = first.create_stream();
    const Stream in_second = second.create_stream({.priority = -1});
    EXPECT_EQ(in_first.context(), first);
    EXPECT_EQ(in_first.device(), device);
    EXPECT_TRUE(in_first.is_nonblocking());
    const std::set<uint32_t> of_first = multiprocessors_of(in_first);
    const std::set<uint32_t> of_second = multiprocessors_of(in_second);
    EXPECT_EQ(of_first.size(), static_cast<size_t>(split.groups[0].sm_count()));
    for (const uint32_t number : of_first) {
        EXPECT_FALSE(of_second.contains(number)) << "multiprocessor " << number << " belongs to both";
    }
}

TEST_F(Contexts, StreamsAndTheirBuffersKeepTheirGreenContext) {
    std::optional<Buffer> buffer;
    {
        Stream stream;
        {
            const Context green(device, {.resources = {split.groups[0]}});
            stream = green.create_stream();
        }
        EXPECT_EQ(multiprocessors_of(stream).size(), static_cast<size_t>(split.groups[0].sm_count()));
        EXPECT_TRUE(stream.context().is_green());
        buffer = device.allocate(64, stream);
        stream.sync();
    }
    buffer->fill(1, 1, device.default_stream());
    device.default_stream().sync();
    buffer.reset();  // freed in the stream
    device.sync();
}

TEST_F(Contexts, EventsOrderTheirStreamsAndOthers) {
    const Context green(device, {.resources = {split.groups[0]}});
    const Stream inside = green.create_stream();
    const Stream outside = device.create_stream();
    const Buffer memory = LegacyPinnedMemoryResource().allocate(8, outside);
    memory.as_span<uint32_t>()[0] = memory.as_span<uint32_t>()[1] = 0;
    inside.wait_value32(memory, 0, 1);
    inside.write_value32(memory, 4, 5);
    outside.wait(inside);
    EXPECT_FALSE(outside.is_done());
    std::atomic_ref(memory.as_span<uint32_t>()[0]).store(1);
    outside.sync();
    EXPECT_EQ(memory.as_span<uint32_t>()[1], 5U);
}

TEST_F(Contexts, MultiprocessorsAreSplitAsTheDeviceCan) {
    EXPECT_EQ(all.sm_count(), device.properties().multiprocessor_count);
    EXPECT_GT(all.min_partition_size(), 0);
    EXPECT_GT(all.coscheduled_alignment(), 0);
    EXPECT_EQ(all.device_id(), 0);
    const SMResourceSplit least = all.split({});
    ASSERT_EQ(least.groups.size(), 1U);
    EXPECT_EQ(least.groups[0].sm_count(), all.min_partition_size());
    EXPECT_EQ(least.groups[0].sm_count() + least.remainder.sm_count(), all.sm_count());
    EXPECT_LE(all.split({.count = 1, .backfill = true}).groups[0].sm_count(), least.groups[0].sm_count());
}

TEST_F(Contexts, WhatCannotBeMadeIsRefusedInWords) {
    EXPECT_THAT(error_of<InvalidArgument>([&] { all.split({.count = all.sm_count(), .groups = 2}); }).what(),
                AllOf(HasSubstr("splitting multiprocessors"), HasSubstr("room for 1 groups")));
    EXPECT_THROW(all.split({.count = -1}), InvalidArgument);
    EXPECT_THROW(all.split({.count = all.sm_count() + 1}), InvalidArgument);
    EXPECT_THROW(all.split({.groups = 0}), InvalidArgument);
    EXPECT_THROW(SMResource().split({}), InvalidArgument);
    EXPECT_THROW(split.groups[0].split({}), DriverError);
    EXPECT_THAT(error_of<InvalidArgument>([&] { device.create_context({}); }).what(), HasSubstr("no resources"));
    EXPECT_THROW(device.create_context({.resources = {SMResource()}}), InvalidArgument);
    const Context green(device, {.resources = {split.groups[0]}});
    EXPECT_THAT(error_of<InvalidArgument>([&] { green.create_stream({.nonblocking = false}); }).what(),
                HasSubstr("nonblocking"));
    EXPECT_THROW(Context::from_handle(nullptr), InvalidArgument);
    EXPECT_THAT(error_of<InvalidArgument>([] { static_cast<void>(Context().handle()); }).what(), HasSubstr("invalid"));
    EXPECT_THROW(static_cast<void>(Context().create_stream()), InvalidArgument);
    EXPECT_THROW(static_cast<void>(Stream().context()), InvalidArgument);
    // What is left of a split is split again as the resource of a context.
    EXPECT_EQ(green.sm_resource().split({}).groups.size(), 1U);
}

TEST(Workqueues, AreConfiguredAndGivenToGreenContexts) {
    const Device device(0);
    if (driver_version() < 13010) {
        const auto error = test::error_of<Unsupported>([&] { static_cast<void>(WorkqueueResource::of(device)); });
        EXPECT_THAT(error.what(), testing::HasSubstr("a driver for CUDA 13.1; this one is for "));
        EXPECT_THROW(static_cast<void>(device.context().workqueue_resource()), Unsupported);
        return;
    }
    WorkqueueResource workqueue = WorkqueueResource::of(device);
    EXPECT_EQ(workqueue.device_id(), 0);
    EXPECT_EQ(workqueue.sharing_scope(), WorkqueueSharingScope::device_context);
    EXPECT_GE(workqueue.concurrency_limit(), 1);
    workqueue.configure({.sharing_scope = WorkqueueSharingScope::green_context_balanced, .concurrency_limit = 3});
    EXPECT_THROW(workqueue.configure({.concurrency_limit = 0}), InvalidArgument);
    EXPECT_EQ(workqueue.concurrency_limit(), 3);
    const Context green = device.create_context({.resources = {SMResource::of(device)}, .workqueue = workqueue});
    const WorkqueueResource its_own = green.workqueue_resource();
    EXPECT_EQ(its_own.sharing_scope(), WorkqueueSharingScope::green_context_balanced);
    EXPECT_EQ(its_own.concurrency_limit(), 3);
    const Stream stream = green.create_stream();
    const Buffer buffer = device.allocate(16, stream);
    buffer.fill(1, 1, stream);
    stream.sync();
}

TEST(Workqueues, AreAskedFor) {
    WorkqueueResource none;
    EXPECT_THROW(none.configure({}), InvalidArgument);
    const Device device(0);
    EXPECT_THROW(static_cast<void>(device.create_context({.resources = {SMResource::of(device)}, .workqueue = none})),
                 InvalidArgument);
}

}  // namespace
}  // namespace cuprum::core
