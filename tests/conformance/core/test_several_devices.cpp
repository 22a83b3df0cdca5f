// Objects of one device, used while another device's context is current to the thread, or none. A program of its own,
// with two simulated devices.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <span>
#include <thread>
#include <vector>

#include <cuda.h>

#include "cuprum/bindings/driver.hpp"
#include "fixture.hpp"

namespace cuprum::core {
namespace {

using test::buffer_of;
using test::kernel;
using test::one_thread_each;
using test::values_of;
using testing::AllOf;
using testing::HasSubstr;

enum class Current { other_device, nothing };

class SeveralDevices : public testing::TestWithParam<Current> {
protected:
    void SetUp() override {
        if (Device::count() < 2) {
            ASSERT_FALSE(Device(0).is_simulator()) << "CUPRUM_SIM=devices=2 is missing";
            GTEST_SKIP() << "this machine has one GPU";
        }
    }
    // On a thread of its own: what is current there is the test's.
    template <class Action>
    void with_current(const Action& action) {
        std::thread([&] {
            CUcontext wanted = nullptr;
            if (GetParam() == Current::other_device) {
                Device(0).set_current();
                wanted = Device(0).context().handle();
            }
            EXPECT_NO_THROW(action());
            CUcontext left = nullptr;
            EXPECT_EQ(bindings::driver::cuCtxGetCurrent(&left), CUDA_SUCCESS);
            EXPECT_EQ(left, wanted) << "another context was left behind";
        }).join();
    }
    static std::vector<int> numbers(int first) {
        std::vector<int> made(1000);
        std::iota(made.begin(), made.end(), first);
        return made;
    }
};

TEST_P(SeveralDevices, TheCurrentOneIsWhosoeverMadeItSo) {
    with_current([] {
        EXPECT_EQ(Device::current().device_id(), 0);
        CUcontext foreign = nullptr;
        ASSERT_EQ(bindings::driver::cuCtxCreate(&foreign, nullptr, 0, 1), CUDA_SUCCESS);  // and makes it current
        EXPECT_EQ(Device::current().device_id(), 1);
        EXPECT_EQ(bindings::driver::cuCtxDestroy(foreign), CUDA_SUCCESS);
    });
}

TEST_P(SeveralDevices, WhatIsBorrowedBelongsToTheCurrentOneOrItsOwn) {
    with_current([] {
        const Buffer memory = Device(1).allocate(16);
        EXPECT_EQ(BufferRef::from_handle(memory.handle(), 16).device_id(), 1);
        EXPECT_EQ(BufferRef::from_handle(memory.handle(), 16, 0).device_id(), 0) << "the caller knows better";
        const Stream stream = Device(1).create_stream();
        EXPECT_EQ(StreamRef::from_handle(stream.handle()).device_id(), 1);
        EXPECT_EQ(StreamRef::from_handle(nullptr).device_id(), 0);
        const Event event = Device(1).create_event();
        EXPECT_EQ(EventRef::from_handle(event.handle()).device_id(), 0);
    });
    std::thread([] {
        Device(1).set_current();
        EXPECT_EQ(StreamRef::from_handle(nullptr).device_id(), 1);
        EXPECT_EQ(StreamRef::from_handle(CU_STREAM_PER_THREAD).device_id(), 1);
        EXPECT_EQ(EventRef::from_handle(Device(1).create_event().handle()).device_id(), 1);
    }).join();
}

TEST_P(SeveralDevices, MemoryLiesWhereTheDriverSays) {
    with_current([] {
        const Buffer there = Device(1).allocate(100);
        const Buffer here = Device(0).allocate(100);
        EXPECT_EQ(Device::of_memory(there.handle() + 99).value().device_id(), 1);
        EXPECT_EQ(Device::of_memory(here.handle()).value().device_id(), 0);
        const int on_the_stack = 0;
        EXPECT_FALSE(Device::of_memory(reinterpret_cast<uintptr_t>(&on_the_stack)).has_value());
        EXPECT_FALSE(Device::of_memory(0).has_value());
    });
}

TEST_P(SeveralDevices, PinnedMemoryIsUsedByAllOfThem) {
    with_current([] {
        const LegacyPinnedMemoryResource resource;
        const Device device(1);
        const Stream stream = device.create_stream();
        const Buffer pinned = resource.allocate(4000, stream);
        for (const bool ordered : {false, true}) {
            SCOPED_TRACE(ordered ? "stream-ordered" : "allocated at once");
            std::ranges::copy(numbers(5), pinned.as_span<int>().begin());
            const Buffer of_device = ordered ? device.allocate(4000, stream) : device.allocate(4000);
            of_device.copy_from(pinned, stream);
            launch(stream, one_thread_each(1000), kernel("increment"), of_device, 1000);
            pinned.copy_from(of_device, stream);
            launch(stream, one_thread_each(1000), kernel("increment"), pinned, 1000);
            stream.sync();
            EXPECT_EQ(values_of<int>(pinned), numbers(7));
            const Stream of_another = Device(0).create_stream();
            launch(of_another, one_thread_each(1000), kernel("increment"), pinned, 1000);
            of_another.sync();
            EXPECT_EQ(values_of<int>(pinned), numbers(8));
        }
    });
}

TEST_P(SeveralDevices, RegisteredMemoryIsUsedByAllAndUnregisteredAfterTheWorkOfAll) {
    with_current([] {
        const Device second(1);
        const Stream stream = second.create_stream();
        std::vector<int> values = numbers(5);
        Buffer registered = Buffer::register_host_memory(values);
        launch(stream, one_thread_each(1000), kernel("increment"), registered, 1000);
        const Stream of_another = Device(0).create_stream();
        of_another.wait(stream);
        launch(of_another, one_thread_each(1000), kernel("increment"), registered, 1000);
        of_another.sync();
        EXPECT_EQ(values, numbers(7));
        stream.launch_host_function([] { std::this_thread::sleep_for(std::chrono::milliseconds(30)); });
        launch(stream, one_thread_each(1000), kernel("increment"), registered, 1000);
        registered.close();
        EXPECT_EQ(values, numbers(8));
    });
}

TEST_P(SeveralDevices, VirtualMemoryIsSharedWithThePeersThatAreNamed) {
    with_current([] {
        const Device owner(1);
        VirtualMemoryResourceOptions options;
        options.peers = {Device(0)};
        const VirtualMemoryResource resource(owner, options);
        const Stream stream = Device(0).create_stream();
        Buffer buffer = resource.allocate(4000);
        EXPECT_EQ(buffer.device_id(), 1);
        buffer.copy_from_host(numbers(5));
        resource.modify_allocation(buffer, 2 * resource.granularity());
        launch(stream, one_thread_each(1000), kernel("increment"), buffer, 1000);
        stream.sync();
        EXPECT_EQ(values_of<int>(buffer.slice(0, 4000)), numbers(6));
    });
}

// Memory of cuMemAlloc, which copies reach from everywhere, and of a pool, which they do not.
TEST_P(SeveralDevices, BuffersAreCopiedAndFilledInTheirStreams) {
    with_current([] {
        const Device device(1);
        const Stream stream = device.create_stream();
        const std::vector<int> in = numbers(5);
        for (const bool ordered : {false, true}) {
            SCOPED_TRACE(ordered ? "stream-ordered" : "allocated at once");
            std::vector<int> out(1000);
            const Buffer buffer = ordered ? device.allocate(4000, stream) : device.allocate(4000);
            buffer.fill(7, 4, stream);
            buffer.copy_to_host(out.data(), 4000, stream);
            stream.sync();
            EXPECT_EQ(out, std::vector<int>(1000, 7));
            buffer.copy_from_host(in.data(), 4000, stream);
            const Buffer copy = ordered ? device.allocate(4000, stream) : device.allocate(4000);
            copy.copy_from(buffer, stream);
            stream.sync();
            EXPECT_EQ(values_of<int>(copy), in);
            copy.copy_from_host(out.data(), 4000);
            EXPECT_EQ(values_of<int>(copy), out);
        }
    });
}

TEST_P(SeveralDevices, BuffersAreCopiedFromOneDeviceToAnother) {
    with_current([] {
        const Device first(0), second(1);
        const Stream streams[] = {first.create_stream(), second.create_stream()};
        const std::vector<int> in = numbers(9);
        for (const bool ordered : {false, true}) {
            SCOPED_TRACE(ordered ? "stream-ordered" : "allocated at once");
            const Buffer from = ordered ? first.allocate(4000, streams[0]) : first.allocate(4000);
            from.copy_from_host(in.data(), 4000, streams[0]);
            streams[0].sync();
            for (const Stream& stream : streams) {
                SCOPED_TRACE(stream.device_id());
                const Buffer to = ordered ? second.allocate(4000, streams[1]) : second.allocate(4000);
                streams[1].sync();
                to.copy_from(from, stream);
                stream.sync();
                EXPECT_EQ(values_of<int>(to), in);
            }
        }
    });
}

TEST_P(SeveralDevices, RegionsAreCopiedAndFilledOnTheirDeviceAndBetweenDevices) {
    with_current([] {
        const Device near(0), far(1);
        const Stream stream = far.create_stream();
        // Columns of a matrix of 100 rows of 10 numbers.
        const Region columns{.width = 12, .height = 100, .offset = 8, .row_pitch = 40};
        const std::vector<int> in = numbers(5);
        for (const bool ordered : {false, true}) {
            SCOPED_TRACE(ordered ? "stream-ordered" : "allocated at once");
            const Buffer there = ordered ? far.allocate(4000, stream) : far.allocate(4000);
            const Stream other = near.create_stream();
            const Buffer here = ordered ? near.allocate(4000, other) : near.allocate(4000);
            other.sync();
            there.fill(0, 4, stream);
            there.copy_region_from_host(columns, std::as_bytes(std::span(in)), columns, stream);
            stream.sync();
            here.fill(0, 4, other);
            other.sync();
            here.copy_region_from(columns, there, columns, stream);
            stream.sync();
            std::vector<int> out(1000);
            here.copy_region_to_host(std::as_writable_bytes(std::span(out)), columns, columns);
            std::vector<int> expected(1000);
            for (size_t index = 0; index < expected.size(); ++index)
                expected[index] = index % 10 >= 2 && index % 10 < 5 ? in[index] : 0;
            EXPECT_EQ(out, expected);
            there.fill_region(columns, 9, 4, stream);
            there.copy_region_to_host(std::as_writable_bytes(std::span(out)), columns, columns, stream);
            stream.sync();
            EXPECT_EQ(out[2], 9);
            EXPECT_EQ(out[0], 0);
            EXPECT_EQ(values_of<int>(here), expected);
        }
    });
}

TEST_P(SeveralDevices, BatchesMayHaveCopiesBetweenDevices) {
    with_current([] {
        const Device near(0), far(1);
        const Stream stream = far.create_stream();
        const Buffer here = buffer_of(near, numbers(1)), there = buffer_of(far, numbers(2));
        const Buffer to_here = near.allocate(4000), to_there = far.allocate(4000), across = far.allocate(4000);
        const LegacyPinnedMemoryResource resource;
        const Buffer pinned = resource.allocate(4000, stream);
        const std::vector<BufferRef> sources{there, here, here, there};
        const std::vector<BufferRef> destinations{to_there, to_here, across, pinned};
        copy_batch(stream, sources, destinations);
        stream.sync();
        EXPECT_EQ(values_of<int>(to_there), numbers(2));
        EXPECT_EQ(values_of<int>(to_here), numbers(1));
        EXPECT_EQ(values_of<int>(across), numbers(1));
        EXPECT_EQ(values_of<int>(pinned), numbers(2));
    });
}

TEST_P(SeveralDevices, KernelsRunOnTheDeviceOfTheirStream) {
    with_current([] {
        const Kernel increment = kernel("increment");  // one for both
        for (const int32_t ordinal : {1, 0, 1}) {
            const Device device(ordinal);
            const Stream stream = device.create_stream();
            const Buffer x = buffer_of(device, numbers(ordinal));
            launch(stream, one_thread_each(1000), increment, x, 1000);
            stream.sync();
            EXPECT_EQ(values_of<int>(x), numbers(ordinal + 1));
            launch(device.default_stream(), one_thread_each(1000), increment, x, 1000);
            device.sync();
            EXPECT_EQ(values_of<int>(x), numbers(ordinal + 2));
            EXPECT_GT(increment.attributes(device).max_threads_per_block, 0);
        }
    });
}

TEST_P(SeveralDevices, StreamsWaitForEventsOfOtherDevices) {
    with_current([] {
        const Device first(0), second(1);
        const Stream before = first.create_stream(), after = second.create_stream();
        const Buffer x = buffer_of(first, std::vector<unsigned int>{1});
        const Buffer y = second.allocate(4);
        launch(before, {1, 1}, kernel("slow_step"), x, 3U, 200000);
        const Event done = before.record();
        after.wait(done);
        y.copy_from(x, after);
        after.sync();
        EXPECT_TRUE(done.is_done());
        EXPECT_EQ(values_of<unsigned int>(y), values_of<unsigned int>(x));
        after.wait(before);
        after.sync();
        const Event start = second.create_event({.timing_enabled = true}),
                    end = second.create_event({.timing_enabled = true});
        after.record(start);
        after.record(end);
        end.sync();
        EXPECT_GE(elapsed_time(start, end), 0);
    });
}

TEST_P(SeveralDevices, PoolsAreSharedWithThePeersThatAreNamed) {
    with_current([] {
        const Device first(0), second(1);
        const DeviceMemoryResource pool(second, {});
        const Stream stream = second.create_stream(), foreign = first.create_stream();
        EXPECT_THROW(static_cast<void>(pool.allocate(4, foreign)), InvalidArgument);
        Buffer buffer = pool.allocate(4000, stream);
        EXPECT_THROW(buffer.set_deallocation_stream(foreign), InvalidArgument);
        EXPECT_THROW(first.set_memory_resource(pool), InvalidArgument);
        EXPECT_EQ(pool.peer_accessible_by(), std::vector<Device>());
        int possible = 0;
        ASSERT_EQ(bindings::driver::cuDeviceCanAccessPeer(&possible, 0, 1), CUDA_SUCCESS);
        if (possible == 0) {
            EXPECT_THROW(pool.set_peer_accessible_by({first}), InvalidArgument);
            return;
        }
        pool.set_peer_accessible_by({first});
        EXPECT_EQ(pool.peer_accessible_by(), std::vector<Device>{first});
        EXPECT_TRUE(pool.is_accessible_by(first));
        buffer.copy_from_host(numbers(5));
        const Kernel increment = kernel("increment");
        launch(foreign, one_thread_each(1000), increment, buffer, 1000);
        foreign.sync();
        EXPECT_EQ(values_of<int>(buffer), numbers(6));
        pool.set_accessible_by(first, false);
        EXPECT_EQ(pool.peer_accessible_by(), std::vector<Device>());
    });
}

class HeapAllocator : public MemoryAllocator {
public:
    DevicePointer allocate(uint64_t size, StreamRef /*stream*/) override {
        CUdevice device = -1;
        EXPECT_EQ(bindings::driver::cuCtxGetDevice(&device), CUDA_SUCCESS);
        devices.push_back(device);
        return reinterpret_cast<uintptr_t>(std::malloc(size));
    }
    void deallocate(DevicePointer address, uint64_t /*size*/, StreamRef /*stream*/) override {
        std::free(reinterpret_cast<void*>(address));
    }

