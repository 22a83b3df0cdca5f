#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

using namespace std::chrono_literals;

class StreamTest : public DriverTest {};

// Appends a number to a list when its turn comes.
struct Note {
    std::vector<int>* list;
    int number;
};

void take_note(void* data) {
    const auto* note = static_cast<Note*>(data);
    note->list->push_back(note->number);
}

TEST_F(StreamTest, WorkRunsInOrder) {
    const CUstream stream = new_stream();
    std::vector<int> list;
    std::vector<Note> notes;
    for (int number = 0; number < 50; ++number) {
        notes.push_back({&list, number});
    }
    for (Note& note : notes) {
        ASSERT_OK(cu().cuLaunchHostFunc(stream, take_note, &note));
    }
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    ASSERT_EQ(list.size(), 50u);
    for (int number = 0; number < 50; ++number) {
        EXPECT_EQ(list[static_cast<size_t>(number)], number);
    }
}

TEST_F(StreamTest, LaunchesReturnBeforeTheirWorkIsDone) {
    const CUstream stream = new_stream();
    const CUdeviceptr pointer = upload(std::vector<unsigned>(100, 1));
    const CUfunction increment = function("increment");
    CUdeviceptr argument = pointer;
    unsigned n = 100;
    Gate gate;
    gate.close_in(stream);
    ASSERT_OK(launch(increment, 1, 128, stream, {&argument, &n}));
    n = 0;  // the arguments were copied
    argument = 0;
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuStreamQuery(stream));
    gate.open();
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_OK(cu().cuStreamQuery(stream));
    EXPECT_EQ(download<unsigned>(pointer, 100), std::vector<unsigned>(100, 2));
}

TEST_F(StreamTest, CopiesFromPinnedMemoryReadItWhenTheirTurnComes) {
    const CUstream stream = new_stream();
    void* memory = nullptr;
    ASSERT_OK(cu().cuMemAllocHost(&memory, 4));
    auto* word = static_cast<unsigned*>(memory);
    *word = 1;
    const CUdeviceptr pointer = allocate(4);
    Gate gate;
    gate.close_in(stream);
    ASSERT_OK(cu().cuMemcpyHtoDAsync(pointer, memory, 4, stream));
    *word = 2;
    gate.open();
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(download<unsigned>(pointer, 1), std::vector<unsigned>{2});
    EXPECT_OK(cu().cuMemFreeHost(memory));
}

TEST_F(StreamTest, CopiesFromPageableMemoryReadItBeforeTheyReturn) {
    const CUstream stream = new_stream();
    unsigned word = 1;
    const CUdeviceptr pointer = allocate(4);
    Gate gate;
    gate.close_in(stream);
    ASSERT_OK(cu().cuMemcpyHtoDAsync(pointer, &word, 4, stream));
    word = 2;
    gate.open();
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(download<unsigned>(pointer, 1), std::vector<unsigned>{1});
}

TEST_F(StreamTest, NonBlockingStreamsRunBesideTheDefaultStream) {
    const CUstream stream = new_stream(CU_STREAM_NON_BLOCKING);
    Gate gate;
    gate.close_in(stream);
    const CUdeviceptr pointer = allocate(400);
    ASSERT_OK(cu().cuMemsetD32(pointer, 8, 100));
    EXPECT_EQ(download<unsigned>(pointer, 100), std::vector<unsigned>(100, 8));
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuStreamQuery(stream));
    gate.open();
    ASSERT_OK(cu().cuStreamSynchronize(stream));
}

TEST_F(StreamTest, TheDefaultStreamWaitsForBlockingStreams) {
    const CUstream stream = new_stream(CU_STREAM_DEFAULT);
    void* memory = nullptr;
    ASSERT_OK(cu().cuMemAllocHost(&memory, 4));
    auto* word = static_cast<volatile unsigned*>(memory);
    *word = 1;
    const CUfunction fill = function("fill");  // loading a module waits for the context's work on a GPU
    auto pointer = reinterpret_cast<CUdeviceptr>(memory);
    unsigned value = 2, n = 1;
    Gate gate;
    gate.close_in(stream);
    ASSERT_OK(launch(fill, 1, 1, nullptr, {&pointer, &value, &n}));
    std::this_thread::sleep_for(20ms);
    EXPECT_EQ(*word, 1u) << "the kernel in the default stream ran before the blocking stream was done";
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuStreamQuery(nullptr));
    gate.open();
    ASSERT_OK(cu().cuStreamSynchronize(nullptr));
    EXPECT_OK(cu().cuStreamQuery(stream));
    EXPECT_EQ(*word, 2u);
    EXPECT_OK(cu().cuMemFreeHost(memory));
}

