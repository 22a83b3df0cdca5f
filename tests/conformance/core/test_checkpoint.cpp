// Checkpoints: of the process itself on the simulator; a GPU's driver leaves a process to another one.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "fixture.hpp"

namespace cuprum::core {
namespace {

using checkpoint::Process;
using checkpoint::ProcessState;
using test::error_of;
using testing::AllOf;
using testing::HasSubstr;

template <class Expected, class Action>
std::string message_of(const Action& action) {
    return error_of<Expected>(action).what();
}

class Checkpoints : public testing::Test {
protected:
    void SetUp() override {
        if (!device_.is_simulator()) GTEST_SKIP() << "a GPU's driver wants another process to do it";
    }

    Device device_{0};
    Process self_{static_cast<int32_t>(getpid())};
};

TEST_F(Checkpoints, CallsWaitWhileTheProcessIsLockedAndMemoryStays) {
    const Stream stream = device_.create_stream();
    const Buffer buffer = device_.allocate(12, stream);
    const std::vector<int32_t> numbers{1, 2, 3};
    buffer.copy_from_host(numbers, stream);
    stream.sync();
    EXPECT_EQ(self_.state(), ProcessState::running);
    self_.lock(1000);
    EXPECT_EQ(self_.state(), ProcessState::locked);
    std::atomic<bool> has_filled = false;
    std::thread other([&] {
        buffer.fill(7, 4, stream);
        stream.sync();
        has_filled = true;
    });
    self_.checkpoint();
    EXPECT_EQ(self_.state(), ProcessState::checkpointed);
    EXPECT_EQ(self_.restore_thread_id(), self_.pid());
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(has_filled);
    self_.restore();
    EXPECT_EQ(self_.state(), ProcessState::locked);
    self_.unlock();
    other.join();
    EXPECT_EQ(self_.state(), ProcessState::running);
    std::vector<int32_t> values(3);
    buffer.copy_to_host(values, stream);
    stream.sync();
    EXPECT_EQ(values, std::vector<int32_t>(3, 7));
}

TEST_F(Checkpoints, GiveTheProcessTheSameGpuByItsUuid) {
    self_.lock();
    self_.checkpoint();
    const std::string uuid = "GPU-00000000-0000-0000-0000-000000000001";
    self_.restore({{uuid, uuid}});
    self_.unlock();
    EXPECT_EQ(self_.state(), ProcessState::running);
}

TEST_F(Checkpoints, RefuseStepsThatAreOutOfTurn) {
    const std::string name = "process " + std::to_string(getpid());
    EXPECT_THAT(message_of<DriverError>([&] { self_.checkpoint(); }),
                AllOf(HasSubstr("checkpointing a process"), HasSubstr(name)));
    EXPECT_THAT(message_of<DriverError>([&] { self_.unlock(); }), HasSubstr("unlocking a process"));
    self_.lock();
    EXPECT_THAT(message_of<DriverError>([&] { self_.lock(); }), HasSubstr("locking a process"));
    EXPECT_THAT(message_of<DriverError>([&] { self_.restore(); }), HasSubstr("restoring a process"));
    self_.unlock();
}

TEST_F(Checkpoints, OfOtherProcessesAreNotSimulated) {
    const Process parent(static_cast<int32_t>(getppid()));
    EXPECT_THROW(parent.lock(), Unsupported);
    EXPECT_THAT(message_of<Unsupported>([&] { parent.lock(); }),
                HasSubstr("the simulator checkpoints the calling process alone"));
}

TEST(CheckpointProcess, IsNamedByAPositiveNumber) {
    EXPECT_THAT(message_of<InvalidArgument>([] { Process(0); }), HasSubstr("the number of a process is at least 1"));
    EXPECT_THROW(Process(-3), InvalidArgument);
}

TEST(CheckpointProcess, IsRestoredOntoGpusByTheirUuids) {
    const Process self(static_cast<int32_t>(getpid()));
    for (const char* wrong : {"", "GPU-1", "GPU-0000000g-0000-0000-0000-000000000001"}) {
        EXPECT_THAT(
            message_of<InvalidArgument>([&] { self.restore({{"GPU-00000000-0000-0000-0000-000000000001", wrong}}); }),
            AllOf(HasSubstr("is no UUID of a GPU"), HasSubstr("32 hexadecimal digits")));
    }
}

}  // namespace
}  // namespace cuprum::core
