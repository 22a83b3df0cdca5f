// Two devices: whose memory each reaches, and what goes between them.
#include <cstring>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

using Words = std::vector<unsigned>;

// Each test runs in a process of its own, where the simulator has two devices. Device 1's context is current at first.
class DevicesTest : public testing::Test {
protected:
    void SetUp() override {
        int count = 0;
        ASSERT_OK(cu().cuDeviceGetCount(&count));
        if (!cu().simulated && count < 2) GTEST_SKIP() << "this machine has one GPU";
    }
    // True where the test is to go on.
    bool with_two_devices(const std::string& options = "") {
        if (!in_process_of_its_own({"CUPRUM_SIM=devices=2" + options})) return false;
        for (int ordinal = 0; ordinal < 2; ++ordinal) {
            EXPECT_OK(cu().cuCtxCreate(&contexts[ordinal], nullptr, 0, ordinal));
        }
        return true;
    }
    void use(int ordinal) { EXPECT_OK(cu().cuCtxSetCurrent(contexts[ordinal])); }
    CUfunction function(const char* name) {
        CUmodule module = nullptr;
        CUfunction found = nullptr;
        EXPECT_OK(cu().cuModuleLoadData(&module, ptx("kernels.ptx").c_str()));
        EXPECT_OK(cu().cuModuleGetFunction(&found, module, name));
        return found;
    }
    // Adds one to 32 words, on the device whose context is current.
    CUresult increment(CUdeviceptr pointer) {
        unsigned n = 32;
        void* parameters[] = {&pointer, &n};
        EXPECT_OK(cu().cuLaunchKernel(function("increment"), 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr));
        return cu().cuCtxSynchronize();
    }
    // 32 words on a device, whose context is current afterwards.
    CUdeviceptr words_on(int ordinal, unsigned value) {
        use(ordinal);
        CUdeviceptr pointer = 0;
        EXPECT_OK(cu().cuMemAlloc(&pointer, 128));
        EXPECT_OK(cu().cuMemsetD32(pointer, value, 32));
        EXPECT_OK(cu().cuCtxSynchronize());
        return pointer;
    }
    Words words_at(CUdeviceptr pointer) {
        Words words(32);
        EXPECT_OK(cu().cuMemcpyDtoH(words.data(), pointer, 128));
        return words;
    }

    CUcontext contexts[2] = {};
};

// Access by kernels.

TEST_F(DevicesTest, ThatAreConnectedAreEachOthersPeers) {
    if (!with_two_devices()) return;
    int reachable = -1;
    EXPECT_OK(cu().cuDeviceCanAccessPeer(&reachable, 0, 1));
    EXPECT_EQ(reachable, 1);
    EXPECT_OK(cu().cuDeviceCanAccessPeer(&reachable, 1, 0));
    EXPECT_EQ(reachable, 1);
    EXPECT_OK(cu().cuDeviceCanAccessPeer(&reachable, 1, 1));
    EXPECT_EQ(reachable, 0);
    EXPECT_CU(CUDA_ERROR_INVALID_DEVICE, cu().cuDeviceCanAccessPeer(&reachable, 0, 2));
    int supported = -1;
    EXPECT_OK(cu().cuDeviceGetP2PAttribute(&supported, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1));
    EXPECT_EQ(supported, 1);
    EXPECT_CU(CUDA_ERROR_INVALID_DEVICE,
              cu().cuDeviceGetP2PAttribute(&supported, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0));
}

// CU_POINTER_ATTRIBUTE_ACCESS_FLAGS says it of the owner's memory and of an enabled peer's. Before that it tells
// nothing: two H100s under driver 580 answer READWRITE, and the access ends in a fault (the test below).
TEST_F(DevicesTest, SayWhatTheCurrentContextMayDoWithMemory) {
    if (!with_two_devices()) return;
    const CUdeviceptr pointer = words_on(1, 0);
    const auto access = [&] {
        unsigned long long flags = 0;
        EXPECT_OK(cu().cuPointerGetAttribute(&flags, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, pointer));
        return flags;
    };
    EXPECT_EQ(access(), static_cast<unsigned long long>(CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE));
    use(0);
    ASSERT_OK(cu().cuCtxEnablePeerAccess(contexts[1], 0));
    EXPECT_EQ(access(), static_cast<unsigned long long>(CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE));
}

