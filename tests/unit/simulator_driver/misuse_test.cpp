// What programs do wrong with memory, handles and contexts: each has its code and its own words in the log.
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "driver_api.hpp"
#include "driver_log.hpp"

namespace cuprum::test {
namespace {

class MisuseTest : public DriverTest {
protected:
    // In a context of its own, current while `code` runs.
    template <typename Code>
    void elsewhere(Code&& code) {
        CUcontext own = nullptr;
        ASSERT_OK(cu().cuCtxCreate(&own, nullptr, 0, device));
        code();
        ASSERT_OK(cu().cuCtxDestroy(own));
        ASSERT_OK(cu().cuCtxSetCurrent(context));
    }
    // The one call that `code` makes fails so.
    template <typename Code>
    void expect_refused(CUresult code, const std::vector<std::string>& report, Code&& call) {
        const std::string text = log_of([&] { EXPECT_CU(code, call()); });
        EXPECT_TRUE(says(text, report));
    }
};

// --- memory ---

TEST_F(MisuseTest, TheAddressBehindAnAllocationIsAskedFor) {
    const CUdeviceptr pointer = allocate(4096);
    int ordinal = 0;
    expect_refused(CUDA_ERROR_INVALID_VALUE, {"cuPointerGetAttribute", "is not in any memory"}, [&] {
        return cu().cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, pointer + 4096);
    });
}

TEST_F(MisuseTest, MemoryIsFreedTwice) {
    CUdeviceptr pointer = 0;
    ASSERT_OK(cu().cuMemAlloc(&pointer, 4096));
    ASSERT_OK(cu().cuMemFree(pointer));
    expect_refused(CUDA_ERROR_INVALID_VALUE, {"cuMemFree", "inside the cuMemAlloc of 4096 bytes", "has been freed"},
                   [&] { return cu().cuMemFree(pointer); });
    ASSERT_OK(cu().cuMemAllocAsync(&pointer, 64, nullptr));
    ASSERT_OK(cu().cuMemFreeAsync(pointer, nullptr));
    ASSERT_OK(cu().cuCtxSynchronize());
    expect_refused(CUDA_ERROR_INVALID_VALUE, {"cuMemFreeAsync", "of 64 bytes", "has been freed"},
                   [&] { return cu().cuMemFreeAsync(pointer, nullptr); });
    void* host = nullptr;
    ASSERT_OK(cu().cuMemAllocHost(&host, 64));
    ASSERT_OK(cu().cuMemFreeHost(host));
    expect_refused(CUDA_ERROR_INVALID_VALUE, {"cuMemFreeHost", "cuMemAllocHost of 64 bytes", "has been freed"},
                   [&] { return cu().cuMemFreeHost(host); });
}

// Pools' memory goes in the order of a stream, and another stream may be at work with it. What it writes then is lost;
// a fill that begins later is reported, and the context is out of service. In both cases the process lives on.
class FreedWhileInUseTest : public MisuseTest {
protected:
    void TearDown() override {
        if (is_in_service) MisuseTest::TearDown();
    }
    bool is_in_service = true;
};

TEST_F(FreedWhileInUseTest, MemoryIsFreedInOneStreamWhileAnotherFillsIt) {
    if (!in_process_of_its_own()) return;
    constexpr size_t bytes = 32 << 20;
    const CUstream frees = new_stream(), fills = new_stream();
    for (const CUmemLocationType location : {CU_MEM_LOCATION_TYPE_DEVICE, CU_MEM_LOCATION_TYPE_HOST_NUMA}) {
        CUmemPoolProps properties{};
        properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location = {location, 0};
        properties.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
        CUmemoryPool pool = nullptr;
        ASSERT_OK(cu().cuMemPoolCreate(&pool, &properties));
        CUmemAccessDesc access{};
        access.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
        access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        ASSERT_OK(cu().cuMemPoolSetAccess(pool, &access, 1));
        for (int time = 0; time < 5; ++time) {
            CUdeviceptr memory = 0;
            ASSERT_OK(cu().cuMemAllocFromPoolAsync(&memory, bytes, pool, frees));
            ASSERT_OK(cu().cuStreamSynchronize(frees));
            ASSERT_OK(cu().cuMemsetD8Async(memory, 1, bytes, fills));
            ASSERT_OK(cu().cuMemFreeAsync(memory, frees));
            const CUresult freed = cu().cuStreamSynchronize(frees), filled = cu().cuStreamSynchronize(fills);
            is_in_service = freed == CUDA_SUCCESS && filled == CUDA_SUCCESS;
            if (!is_in_service) {
                EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, filled);
                return;
            }
        }
        ASSERT_OK(cu().cuMemPoolDestroy(pool));
    }
}

