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
    CUmemLocation location_{};
    CUmemoryPool pool_ = nullptr;
};

TEST_P(HostPoolTest, TheDefaultPoolIsTheCurrentOneAtFirst) {
    CUmemoryPool current = nullptr;
    ASSERT_OK(cu().cuMemGetMemPool(&current, &location_, GetParam().type));
    EXPECT_EQ(current, pool_);
}

TEST_P(HostPoolTest, HostAndKernelsUseTheSameMemory) {
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