TEST_F(StreamTest, BlockingStreamsWaitForTheDefaultStream) {
    const CUstream stream = new_stream(CU_STREAM_DEFAULT);
    std::vector<int> list;
    Note first{&list, 1}, second{&list, 2};
    Gate gate;
    gate.close_in(CU_STREAM_LEGACY);
    ASSERT_OK(cu().cuLaunchHostFunc(CU_STREAM_LEGACY, take_note, &first));
    ASSERT_OK(cu().cuLaunchHostFunc(stream, take_note, &second));
    std::this_thread::sleep_for(20ms);
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuStreamQuery(stream));
    gate.open();
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(list, (std::vector<int>{1, 2}));
}

TEST_F(StreamTest, EveryThreadHasADefaultStreamOfItsOwn) {
    unsigned long long here = 0, again = 0, there = 0;
    ASSERT_OK(cu().cuStreamGetId(CU_STREAM_PER_THREAD, &here));
    ASSERT_OK(cu().cuStreamGetId(CU_STREAM_PER_THREAD, &again));
    EXPECT_EQ(here, again);
    std::thread([&] {
        ASSERT_OK(cu().cuCtxSetCurrent(context));
        ASSERT_OK(cu().cuStreamGetId(CU_STREAM_PER_THREAD, &there));
    }).join();
    EXPECT_NE(here, there);
}

TEST_F(StreamTest, PerThreadFormsUseThePerThreadDefaultStream) {
    const auto launch_host = reinterpret_cast<decltype(cu().cuLaunchHostFunc)>(cu().symbol("cuLaunchHostFunc_ptsz"));
    const auto query = reinterpret_cast<decltype(cu().cuStreamQuery)>(cu().symbol("cuStreamQuery_ptsz"));
    ASSERT_NE(launch_host, nullptr);
    ASSERT_NE(query, nullptr);
    std::vector<int> list;
    Note note{&list, 1};
    Gate gate;
    gate.close_in(CU_STREAM_PER_THREAD);
    ASSERT_OK(launch_host(nullptr, take_note, &note));
    EXPECT_CU(CUDA_ERROR_NOT_READY, query(nullptr));
    gate.open();
    ASSERT_OK(cu().cuStreamSynchronize(CU_STREAM_PER_THREAD));
    EXPECT_EQ(list, std::vector<int>{1});
}

TEST_F(StreamTest, WaitsForEventsOfOtherStreams) {
    const CUstream first = new_stream(), second = new_stream();
    const CUevent event = new_event(CU_EVENT_DISABLE_TIMING);
    std::vector<int> list;
    Note note_first{&list, 1}, note_second{&list, 2};
    Gate gate;
    gate.close_in(first);
    ASSERT_OK(cu().cuLaunchHostFunc(first, take_note, &note_first));
    ASSERT_OK(cu().cuEventRecord(event, first));
    ASSERT_OK(cu().cuStreamWaitEvent(second, event, 0));
    ASSERT_OK(cu().cuLaunchHostFunc(second, take_note, &note_second));
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuStreamQuery(second));
    gate.open();
    ASSERT_OK(cu().cuStreamSynchronize(second));
    EXPECT_EQ(list, (std::vector<int>{1, 2}));
}

TEST_F(StreamTest, WaitingForAnEventMeansItsLastRecordingSoFar) {
    const CUstream first = new_stream(), second = new_stream();
    const CUevent event = new_event(CU_EVENT_DISABLE_TIMING);
    ASSERT_OK(cu().cuStreamWaitEvent(second, event, 0)) << "an event never recorded has happened";
    ASSERT_OK(cu().cuEventRecord(event, first));
    ASSERT_OK(cu().cuStreamWaitEvent(second, event, 0));
    Gate gate;
    gate.close_in(first);
    ASSERT_OK(cu().cuEventRecord(event, first));
    // The second stream waits for the earlier recording only.
    EXPECT_OK(cu().cuStreamSynchronize(second));
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuEventQuery(event));
    gate.open();
    EXPECT_OK(cu().cuEventSynchronize(event));
}

TEST_F(StreamTest, CallbacksLearnTheStreamAndItsStatus) {
    const CUstream stream = new_stream();
    struct Seen {
        CUstream stream = nullptr;
        CUresult status = CUDA_ERROR_UNKNOWN;
    } seen;
    const auto callback = [](CUstream from, CUresult status, void* data) {
        *static_cast<Seen*>(data) = {from, status};
    };
    ASSERT_OK(cu().cuStreamAddCallback(stream, callback, &seen, 0));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(seen.stream, stream);
    EXPECT_EQ(seen.status, CUDA_SUCCESS);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuStreamAddCallback(stream, nullptr, nullptr, 0));
}