TEST_F(FreedWhileInUseTest, MemoryIsFilledInOneStreamAfterAnotherHasFreedIt) {
    if (!in_process_of_its_own()) return;
    is_in_service = false;
    const CUstream frees = new_stream(), fills = new_stream();
    CUdeviceptr memory = 0;
    ASSERT_OK(cu().cuMemAllocAsync(&memory, 4096, frees));
    ASSERT_OK(cu().cuStreamSynchronize(frees));
    const std::string text = log_of([&] {
        Gate gate;
        gate.close_in(fills);
        ASSERT_OK(cu().cuMemsetD8Async(memory, 1, 4096, fills));
        ASSERT_OK(cu().cuMemFreeAsync(memory, frees));
        ASSERT_OK(cu().cuStreamSynchronize(frees));
        gate.open();
        EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, cu().cuStreamSynchronize(fills));
    });
    EXPECT_TRUE(says(text, {"inside the cuMemAllocAsync of 4096 bytes", "has been freed"}));
}

TEST_F(MisuseTest, MemoryIsFreedByAnotherAddressThanItsFirst) {
    const CUdeviceptr pointer = allocate(4096);
    expect_refused(CUDA_ERROR_INVALID_VALUE,
                   {"cuMemFree", "lies 16 bytes inside the cuMemAlloc of 4096 bytes", "pass its first address"},
                   [&] { return cu().cuMemFree(pointer + 16); });
}

TEST_F(MisuseTest, MemoryIsFreedByTheWrongFunction) {
    void* host = nullptr;
    ASSERT_OK(cu().cuMemAllocHost(&host, 64));
    expect_refused(CUDA_ERROR_INVALID_VALUE, {"cuMemFree", "cuMemAllocHost of 64 bytes", "cuMemFreeHost"},
                   [&] { return cu().cuMemFree(reinterpret_cast<CUdeviceptr>(host)); });
    ASSERT_OK(cu().cuMemFreeHost(host));
    int local = 0;
    expect_refused(CUDA_ERROR_INVALID_VALUE, {"cuMemFreeHost", "is not a pointer that this driver gave out"},
                   [&] { return cu().cuMemFreeHost(&local); });
    CUdeviceptr variable = 0;
    ASSERT_OK(cu().cuModuleGetGlobal(&variable, nullptr, module(), "counter"));
    expect_refused(CUDA_ERROR_INVALID_VALUE, {"cuMemFree", "variable 'counter'", "goes with its module"},
                   [&] { return cu().cuMemFree(variable); });
}

TEST_F(MisuseTest, NothingIsAllocated) {
    CUdeviceptr pointer = 0;
    void* host = nullptr;
    expect_refused(CUDA_ERROR_INVALID_VALUE, {"cuMemAlloc: ", "the size is 0 bytes"},
                   [&] { return cu().cuMemAlloc(&pointer, 0); });
    expect_refused(CUDA_ERROR_INVALID_VALUE, {"cuMemAllocHost: ", "the size is 0 bytes"},
                   [&] { return cu().cuMemAllocHost(&host, 0); });
}

TEST_F(MisuseTest, UnsafeCallsAreMadeWhileAThreadCaptures) {
    const CUstream stream = new_stream();
    CUdeviceptr pointer = 0;
    void* host = nullptr;
    ASSERT_OK(cu().cuMemAlloc(&pointer, 64));
    const auto expect_unsafe = [&](const char* what, const std::function<CUresult()>& call) {
        ASSERT_OK(cu().cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
        expect_refused(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, {what}, call);
        CUgraph graph = nullptr;
        EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cu().cuStreamEndCapture(stream, &graph));
    };
    expect_unsafe("memory cannot be allocated", [&] { return cu().cuMemAllocHost(&host, 64); });
    expect_unsafe("memory cannot be freed", [&] { return cu().cuMemFree(pointer); });
    expect_unsafe("memory cannot be registered", [&] { return cu().cuMemHostRegister(&host, sizeof host, 0); });
    EXPECT_OK(cu().cuMemFree(pointer));
}

