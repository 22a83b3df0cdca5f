// Events that are recorded in, and hold back, all streams of a context (CUDA 12.5).
#include <atomic>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

class ContextEventTest : public DriverTest {
protected:
    static void set(void* flag) { static_cast<std::atomic<bool>*>(flag)->store(true); }
};

TEST_F(ContextEventTest, ComesBehindTheWorkOfAllStreams) {
    const CUstream first = new_stream(), second = new_stream();
    const CUevent event = new_event();
    Gate gate;
    gate.close_in(second);
    std::atomic<bool> first_done = false, second_done = false;
    ASSERT_OK(cu().cuLaunchHostFunc(first, set, &first_done));
    ASSERT_OK(cu().cuLaunchHostFunc(second, set, &second_done));
    ASSERT_OK(cu().cuCtxRecordEvent(context, event));
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuEventQuery(event));
    gate.open();
    ASSERT_OK(cu().cuEventSynchronize(event));
    EXPECT_TRUE(first_done);
    EXPECT_TRUE(second_done);
    ASSERT_OK(cu().cuCtxSynchronize());
}

TEST_F(ContextEventTest, HasHappenedOnceTheContextIsSynchronised) {
    const CUevent event = new_event();
    ASSERT_OK(cu().cuCtxRecordEvent(context, event));
    ASSERT_OK(cu().cuCtxSynchronize());
    EXPECT_OK(cu().cuEventQuery(event));
}

TEST_F(ContextEventTest, HoldsBackTheStreamsThatThereAre) {
    const CUstream held = new_stream(), other = new_stream();
    const CUevent event = new_event();
    Gate gate;
    gate.close_in(held);
    ASSERT_OK(cu().cuEventRecord(event, held));
    ASSERT_OK(cu().cuCtxWaitEvent(context, event));
    std::atomic<bool> done = false;
    ASSERT_OK(cu().cuLaunchHostFunc(other, set, &done));
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuStreamQuery(other));
    EXPECT_FALSE(done);
    gate.open();
    ASSERT_OK(cu().cuStreamSynchronize(other));
    EXPECT_TRUE(done);
    ASSERT_OK(cu().cuCtxSynchronize());
}

TEST_F(ContextEventTest, HoldsBackStreamsThatAreMadeLater) {
    const CUstream held = new_stream();
    const CUevent event = new_event();
    Gate gate;
    gate.close_in(held);
    ASSERT_OK(cu().cuEventRecord(event, held));
    ASSERT_OK(cu().cuCtxWaitEvent(context, event));
    const CUstream later = new_stream();
    std::atomic<bool> done = false;
    ASSERT_OK(cu().cuLaunchHostFunc(later, set, &done));
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuStreamQuery(later));
    EXPECT_FALSE(done);
    gate.open();
    ASSERT_OK(cu().cuStreamSynchronize(later));
    EXPECT_TRUE(done);
    ASSERT_OK(cu().cuCtxSynchronize());
}

TEST_F(ContextEventTest, CannotBeCaptured) {
    const CUstream stream = new_stream();
    const CUevent event = new_event();
    for (const auto call : {cu().cuCtxRecordEvent, cu().cuCtxWaitEvent}) {
        ASSERT_OK(cu().cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
        EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, call(context, event));
        CUgraph graph = nullptr;
        EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cu().cuStreamEndCapture(stream, &graph));
    }
}

TEST_F(ContextEventTest, IsOneOfTheContextsOwn) {
    const CUevent event = new_event();
    CUcontext other = nullptr;
    ASSERT_OK(cu().cuCtxCreate(&other, nullptr, 0, device));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuCtxRecordEvent(other, event));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuCtxRecordEvent(other, nullptr));
    ASSERT_OK(cu().cuCtxDestroy(other));
}

}  // namespace
}  // namespace cuprum::test