TEST_F(StreamTest, HostFunctionsMayNotCallTheDriver) {
    const CUstream stream = new_stream();
    CUresult code = CUDA_SUCCESS;
    const auto call = [](void* data) {
        CUdeviceptr pointer = 0;
        *static_cast<CUresult*>(data) = cu().cuMemAlloc(&pointer, 16);
    };
    ASSERT_OK(cu().cuLaunchHostFunc(stream, call, &code));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_CU(CUDA_ERROR_NOT_PERMITTED, code);
}

TEST_F(StreamTest, KnowsItsProperties) {
    int least = 0, greatest = 0, priority = 1;
    ASSERT_OK(cu().cuCtxGetStreamPriorityRange(&least, &greatest));
    CUstream stream = nullptr;
    ASSERT_OK(cu().cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, greatest));
    EXPECT_OK(cu().cuStreamGetPriority(stream, &priority));
    EXPECT_EQ(priority, greatest);
    unsigned int flags = 0;
    EXPECT_OK(cu().cuStreamGetFlags(stream, &flags));
    EXPECT_EQ(flags, static_cast<unsigned int>(CU_STREAM_NON_BLOCKING));
    CUcontext owner = nullptr;
    EXPECT_OK(cu().cuStreamGetCtx(stream, &owner));
    EXPECT_EQ(owner, context);
    CUdevice on = -1;
    EXPECT_OK(cu().cuStreamGetDevice(stream, &on));
    EXPECT_EQ(on, device);
    unsigned long long identifier = 0, of_default = 0;
    EXPECT_OK(cu().cuStreamGetId(stream, &identifier));
    EXPECT_OK(cu().cuStreamGetId(nullptr, &of_default));
    EXPECT_NE(identifier, of_default);
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
    EXPECT_OK(cu().cuStreamIsCapturing(stream, &status));
    EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_NONE);
    EXPECT_OK(cu().cuStreamDestroy(stream));
}

TEST_F(StreamTest, PrioritiesOutOfRangeAreTakenIntoIt) {
    int least = 0, greatest = 0, priority = 1;
    ASSERT_OK(cu().cuCtxGetStreamPriorityRange(&least, &greatest));
    CUstream stream = nullptr;
    ASSERT_OK(cu().cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, greatest - 100));
    EXPECT_OK(cu().cuStreamGetPriority(stream, &priority));
    EXPECT_EQ(priority, greatest);
    EXPECT_OK(cu().cuStreamDestroy(stream));
}

TEST_F(StreamTest, UnknownFlagsAreInvalidValues) {
    CUstream stream = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuStreamCreate(&stream, 0x10));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuStreamCreate(nullptr, 0));
}

TEST_F(StreamTest, WorkOfADestroyedStreamStillRuns) {
    CUstream stream = nullptr;
    ASSERT_OK(cu().cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    const CUdeviceptr pointer = upload(std::vector<unsigned>(1, 0));
    const CUevent event = new_event(CU_EVENT_DISABLE_TIMING);
    ASSERT_OK(cu().cuMemsetD32Async(pointer, 6, 1, stream));
    ASSERT_OK(cu().cuEventRecord(event, stream));
    ASSERT_OK(cu().cuStreamDestroy(stream));
    ASSERT_OK(cu().cuEventSynchronize(event));
    EXPECT_EQ(download<unsigned>(pointer, 1), std::vector<unsigned>{6});
}

TEST_F(StreamTest, TheDefaultStreamsAreNotDestroyed) {
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuStreamDestroy(nullptr));
}

TEST_F(StreamTest, ManyStreamsRunAtOnce) {
    constexpr int count = 24;
    std::vector<CUstream> streams;
    for (int index = 0; index < count; ++index) {
        streams.push_back(new_stream());
    }
    const CUfunction increment = function("increment");
    CUdeviceptr pointer = upload(std::vector<unsigned>(count * 64, 0));
    unsigned n = 64;
    for (int round = 0; round < 20; ++round) {
        for (int index = 0; index < count; ++index) {
            CUdeviceptr part = pointer + static_cast<size_t>(index) * 256;
            ASSERT_OK(launch(increment, 1, 64, streams[static_cast<size_t>(index)], {&part, &n}));
        }
    }
    ASSERT_OK(cu().cuCtxSynchronize());
    EXPECT_EQ(download<unsigned>(pointer, count * 64), std::vector<unsigned>(count * 64, 20));
}