// The line of the call that invalidated the capture; the end says why again.
TEST_F(MisuseTest, WhatInvalidatesACaptureIsInTheLog) {
    const CUstream stream = new_stream();
    CUdeviceptr pointer = allocate(64);
    const auto expect_logged = [&](const char* by, const std::string& why, const std::function<void()>& call) {
        CUgraph graph = nullptr;
        ASSERT_OK(cu().cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
        EXPECT_TRUE(says(log_of(call), {std::string(by) + ": CUDA_ERROR_", why}));
        EXPECT_TRUE(says(log_of([&] {
                             EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
                                       cu().cuMemsetD8Async(pointer, 0, 64, stream));
                         }),
                         {"cuMemsetD8Async: ", "invalidated by an earlier call"}));
        EXPECT_TRUE(says(
            log_of([&] { EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cu().cuStreamEndCapture(stream, &graph)); }),
            {"cuStreamEndCapture: ", "invalidated by an earlier call (" + why}));
    };
    expect_logged("cuMemFree", "memory cannot be freed", [&] { EXPECT_NE(cu().cuMemFree(pointer), CUDA_SUCCESS); });
    expect_logged("cuStreamSynchronize", "", [&] { EXPECT_NE(cu().cuStreamSynchronize(stream), CUDA_SUCCESS); });
    const CUevent outside = new_event();
    ASSERT_OK(cu().cuEventRecord(outside, new_stream()));
    expect_logged("cuStreamWaitEvent", "a capturing stream cannot wait",
                  [&] { EXPECT_NE(cu().cuStreamWaitEvent(stream, outside, 0), CUDA_SUCCESS); });
}

TEST_F(MisuseTest, ACopyCallsHostMemoryDeviceMemory) {
    char host[64] = "";
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = reinterpret_cast<CUdeviceptr>(host);
    copy.dstDevice = allocate(64);
    copy.WidthInBytes = 64;
    copy.Height = 1;
    expect_refused(CUDA_ERROR_INVALID_VALUE, {"cuMemcpy2D", "the source", "is not device memory"},
                   [&] { return cu().cuMemcpy2D(&copy); });
}

TEST_F(MisuseTest, AFillsRowsAreNotAlignedToItsElements) {
    const CUdeviceptr pointer = allocate(1024);
    const std::vector<std::string> report{"cuMemsetD2D32", "is not a multiple of the 4 bytes of an element"};
    expect_refused(CUDA_ERROR_INVALID_VALUE, report, [&] { return cu().cuMemsetD2D32(pointer, 102, 1, 8, 2); });
    expect_refused(CUDA_ERROR_INVALID_VALUE, report, [&] { return cu().cuMemsetD2D32(pointer + 2, 100, 1, 8, 2); });
    EXPECT_OK(cu().cuMemsetD2D32(pointer, 102, 1, 8, 1)) << "one row has no next one";
}

TEST_F(MisuseTest, AResultHasNowhereToGo) {
    const CUstream stream = new_stream();
    const CUevent event = new_event();
    const CUfunction nothing = function("nothing");
    const CUdeviceptr pointer = allocate(64);
    const std::vector<std::function<CUresult()>> calls{
        [&] { return cu().cuMemAlloc(nullptr, 64); },
        [&] { return cu().cuMemAllocHost(nullptr, 64); },
        [&] { return cu().cuStreamCreate(nullptr, 0); },
        [&] { return cu().cuStreamGetPriority(stream, nullptr); },
        [&] { return cu().cuStreamGetFlags(stream, nullptr); },
        [&] { return cu().cuStreamGetId(stream, nullptr); },
        [&] { return cu().cuStreamGetDevice(stream, nullptr); },
        [&] { return cu().cuStreamGetCtx(stream, nullptr); },
        [&] { return cu().cuEventCreate(nullptr, 0); },
        [&] { return cu().cuEventElapsedTime(nullptr, event, event); },
        [&] { return cu().cuModuleGetFunction(nullptr, module(), "nothing"); },
        [&] { return cu().cuFuncGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_NUM_REGS, nothing); },
        [&] { return cu().cuPointerGetAttribute(nullptr, CU_POINTER_ATTRIBUTE_CONTEXT, pointer); },
        [&] { return cu().cuCtxGetDevice(nullptr); },
    };
    for (size_t call = 0; call < calls.size(); ++call) {
        SCOPED_TRACE(call);
        expect_refused(CUDA_ERROR_INVALID_VALUE, {" is null"}, calls[call]);
    }
}

// Flags that do not exist.
TEST_F(MisuseTest, AFlagIsUnknown) {
    void* host = nullptr;
    CUdeviceptr pointer = 0;
    CUstream stream = nullptr;
    CUevent event = nullptr;
    ASSERT_OK(cu().cuMemAllocHost(&host, 64));
    const auto device_pointer =
        reinterpret_cast<decltype(&cuMemHostGetDevicePointer)>(cu().symbol("cuMemHostGetDevicePointer_v2"));
    const std::vector<std::function<CUresult()>> calls{
        [&] { return device_pointer(&pointer, host, 1); },
        [&] { return cu().cuMemHostRegister(&host, sizeof host, 0x1000); },
        [&] { return cu().cuStreamCreate(&stream, 0x1000); },
        [&] { return cu().cuEventCreate(&event, 0x1000); },
    };
    for (size_t call = 0; call < calls.size(); ++call) {
        SCOPED_TRACE(call);
        expect_refused(CUDA_ERROR_INVALID_VALUE, {"lags "}, calls[call]);
    }
    ASSERT_OK(cu().cuMemFreeHost(host));
}

