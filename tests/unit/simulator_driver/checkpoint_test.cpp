// Checkpoints of the process itself.
#include <gmock/gmock.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "driver_api.hpp"
#include "driver_log.hpp"

namespace cuprum::test {
namespace {

using testing::HasSubstr;

class CheckpointTest : public DriverTest {
protected:
    static CUprocessState state() {
        CUprocessState found = CU_PROCESS_STATE_FAILED;
        EXPECT_OK(cu().cuCheckpointProcessGetState(getpid(), &found));
        return found;
    }
};

TEST_F(CheckpointTest, CallsWaitWhileTheProcessIsLockedAndMemoryStays) {
    const CUdeviceptr memory = upload(std::vector<int>{1, 2, 3});
    ASSERT_OK(cu().cuCheckpointProcessLock(getpid(), nullptr));
    EXPECT_EQ(state(), CU_PROCESS_STATE_LOCKED);
    std::atomic<bool> returned{false};
    std::thread other([&] {
        EXPECT_OK(cu().cuCtxSetCurrent(context));
        EXPECT_OK(cu().cuMemsetD32(memory, 7, 1));
        returned = true;
    });
    ASSERT_OK(cu().cuCheckpointProcessCheckpoint(getpid(), nullptr));
    EXPECT_EQ(state(), CU_PROCESS_STATE_CHECKPOINTED);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(returned);
    int tid = 0;
    EXPECT_OK(cu().cuCheckpointProcessGetRestoreThreadId(getpid(), &tid));
    EXPECT_EQ(tid, getpid());
    ASSERT_OK(cu().cuCheckpointProcessRestore(getpid(), nullptr));
    ASSERT_OK(cu().cuCheckpointProcessUnlock(getpid(), nullptr));
    other.join();
    EXPECT_TRUE(returned);
    EXPECT_EQ(state(), CU_PROCESS_STATE_RUNNING);
    EXPECT_EQ(download<int>(memory, 3), (std::vector<int>{7, 2, 3}));
}

TEST_F(CheckpointTest, ALockWaitsForWorkAsLongAsItMay) {
    const CUstream stream = new_stream();
    Gate gate;
    gate.close_in(stream);
    CUcheckpointLockArgs args{};
    args.timeoutMs = 20;
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuCheckpointProcessLock(getpid(), &args));
    EXPECT_EQ(state(), CU_PROCESS_STATE_RUNNING);
    gate.open();
    EXPECT_OK(cu().cuStreamSynchronize(stream));
    args.timeoutMs = 60000;
    EXPECT_OK(cu().cuCheckpointProcessLock(getpid(), &args));
    EXPECT_OK(cu().cuCheckpointProcessUnlock(getpid(), nullptr));
}

TEST_F(CheckpointTest, WhatCannotBeDoneIsRefused) {
    EXPECT_CU(CUDA_ERROR_ILLEGAL_STATE, cu().cuCheckpointProcessCheckpoint(getpid(), nullptr));
    EXPECT_CU(CUDA_ERROR_ILLEGAL_STATE, cu().cuCheckpointProcessRestore(getpid(), nullptr));
    EXPECT_CU(CUDA_ERROR_ILLEGAL_STATE, cu().cuCheckpointProcessUnlock(getpid(), nullptr));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuCheckpointProcessGetState(getpid(), nullptr));
    CUprocessState found = CU_PROCESS_STATE_FAILED;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuCheckpointProcessGetState(-1, &found));
    const std::string text =
        log_of([&] { EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cu().cuCheckpointProcessGetState(getppid(), &found)); });
    EXPECT_THAT(text, HasSubstr("is another one: the simulator checkpoints the calling process alone"));
    CUcheckpointLockArgs args{};
    args.reserved1[2] = 1;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuCheckpointProcessLock(getpid(), &args));
    EXPECT_EQ(state(), CU_PROCESS_STATE_RUNNING);
}

}  // namespace
}  // namespace cuprum::test
