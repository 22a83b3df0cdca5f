// What a kernel's fault does to its context. Each test runs in a process of its own.
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

class FaultTest : public testing::Test {
protected:
    void prepare() {
        CUcontext context = nullptr;
        ASSERT_OK(cu().cuDevicePrimaryCtxRetain(&context, 0));
        ASSERT_OK(cu().cuCtxSetCurrent(context));
        ASSERT_OK(cu().cuModuleLoadData(&module, ptx("kernels.ptx").c_str()));
        ASSERT_OK(cu().cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
        ASSERT_OK(cu().cuMemAlloc(&pointer, 4096));
    }
    CUresult run(const char* name, std::vector<void*> parameters) {
        CUfunction function = nullptr;
        EXPECT_OK(cu().cuModuleGetFunction(&function, module, name));
        EXPECT_OK(cu().cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters.data(), nullptr));
        return cu().cuStreamSynchronize(stream);
    }
    // Every call that works in the context gives the fault's code, for good.
    void expect_sticky(CUresult code) {
        CUdeviceptr other = 0;
        size_t free_bytes = 0, total = 0;
        CUstream another = nullptr;
        char byte = 0;
        for (int round = 0; round < 2; ++round) {
            EXPECT_CU(code, cu().cuCtxSynchronize());
            EXPECT_CU(code, cu().cuStreamSynchronize(stream));
            EXPECT_CU(code, cu().cuStreamQuery(stream));
            EXPECT_CU(code, cu().cuMemAlloc(&other, 16));
            EXPECT_CU(code, cu().cuMemcpyDtoH(&byte, pointer, 1));
            EXPECT_CU(code, cu().cuMemGetInfo(&free_bytes, &total));
            EXPECT_CU(code, cu().cuStreamCreate(&another, 0));
        }
    }

    CUmodule module = nullptr;
    CUstream stream = nullptr;
    CUdeviceptr pointer = 0;
};

TEST_F(FaultTest, AnAccessOutOfBoundsIsAnIllegalAddress) {
    if (!in_process_of_its_own()) return;
    prepare();
    long long offset = 1ll << 40;
    EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, run("store_at", {&pointer, &offset}));
    expect_sticky(CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(FaultTest, ANullPointerIsAnIllegalAddress) {
    if (!in_process_of_its_own()) return;
    prepare();
    CUdeviceptr null = 0;
    long long offset = 0;
    EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, run("store_at", {&null, &offset}));
    expect_sticky(CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(FaultTest, AMisalignedAccessIsOne) {
    if (!in_process_of_its_own()) return;
    prepare();
    long long offset = 1;
    EXPECT_CU(CUDA_ERROR_MISALIGNED_ADDRESS, run("store_at", {&pointer, &offset}));
    expect_sticky(CUDA_ERROR_MISALIGNED_ADDRESS);
}

TEST_F(FaultTest, ATrapIsALaunchFailure) {
    if (!in_process_of_its_own()) return;
    prepare();
    EXPECT_CU(CUDA_ERROR_LAUNCH_FAILED, run("stop", {}));
    expect_sticky(CUDA_ERROR_LAUNCH_FAILED);
}

TEST_F(FaultTest, AFailedAssertionIsOne) {
    if (!in_process_of_its_own()) return;
    prepare();
    int right = 1, wrong = 0;
    EXPECT_OK(run("check", {&right}));
    EXPECT_CU(CUDA_ERROR_ASSERT, run("check", {&wrong}));
    expect_sticky(CUDA_ERROR_ASSERT);
}

TEST_F(FaultTest, ObjectsOfTheContextGiveTheCodeToo) {
    if (!in_process_of_its_own()) return;
    prepare();
    CUfunction stop = nullptr;
    CUevent event = nullptr;
    ASSERT_OK(cu().cuModuleGetFunction(&stop, module, "stop"));
    ASSERT_OK(cu().cuEventCreate(&event, 0));
    EXPECT_CU(CUDA_ERROR_LAUNCH_FAILED, run("stop", {}));
    CUfunction again = nullptr;
    int value = 0;
    unsigned int flags = 0;
    CUcontext context = nullptr;
    unsigned long long identifier = 0;
    EXPECT_CU(CUDA_ERROR_LAUNCH_FAILED, cu().cuModuleGetFunction(&again, module, "fill"));
    EXPECT_CU(CUDA_ERROR_LAUNCH_FAILED, cu().cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, stop));
    EXPECT_CU(CUDA_ERROR_LAUNCH_FAILED, cu().cuStreamGetFlags(stream, &flags));
    EXPECT_CU(CUDA_ERROR_LAUNCH_FAILED, cu().cuEventQuery(event));
    EXPECT_CU(CUDA_ERROR_LAUNCH_FAILED, cu().cuEventRecord(event, stream));
    EXPECT_CU(CUDA_ERROR_LAUNCH_FAILED, cu().cuMemFree(pointer));
    EXPECT_CU(CUDA_ERROR_LAUNCH_FAILED, cu().cuEventDestroy(event));
    EXPECT_CU(CUDA_ERROR_LAUNCH_FAILED, cu().cuStreamDestroy(stream));
    EXPECT_CU(CUDA_ERROR_LAUNCH_FAILED, cu().cuModuleUnload(module));
    // What only asks about the context itself, or gives it back, still works.
    EXPECT_OK(cu().cuCtxGetCurrent(&context));
    EXPECT_OK(cu().cuCtxGetFlags(&flags));
    EXPECT_OK(cu().cuCtxGetId(context, &identifier));
    EXPECT_OK(cu().cuDevicePrimaryCtxRelease(0));
}

TEST_F(FaultTest, HostFunctionsDoNotRunAfterAFault) {
    if (!in_process_of_its_own()) return;
    prepare();
    CUdeviceptr null = 0;
    long long offset = 0;
    CUfunction function = nullptr;
    bool called = false;
    void* parameters[] = {&null, &offset};
    ASSERT_OK(cu().cuModuleGetFunction(&function, module, "store_at"));
    ASSERT_OK(cu().cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr));
    cu().cuLaunchHostFunc(stream, [](void* data) { *static_cast<bool*>(data) = true; }, &called);
    EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, cu().cuStreamSynchronize(stream));
    EXPECT_FALSE(called);
}

TEST_F(FaultTest, TheContextCanStillBePutAway) {
    if (!in_process_of_its_own()) return;
    CUcontext own = nullptr;
    CUdevice device = -1;
    ASSERT_OK(cu().cuCtxCreate(&own, nullptr, 0, 0));
    ASSERT_OK(cu().cuModuleLoadData(&module, ptx("kernels.ptx").c_str()));
    CUdeviceptr null = 0;
    long long offset = 0;
    ASSERT_OK(cu().cuStreamCreate(&stream, 0));
    EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, run("store_at", {&null, &offset}));
    CUcontext current = nullptr;
    EXPECT_OK(cu().cuCtxGetCurrent(&current));
    EXPECT_EQ(current, own);
    EXPECT_OK(cu().cuCtxGetDevice(&device));
    EXPECT_OK(cu().cuCtxPopCurrent(&current));
}

}  // namespace
}  // namespace cuprum::test