// --- handles ---

TEST_F(MisuseTest, AHandleIsOfAnotherKindDestroyedOrMadeUp) {
    const CUstream stream = new_stream();
    const CUevent event = new_event();
    int local = 0;
    expect_refused(CUDA_ERROR_INVALID_HANDLE, {"is a handle of kind stream; one of kind event is expected"},
                   [&] { return cu().cuEventQuery(reinterpret_cast<CUevent>(stream)); });
    expect_refused(CUDA_ERROR_INVALID_HANDLE, {"is a handle of kind event; one of kind stream is expected"},
                   [&] { return cu().cuStreamQuery(reinterpret_cast<CUstream>(event)); });
    expect_refused(CUDA_ERROR_INVALID_HANDLE, {"that this driver gave out"},
                   [&] { return cu().cuModuleUnload(reinterpret_cast<CUmodule>(&local)); });
    expect_refused(CUDA_ERROR_INVALID_HANDLE, {"the event handle is null"},
                   [&] { return cu().cuEventRecord(nullptr, stream); });
    CUstream gone = nullptr;
    ASSERT_OK(cu().cuStreamCreate(&gone, 0));
    ASSERT_OK(cu().cuStreamDestroy(gone));
    expect_refused(CUDA_ERROR_INVALID_HANDLE, {"was destroyed"}, [&] { return cu().cuStreamDestroy(gone); });
}

// --- contexts ---

TEST_F(MisuseTest, ThereIsNoCurrentContext) {
    ASSERT_OK(cu().cuCtxSetCurrent(nullptr));
    CUdeviceptr pointer = 0;
    expect_refused(CUDA_ERROR_INVALID_CONTEXT, {"cuMemAlloc", "no context is current", "cuCtxSetCurrent"},
                   [&] { return cu().cuMemAlloc(&pointer, 16); });
    ASSERT_OK(cu().cuCtxSetCurrent(context));
}

TEST_F(MisuseTest, AKernelIsLaunchedInAnotherContextsStream) {
    const CUfunction nothing = function("nothing");
    elsewhere([&] {
        CUstream stream = nullptr;
        ASSERT_OK(cu().cuStreamCreate(&stream, 0));
        expect_refused(CUDA_ERROR_INVALID_HANDLE, {"the function and the stream belong to different contexts"},
                       [&] { return cu().cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr); });
    });
}

TEST_F(MisuseTest, AnEventIsRecordedInAnotherContextsStream) {
    const CUevent event = new_event();
    elsewhere([&] {
        CUstream stream = nullptr;
        ASSERT_OK(cu().cuStreamCreate(&stream, 0));
        expect_refused(CUDA_ERROR_INVALID_HANDLE, {"the event and the stream belong to different contexts"},
                       [&] { return cu().cuEventRecord(event, stream); });
    });
}

TEST_F(MisuseTest, TheTimeBetweenEventsOfTwoContextsIsAsked) {
    const CUevent event = new_event();
    ASSERT_OK(cu().cuEventRecord(event, nullptr));
    ASSERT_OK(cu().cuCtxSynchronize());
    elsewhere([&] {
        CUevent other = nullptr;
        float milliseconds = 0;
        ASSERT_OK(cu().cuEventCreate(&other, 0));
        ASSERT_OK(cu().cuEventRecord(other, nullptr));
        ASSERT_OK(cu().cuCtxSynchronize());
        expect_refused(CUDA_ERROR_INVALID_HANDLE, {"the events belong to different contexts"},
                       [&] { return cu().cuEventElapsedTime(&milliseconds, event, other); });
    });
}

TEST_F(MisuseTest, AContextIsUsedThatWasDestroyed) {
    CUcontext own = nullptr;
    ASSERT_OK(cu().cuCtxCreate(&own, nullptr, 0, device));
    ASSERT_OK(cu().cuCtxDestroy(own));
    ASSERT_OK(cu().cuCtxSetCurrent(context));
    expect_refused(CUDA_ERROR_INVALID_CONTEXT, {"cuCtxSetCurrent", "was destroyed"},
                   [&] { return cu().cuCtxSetCurrent(own); });
}

}  // namespace
}  // namespace cuprum::test