TEST_F(DevicesTest, SayThatAccessIsEnabledAlready) {
    if (!with_two_devices()) return;
    use(0);
    ASSERT_OK(cu().cuCtxEnablePeerAccess(contexts[1], 0));
    EXPECT_CU(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, cu().cuCtxEnablePeerAccess(contexts[1], 0));
    ASSERT_OK(cu().cuCtxDisablePeerAccess(contexts[1]));
    EXPECT_CU(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cu().cuCtxDisablePeerAccess(contexts[1]));
}

TEST_F(DevicesTest, ReachEachOthersMemoryOnceAccessIsEnabled) {
    if (!with_two_devices()) return;
    const CUdeviceptr pointer = words_on(1, 1);
    use(0);
    ASSERT_OK(cu().cuCtxEnablePeerAccess(contexts[1], 0));
    ASSERT_OK(increment(pointer));
    EXPECT_EQ(words_at(pointer), Words(32, 2));
}

TEST_F(DevicesTest, DoNotReachEachOthersMemoryOtherwise) {
    if (!with_two_devices()) return;
    const CUdeviceptr pointer = words_on(1, 1);
    use(0);
    EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, increment(pointer));
}

TEST_F(DevicesTest, DoNotReachEachOthersMemoryBackwards) {
    if (!with_two_devices()) return;
    const CUdeviceptr pointer = words_on(0, 1);
    ASSERT_OK(cu().cuCtxEnablePeerAccess(contexts[1], 0));
    use(1);
    EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, increment(pointer));
}

TEST_F(DevicesTest, DoNotReachEachOthersMemoryAfterAccessIsDisabled) {
    if (!with_two_devices()) return;
    const CUdeviceptr pointer = words_on(1, 1);
    use(0);
    ASSERT_OK(cu().cuCtxEnablePeerAccess(contexts[1], 0));
    ASSERT_OK(increment(pointer));
    ASSERT_OK(cu().cuCtxDisablePeerAccess(contexts[1]));
    EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, increment(pointer));
}

TEST_F(DevicesTest, AccessIsEnabledOnceAndDisabledOnce) {
    if (!with_two_devices()) return;
    use(0);
    EXPECT_CU(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cu().cuCtxDisablePeerAccess(contexts[1]));
    EXPECT_OK(cu().cuCtxEnablePeerAccess(contexts[1], 0));
    EXPECT_CU(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, cu().cuCtxEnablePeerAccess(contexts[1], 0));
    EXPECT_OK(cu().cuCtxDisablePeerAccess(contexts[1]));
    EXPECT_CU(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cu().cuCtxDisablePeerAccess(contexts[1]));
}

TEST_F(DevicesTest, AccessIsEnabledToOtherDevicesContexts) {
    if (!with_two_devices()) return;
    use(0);
    EXPECT_CU(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, cu().cuCtxEnablePeerAccess(contexts[0], 0));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuCtxEnablePeerAccess(contexts[1], 1));
    EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cu().cuCtxEnablePeerAccess(nullptr, 0));
    ASSERT_OK(cu().cuDevicePrimaryCtxRetain(&contexts[1], 1));
    ASSERT_OK(cu().cuDevicePrimaryCtxRelease(1));
    EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cu().cuCtxEnablePeerAccess(contexts[1], 0));
}

TEST_F(DevicesTest, AccessIsThatOfAContext) {
    if (!with_two_devices()) return;
    const CUdeviceptr pointer = words_on(1, 1);
    use(0);
    ASSERT_OK(cu().cuCtxEnablePeerAccess(contexts[1], 0));
    CUcontext other = nullptr;
    ASSERT_OK(cu().cuCtxCreate(&other, nullptr, 0, 0));
    EXPECT_CU(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cu().cuCtxDisablePeerAccess(contexts[1]));
    // But kernels of all of the device's contexts go where one of them may.
    EXPECT_OK(increment(pointer));
    ASSERT_OK(cu().cuCtxDestroy(contexts[0]));
    EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, increment(pointer));
}

