// Two simulated devices and the memory that they share.
#include <cstring>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

// Two devices with a context each, in a process of their own; the second one's is current at first.
struct TwoDevices {
    CUcontext first = nullptr, second = nullptr;
    CUmodule module = nullptr;

    TwoDevices() {
        EXPECT_OK(cu().cuCtxCreate(&first, nullptr, 0, 0));
        EXPECT_OK(cu().cuCtxCreate(&second, nullptr, 0, 1));
    }
    void use(CUcontext context) { EXPECT_OK(cu().cuCtxSetCurrent(context)); }
    // Adds one to 32 words, on the device whose context is current.
    CUresult increment(CUdeviceptr pointer) {
        CUfunction function = nullptr;
        EXPECT_OK(cu().cuModuleLoadData(&module, ptx("kernels.ptx").c_str()));
        EXPECT_OK(cu().cuModuleGetFunction(&function, module, "increment"));
        unsigned n = 32;
        void* parameters[] = {&pointer, &n};
        EXPECT_OK(cu().cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr));
        return cu().cuCtxSynchronize();
    }
};

std::vector<unsigned> words_at(CUdeviceptr pointer) {
    std::vector<unsigned> words(32);
    EXPECT_OK(cu().cuMemcpyDtoH(words.data(), pointer, 128));
    return words;
}

// Memory of the first device's pool, used by a kernel of the second.
CUresult use_pool_of_a_peer(CUmemAccess_flags flags) {
    TwoDevices devices;
    devices.use(devices.first);
    CUmemoryPool pool = nullptr;
    EXPECT_OK(cu().cuDeviceGetDefaultMemPool(&pool, 0));
    CUmemAccessDesc access{};
    access.location = {CU_MEM_LOCATION_TYPE_DEVICE, 1};
    access.flags = flags;
    EXPECT_OK(cu().cuMemPoolSetAccess(pool, &access, 1));
    CUmemAccess_flags found{};
    EXPECT_OK(cu().cuMemPoolGetAccess(&found, pool, &access.location));
    EXPECT_EQ(found, flags);
    CUdeviceptr pointer = 0;
    EXPECT_OK(cu().cuMemAllocAsync(&pointer, 128, nullptr));
    EXPECT_OK(cu().cuMemsetD32(pointer, 1, 32));
    EXPECT_OK(cu().cuCtxSynchronize());
    devices.use(devices.second);
    return devices.increment(pointer);
}

TEST(DevicesTest, APoolsMemoryIsReachedByDevicesThatItAllows) {
    if (!in_process_of_its_own({"CUPRUM_SIM=devices=2"})) return;
    EXPECT_OK(use_pool_of_a_peer(CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
}

TEST(DevicesTest, APoolsMemoryIsNotWrittenByDevicesThatMayOnlyReadIt) {
    if (!in_process_of_its_own({"CUPRUM_SIM=devices=2"})) return;
    EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, use_pool_of_a_peer(CU_MEM_ACCESS_FLAGS_PROT_READ));
}

TEST(DevicesTest, APoolsMemoryIsNotReachedByOtherDevices) {
    if (!in_process_of_its_own({"CUPRUM_SIM=devices=2"})) return;
    EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, use_pool_of_a_peer(CU_MEM_ACCESS_FLAGS_PROT_NONE));
}

TEST(DevicesTest, MappedMemoryIsReachedByDevicesThatWereGivenAccess) {
    if (!in_process_of_its_own({"CUPRUM_SIM=devices=2"})) return;
    TwoDevices devices;
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
    ASSERT_OK(cu().cuMemSetAccess(pointer, unit, access, 2));
    ASSERT_OK(cu().cuMemsetD32(pointer, 1, 32));
    ASSERT_OK(devices.increment(pointer));
    EXPECT_EQ(words_at(pointer), std::vector<unsigned>(32, 2));
}

TEST(DevicesTest, StreamsWaitForEventsOfOtherDevices) {
    if (!in_process_of_its_own({"CUPRUM_SIM=devices=2,seed=3"})) return;
    TwoDevices devices;
    CUstream first = nullptr, second = nullptr;
    CUevent event = nullptr;
    devices.use(devices.first);
    ASSERT_OK(cu().cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
    ASSERT_OK(cu().cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    devices.use(devices.second);
    ASSERT_OK(cu().cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
    Gate gate;
    gate.close_in(first);
    ASSERT_OK(cu().cuEventRecord(event, first));
    ASSERT_OK(cu().cuStreamWaitEvent(second, event, 0));
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuStreamQuery(second));
    gate.open();
    EXPECT_OK(cu().cuStreamSynchronize(second));
}

TEST(DevicesTest, BlocksAreCopiedBetweenContexts) {
    if (!in_process_of_its_own({"CUPRUM_SIM=devices=2"})) return;
    TwoDevices devices;
    CUdeviceptr from = 0, to = 0;
    devices.use(devices.first);
    ASSERT_OK(cu().cuMemAlloc(&from, 128));
    ASSERT_OK(cu().cuMemsetD32(from, 9, 32));
    ASSERT_OK(cu().cuCtxSynchronize());
    devices.use(devices.second);
    ASSERT_OK(cu().cuMemAlloc(&to, 128));
    CUDA_MEMCPY3D_PEER copy{};
    copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = from;
    copy.srcContext = devices.first;
    copy.srcPitch = copy.dstPitch = 32;
    copy.dstDevice = to;
    copy.dstContext = devices.second;
    copy.WidthInBytes = 32;
    copy.Height = 4;
    copy.Depth = 1;
    ASSERT_OK(cu().cuMemcpy3DPeer(&copy));
    EXPECT_EQ(words_at(to), std::vector<unsigned>(32, 9));
}

}  // namespace
}  // namespace cuprum::test
