// Memory pools of pinned host memory and of managed memory (CUDA 13).
#include "driver_api.hpp"

namespace cuprum::test {
namespace {

struct Place {
    CUmemLocationType location;
    CUmemAllocationType type;
};

class HostPoolTest : public DriverTest, public testing::WithParamInterface<Place> {
protected:
    void SetUp() override {
        DriverTest::SetUp();
        int supported = 0;
        ASSERT_OK(cu().cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED, device));
        if (supported == 0) GTEST_SKIP() << "this GPU's driver has no pools of host memory";
        location_.type = GetParam().location;
        location_.id = 0;
        ASSERT_OK(cu().cuMemGetDefaultMemPool(&pool_, &location_, GetParam().type));
    }
    void TearDown() override {
        if (pool_ != nullptr) set_access(CU_MEM_ACCESS_FLAGS_PROT_NONE);
        DriverTest::TearDown();
    }
    // Of device 0 to the pool.
    void set_access(CUmemAccess_flags flags) {
        CUmemAccessDesc access{};
        access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        access.location.id = device;
        access.flags = flags;
        ASSERT_OK(cu().cuMemPoolSetAccess(pool_, &access, 1));
    }
    CUmemAccess_flags access_of(CUmemLocationType type) {
        CUmemLocation location{};
        location.type = type;
        CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
        EXPECT_OK(cu().cuMemPoolGetAccess(&flags, pool_, &location));
        return flags;
    }
    bool pinned() const { return GetParam().type == CU_MEM_ALLOCATION_TYPE_PINNED; }