TEST_F(DevicesTest, AccessIsToAContextsMemory) {
    if (!with_two_devices()) return;
    CUcontext other = nullptr;
    ASSERT_OK(cu().cuCtxCreate(&other, nullptr, 0, 1));
    CUdeviceptr pointer = 0;
    ASSERT_OK(cu().cuMemAlloc(&pointer, 128));
    use(0);
    ASSERT_OK(cu().cuCtxEnablePeerAccess(contexts[1], 0));
    EXPECT_CU(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cu().cuCtxDisablePeerAccess(other));
    EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, increment(pointer));
}

TEST_F(DevicesTest, AccessEndsWithEitherContext) {
    if (!with_two_devices()) return;
    for (const int ends : {0, 1}) {
        use(0);
        ASSERT_OK(cu().cuCtxEnablePeerAccess(contexts[1], 0)) << ends;
        ASSERT_OK(cu().cuCtxDestroy(contexts[ends]));
        ASSERT_OK(cu().cuCtxCreate(&contexts[ends], nullptr, 0, ends));
    }
    use(0);
    ASSERT_OK(cu().cuCtxEnablePeerAccess(contexts[1], 0));
}

// Memory that says itself who reaches it.

TEST_F(DevicesTest, PinnedAndManagedMemoryIsReachedByAll) {
    if (!with_two_devices()) return;
    use(0);
    void* pinned = nullptr;
    CUdeviceptr managed = 0;
    ASSERT_OK(cu().cuMemHostAlloc(&pinned, 128, 0));
    ASSERT_OK(cu().cuMemAllocManaged(&managed, 128, CU_MEM_ATTACH_GLOBAL));
    for (const CUdeviceptr pointer : {reinterpret_cast<CUdeviceptr>(pinned), managed}) {
        auto* const words = reinterpret_cast<unsigned*>(pointer);
        std::fill_n(words, 32, 5);
        for (int ordinal = 0; ordinal < 2; ++ordinal) {
            use(ordinal);
            ASSERT_OK(increment(pointer));
        }
        EXPECT_EQ(Words(words, words + 32), Words(32, 7));
    }
    EXPECT_OK(cu().cuMemFreeHost(pinned));
    EXPECT_OK(cu().cuMemFree(managed));
}

class DevicePoolTest : public DevicesTest {
protected:
    // Of a device to the memory of device 0's pool.
    CUresult set_access(CUmemAccess_flags flags, int ordinal = 1) {
        EXPECT_OK(cu().cuDeviceGetDefaultMemPool(&pool, 0));
        access.location = {CU_MEM_LOCATION_TYPE_DEVICE, ordinal};
        access.flags = flags;
        return cu().cuMemPoolSetAccess(pool, &access, 1);
    }
    // The pool's memory, used by a kernel of device 1.
    CUresult use_memory_of_a_pool_with(CUmemAccess_flags flags) {
        use(0);
        EXPECT_OK(set_access(flags));
        CUmemAccess_flags found{};
        EXPECT_OK(cu().cuMemPoolGetAccess(&found, pool, &access.location));
        EXPECT_EQ(found, flags);
        CUdeviceptr pointer = 0;
        EXPECT_OK(cu().cuMemAllocAsync(&pointer, 128, nullptr));
        EXPECT_OK(cu().cuMemsetD32(pointer, 1, 32));
        EXPECT_OK(cu().cuCtxSynchronize());
        use(1);
        return increment(pointer);
    }

    CUmemoryPool pool = nullptr;
    CUmemAccessDesc access{};
};

