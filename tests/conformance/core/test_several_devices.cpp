// Objects of one device, used while another device's context is current to the thread, or none. A program of its own,
// with two simulated devices.
#include <algorithm>
#include <numeric>
#include <thread>

#include <cuda.h>

#include "cuprum/bindings/driver.hpp"
#include "fixture.hpp"

namespace cuprum::core {
namespace {

using test::buffer_of;
using test::kernel;
using test::one_thread_each;
using test::values_of;

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
                wanted = Device(0).context();
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

INSTANTIATE_TEST_SUITE_P(With, SeveralDevices, testing::Values(Current::other_device, Current::nothing),
                         [](const auto& parameter) {
                             return parameter.param == Current::nothing ? "NothingCurrent" : "AnotherDeviceCurrent";
                         });

}  // namespace
}  // namespace cuprum::core
