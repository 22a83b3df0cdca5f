// Host functions, and words of memory that streams wait for and write.
#include <cuda.h>

#include <array>
#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "cuprum/bindings/driver.hpp"
#include "fixture.hpp"

namespace cuprum::core {
namespace {

namespace driver = cuprum::bindings::driver;
using test::error_of;
using testing::AllOf;
using testing::HasSubstr;

class StreamOrder : public testing::Test {
protected:
    // The word that the host reads and writes while streams do.
    template <class Word>
    static std::atomic_ref<Word> word(const Buffer& buffer, size_t index = 0) {
        return std::atomic_ref(buffer.as_span<Word>()[index]);
    }

    Device device{0};
    Stream stream = device.create_stream();
    Buffer memory = LegacyPinnedMemoryResource().allocate(64, stream);
};

TEST_F(StreamOrder, HostFunctionsRunBetweenTheWorkOfTheirStream) {
    for (const StreamRef in : {static_cast<StreamRef>(stream), device.default_stream()}) {
        word<uint32_t>(memory) = 0;
        uint32_t seen = 0;
        std::thread::id thread;
        in.write_value32(memory, 0, 7);
        in.launch_host_function([&] {
            seen = word<uint32_t>(memory);
            thread = std::this_thread::get_id();
        });
        in.write_value32(memory, 0, 8);
        in.sync();
        EXPECT_EQ(seen, 7U);
        EXPECT_EQ(word<uint32_t>(memory), 8U);
        EXPECT_NE(thread, std::this_thread::get_id());
    }
}

TEST_F(StreamOrder, WhatAHostFunctionThrowsGoesToTheHandlerAndTheStreamGoesOn) {
    static std::string reported;
    const auto former = set_cleanup_error_handler([](const Error& error) noexcept { reported = error.what(); });
    const auto said_of = [&](auto throwing) {
        reported.clear();
        stream.launch_host_function(throwing);
        stream.write_value32(memory, 0, 1);
        stream.sync();
        return reported;
    };
    EXPECT_THAT(said_of([] { throw std::runtime_error("out of paper"); }),
                AllOf(HasSubstr("running a host function"), HasSubstr("out of paper")));
    EXPECT_THAT(said_of([] { throw InvalidArgument("counting", "sheep", "there are none"); }), HasSubstr("sheep"));
    EXPECT_THAT(said_of([] { throw 5; }), HasSubstr("running a host function"));
    set_cleanup_error_handler(former);
}

TEST_F(StreamOrder, WhatAHostFunctionHoldsIsDestroyedByTheProgramsThread) {
    // A buffer calls the driver when it goes, which is not permitted on the thread that runs host functions.
    static int failures = 0;
    const auto former = set_cleanup_error_handler([](const Error&) noexcept { ++failures; });
    for (const bool of_device : {false, true}) {
        auto held = std::make_shared<Buffer>(device.allocate(64));
        const std::weak_ptr<Buffer> watched = held;
        stream.launch_host_function([held = std::move(held)] {});
        if (of_device) {
            device.sync();
        } else {
            stream.sync();
        }
        EXPECT_TRUE(watched.expired());
    }
    EXPECT_EQ(failures, 0);
    set_cleanup_error_handler(former);
}

TEST_F(StreamOrder, AHostFunctionIsRefusedWhereItCouldNotBeCalledOnce) {
    EXPECT_THAT(error_of<InvalidArgument>([] { Stream().launch_host_function([] {}); }).operation(),
                HasSubstr("launching a host function"));
    EXPECT_THAT(error_of<InvalidArgument>([&] { stream.launch_host_function(nullptr); }).what(), HasSubstr("empty"));
    device.set_current();  // the driver makes graphs in the current context
    ASSERT_EQ(driver::cuStreamBeginCapture(stream.handle(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), CUDA_SUCCESS);
    EXPECT_THAT(error_of<InvalidState>([&] { stream.launch_host_function([] {}); }).what(), HasSubstr("captured"));
    CUgraph graph = nullptr;
    ASSERT_EQ(driver::cuStreamEndCapture(stream.handle(), &graph), CUDA_SUCCESS);
    EXPECT_EQ(driver::cuGraphDestroy(graph), CUDA_SUCCESS);
}

TEST_F(StreamOrder, AStreamWaitsUntilAWordFulfilsTheCondition) {
    struct Case {
        WaitCondition condition;
        uint32_t value, before, after;
    };
    constexpr std::array cases{Case{WaitCondition::greater_or_equal, 5, 4, 6},
                               Case{WaitCondition::greater_or_equal, 2, 0xFFFFFFFF, 3},  // a counter that wraps around
                               Case{WaitCondition::equal, 5, 6, 5}, Case{WaitCondition::bitwise_and, 6, 9, 4},
                               Case{WaitCondition::bitwise_nor, 0xFFFFFFF0, 0xF, 0x7}};
    for (const Case& one : cases) {
        SCOPED_TRACE(static_cast<int>(one.condition));
        word<uint32_t>(memory) = one.before;
        stream.wait_value32(memory, 0, one.value, one.condition);
        EXPECT_FALSE(stream.is_done());
        word<uint32_t>(memory) = one.after;
        stream.sync();

        // All bits of 8 bytes count.
        const auto wide = [](uint32_t half) { return uint64_t{half} << 32 | half; };
        word<uint64_t>(memory, 1) = wide(one.before);
        stream.wait_value64(memory, 8, wide(one.value), one.condition);
        EXPECT_FALSE(stream.is_done());
        word<uint64_t>(memory, 1) = wide(one.after);
        stream.sync();
    }
}

TEST_F(StreamOrder, AStreamWaitsForWhatAnotherWrites) {
    const Stream other = device.create_stream();
    const Buffer flag = device.allocate(16);
    flag.fill(0, 4, stream);
    stream.sync();
    // What writes is put into its stream before what waits: the two streams may share a queue of the hardware.
    std::promise<void> gate;
    stream.launch_host_function([opened = gate.get_future().share()] { opened.wait(); });
    stream.write_value64(flag, 8, 0xFFFFFFFF00000001);
    other.wait_value64(flag, 8, 0xFFFFFFFF00000001, WaitCondition::equal);
    other.write_value32(memory, 4, 9);
    EXPECT_FALSE(other.is_done());
    gate.set_value();
    other.sync();
    EXPECT_EQ(word<uint32_t>(memory, 1), 9U);
}

TEST_F(StreamOrder, WordsLieInsideOfTheirBufferAndAligned) {
    const auto said_of = [&](uint64_t offset, uint64_t size) {
        const auto in_stream = [&] {
            size == 4 ? stream.wait_value32(memory, offset, 0) : stream.write_value64(memory, offset, 0);
        };
        return std::string(error_of<InvalidArgument>(in_stream).what());
    };
    for (const uint64_t offset : {uint64_t{64}, uint64_t{62}, uint64_t{1} << 40, UINT64_MAX}) {
        EXPECT_THAT(said_of(offset, 4), AllOf(HasSubstr("making a stream wait for a value"), HasSubstr("not inside")));
    }
    EXPECT_THAT(said_of(2, 4), HasSubstr("not aligned"));
    EXPECT_THAT(said_of(4, 8), AllOf(HasSubstr("writing a value in a stream"), HasSubstr("8 bytes")));
    EXPECT_THAT(said_of(60, 8), HasSubstr("not inside"));
    const auto no_condition = static_cast<WaitCondition>(4);
    EXPECT_THROW(stream.wait_value32(memory, 0, 0, no_condition), InvalidArgument);
    EXPECT_THROW(stream.wait_value32(BufferRef(), 0, 0), InvalidArgument);
    EXPECT_THROW(Stream().write_value32(memory, 0, 0), InvalidArgument);
}

TEST_F(StreamOrder, WordsOfAPoolsMemoryAreRefused) {
    const Buffer pooled = device.allocate(16, stream);
    EXPECT_THAT(error_of<InvalidArgument>([&] { stream.wait_value32(pooled, 0, 0); }).what(),
                AllOf(HasSubstr("making a stream wait for a value"), HasSubstr("pool"), HasSubstr("page-locked")));
    EXPECT_THAT(error_of<InvalidArgument>([&] { stream.write_value64(pooled, 8, 1); }).what(),
                HasSubstr("writing a value in a stream"));
}

TEST_F(StreamOrder, AWordOfADeviceThatCannotFlushIsRefused) {
    if (device.attribute(CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES) != 0) {
        stream.wait_value32(memory, 0, 0, WaitCondition::greater_or_equal, true);
        stream.sync();
    } else {
        EXPECT_THROW(stream.wait_value32(memory, 0, 0, WaitCondition::greater_or_equal, true), Error);
    }
}

}  // namespace
}  // namespace cuprum::core