TEST_F(DevicePoolTest, ItsMemoryIsReachedByDevicesThatItAllows) {
    if (!with_two_devices()) return;
    EXPECT_OK(use_memory_of_a_pool_with(CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
}

TEST_F(DevicePoolTest, AccessIsToReadAndWrite) {
    if (!with_two_devices()) return;
    EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, set_access(CU_MEM_ACCESS_FLAGS_PROT_READ));
    EXPECT_CU(CUDA_ERROR_INVALID_DEVICE, set_access(CU_MEM_ACCESS_FLAGS_PROT_READWRITE, 77));
}

TEST_F(DevicePoolTest, ItsMemoryIsCopiedByDevicesThatItAllows) {
    if (!with_two_devices()) return;
    use(0);
    CUdeviceptr pointer = 0;
    ASSERT_OK(cu().cuMemAllocAsync(&pointer, 128, nullptr));
    ASSERT_OK(cu().cuMemsetD32(pointer, 6, 32));
    ASSERT_OK(cu().cuCtxSynchronize());
    const CUdeviceptr to = words_on(1, 0);
    Words words(32);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyDtoD(to, pointer, 128));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyDtoH(words.data(), pointer, 128));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyHtoD(pointer, words.data(), 128));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemsetD32(pointer, 1, 32));
    EXPECT_OK(cu().cuMemcpyPeer(to, contexts[1], pointer, contexts[0], 128)) << "which names the contexts";
    EXPECT_EQ(words_at(to), Words(32, 6));
    ASSERT_OK(set_access(CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
    EXPECT_OK(cu().cuMemsetD32(pointer, 7, 32));
    EXPECT_OK(cu().cuMemcpyDtoD(to, pointer, 128));
    EXPECT_EQ(words_at(to), Words(32, 7));
    EXPECT_OK(cu().cuMemFreeAsync(pointer, nullptr)) << "in a stream of the other device";
    EXPECT_OK(cu().cuCtxSynchronize());
}

TEST_F(DevicePoolTest, ItsMemoryIsNotReachedByOtherDevices) {
    if (!with_two_devices()) return;
    EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, use_memory_of_a_pool_with(CU_MEM_ACCESS_FLAGS_PROT_NONE));
}

TEST_F(DevicePoolTest, ItsMemoryIsNotReachedAnyLongerOnceAccessIsTakenAway) {
    if (!with_two_devices()) return;
    ASSERT_OK(use_memory_of_a_pool_with(CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
    EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, use_memory_of_a_pool_with(CU_MEM_ACCESS_FLAGS_PROT_NONE));
}

TEST_F(DevicePoolTest, ItsMemoryIsNotReachedByPeerAccess) {
    if (!with_two_devices()) return;
    use(1);
    ASSERT_OK(cu().cuCtxEnablePeerAccess(contexts[0], 0));
    EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, use_memory_of_a_pool_with(CU_MEM_ACCESS_FLAGS_PROT_NONE));
}

TEST_F(DevicesTest, MappedMemoryIsReachedByDevicesThatWereGivenAccess) {
    if (!with_two_devices()) return;
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    size_t unit = 0;
    ASSERT_OK(cu().cuMemGetAllocationGranularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    CUdeviceptr pointer = 0;
    CUmemGenericAllocationHandle handle = 0;
    ASSERT_OK(cu().cuMemAddressReserve(&pointer, unit, 0, 0, 0));
    ASSERT_OK(cu().cuMemCreate(&handle, unit, &properties, 0));
    ASSERT_OK(cu().cuMemMap(pointer, unit, 0, handle, 0));
    CUmemAccessDesc access[2]{};
    for (int ordinal = 0; ordinal < 2; ++ordinal) {
        access[ordinal].location = {CU_MEM_LOCATION_TYPE_DEVICE, ordinal};
        access[ordinal].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    }
    ASSERT_OK(cu().cuMemSetAccess(pointer, unit, access, 1));
    Words words(32);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemsetD32(pointer, 1, 32)) << "of device 1, which has no access";
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyDtoH(words.data(), pointer, 128));
    access[1].flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
    ASSERT_OK(cu().cuMemSetAccess(pointer, unit, access, 2));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemsetD32(pointer, 1, 32));
    EXPECT_OK(cu().cuMemcpyDtoH(words.data(), pointer, 128));
    access[1].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    ASSERT_OK(cu().cuMemSetAccess(pointer, unit, access, 2));
    ASSERT_OK(cu().cuMemsetD32(pointer, 1, 32));
    ASSERT_OK(increment(pointer));
    EXPECT_EQ(words_at(pointer), Words(32, 2));
}

// Copies need no access to memory of cuMemAlloc; fills do.