    CUmemLocation location_{};
    CUmemoryPool pool_ = nullptr;
};

TEST_P(HostPoolTest, DevicesHaveNoAccessUntilItIsSet) {
    EXPECT_EQ(access_of(CU_MEM_LOCATION_TYPE_DEVICE), CU_MEM_ACCESS_FLAGS_PROT_NONE);
    EXPECT_EQ(access_of(CU_MEM_LOCATION_TYPE_HOST),
              pinned() ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE);
    set_access(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    EXPECT_EQ(access_of(CU_MEM_LOCATION_TYPE_DEVICE), CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
}

// Managed memory is everybody's, whatever its pool says.
TEST_P(HostPoolTest, FillsNeedAccessToPinnedMemory) {
    const CUstream stream = new_stream();
    CUdeviceptr memory = 0;
    ASSERT_OK(cu().cuMemAllocFromPoolAsync(&memory, 64, pool_, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_CU(pinned() ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS, cu().cuMemsetD8(memory, 0, 64));
    set_access(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    EXPECT_OK(cu().cuMemsetD8(memory, 0, 64));
    ASSERT_OK(cu().cuCtxSynchronize());
    ASSERT_OK(cu().cuMemFreeAsync(memory, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
}

// As an H200 has it (driver 580), with access and without: memory of cuMemHostAlloc is taken, that of a pool is not.
TEST_P(HostPoolTest, CopiesToAndFromDeviceMemoryDoNotTakePinnedMemory) {
    if (!pinned()) GTEST_SKIP() << "managed memory is device memory";
    set_access(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    CUdeviceptr memory = 0;
    ASSERT_OK(cu().cuMemAllocFromPoolAsync(&memory, 64, pool_, nullptr));
    ASSERT_OK(cu().cuCtxSynchronize());
    std::vector<int> values = {1, 2, 3};
    const CUdeviceptr other = allocate(12);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyHtoD(memory, values.data(), 12));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyHtoDAsync(memory, values.data(), 12, nullptr));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyDtoH(values.data(), memory, 12));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyDtoD(memory, other, 12));
    EXPECT_OK(cu().cuMemcpy(memory, reinterpret_cast<CUdeviceptr>(values.data()), 12));
    EXPECT_OK(cu().cuMemcpy(other, memory, 12));
    ASSERT_OK(cu().cuCtxSynchronize());
    EXPECT_EQ(download<int>(other, 3), values);
    ASSERT_OK(cu().cuMemFreeAsync(memory, nullptr));
    ASSERT_OK(cu().cuCtxSynchronize());
}

TEST(HostPoolFaultTest, AKernelWithoutAccessFaults) {
    if (!in_process_of_its_own()) return;
    CUcontext context = nullptr;
    ASSERT_OK(cu().cuDevicePrimaryCtxRetain(&context, 0));
    ASSERT_OK(cu().cuCtxSetCurrent(context));
    int supported = 0;
    ASSERT_OK(cu().cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED, 0));
    if (supported == 0) GTEST_SKIP() << "this GPU's driver has no pools of host memory";
    CUmemLocation location{};
    location.type = CU_MEM_LOCATION_TYPE_HOST;
    CUmemoryPool pool = nullptr;
    ASSERT_OK(cu().cuMemGetDefaultMemPool(&pool, &location, CU_MEM_ALLOCATION_TYPE_PINNED));
    CUdeviceptr memory = 0;
    ASSERT_OK(cu().cuMemAllocFromPoolAsync(&memory, 64, pool, nullptr));
    ASSERT_OK(cu().cuCtxSynchronize());
    CUmodule module = nullptr;
    CUfunction fill = nullptr;
    ASSERT_OK(cu().cuModuleLoadData(&module, ptx("kernels.ptx").c_str()));
    ASSERT_OK(cu().cuModuleGetFunction(&fill, module, "fill"));
    unsigned value = 1, count = 1;
    void* parameters[] = {&memory, &value, &count};
    ASSERT_OK(cu().cuLaunchKernel(fill, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
    EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, cu().cuCtxSynchronize());
}

TEST_P(HostPoolTest, TheDefaultPoolIsTheCurrentOneAtFirst) {
    CUmemoryPool current = nullptr;
    ASSERT_OK(cu().cuMemGetMemPool(&current, &location_, GetParam().type));
    EXPECT_EQ(current, pool_);
}

TEST_P(HostPoolTest, HostAndKernelsUseTheSameMemory) {
    set_access(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    const CUstream stream = new_stream();
    CUdeviceptr x = 0;
    ASSERT_OK(cu().cuMemAllocFromPoolAsync(&x, 4 * sizeof(float), pool_, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    auto* const on_host = reinterpret_cast<float*>(x);
    for (int index = 0; index < 4; ++index)
        on_host[index] = static_cast<float>(index);
    CUdeviceptr y = upload<float>({10, 10, 10, 10});
    float factor = 2;
    int count = 4;
    ASSERT_OK(launch(function("saxpy"), 1, 4, stream, {&factor, &x, &y, &count}));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(download<float>(y, 4), (std::vector<float>{10, 12, 14, 16}));
    ASSERT_OK(cu().cuMemFreeAsync(x, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
}

TEST_P(HostPoolTest, WhatIsUsedIsCounted) {
    const auto used = [&] {
        cuuint64_t bytes = 0;
        EXPECT_OK(cu().cuMemPoolGetAttribute(pool_, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &bytes));
        return bytes;
    };
    const CUstream stream = new_stream();
    const cuuint64_t before = used();
    CUdeviceptr memory = 0;
    ASSERT_OK(cu().cuMemAllocFromPoolAsync(&memory, 1 << 20, pool_, stream));
    EXPECT_EQ(used() - before, cuuint64_t{1} << 20);
    ASSERT_OK(cu().cuMemFreeAsync(memory, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(used(), before);
}

INSTANTIATE_TEST_SUITE_P(Pools, HostPoolTest,
                         testing::Values(Place{CU_MEM_LOCATION_TYPE_HOST, CU_MEM_ALLOCATION_TYPE_PINNED},
                                         Place{CU_MEM_LOCATION_TYPE_DEVICE, CU_MEM_ALLOCATION_TYPE_MANAGED}),
                         [](const auto& instance) {
                             return std::string(instance.param.type == CU_MEM_ALLOCATION_TYPE_PINNED ? "Pinned"
                                                                                                     : "Managed");
                         });

}  // namespace
}  // namespace cuprum::test
