// Devices and contexts.
#include <array>
#include <cstring>

#include "fixture.hpp"

namespace cuprum::bindings::test {
namespace {

using Contexts = WithContext;

TEST_F(Contexts, TheDriverSaysItsVersion) {
    const Shows shows{"cuDriverGetVersion"};
    int version = 0;
    ASSERT_OK(driver::cuDriverGetVersion(&version));
    EXPECT_EQ(version, driver::version());
    EXPECT_TRUE(driver::loaded());
}

TEST_F(Contexts, DevicesHaveNamesSizesAndPlaces) {
    const Shows shows{"cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName", "cuDeviceGetAttribute"};
    int count = 0;
    ASSERT_OK(driver::cuDeviceGetCount(&count));
    EXPECT_GE(count, 1);
    CUdevice last = -1;
    ASSERT_OK(driver::cuDeviceGet(&last, count - 1));
    EXPECT_EQ(last, count - 1);
    EXPECT_EQ(driver::cuDeviceGet(&last, count), CUDA_ERROR_INVALID_DEVICE);
    std::array<char, 256> name{};
    ASSERT_OK(driver::cuDeviceGetName(name.data(), static_cast<int>(name.size()), device));
    EXPECT_GT(std::strlen(name.data()), 3u);
    std::size_t bytes = 0;
    ASSERT_OK(driver::cuDeviceTotalMem(&bytes, device));
    EXPECT_GE(bytes, std::size_t{16} << 20);
    CUuuid uuid{};
    ASSERT_OK(driver::cuDeviceGetUuid(&uuid, device));
    std::array<char, 32> place{};
    ASSERT_OK(driver::cuDeviceGetPCIBusId(place.data(), static_cast<int>(place.size()), device));
    CUdevice found = -1;
    ASSERT_OK(driver::cuDeviceGetByPCIBusId(&found, place.data()));
    EXPECT_EQ(found, device);
    EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE), 32);
    EXPECT_GE(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR), 7);
}

TEST_F(Contexts, ErrorsHaveNamesAndDescriptions) {
    const Shows shows{"cuGetErrorString"};
    const char* text = nullptr;
    ASSERT_OK(driver::cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &text));
    EXPECT_STREQ(text, "CUDA_ERROR_INVALID_VALUE");
    ASSERT_OK(driver::cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
    EXPECT_STREQ(text, "invalid argument");
}

TEST(PrimaryContext, IsActiveWhileItIsRetained) {
    const Shows shows{"cuInit", "cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease"};
    EXPECT_EQ(driver::cuInit(1), CUDA_ERROR_INVALID_VALUE);
    ASSERT_OK(driver::cuInit(0));
    unsigned int flags = 0;
    int before = -1;
    int active = -1;
    ASSERT_OK(driver::cuDevicePrimaryCtxGetState(0, &flags, &before));
    CUcontext context = nullptr;
    CUcontext again = nullptr;
    ASSERT_OK(driver::cuDevicePrimaryCtxRetain(&context, 0));
    ASSERT_OK(driver::cuDevicePrimaryCtxRetain(&again, 0));
    EXPECT_EQ(again, context);
    ASSERT_OK(driver::cuDevicePrimaryCtxRelease(0));
    ASSERT_OK(driver::cuDevicePrimaryCtxGetState(0, &flags, &active));
    EXPECT_EQ(active, 1);
    ASSERT_OK(driver::cuDevicePrimaryCtxRelease(0));
    ASSERT_OK(driver::cuDevicePrimaryCtxGetState(0, &flags, &active));
    EXPECT_EQ(active, before);  // 0, unless the process's runtime keeps it
}

TEST_F(Contexts, CurrentContextsAreAStack) {
    const Shows shows{"cuCtxGetCurrent", "cuCtxPushCurrent", "cuCtxPopCurrent", "cuCtxGetDevice"};
    CUcontext current = nullptr;
    ASSERT_OK(driver::cuCtxGetCurrent(&current));
    EXPECT_EQ(current, context);
    ASSERT_OK(driver::cuCtxSetCurrent(nullptr));
    ASSERT_OK(driver::cuCtxPushCurrent(context));
    ASSERT_OK(driver::cuCtxGetCurrent(&current));
    EXPECT_EQ(current, context);
    ASSERT_OK(driver::cuCtxPopCurrent(&current));
    EXPECT_EQ(current, context);
    ASSERT_OK(driver::cuCtxGetCurrent(&current));
    EXPECT_EQ(current, nullptr);
    ASSERT_OK(driver::cuCtxSetCurrent(context));
    CUdevice of_context = -1;
    ASSERT_OK(driver::cuCtxGetDevice(&of_context));
    EXPECT_EQ(of_context, device);
    unsigned int version = 0;
    EXPECT_OK(driver::cuCtxGetApiVersion(context, &version));
    EXPECT_GE(version, 3020u);
    int least = -1;
    int greatest = 1;
    EXPECT_OK(driver::cuCtxGetStreamPriorityRange(&least, &greatest));
    EXPECT_LE(greatest, least);
    std::size_t stack = 0;
    EXPECT_OK(driver::cuCtxGetLimit(&stack, CU_LIMIT_STACK_SIZE));
    EXPECT_OK(driver::cuCtxSetLimit(CU_LIMIT_STACK_SIZE, stack));
    unsigned int flags = 0;
    EXPECT_OK(driver::cuCtxGetFlags(&flags));
}

TEST_F(Contexts, ProfilersAreSwitchedOnAndOff) {
    EXPECT_OK(driver::cuProfilerStart());
    EXPECT_OK(driver::cuProfilerStop());
    ASSERT_OK(driver::cuCtxSetCurrent(nullptr));
    EXPECT_EQ(driver::cuProfilerStart(), CUDA_ERROR_INVALID_CONTEXT);
    ASSERT_OK(driver::cuCtxSetCurrent(context));
}

TEST_F(Contexts, AContextOfOnesOwnIsCurrentUntilItIsDestroyed) {
    const Shows shows{"cuCtxCreate", "cuCtxDestroy", "cuCtxSetCurrent"};
    CUcontext own = nullptr;
#if CUDA_VERSION >= 13000
    ASSERT_OK(driver::cuCtxCreate(&own, nullptr, 0, device));
#else
    ASSERT_OK(driver::cuCtxCreate(&own, 0, device));
#endif
    CUcontext current = nullptr;
    ASSERT_OK(driver::cuCtxGetCurrent(&current));
    EXPECT_EQ(current, own);
    EXPECT_OK(driver::cuCtxDestroy(own));
    ASSERT_OK(driver::cuCtxGetCurrent(&current));
    EXPECT_NE(current, own);
    EXPECT_OK(driver::cuCtxSetCurrent(context));
    ASSERT_OK(driver::cuCtxGetCurrent(&current));
    EXPECT_EQ(current, context);
}

}  // namespace
}  // namespace cuprum::bindings::test