TEST_F(DevicesTest, CopiesGoBetweenThem) {
    if (!with_two_devices()) return;
    const CUdeviceptr from = words_on(0, 3), to = words_on(1, 0);
    ASSERT_OK(cu().cuMemcpyPeer(to, contexts[1], from, contexts[0], 64));
    Words expected(32, 0);
    std::fill_n(expected.begin(), 16, 3);
    EXPECT_EQ(words_at(to), expected);
    CUstream stream = nullptr;
    ASSERT_OK(cu().cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    ASSERT_OK(cu().cuMemcpyPeerAsync(to, contexts[1], from, contexts[0], 128, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(words_at(to), Words(32, 3));
}

TEST_F(DevicesTest, CopiesKnowWhoseMemoryAnAddressIs) {
    if (!with_two_devices()) return;
    const CUdeviceptr from = words_on(0, 3), to = words_on(1, 0);
    ASSERT_OK(cu().cuMemcpyDtoD(to, from, 128));
    EXPECT_EQ(words_at(to), Words(32, 3));
    EXPECT_EQ(words_at(from), Words(32, 3)) << "with the other device's context current";
    use(0);
    EXPECT_OK(cu().cuMemFree(to)) << "with the other device's context current";
}

TEST_F(DevicesTest, FillsNeedAccess) {
    if (!with_two_devices()) return;
    const CUdeviceptr pointer = words_on(0, 3);
    CUstream streams[2] = {};
    for (const int ordinal : {0, 1}) {
        use(ordinal);
        ASSERT_OK(cu().cuStreamCreate(&streams[ordinal], CU_STREAM_NON_BLOCKING));
    }
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemsetD32(pointer, 4, 32));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemsetD2D32(pointer, 16, 4, 2, 2));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemsetD32Async(pointer, 4, 32, streams[1]));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuStreamWriteValue32(streams[1], pointer, 4, 0));
    EXPECT_EQ(words_at(pointer), Words(32, 3));
    EXPECT_OK(cu().cuMemsetD32Async(pointer, 4, 32, streams[0])) << "it is the stream's device that fills";
    EXPECT_OK(cu().cuStreamSynchronize(streams[0]));
    ASSERT_OK(cu().cuCtxEnablePeerAccess(contexts[0], 0));
    EXPECT_OK(cu().cuMemsetD32(pointer, 5, 16));
    EXPECT_OK(cu().cuCtxSynchronize());
    Words expected(32, 4);
    std::fill_n(expected.begin(), 16, 5);
    EXPECT_EQ(words_at(pointer), expected);
}

TEST_F(DevicesTest, BlocksAreCopiedBetweenThem) {
    if (!with_two_devices()) return;
    const CUdeviceptr from = words_on(0, 9), to = words_on(1, 0);
    CUDA_MEMCPY3D_PEER copy{};
    copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = from;
    copy.srcContext = contexts[0];
    copy.srcPitch = copy.dstPitch = 32;
    copy.dstDevice = to;
    copy.dstContext = contexts[1];
    copy.WidthInBytes = 32;
    copy.Height = 4;
    copy.Depth = 1;
    ASSERT_OK(cu().cuMemcpy3DPeer(&copy));
    EXPECT_EQ(words_at(to), Words(32, 9));
}

TEST_F(DevicesTest, PointersSayWhoseTheyAre) {
    if (!with_two_devices()) return;
    const CUdeviceptr pointer = words_on(1, 0);
    use(0);
    int ordinal = -1;
    CUcontext owner = nullptr;
    EXPECT_OK(cu().cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, pointer));
    EXPECT_EQ(ordinal, 1);
    EXPECT_OK(cu().cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, pointer));
    EXPECT_EQ(owner, contexts[1]);
}

// Work in their streams.