TEST_F(StreamTest, ThreadsMayShareAStream) {
    const CUstream stream = new_stream();
    const CUfunction increment = function("increment");
    CUdeviceptr pointer = upload(std::vector<unsigned>(32, 0));
    std::vector<std::thread> threads;
    for (int index = 0; index < 4; ++index) {
        threads.emplace_back([&] {
            ASSERT_OK(cu().cuCtxSetCurrent(context));
            unsigned n = 32;
            CUdeviceptr argument = pointer;
            void* parameters[] = {&argument, &n};
            for (int round = 0; round < 25; ++round) {
                ASSERT_OK(cu().cuLaunchKernel(increment, 1, 1, 1, 32, 1, 1, 0, stream, parameters, nullptr));
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(download<unsigned>(pointer, 32), std::vector<unsigned>(32, 100));
}

// Events.

class EventTest : public DriverTest {};

TEST_F(EventTest, MeasureTheTimeBetweenThem) {
    const CUstream stream = new_stream();
    const CUevent start = new_event(), end = new_event();
    ASSERT_OK(cu().cuEventRecord(start, stream));
    ASSERT_OK(cu().cuLaunchHostFunc(stream, [](void*) { std::this_thread::sleep_for(20ms); }, nullptr));
    ASSERT_OK(cu().cuEventRecord(end, stream));
    ASSERT_OK(cu().cuEventSynchronize(end));
    float milliseconds = -1;
    ASSERT_OK(cu().cuEventElapsedTime(&milliseconds, start, end));
    EXPECT_GE(milliseconds, 19);
    EXPECT_LT(milliseconds, 5000);
    ASSERT_OK(cu().cuEventElapsedTime(&milliseconds, end, start));
    EXPECT_LE(milliseconds, -19);
}

TEST_F(EventTest, AreReadyUntilTheyAreRecorded) {
    const CUevent event = new_event();
    EXPECT_OK(cu().cuEventQuery(event));
    EXPECT_OK(cu().cuEventSynchronize(event));
}

TEST_F(EventTest, AreNotReadyWhileTheirStreamIsHeldUp) {
    const CUstream stream = new_stream();
    const CUevent start = new_event(), end = new_event();
    ASSERT_OK(cu().cuEventRecord(start, stream));
    Gate gate;
    gate.close_in(stream);
    ASSERT_OK(cu().cuEventRecord(end, stream));
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuEventQuery(end));
    float milliseconds = 0;
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuEventElapsedTime(&milliseconds, start, end));
    gate.open();
    ASSERT_OK(cu().cuEventSynchronize(end));
    EXPECT_OK(cu().cuEventQuery(end));
}

TEST_F(EventTest, WithoutTimingHaveNoTime) {
    const CUevent timed = new_event(), untimed = new_event(CU_EVENT_DISABLE_TIMING);
    ASSERT_OK(cu().cuEventRecord(timed, nullptr));
    ASSERT_OK(cu().cuEventRecord(untimed, nullptr));
    ASSERT_OK(cu().cuCtxSynchronize());
    float milliseconds = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuEventElapsedTime(&milliseconds, timed, untimed));
}

TEST_F(EventTest, NeverRecordedHaveNoTime) {
    const CUevent recorded = new_event(), unrecorded = new_event();
    ASSERT_OK(cu().cuEventRecord(recorded, nullptr));
    ASSERT_OK(cu().cuCtxSynchronize());
    float milliseconds = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuEventElapsedTime(&milliseconds, recorded, unrecorded));
}

TEST_F(EventTest, UnknownFlagsAreInvalidValues) {
    CUevent event = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuEventCreate(&event, 0x100));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuEventCreate(&event, CU_EVENT_INTERPROCESS));
}

TEST_F(EventTest, BetweenProcessesAreWhereTheyWereRecordedLastWhateverHappensLast) {
    const CUevent event = new_event(CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS);
    const CUstream slow = new_stream(), fast = new_stream();
    Gate gate;
    gate.close_in(slow);
    ASSERT_OK(cu().cuEventRecord(event, slow));
    // As many as the simulator tells apart, which keeps them in memory that processes share.
    for (int recording = 0; recording < 256; ++recording)
        ASSERT_OK(cu().cuEventRecord(event, fast));
    ASSERT_OK(cu().cuStreamSynchronize(fast));
    gate.open();
    ASSERT_OK(cu().cuStreamSynchronize(slow));
    EXPECT_OK(cu().cuEventQuery(event));
}

TEST_F(EventTest, BelongToTheContextOfTheirStream) {
    const CUevent event = new_event();
    CUcontext own = nullptr;
    ASSERT_OK(cu().cuCtxCreate(&own, nullptr, 0, device));
    CUstream stream = nullptr;
    ASSERT_OK(cu().cuStreamCreate(&stream, 0));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuEventRecord(event, stream));
    ASSERT_OK(cu().cuCtxDestroy(own));
}

}  // namespace
}  // namespace cuprum::test
