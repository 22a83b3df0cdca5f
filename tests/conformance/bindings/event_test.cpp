// Streams and events.
#include <atomic>
#include <chrono>
#include <thread>

#include "fixture.hpp"

using namespace std::chrono_literals;

namespace cuprum::bindings::test {
namespace {

using Events = WithContext;

TEST_F(Events, StreamsKnowWhatTheyWereMadeWith) {
    CUstream stream = nullptr;
    ASSERT_OK(driver::cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0));
    unsigned int flags = 0;
    int priority = 1;
    unsigned long long number = 0;
    CUcontext of_stream = nullptr;
    EXPECT_OK(driver::cuStreamGetFlags(stream, &flags));
    EXPECT_EQ(flags, CU_STREAM_NON_BLOCKING);
    EXPECT_OK(driver::cuStreamGetPriority(stream, &priority));
    EXPECT_EQ(priority, 0);
    EXPECT_OK(driver::cuStreamGetId(stream, &number));
    EXPECT_OK(driver::cuStreamGetCtx(stream, &of_stream));
    EXPECT_EQ(of_stream, context);
    CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_ACTIVE;
    EXPECT_OK(driver::cuStreamIsCapturing(stream, &capture));
    EXPECT_EQ(capture, CU_STREAM_CAPTURE_STATUS_NONE);
    EXPECT_OK(driver::cuStreamQuery(stream));
    EXPECT_OK(driver::cuStreamDestroy(stream));
}

void wait_for(void* flag) {
    while (!static_cast<std::atomic<bool>*>(flag)->load()) {
        std::this_thread::yield();
    }
}

// Another stream waits for an event that is not reached yet; work that both do shows the order.
TEST_F(Events, StreamsWaitForEachOthersEvents) {
    const Shows shows{"cuStreamCreate", "cuStreamQuery", "cuStreamWaitEvent", "cuStreamSynchronize", "cuStreamDestroy",
                      "cuEventCreate",  "cuEventRecord", "cuEventQuery",      "cuEventSynchronize",  "cuEventDestroy"};
    CUstream first = nullptr;
    CUstream second = nullptr;
    CUevent event = nullptr;
    CUdeviceptr value = 0;
    ASSERT_OK(driver::cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
    ASSERT_OK(driver::cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
    ASSERT_OK(driver::cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    ASSERT_OK(driver::cuMemAlloc(&value, 4));
    std::atomic<bool> go{false};
    EXPECT_OK(driver::cuLaunchHostFunc(first, &wait_for, &go));
    EXPECT_OK(driver::cuMemsetD32Async(value, 1, 1, first));
    EXPECT_OK(driver::cuEventRecord(event, first));
    EXPECT_EQ(driver::cuEventQuery(event), CUDA_ERROR_NOT_READY);
    EXPECT_EQ(driver::cuStreamQuery(first), CUDA_ERROR_NOT_READY);
    EXPECT_OK(driver::cuStreamWaitEvent(second, event, 0));
    EXPECT_OK(driver::cuMemsetD32Async(value, 2, 1, second));
    go = true;
    EXPECT_OK(driver::cuEventSynchronize(event));
    EXPECT_OK(driver::cuEventQuery(event));
    EXPECT_OK(driver::cuStreamSynchronize(second));
    EXPECT_OK(driver::cuStreamQuery(second));
    EXPECT_EQ(download<int>(value, 1)[0], 2);
    EXPECT_OK(driver::cuMemFree(value));
    EXPECT_OK(driver::cuEventDestroy(event));
    EXPECT_OK(driver::cuStreamDestroy(first));
    EXPECT_OK(driver::cuStreamDestroy(second));
}

TEST_F(Events, TimePasses) {
    const Shows shows{"cuEventElapsedTime"};
    CUevent begin = nullptr;
    CUevent end = nullptr;
    ASSERT_OK(driver::cuEventCreate(&begin, CU_EVENT_DEFAULT));
    ASSERT_OK(driver::cuEventCreate(&end, CU_EVENT_DEFAULT));
    EXPECT_OK(driver::cuEventRecord(begin, nullptr));
    EXPECT_OK(driver::cuLaunchHostFunc(nullptr, [](void*) { std::this_thread::sleep_for(20ms); }, nullptr));
    EXPECT_OK(driver::cuEventRecord(end, nullptr));
    EXPECT_OK(driver::cuEventSynchronize(end));
    float milliseconds = -1;
    EXPECT_OK(driver::cuEventElapsedTime(&milliseconds, begin, end));
    EXPECT_GE(milliseconds, 19.0F);
    EXPECT_OK(driver::cuEventDestroy(begin));
    EXPECT_OK(driver::cuEventDestroy(end));
}

}  // namespace
}  // namespace cuprum::bindings::test