TEST_F(DevicesTest, StreamsWaitForEventsOfOtherDevices) {
    if (!with_two_devices(",seed=3")) return;
    CUstream first = nullptr, second = nullptr;
    CUevent event = nullptr;
    use(0);
    ASSERT_OK(cu().cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
    ASSERT_OK(cu().cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    use(1);
    ASSERT_OK(cu().cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
    Gate gate;
    gate.close_in(first);
    ASSERT_OK(cu().cuEventRecord(event, first));
    ASSERT_OK(cu().cuStreamWaitEvent(second, event, 0));
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuStreamQuery(second));
    gate.open();
    EXPECT_OK(cu().cuStreamSynchronize(second));
    EXPECT_OK(cu().cuEventSynchronize(event)) << "with the other device's context current";
}

TEST_F(DevicesTest, EventsAreRecordedInStreamsOfTheirContext) {
    if (!with_two_devices()) return;
    CUstream stream = nullptr;
    CUevent event = nullptr;
    use(0);
    ASSERT_OK(cu().cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    use(1);
    ASSERT_OK(cu().cuEventCreate(&event, CU_EVENT_DEFAULT));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuEventRecord(event, stream));
}

TEST_F(DevicesTest, TimesAreTakenOnOneDevice) {
    if (!with_two_devices()) return;
    CUevent events[2] = {};
    for (int ordinal = 0; ordinal < 2; ++ordinal) {
        use(ordinal);
        ASSERT_OK(cu().cuEventCreate(&events[ordinal], CU_EVENT_DEFAULT));
        ASSERT_OK(cu().cuEventRecord(events[ordinal], nullptr));
        ASSERT_OK(cu().cuEventSynchronize(events[ordinal]));
    }
    float milliseconds = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuEventElapsedTime(&milliseconds, events[0], events[1]));
}

TEST_F(DevicesTest, KernelsAreLaunchedInStreamsOfTheirContext) {
    if (!with_two_devices()) return;
    CUstream stream = nullptr;
    use(0);
    ASSERT_OK(cu().cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    use(1);
    const CUfunction nothing = function("nothing");
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
    use(0);
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
}

TEST_F(DevicesTest, CopiesAndHostFunctionsGoIntoStreamsOfContextsThatAreNotCurrent) {
    if (!with_two_devices()) return;
    const CUdeviceptr pointer = words_on(0, 0);
    CUstream stream = nullptr;
    ASSERT_OK(cu().cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    use(1);
    int ran = 0;
    EXPECT_OK(cu().cuMemsetD32Async(pointer, 8, 32, stream));
    EXPECT_OK(cu().cuLaunchHostFunc(stream, [](void* data) { *static_cast<int*>(data) = 1; }, &ran));
    EXPECT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(ran, 1);
    EXPECT_EQ(words_at(pointer), Words(32, 8));
}

TEST_F(DevicesTest, GraphsHaveNodesOnBoth) {
    if (!with_two_devices()) return;
    CUdeviceptr pointers[2] = {};
    CUgraph graph = nullptr;
    ASSERT_OK(cu().cuGraphCreate(&graph, 0));
    CUgraphNode before = nullptr;
    Words result(32, 0);
    for (int ordinal = 0; ordinal < 2; ++ordinal) {
        pointers[ordinal] = words_on(ordinal, 0);
        unsigned n = 32;
        void* parameters[] = {&pointers[ordinal], &n};
        CUDA_KERNEL_NODE_PARAMS kernel{};
        kernel.func = function("increment");
        kernel.gridDimX = kernel.gridDimY = kernel.gridDimZ = 1;
        kernel.blockDimX = 32;
        kernel.blockDimY = kernel.blockDimZ = 1;
        kernel.kernelParams = parameters;
        CUgraphNode node = nullptr;
        ASSERT_OK(cu().cuGraphAddKernelNode(&node, graph, &before, before != nullptr ? 1 : 0, &kernel));
        before = node;
    }
    CUgraphExec execution = nullptr;
    ASSERT_OK(cu().cuGraphInstantiate(&execution, graph, 0));
    CUstream stream = nullptr;
    ASSERT_OK(cu().cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    ASSERT_OK(cu().cuGraphLaunch(execution, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(words_at(pointers[0]), Words(32, 1));
    EXPECT_EQ(words_at(pointers[1]), Words(32, 1));
    EXPECT_OK(cu().cuGraphExecDestroy(execution));
    EXPECT_OK(cu().cuGraphDestroy(graph));
}

}  // namespace
}  // namespace cuprum::test