    std::vector<int> devices;
};

TEST_P(SeveralDevices, ResourcesOfTheProgramsKeepToTheirs) {
    with_current([] {
        const auto allocator = std::make_shared<HeapAllocator>();
        const UserMemoryResource of_second(allocator, MemoryKind::device, 1);
        const Stream first = Device(0).create_stream();
        const Stream second = Device(1).create_stream();
        EXPECT_THROW(static_cast<void>(of_second.allocate(16, first)), InvalidArgument);
        EXPECT_THROW(Device(0).set_memory_resource(of_second), InvalidArgument);
        EXPECT_EQ(of_second.allocate(16, second).device_id(), 1);
        const UserMemoryResource of_none(allocator, MemoryKind::host);
        EXPECT_EQ(of_none.allocate(16, first).device_id(), 0);
        EXPECT_EQ(of_none.allocate(16, second).device_id(), 1);
        EXPECT_EQ(allocator->devices, (std::vector<int>{1, 0, 1})) << "the device's context was not current";
    });
}

TEST_P(SeveralDevices, PoolsOfHostMemoryAreEverybodys) {
    with_current([] {
        const Device first(0), second(1);
        const Kernel increment = kernel("increment");
        const PinnedMemoryResource pinned{PinnedMemoryResourceOptions{}};
        const ManagedMemoryResource managed{ManagedMemoryResourceOptions{.preferred_location = second}};
        for (const MemoryResource& pool : {MemoryResource(pinned), MemoryResource(managed)}) {
            const Stream here = first.create_stream(), there = second.create_stream();
            Buffer buffer = pool.allocate(4000, there);
            there.sync();
            std::ranges::copy(numbers(5), buffer.as_span<int>().begin());
            launch(there, one_thread_each(1000), increment, buffer, 1000);
            here.wait(there);
            launch(here, one_thread_each(1000), increment, buffer, 1000);
            here.sync();
            EXPECT_TRUE(std::ranges::equal(buffer.as_span<int>(), numbers(7)));
            buffer.close(here);  // in a stream of another device than it was allocated in
            here.sync();
        }
    });
}

// What an error says that names two devices.
template <class Action>
std::string refusal(const Action& action) {
    try {
        action();
    } catch (const InvalidArgument& error) {
        return error.what();
    } catch (const Error& error) {
        return std::string("it is another error: ") + error.what();
    }
    return "it was not refused";
}

TEST_P(SeveralDevices, WhatIsAnotherDevicesIsRefusedInWords) {
    with_current([] {
        const Device near(0), far(1);
        const Stream here = near.create_stream(), there = far.create_stream();
        const auto names_both = [](const char* operation) {
            return AllOf(HasSubstr(operation), HasSubstr("device 0"), HasSubstr("device 1"));
        };
        const EventOptions timing{.timing_enabled = true};
        const Event of_near = here.record(timing), of_far = there.record(timing);
        of_near.sync();
        of_far.sync();
        EXPECT_THAT(refusal([&] { there.record(of_near); }), names_both("recording an event"));
        EXPECT_THAT(refusal([&] { static_cast<void>(of_far - of_near); }), names_both("measuring the time"));
        EXPECT_THAT(refusal([&] { static_cast<void>(near.allocate(16, there)); }), names_both("allocating"));
        const DeviceMemoryResource pool(near, DeviceMemoryResourceOptions{});
        EXPECT_THAT(refusal([&] { static_cast<void>(pool.allocate(16, there)); }), names_both("allocating"));
        const VirtualMemoryResource growing(near);
        EXPECT_THAT(refusal([&] { static_cast<void>(growing.allocate(16, there)); }), names_both("freed"));
        Buffer buffer = near.allocate(16);
        EXPECT_THAT(refusal([&] { buffer.set_deallocation_stream(there); }), names_both("freed"));
        EXPECT_THAT(refusal([&] { far.set_memory_resource(pool); }), names_both("memory resource"));
        const SMResource multiprocessors = SMResource::of(near);
        EXPECT_THAT(refusal([&] { static_cast<void>(far.create_context({.resources = {multiprocessors}})); }),
                    names_both("green context"));
        EXPECT_THAT(refusal([&] { buffer.fill(0, 1, there); }), names_both("filling"));
        EXPECT_THAT(refusal([&] { buffer.fill_region({.width = 4, .height = 2, .row_pitch = 8}, 0, 1, there); }),
                    names_both("filling"));
        EXPECT_THAT(refusal([&] { there.write_value32(buffer, 0, 1); }), names_both("writing a value"));
        EXPECT_THAT(refusal([&] { there.wait_value32(buffer, 0, 1); }), names_both("wait for a value"));
        // Nothing of this has done any harm.
        buffer.fill(7, 1, here);
        here.sync();
        EXPECT_EQ(values_of<uint8_t>(buffer), std::vector<uint8_t>(16, 7));
        EXPECT_NO_THROW(there.sync());
    });
}

INSTANTIATE_TEST_SUITE_P(With, SeveralDevices, testing::Values(Current::other_device, Current::nothing),
                         [](const auto& parameter) {
                             return parameter.param == Current::nothing ? "NothingCurrent" : "AnotherDeviceCurrent";
                         });

}  // namespace
}  // namespace cuprum::core
